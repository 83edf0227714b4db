//! Values for arguments, and lists of them per method. Owns which constants and makers are tried for a type and the order of combinations; whether a value
//! can really be made is found out by running it.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Constant;

use super::super::scratch::Scratch;
use crate::catalog::{Role, TypeId};
use crate::constants::Kind;
use crate::search::Search;
use crate::state::classifier::{ExecutionId, Sight, StateClassifier, StateId};

/// Constants per parameter: the plainest, and the first of those found in the code.
const PLAIN: usize = 4;
const MINED: usize = 3;
/// Values of one type, and ways to make one that are tried.
const PER_TYPE: usize = 5;
const MAKERS: usize = 4;
/// Types for which values are looked for.
const MAX_TYPES: usize = 96;

/// Values of an argument list, by their places in [`Values`].
pub type List = SmallVec<[u32; 4]>;

/// Something to pass.
#[derive(Clone, Debug)]
pub struct Value {
    pub sequence: Sequence,
    pub var: Var,
    /// Its class among arguments. None until it was seen to be made.
    pub class: Option<StateId>,
    /// Method executions under test that make it.
    pub executions: SmallVec<[ExecutionId; 2]>,
    null: bool,
}

#[derive(Default)]
pub struct Values {
    all: Vec<Value>,
    of_type: FxHashMap<TypeId, Vec<u32>>,
    /// In the order in which they came up.
    wanted: Vec<TypeId>,
    known: FxHashMap<(TypeId, StateId), u32>,
    constants: FxHashMap<OpId, u32>,
    tried: FxHashSet<(OpId, List)>,
}

impl Values {
    pub fn get(&self, at: u32) -> &Value {
        &self.all[at as usize]
    }

    /// A constant as a value.
    pub fn constant(&mut self, search: &Search<'_>, op: OpId, classifier: &mut dyn StateClassifier) -> u32 {
        if let Some(&at) = self.constants.get(&op) {
            return at;
        }
        let value = super::constant_value(search.catalog.operation(op));
        let class = value.as_ref().map(|v| classifier.classify(&Sight::plain(v)).id());
        let facts = search.catalog.facts(op);
        let made = Value {
            sequence: Sequence::new(vec![Statement::new(op, &[])]),
            var: Var(0),
            class: class.or_else(|| Some(classifier.classify(&Sight::default()).id())),
            executions: SmallVec::new(),
            null: facts.null,
        };
        let at = self.add(made);
        self.constants.insert(op, at);
        at
    }

    fn add(&mut self, value: Value) -> u32 {
        self.all.push(value);
        self.all.len() as u32 - 1
    }

    /// A value that was seen to be made, or the equivalent one of its type that is there already.
    pub fn made(
        &mut self,
        search: &Search<'_>,
        sequence: &Sequence,
        var: Var,
        class: StateId,
        executions: SmallVec<[ExecutionId; 2]>,
    ) -> u32 {
        let ty = search.catalog.facts(sequence.statements()[var.index()].op).result;
        if let Some(&at) = self.known.get(&(ty, class)) {
            return at;
        }
        let value = Value { sequence: sequence.clone(), var, class: Some(class), executions, null: false };
        let at = self.add(value);
        self.known.insert((ty, class), at);
        for &wanted in &self.wanted {
            let list = self.of_type.entry(wanted).or_default();
            if search.catalog.fits(ty, wanted) && list.len() < PER_TYPE {
                // Null stays last.
                let end = list.len() - usize::from(list.last().is_some_and(|&l| self.all[l as usize].null));
                list.insert(end, at);
            }
        }
        at
    }

    /// From now on values of this type are looked for: constants at once, others by and by.
    pub fn want(&mut self, search: &mut Search<'_>, ty: TypeId, classifier: &mut dyn StateClassifier) {
        if self.wanted.contains(&ty) || self.wanted.len() >= MAX_TYPES {
            return;
        }
        self.wanted.push(ty);
        search.prepare_supply(ty);
        let ops = constants(search, ty);
        let list: Vec<u32> = ops.into_iter().map(|op| self.constant(search, op, classifier)).collect();
        self.of_type.insert(ty, list);
    }

