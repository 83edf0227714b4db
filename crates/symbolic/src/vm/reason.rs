//! Heap reasoning: elements at an index that is a term, boxes of values that are terms, and what natives take as it is.
//! Owns what such accesses mean for terms; the values themselves are read and written as usual. Under heap simulation
//! indices are pinned instead.
//!
//! An element at a term is a choice between the elements, written by runs: constants in arithmetic progression (the
//! tables of the JDK mostly are) take one choice each. A write at a term makes every element of a short array a choice,
//! and of a longer one an array of the solver, of which later accesses are reads and writes. An array of references is
//! asked for the one that was read, not for the index.

use super::class::{ClassId, Kind, MethodId};
use super::heap::{HEADER, Ref};
use super::machine::Machine;
use super::path::{Check, Representation, Site};
use super::shape::Look;
use super::stop::Run;
use crate::expr::{Op as TermOp, Sort, Term, Terms};

/// Elements that are looked at for one access, and runs that a choice may have.
const ELEMENTS: i32 = 4096;
const RUNS: usize = 128;
/// Larger arrays are not written at a term.
const WRITTEN: i32 = 512;

/// The character that lengthens strings, in place of characters that are inputs.
pub const FILLING: u64 = b'a' as u64;

/// Values that boxes share.
const SHARED: std::ops::RangeInclusive<i64> = -128..=127;

/// Elements one after the other that one term describes.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// Bits of the first, and what is added from one to the next.
    Constants {
        first: u64,
        step: u64,
    },
    Term(Term),
}

impl Machine {
    /// The conditions of an access to an element, and its term. The index has a term.
    pub(super) fn load_at_term(&mut self, array: Ref, index: Term, value: i32) -> Option<Term> {
        let site = self.site(Check::Bounds);
        let length = self.heap.length(array);
        self.inside_condition(array, Some(index), value);
        if value as u32 >= length as u32 {
            return None;
        }
        let at = array + HEADER + value as u32;
        let (sort, is_reference) = self.element_sort(array);
        let is_chosen = is_reference && (0..length as u32).any(|i| self.heap.term(array + HEADER + i).is_some());
        if self.path.representation == Representation::Simulation || length > ELEMENTS || is_chosen {
            self.path.pin(index, value, site);
            return self.heap.term(at);
        }
        let mut pieces = if is_reference { self.referents(array) } else { self.pieces(array, sort) };
        if self.heap.length_term(array).is_some() {
            // Inputs that make it longer append this.
            let filling = Piece::Constants { first: FILLING, step: 0 };
            let is_latin = self.class_of(array) == self.well_known.byte_array && !self.heap.is_wide(array);
            pieces = pieces.filter(|_| is_latin).map(|mut p| {
                p.push((length as u32, filling));
                p
            });
        }
        let whole = if is_reference { None } else { self.solver_array(array, sort, pieces.is_none()) };
        let terms = &mut self.path.terms;
        let chosen = match (whole, pieces) {
            (Some(whole), _) => terms.select(whole, index),
            (None, Some(pieces)) => choice(terms, index, sort, &pieces),
            (None, None) => {
                self.path.pin(index, value, site);
                return self.heap.term(at);
            }
        };
        if !is_reference {
            return terms.value(chosen).is_none().then_some(chosen);
        }
        // The same element, whatever the index.
        let same = (0..length as u32).find(|i| self.heap.slot(array, *i) == self.heap.get(at)).unwrap_or(value as u32);
        let same = terms.int(same as i32);
        let condition = terms.eq(chosen, same);
        self.path.record(condition, true, Site { check: Check::Pinned, ..site });
        None
    }

    /// The condition that an index is inside the bounds of an array: index or length, or both, depend on inputs.
    pub(super) fn inside_condition(&mut self, array: Ref, index: Option<Term>, value: i32) {
        let site = self.site(Check::Bounds);
        let length = self.heap.length(array);
        let bound = match self.heap.length_term(array) {
            Some(term) => term,
            None => self.path.terms.int(length),
        };
        let index = index.unwrap_or_else(|| self.path.terms.int(value));
        let inside = self.path.terms.ult(index, bound);
        self.path.record(inside, (value as u32) < length as u32, site);
    }

    /// The length of an array taken as it is.
    pub(super) fn pin_length(&mut self, array: Ref) {
        if self.symbolic
            && let Some(term) = self.heap.length_term(array)
        {
            self.pin_word(term, self.heap.length(array) as u64);
        }
    }

