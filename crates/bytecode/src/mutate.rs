//! Mutants of a class: which small faults its code can be given, and where. Owns the operators, their descriptions and
//! what is left out as not worth mutating; `instrument::schemata` makes the code that can be switched from one mutant
//! to the next. Runs nothing.

mod change;
mod exempt;
mod operator;

pub(crate) use change::{Change, Returned};
pub use operator::Operator;

use crate::instruction::{Instruction, decode_with_targets};
use crate::problem::Problem;
use crate::raw::{RawClass, RawCode, RawMember};

/// Parts of a method not to be mutated, where the caller knows more than the code shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exempt {
    /// No part of it: a compiler wrote the method.
    pub whole: bool,
    /// From one pc up to, not including, another.
    pub ranges: Vec<(u32, u32)>,
}

/// An instruction with the faults it can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the method in the class file.
    pub method: u16,
    pub pc: u32,
    pub line: Option<u16>,
    /// In a class initialiser, which runs once per JVM: a switch cannot run it again.
    pub initialiser: bool,
    /// Number of the site in a target: that of its first mutant is one more.
    pub number: u32,
    pub mutants: Vec<Mutant>,
    pub(crate) change: Change,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    pub operator: Operator,
    /// What the fault is: "replaced < by <=".
    pub words: String,
}

impl Site {
    /// The mutants with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Mutant)> {
        (self.number + 1..).zip(&self.mutants)
    }

    /// Numbers the site takes: its own and those of its mutants.
    pub fn numbers(&self) -> u32 {
        1 + self.mutants.len() as u32
    }
}

/// All sites of a class in the order of its code, numbered from `first`. `exempt` is per method of the class file and
/// may be shorter.
pub fn sites(class: &[u8], exempt: &[Exempt], first: u32) -> Result<Vec<Site>, Problem> {
    let raw = RawClass::parse(class)?;
    let mut sites = Vec::new();
    let mut number = first;
    for (index, member) in raw.methods.iter().enumerate() {
        let Some(code) = raw.code(member)? else { continue };
        let known = exempt.get(index);
        if known.is_some_and(|e| e.whole) {
            continue;
        }
        // Code that cannot be decoded has no sites; the instrumentation reports what is wrong.
        let Ok((instructions, is_target)) = decode_with_targets(code.code, code.code_start) else { continue };
        let lines = lines(&raw, &code);
        let method = Code { raw: &raw, member, code: &code, instructions: &instructions, is_target, lines };
        let mut left_out = exempt::ranges(&method);
        left_out.extend(known.into_iter().flat_map(|e| e.ranges.iter().copied()));
        for (at, pc) in instructions.iter().map(|i| i.pc).enumerate() {
            if left_out.iter().any(|(from, to)| (*from..*to).contains(&pc)) {
                continue;
            }
            let Some((change, mutants)) = change::of(&method, at) else { continue };
            let site = Site {
                // The number of methods was read from 16 bits.
                method: index as u16,
                pc,
                line: method.line(pc),
                initialiser: member.name == "<clinit>",
                number,
                mutants,
                change,
            };
            number += site.numbers();
            sites.push(site);
        }
    }
    Ok(sites)
}

/// A method being examined.
pub(crate) struct Code<'a, 'c> {
    pub raw: &'c RawClass<'a>,
    pub member: &'c RawMember<'a>,
    pub code: &'c RawCode<'a>,
    pub instructions: &'c [Instruction<'a>],
    /// By pc: some instruction jumps here.
    is_target: Vec<bool>,
    /// `(pc, line)` by pc.
    lines: Vec<(u32, u16)>,
}

impl<'a> Code<'a, '_> {
    fn line(&self, pc: u32) -> Option<u16> {
        let behind = self.lines.partition_point(|(from, _)| *from <= pc);
        behind.checked_sub(1).map(|n| self.lines[n].1)
    }

    /// The instruction `back` places in front of another, if that and all between are reached from it alone.
    fn direct(&self, at: usize, back: usize) -> Option<&Instruction<'a>> {
        let from = at.checked_sub(back)?;
        let reached_otherwise = self.instructions[from + 1..=at].iter().any(|i| self.is_target[i.pc as usize]);
        (!reached_otherwise).then(|| &self.instructions[from])
    }

    /// The index of the instruction at a pc.
    fn index(&self, pc: u32) -> usize {
        self.instructions.partition_point(|i| i.pc < pc)
    }

    fn called(&self, i: &Instruction<'a>) -> Option<crate::raw::MemberRef<'a>> {
        use crate::instruction::opcode as op;
        if !(op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&i.opcode) {
            return None;
        }
        self.raw.pool.member(i.constant()?).ok()
    }
}

fn lines(raw: &RawClass<'_>, code: &RawCode<'_>) -> Vec<(u32, u16)> {
    let mut lines = Vec::new();
    for table in code.attributes.iter(&raw.pool).filter(|a| a.name == "LineNumberTable") {
        let rows = table.content.get(2..).unwrap_or(&[]).chunks_exact(4);
        lines.extend(rows.map(|r| (u32::from(u16::from_be_bytes([r[0], r[1]])), u16::from_be_bytes([r[2], r[3]]))));
    }
    lines.sort_by_key(|(pc, _)| *pc);
    lines
}
