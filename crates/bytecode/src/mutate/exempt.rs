//! Stretches of code that no programmer wrote or that no test is meant to check: assertions, loops over elements,
//! resources closed by the compiler, logging. Owns these shapes; what the caller knows beyond them comes from it.

use super::Code;
use crate::instruction::{Instruction, Operand, opcode as op};

/// Calls of these are not worth a test, nor are the lines they stand on.
const LOGGING: [&str; 5] = [
    "java/util/logging/",
    "org/apache/log4j/",
    "org/apache/logging/log4j/",
    "org/slf4j/",
    "org/apache/commons/logging/",
];
/// What Kotlin's compiler inserts on its own.
const KOTLIN: &str = "kotlin/jvm/internal/Intrinsics";

/// Ranges of pcs without mutants.
pub(super) fn ranges(code: &Code<'_, '_>) -> Vec<(u32, u32)> {
    let mut ranges = Vec::new();
    let mut logging: Vec<u16> = Vec::new();
    for (at, i) in code.instructions.iter().enumerate() {
        match i.opcode {
            op::GETSTATIC => assertion(code, at, &mut ranges),
            op::ARRAYLENGTH => over_array(code, at, &mut ranges),
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let Some(called) = code.called(i) else { continue };
                let (owner, name) = (called.owner.lossy(), called.name.lossy());
                if LOGGING.iter().any(|l| owner.starts_with(l)) {
                    logging.extend(code.line(i.pc));
                }
                let own = range(i);
                if owner == KOTLIN || name == "addSuppressed" {
                    ranges.push(own);
                }
                match &*name {
                    "iterator" if called.descriptor.bytes() == b"()Ljava/util/Iterator;" => {
                        over_iterator(code, at, &mut ranges)
                    }
                    "close" if called.descriptor.bytes() == b"()V" => closing(code, at, &mut ranges),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    for i in code.instructions.iter().filter(|_| !logging.is_empty()) {
        if code.line(i.pc).is_some_and(|line| logging.contains(&line)) {
            ranges.push(range(i));
        }
    }
    ranges
}

fn range(i: &Instruction<'_>) -> (u32, u32) {
    (i.pc, i.next_pc())
}

/// `assert`: from the question whether assertions are on to behind the throw.
fn assertion(code: &Code<'_, '_>, at: usize, ranges: &mut Vec<(u32, u32)>) {
    let i = &code.instructions[at];
    let flag = i.constant().and_then(|c| code.raw.pool.member(c).ok());
    if flag.is_some_and(|f| f.name == "$assertionsDisabled")
        && let Some(jump) = code.instructions.get(at + 1)
        && let Some(behind) = jump.jump_target().filter(|t| *t > jump.pc)
    {
        ranges.push((i.pc, behind));
    }
}

/// `for (x : array)`: a copy of the array, its length and a counter in unnamed locals.
fn over_array(code: &Code<'_, '_>, at: usize, ranges: &mut Vec<(u32, u32)>) {
    let [length, zero, counter, load, limit, test] = match code.instructions.get(at + 1..at + 7) {
        Some([a, b, c, d, e, f]) => [a, b, c, d, e, f],
        _ => return,
    };
    let copied = at.checked_sub(1).map(|n| &code.instructions[n]).is_some_and(|b| is_load(b, op::ALOAD, op::ALOAD_0));
    let (Some(n), Some(i)) = (local(length), local(counter)) else { return };
    let is_loop = copied
        && zero.opcode == op::ICONST_0
        && is_load(load, op::ILOAD, op::ILOAD_0)
        && is_load(limit, op::ILOAD, op::ILOAD_0)
        && (local(load), local(limit)) == (Some(i), Some(n))
        && test.opcode == op::IF_ICMPGE;
    let Some(end) = test.jump_target().filter(|t| is_loop && *t > test.pc) else { return };
    ranges.push((length.pc, test.next_pc()));
    // The counter goes up right before the jump back.
    let back = code.index(end);
    if back >= 2 && matches!(code.instructions[back - 2].operand, Operand::Increment { local, by: 1 } if local == i) {
        ranges.push(range(&code.instructions[back - 2]));
    }
}

/// `for (x : elements)`: the question for the next element.
fn over_iterator(code: &Code<'_, '_>, at: usize, ranges: &mut Vec<(u32, u32)>) {
    let [store, load, has_next, test] = match code.instructions.get(at + 1..at + 5) {
        Some([a, b, c, d]) => [a, b, c, d],
        _ => return,
    };
    let asks = code.called(has_next).is_some_and(|c| c.name == "hasNext" && c.owner == "java/util/Iterator");
    if asks && local(store).is_some() && local(store) == local(load) && test.opcode == op::IFEQ {
        ranges.push(range(test));
    }
}

/// `try (x = …)`: closing it, the question whether it is null in front, and everything in the handler that closes it
/// after an exception.
fn closing(code: &Code<'_, '_>, at: usize, ranges: &mut Vec<(u32, u32)>) {
    let pc = code.instructions[at].pc;
    let suppresses = |from: u32| {
        let rest = &code.instructions[code.index(from)..];
        let end = rest.iter().position(|i| i.opcode == op::ATHROW).map_or(rest.len(), |n| n + 1);
        rest[..end]
            .iter()
            .any(|i| code.called(i).is_some_and(|c| c.name == "addSuppressed"))
            .then(|| rest[end - 1].next_pc())
    };
    // The handler belongs to the statement that closes: it is written with it.
    for handler in &code.code.handlers {
        let from = u32::from(handler.handler_pc);
        let Some(to) = suppresses(from) else { continue };
        if (from..to).contains(&pc) {
            ranges.push((from, to));
            continue;
        }
        let ends = u32::from(handler.end_pc);
        // Right behind the protected code the resource is closed when all went well.
        if pc >= ends && pc < from && code.index(pc) - code.index(ends) <= 3 {
            ranges.push((ends, code.instructions[at].next_pc()));
        }
    }
}

fn local(i: &Instruction<'_>) -> Option<u16> {
    match i.operand {
        Operand::Local(n) => Some(n),
        _ => None,
    }
}

/// A load in its long form or in one of the four short ones that start at `short`.
fn is_load(i: &Instruction<'_>, long: u8, short: u8) -> bool {
    i.opcode == long || (short..short + 4).contains(&i.opcode)
}
