//! What things cost: the one list of prices that searches reckon with, each with its unit in its name and, beside it,
//! where it comes from. Owns numbers only; who pays and what follows is decided where they are used.
//!
//! Prices are constant, so that the same work costs the same on every machine. "Measured" means: once, on one machine,
//! when the technique was written (docs/design/0007-concolic.md). `cargo run -p testudo --release --example thinking`
//! shows whether it still holds: executions and thinking per second, the last column, should come out alike for all
//! techniques. "Guess" means that it was not compared with other values.

// Time, in nanoseconds.

/// An execution with all that is done for it, of sequences as chance makes them. Measured; all other times are turned
/// into executions by it.
pub const EXECUTION_NANOS: u64 = 25_000;
/// The loss of a worker, in a turn of the portfolio: a guess, about what a JVM takes to start.
pub const LOST_WORKER_NANOS: u64 = 200_000_000;
/// An instruction of the symbolic machine; a run of it besides its instructions; a word copied to resume one. Measured.
pub const MACHINE_INSTRUCTION_NANOS: u64 = 20;
pub const MACHINE_RUN_NANOS: u64 = 8_000;
pub const MACHINE_WORD_NANOS: u64 = 2;
/// A question besides what the solver says it took, and a unit of its weight. Measured.
pub const QUESTION_NANOS: u64 = 8_000;
pub const QUESTION_WEIGHT_NANOS: u64 = 20;
/// Starting the machine to solve for stuck branches. Measured.
pub const STUCK_START_NANOS: u64 = 7_000_000;
/// Beginning concolic generation: for a class with hardly any members, and for each invokable; looking for the calls
/// behind a state, for each invokable. Measured.
pub const CONCOLIC_START_NANOS: u64 = 70_000_000;
pub const CONCOLIC_START_INVOKABLE_NANOS: u64 = 1_000_000;
pub const CONCOLIC_LOOK_INVOKABLE_NANOS: u64 = 100;
/// A path of a symbolic state, and a question about it. Measured.
pub const STATE_PATH_NANOS: u64 = 12_000;
pub const STATE_QUESTION_NANOS: u64 = 500_000;
/// Finding out who makes a type, in executions. Guess.
pub const SUPPLY_SURVEY_EXECUTIONS: u64 = 20;

// Work of a worker, in steps: method entries and jumps backwards.

/// Steps that take as long as the rest of an execution. Measured.
pub const STEPS_PER_EXECUTION: u64 = 2_000;
/// A batch should not run much longer than this, as nobody looks at the clock in between. Guess: some ten milliseconds.
pub const BATCH_STEPS: u64 = 2_000_000;
/// The loss of a worker, where the size of the next batch is chosen: as much as a whole batch, so that batches become
/// small where workers die.
pub const BATCH_LOST_WORKER_STEPS: u64 = BATCH_STEPS;
/// Runs of fewer steps are never dear: a JVM does that many in a fraction of a millisecond.
pub const DEAR_STEPS: f32 = 20_000.0;
/// Of a run that took more steps nothing is learnt by repeating it hundreds of times, as redirection does. Guess: five
/// times what is dear once.
pub const DEAR_TO_REPEAT_STEPS: u32 = 100_000;
/// Up to here a call is an ordinary one.
pub const ORDINARY_STEPS: f32 = STEPS_PER_EXECUTION as f32;
/// What running out of memory and losing a worker stand for, where it is learnt which calls and numbers are dear. More
/// than the time they take: a number that does so will do so again, and most are drawn in vain
/// (docs/design/0012-slow-calls.md).
pub const CALL_OUT_OF_MEMORY_STEPS: f32 = 5e6;
pub const CALL_LOST_WORKER_STEPS: f32 = 5e7;
