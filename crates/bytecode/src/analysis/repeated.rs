//! Code that occurs in a method more often than in its source: what closes the resources of a `try`, and `finally`
//! blocks, which compilers copy to every exit. Owns these shapes, as javac of Java 11 and later writes the first and
//! every javac the second; never guesses: what does not fit exactly counts as written code.

use std::collections::BTreeMap;

use crate::instruction::{Instruction, Operand, opcode as op};
use crate::raw::{Handler, Pool};

/// Parts of a method's code that no programmer wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    /// Ranges of pcs that close resources.
    pub closing: Vec<(u32, u32)>,
    /// From the pc of an instruction in a copy of a `finally` block to that of the same instruction in the copy for
    /// exceptions.
    pub copies: BTreeMap<u32, u32>,
}

impl Repeated {
    pub fn find(code: &[Instruction<'_>], handlers: &[Handler], pool: &Pool<'_>) -> Repeated {
        let mut found = Repeated::default();
        let method = Method { code, pool };
        let mut seen: Vec<u16> = Vec::new();
        for row in handlers {
            if seen.contains(&row.handler_pc) {
                continue;
            }
            seen.push(row.handler_pc);
            let same = handlers.iter().filter(|h| h.handler_pc == row.handler_pc && h.catch_type == row.catch_type);
            // The code after the end of each protected range runs on that exit.
            let exits = same.filter(|h| h.end_pc <= h.handler_pc).filter_map(|h| method.at(u32::from(h.end_pc)));
            if row.catch_type == 0 {
                method.finally(row, exits, &mut found.copies);
            } else if pool.class(row.catch_type).is_ok_and(|c| c == "java/lang/Throwable") {
                method.resource(row, exits, &mut found.closing);
            }
        }
        found
    }
}

struct Method<'a, 'c> {
    code: &'c [Instruction<'a>],
    pool: &'c Pool<'a>,
}

impl Method<'_, '_> {
    /// The index of the instruction at a pc.
    fn at(&self, pc: u32) -> Option<usize> {
        self.code.binary_search_by_key(&pc, |i| i.pc).ok()
    }

    fn is(&self, at: usize, opcode: u8) -> bool {
        self.code.get(at).is_some_and(|i| general(i.opcode) == opcode)
    }

    /// The local variable that an instruction of this kind loads or stores.
    fn local(&self, at: usize, opcode: u8) -> Option<u16> {
        match self.code.get(at)? {
            i if general(i.opcode) == opcode => match i.operand {
                Operand::Local(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    fn calls(&self, at: usize, name: &str, descriptor: &str) -> bool {
        self.code.get(at).is_some_and(|i| {
            matches!(i.opcode, op::INVOKEVIRTUAL | op::INVOKEINTERFACE)
                && i.constant()
                    .and_then(|c| self.pool.member(c).ok())
                    .is_some_and(|m| m.name == name && m.descriptor == descriptor)
        })
    }

    /// `[if (r != null)] r.close()` from an index on: the variable, the index behind, and where the jump around it
    /// goes.
    fn close(&self, at: usize) -> Option<(u16, usize, Option<u32>)> {
        let resource = self.local(at, op::ALOAD)?;
        let (at, around) = match self.is(at + 1, op::IFNULL) {
            true if self.local(at + 2, op::ALOAD) == Some(resource) => (at + 2, self.code[at + 1].jump_target()),
            true => return None,
            false => (at, None),
        };
        self.calls(at + 1, "close", "()V").then_some((resource, at + 2, around))
    }

    /// A handler that closes a resource, adds what that throws to the exception, and throws it on; and the closing when
    /// all went well.
    fn resource(&self, row: &Handler, exits: impl Iterator<Item = usize>, closing: &mut Vec<(u32, u32)>) {
        let Some(start) = self.at(u32::from(row.handler_pc)) else { return };
        let Some(thrown) = self.local(start, op::ASTORE) else { return };
        let Some((resource, behind, around)) = self.close(start + 1) else { return };
        // goto end; second: store; load thrown; load second; addSuppressed; end: load thrown; throw
        let second = self.local(behind + 1, op::ASTORE);
        let end = behind + 5;
        let fits = self.is(behind, op::GOTO)
            && second.is_some()
            && self.local(behind + 2, op::ALOAD) == Some(thrown)
            && self.local(behind + 3, op::ALOAD) == second
            && self.calls(behind + 4, "addSuppressed", "(Ljava/lang/Throwable;)V")
            && self.local(end, op::ALOAD) == Some(thrown)
            && self.is(end + 1, op::ATHROW);
        if !fits {
            return;
        }
        let last = self.code[end].pc;
        if self.code[behind].jump_target() != Some(last) || around.is_some_and(|to| to != last) {
            return;
        }
        closing.push((self.code[start].pc, self.code[end + 1].next_pc()));
        for exit in exits {
            if let Some((closed, behind, _)) = self.close(exit)
                && closed == resource
            {
                closing.push((self.code[exit].pc, self.code[behind - 1].next_pc()));
            }
        }
    }

    /// A handler that keeps the exception, does what the `finally` block says, and throws it on; and the copies of that
    /// block.
    fn finally(&self, row: &Handler, exits: impl Iterator<Item = usize>, copies: &mut BTreeMap<u32, u32>) {
        let Some(start) = self.at(u32::from(row.handler_pc)) else { return };
        let Some(thrown) = self.local(start, op::ASTORE) else { return };
        let ends = |at: &usize| self.local(*at, op::ALOAD) == Some(thrown) && self.is(at + 1, op::ATHROW);
        let Some(end) = (start + 1..self.code.len()).find(ends) else { return };
        let block = &self.code[start + 1..end];
        for exit in exits {
            let Some(copy) = self.code.get(exit..exit + block.len()) else { continue };
            let overlaps = exit < end && exit + block.len() > start;
            // Locals may have other numbers in each copy.
            let same = |(a, b): (&Instruction<'_>, &Instruction<'_>)| general(a.opcode) == general(b.opcode);
            if overlaps || block.is_empty() || !block.iter().zip(copy).all(same) {
                continue;
            }
            for (original, copied) in block.iter().zip(copy) {
                copies.insert(copied.pc, original.pc);
            }
        }
    }
}

/// The opcode without the number of the local variable in it.
fn general(opcode: u8) -> u8 {
    match opcode {
        op::ILOAD_0..=op::ALOAD_3 => op::ILOAD + (opcode - op::ILOAD_0) / 4,
        op::ISTORE_0..=op::ASTORE_3 => op::ISTORE + (opcode - op::ISTORE_0) / 4,
        op::GOTO_W => op::GOTO,
        other => other,
    }
}
