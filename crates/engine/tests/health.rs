//! A worker that the code under test has spoilt is noticed and replaced, and the tests found before are not lost.

mod fake;

use engine::budget::Budget;
use engine::options::Options;
use engine::outcome::Outcome;
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::execution::{Execution, Outcome as End, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::Operations;

/// From some execution on nothing works any more, until the worker is replaced.
struct Spoilt {
    inner: FakeExecutor,
    from: u64,
    can_be_renewed: bool,
    renewed: u32,
}

impl Executor for Spoilt {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.inner.submit(operations, batch)
    }
    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        let executions = self.inner.collect()?;
        if self.inner.executed < self.from || self.renewed > 0 {
            return Ok(executions);
        }
        Ok(executions.iter().map(|_| Execution::ended(End::StackOverflow { statement: 0 })).collect())
    }
    fn set_best(&mut self, _: &[(ProbeId, u32)]) {}
    fn renew(&mut self) -> bool {
        self.renewed += u32::from(self.can_be_renewed);
        self.can_be_renewed
    }
}

fn searched(from: u64, can_be_renewed: bool) -> (Outcome, u32) {
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), Options::default()).unwrap();
    let mut executor = Spoilt { inner: FakeExecutor::default(), from, can_be_renewed, renewed: 0 };
    session.run(&mut executor, &mut Budget::executions(45_000), &mut |_| {}).unwrap();
    (session.finish(&mut executor, &mut Budget::until(|| false)).unwrap(), executor.renewed)
}

#[test]
fn a_spoilt_worker_is_replaced() {
    let (well, renewed) = searched(u64::MAX, true);
    assert_eq!(renewed, 0, "a worker that is well stays");
    // During the search, and so late that only the end of it shows.
    for from in [25_000, 44_000] {
        let (mended, renewed) = searched(from, true);
        assert_eq!((mended.suite.len(), renewed), (well.suite.len(), 1), "spoilt after {from}");
    }
    let (lost, _) = searched(25_000, false);
    assert!(lost.suite.len() < well.suite.len() / 2, "the model's worker is really spoilt");
}
