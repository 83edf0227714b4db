//! What thinking costs: whoever ponders takes time in which others could have run sequences. Owns the rates, measured once in nanoseconds and constant since, so that
//! the same work costs the same on every machine; never looks at a clock.

use testcase::execution::Execution;

use crate::record::is_deadly;

/// What an execution costs with all that is done for it, of sequences as chance makes them.
const EXECUTION: u64 = 25_000;
/// Steps of a worker that take as long as that.
const STEPS: u64 = 2_000;
/// What the loss of a worker costs.
const LOST_WORKER: u64 = 200_000_000;
/// An instruction of the symbolic machine; a run of it besides its instructions; a word copied to resume one.
const INSTRUCTION: u64 = 20;
const RUN: u64 = 8_000;
const WORD: u64 = 2;
/// A question besides what the solver takes for it, and a unit of its weight.
const QUESTION: u64 = 8_000;
const WEIGHT: u64 = 20;

/// What an execution cost, in executions of few steps.
pub fn cost_of(execution: &Execution) -> f64 {
    let steps =
        if is_deadly(&execution.outcome) { LOST_WORKER / EXECUTION * STEPS } else { u64::from(execution.steps) };
    1.0 + steps as f64 / STEPS as f64
}

/// Work done and not charged yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    nanoseconds: u64,
    total: u64,
}

impl Effort {
    /// Anything else, by how long it took where it was measured.
    pub fn spend(&mut self, nanoseconds: u64) {
        self.nanoseconds += nanoseconds;
        self.total += nanoseconds;
    }

    pub fn add(&mut self, other: Effort) {
        self.spend(other.nanoseconds);
    }

    /// Everything so far, in nanoseconds.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A run of the symbolic machine from a state of so many words.
    pub fn run(&mut self, instructions: u64, words: usize) {
        self.spend(RUN + instructions * INSTRUCTION + words as u64 * WORD);
    }

    /// A question of this weight, for which the solver took so long.
    pub fn question(&mut self, weight: u64, work: u64) {
        self.spend(QUESTION + weight * WEIGHT + work);
    }

    /// The whole executions in what was done since this was asked last.
    pub fn take(&mut self) -> u64 {
        let whole = self.nanoseconds / EXECUTION;
        self.nanoseconds %= EXECUTION;
        whole
    }
}
