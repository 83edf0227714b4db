//! Watching paths through the code of some classes: which ways branches and switches there went, and after how many
//! conditions. Owns the records of one run; costs one comparison per branch when nothing is watched.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::class::MethodId;
use super::machine::Machine;
use super::watch::{Outcome, Way};

/// What one run showed.
#[derive(Clone, Debug, Default)]
pub struct Lookout {
    classes: BTreeSet<Arc<str>>,
    /// By method: 0 unknown, 1 not of these classes, 2 of them.
    known: Vec<u8>,
    /// Ways taken, and how many conditions the path had when each was last taken.
    ways: FxHashMap<Outcome, u32>,
}

impl Machine {
    /// Watches paths through the code of these classes (internal names), in later runs.
    pub fn look_out(&mut self, classes: impl IntoIterator<Item = Arc<str>>) {
        self.lookout = Some(Box::new(Lookout { classes: classes.into_iter().collect(), ..Lookout::default() }));
    }

    /// Begins anew.
    pub fn forget_ways(&mut self) {
        if let Some(lookout) = &mut self.lookout {
            lookout.ways.clear();
        }
    }

    /// How many conditions the path had when a way was last taken since the ways were forgotten; `None` if it was not.
    pub fn way_gone(&self, way: &Outcome) -> Option<u32> {
        self.lookout.as_ref()?.ways.get(way).copied()
    }

    /// All ways taken since they were forgotten, in no particular order.
    pub fn ways_gone(&self) -> impl Iterator<Item = (Outcome, u32)> {
        self.lookout.iter().flat_map(|l| l.ways.iter().map(|(way, at)| (*way, *at)))
    }

    /// The number of a method, if its class is loaded.
    pub fn loaded_method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let find = |text: &str| self.symbols.find(text);
        let class = self.class_index.get(&find(class)?).copied().flatten()?;
        self.class(class).declared.get(&(find(name)?, find(descriptor)?)).copied()
    }

    #[cold]
    pub(super) fn note_way(&mut self, way: Way) {
        let (method, pc) = (self.method, self.pcs[self.pc - 1]);
        let conditions = self.path.steps.len() as u32;
        let class = self.symbols.get(self.class(self.method_at(method).class).name).clone();
        let Some(lookout) = &mut self.lookout else { return };
        let number = method.0 as usize;
        if lookout.known.len() <= number {
            lookout.known.resize(number + 256, 0);
        }
        if lookout.known[number] == 0 {
            lookout.known[number] = if lookout.classes.contains(&class) { 2 } else { 1 };
        }
        if lookout.known[number] == 2 {
            lookout.ways.insert(Outcome { method, pc, way }, conditions);
        }
    }
}
