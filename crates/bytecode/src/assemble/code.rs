//! The body of a method being built: instructions, labels, handlers, stack depth. Owns the emitter and its checks.
//! Tracks how many slots are on the stack, not their types: the JVM's verifier has the last word on those.

use super::frame::{Frame, Slot, write_table};
use super::op::{Condition, Op};
use super::{AssembleProblem, MAX_CODE, PoolBuilder, put_u16, put_u32};
use crate::access::Access;
use crate::class_info::ConstantValue;
use crate::names::{FieldType, MethodDescriptor, Primitive};

/// A place in the code, to be bound once and jumped to from anywhere in the method that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

#[derive(Debug)]
struct Place {
    at: Option<usize>,
    frame: Frame,
    /// A jump, switch or handler leads here, so a frame is due.
    target: bool,
}

#[derive(Clone, Copy, Debug)]
struct Fixup {
    /// Where the offset is stored and the instruction it counts from.
    store: usize,
    from: usize,
    label: Label,
    wide: bool,
}

#[derive(Clone, Copy, Debug)]
struct Handler {
    start: Label,
    end: Label,
    handler: Label,
    /// Pool index of the caught class, 0 for everything.
    catch: u16,
}

/// Emits one method's code. Types are given as descriptors (`"I"`, `"Ljava/lang/String;"`, `"[J"`), class operands as internal
/// names or, for arrays, descriptors.
#[derive(Debug)]
pub struct Code<'a> {
    pool: &'a mut PoolBuilder,
    method: &'a str,
    bytes: Vec<u8>,
    params: Vec<Slot>,
    param_slots: Vec<u16>,
    in_constructor: bool,
    places: Vec<Place>,
    fixups: Vec<Fixup>,
    handlers: Vec<Handler>,
    depth: usize,
    max_depth: usize,
    max_locals: usize,
    /// False behind `goto`, `athrow`, returns and switches until a label is bound.
    reachable: bool,
    problem: Option<AssembleProblem>,
}

