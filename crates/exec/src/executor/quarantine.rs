//! Sequences, calls and operations that cost a worker its life. Owns who is locked up and why; restarts nothing.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use testcase::execution::{Execution, Outcome};
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement};

use crate::triage::Death;

/// An operation is locked up when it was the guilty statement this often, unless it came back so many times as often: then it depends on what it is given.
const STRIKES: u32 = 3;
const FORGIVEN: u32 = 8;
/// But not oftener than this.
const MOST_STRIKES: u32 = 12;

/// What is held against an operation, and what speaks for it since.
#[derive(Clone, Copy, Debug, Default)]
struct File {
    strikes: u32,
    came_back: u32,
}

#[derive(Debug, Default)]
pub struct Quarantine {
    sequences: FxHashSet<Sequence>,
    files: FxHashMap<OpId, File>,
    /// Operations with what they were given, where that was constants alone: objects may be in another state the next time.
    calls: FxHashSet<(OpId, Vec<OpId>)>,
    operations: BTreeMap<OpId, String>,
}

impl Quarantine {
    /// `is_call` tells operations from constants.
    pub fn holds(&self, sequence: &Sequence, is_call: impl Fn(OpId) -> bool) -> bool {
        if self.sequences.is_empty() {
            return false;
        }
        let is_held = |statement: &Statement| {
            self.files.contains_key(&statement.op)
                && (self.operations.contains_key(&statement.op)
                    || plain_call(sequence, statement, &is_call).is_some_and(|call| self.calls.contains(&call)))
        };
        self.sequences.contains(sequence) || sequence.statements().iter().any(is_held)
    }

    pub fn operations(&self) -> &BTreeMap<OpId, String> {
        &self.operations
    }

    /// Operations that have something against them may show that they are harmless otherwise.
    pub fn saw(&mut self, sequence: &Sequence, execution: &Execution) {
        if self.files.is_empty() {
            return;
        }
        let ran = match &execution.outcome {
            Outcome::Normal => sequence.len(),
            Outcome::Threw { statement, .. } => usize::from(*statement) + 1,
            _ => 0,
        };
        for statement in sequence.statements().iter().take(ran) {
            if let Some(file) = self.files.get_mut(&statement.op) {
                file.came_back += 1;
            }
        }
    }

    /// `guilty` is the statement that was running, if known.
    pub fn add(&mut self, sequence: Sequence, guilty: Option<usize>, death: Death, is_call: impl Fn(OpId) -> bool) {
        if let Some(statement) = guilty.and_then(|s| sequence.statements().get(s)) {
            self.calls.extend(plain_call(&sequence, statement, &is_call));
            self.strike(statement.op, death);
        }
        self.sequences.insert(sequence);
    }

    fn strike(&mut self, op: OpId, death: Death) {
        let file = self.files.entry(op).or_default();
        file.strikes += 1;
        let File { strikes, came_back } = *file;
        if strikes >= MOST_STRIKES || (strikes >= STRIKES && came_back < strikes * FORGIVEN) {
            let what = match death {
                Death::Exited => "ended the JVM",
                Death::Killed => "was running when the JVM was killed",
                Death::Crashed => "crashed the JVM",
                Death::WallClock => "did not come back",
                Death::Protocol => "confused the worker",
                Death::ThreadsLeft => "left threads running",
                Death::Spoilt => "cut a class initialiser short",
                Death::Deadline => "was running when time was up",
                Death::Renewed => "belonged to a JVM that was replaced",
            };
            self.operations.entry(op).or_insert_with(|| format!("{what}, {strikes} times"));
        }
    }
}

/// A call with the constants it is given, if these are all it is given.
fn plain_call(sequence: &Sequence, statement: &Statement, is_call: impl Fn(OpId) -> bool) -> Option<(OpId, Vec<OpId>)> {
    if statement.args.is_empty() {
        return None;
    }
    let given = statement.args.iter().map(|arg| sequence.statements()[arg.index()].op);
    let constants: Option<Vec<OpId>> = given.map(|op| (!is_call(op)).then_some(op)).collect();
    Some((statement.op, constants?))
}

#[cfg(test)]
mod tests {
    use testcase::sequence::Var;

    use super::*;

    const CALL: OpId = OpId(1);

    /// From 100 on operations are no constants.
    fn is_call(op: OpId) -> bool {
        op.0 >= 100
    }

    /// A call with one operand.
    fn given(operand: u32) -> Sequence {
        Sequence::new([Statement::new(OpId(operand), &[]), Statement::new(CALL, &[Var(0)])])
    }

    /// Which of the calls with constants 10, 11 and 20 are held after deaths with 10, 11, … and so many calls that came back before each.
    fn check(deaths: u32, came_back: u32) -> [bool; 3] {
        let mut quarantine = Quarantine::default();
        for n in 0..deaths {
            quarantine.add(given(10 + n), Some(1), Death::WallClock, is_call);
            (0..came_back).for_each(|_| quarantine.saw(&given(20), &Execution::ended(Outcome::Normal)));
        }
        [10, 11, 20].map(|constant| quarantine.holds(&given(constant), is_call))
    }

    #[test]
    fn a_call_is_held_at_once_and_its_operation_if_it_seldom_comes_back() {
        assert_eq!(check(0, 0), [false; 3]);
        assert_eq!(check(1, 0), [true, false, false]);
        assert_eq!(check(2, 5), [true, true, false]);
        assert_eq!(check(3, 5), [true; 3]);
        assert_eq!(check(3, 200), [true, true, false]);
        assert_eq!(check(MOST_STRIKES, 200), [true; 3]);
    }

    #[test]
    fn an_object_may_be_in_another_state_the_next_time() {
        let mut quarantine = Quarantine::default();
        quarantine.add(given(100), Some(1), Death::WallClock, is_call);
        let changed_before = Sequence::new(
            [(100, &[][..]), (101, &[Var(0)]), (1, &[Var(0)])].map(|(op, args)| Statement::new(OpId(op), args)),
        );
        assert!(quarantine.holds(&given(100), is_call) && !quarantine.holds(&changed_before, is_call));
    }
}
