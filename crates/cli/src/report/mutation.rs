//! The part of `report.json` about mutants. Owns its shape; computes nothing.

use engine::goal::Count;
use serde::{Deserialize, Serialize};

/// What the delivered tests notice. Not every test is run against every mutant: one that only a dropped test was seen to notice counts as alive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationReport {
    /// Mutants of the operators that PIT uses by default too.
    pub common: MutantCount,
    /// These, changed constants and removed field writes.
    pub all: MutantCount,
    /// In class initialisers, or there was no time; not counted above.
    pub unmeasured: u32,
    /// Sequences run for this.
    pub executions: u64,
    /// Those that no test noticed, in the order of the code.
    pub alive: Vec<AliveMutant>,
    /// Methods whose mutants were left out, and why.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantCount {
    pub total: u32,
    pub killed: u32,
}

impl From<Count> for MutantCount {
    fn from(count: Count) -> MutantCount {
        MutantCount { total: count.total, killed: count.covered }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AliveMutant {
    /// Binary name.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub line: Option<u16>,
    /// `math`, `negate-conditionals`, …
    pub operator: String,
    /// PIT makes it by default too.
    pub common: bool,
    /// What is wrong in it: `replaced < by <=`.
    pub description: String,
    /// Some test runs the place.
    pub reached: bool,
}
