//! Reading the text form. Owns turning lines into statements and claims; problems name line and column.

use std::sync::Arc;

use super::TextProblem;
use super::constants::{constant, contract, value};
use super::defaults::implied;
use super::lexer::{Line, Parsed};
use crate::assertion::{Assertion, Expectation, TestCase};
use crate::operation::{Lambda, LambdaBody, Operation, OperationKind, Operations};
use crate::sequence::{Sequence, Statement};
use crate::types::Type;

/// Reads statements only; operations get numbers in `operations`.
pub fn parse_sequence(text: &str, operations: &mut Operations) -> Result<Sequence, TextProblem> {
    let mut statements = Vec::new();
    for mut line in lines(text) {
        statement(&mut line, &mut statements, operations)?;
    }
    Ok(Sequence::new(statements))
}

/// Reads statements, assertions and the expectation (`expect passes` if none is written).
pub fn parse_test(text: &str, operations: &mut Operations) -> Result<TestCase, TextProblem> {
    let mut statements = Vec::new();
    let mut assertions = Vec::new();
    let mut expectation = None;
    let mut subject = None;
    for mut line in lines(text) {
        if line.eat_word("assert") {
            assertions.push(assertion(&mut line)?);
        } else if line.eat_word("expect") {
            if expectation.is_some() {
                return line.fail("only one expectation");
            }
            expectation = Some(self::expectation(&mut line)?);
        } else if line.eat_word("about") {
            match line.eat_var()? {
                Some(var) if subject.is_none() => subject = Some(var),
                Some(_) => return line.fail("only one subject"),
                None => return line.fail("the variable of the statement the test is about"),
            }
        } else {
            statement(&mut line, &mut statements, operations)?;
        }
        end(&mut line)?;
    }
    Ok(TestCase {
        sequence: Sequence::new(statements),
        assertions,
        expectation: expectation.unwrap_or(Expectation::Passes),
        subject,
    })
}

/// Lines with something on them, comments left out.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let filled = |(_, l): &(usize, &str)| !l.trim_start().is_empty() && !l.trim_start().starts_with('#');
    text.split('\n')
        .map(|l| l.strip_suffix('\r').unwrap_or(l))
        .enumerate()
        .filter(filled)
        .map(|(i, l)| Line::new(l, i + 1))
}

fn end(line: &mut Line<'_>) -> Parsed<()> {
    if line.at_end() { Ok(()) } else { line.fail("the end of the line") }
}

fn statement(line: &mut Line<'_>, statements: &mut Vec<Statement>, operations: &mut Operations) -> Parsed<()> {
    let here = statements.len();
    if here >= Sequence::MAX_LEN {
        return line.fail(format!("at most {} statements", Sequence::MAX_LEN));
    }
    match line.eat_var()? {
        Some(var) if var.index() == here => {}
        _ => return line.fail(format!("the statement that makes v{here}")),
    }
    line.expect('=')?;
    let kind = kind(line)?;
    let args = line.vars()?;
    let (params, result) = types(line, &kind)?;
    end(line)?;
    let op = operations.intern(Operation { kind, params, result });
    statements.push(Statement::new(op, &args));
    Ok(())
}

/// What is behind ` : `, completed by what the kind implies.
fn types(line: &mut Line<'_>, kind: &OperationKind) -> Parsed<(Vec<Type>, Type)> {
    if !line.eat(':') {
        return implied(kind, None).map_or_else(|| line.fail("` : ` and the types of the operation"), Ok);
    }
    if !line.eat('(') {
        let result = line.type_()?;
        return match implied(kind, Some(&result)) {
            Some((params, _)) => Ok((params, result)),
            None => line.fail("the types of the parameters too"),
        };
    }
    let mut params = Vec::new();
    while !line.eat(')') {
        if !params.is_empty() {
            line.expect(',')?;
        }
        params.push(line.type_()?);
    }
    line.expect('-')?;
    line.expect('>')?;
    Ok((params, line.type_()?))
}

