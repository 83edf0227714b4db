//! Java values as data: the constants a sequence may contain and the values an execution shows.
//! Owns equality and order of both; never formats Java source (the writer does).

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType};

/// A Java string: UTF-16 units, lone surrogates allowed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JavaString(Arc<[u16]>);

impl JavaString {
    pub fn new(units: &[u16]) -> Self {
        JavaString(Arc::from(units))
    }
    pub fn units(&self) -> &[u16] {
        &self.0
    }
    /// With lone surrogates replaced; for messages only.
    pub fn lossy(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }
}

impl From<&str> for JavaString {
    fn from(s: &str) -> Self {
        JavaString(s.encode_utf16().collect())
    }
}

impl std::fmt::Debug for JavaString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.lossy())
    }
}

/// A constant statement's value. Floats are bits: NaN equals itself and −0.0 differs from 0.0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constant {
    Null,
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(JavaString),
    Class(FieldType),
    Enum { class: ClassName, name: Arc<str> },
}

/// What a variable held when the worker looked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(JavaString),
    /// A string longer than the worker sends whole.
    LongString {
        length: u32,
    },
    Class(FieldType),
    Enum {
        class: ClassName,
        name: Arc<str>,
    },
    /// A box: the same payload as the primitive it holds.
    Boxed(Box<Value>),
    /// An array whose elements were sent (all of them); elements are primitives, strings, boxes, enums, nulls, arrays or objects.
    Array {
        class: FieldType,
        elements: Vec<Value>,
    },
    /// An array too large to send.
    LongArray {
        class: FieldType,
        length: u32,
    },
    /// Any other object, by its run-time class.
    Object {
        class: ClassName,
    },
}
