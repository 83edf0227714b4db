//! Calls: finding the method an instruction means, and the one a receiver's class has for it. Owns selection; frames
//! are made in `machine`.

use super::class::{ClassId, MethodId, NOT_VIRTUAL};
use super::heap::Ref;
use super::insn::{Insn, Op};
use super::machine::Machine;
use super::stop::{Run, Stop};

impl Machine {
    /// The method a pool constant names, or what the JVM throws.
    fn pool_method(&mut self, index: u16) -> Run<(ClassId, MethodId)> {
        let (owner, name, descriptor) = self.pool_member(index)?;
        let owner = self.resolve_class(owner)?;
        match self.find_method(owner, (name, descriptor)) {
            Some(method) => Ok((owner, method)),
            None => {
                let text = format!(
                    "{}.{}{}",
                    self.class_name(owner).replace('/', "."),
                    self.symbols.get(name),
                    self.symbols.get(descriptor)
                );
                Err(self.throw("java/lang/NoSuchMethodError", Some(&text)))
            }
        }
    }

    pub(super) fn resolve_virtual(&mut self, insn: Insn) -> Run<()> {
        if self.resolve_polymorphic(insn)? {
            return Ok(());
        }
        let (_, method) = self.pool_method(insn.a as u16)?;
        let found = self.method_at(method);
        if found.is_static() {
            return Err(self.throw("java/lang/IncompatibleClassChangeError", None));
        }
        let c = found.arguments;
        let owner_is_interface = self.class(found.class).is_interface();
        let resolved = if found.access.is_private() {
            Insn { op: Op::InvokeSpecial, n: 0, c, a: method.0, b: 0 }
        } else if owner_is_interface || found.slot == NOT_VIRTUAL {
            // A method a class inherits from an interface without having it in its vtable.
            Insn { op: Op::InvokeInterface, n: 0, c, a: method.0, b: 0 }
        } else {
            Insn { op: Op::InvokeVirtual, n: 0, c, a: method.0, b: u32::from(found.slot) }
        };
        self.requicken(resolved);
        Ok(())
    }

    pub(super) fn resolve_special(&mut self, insn: Insn) -> Run<()> {
        let (owner, mut method) = self.pool_method(insn.a as u16)?;
        let found = self.method_at(method);
        if found.is_static() {
            return Err(self.throw("java/lang/IncompatibleClassChangeError", None));
        }
        let (is_init, is_private) = (&**self.symbols.get(found.name) == "<init>", found.access.is_private());
        let current = self.current_class();
        // `super.m()` begins to look at the superclass of the class whose code it is.
        let is_super = !is_init && !is_private && owner != current && !self.class(owner).is_interface();
        if is_super && let Some(up) = self.class(current).superclass {
            let signature = (found.name, found.descriptor);
            if let Some(selected) = self.find_method(up, signature) {
                method = selected;
            }
        }
        let c = self.method_at(method).arguments;
        self.requicken(Insn { op: Op::InvokeSpecial, n: 0, c, a: method.0, b: 0 });
        Ok(())
    }

    pub(super) fn resolve_invoke_static(&mut self, insn: Insn) -> Run<()> {
        let (_, method) = self.pool_method(insn.a as u16)?;
        let found = self.method_at(method);
        if !found.is_static() {
            return Err(self.throw("java/lang/IncompatibleClassChangeError", None));
        }
        let call = self.static_call(method);
        self.requicken(call);
        Ok(())
    }

    /// The instruction that calls a static method.
    pub(super) fn static_call(&self, method: MethodId) -> Insn {
        let found = self.method_at(method);
        let class = &**self.class_name(found.class);
        let makes_boxes = &**self.symbols.get(found.name) == "valueOf"
            && class.starts_with("java/lang/")
            && ["B", "C", "S", "I", "J"].iter().any(|letter| {
                let (owner, descriptor) = super::synthetic::box_of(letter);
                class == owner && **self.symbols.get(found.descriptor) == *descriptor
            });
        let c = if makes_boxes { found.arguments } else { 0 };
        Insn { c, ..Insn::ab(Op::InvokeStatic, method.0, self.state_of(found.class)) }
    }

