//! Recording what an executor answered and answering it again without a JVM. Owns the transcript; for tests and for
//! reproducing a run whose code under test is not at hand.

use std::collections::VecDeque;

use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Aspect, Executor, ExecutorProblem, Request, Watch};
use testcase::operation::Operations;
use testcase::sequence::Sequence;

/// One batch: what was asked and what was answered, in order.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    pub sequences: Vec<Sequence>,
    pub executions: Vec<Execution>,
}

/// Passes everything through and remembers it.
#[derive(Debug)]
pub struct Recorder<E> {
    inner: E,
    open: VecDeque<Vec<Sequence>>,
    transcript: Vec<Exchange>,
}

impl<E: Executor> Recorder<E> {
    pub fn new(inner: E) -> Recorder<E> {
        Recorder { inner, open: VecDeque::new(), transcript: Vec::new() }
    }

    /// The batches collected so far.
    pub fn finish(self) -> Vec<Exchange> {
        self.transcript
    }
}

impl<E: Executor> Executor for Recorder<E> {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.open.push_back(batch.iter().map(|r| r.sequence.clone()).collect());
        self.inner.submit(operations, batch)
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        let executions = self.inner.collect()?;
        let sequences = self.open.pop_front().unwrap_or_default();
        self.transcript.push(Exchange { sequences, executions: executions.clone() });
        Ok(executions)
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

    fn vary_only(&mut self, aspect: Option<Aspect>) {
        self.inner.vary_only(aspect);
    }

    fn renew(&mut self) -> bool {
        self.inner.renew()
    }
}

/// Answers from a transcript. A request that differs from the recorded one is a problem naming the batch.
#[derive(Debug)]
pub struct Replay {
    left: VecDeque<Exchange>,
    submitted: VecDeque<Vec<Execution>>,
    batches: usize,
    depth: usize,
}

impl Replay {
    /// `depth` as the recorded executor said it, so that batches come in the same order.
    pub fn new(transcript: Vec<Exchange>, depth: usize) -> Replay {
        Replay { left: transcript.into(), submitted: VecDeque::new(), batches: 0, depth }
    }
}

fn differs(batch: usize, what: &str) -> ExecutorProblem {
    let hint = Some("replay with the seed, options and version of the recording".to_owned());
    ExecutorProblem { message: format!("batch {batch} of the transcript {what}"), hint }
}

impl Executor for Replay {
    fn submit(&mut self, _: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.batches += 1;
        let Some(exchange) = self.left.pop_front() else {
            return Err(differs(self.batches, "was never recorded"));
        };
        if !batch.iter().map(|r| &r.sequence).eq(&exchange.sequences) {
            return Err(differs(self.batches, "has other sequences than those asked for"));
        }
        self.submitted.push_back(exchange.executions);
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        self.submitted.pop_front().ok_or_else(|| differs(self.batches, "was collected already"))
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn set_best(&mut self, _: &[(ProbeId, u32)]) {}
}
