//! Sequences and operations that cost a worker its life. Owns who is locked up and why; restarts nothing.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use testcase::operation::OpId;
use testcase::sequence::Sequence;

use crate::triage::Death;

/// An operation is locked up when it was the guilty statement this often.
const STRIKES: u32 = 3;

#[derive(Debug, Default)]
pub struct Quarantine {
    sequences: FxHashSet<Sequence>,
    strikes: FxHashMap<OpId, u32>,
    operations: BTreeMap<OpId, String>,
}

impl Quarantine {
    pub fn holds(&self, sequence: &Sequence) -> bool {
        (!self.sequences.is_empty() && self.sequences.contains(sequence))
            || (!self.operations.is_empty()
                && sequence.statements().iter().any(|s| self.operations.contains_key(&s.op)))
    }

    pub fn operations(&self) -> &BTreeMap<OpId, String> {
        &self.operations
    }

    /// `guilty` is the operation that was running, if known.
    pub fn add(&mut self, sequence: Sequence, guilty: Option<OpId>, death: Death) {
        self.sequences.insert(sequence);
        let Some(op) = guilty else { return };
        let strikes = self.strikes.entry(op).or_default();
        *strikes += 1;
        if *strikes >= STRIKES {
            let what = match death {
                Death::Exited => "ended the JVM",
                Death::Killed => "was running when the JVM was killed",
                Death::Crashed => "crashed the JVM",
                Death::WallClock => "did not come back",
                Death::Protocol => "confused the worker",
                Death::ThreadsLeft => "left threads running",
                Death::Spoilt => "cut a class initialiser short",
                Death::Deadline => "was running when time was up",
            };
            self.operations.entry(op).or_insert_with(|| format!("{what}, {strikes} times"));
        }
    }
}
