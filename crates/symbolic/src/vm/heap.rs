//! The heap: one growing array of words. Owns allocation, raw access and the journal that brings an earlier state back;
//! knows neither classes nor types.
//!
//! An object is a header word (class in the low half, array length in the high half) and one word per field or element.
//! A reference is the index of the header; 0 is null. Nothing is ever freed: a run ends, and the heap is cut back to
//! its baseline. Words below the baseline that a run overwrites are copied to the journal first, so going back costs
//! what was written, not what exists. The lowest part is permanent: what belongs to classes (mirrors, static fields,
//! literals) is allocated there whenever it is first needed, also during a run, and keeps its place.

use rustc_hash::FxHashMap;

use super::watch::Accesses;
use crate::expr::Term;

/// A reference: index of an object's header word; 0 is null.
pub type Ref = u32;

/// The header takes one word.
pub const HEADER: u32 = 1;

/// Words of the permanent part. Untouched zeroed memory costs nothing.
const PERMANENT: usize = 1 << 22;

/// Words and, for those that hold input-dependent values, terms.
#[derive(Clone, Debug)]
pub struct Heap {
    words: Vec<u64>,
    /// Of words behind the permanent part; shorter than these until a term is stored beyond its end.
    terms: Vec<Option<Term>>,
    /// Of words of the permanent part.
    permanent_terms: FxHashMap<u32, Term>,
    /// Lengths of arrays that depend on inputs, and whether two elements make one of what the inputs count.
    lengths: FxHashMap<Ref, (Term, bool)>,
    /// Where the next permanent object goes.
    permanent_top: usize,
    /// Words from here on belong to the current run alone.
    mark: usize,
    /// What words below the mark held before they were first written in this run.
    journal: Vec<(u32, u64)>,
    /// Terms live below the mark only while a run goes on.
    termed: Vec<u32>,
    compact_at: usize,
    /// For watchers.
    pub(super) accesses: Accesses,
}

/// Everything a run changed since the baseline.
#[derive(Clone, Debug)]
pub struct Delta {
    tail: Box<[u64]>,
    tail_terms: Box<[Option<Term>]>,
    changed: Box<[(u32, u64)]>,
    changed_terms: Box<[(u32, Term)]>,
    lengths: FxHashMap<Ref, (Term, bool)>,
}

impl Delta {
    /// Words that resuming copies.
    pub fn words(&self) -> usize {
        self.tail.len() + self.changed.len()
    }
}

const COMPACT: usize = 1 << 16;

impl Default for Heap {
    fn default() -> Self {
        Heap {
            words: vec![0; PERMANENT],
            terms: Vec::new(),
            permanent_terms: FxHashMap::default(),
            lengths: FxHashMap::default(),
            // Word 0 is never an object: 0 is null.
            permanent_top: 1,
            mark: PERMANENT,
            journal: Vec::new(),
            termed: Vec::new(),
            compact_at: COMPACT,
            accesses: Accesses::default(),
        }
    }
}

impl Heap {
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Words that the current run has allocated.
    pub fn used(&self) -> usize {
        self.words.len() - self.mark
    }

    /// A zeroed object that outlives every run. `None` if the permanent part is full.
    pub fn allocate_permanent(&mut self, class: u32, length: u32, words: usize) -> Option<Ref> {
        let at = self.permanent_top;
        if at + 1 + words > PERMANENT {
            return None;
        }
        self.permanent_top += 1 + words;
        self.words[at] = u64::from(class) | u64::from(length) << 32;
        Some(at as Ref)
    }

    pub fn is_permanent(&self, object: Ref) -> bool {
        (object as usize) < PERMANENT
    }

    /// Gives a permanent object its content for good: going back does not undo it.
    pub fn set_permanent(&mut self, object: Ref, slot: u32, value: u64) {
        self.words[(object + HEADER + slot) as usize] = value;
    }

