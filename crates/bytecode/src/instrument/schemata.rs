//! Mutant schemata: one class that holds all its mutants, of which a number in the runtime chooses one (or none). Owns
//! how each kind of fault is written so that it can be switched; which faults there are is `mutate`'s to say. A method
//! that becomes too large stays as it was, with the reason. The class still has to be instrumented for steps and
//! initialisers, as any other.

mod types;

use super::constants::{NewConstants, PoolFull};
use super::frames::parameters;
use super::hooks::Hooks;
use super::method::{Method, Pass};
use super::plan::Plan;
use super::relocate::{Misfit, Relocation, Stretch};
use super::report::SkipReason;
use super::splice;
use crate::instruction::{Instruction, Operand, opcode as op};
use crate::mutate::{Change, Exempt, Returned, Site, sites};
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{RawClass, RawCode, RawMember};
use types::{Known, Walk};

/// A class with all its mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schemata {
    pub bytes: Vec<u8>,
    /// What can be switched on, numbered as in the code.
    pub sites: Vec<Site>,
    /// The first unused number.
    pub next: u32,
    pub left_out: Vec<LeftOut>,
}

/// A method whose mutants could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Index of the method in the class file.
    pub method: u16,
    pub mutants: u32,
    pub reason: SkipReason,
}

/// Writes all mutants of a class into it, numbered from `first`. `runtime` is the class whose static methods stand in
/// for instructions.
pub fn schemata(bytes: &[u8], runtime: &ClassName, exempt: &[Exempt], first: u32) -> Result<Schemata, Problem> {
    let all = sites(bytes, exempt, first)?;
    let next = all.last().map_or(first, |s| s.number + s.numbers());
    let class = RawClass::parse(bytes)?;
    let plan = Plan::nothing(runtime.clone());
    // The pool's count was read from 16 bits.
    let constants = NewConstants::new(class.pool.len() as u16);
    let mut pass = Pass::new(&class, &plan, constants, Hooks::new(&plan, class.pool.len()));
    let (mut changed, mut left_out) = (Vec::new(), Vec::new());
    let mut written: Vec<Site> = Vec::with_capacity(all.len());
    for of_method in all.chunk_by(|a, b| a.method == b.method) {
        let index = of_method[0].method;
        let member = &class.methods[usize::from(index)];
        let (Some(attribute), Some(code)) = (member.attributes.find(&class.pool, "Code"), class.code(member)?) else {
            continue;
        };
        match pass.switchable(index, member, &code, of_method) {
            Ok(content) => {
                changed.push((attribute.range, content));
                written.extend_from_slice(of_method);
            }
            Err(reason) => {
                let mutants = of_method.iter().map(|s| s.mutants.len() as u32).sum();
                left_out.push(LeftOut { method: index, mutants, reason });
            }
        }
    }
    let constants = pass.constants;
    let bytes = if changed.is_empty() { bytes.to_vec() } else { splice(&class, &constants, &[], &changed) };
    Ok(Schemata { bytes, sites: written, next, left_out })
}

/// The new code of a method while it is written.
struct Draft<'a> {
    relocation: Relocation<'a>,
    extra_stack: u16,
}

impl Draft<'_> {
    fn note(&mut self, stack: u16) {
        self.extra_stack = self.extra_stack.max(stack);
    }
}

