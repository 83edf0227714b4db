//! Solving: finds inputs for which conditions hold, or proves that there are none. Owns the seam that every link of the
//! chain has. Never trusts a model: every model is evaluated before a query is called satisfiable.

mod blast;
mod bounds;
mod cache;
mod chain;
mod fast;
mod independent;
mod log;
mod preprocess;
mod range;
mod search;
mod smtlib;
mod tape;
mod weight;

pub use blast::BitBlaster;
pub use cache::{Cache, CacheStatistics};
pub use chain::{Chain, ChainStatistics};
pub use fast::{Fast, FastStatistics};
pub use independent::Independent;
pub use log::Logged;
pub use smtlib::SmtLib;
pub use weight::weight;

use crate::expr::{Model, Term, Terms};

/// Conditions that have to hold together.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Query {
    pub conditions: Vec<Term>,
}

impl Query {
    pub fn new(conditions: impl Into<Vec<Term>>) -> Query {
        Query { conditions: conditions.into() }
    }
}

/// How much work a query is worth. The count decides first, so that the same query has the same answer every time; the
/// callback is for callers with a clock.
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    pub conflicts: u32,
    /// The back end does not begin heavier questions: their circuits alone would take too long. The quick answers
    /// before it are tried all the same.
    pub weight: u64,
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl Limit<'_> {
    /// Enough for the queries of ordinary methods.
    pub const ORDINARY: Limit<'static> = Limit::of(30_000);

    /// The given number of conflicts, and no other limit.
    pub const fn of(conflicts: u32) -> Limit<'static> {
        Limit { conflicts, weight: u64::MAX, stop: None }
    }

    fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

impl std::fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limit")
            .field("conflicts", &self.conflicts)
            .field("weight", &self.weight)
            .field("stop", &self.stop.is_some())
            .finish()
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    #[error("the limit of {0} conflicts was reached; a higher one may help")]
    Conflicts(u32),
    #[error("its circuits would be too large ({0} of {1}); a higher limit may help")]
    Weight(u64, u64),
    #[error("stopped by the caller")]
    Stopped,
    #[error("no solver here does {0}")]
    Unsupported(&'static str),
    #[error("the model found does not satisfy the conditions: a defect of the solver")]
    WrongModel,
    #[error("another solver gave no answer: {0}")]
    Elsewhere(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// With values for inputs under which all conditions hold; inputs not named are zero.
    Sat(Model),
    Unsat,
    Unknown(Why),
}

/// A link of the chain, or its end.
pub trait Solver {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer;

    /// What all answers have cost so far, without looking them up: nanoseconds by the size of the question and the
    /// conflicts met, the same on every machine.
    fn work(&self) -> u64 {
        0
    }
}

impl Solver for Box<dyn Solver + Send> {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        (**self).check(terms, query, limit)
    }

    fn work(&self) -> u64 {
        (**self).work()
    }
}
