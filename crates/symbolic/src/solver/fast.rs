//! Quick answers before the complete back end is asked: contradicting ranges, and values found by search. Owns when
//! each is worth trying.

use super::bounds::Bounds;
use super::search::search;
use super::{Answer, Limit, Query, Solver};
use crate::expr::{Evaluator, Op, Term, Terms};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FastStatistics {
    pub asked: u64,
    pub contradictions: u64,
    pub searched: u64,
    pub found: u64,
}

/// Tries ranges and search, then asks the next solver.
pub struct Fast<S> {
    next: S,
    evaluator: Evaluator,
    statistics: FastStatistics,
}

impl<S> Fast<S> {
    pub fn new(next: S) -> Fast<S> {
        Fast { next, evaluator: Evaluator::default(), statistics: FastStatistics::default() }
    }

    pub fn statistics(&self) -> FastStatistics {
        self.statistics
    }
}

impl<S: Solver> Solver for Fast<S> {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        self.statistics.asked += 1;
        let Some(bounds) = Bounds::of(terms, &query.conditions) else {
            self.statistics.contradictions += 1;
            return Answer::Unsat;
        };
        if worth_searching(terms, &query.conditions) {
            self.statistics.searched += 1;
            if let Some(model) = search(terms, &query.conditions, &bounds) {
                self.evaluator.forget();
                if query.conditions.iter().all(|condition| self.evaluator.holds(terms, &model, *condition)) {
                    self.statistics.found += 1;
                    return Answer::Sat(model);
                }
            }
        }
        self.next.check(terms, query, limit)
    }

    fn work(&self) -> u64 {
        self.next.work()
    }
}

/// Whether an operation with a large circuit occurs.
fn worth_searching(terms: &Terms, conditions: &[Term]) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = conditions.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        let variable = node.op.arity() == 2 && terms.value(node.args[1]).is_none();
        match node.op {
            Op::Mul if variable => return true,
            Op::SDiv | Op::SRem | Op::UDiv | Op::URem => return true,
            Op::FAdd | Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt | Op::FRound | Op::FToS | Op::SToF | Op::FToF => {
                return true;
            }
            _ => {}
        }
        stack.extend(node.args());
    }
    false
}