    /// A zeroed object of that many words behind the header. The caller has checked the limit.
    pub fn allocate(&mut self, class: u32, length: u32, words: usize) -> Ref {
        let at = self.words.len();
        self.words.reserve(words + 1);
        self.words.push(u64::from(class) | u64::from(length) << 32);
        self.words.resize(at + 1 + words, 0);
        at as Ref
    }

    #[inline]
    pub fn class_of(&self, object: Ref) -> u32 {
        self.words[object as usize] as u32
    }

    /// Length of an array.
    #[inline]
    pub fn length(&self, array: Ref) -> i32 {
        (self.words[array as usize] >> 32) as i32
    }

    #[inline]
    pub fn get(&self, at: u32) -> u64 {
        self.words[at as usize]
    }

    #[inline]
    pub fn set(&mut self, at: u32, value: u64) {
        if (at as usize) < self.mark {
            self.note(at);
        }
        self.accesses.note(at, true);
        self.words[at as usize] = value;
    }

    /// Field or element number `slot` of an object.
    #[inline]
    pub fn slot(&self, object: Ref, slot: u32) -> u64 {
        self.words[(object + HEADER + slot) as usize]
    }

    #[inline]
    pub fn set_slot(&mut self, object: Ref, slot: u32, value: u64) {
        self.set(object + HEADER + slot, value);
    }

    /// Consecutive words.
    pub fn words(&self, from: u32, count: u32) -> &[u64] {
        &self.words[from as usize..(from + count) as usize]
    }

    /// Copies words that may overlap, with their terms.
    pub fn copy(&mut self, from: u32, to: u32, count: u32) {
        if count == 0 {
            return;
        }
        if (to as usize) < self.mark {
            for at in to..to + count {
                self.note(at);
            }
        }
        if self.accesses.on {
            for i in 0..count {
                self.accesses.note(from + i, false);
                self.accesses.note(to + i, true);
            }
        }
        self.words.copy_within(from as usize..(from + count) as usize, to as usize);
        if !self.terms.is_empty() {
            let terms: Vec<Option<Term>> = (from..from + count).map(|at| self.term(at)).collect();
            for (i, term) in terms.into_iter().enumerate() {
                self.set_term(to + i as u32, term);
            }
        }
    }

    #[inline]
    pub fn term(&self, at: u32) -> Option<Term> {
        match (at as usize).checked_sub(PERMANENT) {
            Some(index) => self.terms.get(index).copied().flatten(),
            None => self.permanent_terms.get(&at).copied(),
        }
    }

    #[inline]
    pub fn set_term(&mut self, at: u32, term: Option<Term>) {
        let Some(index) = (at as usize).checked_sub(PERMANENT) else {
            match term {
                Some(term) => self.permanent_terms.insert(at, term),
                None => self.permanent_terms.remove(&at),
            };
            return;
        };
        if index >= self.terms.len() {
            if term.is_none() {
                return;
            }
            self.terms.resize((self.words.len() - PERMANENT).max(index + 1), None);
        }
        if (at as usize) < self.mark && term.is_some() {
            self.termed.push(at);
        }
        self.terms[index] = term;
    }

    /// The length of an array as a term, if it depends on inputs.
    #[inline]
    pub fn length_term(&self, array: Ref) -> Option<Term> {
        if self.lengths.is_empty() { None } else { self.lengths.get(&array).map(|(term, _)| *term) }
    }

    pub fn set_length_term(&mut self, array: Ref, term: Term, is_wide: bool) {
        self.lengths.insert(array, (term, is_wide));
    }

    /// Whether inputs count the elements of this array in twos.
    pub fn is_wide(&self, array: Ref) -> bool {
        self.lengths.get(&array).is_some_and(|(_, wide)| *wide)
    }

    /// All words that have terms, in order.
    pub fn termed_words(&self) -> Vec<(u32, Term)> {
        let (below, behind) = self.terms.split_at((self.mark - PERMANENT).min(self.terms.len()));
        let mut found: Vec<(u32, Term)> = self.permanent_terms.iter().map(|(at, term)| (*at, *term)).collect();
        let changed = self.termed.iter().filter_map(|at| {
            let term = below.get(*at as usize - PERMANENT).copied().flatten()?;
            Some((*at, term))
        });
        found.extend(changed);
        let behind = behind.iter().enumerate().filter_map(|(i, term)| term.map(|t| ((self.mark + i) as u32, t)));
        found.extend(behind);
        found.sort_unstable();
        found.dedup();
        found
    }

