//! Objects word by word, for code that walks states with terms. Owns which words of an object belong to its state; the
//! rules are `shape`'s.

use super::class::{ClassId, Kind};
use super::heap::Ref;
use super::machine::Machine;
use super::shape::Look;
use crate::expr::Term;

/// Letter, value and term of a word.
type Word = (u8, u64, Option<Term>);

impl Machine {
    /// Class of an object, whether it is an array, and its words: letter (`L` for all references), value and term.
    pub(crate) fn words_of(&mut self, object: Ref) -> (ClassId, bool, Vec<Word>) {
        let class = self.class_of(object);
        if let Kind::Array { element } = self.class(class).kind {
            let letter = match &self.class(element).kind {
                Kind::Primitive(p) => p.descriptor() as u8,
                _ => b'L',
            };
            let length = self.heap.length(object) as u32;
            let words = (0..length).map(|i| self.word_of(object, i, letter)).collect();
            return (class, true, words);
        }
        let fields = match self.shape_of(class).look {
            // The hash is computed when first asked for.
            Look::Text => vec![(self.well_known.string_coder, b'B'), (self.well_known.string_value, b'L')],
            _ => self.visible_fields(class),
        };
        let words = fields.iter().map(|(slot, letter)| self.word_of(object, *slot, *letter)).collect();
        (class, false, words)
    }

    fn word_of(&self, object: Ref, slot: u32, letter: u8) -> Word {
        let at = object + super::heap::HEADER + slot;
        (letter, self.heap.get(at), self.heap.term(at))
    }
}
