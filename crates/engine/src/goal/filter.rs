//! What coverage tools leave out, so that our numbers agree with theirs. Owns the list with the reason for each entry; the goals of what is left out do
//! not exist for us either.

use std::collections::BTreeMap;

use bytecode::access::Access;
use bytecode::analysis::Repeated;
use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::instruction::{Instruction, decode, opcode as op};
use bytecode::raw::{Pool, RawClass};

/// What of a class does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The whole class.
    pub class: bool,
    /// Per method of the class file.
    pub methods: Vec<MethodFilter>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodFilter {
    pub whole: bool,
    /// Ranges of pcs whose branches do not count.
    pub ranges: Vec<(u32, u32)>,
    /// Instructions in copies of a `finally` block, with the pc at which they count.
    pub copies: BTreeMap<u32, u32>,
    /// Switches whose default the compiler added because all cases are there.
    pub exhaustive: Vec<u32>,
}

impl MethodFilter {
    pub fn ignores(&self, pc: u32) -> bool {
        self.whole || self.ranges.iter().any(|&(from, to)| (from..to).contains(&pc))
    }
}

/// Reads the class once more, for the shapes compilers leave in the code. An unreadable class leaves out nothing.
pub fn filter(info: &ClassInfo, bytes: &[u8]) -> Filter {
    let mut filter = Filter {
        // Classes nobody wrote, such as the tables behind a switch over an enum; and code marked as generated.
        class: info.access.is_synthetic() || is_generated(info.annotations.iter().map(|a| a.class.internal())),
        methods: info
            .methods
            .iter()
            .map(|m| MethodFilter { whole: is_left_out(info, m), ..MethodFilter::default() })
            .collect(),
    };
    if let Ok(raw) = RawClass::parse(bytes) {
        for ((method, known), out) in raw.methods.iter().zip(&info.methods).zip(&mut filter.methods) {
            if let Ok(Some(code)) = raw.code(method)
                && let Ok(instructions) = decode(code.code, code.code_start)
            {
                out.whole |= is_barrier(info, known) && only_calls_super(&instructions);
                shapes(&instructions, &raw.pool, &mut out.ranges);
                out.exhaustive = exhaustive(&instructions, &raw.pool);
                let repeated = Repeated::find(&instructions, &code.handlers, &raw.pool);
                out.ranges.extend(repeated.closing);
                out.copies = repeated.copies;
            }
        }
    }
    filter
}

fn is_generated<'a>(mut annotations: impl Iterator<Item = &'a str>) -> bool {
    annotations.any(|name| name.rsplit(['/', '$']).next().is_some_and(|simple| simple.contains("Generated")))
}

fn is_left_out(info: &ClassInfo, method: &MethodInfo) -> bool {
    // Nobody wrote these; but the body of a lambda is a synthetic method too, and somebody did write that.
    if (method.access.has(Access::SYNTHETIC) || method.is_bridge()) && !method.name.starts_with("lambda$") {
        return true;
    }
    if is_generated(method.annotations.iter().map(|a| a.class.internal())) {
        return true;
    }
    // Every enum gets these two.
    if info.is_enum() {
        let values = method.name == "values" && method.descriptor.params.is_empty();
        let value_of = method.name == "valueOf" && method.raw_descriptor.starts_with("(Ljava/lang/String;)");
        if values || value_of {
            return true;
        }
    }
    // A record's own members, unless written out: the compiler gives them the line of the record itself.
    if let Some(components) = &info.record {
        let accessor = components.iter().any(|c| c.name == method.name) && method.descriptor.params.is_empty();
        let general = matches!(
            (method.name.as_str(), method.raw_descriptor.as_str()),
            ("toString", "()Ljava/lang/String;") | ("hashCode", "()I") | ("equals", "(Ljava/lang/Object;)Z")
        );
        let first_line = info.methods.iter().filter_map(|m| m.lines.map(|l| l.0)).min();
        let compiled = method.lines.is_none_or(|(from, to)| from == to && Some(from) == first_line);
        if (accessor || general) && compiled {
            return true;
        }
    }
    false
}

/// A private constructor without parameters keeps others from making instances, an enum's is called by the compiler's code.
fn is_barrier(info: &ClassInfo, method: &MethodInfo) -> bool {
    method.is_constructor() && method.access.is_private() && (method.descriptor.params.is_empty() || info.is_enum())
}

/// Nothing but loads, the call of the constructor above, and the return.
fn only_calls_super(code: &[Instruction<'_>]) -> bool {
    match code {
        [loads @ .., call, end] => {
            end.opcode == op::RETURN
                && call.opcode == op::INVOKESPECIAL
                && loads.iter().all(|l| (op::ILOAD..=op::ALOAD_3).contains(&l.opcode))
        }
        _ => false,
    }
}

/// A switch over all constants of an enum or all cases of a sealed type: its default only throws what cannot happen.
fn exhaustive(code: &[Instruction<'_>], pool: &Pool<'_>) -> Vec<u32> {
    let throws_impossible = |pc: u32| {
        let at = code.partition_point(|i| i.pc < pc);
        code.get(at).filter(|i| i.pc == pc && i.opcode == op::NEW).and_then(|i| i.constant()).is_some_and(|c| {
            pool.class(c).is_ok_and(|class| {
                matches!(&*class.lossy(), "java/lang/MatchException" | "java/lang/IncompatibleClassChangeError")
            })
        })
    };
    code.iter().filter(|i| i.switch().is_some_and(|s| throws_impossible(s.default_target()))).map(|i| i.pc).collect()
}

/// Branches compilers add on their own.
fn shapes(code: &[Instruction<'_>], pool: &Pool<'_>, ranges: &mut Vec<(u32, u32)>) {
    for (i, instruction) in code.iter().enumerate() {
        let next = code.get(i + 1);
        let member = |at: &Instruction<'_>| at.constant().and_then(|c| pool.member(c).ok());
        match instruction.opcode {
            // `assert` asks first whether assertions are on.
            op::GETSTATIC => {
                let flag = member(instruction).is_some_and(|m| m.name.lossy() == "$assertionsDisabled");
                if let Some(next) = next.filter(|n| flag && n.is_conditional()) {
                    ranges.push((next.pc, next.next_pc()));
                }
            }
            // The class initialiser finds out.
            op::INVOKEVIRTUAL => {
                let Some(called) = member(instruction) else {
                    continue;
                };
                let name = called.name.lossy();
                if name == "desiredAssertionStatus"
                    && let Some(next) = next.filter(|n| n.is_conditional())
                {
                    ranges.push((next.pc, next.next_pc()));
                }
                // A switch over strings: first one over hash codes with comparisons, then the one that was written.
                if name == "hashCode"
                    && let Some(next) = next
                    && next.opcode == op::LOOKUPSWITCH
                    && let Some(switch) = next.switch()
                    && switch.default_target() > next.pc
                {
                    ranges.push((next.pc, switch.default_target()));
                }
            }
            _ => {}
        }
    }
}
