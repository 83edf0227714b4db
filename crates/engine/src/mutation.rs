//! Mutation analysis: which small faults of the classes under test a suite notices, and which of its assertions notice them. Owns the mutants of a
//! target, their fates, and the choice of assertions by what they notice. Knows nothing of where tests come from, and changes none but by leaving
//! assertions out.

pub mod analyse;
pub mod choose;
pub mod judge;
pub mod prepare;

pub use analyse::{Analysis, Fate, analyse};
pub use choose::{choose, without_analysis};
pub use prepare::{Faulty, FaultyClass, Mutant, prepare};

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
    pub fn of(faulty: &Faulty, analysis: &Analysis) -> Scores {
        let mut scores = Scores::default();
        for (mutant, fate) in faulty.mutants.iter().zip(&analysis.fates) {
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
