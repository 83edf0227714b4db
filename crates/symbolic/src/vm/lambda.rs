//! Lambdas and method references: a class per call site, with captured values as fields. Owns what `LambdaMetafactory`
//! does.

use bytecode::access::Access;

use super::class::{ClassId, Field, Handle, Kind, MethodId, PoolConstant, Slot, init};
use super::dynamic::CallSite;
use super::heap::HEADER;
use super::insn::{Insn, Op};
use super::load;
use super::machine::Machine;
use super::stop::{Run, Stop};
use super::synthetic::{Emitter, class_operand, is_primitive, kind, split};

const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

impl Machine {
    /// The static method that makes the lambda's object from what it captures.
    pub(super) fn link_lambda(&mut self, site: &CallSite, alternative: bool) -> Run<MethodId> {
        let (captured, interface) = split(&site.descriptor)?;
        let erased = self.site_type(site, 0)?;
        let handle = self.site_handle(site, 1)?;
        let exact = self.site_type(site, 2)?;
        let interface = self.symbols.intern(class_operand(&interface));
        let mut interfaces = vec![self.resolve_class(interface)?];
        let mut bridges = Vec::new();
        if alternative {
            let mut at = 3;
            let flags = self.site_int(site, &mut at)?;
            if flags & SERIALIZABLE != 0 {
                interfaces.push(self.well_known.serializable);
            }
            if flags & MARKERS != 0 {
                for _ in 0..self.site_int(site, &mut at)? {
                    let marker = self.pool_class(site.class, site.arguments.get(at).copied().unwrap_or(0))?;
                    interfaces.push(marker);
                    at += 1;
                }
            }
            if flags & BRIDGES != 0 {
                for _ in 0..self.site_int(site, &mut at)? {
                    bridges.push(self.site_type(site, at)?);
                    at += 1;
                }
            }
        }
        let class = self.lambda_class(site, &captured, interfaces)?;
        let name = self.symbols.get(site.name).clone();
        for descriptor in [&erased].into_iter().chain(&bridges) {
            let emitter = self.lambda_body(&captured, descriptor, &exact, handle)?;
            let method = self.add_method(class, &name, descriptor, Access::PUBLIC, emitter)?;
            let signature = (self.symbols.intern(&name), self.symbols.intern(descriptor));
            self.classes[class.0 as usize].declared.insert(signature, method);
        }
        let emitter = self.lambda_factory(class, &captured);
        self.add_method(class, "$make", &site.descriptor, Access::STATIC, emitter)
    }

    fn site_int(&self, site: &CallSite, at: &mut usize) -> Run<i32> {
        let index = site.arguments.get(*at).copied().unwrap_or(0);
        *at += 1;
        match self.constant(site.class, index)? {
            PoolConstant::Int(value) => Ok(value),
            _ => Err(Stop::Malformed("a bootstrap argument that is no number".into()).into()),
        }
    }

    fn lambda_class(&mut self, site: &CallSite, captured: &[String], interfaces: Vec<ClassId>) -> Run<ClassId> {
        self.lambdas += 1;
        let name = format!("{}$$Lambda${}", self.class_name(site.class), self.lambdas);
        let name = self.symbols.intern(&name);
        let id = ClassId(self.classes.len() as u32);
        let object = self.well_known.object;
        let mut class = load::empty(name, Kind::Object, Access(Access::FINAL | Access::SYNTHETIC));
        class.superclass = Some(object);
        class.supertypes = vec![id, object];
        for interface in &interfaces {
            class.supertypes.extend_from_slice(&self.class(*interface).supertypes);
        }
        class.supertypes.sort_unstable();
        class.supertypes.dedup();
        class.interfaces = interfaces;
        class.vtable = self.class(object).vtable.clone();
        class.virtual_slots = self.class(object).virtual_slots.clone();
        class.is_hidden = true;
        class.is_application = self.class(site.class).is_application;
        class.instance_words = captured.len() as u32;
        for (slot, descriptor) in captured.iter().enumerate() {
            let (name, descriptor) = (self.symbols.intern(&format!("arg${slot}")), self.symbols.intern(descriptor));
            let access = Access(Access::PRIVATE | Access::FINAL);
            class.fields.push(Field { name, descriptor, access, slot: slot as u32, constant: 0 });
        }
        // State and the one object of a lambda that captures nothing.
        class.statics = self.permanent(object, id.0, 2)?;
        self.heap.set_permanent(class.statics, 0, init::DONE);
        self.class_index.insert(name, Some(id));
        self.classes.push(class);
        Ok(id)
    }

