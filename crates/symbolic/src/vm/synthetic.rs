//! Methods the machine writes itself, for call sites that a JVM would spin classes for. Owns emitting instructions and
//! conversions between types; what to emit is decided where the call site is linked.

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::names::MethodDescriptor;

use super::class::{Body, ClassId, Handle, Method, MethodId, NOT_VIRTUAL, Slot};
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::stop::{Run, Stop};

/// Reference kinds of method handles (JVMS table 5.4.3.5-A).
pub mod kind {
    pub const INVOKE_VIRTUAL: u8 = 5;
    pub const INVOKE_STATIC: u8 = 6;
    pub const INVOKE_SPECIAL: u8 = 7;
    pub const NEW_INVOKE_SPECIAL: u8 = 8;
    pub const INVOKE_INTERFACE: u8 = 9;
}

/// Code being written. Jumps are relative to its start.
#[derive(Debug, Default)]
pub(super) struct Emitter {
    pub code: Vec<Insn>,
}

impl Emitter {
    pub fn op(&mut self, op: Op) {
        self.code.push(Insn::new(op));
    }

    pub fn push(&mut self, insn: Insn) {
        self.code.push(insn);
    }

    pub fn load(&mut self, descriptor: &str, local: u32) {
        let wide = Slot::of(descriptor).width() == 2;
        self.push(Insn::a(if wide { Op::Load2 } else { Op::Load }, local));
    }

    pub fn get_field(&mut self, descriptor: &str, slot: u32) {
        let wide = Slot::of(descriptor).width() == 2;
        self.push(Insn::a(if wide { Op::GetField2 } else { Op::GetField }, slot));
    }

    pub fn put_field(&mut self, descriptor: &str, slot: u32) {
        let wide = Slot::of(descriptor).width() == 2;
        self.push(Insn::a(if wide { Op::PutField2 } else { Op::PutField }, slot));
    }

    pub fn result(&mut self, descriptor: &str) {
        self.op(match Slot::of(descriptor).width() {
            0 => Op::Return,
            1 => Op::ReturnOne,
            _ => Op::ReturnTwo,
        });
    }

    pub fn invoke(&mut self, machine: &Machine, method: MethodId) {
        let found = machine.method_at(method);
        let c = found.arguments;
        let is_special = found.access.is_private() || &**machine.symbols.get(found.name) == "<init>";
        self.push(if found.is_static() {
            machine.static_call(method)
        } else if is_special {
            Insn { op: Op::InvokeSpecial, n: 0, c, a: method.0, b: 0 }
        } else if found.slot == NOT_VIRTUAL {
            Insn { op: Op::InvokeInterface, n: 0, c, a: method.0, b: 0 }
        } else {
            Insn { op: Op::InvokeVirtual, n: 0, c, a: method.0, b: u32::from(found.slot) }
        });
    }

    /// Calls what a method handle stands for; a constructor's object must be below the arguments.
    pub fn invoke_handle(&mut self, machine: &mut Machine, handle: Handle) -> Run<()> {
        let owner = machine.resolve_class(handle.class)?;
        let Some(method) = machine.find_method(owner, (handle.name, handle.descriptor)) else {
            return Err(Stop::unmodelled("a handle to a missing method").into());
        };
        if machine.method_at(method).is_static() != (handle.kind == kind::INVOKE_STATIC) {
            return Err(Stop::Malformed("a handle of another kind than its method".into()).into());
        }
        if handle.kind == kind::INVOKE_SPECIAL {
            let c = machine.method_at(method).arguments;
            self.push(Insn { op: Op::InvokeSpecial, n: 0, c, a: method.0, b: 0 });
        } else {
            self.invoke(machine, method);
        }
        Ok(())
    }

    /// Converts the value on top as a lambda's proxy does: boxing, unboxing, widening, casts.
    pub fn convert(&mut self, machine: &mut Machine, from: &str, to: &str) -> Run<()> {
        if from == to || to == "V" {
            if to == "V" && from != "V" {
                self.op(if Slot::of(from).width() == 2 { Op::Pop2 } else { Op::Pop });
            }
            return Ok(());
        }
        let (prim_from, prim_to) = (is_primitive(from), is_primitive(to));
        if from == "V" {
            return Err(Stop::Malformed("a result of a method without one".into()).into());
        }
        match (prim_from, prim_to) {
            (true, true) => self.widen(from, to)?,
            (true, false) => {
                let (class, descriptor) = box_of(from);
                let method = machine.known_method(class, "valueOf", &descriptor)?;
                self.invoke(machine, method);
                let boxed = machine.known_class(class)?;
                let to = machine.symbols.intern(class_operand(to));
                let to = machine.resolve_class(to)?;
                if !machine.is_subtype(boxed, to) {
                    self.push(Insn::a(Op::CheckCast, to.0));
                }
            }
            (false, true) => {
                // A box of another primitive is unboxed and widened.
                let unboxed = unboxed_of(from).unwrap_or(to);
                let (class, _) = box_of(unboxed);
                let class =
                    if unboxed_of(from).is_some() || matches!(to, "Z" | "C") { class } else { "java/lang/Number" };
                let id = machine.known_class(class)?;
                self.push(Insn::a(Op::CheckCast, id.0));
                let name = match unboxed {
                    "Z" => "booleanValue",
                    "B" => "byteValue",
                    "C" => "charValue",
                    "S" => "shortValue",
                    "I" => "intValue",
                    "J" => "longValue",
                    "F" => "floatValue",
                    _ => "doubleValue",
                };
                let method = machine.declared_method(id, name, &format!("(){unboxed}"))?;
                self.invoke(machine, method);
                if unboxed != to {
                    self.widen(unboxed, to)?;
                }
            }
            (false, false) => {
                let name = class_operand(to);
                if name != "java/lang/Object" {
                    let sym = machine.symbols.intern(name);
                    let class = machine.resolve_class(sym)?;
                    self.push(Insn::a(Op::CheckCast, class.0));
                }
            }
        }
        Ok(())
    }

