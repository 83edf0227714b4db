//! Printing the text form. Owns layout only; the grammar is described in the module above.

use std::fmt;
use std::fmt::Write as _;

use super::constants::{write_constant, write_contract, write_value};
use super::defaults::implied;
use super::{write_descriptor, write_name, write_quoted};
use crate::assertion::{Assertion, Expectation, TestCase};
use crate::operation::{LambdaBody, Operation, OperationKind, Operations};
use crate::sequence::{Sequence, Var};

/// One line per statement.
pub fn print_sequence(sequence: &Sequence, operations: &Operations) -> String {
    let mut out = String::new();
    for (i, statement) in sequence.statements().iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "v{i} = ")
            .and_then(|()| write_statement(&mut out, operations.get(statement.op), &statement.args));
        out.push('\n');
    }
    out
}

/// The sequence, then assertions, then what is expected.
pub fn print_test(test: &TestCase, operations: &Operations) -> String {
    let mut out = print_sequence(&test.sequence, operations);
    if let Some(subject) = test.subject {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "about v{}", subject.0);
    }
    for assertion in &test.assertions {
        // Writing to a string cannot fail.
        let _ = write_assertion(&mut out, assertion);
        out.push('\n');
    }
    let _ = write_expectation(&mut out, &test.expectation);
    out.push('\n');
    out
}

/// What a statement with this operation looks like, without values; for messages.
pub fn print_operation(operation: &Operation) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_statement(&mut out, operation, &[]);
    out
}

fn write_statement(out: &mut String, operation: &Operation, args: &[Var]) -> fmt::Result {
    write_kind(out, &operation.kind)?;
    for arg in args {
        write!(out, " v{}", arg.0)?;
    }
    let (params, result) = (&operation.params, &operation.result);
    // Where the parameters follow from the result, the result has to be written.
    let hidden = implied(&operation.kind, None);
    match implied(&operation.kind, Some(result)) {
        Some((p, r)) if p == *params && hidden.is_some() && r == *result => Ok(()),
        Some((p, _)) if p == *params => write!(out, " : {result}"),
        _ => {
            out.write_str(" : (")?;
            for (i, p) in params.iter().enumerate() {
                write!(out, "{}{p}", if i == 0 { "" } else { ", " })?;
            }
            write!(out, ") -> {result}")
        }
    }
}

fn write_kind(out: &mut String, kind: &OperationKind) -> fmt::Result {
    let flag = |set: bool, word: &'static str| if set { word } else { "" };
    match kind {
        OperationKind::Constant(c) => write_constant(out, c),
        OperationKind::Construct { class, descriptor, varargs, inner } => {
            write!(out, "new {}{}", flag(*varargs, "varargs "), flag(*inner, "inner "))?;
            write_name(out, class.internal())?;
            write_descriptor(out, descriptor)
        }
        OperationKind::Call { owner, name, descriptor, is_static, owner_is_interface, varargs } => {
            let (s, i, v) =
                (flag(*is_static, "static "), flag(*owner_is_interface, "interface "), flag(*varargs, "varargs "));
            write!(out, "call {s}{i}{v}")?;
            write_method(out, owner.internal(), name, descriptor)
        }
        OperationKind::ReadField { owner, name, field_type, is_static } => {
            write!(out, "get {}", flag(*is_static, "static "))?;
            write_field(out, owner.internal(), name, &field_type.to_string())
        }
        OperationKind::WriteField { owner, name, field_type, is_static } => {
            write!(out, "set {}", flag(*is_static, "static "))?;
            write_field(out, owner.internal(), name, &field_type.to_string())
        }
        OperationKind::NewArray { lengths } => {
            out.write_str("array ")?;
            lengths.iter().try_for_each(|l| write!(out, "[{l}]"))
        }
        OperationKind::ArrayLiteral { length } => write!(out, "elements {length}"),
        OperationKind::StoreElement { index } => write!(out, "store {index}"),
        OperationKind::LoadElement { index } => write!(out, "load {index}"),
        OperationKind::Cast => out.write_str("cast"),
        OperationKind::Lambda(lambda) => {
            out.write_str("lambda ")?;
            write_method(out, lambda.interface.internal(), &lambda.method, &lambda.descriptor)?;
            if lambda.exact != lambda.descriptor {
                out.write_str(" taking ")?;
                write_descriptor(out, &lambda.exact)?;
            }
            match &lambda.body {
                LambdaBody::Nothing => out.write_str(" nothing"),
                LambdaBody::Constant(c) => {
                    out.write_str(" gives ")?;
                    write_constant(out, c)
                }
                LambdaBody::Parameter(n) => write!(out, " parameter {n}"),
                LambdaBody::Reference { owner, name, descriptor, is_static, owner_is_interface } => {
                    write!(
                        out,
                        " reference {}{}",
                        flag(*is_static, "static "),
                        flag(*owner_is_interface, "interface ")
                    )?;
                    write_method(out, owner.internal(), name, descriptor)
                }
            }
        }
    }
}

fn write_method(out: &mut String, owner: &str, name: &str, descriptor: &str) -> fmt::Result {
    write_name(out, owner)?;
    out.write_str(".")?;
    write_name(out, name)?;
    write_descriptor(out, descriptor)
}

fn write_field(out: &mut String, owner: &str, name: &str, descriptor: &str) -> fmt::Result {
    write_name(out, owner)?;
    out.write_str(".")?;
    write_name(out, name)?;
    out.write_str(" ")?;
    write_descriptor(out, descriptor)
}

fn write_assertion(out: &mut String, assertion: &Assertion) -> fmt::Result {
    match assertion {
        Assertion::Equals { var, value } => {
            write!(out, "assert v{} equals ", var.0)?;
            write_value(out, value)
        }
        Assertion::ArrayEquals { var, value } => {
            write!(out, "assert v{} contains ", var.0)?;
            write_value(out, value)
        }
        Assertion::NotNull { var } => write!(out, "assert v{} notnull", var.0),
        Assertion::Same { left, right, same } => {
            write!(out, "assert v{} {} v{}", left.0, if *same { "same" } else { "notsame" }, right.0)
        }
        Assertion::InstanceOf { var, class } => {
            write!(out, "assert v{} isa ", var.0)?;
            write_name(out, class.internal())
        }
    }
}

fn write_expectation(out: &mut String, expectation: &Expectation) -> fmt::Result {
    match expectation {
        Expectation::Passes => out.write_str("expect passes"),
        Expectation::Throws { class, message } => {
            out.write_str("expect throws ")?;
            write_name(out, class.internal())?;
            if let Some(message) = message {
                out.write_str(" ")?;
                write_quoted(out, &message.encode_utf16().collect::<Vec<_>>())?;
            }
            Ok(())
        }
        Expectation::Breaks { contract, vars } => {
            out.write_str("expect breaks ")?;
            write_contract(out, contract)?;
            vars.iter().try_for_each(|v| write!(out, " v{}", v.0))
        }
        Expectation::BadException { class } => {
            out.write_str("expect bad ")?;
            write_name(out, class.internal())
        }
    }
}
