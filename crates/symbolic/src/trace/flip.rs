//! Another path through a branch: literals under which a run agrees with an earlier one up to a condition, and there
//! differs. Owns which conditions are asked and how the answer becomes literals.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::{Constant, JavaString};

use super::choice::Offered;
use super::input::{LENGTH, constant};
use super::{Step, Trace, Tracer};
use crate::expr::{InputId, Model, Term, Terms};
use crate::solver::{Answer, Limit, Query, Solver, Why, weight};
use crate::vm::FILLING;

/// Limit of conflicts for any question.
const LEAST: u32 = 60;
/// Elements of array literals that are easy to read.
const SHORT: u64 = 3;

/// Another statement in the place of one: another literal, the same call with other variables, an array literal of
/// another length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub statement: u16,
    pub operation: Operation,
    pub arguments: Vec<Var>,
}

/// Whether there is another path.
#[derive(Clone, Debug, PartialEq)]
pub enum Flip {
    /// With these statements instead. Others stay.
    Found(Vec<Replacement>),
    /// No literals take that path.
    Infeasible,
    Unknown(Why),
}

impl Tracer {
    /// Literals for the path of `trace` up to its condition number `at`, which then has the opposite outcome.
    pub fn flip(
        &mut self,
        operations: &Operations,
        sequence: &Sequence,
        trace: &Trace,
        at: usize,
        limit: Limit<'_>,
    ) -> Flip {
        self.flip_besides(operations, sequence, trace, at, &[], limit)
    }

    /// The same, while more conditions hold. A pinned value has many alternatives: those already tried are excluded
    /// like this.
    pub fn flip_besides(
        &mut self,
        operations: &Operations,
        sequence: &Sequence,
        trace: &Trace,
        at: usize,
        besides: &[Term],
        limit: Limit<'_>,
    ) -> Flip {
        let Some(last) = trace.steps.get(at) else { return Flip::Infeasible };
        let mut conditions = self.conditions(&trace.steps[..at]);
        conditions.extend(besides);
        conditions.push(self.condition(&Step { taken: !last.taken, ..*last }));
        match self.ask(&conditions, limit) {
            Answer::Sat(model) => {
                let values = self.values_for(&conditions, &model);
                Flip::Found(self.replacements(operations, sequence, &trace.offered, &values))
            }
            Answer::Unsat => Flip::Infeasible,
            Answer::Unknown(why) => Flip::Unknown(why),
        }
    }

    /// Steps as conditions that hold.
    pub fn conditions(&mut self, steps: &[Step]) -> Vec<Term> {
        steps.iter().map(|step| self.condition(step)).collect()
    }

    pub fn condition(&mut self, step: &Step) -> Term {
        if step.taken { step.term } else { self.terms().not(step.term) }
    }

    /// Asks for values of inputs under which all conditions hold. The last condition is the new one: those before, as
    /// far as they share no input with it, even through others, hold as they did and are not asked again.
    pub fn ask(&mut self, conditions: &[Term], limit: Limit<'_>) -> Answer {
        let slice = self.slice(conditions);
        self.last_weight = weight(self.terms(), &slice).max(1);
        let worth = u32::try_from(self.patience / self.last_weight).unwrap_or(u32::MAX).max(LEAST);
        let most = limit.weight.min(self.patience / u64::from(LEAST));
        let limit = Limit { conflicts: limit.conflicts.min(worth), weight: most, ..limit };
        let (chain, terms) = self.solver();
        let (readable, short) = (readable(terms, &slice), short(terms, &slice));
        // Preferences are questions as heavy as the actual one.
        let wishing = Limit { weight: most / 4, ..limit };
        let both = if short.is_empty() { Vec::new() } else { [short, readable.clone()].concat() };
        for wishes in [both, readable] {
            if !wishes.is_empty() {
                let asked: Vec<Term> = slice.iter().copied().chain(wishes).collect();
                if let Answer::Sat(model) = chain.check(terms, &Query::new(asked), wishing) {
                    return Answer::Sat(model);
                }
            }
        }
        chain.check(terms, &Query::new(slice), limit)
    }

    /// The last condition and those that it may touch.
    fn slice(&mut self, conditions: &[Term]) -> Vec<Term> {
        let Some((&last, before)) = conditions.split_last() else { return Vec::new() };
        let terms = self.terms();
        let mut reached: FxHashSet<InputId> = terms.inputs_of(last).iter().copied().collect();
        let mut taken = vec![false; before.len()];
        loop {
            let mut grown = false;
            for (taken, &condition) in taken.iter_mut().zip(before) {
                if !*taken && terms.inputs_of(condition).iter().any(|i| reached.contains(i)) {
                    *taken = true;
                    grown = true;
                    reached.extend(terms.inputs_of(condition));
                }
            }
            if !grown {
                break;
            }
        }
        let mut slice: Vec<Term> = before.iter().zip(&taken).filter(|(_, t)| **t).map(|(c, _)| *c).collect();
        slice.push(last);
        slice
    }

    /// What a model says about the inputs of a question; those it does not name are zero.
    pub fn values_for(&mut self, conditions: &[Term], model: &Model) -> Model {
        let mut values = Model::default();
        for condition in self.slice(conditions) {
            for &input in self.terms().inputs_of(condition) {
                values.set_bits(input, model.bits(input));
            }
        }
        values
    }

