//! Conditions on inputs in a form that can be compared: questions of order are in a zone, the rest stays terms. Owns
//! how terms are classified and how a condition is solved, implied, projected and renamed.

use rustc_hash::FxHashMap;

use super::vocabulary::Vocabulary;
use super::zone::{Change, Found, Place, Zone};
use crate::expr::{InputId, Model, Op, Sort, Term, Terms};
use crate::solver::{Answer, Chain, Limit, Query, Solver};

/// Zones that a projection may become.
const MOST_ZONES: usize = 8;

/// How much work a question is worth: there are many.
const LIMIT: Limit<'static> = Limit::of(3_000);

/// Conditions that hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Condition {
    zone: Zone,
    /// Sorted.
    rest: Vec<Term>,
}

/// What stands for an input of one condition among those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// A number of the other's zone.
    At(Place),
    /// Something outside the zone.
    Any,
}

/// Questions and answers, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Answered by zones alone.
    pub zones: u64,
    /// Passed on to the solver.
    pub solver: u64,
    /// Not answered.
    pub unknown: u64,
}

/// Answers questions about conditions.
#[derive(Default)]
pub struct Asker {
    chain: Chain,
    pub asked: Asked,
}

impl Asker {
    pub fn over(chain: Chain) -> Asker {
        Asker { chain, ..Asker::default() }
    }

    /// Values of inputs for which a condition holds. None if there are none, or if none were found.
    pub fn values(&mut self, terms: &mut Terms, vocabulary: &Vocabulary, condition: &Condition) -> Option<Model> {
        let model = match condition.zone.values() {
            Found::Values(values) => {
                let mut model = Model::default();
                for (input, value) in values {
                    model.set_bits(input, vocabulary.bits(input, value));
                }
                Some(model)
            }
            Found::Nothing => {
                self.asked.zones += 1;
                return None;
            }
            Found::Unknown => None,
        };
        if condition.rest.is_empty() && model.is_some() {
            self.asked.zones += 1;
            return model;
        }
        self.asked.solver += 1;
        let all = condition.terms(terms, vocabulary);
        if let Some(model) = model {
            self.chain.suggest(model);
        }
        match self.chain.check(terms, &Query::new(all), LIMIT) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => None,
            Answer::Unknown(_) => {
                self.asked.unknown += 1;
                None
            }
        }
    }

    /// Is it certain that nothing satisfies a condition?
    fn excludes(&mut self, terms: &mut Terms, vocabulary: &Vocabulary, condition: &Condition) -> bool {
        let before = self.asked.unknown;
        self.values(terms, vocabulary, condition).is_none() && self.asked.unknown == before
    }
}

impl Condition {
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    pub fn rest(&self) -> &[Term] {
        &self.rest
    }

    /// Adds an input to those that values are found for.
    pub fn speak_of(&mut self, vocabulary: &Vocabulary, input: InputId) {
        if let Some(range) = vocabulary.range(input) {
            self.zone.row(input, range);
        }
    }