    pub(super) fn resolve_interface(&mut self, insn: Insn) -> Run<()> {
        let (_, method) = self.pool_method(insn.a as u16)?;
        let found = self.method_at(method);
        if found.is_static() {
            return Err(self.throw("java/lang/IncompatibleClassChangeError", None));
        }
        let c = found.arguments;
        let op = if found.access.is_private() { Op::InvokeSpecial } else { Op::InvokeInterface };
        let resolved = if found.slot == NOT_VIRTUAL {
            Insn { op, n: 0, c, a: method.0, b: 0 }
        } else {
            // A method of Object called through an interface.
            Insn { op: Op::InvokeVirtual, n: 0, c, a: method.0, b: u32::from(found.slot) }
        };
        self.requicken(resolved);
        Ok(())
    }

    pub(super) fn invoke_interface(&mut self, insn: Insn) -> Run<()> {
        let at = self.sp - usize::from(insn.c);
        let receiver = self.stack[at] as Ref;
        if self.symbolic && self.terms_stack[at].is_some() {
            self.receiver_condition(at, insn);
        }
        if receiver == 0 {
            return Err(self.null_pointer());
        }
        let class = self.class_of(receiver);
        let called = insn.method();
        let target = match self.class(class).interface_cache.get(&called) {
            Some(&target) => target,
            None => self.select_interface(class, called)?,
        };
        self.enter(target)
    }

    /// What a class has for an interface method.
    pub(super) fn select_interface(&mut self, class: ClassId, called: MethodId) -> Run<MethodId> {
        let method = self.method_at(called);
        let signature = (method.name, method.descriptor);
        let target = self.select(class, signature);
        match target {
            Some(target) => {
                self.classes[class.0 as usize].interface_cache.insert(called, target);
                Ok(target)
            }
            None if !self.is_subtype(class, method.class) => {
                Err(self.throw("java/lang/IncompatibleClassChangeError", None))
            }
            None => {
                let name = self.method_name(called);
                Err(self.throw("java/lang/AbstractMethodError", Some(&name)))
            }
        }
    }

    /// The code a class has for a signature: its own or inherited public method, else a default method.
    fn select(&self, class: ClassId, signature: super::class::Signature) -> Option<MethodId> {
        let mut at = Some(class);
        while let Some(id) = at {
            let here = self.class(id);
            if let Some(&method) = here.declared.get(&signature)
                && !self.method_at(method).is_static()
                && !self.method_at(method).access.is_private()
            {
                return Some(method);
            }
            at = here.superclass;
        }
        self.find_interface_method(class, signature)
    }

    /// The method that a call of `method` on an object means.
    pub fn select_for(&mut self, receiver: Ref, method: MethodId) -> Run<MethodId> {
        let found = self.method_at(method);
        if found.access.is_private() || found.is_static() || &**self.symbols.get(found.name) == "<init>" {
            return Ok(method);
        }
        let class = self.class_of(receiver);
        if found.slot != NOT_VIRTUAL {
            let slot = usize::from(found.slot);
            return match self.class(class).vtable.get(slot) {
                Some(&method) => Ok(method),
                None => Err(Stop::Malformed("a receiver of another class".into()).into()),
            };
        }
        self.select_interface(class, method)
    }

    /// Calls a virtual method on an object by names; used by natives.
    pub(super) fn call_virtual(
        &mut self,
        receiver: Ref,
        class: &str,
        name: &str,
        descriptor: &str,
        arguments: &[u64],
    ) -> Run<u64> {
        let class = self.known_class(class)?;
        let method = self.declared_method(class, name, descriptor)?;
        let method = self.select_for(receiver, method)?;
        let mut all = vec![u64::from(receiver)];
        all.extend_from_slice(arguments);
        self.call(method, &all)
    }
}