    fn widen(&mut self, from: &str, to: &str) -> Run<()> {
        use bytecode::instruction::opcode as op;
        let small = |d: &str| matches!(d, "Z" | "B" | "C" | "S" | "I");
        let opcode = match (from, to) {
            (f, "J") if small(f) => op::I2L,
            (f, "F") if small(f) => op::I2F,
            (f, "D") if small(f) => op::I2D,
            ("J", "F") => op::L2F,
            ("J", "D") => op::L2D,
            ("F", "D") => op::F2D,
            // In the machine's slots an int as it is.
            ("B" | "C" | "S", "I") | ("B", "S") => return Ok(()),
            _ => return Err(Stop::Malformed(format!("a conversion from {from} to {to}").into()).into()),
        };
        self.push(Insn { c: u16::from(opcode), ..Insn::new(Op::Arithmetic) });
        Ok(())
    }
}

pub(super) fn is_primitive(descriptor: &str) -> bool {
    descriptor.len() == 1
}

/// The operand of a cast: internal name, or a descriptor for arrays.
pub(super) fn class_operand(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|d| d.strip_suffix(';')).unwrap_or(descriptor)
}

/// The class of boxes of a primitive and the descriptor of its `valueOf`.
pub(super) fn box_of(primitive: &str) -> (&'static str, String) {
    let class = match primitive {
        "Z" => "java/lang/Boolean",
        "B" => "java/lang/Byte",
        "C" => "java/lang/Character",
        "S" => "java/lang/Short",
        "I" => "java/lang/Integer",
        "J" => "java/lang/Long",
        "F" => "java/lang/Float",
        _ => "java/lang/Double",
    };
    (class, format!("({primitive})L{class};"))
}

fn unboxed_of(descriptor: &str) -> Option<&'static str> {
    ["Z", "B", "C", "S", "I", "J", "F", "D"].into_iter().find(|p| class_operand(descriptor) == box_of(p).0)
}

/// Descriptors of parameters and result.
pub(super) fn split(descriptor: &str) -> Run<(Vec<String>, String)> {
    let parsed = MethodDescriptor::parse(descriptor)
        .ok_or_else(|| Stop::Malformed(format!("descriptor {descriptor}").into()))?;
    let result = parsed.result.map_or("V".to_owned(), |r| r.to_string());
    Ok((parsed.params.iter().map(|p| p.to_string()).collect(), result))
}

impl Machine {
    /// Adds a method to a class that exists already.
    pub(super) fn add_method(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        access: u16,
        emitter: Emitter,
    ) -> Run<MethodId> {
        let parsed = MethodDescriptor::parse(descriptor)
            .ok_or_else(|| Stop::Malformed(format!("descriptor {descriptor}").into()))?;
        let receiver = u16::from(access & Access::STATIC == 0);
        let start = self.code.len() as u32;
        for mut insn in emitter.code {
            if matches!(insn.op, Op::IfZero | Op::IfInt | Op::IfReference | Op::IfNull | Op::Goto) {
                insn.a += start;
            }
            self.code.push(insn);
            self.pcs.push(0);
        }
        let (name, descriptor_sym) = (self.symbols.intern(name), self.symbols.intern(descriptor));
        let id = MethodId(self.methods.len() as u32);
        let arguments = parsed.params_width() + receiver;
        self.methods.push(Method {
            class,
            name,
            descriptor: descriptor_sym,
            access: Access(access | Access::SYNTHETIC),
            body: Body::Ready(start),
            // Whatever is emitted pushes each argument at most twice, beside a few values of its own.
            max_stack: 3 * arguments + 16,
            max_locals: arguments + 4,
            arguments,
            result: descriptor.rsplit(')').next().map_or(Slot::Void, Slot::of),
            slot: NOT_VIRTUAL,
            handlers: Arc::from([]),
            lines: Arc::from([]),
            end: self.code.len() as u32,
            index: u16::MAX,
        });
        self.classes[class.0 as usize].methods.push(id);
        Ok(id)
    }
}
