//! Objects of the present state, for walks from outside: class, fields with values and terms, elements. Owns the view;
//! changes nothing.

use std::sync::Arc;

use super::Tracer;
use crate::expr::Term;
use crate::vm::{ClassId, Ref};

/// A field or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Descriptor of a primitive, `L` for references.
    pub letter: u8,
    pub bits: u64,
    pub term: Option<Term>,
}

/// An object: what walks of states see of it (superclass fields first, by name within a class, caches of the JDK left
/// out), or the elements of an array.
#[derive(Clone, Debug)]
pub struct Object {
    pub class: ClassId,
    pub is_array: bool,
    pub fields: Vec<Field>,
}

impl Tracer {
    /// The object behind a reference of the present state, which must not be null.
    pub fn object(&mut self, object: Ref) -> Object {
        let (class, is_array, words) = self.machine.words_of(object);
        let fields = words.into_iter().map(|(letter, bits, term)| Field { letter, bits, term }).collect();
        Object { class, is_array, fields }
    }

    pub fn class_name(&self, class: ClassId) -> Arc<str> {
        self.machine.class_name(class).clone()
    }
}
