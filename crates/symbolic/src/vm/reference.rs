//! References that inputs choose: a term for which object is meant, and the conditions that code puts on it. Owns the
//! form of such a term; the caller decides which inputs choose among what.
//!
//! The term of a reference is a tree of choices whose leaves are the objects themselves. It has a width that no type of
//! Java has, so that a reference is never taken for a number. Conditions are built leaf by leaf and speak of the
//! choices alone, never of where objects lie: the same condition in another run is the same term. An instruction that
//! reads or writes an object takes the one that is there, and a condition says so; until then only what was asked about
//! it is known.

use rustc_hash::FxHashMap;

use super::class::ClassId;
use super::heap::{HEADER, Ref};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::path::{Check, Site};
use super::shape::Look;
use crate::executor::Slot;
use crate::expr::{Op as TermOp, Sort, Term, Terms};

/// The sort of references.
const REFERENCE: Sort = Sort::Bv(33);

impl Machine {
    /// The reference that an input chooses: by number, and the first one for all numbers that are none of these. `None`
    /// if there is nothing to choose.
    pub(crate) fn chosen_reference(&mut self, input: Term, offered: &[(u64, Slot)]) -> Option<Term> {
        let ((_, first), others) = offered.split_first()?;
        let mut chosen = self.reference_term(*first);
        let sort = self.path.terms.sort(input);
        for (number, slot) in others {
            let other = self.reference_term(*slot);
            let number = self.path.terms.constant(sort, *number);
            let is_it = self.path.terms.eq(input, number);
            chosen = self.path.terms.ite(is_it, other, chosen);
        }
        self.path.terms.value(chosen).is_none().then_some(chosen)
    }

    fn reference_term(&mut self, slot: Slot) -> Term {
        match slot.term {
            Some(term) => term,
            None => self.path.terms.constant(REFERENCE, slot.bits),
        }
    }

    pub(super) fn is_reference(&self, term: Term) -> bool {
        self.path.terms.sort(term) == REFERENCE
    }

    /// The condition under which the object that a term means has a property.
    fn holding(&mut self, term: Term, has: &mut dyn FnMut(&mut Machine, Ref) -> bool) -> Term {
        self.by_leaf(term, &mut FxHashMap::default(), &mut |machine, object| {
            let has = has(machine, object as Ref);
            machine.path.terms.bool(has)
        })
    }

    /// The condition under which two terms mean the same object.
    fn same_objects(&mut self, one: Term, other: Term) -> Term {
        self.by_leaf(one, &mut FxHashMap::default(), &mut |machine, object| {
            machine.holding(other, &mut |_, candidate| u64::from(candidate) == object)
        })
    }

    /// The same choices with a condition in place of each object. Choices share parts: each is looked at once.
    fn by_leaf(
        &mut self,
        term: Term,
        known: &mut FxHashMap<Term, Term>,
        leaf: &mut dyn FnMut(&mut Machine, u64) -> Term,
    ) -> Term {
        if let Some(made) = known.get(&term) {
            return *made;
        }
        let node = *self.path.terms.node(term);
        let made = match node.op {
            TermOp::Ite => {
                let [condition, first, second] = node.args;
                let (first, second) = (self.by_leaf(first, known, leaf), self.by_leaf(second, known, leaf));
                self.path.terms.ite(condition, first, second)
            }
            // Invariant: choices end in constants, since nothing else makes terms of this sort.
            _ => leaf(self, node.number),
        };
        known.insert(term, made);
        made
    }

    /// Records that an object has a property or not, unless that follows from what is known.
    fn note_property(&mut self, term: Term, value: u64, check: Check, has: &mut dyn FnMut(&mut Machine, Ref) -> bool) {
        if !self.path.is_settled(term) {
            let condition = self.holding(term, has);
            let taken = has(self, value as Ref);
            let site = self.site(check);
            self.path.record_once(condition, taken, site);
        }
    }

    /// Whether a reference is null, as a condition.
    #[cold]
    pub(super) fn null_condition(&mut self, term: Term, value: u64, check: Check) {
        self.note_property(term, value, check, &mut |_, object| object == 0);
    }

    /// A reference taken as it is: null or not, and if not, which object.
    #[cold]
    pub(super) fn pin_reference(&mut self, term: Term, value: u64) {
        if !self.is_reference(term) || self.path.is_settled(term) {
            return;
        }
        self.null_condition(term, value, Check::Null);
        let condition = self.holding(term, &mut |_, object| u64::from(object) == value);
        let site = self.site(Check::Pinned);
        self.path.settle(term, condition, site);
    }

    /// Something is done with the object in a slot of the stack.
    #[inline(always)]
    pub(super) fn dereference(&mut self, at: usize) {
        if self.symbolic
            && let Some(term) = self.terms_stack[at]
        {
            self.pin_reference(term, self.stack[at]);
        }
    }

    /// Only whether the reference in a slot is null matters.
    #[inline(always)]
    pub(super) fn ask_for_null(&mut self, at: usize) {
        if self.symbolic
            && let Some(term) = self.terms_stack[at]
        {
            self.null_condition(term, self.stack[at], Check::Null);
        }
    }

    /// References that a native takes. It knows nothing of choices.
    pub(super) fn pin_references(&mut self, from: usize, count: usize) {
        for at in from..from + count {
            if let Some(term) = self.terms_stack[at] {
                self.pin_reference(term, self.stack[at]);
            }
        }
    }

    /// A word of the heap that is taken as it is, if it is a reference.
    pub(super) fn pin_held(&mut self, at: u32) {
        if self.symbolic
            && let Some(term) = self.heap.term(at)
        {
            self.pin_reference(term, self.heap.get(at));
        }
    }

