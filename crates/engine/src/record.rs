//! What happened to each operation and each method so far. Owns the counters that steer choices and explain missing coverage; draws no
//! conclusions.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use testcase::execution::Outcome;
use testcase::operation::OpId;
use testcase::sequence::Var;

use crate::goal::MethodId;

/// How runs ended in which an operation was the last statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpRecord {
    pub tried: u32,
    pub normal: u32,
    pub threw: u32,
    /// Step limit, time-out, crash and the like.
    pub fatal: u32,
    /// Those that cost a worker, and with it more time than thousands of other runs.
    pub deadly: u32,
    /// Runs in which somebody looked whether receiver or arguments changed, and in how many they did.
    pub observed: u32,
    pub changed: u32,
    /// Which of its operands were ever seen to change: a bit for each, the last for all beyond.
    pub touched: u32,
    /// Runs in which it alone can have changed static state, and did.
    pub dirtied: u32,
    /// Choices since it last gained anything.
    pub fruitless: u32,
    /// Values checked against the contracts so far.
    pub checked: u32,
    /// How often it was to be called for what it makes before it ever was.
    pub asked: u32,
    /// Runs in which it reached outside: no test can be made of them.
    pub reached_out: u32,
    pub unusable: bool,
}

/// So often an operation reaches outside before it is taken for one that always does.
const REACHES: u32 = 12;

impl OpRecord {
    /// Seen often and never seen to change anything.
    pub fn is_pure(&self, enough: u32) -> bool {
        self.observed >= enough && self.changed == 0
    }
    /// Hangs, dies or reaches outside so often that calling it wastes the budget.
    pub fn is_harmful(&self) -> bool {
        let reaches = self.reached_out >= REACHES && self.reached_out * 20 > self.tried * 19;
        self.unusable || reaches || self.deadly >= 2 || (self.fatal >= 3 && self.fatal * 4 > self.tried)
    }
    /// Has been tried often and never worked.
    pub fn is_hopeless(&self) -> bool {
        self.unusable || (self.tried >= 60 && self.normal == 0)
    }
}

/// What direct calls of a method showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodRecord {
    pub calls: u32,
    pub normal: u32,
    pub thrown: BTreeMap<ClassName, u32>,
    /// Other ends, by name.
    pub fatal: BTreeMap<&'static str, u32>,
    /// Calls whose tests would disturb other tests or the machine they run on.
    pub disturbing: u32,
    /// The first error of linking or of the JVM that left it.
    pub broken: Option<String>,
    /// Why it could not be linked.
    pub unlinkable: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Records {
    ops: Vec<OpRecord>,
    methods: Vec<MethodRecord>,
}

impl Records {
    pub fn op(&self, op: OpId) -> OpRecord {
        self.ops.get(op.index()).copied().unwrap_or_default()
    }
    pub fn op_mut(&mut self, op: OpId) -> &mut OpRecord {
        if self.ops.len() <= op.index() {
            self.ops.resize(op.index() + 1, OpRecord::default());
        }
        &mut self.ops[op.index()]
    }
    pub fn method(&self, method: MethodId) -> MethodRecord {
        self.methods.get(method.index()).cloned().unwrap_or_default()
    }
    pub fn method_mut(&mut self, method: MethodId) -> &mut MethodRecord {
        if self.methods.len() <= method.index() {
            self.methods.resize(method.index() + 1, MethodRecord::default());
        }
        &mut self.methods[method.index()]
    }
}

/// Said of calls that were held back because the like of them had ended JVMs.
pub const NOT_RUN_AGAIN: &str = "was not run again, because it had ended JVMs";

/// A short name for ends that are neither normal nor an exception.
pub fn fatal_name(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Normal | Outcome::Threw { .. } => None,
        Outcome::StepLimit { .. } => Some("reached the step limit"),
        Outcome::StackOverflow { .. } => Some("overflowed the stack"),
        Outcome::OutOfMemory { .. } => Some("ran out of memory"),
        Outcome::Exit { .. } => Some("called exit"),
        Outcome::WallClock { .. } => Some("hung"),
        Outcome::ThreadsLeft { .. } => Some("left threads running"),
        Outcome::Crashed { signal, .. } => Some(match signal {
            Some(4) => "crashed the JVM (SIGILL)",
            Some(6) => "crashed the JVM (SIGABRT)",
            Some(7) => "crashed the JVM (SIGBUS)",
            Some(8) => "crashed the JVM (SIGFPE)",
            Some(11) => "crashed the JVM (SIGSEGV)",
            Some(31) => "crashed the JVM (SIGSYS)",
            _ => "crashed the JVM",
        }),
        Outcome::Killed { status, .. } => Some(match status {
            Some(137) => "had its JVM killed by SIGKILL (out of memory?)",
            Some(143) => "had its JVM killed by SIGTERM",
            Some(129..) => "had its JVM killed by a signal",
            Some(_) => "ended the JVM by itself",
            None => "ended the JVM",
        }),
        Outcome::Protocol { .. } => Some("garbled the protocol"),
        Outcome::Quarantined => Some(NOT_RUN_AGAIN),
        Outcome::Unlinkable { .. } => Some("could not be linked"),
    }
}

/// Did the worker have to be replaced?
pub fn is_deadly(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::WallClock { .. }
            | Outcome::ThreadsLeft { .. }
            | Outcome::Crashed { .. }
            | Outcome::Killed { .. }
            | Outcome::Protocol { .. }
    )
}

/// The statement an abnormal end is blamed on, if known.
pub fn guilty(outcome: &Outcome) -> Option<usize> {
    match outcome {
        Outcome::Threw { statement, .. }
        | Outcome::StepLimit { statement }
        | Outcome::StackOverflow { statement }
        | Outcome::OutOfMemory { statement }
        | Outcome::Exit { statement, .. }
        | Outcome::Unlinkable { statement, .. } => Some(usize::from(*statement)),
        Outcome::WallClock { statement } | Outcome::Crashed { statement, .. } | Outcome::Killed { statement, .. } => {
            statement.map(usize::from)
        }
        Outcome::Normal | Outcome::ThreadsLeft { .. } | Outcome::Protocol { .. } | Outcome::Quarantined => None,
    }
}
/// A bit for each operand of which this holds, as in [`OpRecord::touched`].
pub fn operands(args: &[Var], holds: impl Fn(Var) -> bool) -> u32 {
    args.iter().enumerate().filter(|(_, arg)| holds(**arg)).fold(0, |bits, (i, _)| bits | 1 << i.min(31))
}