    /// Assumes that a term of sort `Bool` is true. [`Change::Empty`] only if a contradiction is obvious.
    pub fn assume(&mut self, terms: &mut Terms, vocabulary: &Vocabulary, term: Term) -> Change {
        let node = *terms.node(term);
        let [a, b, _] = node.args;
        match node.op {
            Op::Const if term == Terms::TRUE => return Change::None,
            Op::Const => return Change::Empty,
            Op::And => {
                let first = self.assume(terms, vocabulary, a);
                if first == Change::Empty {
                    return first;
                }
                let second = self.assume(terms, vocabulary, b);
                return if second == Change::None { first } else { second };
            }
            Op::Slt | Op::Sle => {
                if let Some((a, b)) = self.places(terms, vocabulary, a, b) {
                    return self.zone.at_most(a, b, if node.op == Op::Slt { -1 } else { 0 });
                }
            }
            Op::Ult | Op::Ule => {
                if let Some(change) = self.assume_unsigned(terms, vocabulary, a, b, node.op == Op::Ult) {
                    return change;
                }
            }
            Op::Eq if !terms.sort(a).is_float() => {
                if let Some((a, b)) = self.places(terms, vocabulary, a, b) {
                    let first = self.zone.at_most(a, b, 0);
                    if first == Change::Empty {
                        return first;
                    }
                    let second = self.zone.at_most(b, a, 0);
                    return if second == Change::None { first } else { second };
                }
            }
            Op::Not => {
                let inner = *terms.node(a);
                if inner.op == Op::Eq
                    && let Some((a, b)) = self.places(terms, vocabulary, inner.args[0], inner.args[1])
                {
                    return self.zone.differ(a, b);
                }
            }
            _ => {}
        }
        match self.rest.binary_search(&term) {
            Ok(_) => Change::None,
            Err(at) => {
                let opposite = terms.not(term);
                if self.rest.binary_search(&opposite).is_ok() {
                    return Change::Empty;
                }
                self.rest.insert(at, term);
                Change::Narrowed
            }
        }
    }

    /// Below a constant that is not negative, unsigned, means between zero and it.
    fn assume_unsigned(
        &mut self,
        terms: &Terms,
        vocabulary: &Vocabulary,
        a: Term,
        b: Term,
        strict: bool,
    ) -> Option<Change> {
        let limit = constant(terms, b)?;
        if limit < 0 {
            return None;
        }
        let (place, zero) = (self.place(terms, vocabulary, a)?, Place { row: 0, plus: 0 });
        let first = self.zone.at_most(zero, place, 0);
        if first == Change::Empty {
            return Some(first);
        }
        let second = self.zone.at_most(place, zero, limit - i128::from(strict));
        Some(if second == Change::None { first } else { second })
    }

    fn places(&mut self, terms: &Terms, vocabulary: &Vocabulary, a: Term, b: Term) -> Option<(Place, Place)> {
        if !matches!(terms.sort(a), Sort::INT | Sort::LONG) {
            return None;
        }
        Some((self.place(terms, vocabulary, a)?, self.place(terms, vocabulary, b)?))
    }

    /// A term as a number of the zone, if it is one and does not wrap around.
    fn place(&mut self, terms: &Terms, vocabulary: &Vocabulary, term: Term) -> Option<Place> {
        if let Some(value) = constant(terms, term) {
            return Some(Place { row: 0, plus: value });
        }
        let node = terms.node(term);
        let (input, plus) = match node.op {
            Op::Input => (term, 0),
            Op::Add => (node.args[0], constant(terms, node.args[1])?),
            _ => return None,
        };
        let input = terms.input_id(input)?;
        let row = self.zone.row(input, vocabulary.range(input)?);
        let place = Place { row, plus };
        (plus == 0 || self.zone.contains(place, vocabulary.range_of_sort(terms.sort(term))?)).then_some(place)
    }

    /// The number that an input is, if it is one of the zone's.
    pub fn stand(&self, terms: &Terms, term: Term) -> Stand {
        if let Some(value) = constant(terms, term) {
            return Stand::At(Place { row: 0, plus: value });
        }
        match terms.input_id(term).and_then(|input| self.zone.find(input)) {
            Some(row) => Stand::At(Place { row, plus: 0 }),
            None => Stand::Any,
        }
    }

    /// Does everything of the zone `old` hold for what stands for its rows here?
    pub fn is_within(&self, old: &Zone, stands: &[Stand]) -> bool {
        let size = old.inputs().len() + 1;
        let bound = |from: usize, to: usize| match (stands[from], stands[to]) {
            (Stand::At(a), Stand::At(b)) => Some(self.zone.bound(a.row, b.row) + a.plus - b.plus),
            _ => None,
        };
        for from in 0..size {
            for to in (0..size).filter(|to| *to != from) {
                let most = old.bound(from, to);
                let holds = match bound(from, to) {
                    Some(here) => here <= most,
                    // Whatever it is, it is in its range.
                    None => free(old, from, to) <= most,
                };
                if !holds {
                    return false;
                }
            }
        }
        old.apart().iter().all(|&(row, column, apart)| match (stands[row], stands[column]) {
            (Stand::At(a), Stand::At(b)) if a.row == b.row => a.plus - b.plus != apart,
            (Stand::At(a), Stand::At(b)) => self.zone.is_apart(a.row, b.row, apart - a.plus + b.plus),
            _ => false,
        })
    }

