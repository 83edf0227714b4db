//! Mutation analysis: which small faults of the classes under test a suite notices, and which of its assertions notice them. Owns the mutants of a
//! target, their fates, the choice of assertions and of calls made only to look, further tests for faults that nobody noticed, and which tests these make superfluous.
//! Classes full of mutants have other probes: only `settle`, for which the executor is open with the usual classes again, looks at goals, and nobody changes them.

pub mod analyse;
pub mod choose;
pub mod hunt;
pub mod judge;
pub mod prepare;
pub mod settle;
pub mod witness;

pub use analyse::{Analysis, Fate, Wanted, analyse};
pub use choose::{choose, without_analysis};
pub use hunt::Limits;
pub use prepare::{Faulty, FaultyClass, Mutant, prepare};
pub use witness::{Witness, fates, witnesses};

use crate::goal::Count;

/// How many mutants there are and how many a suite notices. Mutants that could not be measured do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// Those PIT makes by default too.
    pub common: Count,
    pub all: Count,
    pub unmeasured: u32,
}

impl Scores {
    pub fn of(faulty: &Faulty, fates: &[Fate]) -> Scores {
        let mut scores = Scores::default();
        for (mutant, fate) in faulty.mutants.iter().zip(fates) {
            if *fate == Fate::Unmeasured {
                scores.unmeasured += 1;
                continue;
            }
            let killed = u32::from(*fate == Fate::Killed);
            scores.all.total += 1;
            scores.all.covered += killed;
            if mutant.operator.is_common() {
                scores.common.total += 1;
                scores.common.covered += killed;
            }
        }
        scores
    }
}