    /// Terms of all elements after one was written at a term. The value is written by the caller.
    fn store_at_term(&mut self, array: Ref, index: Term, value: i32, new: Term) {
        let length = self.heap.length(array);
        let (sort, _) = self.element_sort(array);
        if length > self.path.choices
            && let Some(whole) = self.solver_array(array, sort, true)
        {
            let terms = &mut self.path.terms;
            let after = terms.store(whole, index, new);
            for i in 0..length as u32 {
                let place = self.path.terms.int(i as i32);
                let element = self.path.terms.select(after, place);
                self.heap.set_term(array + HEADER + i, Some(element));
            }
            return;
        }
        for i in 0..length as u32 {
            let at = array + HEADER + i;
            let old = match self.heap.term(at) {
                Some(term) => term,
                None => self.path.terms.constant(sort, self.heap.get(at) & sort.mask()),
            };
            let terms = &mut self.path.terms;
            let place = terms.int(i as i32);
            let here = terms.eq(index, place);
            let chosen = terms.ite(here, new, old);
            let is_constant = terms.value(chosen).is_some() && i != value as u32;
            self.heap.set_term(at, (!is_constant).then_some(chosen));
        }
    }

    /// Writes an element whose index is a term.
    pub(super) fn store_choice(&mut self, array: Ref, index: Term, at: u32, bits: u64, term: Option<Term>) {
        let sort = self.element_sort(array).0;
        let new = term.unwrap_or_else(|| self.path.terms.constant(sort, bits & sort.mask()));
        self.store_at_term(array, index, (at - array - HEADER) as i32, new);
        self.heap.set(at, bits);
    }

    /// Whether a write at a term is a choice for every element.
    pub(super) fn stores_by_choice(&self, array: Ref) -> bool {
        self.path.representation == Representation::Reasoning
            && self.heap.length(array) <= WRITTEN
            && !self.element_sort(array).1
    }

    /// The elements as one array of the solver: the one that writes made, with what was written to single elements
    /// since, or a new one if that is wanted. `None` if there is none, or if it would be too large.
    fn solver_array(&mut self, array: Ref, sort: Sort, is_wanted: bool) -> Option<Term> {
        let length = self.heap.length(array) as u32;
        if length as i32 > WRITTEN || self.heap.length_term(array).is_some() {
            return None;
        }
        let elements = (0..length).map(|i| array + HEADER + i);
        let written = elements.clone().enumerate().find_map(|(i, at)| {
            let node = self.path.terms.node(self.heap.term(at)?);
            let is_own = node.op == TermOp::Select && self.path.terms.value(node.args[1]) == Some(i as u64);
            is_own.then_some(node.args[0])
        });
        if written.is_none() && !is_wanted {
            return None;
        }
        let rest = self.path.terms.constant(sort, 0);
        let mut whole = match written {
            Some(whole) => whole,
            None => self.path.terms.constant_array(rest),
        };
        let base = whole;
        for (i, at) in elements.enumerate() {
            let (term, bits) = (self.heap.term(at), self.heap.get(at));
            let terms = &mut self.path.terms;
            let place = terms.int(i as i32);
            let held = term.unwrap_or_else(|| terms.constant(sort, bits & sort.mask()));
            if terms.select(base, place) != held {
                whole = terms.store(whole, place, held);
            }
        }
        Some(whole)
    }

    /// The sort of an array's elements, and whether they are references.
    fn element_sort(&self, array: Ref) -> (Sort, bool) {
        let Kind::Array { element } = self.class(self.class_of(array)).kind else { return (Sort::INT, false) };
        match &self.class(element).kind {
            Kind::Primitive(p) => match p.descriptor() {
                'J' => (Sort::LONG, false),
                'F' => (Sort::F32, false),
                'D' => (Sort::F64, false),
                _ => (Sort::INT, false),
            },
            _ => (Sort::INT, true),
        }
    }

    /// The elements of an array of primitives, each piece with the number of its first.
    fn pieces(&self, array: Ref, sort: Sort) -> Option<Vec<(u32, Piece)>> {
        let elements = (0..self.heap.length(array) as u32).map(|i| {
            let at = array + HEADER + i;
            self.heap.term(at).ok_or(self.heap.get(at) & sort.mask())
        });
        runs(elements, sort)
    }

    /// For each element the number of the first that is the same object.
    fn referents(&self, array: Ref) -> Option<Vec<(u32, Piece)>> {
        let words = self.heap.words(array + HEADER, self.heap.length(array) as u32);
        let mut firsts: rustc_hash::FxHashMap<u64, u32> = rustc_hash::FxHashMap::default();
        let numbers =
            words.iter().enumerate().map(|(i, word)| Err(u64::from(*firsts.entry(*word).or_insert(i as u32))));
        runs(numbers, Sort::INT)
    }

