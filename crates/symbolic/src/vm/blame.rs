//! What a JVM says about a null: which action failed, and what was null, in the words of the code. Owns finding where
//! values on the stack came from and the wording (JEP 358); raises nothing.

use std::fmt::Write as _;

use bytecode::instruction::{Instruction, Operand, decode, opcode as op};
use bytecode::names::FieldType;
use bytecode::raw::{MemberRef, RawClass, RawCode};

use super::class::{MethodId, Slot};
use super::machine::Machine;
use super::synthetic::split;
use super::verify::simple_effect;

/// How many steps a description goes back.
const DEEPEST: u32 = 5;

/// What is known of the stack in front of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sources {
    /// The instruction each slot was pushed by; `None` if by several.
    stack: Vec<Option<u32>>,
    /// Locals that were written, of the first 64.
    written: u64,
}

impl Sources {
    /// The slot that far below the top.
    fn below(&self, depth: usize) -> Option<u32> {
        let at = self.stack.len().checked_sub(depth + 1)?;
        self.stack[at]
    }

    fn pop(&mut self, count: usize) {
        let left = self.stack.len().saturating_sub(count);
        self.stack.truncate(left);
    }

    fn push(&mut self, pc: u32, width: usize) {
        self.stack.extend(std::iter::repeat_n(Some(pc), width));
    }

    fn write(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }

    fn merge(&mut self, other: &Sources) {
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            if mine != theirs {
                *mine = None;
            }
        }
        self.written |= other.written;
    }

    /// Puts copies of the upper `count` slots below `skipped` further ones.
    fn duplicate(&mut self, count: usize, skipped: usize) {
        let top = self.stack.len();
        if let Some(from) = top.checked_sub(count + skipped) {
            let copies: Vec<_> = self.stack[top - count..].to_vec();
            self.stack.splice(from..from, copies);
        }
    }
}

/// The code in which a null was met.
struct Scene<'a> {
    class: &'a RawClass<'a>,
    code: &'a RawCode<'a>,
    instructions: &'a [Instruction<'a>],
    sources: Vec<Option<Sources>>,
    is_static: bool,
    params: Vec<String>,
}

impl Machine {
    /// What a JVM says about the null that the instruction met, if it says anything; `None` if that is not known.
    pub(super) fn null_description(&self, method: MethodId, at: u32) -> Option<Option<String>> {
        let found = self.method_at(method);
        let bytes = &self.class(found.class).bytes;
        let class = RawClass::parse(bytes).ok()?;
        let member = class.methods.get(usize::from(found.index))?;
        let code = class.code(member).ok()??;
        let instructions = decode(code.code, code.code_start).ok()?;
        let (params, _) = split(self.symbols.get(found.descriptor)).ok()?;
        let pc = u32::from(self.pcs.get(at as usize).copied()?);
        let mut scene = Scene {
            class: &class,
            code: &code,
            instructions: &instructions,
            sources: vec![None; instructions.len()],
            is_static: found.is_static(),
            params,
        };
        scene.find_sources(pc)?;
        scene.message(pc)
    }
}

impl<'a> Scene<'a> {
    fn index(&self, pc: u32) -> Option<usize> {
        self.instructions.binary_search_by_key(&pc, |i| i.pc).ok()
    }