    fn lambda_factory(&mut self, class: ClassId, captured: &[String]) -> Emitter {
        let state = self.state_of(class);
        let one = state + 1;
        let mut emitter = Emitter::default();
        if captured.is_empty() {
            emitter.push(Insn::ab(Op::GetStatic, one, state));
            let opcode = u16::from(bytecode::instruction::opcode::IFNULL);
            emitter.push(Insn { c: opcode, ..Insn::a(Op::IfNull, 4) });
            emitter.push(Insn::ab(Op::GetStatic, one, state));
            emitter.op(Op::ReturnOne);
        }
        emitter.push(Insn::ab(Op::New, class.0, state));
        let mut local = 0;
        for (slot, descriptor) in captured.iter().enumerate() {
            emitter.op(Op::Dup);
            emitter.load(descriptor, local);
            emitter.put_field(descriptor, slot as u32);
            local += Slot::of(descriptor).width();
        }
        if captured.is_empty() {
            emitter.op(Op::Dup);
            emitter.push(Insn::ab(Op::PutStatic, one, state));
        }
        emitter.op(Op::ReturnOne);
        debug_assert_eq!(state, self.class(class).statics + HEADER);
        emitter
    }

    /// Calls the implementation with what was captured and what is passed, converted.
    fn lambda_body(&mut self, captured: &[String], erased: &str, exact: &str, handle: Handle) -> Run<Emitter> {
        let (params, result) = split(erased)?;
        let (exact_params, exact_result) = split(exact)?;
        let target = self.symbols.get(handle.descriptor).to_string();
        let (mut wanted, mut given) = split(&target)?;
        let owner = self.symbols.get(handle.class).clone();
        let owner = if owner.starts_with('[') { owner.to_string() } else { format!("L{owner};") };
        let mut emitter = Emitter::default();
        match handle.kind {
            kind::INVOKE_STATIC => {}
            kind::NEW_INVOKE_SPECIAL => {
                let class = self.resolve_class(handle.class)?;
                emitter.push(Insn::ab(Op::New, class.0, self.state_of(class)));
                emitter.op(Op::Dup);
                given = owner;
            }
            kind::INVOKE_VIRTUAL | kind::INVOKE_SPECIAL | kind::INVOKE_INTERFACE => wanted.insert(0, owner),
            _ => return Err(Stop::unmodelled("a lambda of a field").into()),
        }
        if captured.len() + params.len() != wanted.len() || exact_params.len() != params.len() {
            return Err(Stop::Malformed("a lambda whose types do not fit".into()).into());
        }
        for (slot, (have, want)) in captured.iter().zip(&wanted).enumerate() {
            emitter.push(Insn::a(Op::Load, 0));
            emitter.get_field(have, slot as u32);
            emitter.convert(self, have, want)?;
        }
        let mut local = 1;
        for ((have, exact), want) in params.iter().zip(&exact_params).zip(&wanted[captured.len()..]) {
            emitter.load(have, local);
            if !is_primitive(have) && !is_primitive(exact) {
                emitter.convert(self, have, exact)?;
                emitter.convert(self, exact, want)?;
            } else {
                emitter.convert(self, have, want)?;
            }
            local += Slot::of(have).width();
        }
        emitter.invoke_handle(self, handle)?;
        if is_primitive(&given) && !is_primitive(&result) && !is_primitive(&exact_result) && given != "V" {
            // Boxed as the exact type asks: a primitive of the same kind.
            emitter.convert(self, &given, &exact_result)?;
        } else {
            emitter.convert(self, &given, &result)?;
        }
        emitter.result(&result);
        Ok(emitter)
    }
}
