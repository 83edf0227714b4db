//! Decoding of instructions: every opcode, `wide`, switches, jump targets as absolute pcs. Owns the instruction format
//! and the checks that make later code safe (targets are instruction starts); never looks into the constant pool and
//! never follows a jump.

pub mod opcode;
mod switch;

pub use switch::Switch;

use crate::problem::{Problem, ProblemKind};
use opcode as op;

/// One instruction. `'a` is the code it was decoded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    pub pc: u32,
    /// For a `wide` instruction the opcode that was widened.
    pub opcode: u8,
    /// Bytes it takes, `wide` prefix and switch padding included.
    pub length: u32,
    pub operand: Operand<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    None,
    /// `bipush`, `sipush`.
    Int(i32),
    /// Loads, stores, `ret`. Also filled in for the short forms (`aload_0`).
    Local(u16),
    /// `iinc`.
    Increment {
        local: u16,
        by: i16,
    },
    /// Pool index: `ldc*`, fields, `invokevirtual/special/static`, `new`, `anewarray`, `checkcast`, `instanceof`,
    /// `invokedynamic`.
    Constant(u16),
    InvokeInterface {
        constant: u16,
        count: u8,
    },
    MultiNewArray {
        constant: u16,
        dimensions: u8,
    },
    /// `newarray`: the element type's code (4 = boolean … 11 = long).
    ArrayType(u8),
    /// The target of a conditional or unconditional jump or `jsr`.
    Jump(u32),
    Switch(Switch<'a>),
}

impl<'a> Instruction<'a> {
    /// The pc behind this instruction.
    pub fn next_pc(&self) -> u32 {
        self.pc + self.length
    }

    pub fn mnemonic(&self) -> &'static str {
        // The decoder only makes instructions whose opcode exists.
        op::mnemonic(self.opcode).unwrap_or("?")
    }

    /// A two-way branch: `if…`, `ifnull`, `ifnonnull`.
    pub fn is_conditional(&self) -> bool {
        is_conditional(self.opcode)
    }

    /// Whether control may go on at [`Instruction::next_pc`]. True for `jsr`, whose subroutine comes back there.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self.opcode,
            op::GOTO | op::GOTO_W | op::RET | op::TABLESWITCH | op::LOOKUPSWITCH | op::ATHROW | op::IRETURN
                ..=op::RETURN
        )
    }

    pub fn jump_target(&self) -> Option<u32> {
        match self.operand {
            Operand::Jump(target) => Some(target),
            _ => None,
        }
    }

    pub fn switch(&self) -> Option<Switch<'a>> {
        match self.operand {
            Operand::Switch(s) => Some(s),
            _ => None,
        }
    }

    /// The pool index an instruction refers to.
    pub fn constant(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(c)
            | Operand::InvokeInterface { constant: c, .. }
            | Operand::MultiNewArray { constant: c, .. } => Some(c),
            _ => None,
        }
    }

    /// Calls `f` with each pc this instruction may jump to (not the fall-through), the switch default first.
    #[inline]
    pub fn for_each_target(&self, mut f: impl FnMut(u32)) {
        match self.operand {
            Operand::Jump(t) => f(t),
            Operand::Switch(s) => {
                f(s.default_target());
                s.cases().for_each(|(_, t)| f(t));
            }
            _ => {}
        }
    }
}

pub(crate) fn is_conditional(opcode: u8) -> bool {
    matches!(opcode, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}

/// Decodes a method's code one instruction after the other. Jump targets are checked to lie inside the code; that they
/// are instruction starts is [`decode`]'s check. After a problem the iterator ends.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    /// Offset of the code in the class file, for problems.
    start: usize,
    pc: usize,
}

