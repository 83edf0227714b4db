//! Parameters that a method hands to a check for null before it does anything else, as compilers of languages with nullable types write it: `load p; push name;
//! call Intrinsics.checkNotNullParameter`. Owns that shape of code; what annotations say is `nullness`'s part.

use bytecode::instruction::{Instruction, Instructions, Operand, opcode as op};
use bytecode::names::{ClassName, FieldType, Primitive};
use bytecode::raw::{Pool, RawClass};
use bytecode::world::World;

const CHECKS: [&str; 2] = ["checkNotNullParameter", "checkParameterIsNotNull"];
const CHECKER: &str = "kotlin/jvm/internal/Intrinsics";

/// Per parameter: is null refused at entry? Empty if there are no such checks.
pub fn of(world: &World, class: &ClassName, method: usize, params: &[FieldType], is_static: bool) -> Vec<bool> {
    let calls = world.facts(class).is_ok_and(|facts| {
        let calls = facts.methods.get(method).map_or(&[][..], |m| &m.calls);
        calls.iter().any(|c| c.class().is_some_and(|o| o.internal() == CHECKER) && CHECKS.contains(&c.name.as_str()))
    });
    if !calls {
        return Vec::new();
    }
    let checked = checked(world, class, method).unwrap_or_default();
    let mut slot = u16::from(!is_static);
    let mut refused = |param: &FieldType| {
        let own = slot;
        slot += if matches!(param, FieldType::Primitive(Primitive::Long | Primitive::Double)) { 2 } else { 1 };
        checked.contains(&own)
    };
    params.iter().map(&mut refused).collect()
}

/// Locals that are checked before anything else happens.
fn checked(world: &World, class: &ClassName, method: usize) -> Option<Vec<u16>> {
    let bytes = world.bytes(class).ok()?;
    let raw = RawClass::parse(&bytes).ok()?;
    let code = raw.code(raw.methods.get(method)?).ok()??;
    let mut instructions = Instructions::new(code.code, code.code_start).map_while(Result::ok);
    let mut locals = Vec::new();
    while let (Some(load), Some(name), Some(call)) = (instructions.next(), instructions.next(), instructions.next()) {
        match load.operand {
            Operand::Local(local) if name.constant().is_some() && is_check(&call, &raw.pool) => locals.push(local),
            _ => break,
        }
    }
    Some(locals)
}

fn is_check(call: &Instruction<'_>, pool: &Pool<'_>) -> bool {
    let Operand::Constant(index) = call.operand else {
        return false;
    };
    call.opcode == op::INVOKESTATIC
        && pool.member(index).is_ok_and(|m| m.owner == CHECKER && CHECKS.iter().any(|c| m.name == *c))
}