    fn member(&self, i: &Instruction<'_>) -> Option<MemberRef<'a>> {
        self.class.pool.member(i.constant()?).ok()
    }

    /// Goes through the code until the stack in front of `wanted` is known, as a JVM does: not to a fixed point.
    fn find_sources(&mut self, wanted: u32) -> Option<()> {
        *self.sources.first_mut()? = Some(Sources::default());
        for handler in &self.code.handlers {
            let pc = u32::from(handler.handler_pc);
            let at = self.index(pc)?;
            if self.sources[at].is_none() {
                self.sources[at] = Some(Sources { stack: vec![Some(pc)], written: 0 });
            }
        }
        loop {
            let (mut added, mut all) = (false, true);
            for at in 0..self.instructions.len() {
                let instruction = self.instructions[at];
                if instruction.pc == wanted && at > 0 && self.sources[at].is_some() {
                    return Some(());
                }
                let Some(mut sources) = self.sources[at].clone() else {
                    all = false;
                    continue;
                };
                self.apply(&instruction, &mut sources)?;
                let mut targets = Vec::new();
                instruction.for_each_target(|target| targets.push(target));
                targets.extend(instruction.falls_through().then(|| instruction.next_pc()));
                for target in targets {
                    let Some(to) = self.index(target) else { continue };
                    match &mut self.sources[to] {
                        Some(known) => known.merge(&sources),
                        unknown => {
                            *unknown = Some(sources.clone());
                            added = true;
                        }
                    }
                }
            }
            if all || !added {
                return Some(());
            }
        }
    }

    fn apply(&self, i: &Instruction<'_>, s: &mut Sources) -> Option<()> {
        let width = |letters: &str| letters.bytes().map(|l| if matches!(l, b'J' | b'D') { 2 } else { 1 }).sum();
        if let Some((taken, left)) = simple_effect(i.opcode) {
            s.pop(width(taken));
            s.push(i.pc, width(left));
            return Some(());
        }
        let slots = |descriptor: &str| Slot::of(descriptor).width() as usize;
        match i.opcode {
            op::ACONST_NULL | op::LDC | op::LDC_W | op::NEW => s.push(i.pc, 1),
            op::LDC2_W => s.push(i.pc, 2),
            op::ILOAD | op::FLOAD | op::ALOAD => s.push(i.pc, 1),
            op::LLOAD | op::DLOAD => s.push(i.pc, 2),
            op::ILOAD_0..=op::ALOAD_3 => {
                s.push(i.pc, if matches!((i.opcode - op::ILOAD_0) / 4, 1 | 3) { 2 } else { 1 });
            }
            op::ISTORE | op::FSTORE | op::ASTORE | op::LSTORE | op::DSTORE | op::ISTORE_0..=op::ASTORE_3 => {
                let is_wide = match i.opcode {
                    op::LSTORE | op::DSTORE => true,
                    op::ISTORE_0..=op::ASTORE_3 => matches!((i.opcode - op::ISTORE_0) / 4, 1 | 3),
                    _ => false,
                };
                s.pop(if is_wide { 2 } else { 1 });
                if let Operand::Local(local) = i.operand {
                    s.write(local);
                }
            }
            op::IINC => {
                if let Operand::Increment { local, .. } = i.operand {
                    s.write(local);
                }
            }
            op::IALOAD..=op::SALOAD => {
                s.pop(2);
                s.push(i.pc, if matches!(i.opcode, op::LALOAD | op::DALOAD) { 2 } else { 1 });
            }
            op::IASTORE..=op::SASTORE => s.pop(stored_at(i.opcode) + 1),
            op::POP2 => s.pop(2),
            op::DUP => s.duplicate(1, 0),
            op::DUP_X1 => s.duplicate(1, 1),
            op::DUP_X2 => s.duplicate(1, 2),
            op::DUP2 => s.duplicate(2, 0),
            op::DUP2_X1 => s.duplicate(2, 1),
            op::DUP2_X2 => s.duplicate(2, 2),
            op::SWAP => {
                let top = s.stack.len();
                if top >= 2 {
                    s.stack.swap(top - 1, top - 2);
                }
            }
            op::ARRAYLENGTH | op::INSTANCEOF | op::NEWARRAY | op::ANEWARRAY => {
                s.pop(1);
                s.push(i.pc, 1);
            }
            op::MULTIANEWARRAY => {
                let Operand::MultiNewArray { dimensions, .. } = i.operand else { return None };
                s.pop(usize::from(dimensions));
                s.push(i.pc, 1);
            }
            op::CHECKCAST => {}
            op::GETSTATIC => s.push(i.pc, slots(&self.member(i)?.descriptor.to_string())),
            op::PUTSTATIC => s.pop(slots(&self.member(i)?.descriptor.to_string())),
            op::GETFIELD => {
                s.pop(1);
                s.push(i.pc, slots(&self.member(i)?.descriptor.to_string()));
            }
            op::PUTFIELD => s.pop(slots(&self.member(i)?.descriptor.to_string()) + 1),
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC | op::INVOKEINTERFACE | op::INVOKEDYNAMIC => {
                let descriptor = match i.opcode {
                    op::INVOKEDYNAMIC => self.class.pool.dynamic(i.constant()?).ok()?.descriptor.to_string(),
                    _ => self.member(i)?.descriptor.to_string(),
                };
                let (params, result) = split(&descriptor).ok()?;
                let receiver = usize::from(!matches!(i.opcode, op::INVOKESTATIC | op::INVOKEDYNAMIC));
                s.pop(params.iter().map(|p| slots(p)).sum::<usize>() + receiver);
                s.push(i.pc, slots(&result));
            }
            op::IRETURN..=op::RETURN | op::ATHROW => s.stack.clear(),
            // Old subroutines.
            _ => return None,
        }
        Some(())
    }

    fn message(&self, pc: u32) -> Option<Option<String>> {
        let i = &self.instructions[self.index(pc)?];
        let (mut text, slot) = match i.opcode {
            op::IALOAD..=op::SALOAD => (format!("Cannot load from {} array", elements(i.opcode - op::IALOAD)), 1),
            op::IASTORE..=op::SASTORE => {
                (format!("Cannot store to {} array", elements(i.opcode - op::IASTORE)), stored_at(i.opcode))
            }
            op::ARRAYLENGTH => ("Cannot read the array length".to_owned(), 0),
            op::ATHROW => ("Cannot throw exception".to_owned(), 0),
            op::MONITORENTER => ("Cannot enter synchronized block".to_owned(), 0),
            op::MONITOREXIT => ("Cannot exit synchronized block".to_owned(), 0),
            op::GETFIELD => (format!("Cannot read field \"{}\"", self.member(i)?.name), 0),
            op::PUTFIELD => {
                let member = self.member(i)?;
                let width = Slot::of(&member.descriptor.to_string()).width() as usize;
                (format!("Cannot assign field \"{}\"", member.name), width)
            }
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                let member = self.member(i)?;
                if member.name == "<init>" {
                    return Some(None);
                }
                let (params, _) = split(&member.descriptor.to_string()).ok()?;
                let slots = params.iter().map(|p| Slot::of(p).width() as usize).sum();
                (format!("Cannot invoke \"{}\"", method_text(&member)?), slots)
            }
            _ => return None,
        };
        let mut cause = String::new();
        if self.describe(&mut cause, pc, slot, DEEPEST).is_some() {
            let is_call = self.source(pc, slot).is_some_and(|i| is_call(i.opcode));
            let opening = if is_call { "the return value of " } else { "" };
            let _ = write!(text, " because {opening}\"{cause}\" is null");
        }
        Some(Some(text))
    }

