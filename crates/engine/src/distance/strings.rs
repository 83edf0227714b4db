//! Switches over strings, as compilers write them: a switch over the hash code, comparisons that set an index, a switch over the index. Owns recognising that shape; what
//! does not have it is an ordinary switch.

use bytecode::instruction::{Instruction, Operand, opcode as op};
use bytecode::raw::{Pool, RawClass};
use testcase::value::JavaString;

/// One switch over strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StringSwitch {
    /// The call of `hashCode`.
    pub hash_pc: u32,
    pub hash_switch: u32,
    pub index_switch: Option<u32>,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub text: JavaString,
    /// Key in the first switch.
    pub hash: i32,
    /// Key in the second one.
    pub index: Option<i32>,
}

pub(super) fn switches(raw: &RawClass<'_>, instructions: &[Instruction<'_>]) -> Vec<StringSwitch> {
    let found = instructions.windows(2).enumerate().filter_map(|(n, pair)| {
        let switch = pair[1].switch()?;
        let is_hash = pair[0].opcode == op::INVOKEVIRTUAL && is_string_method(&raw.pool, &pair[0], "hashCode");
        if !is_hash {
            return None;
        }
        let mut cases = Vec::new();
        let mut variable = None;
        for (hash, target) in switch.cases() {
            let mut at = target;
            // Strings with equal hash codes are compared one after the other.
            while let Some((text, index, next)) = comparison(&raw.pool, instructions, at) {
                let (key, stored_in) = index.map_or((None, None), |(key, variable)| (Some(key), Some(variable)));
                variable = variable.or(stored_in);
                cases.push(Case { text, hash, index: key });
                if next <= at {
                    break;
                }
                at = next;
            }
        }
        let index_switch = instructions[n + 2..].windows(2).find_map(|pair| {
            let loads = variable.is_some() && local(&pair[0], op::ILOAD, op::ILOAD_0) == variable;
            (loads && pair[1].switch().is_some()).then_some(pair[1].pc)
        });
        let found = StringSwitch { hash_pc: pair[0].pc, hash_switch: pair[1].pc, index_switch, cases };
        (!found.cases.is_empty()).then_some(found)
    });
    found.collect()
}

/// What `s.equals("…")` at this pc compares with, which number is stored where if it holds, and where it goes on if not.
#[expect(clippy::type_complexity, reason = "three facts that are taken apart at once")]
fn comparison(
    pool: &Pool<'_>,
    instructions: &[Instruction<'_>],
    pc: u32,
) -> Option<(JavaString, Option<(i32, u16)>, u32)> {
    let at = instructions.binary_search_by_key(&pc, |i| i.pc).ok()?;
    let [load, constant, call, branch, rest @ ..] = &instructions[at..] else { return None };
    local(load, op::ALOAD, op::ALOAD_0)?;
    if !matches!(constant.opcode, op::LDC | op::LDC_W)
        || !is_string_method(pool, call, "equals")
        || branch.opcode != op::IFEQ
    {
        return None;
    }
    let text = pool.string(constant.constant()?).ok()?;
    let units = text.utf16();
    let stored = match rest {
        [number, store, ..] => push(number).zip(local(store, op::ISTORE, op::ISTORE_0)),
        _ => None,
    };
    Some((JavaString::new(&units), stored, branch.jump_target()?))
}

fn is_string_method(pool: &Pool<'_>, call: &Instruction<'_>, name: &str) -> bool {
    let member = call.constant().and_then(|c| pool.member(c).ok());
    call.opcode == op::INVOKEVIRTUAL && member.is_some_and(|m| m.owner == "java/lang/String" && m.name == name)
}

/// The small number an instruction pushes.
fn push(i: &Instruction<'_>) -> Option<i32> {
    match i.opcode {
        op::ICONST_M1..=op::ICONST_5 => Some(i32::from(i.opcode) - i32::from(op::ICONST_0)),
        _ => match i.operand {
            Operand::Int(number) => Some(number),
            _ => None,
        },
    }
}

/// The variable that a load or store is about; `short` is its first form without an operand.
fn local(i: &Instruction<'_>, long: u8, short: u8) -> Option<u16> {
    match i.operand {
        Operand::Local(n) if i.opcode == long || (short..short + 4).contains(&i.opcode) => Some(n),
        _ => None,
    }
}
