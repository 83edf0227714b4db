//! The `.seq` text form of sequences and test cases: one statement per line, readable, diffable, exact in both directions.
//! Owns the grammar; says nothing about whether a sequence is valid (`verify` does) and is no Java.
//!
//! ```text
//! # comment
//! v0 = new demo/IntStack(I)V v1                        flags after `new`: varargs, inner
//! v1 = call demo/IntStack.push(I)V v0 v1               flags after `call`: static, interface, varargs
//! v2 = get demo/Point.x I v0                           field read and write; flag: static
//! v3 = set demo/Point.x I v0 v1
//! v4 = int 7 | string "a\u0000" | double -0.0 | null | class [I | enum demo/Color.RED
//! v5 = array [3][4] : int[][]                          lengths given
//! v6 = elements 2 v1 v1 : int[]
//! v7 = store 0 v6 v1 : (int[], int) -> void            also `load 0`
//! v8 = lambda java/util/function/Function.apply(Ljava/lang/Object;)Ljava/lang/Object; taking (Ljava/lang/String;)Ljava/lang/Object; parameter 0
//! v9 = cast v8 : (java/lang/Object) -> java/lang/String
//! assert v4 equals int 7
//! about v1                                             the statement the test is about, if not the last
//! expect throws java/util/NoSuchElementException "empty"
//! ```
//! Behind ` : ` stand the types of an operation wherever they are not what the rest of the line implies (generic ones): the result
//! alone, or all parameters and the result. Names with unusual characters are quoted.

mod constants;
mod defaults;
mod lexer;
mod parse;
mod print;

use std::fmt;

pub(crate) use constants::plain as constant_of;
pub use parse::{parse_sequence, parse_test};
pub use print::{print_operation, print_sequence, print_test};

/// Where and why a text is no sequence. Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}")]
pub struct TextProblem {
    pub line: usize,
    pub column: usize,
    pub expected: String,
}

/// Words that mean something where a name may stand.
const RESERVED: [&str; 14] = [
    "void",
    "boolean",
    "byte",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "static",
    "interface",
    "varargs",
    "inner",
    "extends",
];

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '/' | '-')
}

fn is_descriptor_char(c: char) -> bool {
    is_name_char(c) || matches!(c, '(' | ')' | '[' | ';')
}

/// A name, quoted if it could be taken for something else.
pub(crate) fn write_name(out: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if !name.is_empty() && name.chars().all(is_name_char) && !RESERVED.contains(&name) {
        return out.write_str(name);
    }
    write_quoted(out, &name.encode_utf16().collect::<Vec<_>>())
}

fn write_descriptor(out: &mut dyn fmt::Write, descriptor: &str) -> fmt::Result {
    if !descriptor.is_empty() && descriptor.chars().all(is_descriptor_char) {
        return out.write_str(descriptor);
    }
    write_quoted(out, &descriptor.encode_utf16().collect::<Vec<_>>())
}

/// UTF-16 units in quotes; what is not plainly printable as `\uXXXX`.
fn write_quoted(out: &mut dyn fmt::Write, units: &[u16]) -> fmt::Result {
    out.write_char('"')?;
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok('"') => out.write_str("\\\"")?,
            Ok('\\') => out.write_str("\\\\")?,
            Ok('\n') => out.write_str("\\n")?,
            Ok('\r') => out.write_str("\\r")?,
            Ok('\t') => out.write_str("\\t")?,
            Ok(c) if c == ' ' || c.is_alphanumeric() || c.is_ascii_graphic() => out.write_char(c)?,
            Ok(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
            Err(lone) => write!(out, "\\u{:04x}", lone.unpaired_surrogate())?,
        }
    }
    out.write_char('"')
}

#[cfg(test)]
mod tests;
