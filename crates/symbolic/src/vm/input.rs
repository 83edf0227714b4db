//! What else exploring calls needs of a machine: texts of inputs, names of classes, where new objects begin. Owns how
//! such texts are laid out.

use super::heap::{HEADER, Ref};
use super::machine::Machine;
use super::stop::Run;
use crate::executor::Slot;
use crate::expr::Term;

impl Machine {
    /// A string of Latin-1 characters; the terms are those of its bytes, as `int`s.
    pub fn text_input(&mut self, units: &[u16], terms: &[Term]) -> Run<Slot> {
        let string = self.new_string(units)?;
        let bytes = self.heap.slot(string, self.well_known.string_value) as u32;
        for (i, term) in terms.iter().enumerate().take(units.len()) {
            self.heap.set_term(bytes + HEADER + i as u32, Some(*term));
        }
        Ok(Slot::new(b'L', u64::from(string)))
    }

    /// The internal name of an object's class.
    pub fn name_of_class(&self, object: Ref) -> &str {
        self.class_name(self.class_of(object))
    }

    /// Where the words of the current run begin that a later allocation gets.
    pub fn heap_top(&self) -> u32 {
        self.heap.len() as u32
    }
}
