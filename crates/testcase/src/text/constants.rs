//! Constants, observed values and contracts in the text form. Owns their spelling in both directions.

use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

use bytecode::names::FieldType;

use super::lexer::{Line, Parsed};
use super::{write_descriptor, write_name, write_quoted};
use crate::execution::Contract;
use crate::value::{Constant, JavaString, Value};

pub fn write_constant(out: &mut String, c: &Constant) -> fmt::Result {
    match c {
        Constant::Null => out.write_str("null"),
        Constant::Boolean(v) => write!(out, "boolean {v}"),
        Constant::Byte(v) => write!(out, "byte {v}"),
        Constant::Char(v) => {
            out.write_str("char ")?;
            write_quoted(out, &[*v])
        }
        Constant::Short(v) => write!(out, "short {v}"),
        Constant::Int(v) => write!(out, "int {v}"),
        Constant::Long(v) => write!(out, "long {v}"),
        Constant::Float(bits) => {
            let v = f32::from_bits(*bits);
            if v.is_nan() { write!(out, "float bits {bits:08x}") } else { write!(out, "float {v:?}") }
        }
        Constant::Double(bits) => {
            let v = f64::from_bits(*bits);
            if v.is_nan() { write!(out, "double bits {bits:016x}") } else { write!(out, "double {v:?}") }
        }
        Constant::String(s) => {
            out.write_str("string ")?;
            write_quoted(out, s.units())
        }
        Constant::Class(t) => {
            out.write_str("class ")?;
            write_descriptor(out, &t.to_string())
        }
        Constant::Enum { class, name } => {
            out.write_str("enum ")?;
            write_name(out, class.internal())?;
            out.write_str(".")?;
            write_name(out, name)
        }
    }
}

/// The constant that begins with this word; `None` if no constant does.
pub fn constant(word: &str, line: &mut Line<'_>) -> Option<Parsed<Constant>> {
    Some(match word {
        "null" => Ok(Constant::Null),
        "boolean" => line.word("true or false").and_then(|w| match w {
            "true" => Ok(Constant::Boolean(true)),
            "false" => Ok(Constant::Boolean(false)),
            _ => line.fail("true or false"),
        }),
        "byte" => line.number("a byte").map(Constant::Byte),
        "short" => line.number("a short").map(Constant::Short),
        "int" => line.number("an int").map(Constant::Int),
        "long" => line.number("a long").map(Constant::Long),
        "char" => line.quoted().and_then(|units| match units.as_slice() {
            [unit] => Ok(Constant::Char(*unit)),
            _ => line.fail("one UTF-16 unit in quotes"),
        }),
        "float" => float(line, f32::to_bits, |hex| u32::from_str_radix(hex, 16).ok()).map(Constant::Float),
        "double" => float(line, f64::to_bits, |hex| u64::from_str_radix(hex, 16).ok()).map(Constant::Double),
        "string" => line.quoted().map(|units| Constant::String(JavaString::new(&units))),
        "class" => line.field_type().map(Constant::Class),
        "enum" => line.member().map(|(class, name)| Constant::Enum { class, name }),
        _ => return None,
    })
}

fn float<F: std::str::FromStr, B>(line: &mut Line<'_>, bits: fn(F) -> B, hex: fn(&str) -> Option<B>) -> Parsed<B> {
    let word = line.word("a number")?;
    let parsed = if word == "bits" { hex(line.word("bits in hexadecimal")?) } else { word.parse().ok().map(bits) };
    parsed.map_or_else(|| line.fail("a floating-point number"), Ok)
}

pub fn write_value(out: &mut String, v: &Value) -> fmt::Result {
    match v {
        Value::Boxed(inner) => {
            out.write_str("boxed ")?;
            write_value(out, inner)
        }
        Value::LongString { length } => write!(out, "longstring {length}"),
        Value::LongArray { class, length } => {
            out.write_str("longarray ")?;
            write_descriptor(out, &class.to_string())?;
            write!(out, " {length}")
        }
        Value::Object { class } => {
            out.write_str("object ")?;
            write_name(out, class.internal())
        }
        Value::Array { class, elements } => {
            out.write_str("array ")?;
            write_descriptor(out, &class.to_string())?;
            out.write_str(" {")?;
            for (i, e) in elements.iter().enumerate() {
                out.write_str(if i == 0 { "" } else { ", " })?;
                write_value(out, e)?;
            }
            out.write_str("}")
        }
        _ => match plain(v) {
            Some(c) => write_constant(out, &c),
            // Every kind that is no constant has its own arm above.
            None => Err(fmt::Error),
        },
    }
}

