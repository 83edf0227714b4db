//! The verifier: says what is wrong with a sequence before anybody runs or writes it. Owns the invariants; repairs nothing.
//!
//! A sequence is valid if all of this holds, in the words of [`Rule`]:
//! - it has at most the given number of statements, never more than [`Sequence::MAX_LEN`];
//! - every operation number is in the table;
//! - every argument is the value of an earlier statement, and that statement is not void;
//! - there are as many arguments as the operation has parameters;
//! - each argument's type fits its parameter ([`Subtyping::fits`]: subclassing, generic arguments, raw types unchecked); the constant
//!   null fits every reference type; primitives are never converted;
//! - receivers, outer instances and arrays that are stored to or loaded from are not the constant null;
//! - an operation agrees with itself: its descriptor can be read, has its parameters (erased types fit), a result that a cast from the erased
//!   result can give; parameters are not void;
//! - a constant is a value of its declared type (a primitive, its box or a supertype of that; a string; a class; an enum constant of an enum);
//! - array operations are about arrays: lengths are given for one to all dimensions, a literal has as many parameters as elements, each fitting
//!   the element type, stores fit the element type, loads give it;
//! - a cast goes between reference types that some object can have at once, and is not from the constant null;
//! - a lambda's interface is functional, `method` and `descriptor` are its abstract method's, and its body gives what the method needs: a
//!   constant or parameter that fits the result, nothing for void methods only.

mod shape;

use std::fmt;

use crate::operation::{Operation, OperationKind, Operations};
use crate::sequence::{Sequence, Var};
use crate::subtyping::Subtyping;
use crate::types::Type;
use crate::value::Constant;

/// A rule broken by a statement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("statement {statement}: {rule}")]
pub struct Problem {
    pub statement: usize,
    pub rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    TooLong { limit: usize },
    UnknownOperation,
    ArgumentNotEarlier { arg: Var },
    ArgumentIsVoid { arg: Var },
    Arity { expected: usize, found: usize },
    ArgumentType { position: usize, have: Type, want: Type },
    NullReceiver,
    Descriptor { why: &'static str },
    ConstantType,
    ArrayShape { why: &'static str },
    ImplausibleCast,
    LambdaShape { why: &'static str },
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::TooLong { limit } => write!(f, "the sequence has more than {limit} statements"),
            Rule::UnknownOperation => f.write_str("the operation is not in the table"),
            Rule::ArgumentNotEarlier { arg } => {
                write!(f, "v{} is not made by an earlier statement", arg.0)
            }
            Rule::ArgumentIsVoid { arg } => write!(f, "v{} holds no value", arg.0),
            Rule::Arity { expected, found } => write!(f, "takes {expected} arguments, has {found}"),
            Rule::ArgumentType { position, have, want } => {
                write!(f, "argument {position} is {have}, which does not fit {want}")
            }
            Rule::NullReceiver => f.write_str("the receiver is always null"),
            Rule::Descriptor { why } => {
                write!(f, "the operation disagrees with its descriptor: {why}")
            }
            Rule::ConstantType => f.write_str("the constant is no value of its type"),
            Rule::ArrayShape { why } => write!(f, "the array operation is malformed: {why}"),
            Rule::ImplausibleCast => f.write_str("no object can be of both types of the cast"),
            Rule::LambdaShape { why } => write!(f, "the lambda is malformed: {why}"),
        }
    }
}

/// All broken rules, in order of statements. Empty: the sequence is valid.
pub fn verify(sequence: &Sequence, operations: &Operations, subtyping: &Subtyping<'_>, limit: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    let limit = limit.min(Sequence::MAX_LEN);
    if sequence.len() > limit {
        problems.push(Problem { statement: limit, rule: Rule::TooLong { limit } });
    }
    for (number, statement) in sequence.statements().iter().enumerate() {
        let mut report = |rule| problems.push(Problem { statement: number, rule });
        let Some(operation) = (statement.op.index() < operations.len()).then(|| operations.get(statement.op)) else {
            report(Rule::UnknownOperation);
            continue;
        };
        if let Err(rule) = shape::check(operation, subtyping) {
            report(rule);
        }
        if statement.args.len() != operation.params.len() {
            report(Rule::Arity { expected: operation.params.len(), found: statement.args.len() });
        }
        for (position, (arg, want)) in statement.args.iter().zip(&operation.params).enumerate() {
            match argument(sequence, operations, number, *arg) {
                Err(rule) => report(rule),
                Ok(made_by) if is_null(made_by) && want.is_reference() => {
                    if position == 0 && needs_object(operation) {
                        report(Rule::NullReceiver);
                    }
                }
                Ok(made_by) if !subtyping.fits(&made_by.result, want) => {
                    report(Rule::ArgumentType { position, have: made_by.result.clone(), want: want.clone() });
                }
                Ok(_) => {}
            }
        }
    }
    problems
}

/// Whether an operation by itself obeys the rules.
pub fn verify_operation(operation: &Operation, subtyping: &Subtyping<'_>) -> Result<(), Rule> {
    shape::check(operation, subtyping)
}

fn argument<'o>(sequence: &Sequence, operations: &'o Operations, user: usize, arg: Var) -> Result<&'o Operation, Rule> {
    let maker = sequence.statements()[..user].get(arg.index()).ok_or(Rule::ArgumentNotEarlier { arg })?;
    if maker.op.index() >= operations.len() {
        return Err(Rule::UnknownOperation);
    }
    let made_by = operations.get(maker.op);
    if made_by.result == Type::Void { Err(Rule::ArgumentIsVoid { arg }) } else { Ok(made_by) }
}

fn is_null(operation: &Operation) -> bool {
    matches!(operation.kind, OperationKind::Constant(Constant::Null))
}

/// The first argument is followed, so null makes no sense there.
fn needs_object(operation: &Operation) -> bool {
    match &operation.kind {
        OperationKind::Construct { inner, .. } => *inner,
        OperationKind::StoreElement { .. } | OperationKind::LoadElement { .. } | OperationKind::Cast => true,
        _ => operation.has_receiver(),
    }
}

#[cfg(test)]
mod tests;
