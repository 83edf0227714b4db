//! Path conditions: which conditions on inputs a run evaluated. Owns the terms and the list; never solves and never
//! chooses a path.

use rustc_hash::FxHashMap;

use super::class::MethodId;
use super::machine::Machine;
use crate::expr::{Term, Terms};

/// Up to how many elements choices do as well as arrays of the solver (`cargo run --example arrays` measures it).
const CHOICES: i32 = 8;

/// What kind of decision a condition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// A two-way branch.
    Branch,
    /// A switch: the condition says that a key was (not) chosen.
    Switch,
    /// An array index inside its bounds.
    Bounds,
    /// An index or a length taken as it was: heap simulation pins it.
    Pinned,
    /// A divisor that is not zero.
    Zero,
    /// An array size that is not negative.
    NegativeSize,
    /// A reference that is null where an object is needed.
    Null,
    /// An object that a cast lets pass.
    Cast,
    /// A receiver whose class has the method that was called.
    Dispatch,
    /// An object that an array takes.
    Store,
}

impl Check {
    /// Whether there may be more than one alternative: other values, other classes.
    pub fn has_many_sides(self) -> bool {
        matches!(self, Check::Pinned | Check::Dispatch)
    }
}

/// Where in the code a decision was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub method: MethodId,
    /// Of the class file.
    pub pc: u16,
    pub check: Check,
}

/// One condition: `term` had the value `taken`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    pub term: Term,
    pub taken: bool,
    pub site: Site,
}

/// What an array access at an index that is a term means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Representation {
    /// The index is pinned to its value.
    #[default]
    Simulation,
    /// The element is a choice by the index, as far as arrays are small or regular.
    Reasoning,
}

/// The terms of a run and the conditions it evaluated.
#[derive(Clone, Debug)]
pub struct Path {
    pub representation: Representation,
    /// Arrays of up to this many elements get a choice for each element when one is written at a term; longer ones
    /// become arrays of the solver.
    pub choices: i32,
    pub terms: Terms,
    pub steps: Vec<PathStep>,
    /// References of which a condition says which object they are: where it is, and which. Holds as long as that
    /// condition is there.
    pub(super) settled: FxHashMap<Term, (u32, Term)>,
    /// Positions of the conditions on references.
    pub(super) recorded: FxHashMap<Term, u32>,
}

impl Default for Path {
    fn default() -> Self {
        Path {
            representation: Representation::default(),
            choices: CHOICES,
            terms: Terms::new(),
            steps: Vec::new(),
            settled: FxHashMap::default(),
            recorded: FxHashMap::default(),
        }
    }
}

impl Path {
    /// Begins with an empty arena.
    pub(crate) fn renew(&mut self) {
        *self = Path { representation: self.representation, choices: self.choices, ..Path::default() };
    }

    /// Records a condition, unless it does not depend on inputs after all.
    pub fn record(&mut self, term: Term, taken: bool, site: Site) {
        if self.terms.as_bool(term).is_none() {
            self.steps.push(PathStep { term, taken, site });
        }
    }

    /// The length of a new array: negative or not, and if not, which.
    pub(super) fn length(&mut self, length: Term, value: i32, site: Site) {
        let zero = self.terms.int(0);
        let negative = self.terms.slt(length, zero);
        self.record(negative, value < 0, site);
        if value >= 0 {
            self.pin(length, value, site);
        }
    }

    /// What a field of a small type keeps of an `int`.
    pub(super) fn narrowed(&mut self, letter: u8, term: Term) -> Term {
        match letter {
            b'Z' => {
                let one = self.terms.int(1);
                self.terms.iand(term, one)
            }
            b'B' => self.terms.i2b(term),
            b'C' => self.terms.i2c(term),
            b'S' => self.terms.i2s(term),
            _ => term,
        }
    }

    /// An `int` taken as it is.
    pub(super) fn pin(&mut self, term: Term, value: i32, site: Site) {
        let value = self.terms.int(value);
        let same = self.terms.eq(term, value);
        self.record(same, true, Site { check: Check::Pinned, ..site });
    }
}

impl Machine {
    /// The site of the instruction being executed.
    pub(super) fn site(&self, check: Check) -> Site {
        // Between calls the machine stands before its first instruction.
        Site { method: self.method, pc: self.pcs[self.pc.saturating_sub(1)], check }
    }

    /// The term of an `int` slot, a constant if it has none.
    pub(super) fn int_term(&mut self, at: usize) -> Term {
        match self.terms_stack[at] {
            Some(term) => term,
            None => self.path.terms.int(self.stack[at] as i32),
        }
    }

    /// Records the condition of a comparison: `relation` counts from `ifeq`.
    pub(super) fn branch(&mut self, relation: u8, a: Term, b: Term, taken: bool) {
        let site = self.site(Check::Branch);
        let terms = &mut self.path.terms;
        let (term, negated) = match relation {
            0 => (terms.eq(a, b), false),
            1 => (terms.eq(a, b), true),
            2 => (terms.slt(a, b), false),
            3 => (terms.slt(a, b), true),
            4 => (terms.slt(b, a), false),
            _ => (terms.slt(b, a), true),
        };
        self.path.record(term, taken != negated, site);
    }

    /// Records how a switch compared its keys one after the other, up to the one that was chosen.
    pub(super) fn switch_condition(&mut self, table: u32, term: Term, chosen: i32) {
        let site = self.site(Check::Switch);
        for &key in &self.switches[table as usize].keys {
            let terms = &mut self.path.terms;
            let constant = terms.int(key);
            let same = terms.eq(term, constant);
            self.path.record(same, key == chosen, site);
            if key == chosen {
                break;
            }
        }
    }

    /// The conditions of the run so far.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn path_mut(&mut self) -> &mut Path {
        &mut self.path
    }
}
