//! What can be done to one instruction. Owns the choice of faults per instruction and their words; how the switched
//! code looks is decided where it is written.

use super::{Code, Mutant, Operator};
use crate::instruction::{Instruction, Operand, opcode as op};
use crate::raw::Constant;

/// How an instruction becomes switchable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A conditional jump.
    Condition,
    /// An operation on numbers on the stack: a static method with the instruction's mnemonic takes its place.
    Arithmetic,
    Increment,
    /// A number on the stack, of a primitive type (`I`, `J`, `F`, `D`), becomes another.
    Constant(u8),
    Return(Returned),
    /// A call without result, or a field write, that can be left out.
    Removal,
}

/// What takes the place of a method's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// False, then true.
    Truth {
        boxed: bool,
    },
    /// One of the two: the other is what is given back anyway.
    Only {
        value: bool,
        boxed: bool,
    },
    /// Zero, or an empty value of the class, by the descriptor.
    Empty(&'static str),
    Null,
}

/// Classes with an empty value, as descriptors.
const WITH_EMPTY: [&str; 14] = [
    "Ljava/lang/String;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Short;",
    "Ljava/lang/Character;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
    "Ljava/util/Optional;",
    "Ljava/util/List;",
    "Ljava/util/Set;",
    "Ljava/util/Map;",
    "Ljava/util/Collection;",
    "Ljava/lang/Iterable;",
    "Ljava/util/stream/Stream;",
];
const BOXED_BOOLEAN: &str = "Ljava/lang/Boolean;";

/// The faults instruction number `at` can be given.
pub(super) fn of(code: &Code<'_, '_>, at: usize) -> Option<(Change, Vec<Mutant>)> {
    let i = &code.instructions[at];
    let one = |change, operator, words| Some((change, vec![Mutant { operator, words }]));
    match i.opcode {
        op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => condition(code, i),
        op::IINC => match i.operand {
            // The opposite of the smallest value does not fit into the instruction, and that of zero is zero.
            Operand::Increment { by, .. } if by != 0 && by != i16::MIN => {
                one(Change::Increment, Operator::Increment, format!("changed the increment from {by} to {}", -by))
            }
            _ => None,
        },
        op::INEG..=op::DNEG => one(Change::Arithmetic, Operator::Negative, "removed the negation".to_owned()),
        op::IADD..=op::DREM | op::ISHL..=op::LXOR => {
            let (from, to) = arithmetic(i.opcode)?;
            one(Change::Arithmetic, Operator::Math, format!("replaced {from} by {to}"))
        }
        op::ICONST_M1..=op::DCONST_1 | op::BIPUSH..=op::LDC2_W => constant(code, at),
        op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
            let called = code.called(i)?;
            if !called.descriptor.bytes().ends_with(b")V") || called.name.bytes().starts_with(b"<") {
                return None;
            }
            let class = called.owner.lossy().rsplit(['/', '$']).next().unwrap_or_default().to_owned();
            one(Change::Removal, Operator::VoidCall, format!("removed the call of {class}.{}", called.name.lossy()))
        }
        op::PUTFIELD | op::PUTSTATIC => {
            let field = code.raw.pool.member(i.constant()?).ok()?;
            let name = field.name.lossy();
            // `this$0`, `val$x`, `$assertionsDisabled`, `$VALUES`: the compiler's own.
            if name.contains('$') {
                return None;
            }
            one(Change::Removal, Operator::FieldWrite, format!("removed the assignment to {name}"))
        }
        op::IRETURN..=op::ARETURN => returned(code, at),
        _ => None,
    }
}

fn condition(code: &Code<'_, '_>, i: &Instruction<'_>) -> Option<(Change, Vec<Mutant>)> {
    // Compilers jump over the guarded code, so the source says the opposite of a forward jump.
    let inverted = i.jump_target()? > i.pc;
    let relation = |opcode: u8| match opcode {
        op::IFEQ | op::IF_ICMPEQ | op::IF_ACMPEQ | op::IFNULL => "==",
        op::IFNE | op::IF_ICMPNE | op::IF_ACMPNE | op::IFNONNULL => "!=",
        op::IFLT | op::IF_ICMPLT => "<",
        op::IFGE | op::IF_ICMPGE => ">=",
        op::IFGT | op::IF_ICMPGT => ">",
        _ => "<=",
    };
    let opposite = |relation: &'static str| match relation {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        ">=" => "<",
        ">" => "<=",
        _ => ">",
    };
    let jumps = relation(i.opcode);
    let written = if inverted { opposite(jumps) } else { jumps };
    let mut mutants = Vec::with_capacity(2);
    let boundary = match written {
        "<" => Some("<="),
        "<=" => Some("<"),
        ">" => Some(">="),
        ">=" => Some(">"),
        _ => None,
    };
    if let Some(boundary) = boundary {
        mutants.push(Mutant { operator: Operator::Boundary, words: format!("replaced {written} by {boundary}") });
    }
    let truth = matches!(i.opcode, op::IFEQ | op::IFNE) && is_truth(code, i);
    let words =
        if truth { "negated the condition".to_owned() } else { format!("replaced {written} by {}", opposite(written)) };
    mutants.push(Mutant { operator: Operator::Negated, words });
    Some((Change::Condition, mutants))
}

