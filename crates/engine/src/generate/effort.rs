//! What thinking costs: whoever ponders takes time in which others could have run sequences. Owns the account; what
//! each piece of work costs is in the list of prices. Never looks at a clock.

use testcase::execution::Execution;

use crate::prices::{
    EXECUTION_NANOS, LOST_WORKER_NANOS, MACHINE_INSTRUCTION_NANOS, MACHINE_RUN_NANOS, MACHINE_WORD_NANOS,
    QUESTION_NANOS, QUESTION_WEIGHT_NANOS, STEPS_PER_EXECUTION,
};
use crate::record::is_deadly;

/// What an execution cost, in executions of few steps.
pub fn cost_of(execution: &Execution) -> f64 {
    let steps = if is_deadly(&execution.outcome) {
        LOST_WORKER_NANOS / EXECUTION_NANOS * STEPS_PER_EXECUTION
    } else {
        u64::from(execution.steps)
    };
    1.0 + steps as f64 / STEPS_PER_EXECUTION as f64
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
        self.spend(MACHINE_RUN_NANOS + instructions * MACHINE_INSTRUCTION_NANOS + words as u64 * MACHINE_WORD_NANOS);
    }

    /// A question of this weight, for which the solver took so long.
    pub fn question(&mut self, weight: u64, work: u64) {
        self.spend(QUESTION_NANOS + weight * QUESTION_WEIGHT_NANOS + work);
    }

    /// The whole executions in what was done since this was asked last.
    pub fn take(&mut self) -> u64 {
        let whole = self.nanoseconds / EXECUTION_NANOS;
        self.nanoseconds %= EXECUTION_NANOS;
        whole
    }
}