    /// A box of a value that is a term: an object of its own, since which one it shares depends on the value.
    pub(super) fn boxed_term(&mut self, class: ClassId, bits: u64, term: Term) -> Run<Ref> {
        let object = self.allocate(class)?;
        self.heap.set_slot(object, 0, bits);
        self.heap.set_term(object + HEADER, Some(term));
        Ok(object)
    }

    /// Boxes the value on top of the stack, if it is a term.
    pub(super) fn box_on_stack(&mut self, method: MethodId, width: usize) -> Run<bool> {
        let at = self.sp - width;
        let Some(term) = self.terms_stack[at] else { return Ok(false) };
        let object = self.boxed_term(self.method_at(method).class, self.stack[at], term)?;
        self.sp = at;
        self.push(u64::from(object));
        Ok(true)
    }

    /// Whether two references are equal; boxes of terms are as if they were shared.
    pub(super) fn same_reference(&mut self, a: u64, b: u64) -> bool {
        if a == b || !self.symbolic || a == 0 || b == 0 {
            return a == b;
        }
        let (x, y) = (a as Ref, b as Ref);
        let (one, other) = (self.heap.term(x + HEADER), self.heap.term(y + HEADER));
        if one.is_none() && other.is_none() || self.class_of(x) != self.class_of(y) {
            return false;
        }
        let class = self.class_of(x);
        let Look::Box(letter @ (b'B' | b'C' | b'S' | b'I' | b'J')) = self.shape_of(class).look else { return false };
        let sort = if letter == b'J' { Sort::LONG } else { Sort::INT };
        let (p, q) = (self.heap.slot(x, 0), self.heap.slot(y, 0));
        let site = self.site(Check::Branch);
        let terms = &mut self.path.terms;
        let s = one.unwrap_or_else(|| terms.constant(sort, p & sort.mask()));
        let t = other.unwrap_or_else(|| terms.constant(sort, q & sort.mask()));
        let (low, high) = (*SHARED.start() as u64 & sort.mask(), *SHARED.end() as u64);
        let (low, high) = (terms.constant(sort, low), terms.constant(sort, high));
        let (equal, above, below) = (terms.eq(s, t), terms.sle(low, s), terms.sle(s, high));
        let shared = terms.and(above, below);
        let condition = terms.and(equal, shared);
        let same = p == q && SHARED.contains(&(p as i64));
        self.path.record(condition, same, site);
        same
    }

    /// Several bytes as one value, the lowest first; two are without sign. `None` if no byte is a term.
    pub(super) fn joined_bytes(&mut self, first: u32, count: u32) -> Option<Term> {
        if !self.symbolic || (first..first + count).all(|at| self.heap.term(at).is_none()) {
            return None;
        }
        let mut joined = None;
        for at in first..first + count {
            let (term, bits) = (self.heap.term(at), self.heap.get(at));
            let terms = &mut self.path.terms;
            let byte = match term {
                Some(term) => terms.extract(term, 0, 8),
                None => terms.constant(Sort::Bv(8), bits & 0xff),
            };
            joined = Some(joined.map_or(byte, |low| terms.concat(byte, low)));
        }
        joined.map(|term| if count == 2 { self.path.terms.zero_extend(term, Sort::INT) } else { term })
    }

    /// One byte of a value, as an array has it.
    pub(super) fn byte_of(&mut self, value: Term, number: u32) -> Term {
        let byte = self.path.terms.extract(value, 8 * number as u8, 8);
        self.path.terms.sign_extend(byte, Sort::INT)
    }

    /// A native took its arguments as they are: so do the conditions.
    #[cold]
    pub(super) fn pin_arguments(&mut self, method: MethodId, at: usize) {
        let found = self.method_at(method);
        let (class, count) = (found.class, usize::from(found.arguments));
        // A stored value keeps its term; only the place is taken as it is.
        let places = if self.class_name(class).ends_with("/Unsafe") { 1..3 } else { 0..count };
        for i in places.start..places.end.min(count) {
            if let Some(term) = self.terms_stack[at + i] {
                self.pin_word(term, self.stack[at + i]);
            }
        }
    }

    /// A value taken as it is.
    pub(super) fn pin_word(&mut self, term: Term, bits: u64) {
        if self.is_reference(term) {
            return self.pin_reference(term, bits);
        }
        let site = self.site(Check::Pinned);
        let sort = self.path.terms.sort(term);
        let value = self.path.terms.constant(sort, bits & sort.mask());
        let same = self.path.terms.eq(term, value);
        self.path.record(same, true, site);
    }