/// The value tested was a truth value: a call's or an `instanceof`'s.
fn is_truth(code: &Code<'_, '_>, i: &Instruction<'_>) -> bool {
    let Some(before) = code.direct(code.index(i.pc), 1) else { return false };
    match before.opcode {
        op::LCMP..=op::DCMPG => false,
        op::INSTANCEOF => true,
        op::GETFIELD | op::GETSTATIC | op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => before
            .constant()
            .and_then(|c| code.raw.pool.member(c).ok())
            .is_some_and(|m| m.descriptor.bytes().ends_with(b"Z")),
        _ => false,
    }
}

fn arithmetic(opcode: u8) -> Option<(&'static str, &'static str)> {
    // Four types in a row per operation; shifts and logic have two.
    Some(match opcode {
        op::IADD..=op::DADD => ("+", "-"),
        op::ISUB..=op::DSUB => ("-", "+"),
        op::IMUL..=op::DMUL => ("*", "/"),
        op::IDIV..=op::DDIV => ("/", "*"),
        op::IREM..=op::DREM => ("%", "*"),
        op::ISHL | op::LSHL => ("<<", ">>"),
        op::ISHR | op::LSHR => (">>", "<<"),
        op::IUSHR | op::LUSHR => (">>>", "<<"),
        op::IAND | op::LAND => ("&", "|"),
        op::IOR | op::LOR => ("|", "&"),
        op::IXOR | op::LXOR => ("^", "&"),
        _ => return None,
    })
}

fn constant(code: &Code<'_, '_>, at: usize) -> Option<(Change, Vec<Mutant>)> {
    let i = &code.instructions[at];
    let is = |n: usize, opcode: u8| code.instructions.get(n).is_some_and(|i| i.opcode == opcode);
    // The result of a condition as a value; and what is given back, which has faults of its own.
    let truth = |n: usize| {
        is(n, op::ICONST_1) && is(n + 1, op::GOTO) && is(n + 2, op::ICONST_0)
            || is(n, op::ICONST_0) && is(n + 1, op::GOTO) && is(n + 2, op::ICONST_1)
    };
    if truth(at) || at >= 2 && truth(at - 2) {
        return None;
    }
    let next = code.instructions.get(at + 1)?;
    if (op::IRETURN..=op::DRETURN).contains(&next.opcode) {
        return None;
    }
    let int = |v: i32| ("I", v.to_string(), if v == 1 { 0 } else { v.wrapping_add(1) }.to_string());
    let long = |v: i64| ("J", format!("{v}L"), format!("{}L", if v == 1 { 0 } else { v.wrapping_add(1) }));
    let float = |v: f32| ("F", format!("{v:?}f"), if v == 1.0 { "2.0f" } else { "1.0f" }.to_owned());
    let double = |v: f64| ("D", format!("{v:?}"), if v == 1.0 { "2.0" } else { "1.0" }.to_owned());
    let (ty, from, to) = match i.opcode {
        op::ICONST_M1..=op::ICONST_5 => int(i32::from(i.opcode) - i32::from(op::ICONST_0)),
        op::BIPUSH | op::SIPUSH => match i.operand {
            Operand::Int(v) => int(v),
            _ => return None,
        },
        op::LCONST_0 | op::LCONST_1 => long(i64::from(i.opcode - op::LCONST_0)),
        op::FCONST_0..=op::FCONST_2 => float(f32::from(i.opcode - op::FCONST_0)),
        op::DCONST_0 | op::DCONST_1 => double(f64::from(i.opcode - op::DCONST_0)),
        _ => match code.raw.pool.get(i.constant()?)? {
            Constant::Integer(v) => int(v),
            Constant::Long(v) => long(v),
            Constant::Float(bits) => float(f32::from_bits(bits)),
            Constant::Double(bits) => double(f64::from_bits(bits)),
            _ => return None,
        },
    };
    let mutant = Mutant { operator: Operator::Constant, words: format!("replaced {from} by {to}") };
    // One of the four letters above.
    Some((Change::Constant(ty.as_bytes()[0]), vec![mutant]))
}

