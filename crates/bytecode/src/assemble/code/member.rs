//! Fields, calls, objects, arrays and boxes. Owns their instructions and what they take from the stack.

use super::value::width_of;
use super::{Code, Op};
use crate::instruction::opcode as op;
use crate::names::{FieldType, MethodDescriptor, Primitive};

impl Code<'_> {
    pub fn get_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(op::GETSTATIC, owner, name, descriptor, 0, width_of(descriptor));
    }

    pub fn put_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(op::PUTSTATIC, owner, name, descriptor, width_of(descriptor), 0);
    }

    pub fn get_field(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(op::GETFIELD, owner, name, descriptor, 1, width_of(descriptor));
    }

    pub fn put_field(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(op::PUTFIELD, owner, name, descriptor, 1 + width_of(descriptor), 0);
    }

    fn field(&mut self, opcode: u8, owner: &str, name: &str, descriptor: &str, pops: usize, pushes: usize) {
        if FieldType::parse(descriptor).is_none() {
            self.bad_descriptor(descriptor);
        }
        let index = self.pool.field(owner, name, descriptor);
        self.op_u16(opcode, index);
        self.effect(pops, pushes);
    }

    pub fn invoke_virtual(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(op::INVOKEVIRTUAL, owner, false, name, descriptor);
    }

    /// A constructor, a superclass's method or a private method.
    pub fn invoke_special(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(op::INVOKESPECIAL, owner, false, name, descriptor);
    }

    pub fn invoke_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(op::INVOKESTATIC, owner, false, name, descriptor);
    }

    pub fn invoke_static_on_interface(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(op::INVOKESTATIC, owner, true, name, descriptor);
    }

    pub fn invoke_interface(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(op::INVOKEINTERFACE, owner, true, name, descriptor);
    }

    fn invoke(&mut self, opcode: u8, owner: &str, on_interface: bool, name: &str, descriptor: &str) {
        let Some(parsed) = MethodDescriptor::parse(descriptor) else {
            self.bad_descriptor(descriptor);
            return;
        };
        let index = self.pool.method(owner, on_interface, name, descriptor);
        self.op_u16(opcode, index);
        let receiver = usize::from(opcode != op::INVOKESTATIC);
        let pops = usize::from(parsed.params_width()) + receiver;
        if pops > 255 {
            self.too_many("the parameters of a call", pops, 255);
        }
        if opcode == op::INVOKEINTERFACE {
            self.bytes.extend([pops as u8, 0]);
        }
        self.effect(pops, parsed.result.as_ref().map_or(0, |r| usize::from(r.width())));
    }

    pub fn new_object(&mut self, class: &str) {
        self.class_op(op::NEW, class, 0, 1);
    }

    pub fn checkcast(&mut self, class: &str) {
        self.class_op(op::CHECKCAST, class, 1, 1);
    }

    pub fn instance_of(&mut self, class: &str) {
        self.class_op(op::INSTANCEOF, class, 1, 1);
    }

    fn class_op(&mut self, opcode: u8, class: &str, pops: usize, pushes: usize) {
        let index = self.pool.class(class);
        self.op_u16(opcode, index);
        self.effect(pops, pushes);
    }

    /// An array with elements of that type; the length is on the stack.
    pub fn new_array(&mut self, element: &FieldType) {
        match element {
            FieldType::Primitive(p) => {
                let code = match p {
                    Primitive::Boolean => 4,
                    Primitive::Char => 5,
                    Primitive::Float => 6,
                    Primitive::Double => 7,
                    Primitive::Byte => 8,
                    Primitive::Short => 9,
                    Primitive::Int => 10,
                    Primitive::Long => 11,
                };
                self.bytes.extend([op::NEWARRAY, code]);
                self.effect(1, 1);
            }
            FieldType::Class(name) => self.class_op(op::ANEWARRAY, name.internal(), 1, 1),
            FieldType::Array(_) => self.class_op(op::ANEWARRAY, &element.to_string(), 1, 1),
        }
    }

    /// An array of arrays; `array` is the type of the whole, `dimensions` lengths are on the stack.
    pub fn new_multi_array(&mut self, array: &FieldType, dimensions: u8) {
        let index = self.pool.class(&array.to_string());
        self.op_u16(op::MULTIANEWARRAY, index);
        self.bytes.push(dimensions);
        self.effect(usize::from(dimensions), 1);
    }

    /// Array, index → element.
    pub fn array_load(&mut self, element: &str) {
        self.op(match element.as_bytes().first() {
            Some(b'I') => Op::Iaload,
            Some(b'J') => Op::Laload,
            Some(b'F') => Op::Faload,
            Some(b'D') => Op::Daload,
            Some(b'B' | b'Z') => Op::Baload,
            Some(b'C') => Op::Caload,
            Some(b'S') => Op::Saload,
            _ => Op::Aaload,
        });
    }

    /// Array, index, element → nothing.
    pub fn array_store(&mut self, element: &str) {
        self.op(match element.as_bytes().first() {
            Some(b'I') => Op::Iastore,
            Some(b'J') => Op::Lastore,
            Some(b'F') => Op::Fastore,
            Some(b'D') => Op::Dastore,
            Some(b'B' | b'Z') => Op::Bastore,
            Some(b'C') => Op::Castore,
            Some(b'S') => Op::Sastore,
            _ => Op::Aastore,
        });
    }

    /// Primitive → its box (`Integer.valueOf` and the like).
    pub fn box_primitive(&mut self, primitive: Primitive) {
        let descriptor = format!("({})L{};", primitive.descriptor(), primitive.box_class());
        self.invoke_static(primitive.box_class(), "valueOf", &descriptor);
    }

    /// Reference → primitive, with the cast to the box class.
    pub fn unbox_primitive(&mut self, primitive: Primitive) {
        self.checkcast(primitive.box_class());
        let name = format!("{}Value", primitive.keyword());
        self.invoke_virtual(primitive.box_class(), &name, &format!("(){}", primitive.descriptor()));
    }
}
