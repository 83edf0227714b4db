//! Questions about objects and static state that the runner of sequences asks between calls. Owns the answers'
//! conversion; runs nothing, except what `make_baseline` fixes.

use testcase::value::Value;

use super::class::ClassId;
use super::heap::{HEADER, Ref};
use super::machine::Machine;
use super::stop::Run;

impl Machine {
    /// The class of an object, and whether it is outside the platform.
    pub(crate) fn kind_of(&self, object: Ref) -> (ClassId, bool) {
        let class = self.class_of(object);
        (class, self.class(class).is_application)
    }

    /// Whether a statement's lambda is of that class.
    pub(crate) fn is_generated(&self, class: ClassId) -> bool {
        self.functional.values().any(|made| *made == class)
    }

    /// Where the method that a call on an object means is declared: nowhere of interest if in `Object`. Gives whether
    /// the platform declares it.
    pub(crate) fn own_method(&mut self, object: Ref, name: &str, descriptor: &str) -> Run<Option<bool>> {
        let general = self.known_method("java/lang/Object", name, descriptor)?;
        let method = self.select_for(object, general)?;
        let found = self.method_at(method);
        let (owner, is_public) = (found.class, found.access.is_public());
        Ok((owner != self.well_known.object && is_public).then(|| !self.class(owner).is_application))
    }

    pub(crate) fn is_of(&mut self, object: Ref, class: &str) -> Run<bool> {
        let class = self.known_class(class)?;
        Ok(self.is_subtype(self.class_of(object), class))
    }

    /// The value of a reference with the limits of short values, whatever it is.
    pub(crate) fn short_value(&mut self, object: Ref) -> Value {
        self.any_value(object)
    }

    /// Limits the instructions that code may run from now on; returns the previous limit, for [`Machine::allow_until`].
    pub(crate) fn allow(&mut self, steps: u64) -> u64 {
        std::mem::replace(&mut self.limits.steps, self.steps.saturating_add(steps))
    }

    /// Restores the limit that [`Machine::allow`] returned.
    pub(crate) fn allow_until(&mut self, steps: u64) {
        self.limits.steps = steps;
    }

    /// Where a static field lies; its class is initialised.
    pub(crate) fn static_place(&mut self, class: &str, name: &str, descriptor: &str) -> Run<u32> {
        self.field_place(class, name, descriptor, None)
    }

    pub(crate) fn word(&self, at: u32) -> u64 {
        self.heap.get(at)
    }

    pub(crate) fn set_word(&mut self, at: u32, value: u64) {
        self.heap.set(at, value);
    }

    /// Where the elements of an array begin, and how many there are.
    pub(crate) fn elements(&self, array: Ref) -> (u32, u32) {
        (array + HEADER, self.heap.length(array) as u32)
    }

    pub(crate) fn words(&self, from: u32, count: u32) -> &[u64] {
        self.heap.words(from, count)
    }

    /// Makes the present state the one that every run begins from.
    pub(crate) fn make_baseline(&mut self) {
        self.fix_baseline();
    }
}