    /// A variable whose object a statement uses.
    pub(crate) fn pin_slot(&mut self, slot: Slot) {
        if let Some(term) = slot.term.filter(|_| self.symbolic && slot.letter == b'L') {
            self.pin_reference(term, slot.bits);
        }
    }

    /// Whether two references are equal, at least one of which has a term.
    #[cold]
    pub(super) fn equal_references(&mut self, a: usize, b: usize) -> bool {
        let (x, y) = (self.stack[a], self.stack[b]);
        let slot = |machine: &Machine, at: usize| Slot {
            bits: machine.stack[at],
            letter: b'L',
            term: machine.terms_stack[at].filter(|term| !machine.path.is_settled(*term)),
        };
        let (one, other) = (slot(self, a), slot(self, b));
        let (one, other) = (self.reference_term(one), self.reference_term(other));
        if self.may_be_box(one) && self.may_be_box(other) {
            // Which boxes are the same depends on what they hold.
            self.dereference(a);
            self.dereference(b);
            return self.same_reference(x, y);
        }
        let condition = self.same_objects(one, other);
        let site = self.site(Check::Branch);
        self.path.record_once(condition, x == y, site);
        x == y
    }

    /// Whether one of the objects that a term can mean is the box of a term.
    fn may_be_box(&mut self, term: Term) -> bool {
        let found = self.holding(term, &mut |machine, object| {
            object != 0 && machine.heap.term(object + HEADER).is_some() && {
                let class = machine.class_of(object);
                matches!(machine.shape_of(class).look, Look::Box(_))
            }
        });
        found != Terms::FALSE
    }

    /// The conditions of a call on a receiver that inputs choose: it is not null, and its class has this method.
    #[cold]
    pub(super) fn receiver_condition(&mut self, at: usize, insn: Insn) {
        let (Some(term), value) = (self.terms_stack[at], self.stack[at]) else { return };
        self.null_condition(term, value, Check::Null);
        if value == 0 {
            return;
        }
        let selected = |machine: &mut Machine, object: Ref| {
            let class = machine.class_of(object);
            match insn.op {
                Op::InvokeVirtual => machine.class(class).vtable.get(insn.b as usize).copied(),
                _ => machine.select_interface(class, insn.method()).ok(),
            }
        };
        let chosen = selected(self, value as Ref);
        let mut is_same = |machine: &mut Machine, object: Ref| object != 0 && selected(machine, object) == chosen;
        self.note_property(term, value, Check::Dispatch, &mut is_same);
    }

    /// The same for the receiver of a statement's call.
    pub(super) fn receiver_of_statement(&mut self, receiver: Slot, method: super::class::MethodId) {
        let Some(term) = receiver.term.filter(|_| self.symbolic) else { return };
        self.null_condition(term, receiver.bits, Check::Null);
        if receiver.bits == 0 {
            return;
        }
        let chosen = self.select_for(receiver.bits as Ref, method).ok();
        let mut is_same =
            |machine: &mut Machine, object: Ref| object != 0 && machine.select_for(object, method).ok() == chosen;
        self.note_property(term, receiver.bits, Check::Dispatch, &mut is_same);
    }

    /// The condition of a cast, or of what an array of references takes: null, or an object of the class.
    #[cold]
    pub(super) fn fitting_condition(&mut self, term: Term, value: u64, class: ClassId, check: Check) {
        let mut fits = |m: &mut Machine, object: Ref| object == 0 || m.is_subtype(m.class_of(object), class);
        self.note_property(term, value, check, &mut fits);
    }

    /// What `instanceof` gives for a reference that inputs choose. `None` if it does not depend on them.
    #[cold]
    pub(super) fn instance_term(&mut self, term: Term, class: ClassId) -> Option<Term> {
        if self.path.is_settled(term) {
            return None;
        }
        let mut is = |m: &mut Machine, object: Ref| object != 0 && m.is_subtype(m.class_of(object), class);
        let condition = self.holding(term, &mut is);
        let terms = &mut self.path.terms;
        let (one, zero) = (terms.int(1), terms.int(0));
        let chosen = terms.ite(condition, one, zero);
        terms.value(chosen).is_none().then_some(chosen)
    }

    /// Whether an object is of a class, as a label of a pattern switch asks.
    pub(super) fn class_label(&mut self, term: Option<Term>, object: Ref, class: ClassId) -> bool {
        if let Some(term) = term {
            let mut is = |m: &mut Machine, object: Ref| object != 0 && m.is_subtype(m.class_of(object), class);
            self.note_property(term, u64::from(object), Check::Switch, &mut is);
        }
        self.is_subtype(self.class_of(object), class)
    }
}

impl super::path::Path {
    /// Whether it is known which object a term means.
    pub(super) fn is_settled(&self, term: Term) -> bool {
        self.settled.get(&term).is_some_and(|(at, condition)| self.is_at(*at, *condition))
    }

    fn is_at(&self, at: u32, condition: Term) -> bool {
        self.steps.get(at as usize).is_some_and(|step| step.term == condition)
    }

    /// Records a condition unless the path has it already.
    pub(super) fn record_once(&mut self, condition: Term, taken: bool, site: Site) {
        let at = self.steps.len() as u32;
        if self.recorded.get(&condition).is_some_and(|at| self.is_at(*at, condition)) {
            return;
        }
        self.record(condition, taken, site);
        if self.steps.len() as u32 > at {
            self.recorded.insert(condition, at);
        }
    }

    /// Records which object a term means.
    fn settle(&mut self, term: Term, condition: Term, site: Site) {
        let at = self.steps.len() as u32;
        self.record(condition, true, site);
        if self.steps.len() as u32 > at {
            self.settled.insert(term, (at, condition));
        }
    }
}
