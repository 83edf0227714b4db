//! An executor that is given up on in time: forwards everything and sets the moment after which nothing is waited for, again before each batch. Owns
//! when that is during a search; before the first answer, starting the JVM is not counted against anybody.

use std::time::Instant;

use exec::executor::JvmExecutor;
use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request, Watch};
use testcase::operation::Operations;

pub struct Punctual<'e> {
    pub inner: &'e mut JvmExecutor,
    /// Asked before each batch; `None`: wait for as long as it takes.
    pub deadline: &'e dyn Fn() -> Option<Instant>,
}

impl Executor for Punctual<'_> {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.inner.set_deadline((self.deadline)());
        self.inner.submit(operations, batch)
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        self.inner.set_deadline((self.deadline)());
        self.inner.collect()
    }

    fn depth(&self) -> usize {
        self.inner.depth()
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.inner.set_best(best);
    }

    fn watch(&mut self, sites: &[Watch]) {
        self.inner.watch(sites);
    }
}