    /// The instruction that pushed a slot of the stack in front of another.
    fn source(&self, pc: u32, slot: usize) -> Option<&Instruction<'a>> {
        let sources = self.sources[self.index(pc)?].as_ref()?;
        Some(&self.instructions[self.index(sources.below(slot)?)?])
    }

    /// Where the value came from, in words.
    fn describe(&self, out: &mut String, pc: u32, slot: usize, left: u32) -> Option<()> {
        if left == 0 {
            return None;
        }
        let i = self.source(pc, slot)?;
        match i.opcode {
            op::ILOAD | op::ALOAD | op::ILOAD_0..=op::ILOAD_3 | op::ALOAD_0..=op::ALOAD_3 => {
                let Operand::Local(local) = i.operand else { return None };
                out.push_str(&self.local(i.pc, local)?);
            }
            op::ACONST_NULL => out.push_str("null"),
            op::ICONST_M1..=op::ICONST_5 => {
                let _ = write!(out, "{}", i32::from(i.opcode) - i32::from(op::ICONST_0));
            }
            op::BIPUSH | op::SIPUSH => {
                let Operand::Int(value) = i.operand else { return None };
                let _ = write!(out, "{value}");
            }
            op::GETSTATIC => {
                let member = self.member(i)?;
                let _ = write!(out, "{}.{}", class_text(&member.owner.to_string()), member.name);
            }
            op::GETFIELD => {
                if self.describe(out, i.pc, 0, left - 1).is_some() {
                    out.push('.');
                }
                let _ = write!(out, "{}", self.member(i)?.name);
            }
            opcode if is_call(opcode) => out.push_str(&method_text(&self.member(i)?)?),
            op::IALOAD | op::AALOAD => {
                if self.describe(out, i.pc, 1, left - 1).is_none() {
                    out.push_str("<array>");
                }
                out.push('[');
                if self.describe(out, i.pc, 0, left).is_none() {
                    out.push_str("...");
                }
                out.push(']');
            }
            _ => return None,
        }
        Some(())
    }

    fn local(&self, pc: u32, local: u16) -> Option<String> {
        for attribute in self.code.attributes.iter(&self.class.pool) {
            if attribute.name != "LocalVariableTable" {
                continue;
            }
            for row in attribute.content.get(2..).unwrap_or_default().chunks_exact(10) {
                let number = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
                let (start, length) = (u32::from(number(0)), u32::from(number(2)));
                if pc >= start && pc < start + length && number(8) == local {
                    return Some(self.class.pool.text(number(4)).ok()?.to_string());
                }
            }
        }
        let sources = self.sources[self.index(pc)?].as_ref()?;
        let is_written = local < 64 && sources.written & 1 << local != 0;
        if !self.is_static && local == 0 && !is_written {
            return Some("this".to_owned());
        }
        let mut slot = u32::from(!self.is_static);
        for (i, param) in self.params.iter().enumerate() {
            let width = Slot::of(param).width();
            if (slot..slot + width).contains(&u32::from(local)) && !is_written {
                return Some(format!("<parameter{}>", i + 1));
            }
            slot += width;
        }
        Some(format!("<local{local}>"))
    }
}

