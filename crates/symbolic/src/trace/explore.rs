//! All paths of a sequence, its calls and their order staying as they are: one after the other, each with literals that
//! take it. Owns which conditions were inverted already, so that no path comes twice; the caller chooses how far to go.

use std::collections::VecDeque;

use testcase::operation::Operations;
use testcase::sequence::Sequence;

use super::{Choices, Flip, Replacement, Step, Trace, Tracer, Wish};
use crate::expr::Term;
use crate::solver::{Limit, Why};

/// A path to be run: literals, the first condition that may be inverted, and pinned values that were tried there.
struct Waiting {
    sequence: Sequence,
    from: usize,
    tried: Vec<Term>,
}

/// A path that was run.
#[derive(Debug)]
pub struct Explored {
    /// With the literals that take it.
    pub sequence: Sequence,
    pub trace: Trace,
    /// Its conditions that have no other side, and those for which that is unknown.
    pub infeasible: Vec<usize>,
    pub unknown: Vec<(usize, Why)>,
}

/// Paths by the number of conditions that were inverted for them.
pub struct Explorer {
    waiting: VecDeque<Waiting>,
    wish: Wish,
    choices: Choices,
    conflicts: u32,
    /// Conditions of one path that are inverted.
    most: usize,
}

impl Explorer {
    /// Inverts at most `most` conditions of each path, by questions with a limited number of conflicts.
    pub fn new(sequence: Sequence, wish: Wish, conflicts: u32, most: usize) -> Explorer {
        let first = Waiting { sequence, from: 0, tried: Vec::new() };
        Explorer { waiting: [first].into(), wish, choices: Choices::default(), conflicts, most }
    }

    /// With choices as inputs, too.
    pub fn choosing(self, choices: Choices) -> Explorer {
        Explorer { choices, ..self }
    }

    /// Runs the next path and finds the paths that branch off from it. `None` if there is none.
    pub fn next(&mut self, tracer: &mut Tracer, operations: &mut Operations) -> Option<Explored> {
        let Waiting { sequence, from, tried } = self.waiting.pop_front()?;
        let trace = tracer.run_choosing(operations, &sequence, self.wish, &self.choices);
        let mut explored = Explored { sequence, trace, infeasible: Vec::new(), unknown: Vec::new() };
        let limit = Limit::of(self.conflicts);
        for at in from..explored.trace.steps.len().min(from + self.most) {
            let step = explored.trace.steps[at];
            let besides: &[Term] = if at == from { &tried } else { &[] };
            match tracer.flip_besides(operations, &explored.sequence, &explored.trace, at, besides, limit) {
                Flip::Found(replacements) => {
                    let sequence = replaced(operations, &explored.sequence, replacements);
                    // There are more other values and classes than this one.
                    let next = if step.site.check.has_many_sides() {
                        let this = tracer.condition(&Step { taken: false, ..step });
                        Waiting { sequence, from: at, tried: besides.iter().copied().chain([this]).collect() }
                    } else {
                        Waiting { sequence, from: at + 1, tried: Vec::new() }
                    };
                    self.waiting.push_back(next);
                }
                Flip::Infeasible => explored.infeasible.push(at),
                Flip::Unknown(why) => explored.unknown.push((at, why)),
            }
        }
        Some(explored)
    }

    /// Paths found that were not run yet.
    pub fn left(&self) -> usize {
        self.waiting.len()
    }
}

/// A sequence with other statements in some places.
pub fn replaced(operations: &mut Operations, sequence: &Sequence, replacements: Vec<Replacement>) -> Sequence {
    let mut sequence = sequence.clone();
    for Replacement { statement, operation, arguments } in replacements {
        sequence = sequence.replace(usize::from(statement), operations.intern(operation), &arguments);
    }
    sequence
}
