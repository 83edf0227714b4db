//! What is inserted to observe a run: calls with receiver, arguments and end, writes, reads. Owns these bytes and the
//! order of what is on the stack; everything is reported right before it happens, and nothing inserted changes what the
//! code does.
//!
//! The static methods of `Monitor` that are called:
//! - `boolean entering(int member)` at every entry of a reported method or constructor. If it returns true,
//!   `void entered(int member, Object self, Object[] arguments)` follows at once; `self` is null for static methods and
//!   for constructors.
//! - `void left(int member, Object result)` at every return: the boxed result, the new object of a constructor, null
//!   for `void`.
//! - `void threw(int member, Throwable thrown)` when it ends by an exception. One of these two follows each `entering`,
//!   except for
//! - constructors that end because the constructor they call throws. Around that call there are
//!   `void constructing(int member)` and `void constructed(int member)` (left out where it is `Object`'s). An observer
//!   that gets another event in between, without the second, has to look at the stack to know whether that constructor
//!   is still running.
//! - `void wrote(Object owner)` before a field of `owner`, or an element of an array, is written. It may be null, and
//!   the write may fail. Writes of static fields, and a constructor's own before it calls another constructor, are not
//!   reported.
//! - `void read(Object owner, int field)`, `void readElement(Object array, int index)`,
//!   `void readLength(Object array)`, and `void readAll(Object owner)` before it is cloned.
//! - `arraycopy` and `vectorizedMismatch` in the place of the JDK's (`Redirect::monitored`).
//!
//! Not seen: reflection, `Unsafe`, variable handles, atomic field updaters, native code, and code that the JIT compiler
//! replaces by its own. Of the array methods these are `Arrays.equals` of `byte[]` and `char[]`, unless the JVM runs
//! with `-XX:DisableIntrinsic=_equalsB,_equalsC`, and hash codes of arrays.

use super::constants::PoolFull;
use super::draft::Draft;
use super::frames::{Entry, ExtraFrame, Frames, UNINITIALIZED_THIS, VType};
use super::hooks::Hook;
use super::method::{Method, Pass};
use super::report::{MonitoredField, MonitoredMember, SkipReason, Skipped};
use crate::instruction::{Instruction, opcode as op};
use crate::names::{ClassName, FieldType, MethodDescriptor, Primitive};
use crate::raw::RawMember;

const OBJECT: &[u8] = b"java/lang/Object";

/// A method whose calls are reported.
pub(super) struct Observed<'a> {
    /// Its id.
    member: u32,
    is_static: bool,
    is_constructor: bool,
    /// A constructor that calls that of `Object`: nothing can be entered or thrown in there.
    is_first: bool,
    /// A constructor in which something may be thrown before it calls another.
    throws_early: bool,
    descriptor: MethodDescriptor,
    entry: Entry<'a>,
}

/// What a method does about the object it constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construction {
    /// It is no constructor.
    None,
    /// The pc of its call of another constructor, on `this`.
    Calls(u32),
    /// There is no such call, or not exactly one that all later code has passed.
    Unclear,
}

