//! States that were reached before. Owns what makes two of them the same: equal structure, equal numbers up to the names of inputs, and a condition on these that an earlier
//! one allows. Only states of one object and without static fields are compared; others are always new.

use rustc_hash::FxHashMap;
use symbolic::expr::{InputId, Term, Terms};
use symbolic::state::{Change, Condition, Place, Role, Stand, Vocabulary};
use symbolic::vm::{Held, Machine, Ref};

/// Numbers that a state may hold to be compared.
const MOST: usize = 200;

/// Structure, and the numbers in it.
type Shape = (Vec<u64>, Vec<(u8, Number)>);

/// A number of a state: known, or an expression over inputs that are named by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Number {
    Known(u64),
    Term(Term),
}

/// The states so far.
#[derive(Debug, Default)]
pub struct Merge {
    known: FxHashMap<Shape, Vec<Condition>>,
}

impl Merge {
    /// Takes in the state of a machine behind a call: what an object is, and which conditions on inputs hold. False if an earlier one allows all of it.
    pub fn is_new(
        &mut self,
        machine: &mut Machine,
        names: &mut Vocabulary,
        object: Ref,
        condition: &Condition,
    ) -> bool {
        let Ok(graph) = machine.graph(object) else { return true };
        if graph.held.len() > MOST {
            return true;
        }
        let terms = &mut machine.path_mut().terms;
        let (held, conditions) = name(terms, names, &graph.held, condition);
        let known = self.known.entry((graph.structure, held)).or_default();
        let fresh: Vec<Condition> =
            conditions.into_iter().filter(|new| !known.iter().any(|old| allows(terms, old, new))).collect();
        let new = !fresh.is_empty();
        known.extend(fresh);
        new
    }
}

/// Names inputs by where they are held, and says what is known of them alone.
fn name(
    terms: &mut Terms,
    names: &mut Vocabulary,
    held: &[Held],
    condition: &Condition,
) -> (Vec<(u8, Number)>, Vec<Condition>) {
    let mut inputs: Vec<InputId> = Vec::new();
    for held in held {
        for &input in held.term.iter().flat_map(|t| terms.inputs_of(*t).to_vec()).collect::<Vec<_>>().iter() {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }
    let mut by: FxHashMap<InputId, Term> = FxHashMap::default();
    let mut other: FxHashMap<InputId, InputId> = FxHashMap::default();
    for (place, &input) in inputs.iter().enumerate() {
        let letter = names.letter(input);
        // Inputs that the names know nothing of keep theirs.
        let to = if letter == 0 { input } else { names.input(terms, Role::Held(place as u32), letter) };
        by.insert(input, terms.input_term(to));
        other.insert(input, to);
    }
    let rename = |terms: &mut Terms, term: Term| {
        let mut all = by.clone();
        for &input in terms.inputs_of(term).to_vec().iter() {
            all.entry(input).or_insert_with(|| terms.input_term(input));
        }
        Vocabulary::replaced(terms, term, &all).unwrap_or(term)
    };
    let mut numbers = Vec::with_capacity(held.len());
    for held in held {
        let number = match held.term {
            Some(term) => Number::Term(rename(terms, term)),
            None => Number::Known(held.bits),
        };
        numbers.push((held.letter, number));
    }
    let conditions = condition.onto(terms, &inputs);
    let conditions = conditions.into_iter().map(|c| c.renamed(&other, |term| rename(terms, term))).collect();
    (numbers, conditions)
}

/// Does the old condition hold wherever the new one does? Both speak of the same inputs.
fn allows(terms: &mut Terms, old: &Condition, new: &Condition) -> bool {
    if old == new {
        return true;
    }
    let zero = Stand::At(Place { row: 0, plus: 0 });
    let rows = old.zone().inputs().iter().map(|(input, _)| new.stand(terms, terms.input_term(*input)));
    let stands: Vec<Stand> = [zero].into_iter().chain(rows).collect();
    new.is_within(old.zone(), &stands) && old.rest().iter().all(|term| new.rest().contains(term))
}

/// Adds what a call's conditions say.
pub fn assume(terms: &mut Terms, names: &Vocabulary, condition: &mut Condition, met: &[(Term, bool)]) -> bool {
    met.iter().all(|&(term, holds)| {
        let term = if holds { term } else { terms.not(term) };
        condition.assume(terms, names, term) != Change::Empty
    })
}
