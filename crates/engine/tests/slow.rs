//! Numbers that make a call slow are handed to it seldom, and to others as before.

mod fake;

use std::collections::VecDeque;

use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::{OperationKind, Operations};
use testcase::sequence::Sequence;
use testcase::value::Constant;

/// Pushing a large number takes long; a large stack is as good as a small one.
#[derive(Default)]
struct Slow {
    inner: FakeExecutor,
    /// Of each request that waits: is it slow?
    waiting: VecDeque<Vec<bool>>,
    /// Sequences that were slow, and those with a large stack, each with all there were; one entry for every thousand.
    slow: Vec<usize>,
    roomy: Vec<usize>,
    ran: usize,
}

fn is_large(operations: &Operations, sequence: &Sequence, callee: &str) -> bool {
    let is_callee = |kind: &OperationKind| match kind {
        OperationKind::Construct { .. } => callee == "<init>",
        OperationKind::Call { name, .. } => &**name == callee,
        _ => false,
    };
    let kind = |at: usize| &operations.get(sequence.statements()[at].op).kind;
    let large = |at: usize| matches!(kind(at), OperationKind::Constant(Constant::Int(n)) if *n >= 1 << 16);
    let mut calls = (0..sequence.len()).filter(|at| is_callee(kind(*at)));
    calls.any(|at| sequence.statements()[at].args.iter().any(|arg| large(arg.index())))
}

impl Executor for Slow {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        let mut waiting = Vec::new();
        for request in &batch {
            let at = self.ran / 1_000;
            self.ran += 1;
            self.slow.resize(at + 1, 0);
            self.roomy.resize(at + 1, 0);
            waiting.push(is_large(operations, &request.sequence, "push"));
            self.slow[at] += usize::from(waiting[waiting.len() - 1]);
            self.roomy[at] += usize::from(is_large(operations, &request.sequence, "<init>"));
        }
        self.waiting.push_back(waiting);
        self.inner.submit(operations, batch)
    }
    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        let mut executions = self.inner.collect()?;
        for (execution, slow) in executions.iter_mut().zip(self.waiting.pop_front().unwrap()) {
            execution.steps = if slow { 2_000_000 } else { 10 };
        }
        Ok(executions)
    }
    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.inner.set_best(best);
    }
}

#[test]
fn what_is_slow_is_done_seldom_and_what_is_beside_it_as_often_as_ever() {
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), Options::default()).unwrap();
    let mut executor = Slow::default();
    session.run(&mut executor, &mut Budget::executions(6_000), &mut |_| {}).unwrap();
    let (slow, roomy) = (executor.slow[3..6].iter().sum::<usize>(), executor.roomy[3..6].iter().sum::<usize>());
    assert!(slow < 60 && roomy > 300, "{:?} {:?}", executor.slow, executor.roomy);
}