fn kind(line: &mut Line<'_>) -> Parsed<OperationKind> {
    let word = line.word("an operation")?;
    if let Some(constant) = constant(word, line) {
        return constant.map(OperationKind::Constant);
    }
    Ok(match word {
        "new" => {
            let (varargs, inner) = (line.eat_word("varargs"), line.eat_word("inner"));
            let class = line.class_name()?;
            OperationKind::Construct { class, descriptor: line.descriptor()?, varargs, inner }
        }
        "call" => {
            let is_static = line.eat_word("static");
            let (owner_is_interface, varargs) = (line.eat_word("interface"), line.eat_word("varargs"));
            let (owner, name) = line.member()?;
            OperationKind::Call { owner, name, descriptor: line.descriptor()?, is_static, owner_is_interface, varargs }
        }
        "get" | "set" => {
            let is_static = line.eat_word("static");
            let (owner, name) = line.member()?;
            let field_type = line.field_type()?;
            if word == "get" {
                OperationKind::ReadField { owner, name, field_type, is_static }
            } else {
                OperationKind::WriteField { owner, name, field_type, is_static }
            }
        }
        "array" => {
            let mut lengths = Vec::new();
            while line.eat('[') {
                lengths.push(line.number("a length")?);
                line.expect(']')?;
            }
            OperationKind::NewArray { lengths }
        }
        "elements" => OperationKind::ArrayLiteral { length: line.number("a length")? },
        "store" => OperationKind::StoreElement { index: line.number("an index")? },
        "load" => OperationKind::LoadElement { index: line.number("an index")? },
        "cast" => OperationKind::Cast,
        "lambda" => OperationKind::Lambda(lambda(line)?),
        _ => return line.fail("an operation"),
    })
}

fn lambda(line: &mut Line<'_>) -> Parsed<Lambda> {
    let (interface, method) = line.member()?;
    let descriptor = line.descriptor()?;
    let exact = if line.eat_word("taking") { line.descriptor()? } else { descriptor.clone() };
    let body = match line.word("a lambda body")? {
        "nothing" => LambdaBody::Nothing,
        "parameter" => LambdaBody::Parameter(line.number("a parameter number")?),
        "gives" => {
            let word = line.word("a constant")?;
            match constant(word, line) {
                Some(c) => LambdaBody::Constant(c?),
                None => return line.fail("a constant"),
            }
        }
        "reference" => {
            let (is_static, owner_is_interface) = (line.eat_word("static"), line.eat_word("interface"));
            let (owner, name) = line.member()?;
            LambdaBody::Reference { owner, name, descriptor: line.descriptor()?, is_static, owner_is_interface }
        }
        _ => return line.fail("one of nothing, gives, parameter, reference"),
    };
    Ok(Lambda { interface, method, descriptor, exact, body })
}

fn assertion(line: &mut Line<'_>) -> Parsed<Assertion> {
    let var = line.var()?;
    Ok(match line.word("an assertion")? {
        "equals" => Assertion::Equals { var, value: value(line, 0)? },
        "contains" => Assertion::ArrayEquals { var, value: value(line, 0)? },
        "notnull" => Assertion::NotNull { var },
        "same" => Assertion::Same { left: var, right: line.var()?, same: true },
        "notsame" => Assertion::Same { left: var, right: line.var()?, same: false },
        "isa" => Assertion::InstanceOf { var, class: line.class_name()? },
        _ => return line.fail("one of equals, contains, notnull, same, notsame, isa"),
    })
}

fn expectation(line: &mut Line<'_>) -> Parsed<Expectation> {
    Ok(match line.word("an expectation")? {
        "passes" => Expectation::Passes,
        "throws" => {
            let class = line.class_name()?;
            let message: Option<Arc<str>> = if line.at_end() {
                None
            } else {
                let units = line.quoted()?;
                match String::from_utf16(&units) {
                    Ok(text) => Some(Arc::from(text)),
                    Err(_) => return line.fail("a message without lone surrogates"),
                }
            };
            Expectation::Throws { class, message }
        }
        "breaks" => {
            let contract = contract(line)?;
            Expectation::Breaks { contract, vars: line.vars()? }
        }
        "bad" => Expectation::BadException { class: line.class_name()? },
        _ => return line.fail("one of passes, throws, breaks, bad"),
    })
}
