//! Values of the machine as executions show them, with the worker's limits. Owns the conversion; runs no code of the
//! program.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType, Primitive};
use testcase::value::{JavaString, Value};

use super::class::ClassId;
use super::heap::Ref;
use super::machine::Machine;
use super::shape::Look;

const DEPTH: u32 = 4;
const ELEMENTS: u32 = 4096;

/// How much of large values is shown.
struct Room {
    longest: usize,
    largest: u32,
    elements: u32,
}

impl Room {
    fn new(whole: bool) -> Room {
        Room {
            longest: if whole { 30_000 } else { 1_000 },
            largest: if whole { 1_000 } else { 64 },
            elements: ELEMENTS,
        }
    }
}

impl Machine {
    /// A reference's value, if it says more than its class.
    pub(super) fn telling_value(&mut self, value: Ref, whole: bool) -> Option<Value> {
        if value == 0 {
            return Some(Value::Null);
        }
        let class = self.class_of(value);
        let look = self.shape_of(class).look;
        let telling = !matches!(look, Look::Object | Look::Printed | Look::Opaque);
        telling.then(|| self.value_of(value, &mut Room::new(whole), 0))
    }

    /// A reference's value, whether or not it says more than its class.
    pub(super) fn any_value(&mut self, value: Ref) -> Value {
        self.value_of(value, &mut Room::new(false), 0)
    }

    fn value_of(&mut self, value: Ref, room: &mut Room, depth: u32) -> Value {
        if value == 0 {
            return Value::Null;
        }
        let class = self.class_of(value);
        match self.shape_of(class).look {
            Look::Box(letter) => Value::Boxed(Box::new(primitive_value(letter, self.heap.slot(value, 0)))),
            Look::Text => {
                let units = self.string_units(value);
                if units.len() > room.longest {
                    Value::LongString { length: units.len() as u32 }
                } else {
                    Value::String(JavaString::new(&units))
                }
            }
            Look::Class => match self.field_type(self.mirrored(value)) {
                Some(class) => Value::Class(class),
                None => self.object_value(class),
            },
            Look::Enum => {
                let name = self.enum_name(value).map(|n| self.string_text(n)).unwrap_or_default();
                let declaring = self.declaring_enum(class);
                Value::Enum { class: ClassName::new(self.visible_name(declaring)), name: Arc::from(name) }
            }
            Look::References | Look::Primitives(_) if depth < DEPTH => self.array_value(value, class, room, depth),
            _ => self.object_value(class),
        }
    }

    fn object_value(&self, class: ClassId) -> Value {
        Value::Object { class: ClassName::new(self.visible_name(class)) }
    }

    fn array_value(&mut self, array: Ref, class: ClassId, room: &mut Room, depth: u32) -> Value {
        let length = self.heap.length(array) as u32;
        let Some(array_type) = self.field_type(class) else { return self.object_value(class) };
        if length > room.largest || length > room.elements {
            return Value::LongArray { class: array_type, length };
        }
        room.elements -= length;
        let look = self.shape_of(class).look;
        let elements = (0..length)
            .map(|i| {
                let word = self.heap.slot(array, i);
                match look {
                    Look::Primitives(letter) => primitive_value(letter, word),
                    _ => self.value_of(word as Ref, room, depth + 1),
                }
            })
            .collect();
        Value::Array { class: array_type, elements }
    }

    /// Constants with a body of their own are of a subclass of their enum class.
    fn declaring_enum(&self, class: ClassId) -> ClassId {
        match self.class(class).superclass {
            Some(up) if &**self.class_name(up) != "java/lang/Enum" => up,
            _ => class,
        }
    }

    /// A class as an erased type; `None` for `void`.
    pub(super) fn field_type(&self, class: ClassId) -> Option<FieldType> {
        let name = self.visible_name(class);
        if self.class(class).is_primitive() {
            return Primitive::ALL.into_iter().find(|p| p.keyword() == name).map(FieldType::Primitive);
        }
        if self.class(class).is_array() {
            FieldType::parse(&name)
        } else {
            Some(FieldType::Class(ClassName::new(name)))
        }
    }
}

/// A primitive by its descriptor's letter.
pub(super) fn primitive_value(letter: u8, bits: u64) -> Value {
    match letter {
        b'Z' => Value::Boolean(bits & 1 != 0),
        b'B' => Value::Byte(bits as i8),
        b'C' => Value::Char(bits as u16),
        b'S' => Value::Short(bits as i16),
        b'I' => Value::Int(bits as i32),
        b'J' => Value::Long(bits as i64),
        // All NaNs are one.
        b'F' if f32::from_bits(bits as u32).is_nan() => Value::Float(0x7fc0_0000),
        b'F' => Value::Float(bits as u32),
        _ if f64::from_bits(bits).is_nan() => Value::Double(0x7ff8_0000_0000_0000),
        _ => Value::Double(bits),
    }
}