impl<'a> Pass<'a, '_> {
    /// The content of the method's new `Code` attribute.
    fn switchable(
        &mut self,
        index: u16,
        member: &RawMember<'a>,
        code: &RawCode<'a>,
        sites: &[Site],
    ) -> Result<Vec<u8>, SkipReason> {
        let method = Method::new(self.class, index, member, code)?;
        let mut stretch = Stretch::default();
        loop {
            let mut walk = Walk::start(self.class, member, &method, sites)?;
            let mut draft = Draft { relocation: Relocation::new(code.code, stretch), extra_stack: 0 };
            let mut next = sites.iter().peekable();
            for i in &method.instructions {
                draft.relocation.begin(i);
                walk.reach(i)?;
                match next.next_if(|s| s.pc == i.pc) {
                    Some(site) => self.switched(&mut draft, site, i, &mut walk)?,
                    None => {
                        draft.relocation.copy(i);
                        walk.pass(i)?;
                    }
                }
            }
            match draft.relocation.finish() {
                Ok(moved) => return self.assemble(&method, member, moved, &[], draft.extra_stack),
                Err(Misfit::Stretch(more)) => stretch = more,
                Err(Misfit::TooFar) => return Err(SkipReason::BranchTooFar),
                Err(Misfit::TooLarge(size)) => return Err(SkipReason::CodeTooLarge { size }),
            }
        }
    }

    /// The instruction in switchable form.
    fn switched(
        &mut self,
        draft: &mut Draft<'a>,
        site: &Site,
        i: &Instruction<'a>,
        walk: &mut Walk<'a, '_>,
    ) -> Result<(), SkipReason> {
        match &site.change {
            Change::Condition => {
                let (name, descriptor) = condition(i.opcode);
                if (op::IFEQ..=op::IFLE).contains(&i.opcode) {
                    draft.relocation.out.push(op::ICONST_0);
                }
                self.stand_in_before(draft, site, name, descriptor, 2)?;
                draft.relocation.copy(&Instruction { opcode: op::IFNE, ..*i });
            }
            Change::Arithmetic => {
                let (name, descriptor) = (i.mnemonic(), arithmetic(i.opcode));
                let bytes = self.stand_in_for(site, name, descriptor)?;
                draft.relocation.replace(i, &bytes);
                draft.note(1);
            }
            Change::Increment => {
                let Operand::Increment { local, by } = i.operand else {
                    return Err(SkipReason::StackMap { expected: "an increment" });
                };
                let mut bytes = Vec::with_capacity(16);
                bytes.extend(with_local(op::ILOAD, local));
                let [a, b] = by.to_be_bytes();
                bytes.extend([op::SIPUSH, a, b]);
                bytes.extend(self.stand_in_for(site, "iinc", "(III)I")?);
                bytes.extend(with_local(op::ISTORE, local));
                draft.relocation.replace(i, &bytes);
                draft.note(3);
            }
            Change::Constant(ty) => {
                draft.relocation.copy(i);
                let descriptor = match ty {
                    b'I' => "(II)I",
                    b'J' => "(JI)J",
                    b'F' => "(FI)F",
                    _ => "(DI)D",
                };
                self.stand_in_before(draft, site, "constant", descriptor, 1)?;
            }
            Change::Return(Returned::Null) => {
                draft.relocation.out.push(op::DUP);
                self.stand_in_before(draft, site, "isNulled", "(Ljava/lang/Object;I)Z", 2)?;
                // Over the null that is given back instead.
                draft.relocation.out.extend([op::IFEQ, 0, 5, op::ACONST_NULL, op::ARETURN]);
                self.frame(draft, walk.now())?;
                draft.relocation.copy(i);
            }
            Change::Return(returned) => {
                let (name, descriptor) = result(*returned);
                self.stand_in_before(draft, site, name, &descriptor, 1)?;
                draft.relocation.copy(i);
            }
            Change::Removal => {
                let pops = self.pops(i)?;
                self.stand_in_before(draft, site, "isRemoved", "(I)Z", 1)?;
                let over = 3 + pops.len() as u16 + 3;
                draft.relocation.out.push(op::IFEQ);
                draft.relocation.out.extend(over.to_be_bytes());
                draft.relocation.out.extend_from_slice(&pops);
                draft.relocation.out.push(op::GOTO);
                draft.relocation.out.extend((3 + i.length as u16).to_be_bytes());
                self.frame(draft, walk.now())?;
                draft.relocation.copy(i);
                walk.pass(i)?;
                return self.frame(draft, walk.now());
            }
        }
        walk.pass(i)
    }

    /// A frame for the next instruction, unless the class needs none.
    fn frame(&mut self, draft: &mut Draft<'a>, known: Option<Known<'_, '_>>) -> Result<(), SkipReason> {
        if let Some(known) = known {
            let frame = known.frame(&mut self.constants)?;
            draft.relocation.frame_here(frame);
        }
        Ok(())
    }

    fn stand_in_before(
        &mut self,
        draft: &mut Draft<'a>,
        site: &Site,
        name: &str,
        descriptor: &str,
        stack: u16,
    ) -> Result<(), PoolFull> {
        let bytes = self.stand_in_for(site, name, descriptor)?;
        draft.relocation.out.extend(bytes);
        draft.note(stack);
        Ok(())
    }

    /// A call of one of the runtime's methods with the site's number as the last argument.
    fn stand_in_for(&mut self, site: &Site, name: &str, descriptor: &str) -> Result<Vec<u8>, PoolFull> {
        let mut bytes = Vec::with_capacity(6);
        self.push(&mut bytes, site.number)?;
        let owner = self.plan.hooks.internal().as_bytes();
        let method = self.constants.method(owner, name.as_bytes(), descriptor.as_bytes())?;
        bytes.push(op::INVOKESTATIC);
        bytes.extend(method.to_be_bytes());
        Ok(bytes)
    }

    /// What takes the operands of a call or field write off the stack.
    fn pops(&self, i: &Instruction<'a>) -> Result<Vec<u8>, SkipReason> {
        let member = self.class.pool.member(i.constant().unwrap_or(0))?;
        let descriptor = member.descriptor.bytes();
        let mut pops = Vec::new();
        if matches!(i.opcode, op::PUTFIELD | op::PUTSTATIC) {
            pops.push(if matches!(descriptor, b"J" | b"D") { op::POP2 } else { op::POP });
        } else {
            let parameters = parameters(descriptor).ok_or(SkipReason::StackMap { expected: "a descriptor" })?;
            let wide = |p: &&[u8]| matches!(*p, b"J" | b"D");
            pops.extend(parameters.iter().rev().map(|p| if wide(p) { op::POP2 } else { op::POP }));
        }
        if !matches!(i.opcode, op::PUTSTATIC | op::INVOKESTATIC) {
            pops.push(op::POP);
        }
        Ok(pops)
    }
}

