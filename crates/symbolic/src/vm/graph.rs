//! Everything reachable from an object, taken apart: the structure, which is the same for isomorphic heaps and only for
//! them, and the numbers in it with their terms. Owns the order of the walk; what counts as state is `shape`'s to say.
//! Also has what else exploring states needs of a machine: other names for the terms of a heap, boxes of inputs.

use rustc_hash::FxHashMap;

use super::heap::{HEADER, Ref};
use super::linearize::Unknown;
use super::machine::Machine;
use super::shape::Look;
use super::stop::Run;
use super::synthetic::box_of;
use crate::executor::Slot;
use crate::expr::{Term, Terms};

/// A heap with more objects is not compared.
const LARGEST: usize = 10_000;

/// A number in a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    /// Descriptor of its type.
    pub letter: u8,
    pub bits: u64,
    pub term: Option<Term>,
}

/// A heap seen from one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Classes, references, lengths, and what is immutable and known by its value.
    pub structure: Vec<u64>,
    /// In the order of the walk.
    pub held: Vec<Held>,
}

#[derive(Default)]
struct Walk {
    objects: Vec<Ref>,
    numbers: FxHashMap<Ref, u32>,
    graph: Graph,
}

impl Default for Graph {
    fn default() -> Self {
        Graph { structure: Vec::with_capacity(64), held: Vec::with_capacity(32) }
    }
}

impl Machine {
    /// The heap reachable from an object.
    pub fn graph(&mut self, root: Ref) -> Result<Graph, Unknown> {
        let mut walk = Walk::default();
        walk.reference(self, root)?;
        let mut at = 0;
        while let Some(&object) = walk.objects.get(at) {
            if at == LARGEST {
                return Err(Unknown);
            }
            walk.object(self, object)?;
            at += 1;
        }
        Ok(walk.graph)
    }

    /// Gives every word that has a term another term, or none.
    pub fn relabel(&mut self, mut other: impl FnMut(&mut Terms, Term) -> Option<Term>) {
        for (at, term) in self.heap.termed_words() {
            let other = other(&mut self.path.terms, term);
            self.heap.set_term(at, other);
        }
    }

    /// Forgets the conditions recorded so far.
    pub fn forget_conditions(&mut self) {
        self.path.steps.clear();
    }

    /// A new box of a primitive.
    pub fn new_box(&mut self, letter: u8, bits: u64, term: Option<Term>) -> Run<Slot> {
        let (class, _) = box_of(&char::from(letter).to_string());
        let class = self.known_class(class)?;
        self.initialise(class)?;
        let object = self.allocate(class)?;
        self.heap.set_slot(object, 0, bits);
        self.heap.set_term(object + HEADER, term);
        Ok(Slot::new(b'L', u64::from(object)))
    }
}

impl Walk {
    fn reference(&mut self, machine: &mut Machine, value: Ref) -> Result<(), Unknown> {
        if value == 0 {
            self.graph.structure.push(0);
            return Ok(());
        }
        let class = machine.class_of(value);
        let shape = machine.shape_of(class);
        match shape.look {
            Look::Object | Look::References | Look::Primitives(_) => {
                let next = self.objects.len() as u32;
                let number = *self.numbers.entry(value).or_insert(next);
                if number == next {
                    self.objects.push(value);
                }
                self.graph.structure.push(1 + u64::from(number));
            }
            Look::Box(letter) => {
                self.graph.structure.push(shape.name_hash);
                self.hold(machine, value, 0, letter);
            }
            Look::Text => self.text(machine, value, shape.name_hash),
            Look::Enum | Look::Class | Look::Printed | Look::Opaque => {
                let hash = machine.state_hash(value)?;
                self.graph.structure.extend([hash as u64, (hash >> 64) as u64]);
            }
        }
        Ok(())
    }

    fn hold(&mut self, machine: &Machine, object: Ref, slot: u32, letter: u8) {
        let at = object + HEADER + slot;
        self.graph.held.push(Held { letter, bits: machine.heap.get(at), term: machine.heap.term(at) });
    }

    fn text(&mut self, machine: &Machine, string: Ref, name: u64) {
        let bytes = machine.heap.slot(string, machine.well_known.string_value) as Ref;
        let length = if bytes == 0 { 0 } else { machine.heap.length(bytes) as u32 };
        self.graph.structure.extend([name, u64::from(length)]);
        self.hold(machine, string, machine.well_known.string_coder, b'B');
        for i in 0..length {
            self.hold(machine, bytes, i, b'B');
        }
    }

    fn object(&mut self, machine: &mut Machine, object: Ref) -> Result<(), Unknown> {
        let class = machine.class_of(object);
        let shape = machine.shape_of(class);
        self.graph.structure.push(shape.name_hash);
        match shape.look {
            Look::References => {
                let length = machine.heap.length(object) as u32;
                self.graph.structure.push(u64::from(length));
                for i in 0..length {
                    self.reference(machine, machine.heap.slot(object, i) as Ref)?;
                }
            }
            Look::Primitives(letter) => {
                let length = machine.heap.length(object) as u32;
                self.graph.structure.push(u64::from(length));
                for i in 0..length {
                    self.hold(machine, object, i, letter);
                }
            }
            _ => {
                for &(slot, letter) in &shape.primitives {
                    self.hold(machine, object, slot, letter);
                }
                for &slot in &shape.references {
                    self.reference(machine, machine.heap.slot(object, slot) as Ref)?;
                }
            }
        }
        Ok(())
    }
}