impl<'a> Pass<'a, '_> {
    /// Decides whether calls of a method are reported, and numbers it.
    pub(super) fn observed(&mut self, method: &Method<'a, '_>, member: &RawMember<'a>) -> Option<Observed<'a>> {
        let plan = self.plan.calls?;
        let name = member.name.lossy();
        if !plan.which.include(&name, member.access) {
            return None;
        }
        let (mut is_constructor, mut is_first, mut throws_early) = (false, false, false);
        match method.construction {
            Construction::None => {}
            Construction::Calls(pc) => {
                is_constructor = true;
                let before = |i: &&Instruction<'_>| i.pc < pc;
                throws_early = method.instructions.iter().take_while(before).any(|i| i.opcode > op::ALOAD_3);
                let called = method.instructions.iter().find(|i| i.pc == pc)?.constant()?;
                is_first = self.class.pool.member(called).is_ok_and(|m| m.owner.bytes() == OBJECT);
            }
            Construction::Unclear => {
                self.unobserved.push(Skipped { method: method.index, reason: SkipReason::OddConstructor });
                return None;
            }
        }
        let text = member.descriptor.lossy();
        // More than 255 parameters no JVM accepts.
        let descriptor = MethodDescriptor::parse(&text).filter(|d| d.params.len() <= 255)?;
        let id = plan.first_member.wrapping_add(self.members.len() as u32);
        let is_static = member.access.is_static();
        self.members.push(MonitoredMember {
            class: ClassName::new(self.class.name().lossy()),
            name: name.into_owned(),
            descriptor: text.into_owned(),
            is_static,
        });
        let entry = Entry::of(self.class, member);
        Some(Observed { member: id, is_static, is_constructor, is_first, throws_early, descriptor, entry })
    }

    /// `if (Monitor.entering(member)) Monitor.entered(member, this, new Object[] {…})`: arguments are boxed only on
    /// request.
    pub(super) fn enter_call(&mut self, observed: &Observed<'a>, draft: &mut Draft<'a>) -> Result<(), SkipReason> {
        let mut report = Vec::new();
        self.push(&mut report, observed.member)?;
        let has_receiver = !observed.is_static && !observed.is_constructor;
        report.push(if has_receiver { op::ALOAD_0 } else { op::ACONST_NULL });
        // A method has at most 255 parameters.
        self.push(&mut report, observed.descriptor.params.len() as u32)?;
        let [a, b] = self.constants.class(OBJECT)?.to_be_bytes();
        report.extend([op::ANEWARRAY, a, b]);
        let mut local = u16::from(!observed.is_static);
        for (n, parameter) in observed.descriptor.params.iter().enumerate() {
            report.push(op::DUP);
            self.push(&mut report, n as u32)?;
            load(&mut report, parameter, local);
            self.boxing(&mut report, parameter)?;
            report.push(op::AASTORE);
            local += parameter.width();
        }
        let [a, b] = self.hooks.member(Hook::Entered, &mut self.constants)?.to_be_bytes();
        report.extend([op::INVOKESTATIC, a, b]);

        self.push(&mut draft.relocation.out, observed.member)?;
        self.call(draft, Hook::Entering, 7)?;
        // At most 255 parameters of a dozen bytes each: far from 16 bits.
        let [a, b] = (report.len() as u16 + 3).to_be_bytes();
        draft.relocation.out.extend([op::IFEQ, a, b]);
        draft.relocation.out.extend(report);
        let frames = Frames::none(&observed.entry, 0)?;
        let locals = frames.entry_locals(&mut self.constants)?;
        draft.relocation.frame_here(ExtraFrame { position: 0, locals, stack: Vec::new() });
        if !observed.is_constructor {
            self.catch(observed, draft, Vec::new())?;
        } else if observed.throws_early {
            self.catch(observed, draft, vec![UNINITIALIZED_THIS])?;
        }
        Ok(())
    }

    /// Right before the call of another constructor. No handler can be around that call: the verifier has no type for
    /// an object of which it does not know whether it is finished.
    fn constructing(&mut self, observed: &Observed<'a>, draft: &mut Draft<'a>) -> Result<(), PoolFull> {
        if observed.throws_early {
            draft.relocation.land_no_more();
        }
        if !observed.is_first {
            self.push(&mut draft.relocation.out, observed.member)?;
            self.call(draft, Hook::Constructing, 1)?;
        }
        Ok(())
    }

    /// Right behind the call of another constructor.
    pub(super) fn constructed(&mut self, observed: &Observed<'a>, draft: &mut Draft<'a>) -> Result<(), PoolFull> {
        if !observed.is_first {
            self.push(&mut draft.relocation.out, observed.member)?;
            self.call(draft, Hook::Constructed, 1)?;
        }
        self.catch(observed, draft, Vec::new())
    }

    /// What is thrown from here on is reported and thrown on. `locals`: those that all of the code behind has.
    fn catch(&mut self, observed: &Observed<'a>, draft: &mut Draft<'a>, locals: Vec<VType>) -> Result<(), PoolFull> {
        let mut code = vec![op::DUP];
        self.push(&mut code, observed.member)?;
        let [a, b] = self.hooks.member(Hook::Threw, &mut self.constants)?.to_be_bytes();
        code.extend([op::SWAP, op::INVOKESTATIC, a, b, op::ATHROW]);
        let stack = vec![VType::Object(self.constants.class(b"java/lang/Throwable")?)];
        draft.relocation.land_from_here(code, ExtraFrame { position: 0, locals, stack });
        Ok(())
    }

    /// What has to be reported in front of an instruction.
    pub(super) fn observe(
        &mut self,
        draft: &mut Draft<'a>,
        method: &Method<'a, '_>,
        i: &Instruction<'a>,
    ) -> Result<(), SkipReason> {
        match i.opcode {
            op::IRETURN..=op::RETURN => {
                if let Some(observed) = &method.observed {
                    self.leave_call(observed, draft)?;
                }
            }
            op::PUTFIELD if self.plan.writes && !self.writes_before_construction(method, i) => {
                self.wrote_field(draft, i)?;
            }
            op::IASTORE..=op::SASTORE if self.plan.writes => {
                let order: &[u8] = match i.opcode {
                    // array, index, value → value, array, index → array, index, value, array
                    op::LASTORE | op::DASTORE => &[op::DUP2_X2, op::POP2, op::DUP2_X2, op::POP],
                    _ => &[op::DUP_X2, op::POP, op::DUP2_X1, op::POP],
                };
                draft.relocation.out.extend_from_slice(order);
                self.call(draft, Hook::Wrote, 2)?;
            }
            op::GETFIELD if self.plan.reads => {
                let field = self.field(i.constant().unwrap_or(0))?;
                draft.relocation.out.push(op::DUP);
                self.push(&mut draft.relocation.out, field)?;
                self.call(draft, Hook::Read, 2)?;
            }
            op::IALOAD..=op::SALOAD if self.plan.reads => {
                draft.relocation.out.push(op::DUP2);
                self.call(draft, Hook::ReadElement, 2)?;
            }
            op::ARRAYLENGTH if self.plan.reads => {
                draft.relocation.out.push(op::DUP);
                self.call(draft, Hook::ReadLength, 1)?;
            }
            op::INVOKESPECIAL if method.construction == Construction::Calls(i.pc) => {
                if let Some(observed) = &method.observed {
                    self.constructing(observed, draft)?;
                }
            }
            op::INVOKEVIRTUAL | op::INVOKESPECIAL if self.plan.reads && self.is_native_clone(i) => {
                draft.relocation.out.push(op::DUP);
                self.call(draft, Hook::ReadAll, 1)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn leave_call(&mut self, observed: &Observed<'a>, draft: &mut Draft<'a>) -> Result<(), PoolFull> {
        let mut report = Vec::with_capacity(16);
        match &observed.descriptor.result {
            Some(result) => {
                report.push(if result.width() == 2 { op::DUP2 } else { op::DUP });
                self.boxing(&mut report, result)?;
                self.push(&mut report, observed.member)?;
                report.push(op::SWAP);
            }
            None => {
                self.push(&mut report, observed.member)?;
                report.push(if observed.is_constructor { op::ALOAD_0 } else { op::ACONST_NULL });
            }
        }
        draft.relocation.out.extend(report);
        self.call(draft, Hook::Left, 2)
    }

    fn wrote_field(&mut self, draft: &mut Draft<'a>, i: &Instruction<'a>) -> Result<(), SkipReason> {
        let field = self.class.pool.member(i.constant().unwrap_or(0))?;
        let order: &[u8] = match field.descriptor.bytes() {
            // object, value → value, object → object, value, object
            b"J" | b"D" => &[op::DUP2_X1, op::POP2, op::DUP_X2],
            _ => &[op::DUP2, op::POP],
        };
        draft.relocation.out.extend_from_slice(order);
        self.call(draft, Hook::Wrote, 2)?;
        Ok(())
    }

    /// A constructor may write its own fields before `this` is an object that could be passed on.
    fn writes_before_construction(&self, method: &Method<'a, '_>, i: &Instruction<'a>) -> bool {
        let before = match method.construction {
            Construction::None => false,
            Construction::Calls(pc) => i.pc < pc,
            Construction::Unclear => true,
        };
        before && self.class.pool.member(i.constant().unwrap_or(0)).is_ok_and(|f| f.owner == self.class.name())
    }

    /// `clone` of an array, or of an object by `Object` itself: reads everything in it.
    fn is_native_clone(&self, i: &Instruction<'a>) -> bool {
        self.class.pool.member(i.constant().unwrap_or(0)).is_ok_and(|m| {
            let owner = m.owner.bytes();
            m.name == "clone"
                && m.descriptor == "()Ljava/lang/Object;"
                && if i.opcode == op::INVOKESPECIAL { owner == OBJECT } else { owner.starts_with(b"[") }
        })
    }

    /// The id of a field that code names by this constant.
    fn field(&mut self, constant: u16) -> Result<u32, SkipReason> {
        let first = self.plan.first_field;
        if let Some(n) = self.field_ids.get(&constant) {
            return Ok(first.wrapping_add(*n));
        }
        let named = self.class.pool.member(constant)?;
        // Named by two constants it has two ids: harmless, and rare.
        let n = self.fields.len() as u32;
        self.fields.push(MonitoredField {
            class: ClassName::new(named.owner.lossy()),
            name: named.name.lossy().into_owned(),
            descriptor: named.descriptor.lossy().into_owned(),
        });
        self.field_ids.insert(constant, n);
        Ok(first.wrapping_add(n))
    }

    /// Makes an object of the value on top of the stack.
    fn boxing(&mut self, out: &mut Vec<u8>, of: &FieldType) -> Result<(), PoolFull> {
        let FieldType::Primitive(primitive) = of else {
            return Ok(());
        };
        let class = primitive.box_class();
        let descriptor = format!("({})L{class};", primitive.descriptor());
        let [a, b] = self.constants.method(class.as_bytes(), b"valueOf", descriptor.as_bytes())?.to_be_bytes();
        out.extend([op::INVOKESTATIC, a, b]);
        Ok(())
    }
}

/// The shortest code that loads a local variable.
fn load(out: &mut Vec<u8>, of: &FieldType, local: u16) {
    let (long, short) = match of {
        FieldType::Primitive(Primitive::Long) => (op::LLOAD, op::LLOAD_0),
        FieldType::Primitive(Primitive::Float) => (op::FLOAD, op::FLOAD_0),
        FieldType::Primitive(Primitive::Double) => (op::DLOAD, op::DLOAD_0),
        FieldType::Primitive(_) => (op::ILOAD, op::ILOAD_0),
        _ => (op::ALOAD, op::ALOAD_0),
    };
    let [high, low] = local.to_be_bytes();
    match (high, low) {
        (0, 0..=3) => out.push(short + low),
        (0, _) => out.extend([long, low]),
        _ => out.extend([op::WIDE, long, high, low]),
    }
}

/// Finds the call of another constructor on `this`: the one call of a constructor with no `new` waiting for it.
pub(super) fn construction(pass: &Pass<'_, '_>, instructions: &[Instruction<'_>]) -> Construction {
    let pool = &pass.class.pool;
    let (mut waiting, mut found) = (0u32, None);
    for i in instructions {
        match i.opcode {
            op::NEW => waiting += 1,
            op::INVOKESPECIAL => {
                let Ok(called) = pool.member(i.constant().unwrap_or(0)) else {
                    return Construction::Unclear;
                };
                if called.name != "<init>" {
                    continue;
                }
                if waiting > 0 {
                    waiting -= 1;
                    continue;
                }
                let is_ours = called.owner == pass.class.name() || Some(called.owner) == pass.class.super_name();
                if found.is_some() || !is_ours {
                    return Construction::Unclear;
                }
                found = Some(i.pc);
            }
            _ => {}
        }
    }
    let stores_this = |i: &Instruction<'_>| {
        let is_store = matches!(i.opcode, op::ASTORE | op::ASTORE_0);
        is_store && i.operand == crate::instruction::Operand::Local(0)
    };
    match found {
        Some(pc) if !instructions.iter().any(stores_this) => Construction::Calls(pc),
        _ => Construction::Unclear,
    }
}
