//! Stack-map frames of built methods. Owns their encoding; the maker of a label says which shape it has.

use super::{PoolBuilder, put_u16};
use crate::names::{FieldType, Primitive};

/// The type of one value in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    Top,
    Int,
    Float,
    Long,
    Double,
    Null,
    /// Internal name, or the descriptor of an array.
    Object(String),
}

impl Slot {
    pub fn of(field_type: &FieldType) -> Slot {
        match field_type {
            FieldType::Primitive(Primitive::Long) => Slot::Long,
            FieldType::Primitive(Primitive::Float) => Slot::Float,
            FieldType::Primitive(Primitive::Double) => Slot::Double,
            FieldType::Primitive(_) => Slot::Int,
            FieldType::Class(name) => Slot::Object(name.internal().to_owned()),
            FieldType::Array(_) => Slot::Object(field_type.to_string()),
        }
    }

    pub(super) fn width(&self) -> usize {
        if matches!(self, Slot::Long | Slot::Double) { 2 } else { 1 }
    }

    fn write(&self, pool: &mut PoolBuilder, out: &mut Vec<u8>) {
        match self {
            Slot::Top => out.push(0),
            Slot::Int => out.push(1),
            Slot::Float => out.push(2),
            Slot::Double => out.push(3),
            Slot::Long => out.push(4),
            Slot::Null => out.push(5),
            Slot::Object(operand) => {
                out.push(7);
                let class = pool.class(operand);
                put_u16(out, class);
            }
        }
    }
}

/// What holds at a label beyond the method's own parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Local variables behind the parameters.
    pub locals: Vec<Slot>,
    pub stack: Vec<Slot>,
}

impl Frame {
    pub(super) fn stack_width(&self) -> usize {
        self.stack.iter().map(Slot::width).sum()
    }
}

/// The body of a `StackMapTable`: frames sorted by position, one per position. `plain` says whether the frame implied
/// at method entry already equals the parameters (false in constructors, where `this` is not yet an object).
pub(super) fn write_table(frames: &[(usize, &Frame)], params: &[Slot], plain: bool, pool: &mut PoolBuilder) -> Vec<u8> {
    let mut out = Vec::new();
    put_u16(&mut out, frames.len() as u16);
    let mut previous: Option<usize> = None;
    let mut locals_are_params = plain;
    for (at, frame) in frames {
        let delta = match previous {
            None => *at,
            Some(p) => at - p - 1,
        } as u16;
        previous = Some(*at);
        let same_locals = locals_are_params && frame.locals.is_empty();
        match (same_locals, frame.stack.as_slice()) {
            (true, []) if delta < 64 => out.push(delta as u8),
            (true, []) => {
                out.push(251);
                put_u16(&mut out, delta);
            }
            (true, [only]) => {
                if delta < 64 {
                    out.push(64 + delta as u8);
                } else {
                    out.push(247);
                    put_u16(&mut out, delta);
                }
                only.write(pool, &mut out);
            }
            _ => {
                out.push(255);
                put_u16(&mut out, delta);
                put_u16(&mut out, (params.len() + frame.locals.len()) as u16);
                for slot in params.iter().chain(&frame.locals) {
                    slot.write(pool, &mut out);
                }
                put_u16(&mut out, frame.stack.len() as u16);
                for slot in &frame.stack {
                    slot.write(pool, &mut out);
                }
            }
        }
        locals_are_params = frame.locals.is_empty();
    }
    out
}
