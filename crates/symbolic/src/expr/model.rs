//! Models: values for inputs. Owns concrete values and what an absent input means (zero, or an array of zeros).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{InputId, Term, Terms};

/// A concrete array: what differs from the rest, and the rest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ArrayValue {
    entries: BTreeMap<u32, u64>,
    rest: u64,
}

impl ArrayValue {
    pub fn filled(rest: u64) -> ArrayValue {
        ArrayValue { entries: BTreeMap::new(), rest }
    }

    pub fn get(&self, index: u32) -> u64 {
        self.entries.get(&index).copied().unwrap_or(self.rest)
    }

    /// Equal arrays stay equal: an entry like the rest is not kept.
    pub fn set(&mut self, index: u32, value: u64) {
        if value == self.rest {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    pub fn entries(&self) -> impl Iterator<Item = (u32, u64)> {
        self.entries.iter().map(|(&index, &value)| (index, value))
    }

    pub fn rest(&self) -> u64 {
        self.rest
    }
}

/// A concrete value: the bits of a scalar, or an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Scalar(u64),
    Array(Arc<ArrayValue>),
}

impl Value {
    /// The bits of a scalar; 0 for an array.
    pub fn bits(&self) -> u64 {
        match self {
            Value::Scalar(bits) => *bits,
            Value::Array(_) => 0,
        }
    }

    pub fn as_bool(&self) -> bool {
        self.bits() == 1
    }

    pub fn as_int(&self) -> i32 {
        self.bits() as u32 as i32
    }

    pub fn as_long(&self) -> i64 {
        self.bits() as i64
    }

    pub fn as_float(&self) -> f32 {
        f32::from_bits(self.bits() as u32)
    }

    pub fn as_double(&self) -> f64 {
        f64::from_bits(self.bits())
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Scalar(_) => None,
            Value::Array(array) => Some(array),
        }
    }
}

/// Values for inputs. Inputs without one are zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Model {
    values: BTreeMap<InputId, Value>,
}

impl Model {
    pub fn get(&self, input: InputId) -> Option<&Value> {
        self.values.get(&input)
    }

    pub fn set(&mut self, input: InputId, value: Value) {
        self.values.insert(input, value);
    }

    pub fn set_bits(&mut self, input: InputId, bits: u64) {
        self.set(input, Value::Scalar(bits));
    }

    /// The bits of a scalar input.
    pub fn bits(&self, input: InputId) -> u64 {
        self.values.get(&input).map_or(0, Value::bits)
    }

    pub fn iter(&self) -> impl Iterator<Item = (InputId, &Value)> {
        self.values.iter().map(|(&input, value)| (input, value))
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Takes over the other's values; where both have one, the other's.
    pub fn extend(&mut self, other: &Model) {
        self.values.extend(other.values.iter().map(|(&input, value)| (input, value.clone())));
    }
}

impl Terms {
    /// The value of a term under a model. For many terms under one model, [`super::Evaluator`] is faster.
    pub fn eval(&self, term: Term, model: &Model) -> Value {
        super::Evaluator::default().value(self, model, term)
    }
}
