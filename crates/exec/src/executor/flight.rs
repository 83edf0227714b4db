//! A batch on its way: which requests are with the worker, which are answered. Owns that book-keeping only.

use testcase::execution::{Execution, Outcome};
use testcase::executor::Request;

#[derive(Debug)]
pub struct Flight {
    pub requests: Vec<Request>,
    results: Vec<Option<Execution>>,
    /// Indices of requests sent and not yet answered, in the order sent.
    pending: Vec<u32>,
    /// How many of `pending` were answered.
    answered: usize,
    /// The batch number it was last sent under.
    pub number: u32,
}

impl Flight {
    /// `refuse` gives the outcome of requests that must not be sent.
    pub fn new(requests: Vec<Request>, refuse: impl Fn(&Request) -> Option<Outcome>) -> Flight {
        let results: Vec<Option<Execution>> = requests.iter().map(|r| refuse(r).map(Execution::ended)).collect();
        let pending = results.iter().enumerate().filter(|(_, r)| r.is_none()).map(|(i, _)| i as u32).collect();
        Flight { requests, results, pending, answered: 0, number: 0 }
    }

    pub fn is_complete(&self) -> bool {
        self.answered == self.pending.len()
    }

    /// Requests not yet answered, in order.
    pub fn waiting(&self) -> &[u32] {
        &self.pending[self.answered..]
    }

    /// The request whose answer is due next, or the one with that position (from 0) in the batch as sent.
    pub fn next(&self) -> Option<u32> {
        self.waiting().first().copied()
    }

    /// The request at this position (from 0) of the batch as sent, unless it was answered.
    pub fn at(&self, position: usize) -> Option<u32> {
        if position < self.answered { None } else { self.pending.get(position).copied() }
    }

    /// The answer for the request due next.
    pub fn answer(&mut self, execution: Execution) {
        if let Some(index) = self.next() {
            self.results[index as usize] = Some(execution);
            self.answered += 1;
        }
    }

    /// Settles a request out of turn; it is not sent again.
    pub fn settle(&mut self, index: u32, outcome: Outcome) {
        self.results[index as usize] = Some(Execution::ended(outcome));
        self.pending.retain(|i| *i != index);
    }

    /// Forgets what was sent: what is not answered is sent again as a batch of its own.
    pub fn start_over(&mut self) {
        self.pending.drain(..self.answered);
        self.answered = 0;
    }

    /// All results; requests never answered get this outcome.
    pub fn into_results(self, otherwise: &Outcome) -> Vec<Execution> {
        self.results.into_iter().map(|r| r.unwrap_or_else(|| Execution::ended(otherwise.clone()))).collect()
    }
}
