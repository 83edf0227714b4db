//! The workers that search one class together, given up on in time. Owns whose turn it is and the moment after which nothing is waited for, set again before each batch; before the
//! first answer, starting JVMs is not counted against anybody.
//!
//! Batches go round, and results come in the order of batches whoever is quicker: the same submissions give the same results.

use std::collections::VecDeque;
use std::time::Instant;

use exec::executor::JvmExecutor;
use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Aspect, Executor, ExecutorProblem, Request, Watch};
use testcase::operation::Operations;

/// An executor that can be told until when to wait.
pub trait Punctual: Executor {
    /// `None`: for as long as it takes.
    fn wait_until(&mut self, moment: Option<Instant>);
}

impl Punctual for JvmExecutor {
    fn wait_until(&mut self, moment: Option<Instant>) {
        self.set_deadline(moment);
    }
}

pub struct Crew<'e, E> {
    workers: Vec<&'e mut E>,
    /// Asked before each batch.
    deadline: &'e dyn Fn() -> Option<Instant>,
    /// Who is at work on the batches not collected yet, the oldest first.
    at_work: VecDeque<usize>,
    next: usize,
}

impl<'e, E: Punctual> Crew<'e, E> {
    /// `first` and any others, all with the same target.
    pub fn new(first: &'e mut E, others: &'e mut [E], deadline: &'e dyn Fn() -> Option<Instant>) -> Crew<'e, E> {
        Crew { workers: std::iter::once(first).chain(others).collect(), deadline, at_work: VecDeque::new(), next: 0 }
    }
}

impl<E: Punctual> Executor for Crew<'_, E> {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        let turn = self.next;
        self.next = (turn + 1) % self.workers.len();
        let worker = &mut self.workers[turn];
        worker.wait_until((self.deadline)());
        worker.submit(operations, batch)?;
        self.at_work.push_back(turn);
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        // With nothing in flight, the first one says what is wrong about that.
        let worker = &mut self.workers[self.at_work.pop_front().unwrap_or(0)];
        worker.wait_until((self.deadline)());
        worker.collect()
    }

    fn depth(&self) -> usize {
        self.workers.iter().map(|w| w.depth()).sum()
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.workers.iter_mut().for_each(|w| w.set_best(best));
    }

    fn watch(&mut self, sites: &[Watch]) {
        self.workers.iter_mut().for_each(|w| w.watch(sites));
    }

    fn renew(&mut self) -> bool {
        self.at_work.is_empty() && self.workers.iter_mut().fold(false, |any, w| w.renew() | any)
    }

    fn vary_only(&mut self, aspect: Option<Aspect>) {
        self.workers.iter_mut().for_each(|w| w.vary_only(aspect));
    }
}

#[cfg(test)]
mod tests {
    use testcase::execution::Outcome;
    use testcase::executor::Detail;
    use testcase::sequence::Sequence;

    use super::*;

    /// Says by the steps of a result who ran it, and for the how manieth time.
    #[derive(Default)]
    struct Fake {
        name: u32,
        ran: u32,
        waiting: VecDeque<Vec<Execution>>,
        deadlines: usize,
    }

    impl Executor for Fake {
        fn submit(&mut self, _: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
            let results = batch.iter().map(|_| {
                self.ran += 1;
                Execution { steps: self.name + self.ran, ..Execution::ended(Outcome::Normal) }
            });
            let results = results.collect();
            self.waiting.push_back(results);
            Ok(())
        }

        fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
            let nothing = || ExecutorProblem { message: "nothing".to_owned(), hint: None };
            self.waiting.pop_front().ok_or_else(nothing)
        }

        fn set_best(&mut self, best: &[(ProbeId, u32)]) {
            self.ran += best.len() as u32;
        }

        fn renew(&mut self) -> bool {
            self.name += 1_000;
            true
        }
    }

    impl Punctual for Fake {
        fn wait_until(&mut self, _: Option<Instant>) {
            self.deadlines += 1;
        }
    }

    fn batch(n: usize) -> Vec<Request> {
        let request = Request { sequence: Sequence::empty(), detail: Detail::default(), cost: 0, fault: None };
        vec![request; n]
    }

    #[test]
    fn batches_go_round_and_come_back_in_order() {
        let operations = Operations::default();
        let (mut first, mut others) = (Fake { name: 100, ..Fake::default() }, [Fake { name: 200, ..Fake::default() }]);
        let mut crew = Crew::new(&mut first, &mut others, &|| None);
        assert_eq!(crew.depth(), 2);
        [2, 1, 1].into_iter().for_each(|n| crew.submit(&operations, batch(n)).unwrap());
        assert!(!crew.renew(), "there are batches in flight");
        crew.set_best(&[(ProbeId(0), 1)]);
        let mut seen = || crew.collect().map(|results| results.iter().map(|r| r.steps).collect::<Vec<_>>());
        assert_eq!([seen(), seen(), seen()], [Ok(vec![101, 102]), Ok(vec![201]), Ok(vec![103])]);
        assert_eq!(seen().unwrap_err().message, "nothing");
        assert!(crew.renew(), "with nothing in flight all of them are replaced");
        assert_eq!((first.ran, others[0].ran, others[0].deadlines), (4, 2, 2));
        assert_eq!((first.name, others[0].name), (1_100, 1_200));
    }
}