    /// Does a term of sort `Bool` hold wherever this condition does?
    pub fn implies(&self, asker: &mut Asker, terms: &mut Terms, vocabulary: &Vocabulary, term: Term) -> bool {
        if term == Terms::TRUE || self.rest.binary_search(&term).is_ok() {
            return true;
        }
        let opposite = terms.not(term);
        let mut both = self.clone();
        both.assume(terms, vocabulary, opposite) == Change::Empty || asker.excludes(terms, vocabulary, &both)
    }

    /// All of it as terms.
    pub fn terms(&self, terms: &mut Terms, vocabulary: &Vocabulary) -> Vec<Term> {
        let mut all = self.rest.clone();
        let inputs = self.zone.inputs();
        let term_of = |terms: &Terms, row: usize| terms.input_term(inputs[row - 1].0);
        for row in 1..=inputs.len() {
            let (input, range) = inputs[row - 1];
            let x = term_of(terms, row);
            let sort = terms.sort(x);
            let natural = vocabulary.range_of_sort(sort).unwrap_or(range);
            let (high, low) = (self.zone.bound(row, 0), -self.zone.bound(0, row));
            if high < i128::from(natural.greatest) {
                let limit = terms.constant(sort, vocabulary.bits(input, high as i64));
                all.push(terms.sle(x, limit));
            }
            if low > i128::from(natural.least) {
                let limit = terms.constant(sort, vocabulary.bits(input, low as i64));
                all.push(terms.sle(limit, x));
            }
            for column in (1..=inputs.len()).filter(|column| *column != row) {
                let most = self.zone.bound(row, column);
                if most < free(&self.zone, row, column) {
                    let y = term_of(terms, column);
                    all.extend(difference(terms, x, y, most));
                }
            }
        }
        for &(row, column, apart) in self.zone.apart() {
            let x = term_of(terms, row);
            let sort = terms.sort(x);
            let apart_term = terms.constant(sort, apart as u64 & sort.mask());
            let y = if column == 0 { None } else { Some(term_of(terms, column)) };
            let same = match y {
                Some(y) if terms.sort(y) == sort => {
                    let y = terms.add(y, apart_term);
                    terms.eq(x, y)
                }
                Some(_) => continue,
                None => terms.eq(x, apart_term),
            };
            all.push(terms.not(same));
        }
        all
    }

    /// The conditions on these inputs alone, in their order, exact; several where it takes several. Conditions that
    /// share no input with them, even through others, are dropped. Inputs of which conditions remain that only the
    /// solver understands stay.
    pub fn onto(&self, terms: &mut Terms, keep: &[InputId]) -> Vec<Condition> {
        let mut kept: Vec<InputId> = keep.to_vec();
        let mut rest: Vec<Term> = Vec::new();
        loop {
            let before = rest.len();
            for &term in &self.rest {
                if !rest.contains(&term) && terms.inputs_of(term).iter().any(|input| self.touches(&kept, *input)) {
                    rest.push(term);
                    for &input in terms.inputs_of(term) {
                        if !kept.contains(&input) {
                            kept.push(input);
                        }
                    }
                }
            }
            if rest.len() == before {
                break;
            }
        }
        rest.sort_unstable();
        let zones = self.zone.onto(&kept, MOST_ZONES);
        zones.into_iter().map(|zone| Condition { zone, rest: rest.clone() }).collect()
    }