    /// Ways to make values of types that have none but null so far: operation and arguments. Types that these need in turn are wanted from now on.
    pub fn ways(&mut self, search: &mut Search<'_>, classifier: &mut dyn StateClassifier) -> Vec<(OpId, List)> {
        let mut tasks = Vec::new();
        let mut at = 0;
        while at < self.wanted.len() {
            let ty = self.wanted[at];
            at += 1;
            if self.of_type[&ty].iter().any(|&v| !self.all[v as usize].null) {
                continue;
            }
            let Some(supply) = search.supplies.get(ty) else { continue };
            let makers: Vec<OpId> = supply
                .literals
                .iter()
                .chain(&supply.leaves)
                .chain(&supply.makers)
                .copied()
                .filter(|&op| !search.records.op(op).is_hopeless())
                .collect();
            let mut found = 0;
            for op in makers {
                if found >= MAKERS {
                    break;
                }
                let params = search.catalog.facts(op).params.clone();
                if params.contains(&ty) {
                    continue;
                }
                for &param in &params {
                    self.want(search, param, classifier);
                }
                let needs_object = search.catalog.facts(op).needs_object;
                let first: Option<List> = params
                    .iter()
                    .enumerate()
                    .map(|(i, p)| {
                        let value = *self.of_type.get(p)?.first()?;
                        (!(self.all[value as usize].null && needs_object && i == 0)).then_some(value)
                    })
                    .collect();
                if let Some(list) = first {
                    found += 1;
                    if self.tried.insert((op, list.clone())) {
                        tasks.push((op, list));
                    }
                }
            }
        }
        tasks
    }

    /// Argument lists for parameters of these types: plain ones first, no two equivalent.
    pub fn lists(&self, params: &[TypeId], most: usize) -> Vec<List> {
        let empty = Vec::new();
        let choices: Vec<&Vec<u32>> = params.iter().map(|p| self.of_type.get(p).unwrap_or(&empty)).collect();
        if choices.iter().any(|c| c.is_empty()) {
            return Vec::new();
        }
        let furthest: usize = choices.iter().map(|c| c.len() - 1).sum();
        let mut lists = Vec::new();
        let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, choices.len());
        for distance in 0..=furthest {
            combine(&choices, distance, 0, &mut at, &mut |at| {
                lists.push(at.iter().zip(&choices).map(|(&i, c)| c[i]).collect());
                lists.len() < most
            });
            if lists.len() >= most {
                break;
            }
        }
        lists
    }

    /// Puts the values down and calls the operation, with `receiver` (already there) first if given.
    pub fn call(&self, search: &Search<'_>, scratch: &mut Scratch, op: OpId, receiver: Option<Var>, list: &List) {
        let mut args: SmallVec<[Var; 4]> = receiver.into_iter().collect();
        for &at in list {
            let value = self.get(at);
            let statements = value.sequence.statements();
            args.push(if let [leaf] = statements {
                scratch.push_leaf(&search.catalog, leaf.op)
            } else {
                let offset = scratch.concat(&search.catalog, &value.sequence);
                value.var.shifted(offset)
            });
        }
        scratch.push(&search.catalog, Statement { op, args });
    }
}

/// Calls `use_it` for every choice of positions with this sum, until it says no.
fn combine(
    choices: &[&Vec<u32>],
    left: usize,
    place: usize,
    at: &mut SmallVec<[usize; 4]>,
    use_it: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if place == choices.len() {
        return left != 0 || use_it(at);
    }
    for i in 0..choices[place].len().min(left + 1) {
        at[place] = i;
        if !combine(choices, left - i, place + 1, at, use_it) {
            return false;
        }
    }
    true
}

/// Constants worth passing where this type is asked for; null last.
fn constants(search: &mut Search<'_>, ty: TypeId) -> Vec<OpId> {
    let Some(supply) = search.supplies.get(ty) else { return Vec::new() };
    let (kinds, null) = (supply.kinds.clone(), supply.null);
    let leaves: Vec<OpId> =
        supply.leaves.iter().copied().filter(|&l| search.catalog.facts(l).role == Role::Part).collect();
    let primitive = search.catalog.primitive(ty).is_some();
    let mined = search.library.constants();
    let mut ops = Vec::new();
    // Where anything goes, an int and a string will do.
    let anything = kinds.len() > 1;
    for kind in kinds {
        let usual = kind == Kind::STRING || kind == Kind::of(bytecode::names::Primitive::Int);
        if anything && !usual {
            continue;
        }
        let plain = if anything { 1 } else { PLAIN };
        let mut values: Vec<Constant> = kind.plain().into_iter().take(plain).collect();
        if !anything {
            let found = mined.iter().filter(|c| Kind::of_constant(c) == Some(kind) && !values.contains(c));
            let found: Vec<Constant> = found.take(MINED).cloned().collect();
            values.extend(found);
        }
        for value in values {
            let of = match kind.primitive() {
                Some(p) if primitive => testcase::types::Type::Primitive(p),
                _ => kind.boxed(),
            };
            ops.push(search.catalog.constant(search.library, value, of));
        }
    }
    ops.extend(leaves.into_iter().take(MAKERS));
    ops.extend(null);
    ops
}
