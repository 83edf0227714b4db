//! Calls with their arguments chosen, and the sequences they make. Owns which references, texts and constants may fill parameters, and how calls are written down
//! as statements.

use smallvec::SmallVec;
use testcase::operation::OpId;
use testcase::sequence::Statement;
use testcase::types::Type;
use testcase::value::Constant;

use super::inputs::{Inputs, Values, constant, text};
use super::invokable::{Invokable, Param};
use crate::constants::Kind as ConstantKind;
use crate::generate::scratch::Scratch;
use crate::search::Search;

/// What a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number that is an input.
    Number,
    /// A text of that many characters that are inputs; the number is the seed's.
    Text(u8),
    /// The result of an earlier call.
    Result(u8),
    /// A constant or lambda.
    Atom(OpId),
    Null,
}

/// A call of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub invokable: u16,
    pub arguments: SmallVec<[Argument; 4]>,
}

/// Most ways to fill the parameters of one call.
const MOST: usize = 16;

/// Every way to fill the parameters of an invokable. `made` tells whether the result of an earlier call is an object and may be used for one of the parameter's types.
pub fn assignments(
    invokable: &Invokable,
    nulls: bool,
    calls: usize,
    fits: impl Fn(usize, &[crate::catalog::TypeId]) -> bool,
) -> Vec<SmallVec<[Argument; 4]>> {
    let mut choices: Vec<Vec<Argument>> = Vec::with_capacity(invokable.params.len());
    for param in &invokable.params {
        choices.push(match param {
            Param::Number { .. } => vec![Argument::Number],
            Param::Text { seeds } => (0..seeds.len() as u8).map(Argument::Text).collect(),
            Param::Reference { wanted, atoms, null, receiver } => {
                // The newest first: what was just made is what is wanted.
                let made = (0..calls).rev().filter(|&c| fits(c, wanted)).map(|c| Argument::Result(c as u8));
                let mut all: Vec<Argument> = made.chain(atoms.iter().map(|&op| Argument::Atom(op))).collect();
                if null.is_some() && !receiver && (nulls || all.is_empty()) {
                    all.push(Argument::Null);
                }
                all
            }
        });
    }
    if choices.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let fill = |at: &[usize]| at.iter().zip(&choices).map(|(&i, c)| c[i]).collect();
    let all = choices.iter().try_fold(1_usize, |product, c| product.checked_mul(c.len()));
    let mut found = Vec::new();
    let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, choices.len());
    if all.is_none_or(|all| all > MOST) {
        // Too many: each parameter by itself, then mixtures.
        found.push(fill(&at));
        let longest = choices.iter().map(Vec::len).max().unwrap_or(1);
        for other in 1..longest {
            for place in (0..choices.len()).filter(|&p| other < choices[p].len()) {
                at[place] = other;
                found.push(fill(&at));
                at[place] = 0;
            }
        }
        found.truncate(MOST * 3 / 4);
        for mixture in 1..=MOST - found.len() {
            for (place, choice) in choices.iter().enumerate() {
                at[place] = (mixture * (2 * place + 1) + place) % choice.len();
            }
            let filled = fill(&at);
            if !found.contains(&filled) {
                found.push(filled);
            }
        }
        return found;
    }
    loop {
        found.push(fill(&at));
        let Some(place) = (0..at.len()).rev().find(|&p| at[p] + 1 < choices[p].len()) else { return found };
        at[place] += 1;
        at[place + 1..].fill(0);
    }
}

/// Writes calls down as statements.
pub fn write(
    search: &mut Search<'_>,
    invokables: &[Invokable],
    calls: &[Call],
    inputs: &Inputs,
    values: &Values,
    scratch: &mut Scratch,
) {
    scratch.clear();
    let mut results = Vec::with_capacity(calls.len());
    for (number, call) in calls.iter().enumerate() {
        let invokable = &invokables[usize::from(call.invokable)];
        let mut args = SmallVec::new();
        for (place, (param, argument)) in invokable.params.iter().zip(&call.arguments).enumerate() {
            args.push(match (param, argument) {
                (Param::Number { primitive, boxed }, _) => {
                    let input = inputs.find(number, place, 0, Some(*primitive));
                    let value = constant(*primitive, input.map_or(0, |i| values.get(i)));
                    let kind = ConstantKind::of(*primitive);
                    let ty = if *boxed { kind.boxed() } else { Type::Primitive(*primitive) };
                    let op = search.catalog.constant(search.library, value, ty);
                    scratch.push_leaf(&search.catalog, op)
                }
                (Param::Text { seeds }, Argument::Text(seed)) => {
                    let length = seeds[usize::from(*seed)].len();
                    let characters =
                        (0..length).map(|i| inputs.find(number, place, i, None).map_or(0, |input| values.get(input)));
                    let value = Constant::String(text(characters));
                    let op = search.catalog.constant(search.library, value, Type::string());
                    scratch.push_leaf(&search.catalog, op)
                }
                (_, Argument::Result(at)) => results[usize::from(*at)],
                (_, Argument::Atom(op)) => scratch.push_leaf(&search.catalog, *op),
                (Param::Reference { null: Some(null), .. }, _) => scratch.push_leaf(&search.catalog, *null),
                // No other pairs are made by `assignments`.
                (Param::Text { .. } | Param::Reference { .. }, _) => continue,
            });
        }
        results.push(scratch.push(&search.catalog, Statement { op: invokable.op, args }));
    }
}
