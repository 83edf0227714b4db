//! When a symbolic state adds nothing to an earlier one. Owns matching of the numbers held and the implication between
//! conditions; the structure of both is equal already.

use rustc_hash::FxHashMap;

use super::condition::{Asker, Condition, Stand};
use super::vocabulary::Vocabulary;
use super::zone::Place;
use crate::expr::{InputId, Term, Terms};

/// How finely states are distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comparison {
    /// A state whose condition implies that of an earlier one is not new.
    Implication,
    /// In addition, states that hold the same are joined into one, whose condition is either's, until it is explored.
    #[default]
    Merging,
    /// A state is not new if its condition is the same as an earlier one's, including comparisons with numbers that no
    /// longer exist.
    Equality,
    /// Conditions do not matter: a state of the same structure with the same kinds of numbers is not new. Fast, but may
    /// miss something.
    Structure,
}

/// How the numbers of an old state have to be chosen to be those of a new one.
#[derive(Debug)]
pub(super) struct Matching {
    /// What stands for the old one's inputs.
    by: FxHashMap<InputId, Term>,
    /// What else has to be equal: a term of the old state, and one of the new.
    equal: Vec<(Term, Term)>,
}

/// How to map an old state to the new one; none if numbers contradict that.
pub(super) fn matching(terms: &Terms, old: &[Term], new: &[Term]) -> Option<Matching> {
    let mut matching = Matching { by: FxHashMap::default(), equal: Vec::new() };
    if old.len() != new.len() {
        return None;
    }
    for (&old, &new) in old.iter().zip(new) {
        if let Some(input) = terms.input_id(old) {
            if terms.sort(old) != terms.sort(new) {
                return None;
            }
            let first = *matching.by.entry(input).or_insert(new);
            if first != new {
                if terms.value(first).is_some() && terms.value(new).is_some() {
                    return None;
                }
                matching.equal.push((old, new));
            }
        } else if terms.value(old).is_none() {
            matching.equal.push((old, new));
        } else if old != new {
            if terms.value(new).is_some() {
                return None;
            }
            matching.equal.push((old, new));
        }
    }
    Some(matching)
}

impl Matching {
    /// Is the old state the same, conditions aside?
    pub fn is_plain(&self) -> bool {
        self.equal.iter().all(|(old, new)| old == new)
    }

    /// Is everything that `new` allows allowed by `old` as well?
    pub fn subsumes(
        &self,
        asker: &mut Asker,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        old: &Condition,
        new: &Condition,
    ) -> bool {
        // Inputs that the state does not hold itself are the same inputs in both, if anything.
        let mut by = self.by.clone();
        for input in old.inputs(terms) {
            by.entry(input).or_insert_with(|| terms.input_term(input));
        }
        for (term, _) in &self.equal {
            for &input in terms.inputs_of(*term).to_vec().iter() {
                by.entry(input).or_insert_with(|| terms.input_term(input));
            }
        }
        let zero = Stand::At(Place { row: 0, plus: 0 });
        let rows = old.zone().inputs().iter().map(|(input, _)| new.stand(terms, by[input]));
        let stands: Vec<Stand> = [zero].into_iter().chain(rows).collect();
        if !new.is_within(old.zone(), &stands) {
            return false;
        }
        for &(term, held) in &self.equal {
            let Some(copy) = Vocabulary::replaced(terms, term, &by) else { return false };
            if copy == held {
                continue;
            }
            if terms.sort(copy) != terms.sort(held) {
                return false;
            }
            let same = terms.eq(copy, held);
            if !new.implies(asker, terms, vocabulary, same) {
                return false;
            }
        }
        old.rest().iter().all(|term| {
            let copy = Vocabulary::replaced(terms, *term, &by);
            copy.is_some_and(|copy| new.implies(asker, terms, vocabulary, copy))
        })
    }
}
