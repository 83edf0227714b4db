//! Watching a run: which words it read and wrote, which ways branches went for the first time, in which calls its
//! conditions were met. Owns the records; never changes what a run does, and costs nothing unless it is on. Needs terms
//! to be on, too.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::class::MethodId;
use super::machine::Machine;

/// One way out of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    pub method: MethodId,
    /// Of the class file.
    pub pc: u16,
    pub way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// The method was entered.
    Entry,
    /// The jump of a two-way branch.
    Taken,
    NotTaken,
    /// A switch went to this place of the class file.
    Case(u16),
}

/// A call that met conditions, from its begin to its end; `at` counts the conditions met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Enter { method: MethodId, at: usize },
    Leave { at: usize },
}

/// A word was looked at or overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub word: u32,
    pub is_write: bool,
}

/// Reads and writes in order. Reads are recorded behind a shared reference.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    pub on: bool,
    log: RefCell<Vec<Access>>,
}

impl Accesses {
    #[inline]
    pub fn note(&self, word: u32, is_write: bool) {
        if self.on {
            self.log.borrow_mut().push(Access { word, is_write });
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    pub on: bool,
    calls: Vec<Call>,
    seen: Vec<u8>,
    cases: FxHashSet<(u32, u32)>,
    fresh: Vec<Outcome>,
}

const TAKEN: u8 = 1;
const NOT_TAKEN: u8 = 2;
const ENTERED: u8 = 4;

impl Watch {
    fn is_new(&mut self, at: usize, bit: u8) -> bool {
        if self.seen.len() <= at {
            self.seen.resize(at + 1024, 0);
        }
        let new = self.seen[at] & bit == 0;
        self.seen[at] |= bit;
        new
    }
}

impl Machine {
    /// Turns recording on or off for what follows. What branches did is remembered over all runs, everything else until
    /// it is taken.
    pub fn set_watching(&mut self, on: bool) {
        self.watch.on = on;
        self.heap.accesses.on = on;
        self.forget_notes();
    }

    /// Begins anew with words and calls.
    pub fn forget_notes(&mut self) {
        self.watch.calls.clear();
        self.heap.accesses.log.get_mut().clear();
    }

    /// Words read and written since they were last forgotten, in order.
    pub fn accesses(&mut self) -> &[Access] {
        self.heap.accesses.log.get_mut()
    }

    /// Calls since they were last forgotten; those that met no condition are left out.
    pub fn calls(&self) -> &[Call] {
        &self.watch.calls
    }

    /// Ways that branches went for the first time since this was last asked.
    pub fn take_outcomes(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.watch.fresh)
    }

    /// Class, name and descriptor of a method.
    pub fn method_parts(&self, id: MethodId) -> (&str, &str, &str) {
        let method = self.method_at(id);
        (self.class_name(method.class), self.symbols.get(method.name), self.symbols.get(method.descriptor))
    }

    #[inline(always)]
    pub(super) fn watch_branch(&mut self, taken: bool) {
        if self.lookout.is_some() {
            self.note_way(if taken { Way::Taken } else { Way::NotTaken });
        }
        if self.watch.on && self.watch.is_new(self.pc - 1, if taken { TAKEN } else { NOT_TAKEN }) {
            let way = if taken { Way::Taken } else { Way::NotTaken };
            self.watch.fresh.push(Outcome { method: self.method, pc: self.pcs[self.pc - 1], way });
        }
    }

    pub(super) fn watch_switch(&mut self, target: u32) {
        let at = self.pc - 1;
        if self.lookout.is_some() {
            self.note_way(Way::Case(self.pcs[target as usize]));
        }
        if self.watch.on && self.watch.cases.insert((at as u32, target)) {
            let way = Way::Case(self.pcs[target as usize]);
            self.watch.fresh.push(Outcome { method: self.method, pc: self.pcs[at], way });
        }
    }

    /// A frame for the current method was made.
    #[inline(always)]
    pub(super) fn watch_enter(&mut self) {
        if self.watch.on {
            self.watch.calls.push(Call::Enter { method: self.method, at: self.path.steps.len() });
            if self.watch.is_new(self.pc, ENTERED) {
                self.watch.fresh.push(Outcome { method: self.method, pc: 0, way: Way::Entry });
            }
        }
    }

    #[inline(always)]
    pub(super) fn watch_leave(&mut self) {
        if self.watch.on {
            let at = self.path.steps.len();
            match self.watch.calls.last() {
                Some(Call::Enter { at: entered, .. }) if *entered == at => {
                    self.watch.calls.pop();
                }
                _ => self.watch.calls.push(Call::Leave { at }),
            }
        }
    }
}