impl<'a> Code<'a> {
    pub(super) fn new(
        pool: &'a mut PoolBuilder,
        class: &str,
        method: &'a str,
        descriptor: &str,
        access: u16,
    ) -> Code<'a> {
        let mut params = Vec::new();
        let mut param_slots = Vec::new();
        let mut next = 0usize;
        if access & Access::STATIC == 0 {
            params.push(Slot::Object(class.to_owned()));
            next = 1;
        }
        let mut problem = None;
        match MethodDescriptor::parse(descriptor) {
            Some(parsed) => {
                for param in &parsed.params {
                    param_slots.push(next as u16);
                    next += usize::from(param.width());
                    params.push(Slot::of(param));
                }
            }
            None => {
                problem = Some(AssembleProblem::BadDescriptor {
                    method: method.to_owned(),
                    descriptor: descriptor.to_owned(),
                });
            }
        }
        Code {
            pool,
            method,
            bytes: Vec::new(),
            params,
            param_slots,
            in_constructor: method == "<init>",
            places: Vec::new(),
            fixups: Vec::new(),
            handlers: Vec::new(),
            depth: 0,
            max_depth: 0,
            max_locals: next,
            reachable: true,
            problem,
        }
    }

    /// Bytes emitted so far: the position of the next instruction.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Whether control can come to the next instruction.
    pub fn reachable(&self) -> bool {
        self.reachable
    }

    /// Local-variable slot of the parameter with this index (the receiver not counted).
    /// An index the method does not have gives the first free slot.
    pub fn param_slot(&self, index: usize) -> u16 {
        self.param_slots.get(index).copied().unwrap_or(self.max_locals as u16)
    }

    /// Reserves a local variable of that type behind all others.
    pub fn new_local(&mut self, descriptor: &str) -> u16 {
        let slot = self.max_locals;
        self.max_locals += width_of(descriptor);
        slot as u16
    }

    // Labels

    /// A label where the stack is empty and the locals are the parameters.
    pub fn label(&mut self) -> Label {
        self.label_with(Frame::default())
    }

    /// A label with more local variables or values on the stack.
    pub fn label_with(&mut self, frame: Frame) -> Label {
        self.places.push(Place { at: None, frame, target: false });
        Label(self.places.len() - 1)
    }

    /// The label of an exception handler: the exception is the only value on the stack.
    pub fn handler_label(&mut self, caught: &str) -> Label {
        self.label_with(Frame { locals: Vec::new(), stack: vec![Slot::Object(caught.to_owned())] })
    }

    /// Puts the label here.
    pub fn bind(&mut self, label: Label) {
        let at = self.bytes.len();
        let expected = self.places[label.0].frame.stack_width();
        if self.reachable && self.places[label.0].target {
            self.expect_depth(expected);
        }
        let place = &mut self.places[label.0];
        if place.at.is_some() {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::LabelBoundTwice { method, at });
            return;
        }
        place.at = Some(at);
        if !self.reachable {
            self.depth = expected;
            self.max_depth = self.max_depth.max(expected);
            self.reachable = true;
        }
    }

    fn target(&mut self, label: Label) {
        let expected = self.places[label.0].frame.stack_width();
        self.places[label.0].target = true;
        self.expect_depth(expected);
    }

    // Constants

    /// An `int` (also `boolean`, `byte`, `char`, `short`) in the shortest form.
    pub fn push_int(&mut self, value: i32) {
        match value {
            -1..=5 => self.bytes.push((3 + value) as u8),
            -128..=127 => self.bytes.extend([16, value as u8]),
            -32768..=32767 => {
                self.bytes.push(17);
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
            0 | 1 => self.bytes.push(9 + value as u8),
            -32768..=32767 => {
                self.push_int(value as i32);
                self.op(Op::I2l);
                return;
            }
            _ => {
                let index = self.pool.long(value);
                self.op_u16(20, index);
            }
        }
        self.effect(0, 2);
    }

    /// By bits, so that every NaN and −0.0 survives.
    pub fn push_float_bits(&mut self, bits: u32) {
        match [0.0f32, 1.0, 2.0].iter().position(|f| f.to_bits() == bits) {
            Some(short) => self.bytes.push(11 + short as u8),
            None => {
                let index = self.pool.float_bits(bits);
                self.ldc(index);
            }
        }
        self.effect(0, 1);
    }

    pub fn push_double_bits(&mut self, bits: u64) {
        match [0.0f64, 1.0].iter().position(|d| d.to_bits() == bits) {
            Some(short) => self.bytes.push(14 + short as u8),
            None => {
                let index = self.pool.double_bits(bits);
                self.op_u16(20, index);
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
            Ok(short) => self.bytes.extend([18, short]),
            Err(_) => self.op_u16(19, index),
        }
    }

    // Local variables

    pub fn load(&mut self, descriptor: &str, slot: u16) {
        let kind = kind_of(descriptor);
        self.local(21, 26, kind, slot);
        self.effect(0, kind.width());
    }

    pub fn store(&mut self, descriptor: &str, slot: u16) {
        let kind = kind_of(descriptor);
        self.local(54, 59, kind, slot);
        self.effect(kind.width(), 0);
    }

    pub fn increment(&mut self, slot: u16, by: i16) {
        match (u8::try_from(slot), i8::try_from(by)) {
            (Ok(slot), Ok(by)) => self.bytes.extend([132, slot, by as u8]),
            _ => {
                self.bytes.extend([196, 132]);
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
                self.bytes.push(196);
                self.op_u16(general + kind as u8, slot);
            }
        }
    }

    // Plain instructions

    pub fn op(&mut self, op: Op) {
        self.bytes.push(op.opcode());
        self.effect(op.pops(), op.pushes());
    }

    pub fn dup(&mut self) {
        self.op(Op::Dup);
    }

    /// Drops one value of that type.
    pub fn pop(&mut self, descriptor: &str) {
        self.op(if width_of(descriptor) == 2 { Op::Pop2 } else { Op::Pop });
    }

    // Fields

    pub fn get_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(178, owner, name, descriptor, 0, width_of(descriptor));
    }

    pub fn put_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(179, owner, name, descriptor, width_of(descriptor), 0);
    }

    pub fn get_field(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(180, owner, name, descriptor, 1, width_of(descriptor));
    }

    pub fn put_field(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.field(181, owner, name, descriptor, 1 + width_of(descriptor), 0);
    }

    fn field(&mut self, opcode: u8, owner: &str, name: &str, descriptor: &str, pops: usize, pushes: usize) {
        if FieldType::parse(descriptor).is_none() {
            self.bad_descriptor(descriptor);
        }
        let index = self.pool.field(owner, name, descriptor);
        self.op_u16(opcode, index);
        self.effect(pops, pushes);
    }

    // Calls

    pub fn invoke_virtual(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(182, owner, false, name, descriptor);
    }

    /// A constructor, a superclass's method or a private method.
    pub fn invoke_special(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(183, owner, false, name, descriptor);
    }

    /// `Interface.super.method()`.
    pub fn invoke_special_on_interface(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(183, owner, true, name, descriptor);
    }

    pub fn invoke_static(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(184, owner, false, name, descriptor);
    }

    pub fn invoke_static_on_interface(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(184, owner, true, name, descriptor);
    }

    pub fn invoke_interface(&mut self, owner: &str, name: &str, descriptor: &str) {
        self.invoke(185, owner, true, name, descriptor);
    }

    fn invoke(&mut self, opcode: u8, owner: &str, on_interface: bool, name: &str, descriptor: &str) {
        let Some(parsed) = MethodDescriptor::parse(descriptor) else {
            self.bad_descriptor(descriptor);
            return;
        };
        let index = self.pool.method(owner, on_interface, name, descriptor);
        self.op_u16(opcode, index);
        let receiver = usize::from(opcode != 184);
        let pops = usize::from(parsed.params_width()) + receiver;
        if pops > 255 {
            self.too_many("the parameters of a call", pops, 255);
        }
        if opcode == 185 {
            self.bytes.extend([pops as u8, 0]);
        }
        self.effect(pops, parsed.result.as_ref().map_or(0, |r| usize::from(r.width())));
    }

    // Objects and arrays

    pub fn new_object(&mut self, class: &str) {
        self.class_op(187, class, 0, 1);
    }

    pub fn checkcast(&mut self, class: &str) {
        self.class_op(192, class, 1, 1);
    }

    pub fn instance_of(&mut self, class: &str) {
        self.class_op(193, class, 1, 1);
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
                self.bytes.extend([188, code]);
                self.effect(1, 1);
            }
            FieldType::Class(name) => self.class_op(189, name.internal(), 1, 1),
            FieldType::Array(_) => self.class_op(189, &element.to_string(), 1, 1),
        }
    }

    /// An array of arrays; `array` is the type of the whole, `dimensions` lengths are on the stack.
    pub fn new_multi_array(&mut self, array: &FieldType, dimensions: u8) {
        let index = self.pool.class(&array.to_string());
        self.op_u16(197, index);
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

    // Control

    pub fn goto(&mut self, label: Label) {
        self.effect(0, 0);
        self.jump(167, label);
        self.reachable = false;
    }

    pub fn jump_if(&mut self, condition: Condition, label: Label) {
        self.effect(condition.pops(), 0);
        self.jump(condition.opcode(), label);
    }

    fn jump(&mut self, opcode: u8, label: Label) {
        let from = self.bytes.len();
        self.target(label);
        self.bytes.extend([opcode, 0, 0]);
        self.fixups.push(Fixup { store: from + 1, from, label, wide: false });
    }

    /// Cases `low`, `low + 1`, …; anything else goes to `default`.
    pub fn table_switch(&mut self, low: i32, cases: &[Label], default: Label) {
        let from = self.start_switch(170, default);
        let high = i64::from(low) + cases.len() as i64 - 1;
        if cases.is_empty() || high > i64::from(i32::MAX) {
            self.bad_switch();
        }
        self.bytes.extend(low.to_be_bytes());
        self.bytes.extend((high as i32).to_be_bytes());
        for &case in cases {
            self.wide_offset(from, case);
        }
        self.reachable = false;
    }

    /// Keys in ascending order.
    pub fn lookup_switch(&mut self, cases: &[(i32, Label)], default: Label) {
        let from = self.start_switch(171, default);
        if !cases.is_sorted_by(|a, b| a.0 < b.0) {
            self.bad_switch();
        }
        put_u32(&mut self.bytes, cases.len() as u32);
        for &(key, label) in cases {
            self.bytes.extend(key.to_be_bytes());
            self.wide_offset(from, label);
        }
        self.reachable = false;
    }

    fn start_switch(&mut self, opcode: u8, default: Label) -> usize {
        self.effect(1, 0);
        let from = self.bytes.len();
        self.bytes.push(opcode);
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        self.wide_offset(from, default);
        from
    }

    fn wide_offset(&mut self, from: usize, label: Label) {
        self.target(label);
        self.fixups.push(Fixup { store: self.bytes.len(), from, label, wide: true });
        put_u32(&mut self.bytes, 0);
    }

    pub fn return_void(&mut self) {
        self.leave(177, 0);
    }

    /// Returns the value of that type on top of the stack; `"V"` returns nothing.
    pub fn return_value(&mut self, descriptor: &str) {
        if descriptor == "V" {
            return self.return_void();
        }
        let kind = kind_of(descriptor);
        self.leave(172 + kind as u8, kind.width());
    }

    pub fn throw(&mut self) {
        self.leave(191, 1);
    }

    fn leave(&mut self, opcode: u8, pops: usize) {
        self.bytes.push(opcode);
        self.effect(pops, 0);
        self.reachable = false;
    }

    /// What is thrown between `start` and `end` and is a `catch` (`None`: anything) goes on at `handler`
    /// (made by [`Code::handler_label`]). Handlers are searched in the order given.
    pub fn handle(&mut self, start: Label, end: Label, catch: Option<&str>, handler: Label) {
        let catch = catch.map_or(0, |class| self.pool.class(class));
        self.places[handler.0].target = true;
        self.handlers.push(Handler { start, end, handler, catch });
    }

    // The books

    fn op_u16(&mut self, opcode: u8, operand: u16) {
        self.bytes.push(opcode);
        put_u16(&mut self.bytes, operand);
    }

    fn effect(&mut self, pops: usize, pushes: usize) {
        if !self.reachable {
            let (method, at) = (self.method.to_owned(), self.bytes.len());
            self.keep(AssembleProblem::StackDepth { method, at, expected: pops, found: 0 });
        }
        match self.depth.checked_sub(pops) {
            Some(rest) => self.depth = rest + pushes,
            None => {
                self.expect_depth(pops);
                self.depth = pushes;
            }
        }
        self.max_depth = self.max_depth.max(self.depth);
    }

    fn expect_depth(&mut self, expected: usize) {
        if self.depth != expected {
            let (method, at, found) = (self.method.to_owned(), self.bytes.len(), self.depth);
            self.keep(AssembleProblem::StackDepth { method, at, expected, found });
        }
    }

    fn bad_descriptor(&mut self, descriptor: &str) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::BadDescriptor { method, descriptor: descriptor.to_owned() });
    }

    fn bad_switch(&mut self) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::BadSwitch { method });
    }

    fn too_many(&mut self, what: &'static str, count: usize, limit: usize) {
        let method = self.method.to_owned();
        self.keep(AssembleProblem::TooMany { method, what, count, limit });
    }

    fn keep(&mut self, problem: AssembleProblem) {
        self.problem.get_or_insert(problem);
    }

    /// The body of the `Code` attribute.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, AssembleProblem> {
        let length = self.bytes.len();
        if self.reachable {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::FallsOffEnd { method, at: length });
        }
        if length > MAX_CODE {
            let method = self.method.to_owned();
            self.keep(AssembleProblem::CodeTooLong { method, length });
        }
        for (what, count) in [("the operand stack", self.max_depth), ("the local variables", self.max_locals)] {
            if count > 65_535 {
                self.too_many(what, count, 65_535);
            }
        }
        if self.handlers.len() > 65_535 {
            self.too_many("the exception table", self.handlers.len(), 65_535);
        }
        self.resolve_jumps();
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let mut out = Vec::with_capacity(length + 64);
        put_u16(&mut out, self.max_depth as u16);
        put_u16(&mut out, self.max_locals as u16);
        put_u32(&mut out, length as u32);
        out.extend_from_slice(&self.bytes);
        put_u16(&mut out, self.handlers.len() as u16);
        for handler in &self.handlers {
            for label in [handler.start, handler.end, handler.handler] {
                // An unbound label was a problem in `resolve_jumps`, so 0 is never written.
                put_u16(&mut out, self.places[label.0].at.unwrap_or(0) as u16);
            }
            put_u16(&mut out, handler.catch);
        }
        let mut frames: Vec<(usize, &Frame)> =
            self.places.iter().filter(|p| p.target).filter_map(|p| p.at.map(|at| (at, &p.frame))).collect();
        frames.sort_by_key(|(at, _)| *at);
        frames.dedup_by_key(|(at, _)| *at);
        if frames.is_empty() {
            put_u16(&mut out, 0);
        } else {
            let table = write_table(&frames, &self.params, !self.in_constructor, self.pool);
            put_u16(&mut out, 1);
            put_u16(&mut out, self.pool.utf8("StackMapTable"));
            put_u32(&mut out, table.len() as u32);
            out.extend_from_slice(&table);
        }
        Ok(out)
    }

    fn resolve_jumps(&mut self) {
        let unbound = |method: &str| AssembleProblem::UnboundLabel { method: method.to_owned() };
        for fixup in std::mem::take(&mut self.fixups) {
            let Some(at) = self.places[fixup.label.0].at else {
                self.keep(unbound(self.method));
                continue;
            };
            let distance = at as i64 - fixup.from as i64;
            if fixup.wide {
                self.bytes[fixup.store..fixup.store + 4].copy_from_slice(&(distance as i32).to_be_bytes());
            } else if let Ok(short) = i16::try_from(distance) {
                self.bytes[fixup.store..fixup.store + 2].copy_from_slice(&short.to_be_bytes());
            } else {
                let method = self.method.to_owned();
                self.keep(AssembleProblem::JumpTooFar { method, at: fixup.from, distance });
            }
        }
        let handlers = &self.handlers;
        if handlers.iter().any(|h| [h.start, h.end, h.handler].iter().any(|l| self.places[l.0].at.is_none())) {
            self.keep(unbound(self.method));
        }
    }
}

/// The five kinds of local variable, in opcode order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    fn width(self) -> usize {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }
}

fn kind_of(descriptor: &str) -> Kind {
    match descriptor.as_bytes().first() {
        Some(b'Z' | b'B' | b'C' | b'S' | b'I') => Kind::Int,
        Some(b'J') => Kind::Long,
        Some(b'F') => Kind::Float,
        Some(b'D') => Kind::Double,
        _ => Kind::Reference,
    }
}

fn width_of(descriptor: &str) -> usize {
    kind_of(descriptor).width()
}