    /// Values of inputs as statements of a sequence: those that differ from what is there.
    fn replacements(
        &self,
        operations: &Operations,
        sequence: &Sequence,
        offered: &Offered,
        values: &Model,
    ) -> Vec<Replacement> {
        let mut texts: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        let mut lengths: BTreeMap<u16, usize> = BTreeMap::new();
        let mut found: BTreeMap<u16, Constant> = BTreeMap::new();
        let mut changed: BTreeMap<u16, (Operation, Vec<Var>)> = BTreeMap::new();
        let written = |statement: u16| sequence.statements().get(usize::from(statement));
        let as_it_is = |statement: u16| {
            let Statement { op, args } = written(statement)?;
            Some((operations.get(*op).clone(), args.to_vec()))
        };
        let text = |statement: u16| match written(statement).map(|s| &operations.get(s.op).kind) {
            Some(OperationKind::Constant(Constant::String(text))) => text.units().to_vec(),
            _ => Vec::new(),
        };
        for (input, value) in values.iter() {
            let Some(literal) = self.inputs.literal_of(input) else { continue };
            let statement = literal.statement;
            match literal.character {
                Some(argument) if literal.letter == b'r' => {
                    let chosen = offered.variable(statement, argument as u8, value.bits());
                    let (Some(variable), Some(present)) = (chosen, as_it_is(statement)) else { continue };
                    let (_, arguments) = changed.entry(statement).or_insert(present);
                    if let Some(place) = arguments.get_mut(usize::from(argument)) {
                        *place = variable;
                    }
                }
                None if literal.letter == b'n' => {
                    lengths.insert(statement, value.bits() as usize);
                }
                None if literal.letter == b'e' => {
                    let name = offered.constant(statement, value.bits());
                    if let (Some(name), Some((operation, _))) = (name, as_it_is(statement))
                        && let OperationKind::Constant(Constant::Enum { class, .. }) = operation.kind
                    {
                        found.insert(statement, Constant::Enum { class, name: name.clone() });
                    }
                }
                None if literal.letter == b'l' => {
                    texts.entry(literal.statement).or_insert_with(|| text(literal.statement));
                    lengths.insert(literal.statement, value.bits() as usize);
                }
                None => {
                    found.insert(literal.statement, constant(literal.letter, value.bits()));
                }
                Some(at) => {
                    let units = texts.entry(literal.statement).or_insert_with(|| text(literal.statement));
                    if let Some(unit) = units.get_mut(usize::from(at)) {
                        *unit = value.bits() as u16;
                    }
                }
            }
        }
        for (statement, length) in lengths {
            if let Some(units) = texts.get_mut(&statement) {
                units.resize(length, FILLING as u16);
            } else if let Some(present) = as_it_is(statement) {
                let (operation, arguments) = changed.entry(statement).or_insert(present);
                let resized = offered.resized(statement, arguments, length);
                if let Some(element) = operation.params.first().cloned().or_else(|| element_of(&operation.result)) {
                    operation.params = vec![element; resized.len()];
                    operation.kind = OperationKind::ArrayLiteral { length: resized.len() as u32 };
                    *arguments = resized;
                }
            }
        }
        found.extend(texts.into_iter().map(|(at, units)| (at, Constant::String(JavaString::new(&units)))));
        for (statement, constant) in found {
            if let Some((operation, arguments)) = as_it_is(statement) {
                let operation = Operation { kind: OperationKind::Constant(constant), ..operation };
                changed.insert(statement, (operation, arguments));
            }
        }
        changed.retain(|at, (operation, arguments)| {
            let old = written(*at);
            old.is_none_or(|old| operations.get(old.op) != operation || old.args.as_slice() != arguments.as_slice())
        });
        let changed = changed.into_iter();
        changed.map(|(statement, (operation, arguments))| Replacement { statement, operation, arguments }).collect()
    }
}

fn element_of(array: &Type) -> Option<Type> {
    match array {
        Type::Array(element) => Some((**element).clone()),
        _ => None,
    }
}

/// The inputs that conditions speak of.
fn inputs_of(terms: &mut Terms, conditions: &[Term]) -> Vec<InputId> {
    let mut inputs: Vec<InputId> = conditions.iter().flat_map(|c| terms.inputs_of(*c).to_vec()).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

/// Conditions under which array literals are short, for those that the conditions speak of.
fn short(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let mut wishes = Vec::new();
    for input in inputs_of(terms, conditions) {
        let term = terms.input_term(input);
        if terms.sort(term) == LENGTH {
            let most = terms.constant(LENGTH, SHORT);
            wishes.push(terms.ule(term, most));
        }
    }
    wishes
}

/// Conditions under which characters can be read, for those that the conditions speak of.
fn readable(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let mut wishes = Vec::new();
    for input in inputs_of(terms, conditions) {
        let term = terms.input_term(input);
        let is_character = terms.input_name(input).ends_with(']');
        if is_character {
            let sort = terms.sort(term);
            let (low, high) = (terms.constant(sort, 0x20), terms.constant(sort, 0x7e));
            wishes.extend([terms.ule(low, term), terms.ule(term, high)]);
        }
    }
    wishes
}
