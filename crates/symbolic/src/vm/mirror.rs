//! `java.lang.Class` objects. Owns the way from a class to its object and back; what a `Class` answers is in `natives`.

use super::class::{ClassId, Kind};
use super::heap::Ref;
use super::machine::Machine;
use super::stop::Run;

impl Machine {
    /// The `Class` object of a class.
    pub fn mirror(&mut self, class: ClassId) -> Run<Ref> {
        let known = self.class(class).mirror;
        if known != 0 {
            return Ok(known);
        }
        let words = self.class(self.well_known.class).instance_words;
        let mirror = self.permanent(self.well_known.class, 0, words)?;
        self.classes[class.0 as usize].mirror = mirror;
        self.heap.set_permanent(mirror, self.well_known.mirror_slot, u64::from(class.0));
        if let Kind::Array { element } = self.class(class).kind {
            let element = self.mirror(element)?;
            let slot = self.field_slot(self.well_known.class, "componentType", "Ljava/lang/Class;")?;
            self.heap.set_permanent(mirror, slot, u64::from(element));
        }
        Ok(mirror)
    }

    /// The class a `Class` object stands for.
    pub fn mirrored(&self, mirror: Ref) -> ClassId {
        ClassId(self.heap.slot(mirror, self.well_known.mirror_slot) as u32)
    }
}