fn with_local(opcode: u8, local: u16) -> Vec<u8> {
    match u8::try_from(local) {
        Ok(short) => vec![opcode, short],
        Err(_) => {
            let [a, b] = local.to_be_bytes();
            vec![op::WIDE, opcode, a, b]
        }
    }
}

fn condition(opcode: u8) -> (&'static str, &'static str) {
    const INTS: &str = "(III)Z";
    const REFERENCES: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)Z";
    const REFERENCE: &str = "(Ljava/lang/Object;I)Z";
    match opcode {
        op::IFEQ | op::IF_ICMPEQ => ("eq", INTS),
        op::IFNE | op::IF_ICMPNE => ("ne", INTS),
        op::IFLT | op::IF_ICMPLT => ("lt", INTS),
        op::IFGE | op::IF_ICMPGE => ("ge", INTS),
        op::IFGT | op::IF_ICMPGT => ("gt", INTS),
        op::IFLE | op::IF_ICMPLE => ("le", INTS),
        op::IF_ACMPEQ => ("same", REFERENCES),
        op::IF_ACMPNE => ("notSame", REFERENCES),
        op::IFNULL => ("isNull", REFERENCE),
        _ => ("nonNull", REFERENCE),
    }
}

fn arithmetic(opcode: u8) -> &'static str {
    if matches!(opcode, op::LSHL | op::LSHR | op::LUSHR) {
        return "(JII)J";
    }
    // Int, long, float, double in turn up to the negations; int and long in turn among shifts and logic.
    let (unary, ty) = match opcode {
        op::INEG..=op::DNEG => (true, (opcode - op::INEG) % 4),
        op::ISHL..=op::LXOR => (false, (opcode - op::ISHL) % 2),
        _ => (false, (opcode - op::IADD) % 4),
    };
    match (unary, ty) {
        (false, 0) => "(III)I",
        (false, 1) => "(JJI)J",
        (false, 2) => "(FFI)F",
        (false, _) => "(DDI)D",
        (true, 0) => "(II)I",
        (true, 1) => "(JI)J",
        (true, 2) => "(FI)F",
        (true, _) => "(DI)D",
    }
}

fn result(returned: Returned) -> (&'static str, String) {
    const BOXED: &str = "Ljava/lang/Boolean;";
    let of = |ty: &str| format!("({ty}I){ty}");
    let truth = |boxed: bool| of(if boxed { BOXED } else { "Z" });
    match returned {
        Returned::Truth { boxed } => ("truth", truth(boxed)),
        Returned::Only { value: true, boxed } => ("onlyTrue", truth(boxed)),
        Returned::Only { value: false, boxed } => ("onlyFalse", truth(boxed)),
        Returned::Empty(ty) => ("empty", of(ty)),
        // Has no stand-in of this kind: see the caller.
        Returned::Null => ("isNulled", "(Ljava/lang/Object;I)Z".to_owned()),
    }
}