impl<'a> Instructions<'a> {
    pub fn new(code: &'a [u8], start: usize) -> Instructions<'a> {
        Instructions { code, start, pc: 0 }
    }

    fn problem(&self, kind: ProblemKind) -> Problem {
        Problem::new(self.start + self.pc, kind)
    }

    #[inline]
    fn decode(&self) -> Result<Instruction<'a>, Problem> {
        let rest = &self.code[self.pc..];
        let pc = self.pc as u32;
        let opcode = rest[0];
        let byte = |at: usize| rest.get(at).copied().ok_or_else(|| self.problem(ProblemKind::Operands { pc }));
        let u2 = |at: usize| Ok::<u16, Problem>(u16::from_be_bytes([byte(at)?, byte(at + 1)?]));
        let jump = |offset: i32| {
            let target = i64::from(pc) + i64::from(offset);
            if target < 0 || target >= self.code.len() as i64 {
                return Err(self.problem(ProblemKind::JumpTarget { pc, target }));
            }
            Ok(Operand::Jump(target as u32))
        };
        let (opcode, length, operand) = match opcode {
            op::BIPUSH => (opcode, 2, Operand::Int(i32::from(byte(1)? as i8))),
            op::SIPUSH => (opcode, 3, Operand::Int(i32::from(u2(1)? as i16))),
            op::LDC => (opcode, 2, Operand::Constant(u16::from(byte(1)?))),
            op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {
                (opcode, 2, Operand::Local(u16::from(byte(1)?)))
            }
            op::ILOAD_0..=op::ALOAD_3 => (opcode, 1, Operand::Local(u16::from((opcode - op::ILOAD_0) & 3))),
            op::ISTORE_0..=op::ASTORE_3 => (opcode, 1, Operand::Local(u16::from((opcode - op::ISTORE_0) & 3))),
            op::IINC => (opcode, 3, Operand::Increment { local: u16::from(byte(1)?), by: i16::from(byte(2)? as i8) }),
            op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => (opcode, 3, jump(i32::from(u2(1)? as i16))?),
            op::GOTO_W | op::JSR_W => {
                let offset = u32::from(u2(1)?) << 16 | u32::from(u2(3)?);
                (opcode, 5, jump(offset as i32)?)
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                let (switch, length) = Switch::decode(self.code, self.start, pc)?;
                (opcode, length, Operand::Switch(switch))
            }
            op::LDC_W
            | op::LDC2_W
            | op::GETSTATIC..=op::INVOKESTATIC
            | op::NEW
            | op::ANEWARRAY
            | op::CHECKCAST
            | op::INSTANCEOF => (opcode, 3, Operand::Constant(u2(1)?)),
            op::INVOKEINTERFACE => {
                byte(4)?;
                (opcode, 5, Operand::InvokeInterface { constant: u2(1)?, count: byte(3)? })
            }
            op::INVOKEDYNAMIC => {
                byte(4)?;
                (opcode, 5, Operand::Constant(u2(1)?))
            }
            op::NEWARRAY => (opcode, 2, Operand::ArrayType(byte(1)?)),
            op::MULTIANEWARRAY => (opcode, 4, Operand::MultiNewArray { constant: u2(1)?, dimensions: byte(3)? }),
            op::WIDE => match byte(1)? {
                op::IINC => (op::IINC, 6, Operand::Increment { local: u2(2)?, by: u2(4)? as i16 }),
                wide @ (op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET) => (wide, 4, Operand::Local(u2(2)?)),
                opcode => return Err(self.problem(ProblemKind::Opcode { opcode, pc })),
            },
            0..=op::JSR_W => (opcode, 1, Operand::None),
            _ => return Err(self.problem(ProblemKind::Opcode { opcode, pc })),
        };
        Ok(Instruction { pc, opcode, length, operand })
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, Problem>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.pc >= self.code.len() {
            return None;
        }
        let decoded = self.decode();
        self.pc = match &decoded {
            Ok(i) => self.pc + i.length as usize,
            Err(_) => self.code.len(),
        };
        Some(decoded)
    }
}

/// All instructions of a method. Every jump target is the start of one of them. `start` is the code's offset in the
/// class file.
pub fn decode(code: &[u8], start: usize) -> Result<Vec<Instruction<'_>>, Problem> {
    decode_with_targets(code, start).map(|(instructions, _)| instructions)
}

/// Like [`decode`], with the pcs some instruction jumps to: true at these.
pub(crate) fn decode_with_targets(code: &[u8], start: usize) -> Result<(Vec<Instruction<'_>>, Vec<bool>), Problem> {
    let mut instructions = Vec::with_capacity(code.len() / 2 + 1);
    let mut is_start = vec![false; code.len()];
    let mut is_target = vec![false; code.len()];
    for i in Instructions::new(code, start) {
        let i = i?;
        is_start[i.pc as usize] = true;
        i.for_each_target(|t| is_target[t as usize] = true);
        instructions.push(i);
    }
    if is_target.iter().zip(&is_start).any(|(target, start)| *target && !*start) {
        return Err(misplaced_jump(&instructions, &is_start, start));
    }
    Ok((instructions, is_target))
}

/// The problem with the first jump that goes to the middle of an instruction.
fn misplaced_jump(instructions: &[Instruction<'_>], is_start: &[bool], start: usize) -> Problem {
    let mut problem = None;
    for i in instructions {
        i.for_each_target(|target| {
            if !is_start[target as usize] && problem.is_none() {
                let kind = ProblemKind::JumpTarget { pc: i.pc, target: i64::from(target) };
                problem = Some(Problem::new(start + i.pc as usize, kind));
            }
        });
    }
    problem.unwrap_or(Problem::malformed(start, "jumps to instructions"))
}

#[cfg(test)]
mod tests;
