//! Constants and local variables, in the shortest form there is. Owns the choice of form.

use super::{Code, Op};
use crate::assemble::put_u16;
use crate::class_info::ConstantValue;
use crate::instruction::opcode as op;
use crate::names::FieldType;

impl Code<'_> {
    /// An `int` (also `boolean`, `byte`, `char`, `short`) in the shortest form.
    pub fn push_int(&mut self, value: i32) {
        match value {
            -1..=5 => self.bytes.push((i32::from(op::ICONST_0) + value) as u8),
            -128..=127 => self.bytes.extend([op::BIPUSH, value as u8]),
            -32768..=32767 => {
                self.bytes.push(op::SIPUSH);
                self.bytes.extend((value as i16).to_be_bytes());
            }
            _ => {
                let index = self.pool.int(value);
                self.ldc(index);
            }
        }
        self.effect(0, 1);
    }

    pub fn push_long(&mut self, value: i64) {
        match value {
            0 | 1 => self.bytes.push(op::LCONST_0 + value as u8),
            -32768..=32767 => {
                self.push_int(value as i32);
                self.op(Op::I2l);
                return;
            }
            _ => {
                let index = self.pool.long(value);
                self.op_u16(op::LDC2_W, index);
            }
        }
        self.effect(0, 2);
    }

    /// By bits, so that every NaN and −0.0 survives.
    pub fn push_float_bits(&mut self, bits: u32) {
        match [0.0f32, 1.0, 2.0].iter().position(|f| f.to_bits() == bits) {
            Some(short) => self.bytes.push(op::FCONST_0 + short as u8),
            None => {
                let index = self.pool.float_bits(bits);
                self.ldc(index);
            }
        }
        self.effect(0, 1);
    }

    pub fn push_double_bits(&mut self, bits: u64) {
        match [0.0f64, 1.0].iter().position(|d| d.to_bits() == bits) {
            Some(short) => self.bytes.push(op::DCONST_0 + short as u8),
            None => {
                let index = self.pool.double_bits(bits);
                self.op_u16(op::LDC2_W, index);
            }
        }
        self.effect(0, 2);
    }

    pub fn push_string(&mut self, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.push_string_utf16(&units);
    }

    pub fn push_string_utf16(&mut self, units: &[u16]) {
        let index = self.pool.string(units);
        self.ldc(index);
        self.effect(0, 1);
    }

    /// A class literal; primitives come from their box class's `TYPE`.
    pub fn push_class(&mut self, class: &FieldType) {
        match class {
            FieldType::Primitive(p) => self.get_static(p.box_class(), "TYPE", "Ljava/lang/Class;"),
            _ => {
                let index = self.pool.constant(&ConstantValue::Class(class.clone()));
                self.ldc(index);
                self.effect(0, 1);
            }
        }
    }

    pub fn push_constant(&mut self, value: &ConstantValue) {
        match value {
            ConstantValue::Int(v) => self.push_int(*v),
            ConstantValue::Long(v) => self.push_long(*v),
            ConstantValue::Float(bits) => self.push_float_bits(*bits),
            ConstantValue::Double(bits) => self.push_double_bits(*bits),
            ConstantValue::String(units) => self.push_string_utf16(units),
            ConstantValue::Class(class) => self.push_class(class),
        }
    }

    pub fn push_null(&mut self) {
        self.op(Op::AconstNull);
    }

    fn ldc(&mut self, index: u16) {
        match u8::try_from(index) {
            Ok(short) => self.bytes.extend([op::LDC, short]),
            Err(_) => self.op_u16(op::LDC_W, index),
        }
    }

    pub fn load(&mut self, descriptor: &str, slot: u16) {
        let kind = kind_of(descriptor);
        self.local(op::ILOAD, op::ILOAD_0, kind, slot);
        self.effect(0, kind.width());
    }

    pub fn store(&mut self, descriptor: &str, slot: u16) {
        let kind = kind_of(descriptor);
        self.local(op::ISTORE, op::ISTORE_0, kind, slot);
        self.effect(kind.width(), 0);
    }

    pub fn increment(&mut self, slot: u16, by: i16) {
        match (u8::try_from(slot), i8::try_from(by)) {
            (Ok(slot), Ok(by)) => self.bytes.extend([op::IINC, slot, by as u8]),
            _ => {
                self.bytes.extend([op::WIDE, op::IINC]);
                put_u16(&mut self.bytes, slot);
                put_u16(&mut self.bytes, by as u16);
            }
        }
        self.max_locals = self.max_locals.max(usize::from(slot) + 1);
        self.effect(0, 0);
    }

    fn local(&mut self, general: u8, short: u8, kind: Kind, slot: u16) {
        self.max_locals = self.max_locals.max(usize::from(slot) + kind.width());
        match slot {
            0..=3 => self.bytes.push(short + 4 * kind as u8 + slot as u8),
            4..=255 => self.bytes.extend([general + kind as u8, slot as u8]),
            _ => {
                self.bytes.push(op::WIDE);
                self.op_u16(general + kind as u8, slot);
            }
        }
    }
}

/// The five kinds of local variable, in opcode order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    pub(super) fn width(self) -> usize {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }
}

pub(super) fn kind_of(descriptor: &str) -> Kind {
    match descriptor.as_bytes().first() {
        Some(b'Z' | b'B' | b'C' | b'S' | b'I') => Kind::Int,
        Some(b'J') => Kind::Long,
        Some(b'F') => Kind::Float,
        Some(b'D') => Kind::Double,
        _ => Kind::Reference,
    }
}

pub(super) fn width_of(descriptor: &str) -> usize {
    kind_of(descriptor).width()
}