/// A value that is a constant too.
pub fn plain(v: &Value) -> Option<Constant> {
    Some(match v {
        Value::Null => Constant::Null,
        Value::Boolean(v) => Constant::Boolean(*v),
        Value::Byte(v) => Constant::Byte(*v),
        Value::Char(v) => Constant::Char(*v),
        Value::Short(v) => Constant::Short(*v),
        Value::Int(v) => Constant::Int(*v),
        Value::Long(v) => Constant::Long(*v),
        Value::Float(v) => Constant::Float(*v),
        Value::Double(v) => Constant::Double(*v),
        Value::String(v) => Constant::String(v.clone()),
        Value::Class(v) => Constant::Class(v.clone()),
        Value::Enum { class, name } => Constant::Enum { class: class.clone(), name: name.clone() },
        Value::Boxed(_)
        | Value::LongString { .. }
        | Value::Array { .. }
        | Value::LongArray { .. }
        | Value::Object { .. } => return None,
    })
}

fn value_of(c: Constant) -> Value {
    match c {
        Constant::Null => Value::Null,
        Constant::Boolean(v) => Value::Boolean(v),
        Constant::Byte(v) => Value::Byte(v),
        Constant::Char(v) => Value::Char(v),
        Constant::Short(v) => Value::Short(v),
        Constant::Int(v) => Value::Int(v),
        Constant::Long(v) => Value::Long(v),
        Constant::Float(v) => Value::Float(v),
        Constant::Double(v) => Value::Double(v),
        Constant::String(v) => Value::String(v),
        Constant::Class(v) => Value::Class(v),
        Constant::Enum { class, name } => Value::Enum { class, name },
    }
}

/// `depth`: how many values are around it.
pub fn value(line: &mut Line<'_>, depth: usize) -> Parsed<Value> {
    if depth > 64 {
        return line.fail("a value that is not nested so deeply");
    }
    let word = line.word("a value")?;
    match word {
        "boxed" => Ok(Value::Boxed(Box::new(value(line, depth + 1)?))),
        "longstring" => Ok(Value::LongString { length: line.number("a length")? }),
        "object" => Ok(Value::Object { class: line.class_name()? }),
        "longarray" => {
            let class: FieldType = line.field_type()?;
            Ok(Value::LongArray { class, length: line.number("a length")? })
        }
        "array" => {
            let class = line.field_type()?;
            line.expect('{')?;
            let mut elements = Vec::new();
            while !line.eat('}') {
                if !elements.is_empty() {
                    line.expect(',')?;
                }
                elements.push(value(line, depth + 1)?);
            }
            Ok(Value::Array { class, elements })
        }
        word => match constant(word, line) {
            Some(c) => c.map(value_of),
            None => line.fail("a value"),
        },
    }
}

const CONTRACTS: [(&str, Contract); 14] = [
    ("equals-reflexive", Contract::EqualsReflexive),
    ("equals-null", Contract::EqualsNull),
    ("equals-symmetric", Contract::EqualsSymmetric),
    ("equals-hashcode", Contract::EqualsHashCode),
    ("equals-throws", Contract::EqualsThrows),
    ("hashcode-throws", Contract::HashCodeThrows),
    ("tostring-throws", Contract::ToStringThrows),
    ("tostring-null", Contract::ToStringNull),
    ("compareto-antisymmetric", Contract::CompareToAntisymmetric),
    ("compareto-transitive", Contract::CompareToTransitive),
    ("compareto-equals", Contract::CompareToEquals),
    ("compareto-reflexive", Contract::CompareToReflexive),
    ("clone-equals", Contract::CloneEquals),
    ("iterator-ends", Contract::IteratorEnds),
];

pub fn write_contract(out: &mut String, contract: &Contract) -> fmt::Result {
    if let Contract::User { class, method } = contract {
        out.write_str("user ")?;
        write_name(out, class.internal())?;
        out.write_str(".")?;
        return write_name(out, method);
    }
    let name = CONTRACTS.iter().find(|(_, c)| c == contract).map_or("", |(n, _)| n);
    out.write_str(name)
}

pub fn contract(line: &mut Line<'_>) -> Parsed<Contract> {
    let word = line.word("a contract")?;
    if word == "user" {
        let (class, method): (_, Arc<str>) = line.member()?;
        return Ok(Contract::User { class, method });
    }
    match CONTRACTS.iter().find(|(n, _)| *n == word) {
        Some((_, c)) => Ok(c.clone()),
        None => line.fail("a contract"),
    }
}
