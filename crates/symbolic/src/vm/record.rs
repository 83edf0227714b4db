//! `equals`, `hashCode` and `toString` of records. Owns what `ObjectMethods` does.

use bytecode::access::Access;
use bytecode::instruction::opcode as op;

use super::class::{ClassId, MethodId, PoolConstant};
use super::dynamic::CallSite;
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::stop::{Run, Stop};
use super::synthetic::{Emitter, box_of, is_primitive};

/// A component: its name, its type and the slot of its field.
struct Component {
    name: String,
    descriptor: String,
    slot: u32,
}

impl Machine {
    pub(super) fn link_record(&mut self, site: &CallSite) -> Run<MethodId> {
        let class = self.pool_class(site.class, site.arguments.first().copied().unwrap_or(0))?;
        let expected = match &**self.symbols.get(site.name) {
            "equals" => "Ljava/lang/Object;)Z",
            "hashCode" => ")I",
            _ => ")Ljava/lang/String;",
        };
        if site.descriptor != format!("(L{};{expected}", self.class_name(class)) {
            return Err(Stop::Malformed("a method of a record with other types".into()).into());
        }
        let mut components = Vec::new();
        for i in 2..site.arguments.len() {
            let handle = self.site_handle(site, i)?;
            let found = self.find_field(class, handle.name, handle.descriptor);
            let Some((_, field)) = found.filter(|(_, field)| !field.access.is_static()) else {
                return Err(Stop::Malformed("a record without its field".into()).into());
            };
            components.push(Component {
                name: self.symbols.get(handle.name).to_string(),
                descriptor: self.symbols.get(handle.descriptor).to_string(),
                slot: field.slot,
            });
        }
        let emitter = match &**self.symbols.get(site.name) {
            "equals" => self.record_equals(class, &components)?,
            "hashCode" => self.record_hash_code(&components)?,
            "toString" => self.record_to_string(class, &components)?,
            _ => return Err(Stop::unmodelled("an unknown method of records").into()),
        };
        let name = format!("${}", self.symbols.get(site.name));
        self.add_method(site.class, &name, &site.descriptor, Access::STATIC, emitter)
    }

    fn record_equals(&mut self, class: ClassId, components: &[Component]) -> Run<Emitter> {
        let mut emitter = Emitter::default();
        let mut failing = Vec::new();
        let branch = |opcode: u8, op: Op| Insn { c: u16::from(opcode), ..Insn::new(op) };
        emitter.push(Insn::a(Op::Load, 1));
        emitter.push(Insn::a(Op::InstanceOf, class.0));
        failing.push(emitter.code.len());
        emitter.push(branch(op::IFEQ, Op::IfZero));
        for component in components {
            for local in [0, 1] {
                emitter.push(Insn::a(Op::Load, local));
                emitter.get_field(&component.descriptor, component.slot);
            }
            match component.descriptor.as_str() {
                "Z" | "B" | "C" | "S" | "I" => {
                    failing.push(emitter.code.len());
                    emitter.push(branch(op::IF_ICMPNE, Op::IfInt));
                }
                d @ ("J" | "F" | "D") => {
                    let (owner, _) = box_of(d);
                    let compare = self.known_method(owner, "compare", &format!("({d}{d})I"))?;
                    emitter.invoke(self, compare);
                    failing.push(emitter.code.len());
                    emitter.push(branch(op::IFNE, Op::IfZero));
                }
                _ => {
                    let equals = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    let equals = self.known_method("java/util/Objects", "equals", equals)?;
                    emitter.invoke(self, equals);
                    failing.push(emitter.code.len());
                    emitter.push(branch(op::IFEQ, Op::IfZero));
                }
            }
        }
        emitter.push(Insn::a(Op::ConstInt, 1));
        emitter.op(Op::ReturnOne);
        let end = emitter.code.len() as u32;
        emitter.push(Insn::a(Op::ConstInt, 0));
        emitter.op(Op::ReturnOne);
        for at in failing {
            emitter.code[at].a = end;
        }
        Ok(emitter)
    }

    fn record_hash_code(&mut self, components: &[Component]) -> Run<Emitter> {
        let mut emitter = Emitter::default();
        emitter.push(Insn::a(Op::ConstInt, 0));
        for component in components {
            emitter.push(Insn::a(Op::ConstInt, 31));
            emitter.push(Insn { c: u16::from(op::IMUL), ..Insn::new(Op::Arithmetic) });
            emitter.push(Insn::a(Op::Load, 0));
            emitter.get_field(&component.descriptor, component.slot);
            let d = component.descriptor.as_str();
            let method = if is_primitive(d) {
                let (owner, _) = box_of(d);
                self.known_method(owner, "hashCode", &format!("({d})I"))?
            } else {
                self.known_method("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I")?
            };
            emitter.invoke(self, method);
            emitter.op(Op::IntAdd);
        }
        emitter.op(Op::ReturnOne);
        Ok(emitter)
    }

    fn record_to_string(&mut self, class: ClassId, components: &[Component]) -> Run<Emitter> {
        let builder = self.known_class("java/lang/StringBuilder")?;
        let mut emitter = Emitter::default();
        emitter.push(Insn::ab(Op::New, builder.0, self.state_of(builder)));
        emitter.op(Op::Dup);
        let init = self.declared_method(builder, "<init>", "()V")?;
        emitter.invoke(self, init);
        let simple = self.simple_name(class);
        let mut text: Vec<u16> = format!("{simple}[").encode_utf16().collect();
        for (i, component) in components.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            text.extend(format!("{separator}{}=", component.name).encode_utf16());
            self.append_text(&mut emitter, builder, &mut text)?;
            emitter.push(Insn::a(Op::Load, 0));
            emitter.get_field(&component.descriptor, component.slot);
            self.append(&mut emitter, builder, &component.descriptor)?;
        }
        text.push(u16::from(b']'));
        self.append_text(&mut emitter, builder, &mut text)?;
        let to_string = self.declared_method(builder, "toString", "()Ljava/lang/String;")?;
        emitter.invoke(self, to_string);
        emitter.op(Op::ReturnOne);
        Ok(emitter)
    }

    /// The name without packages and classes around, as `InnerClasses` gives it.
    pub(super) fn simple_name(&self, class: ClassId) -> String {
        match self.class(class).nest.simple {
            Some(simple) => self.symbols.get(simple).to_string(),
            None => {
                let name = self.class_name(class);
                name.rsplit('/').next().unwrap_or(name).to_owned()
            }
        }
    }

    /// The text of a string constant among the bootstrap arguments.
    pub(super) fn site_text(&self, site: &CallSite, argument: usize) -> Option<Vec<u16>> {
        match self.class(site.class).pool.get(usize::from(*site.arguments.get(argument)?)) {
            Some(PoolConstant::String(text)) => Some(text.to_vec()),
            _ => None,
        }
    }
}
