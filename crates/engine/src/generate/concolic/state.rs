//! What exploration hands on: states behind sequences of calls, and ways through them. Owns what these consist of; how they come about is the explorer's.

use std::sync::Arc;

use smallvec::SmallVec;
use symbolic::executor::Slot;
use symbolic::expr::Term;
use symbolic::state::Condition;
use symbolic::vm::{Outcome, Snapshot};

use super::call::{Argument, Call};
use super::influence::Set;
use super::inputs::Values;
use super::summary::PathId;
use super::trail::Trail;

/// A way through a sequence of calls, up to which everything is decided.
#[derive(Clone, Debug)]
pub struct State {
    pub calls: Vec<Call>,
    /// Invokables called so far.
    pub made: Set,
    /// Calls since something new was seen.
    pub stale: u32,
    /// Groups of calls that have to do with each other, by results that became arguments: a number per call.
    pub groups: SmallVec<[u8; 16]>,
    /// The only calls it is explored with, if candidates are explored one by one.
    pub plan: Option<Arc<[u16]>>,
    /// What leads to something uncovered was called behind it; what only changes things is to be called now.
    pub stepping: bool,
    pub(super) conditions: Vec<(Term, bool)>,
    /// The same, to be compared.
    pub(super) condition: Condition,
    pub(super) base: Base,
}

/// The state of the machine behind the calls, for certain values.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub values: Values,
    pub results: SmallVec<[Slot; 8]>,
    pub trail: Trail,
    pub snapshot: Snapshot,
}

/// How the last call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Normal,
    /// By an exception of this class.
    Threw(Arc<str>),
    /// The machine has no model of something.
    Unmodelled,
    /// Steps, memory or depth were used up.
    Exhausted,
}

/// A way through a whole sequence: a test in the making.
#[derive(Clone, Debug)]
pub struct Way {
    pub calls: Vec<Call>,
    pub values: Values,
    pub ended: Ended,
    /// Branches of any class that went a way nobody had seen.
    pub fresh: Vec<Outcome>,
    /// Every call before the last mattered to a later one.
    pub whole: bool,
    /// The way through the last call, callees by reference.
    pub path: PathId,
    /// Its conditions, all calls' included; the last call's begin at `own`.
    pub conditions: Vec<(Term, bool)>,
    pub own: usize,
    /// What the last call gave, if inputs reach it.
    pub result: Option<Term>,
}

/// The groups with one more call in them.
pub(super) fn joined(groups: &[u8], call: &Call) -> SmallVec<[u8; 16]> {
    let mut all: SmallVec<[u8; 16]> = SmallVec::from_slice(groups);
    let own = groups.len() as u8;
    for argument in &call.arguments {
        if let Argument::Result(at) = argument {
            let other = all[usize::from(*at)];
            all.iter_mut().filter(|g| **g == other).for_each(|g| *g = own);
        }
    }
    all.push(own);
    all
}

/// How many different groups there are.
pub fn count(groups: &[u8]) -> u8 {
    (0..groups.len()).filter(|&i| !groups[..i].contains(&groups[i])).count() as u8
}