    /// Whether a string has this text, with the condition for it.
    pub(super) fn is_text(&mut self, string: Ref, text: &[u16]) -> bool {
        let units = self.string_units(string);
        let is = units == text;
        if self.symbolic {
            let bytes = self.heap.slot(string, self.well_known.string_value) as Ref;
            self.pin_length(bytes);
        }
        if self.symbolic && units.len() == text.len() {
            let bytes = self.heap.slot(string, self.well_known.string_value) as Ref;
            let latin = self.heap.slot(string, self.well_known.string_coder) == 0;
            let mut all = Terms::TRUE;
            for (i, unit) in text.iter().enumerate() {
                let parts = unit.to_le_bytes();
                let (width, fits) = if latin { (1, *unit < 256) } else { (2, true) };
                for (j, part) in parts.into_iter().enumerate().take(width) {
                    let at = bytes + HEADER + (i * width + j) as u32;
                    let wanted = part as i8 as i64 as u64;
                    let same = match self.heap.term(at).filter(|_| fits) {
                        Some(term) => {
                            let wanted = self.path.terms.int(wanted as i32);
                            self.path.terms.eq(term, wanted)
                        }
                        None if fits && self.heap.get(at) == wanted => Terms::TRUE,
                        None => Terms::FALSE,
                    };
                    all = self.path.terms.and(all, same);
                }
            }
            let site = self.site(Check::Switch);
            self.path.record(all, is, site);
        }
        is
    }

    /// Whether a box holds this number, with the condition for it.
    pub(super) fn is_int(&mut self, object: Ref, number: i32) -> bool {
        let is = self.heap.slot(object, 0) as i32 == number;
        if let Some(term) = self.heap_term(object + HEADER) {
            let site = self.site(Check::Switch);
            let number = self.path.terms.int(number);
            let same = self.path.terms.eq(term, number);
            self.path.record(same, is, site);
        }
        is
    }

    /// A string taken as it is.
    pub(super) fn pin_string(&mut self, string: Ref) {
        if !self.symbolic || string == 0 {
            return;
        }
        let bytes = self.heap.slot(string, self.well_known.string_value) as Ref;
        if bytes == 0 {
            return;
        }
        self.pin_length(bytes);
        for at in bytes + HEADER..bytes + HEADER + self.heap.length(bytes) as u32 {
            if let Some(term) = self.heap.term(at) {
                self.pin_word(term, self.heap.get(at));
            }
        }
    }
}

/// Elements, constants or terms, in as few pieces as go from left to right. `None` if they are too many.
fn runs(elements: impl Iterator<Item = Result<Term, u64>>, sort: Sort) -> Option<Vec<(u32, Piece)>> {
    let steps = !sort.is_float();
    let mut pieces: Vec<(u32, Piece)> = Vec::new();
    // How many elements the last piece has.
    let mut count = 0u64;
    for (i, element) in elements.enumerate() {
        let joined = match (&mut pieces.last_mut().map(|(_, piece)| piece), element) {
            (Some(Piece::Term(old)), Ok(term)) => *old == term,
            (Some(Piece::Constants { first, step }), Err(bits)) => {
                let difference = bits.wrapping_sub(*first) & sort.mask();
                if count == 1 && (steps || difference == 0) {
                    *step = difference;
                    true
                } else {
                    difference == step.wrapping_mul(count) & sort.mask()
                }
            }
            _ => false,
        };
        if joined {
            count += 1;
            continue;
        }
        if pieces.len() == RUNS {
            return None;
        }
        pieces.push((
            i as u32,
            match element {
                Ok(term) => Piece::Term(term),
                Err(first) => Piece::Constants { first, step: 0 },
            },
        ));
        count = 1;
    }
    Some(pieces)
}

/// The element at an index that is inside.
fn choice(terms: &mut Terms, index: Term, sort: Sort, pieces: &[(u32, Piece)]) -> Term {
    match pieces {
        [] => terms.constant(sort, 0),
        [(_, Piece::Term(term))] => *term,
        [(start, Piece::Constants { first, step })] => {
            if *step == 0 {
                return terms.constant(sort, *first);
            }
            let index = if sort == Sort::LONG { terms.zero_extend(index, sort) } else { index };
            let step_term = terms.constant(sort, *step);
            let offset = first.wrapping_sub(step.wrapping_mul(u64::from(*start))) & sort.mask();
            let (scaled, offset) = (terms.mul(index, step_term), terms.constant(sort, offset));
            terms.add(scaled, offset)
        }
        _ => {
            let (low, high) = pieces.split_at(pieces.len() / 2);
            let boundary = terms.int(high[0].0 as i32);
            let is_low = terms.ult(index, boundary);
            let (a, b) = (choice(terms, index, sort, low), choice(terms, index, sort, high));
            terms.ite(is_low, a, b)
        }
    }
}
