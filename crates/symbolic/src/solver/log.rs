//! The log of queries: each as an SMT-LIB script of its own, with the answer that was given. Owns the form; where it
//! goes is the caller's matter.

use super::{Answer, Limit, Query, Solver};
use crate::expr::Terms;

/// Hands every query and its answer to a sink, as a script that can be read and solved again.
pub struct Logged<S, F> {
    next: S,
    sink: F,
}

impl<S: Solver, F: FnMut(&str)> Logged<S, F> {
    pub fn new(next: S, sink: F) -> Logged<S, F> {
        Logged { next, sink }
    }
}

impl<S: Solver, F: FnMut(&str)> Solver for Logged<S, F> {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        // Written first: simplification during the solving must not show.
        let script = terms.script(&query.conditions);
        let answer = self.next.check(terms, query, limit);
        let status = match &answer {
            Answer::Sat(_) => "(set-info :status sat)\n".to_string(),
            Answer::Unsat => "(set-info :status unsat)\n".to_string(),
            Answer::Unknown(why) => format!("; no answer: {why}\n"),
        };
        (self.sink)(&format!("{status}{script}"));
        answer
    }
}