/// Faults that would change nothing, because that very value is loaded just before, are left out.
fn returned(code: &Code<'_, '_>, at: usize) -> Option<(Change, Vec<Mutant>)> {
    let descriptor = code.member.descriptor.lossy();
    let ty = descriptor.rsplit(')').next()?;
    let before = code.direct(at, 1);
    let loads = |opcode: u8| before.is_some_and(|b| b.opcode == opcode);
    let mutant = |operator, value: &str| Mutant { operator, words: format!("replaced the result by {value}") };
    let (change, mutants) = match ty {
        "Z" | BOXED_BOOLEAN => {
            let boxed = ty == BOXED_BOOLEAN;
            let known = |value: u8| {
                // A box comes out of `Boolean.valueOf` right behind the constant.
                code.direct(at, if boxed { 2 } else { 1 }).is_some_and(|b| b.opcode == op::ICONST_0 + value)
            };
            let (no, yes) = (mutant(Operator::FalseReturn, "false"), mutant(Operator::TrueReturn, "true"));
            if known(0) {
                (Returned::Only { value: true, boxed }, vec![yes])
            } else if known(1) {
                (Returned::Only { value: false, boxed }, vec![no])
            } else {
                (Returned::Truth { boxed }, vec![no, yes])
            }
        }
        "B" | "S" | "C" | "I" if !loads(op::ICONST_0) => {
            (Returned::Empty("I"), vec![mutant(Operator::PrimitiveReturn, "0")])
        }
        "J" if !loads(op::LCONST_0) => (Returned::Empty("J"), vec![mutant(Operator::PrimitiveReturn, "0")]),
        "F" if !loads(op::FCONST_0) => (Returned::Empty("F"), vec![mutant(Operator::PrimitiveReturn, "0")]),
        "D" if !loads(op::DCONST_0) => (Returned::Empty("D"), vec![mutant(Operator::PrimitiveReturn, "0")]),
        _ if ty.len() > 1 => match WITH_EMPTY.iter().find(|known| **known == ty) {
            Some(_) if is_empty_value(code, at) => return None,
            Some(known) => (Returned::Empty(known), vec![mutant(Operator::EmptyReturn, empty_words(known))]),
            None if loads(op::ACONST_NULL) => return None,
            None => (Returned::Null, vec![mutant(Operator::NullReturn, "null")]),
        },
        _ => return None,
    };
    Some((Change::Return(change), mutants))
}

fn empty_words(descriptor: &str) -> &'static str {
    match descriptor {
        "Ljava/lang/String;" => "\"\"",
        d if d.starts_with("Ljava/lang/") && d != "Ljava/lang/Iterable;" => "0",
        _ => "an empty one",
    }
}

/// What is given back is written as the empty value: `""`, a boxed 0, `Collections.emptyList()`, `Optional.empty()`.
fn is_empty_value(code: &Code<'_, '_>, at: usize) -> bool {
    let Some(before) = code.direct(at, 1) else { return false };
    let pool = &code.raw.pool;
    match before.opcode {
        op::LDC | op::LDC_W => match before.constant().and_then(|c| pool.get(c)) {
            Some(Constant::String { text }) => pool.text(text).is_ok_and(|t| t.bytes().is_empty()),
            _ => false,
        },
        op::INVOKESTATIC => code.called(before).is_some_and(|called| {
            let (owner, name) = (called.owner.lossy(), called.name.lossy());
            let zero = || {
                let number = code.direct(at, 2).map(|i| i.opcode);
                matches!(number, Some(op::ICONST_0 | op::LCONST_0 | op::FCONST_0 | op::DCONST_0))
            };
            match &*owner {
                "java/util/Collections" => name.starts_with("empty"),
                "java/util/List" | "java/util/Set" | "java/util/Map" => {
                    name == "of" && called.descriptor.bytes().starts_with(b"()")
                }
                owner if owner.starts_with("java/util/") => name == "empty",
                _ => name == "valueOf" && zero(),
            }
        }),
        _ => false,
    }
}
