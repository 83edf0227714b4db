//! How arguments are made: numbers as inputs, everything else by constants and short calls. Owns which ways are tried for a type, the way a recipe is followed on a machine
//! and the statements that do the same in a test.

use bytecode::names::Primitive;
use symbolic::executor::Slot;
use symbolic::state::Arguments;
use symbolic::vm::{Machine, Run};
use testcase::operation::{OpId, Operations};
use testcase::sequence::{Statement, Var};
use testcase::types::Type;
use testcase::value::Constant;

use super::super::scratch::Scratch;
use crate::catalog::{Role, TypeId};
use crate::constants::Kind;
use crate::search::Search;

/// Strings per parameter: the plainest, and the first of those found in the code.
const PLAIN: usize = 2;
const MINED: usize = 3;
/// Ways to make an object that are tried.
const MAKERS: usize = 2;
/// Constants of an enum, and the like.
const LEAVES: usize = 4;
/// Lengths of arrays.
const LITERALS: usize = 3;
/// How deep objects are made out of others.
const DEPTH: usize = 3;

/// A way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// An input of a primitive type.
    Number(Primitive),
    /// An input in a box.
    Boxed(Primitive),
    /// An operation that takes nothing.
    Leaf(OpId),
    Made {
        op: OpId,
        args: Vec<Recipe>,
    },
}

impl Recipe {
    /// Follows the recipe on a machine.
    pub fn make(&self, operations: &Operations, machine: &mut Machine, arguments: &mut Arguments<'_>) -> Run<Slot> {
        match self {
            Recipe::Number(p) => Ok(arguments.next(machine, p.descriptor() as u8)),
            Recipe::Boxed(p) => {
                let number = arguments.next(machine, p.descriptor() as u8);
                machine.new_box(number.letter, number.bits, number.term)
            }
            Recipe::Leaf(op) => machine.perform(operations.get(*op), &[]),
            Recipe::Made { op, args } => {
                let made: Run<Vec<Slot>> = args.iter().map(|arg| arg.make(operations, machine, arguments)).collect();
                machine.perform(operations.get(*op), &made?)
            }
        }
    }

    /// Puts down statements that follow the recipe, numbers being taken from `values` in the order in which `make` asks for them.
    pub fn write(
        &self,
        search: &mut Search<'_>,
        scratch: &mut Scratch,
        values: &mut impl Iterator<Item = (u8, u64)>,
    ) -> Var {
        match self {
            Recipe::Number(p) | Recipe::Boxed(p) => {
                let bits = values.next().map_or(0, |(_, bits)| bits);
                let ty = match self {
                    Recipe::Boxed(_) => Type::class(p.box_class()),
                    _ => Type::Primitive(*p),
                };
                let op = search.catalog.constant(search.library, constant(*p, bits), ty);
                scratch.push_leaf(&search.catalog, op)
            }
            Recipe::Leaf(op) => scratch.push_leaf(&search.catalog, *op),
            Recipe::Made { op, args } => {
                let args = args.iter().map(|arg| arg.write(search, scratch, values)).collect();
                scratch.push(&search.catalog, Statement { op: *op, args })
            }
        }
    }
}

/// A number of a primitive type, given by its bits.
fn constant(primitive: Primitive, bits: u64) -> Constant {
    match primitive {
        Primitive::Boolean => Constant::Boolean(bits & 1 == 1),
        Primitive::Byte => Constant::Byte(bits as i8),
        Primitive::Char => Constant::Char(bits as u16),
        Primitive::Short => Constant::Short(bits as i16),
        Primitive::Int => Constant::Int(bits as i32),
        Primitive::Long => Constant::Long(bits as i64),
        Primitive::Float => Constant::Float(bits as u32),
        Primitive::Double => Constant::Double(bits),
    }
}

/// Ways to values of a type, plain ones first, null last. A number stays one that is written down if `concrete`.
pub fn recipes(search: &mut Search<'_>, ty: TypeId, concrete: bool) -> Vec<Recipe> {
    of_type(search, ty, concrete, 0)
}

fn of_type(search: &mut Search<'_>, ty: TypeId, concrete: bool, depth: usize) -> Vec<Recipe> {
    if let Some(primitive) = search.catalog.primitive(ty) {
        return match concrete {
            false => vec![Recipe::Number(primitive)],
            true => constants(search, Kind::of(primitive), Type::Primitive(primitive), 1, 0),
        };
    }
    search.prepare_supply(ty);
    let Some(supply) = search.supplies.get(ty).cloned() else { return Vec::new() };
    let mut found = Vec::new();
    // Where anything goes, a number will do.
    let int = Kind::of(Primitive::Int);
    let kind = if supply.kinds.contains(&int) { Some(int) } else { supply.kinds.first().copied() };
    if let Some(kind) = kind {
        match kind.primitive() {
            // There are two of these boxes, and code may ask which one it has.
            Some(primitive) if primitive != Primitive::Boolean && !concrete => found.push(Recipe::Boxed(primitive)),
            Some(Primitive::Boolean) => found.extend(constants(search, kind, kind.boxed(), PLAIN, 0)),
            Some(_) => found.extend(constants(search, kind, kind.boxed(), 1, 0)),
            None => found.extend(constants(search, kind, kind.boxed(), PLAIN, MINED)),
        }
    }
    let leaves = supply.leaves.iter().copied().filter(|&op| !search.records.op(op).is_hopeless());
    let (parts, calls): (Vec<OpId>, Vec<OpId>) = leaves.partition(|&op| search.catalog.facts(op).role == Role::Part);
    found.extend(parts.into_iter().take(LEAVES).map(Recipe::Leaf));
    if found.is_empty() {
        found.extend(calls.into_iter().take(MAKERS).map(Recipe::Leaf));
        let makers = supply.makers.iter().filter(|_| supply.literals.is_empty()).take(4 * MAKERS);
        for (&op, most) in supply.literals.iter().map(|op| (op, LITERALS)).chain(makers.map(|op| (op, MAKERS))) {
            if found.len() >= most || depth == DEPTH {
                break;
            }
            let params = search.catalog.facts(op).params.clone();
            if params.contains(&ty) || search.records.op(op).is_hopeless() {
                continue;
            }
            let needs_object = search.catalog.facts(op).needs_object;
            let args: Option<Vec<Recipe>> = params
                .iter()
                .enumerate()
                .map(|(place, &param)| {
                    let first = of_type(search, param, concrete, depth + 1).into_iter().next()?;
                    let null = matches!(first, Recipe::Leaf(op) if search.catalog.facts(op).null);
                    (!(null && needs_object && place == 0)).then_some(first)
                })
                .collect();
            found.extend(args.map(|args| Recipe::Made { op, args }));
        }
    }
    found.extend(supply.null.map(Recipe::Leaf));
    found
}

/// The plainest constants of a kind, and some of those in the code.
fn constants(search: &mut Search<'_>, kind: Kind, ty: Type, plain: usize, mined: usize) -> Vec<Recipe> {
    let mut values: Vec<Constant> = kind.plain().into_iter().take(plain).collect();
    let in_code = search.library.constants().into_iter().filter(|c| Kind::of_constant(c) == Some(kind));
    let mined: Vec<Constant> = in_code.filter(|c| !values.contains(c)).take(mined).collect();
    values.extend(mined);
    let ops = values.into_iter().map(|value| search.catalog.constant(search.library, value, ty.clone()));
    ops.collect::<Vec<_>>().into_iter().map(Recipe::Leaf).collect()
}