fn is_call(opcode: u8) -> bool {
    matches!(opcode, op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC | op::INVOKEINTERFACE)
}

/// How far below the top an instruction that stores finds the array.
fn stored_at(opcode: u8) -> usize {
    if matches!(opcode, op::LASTORE | op::DASTORE) { 3 } else { 2 }
}

/// Elements of arrays, in the order of the instructions.
fn elements(row: u8) -> &'static str {
    ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"][usize::from(row & 7)]
}

/// A class as messages name it.
fn class_text(internal: &str) -> String {
    match internal {
        "java/lang/Object" => "Object".to_owned(),
        "java/lang/String" => "String".to_owned(),
        other => other.replace('/', "."),
    }
}

fn method_text(member: &MemberRef<'_>) -> Option<String> {
    let (params, _) = split(&member.descriptor.to_string()).ok()?;
    let params: Option<Vec<String>> = params.iter().map(|p| type_text(p)).collect();
    Some(format!("{}.{}({})", class_text(&member.owner.to_string()), member.name, params?.join(", ")))
}

fn type_text(descriptor: &str) -> Option<String> {
    let element = descriptor.trim_start_matches('[');
    let name = match FieldType::parse(element)? {
        FieldType::Primitive(primitive) => primitive.keyword().to_owned(),
        // A JVM shortens parameters in this way, and everything that begins alike.
        FieldType::Class(class) => match class.internal().strip_prefix("java/lang/") {
            Some(short) if short.starts_with("Object") || short.starts_with("String") => short.to_owned(),
            _ => class_text(class.internal()),
        },
        FieldType::Array(_) => return None,
    };
    Some(name + &"[]".repeat(descriptor.len() - element.len()))
}