    #[cold]
    fn note(&mut self, at: u32) {
        if self.journal.len() >= self.compact_at {
            self.compact();
        }
        self.journal.push((at, self.words[at as usize]));
    }

    /// Keeps the first record of each word.
    fn compact(&mut self) {
        // Stable: the oldest record of a word comes first.
        self.journal.sort_by_key(|(at, _)| *at);
        self.journal.dedup_by_key(|(at, _)| *at);
        self.compact_at = (self.journal.len() * 2).max(COMPACT);
    }

    /// Makes the present state the one to go back to. Terms are dropped: a baseline depends on no input.
    pub fn set_baseline(&mut self) {
        self.terms.clear();
        self.permanent_terms.clear();
        self.lengths.clear();
        self.termed.clear();
        self.journal.clear();
        self.mark = self.words.len();
    }

    /// Goes back to the baseline.
    pub fn restore(&mut self) {
        for (at, value) in self.journal.drain(..).rev() {
            self.words[at as usize] = value;
        }
        self.words.truncate(self.mark);
        self.compact_at = COMPACT;
        self.permanent_terms.clear();
        self.lengths.clear();
        self.terms.truncate(self.mark - PERMANENT);
        for at in self.termed.drain(..) {
            if let Some(term) = self.terms.get_mut(at as usize - PERMANENT) {
                *term = None;
            }
        }
    }

    /// The present state as a difference to the baseline.
    pub fn delta(&mut self) -> Delta {
        self.compact();
        let changed = self.journal.iter().map(|(at, _)| (*at, self.words[*at as usize])).collect();
        let tail_terms = self.terms.get(self.mark - PERMANENT..).unwrap_or_default().into();
        self.termed.sort_unstable();
        self.termed.dedup();
        let mut changed_terms: Vec<(u32, Term)> =
            self.termed.iter().filter_map(|at| self.term(*at).map(|t| (*at, t))).collect();
        changed_terms.extend(self.permanent_terms.iter().map(|(at, t)| (*at, *t)));
        changed_terms.sort_unstable();
        let changed_terms = changed_terms.into();
        let lengths = self.lengths.clone();
        Delta { tail: self.words[self.mark..].into(), tail_terms, changed, changed_terms, lengths }
    }

    /// Goes to the state the difference was taken from; the baseline must be the same.
    pub fn resume(&mut self, delta: &Delta) {
        self.restore();
        self.words.extend_from_slice(&delta.tail);
        for &(at, value) in &delta.changed {
            self.set(at, value);
        }
        if !delta.tail_terms.is_empty() {
            self.terms.resize(self.mark - PERMANENT, None);
            self.terms.extend_from_slice(&delta.tail_terms);
        }
        for &(at, term) in &delta.changed_terms {
            self.set_term(at, Some(term));
        }
        self.lengths.clone_from(&delta.lengths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_comes_back_and_a_delta_resumes() {
        let mut heap = Heap::default();
        let old = heap.allocate(7, 0, 2);
        heap.set_slot(old, 1, 5);
        heap.set_baseline();
        heap.set_slot(old, 1, 6);
        heap.set_slot(old, 1, 8);
        let new = heap.allocate(9, 3, 3);
        heap.set_slot(new, 2, 4);
        let delta = heap.delta();
        heap.set_slot(new, 2, 1);
        heap.restore();
        assert_eq!((heap.slot(old, 1), heap.len()), (5, new as usize));
        heap.resume(&delta);
        assert_eq!((heap.slot(old, 1), heap.slot(new, 2), heap.length(new), heap.class_of(new)), (8, 4, 3, 9));
        heap.restore();
        assert_eq!(heap.slot(old, 1), 5);
    }
}