    /// These inputs and all that conditions relate to them, even through others: behind them, in an order that does not
    /// depend on names.
    pub fn related(&self, terms: &mut Terms, keep: &[InputId]) -> Vec<InputId> {
        let mut all: Vec<InputId> = keep.to_vec();
        let inputs = self.inputs(terms);
        loop {
            let before = all.len();
            for &input in &inputs {
                let in_rest = self.rest.iter().any(|term| {
                    let inputs = terms.inputs_of(*term);
                    inputs.contains(&input) && inputs.iter().any(|other| all.contains(other))
                });
                if !all.contains(&input) && (in_rest || self.touches(&all, input)) {
                    all.push(input);
                }
            }
            if all.len() == before {
                break;
            }
        }
        let rows: Vec<usize> = keep.iter().filter_map(|input| self.zone.find(*input)).collect();
        let look = |input: &InputId| -> Vec<i128> {
            let Some(row) = self.zone.find(*input) else { return Vec::new() };
            let bounds = [0].iter().chain(&rows).flat_map(|&k| [self.zone.bound(row, k), self.zone.bound(k, row)]);
            bounds.collect()
        };
        all[keep.len()..].sort_by_cached_key(|input| (look(input), *input));
        all
    }

    /// Is an input among these, or does the zone relate it to one of them?
    fn touches(&self, kept: &[InputId], input: InputId) -> bool {
        if kept.contains(&input) {
            return true;
        }
        let Some(row) = self.zone.find(input) else { return false };
        kept.iter().filter_map(|other| self.zone.find(*other)).any(|other| {
            self.zone.bound(row, other) < free(&self.zone, row, other)
                || self.zone.bound(other, row) < free(&self.zone, other, row)
                || self.zone.apart().iter().any(|&(r, c, _)| (r == row && c == other) || (r == other && c == row))
        })
    }

    /// The same condition on other inputs.
    pub fn renamed(mut self, names: &FxHashMap<InputId, InputId>, rest: impl FnMut(Term) -> Term) -> Condition {
        self.zone.rename(names);
        self.rest = self.rest.into_iter().map(rest).collect();
        self.rest.sort_unstable();
        self
    }

    /// Inputs that conditions speak of.
    pub fn inputs(&self, terms: &mut Terms) -> Vec<InputId> {
        let mut inputs: Vec<InputId> = self.zone.inputs().iter().map(|(input, _)| *input).collect();
        for term in &self.rest {
            for input in terms.inputs_of(*term) {
                if !inputs.contains(input) {
                    inputs.push(*input);
                }
            }
        }
        inputs
    }
}

/// The bound between two rows that follows from their ranges alone.
fn free(zone: &Zone, row: usize, column: usize) -> i128 {
    let greatest = |row: usize| if row == 0 { 0 } else { i128::from(zone.inputs()[row - 1].1.greatest) };
    let least = |row: usize| if row == 0 { 0 } else { i128::from(zone.inputs()[row - 1].1.least) };
    greatest(row) - least(column)
}

fn constant(terms: &Terms, term: Term) -> Option<i128> {
    let bits = terms.value(term)?;
    match terms.sort(term) {
        Sort::INT => Some(i128::from(bits as u32 as i32)),
        Sort::LONG => Some(i128::from(bits as i64)),
        _ => None,
    }
}

/// `x - y <= most` without wrapping around; a little less than that for longs, where nothing wider is at hand.
fn difference(terms: &mut Terms, x: Term, y: Term, most: i128) -> Vec<Term> {
    if terms.sort(x) != terms.sort(y) {
        return Vec::new();
    }
    match most {
        0 => vec![terms.sle(x, y)],
        -1 => vec![terms.slt(x, y)],
        _ if terms.sort(x) == Sort::INT => {
            let (x, y) = (terms.i2l(x), terms.i2l(y));
            let (difference, most) = (terms.lsub(x, y), terms.long(most as i64));
            vec![terms.sle(difference, most)]
        }
        _ if most < 0 => vec![terms.slt(x, y)],
        _ => Vec::new(),
    }
}
