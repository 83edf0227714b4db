//! What operations mean on concrete scalars. Owns the one definition that folding, evaluation and tests share; arrays
//! are in `eval`.

use super::{Op, Rounding, Sort};

const NAN32: u64 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// The result of a scalar operation: bits in, bits out. `sort` is the result's, `operand` the first operand's.
///
/// # Panics
/// For operations on arrays, inputs and constants, which have no such meaning.
pub fn apply(op: Op, sort: Sort, operand: Sort, number: u64, [a, b, c]: [u64; 3]) -> u64 {
    let mask = operand.mask();
    let width = operand.width();
    match op {
        Op::Not => a ^ 1,
        Op::And => a & b,
        Op::Eq => u64::from(a == b),
        Op::Ite => {
            if a == 1 {
                b
            } else {
                c
            }
        }

        Op::Add => a.wrapping_add(b) & mask,
        Op::Mul => a.wrapping_mul(b) & mask,
        Op::Neg => a.wrapping_neg() & mask,
        Op::UDiv => a.checked_div(b).unwrap_or(mask),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => match (signed(a, width), signed(b, width)) {
            (x, 0) => (if x < 0 { 1 } else { mask }) & mask,
            (x, y) => x.wrapping_div(y) as u64 & mask,
        },
        Op::SRem => match (signed(a, width), signed(b, width)) {
            (_, 0) => a,
            (x, y) => x.wrapping_rem(y) as u64 & mask,
        },
        Op::BitAnd => a & b,
        Op::BitOr => a | b,
        Op::BitXor => a ^ b,
        Op::BitNot => !a & mask,
        Op::Shl if b >= u64::from(width) => 0,
        Op::Shl => (a << b) & mask,
        Op::LShr if b >= u64::from(width) => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed(a, width) >> b.min(u64::from(width) - 1)) as u64 & mask,
        Op::Ult => u64::from(a < b),
        Op::Ule => u64::from(a <= b),
        Op::Slt => u64::from(signed(a, width) < signed(b, width)),
        Op::Sle => u64::from(signed(a, width) <= signed(b, width)),
        Op::Extract => (a >> number) & sort.mask(),
        Op::Concat => (a << (sort.width() - width)) | b,
        Op::ZeroExtend => a,
        Op::SignExtend => signed(a, width) as u64 & sort.mask(),

        Op::SToF if sort == Sort::F32 => bits32(signed(a, width) as f32),
        Op::SToF => bits64(signed(a, width) as f64),
        Op::FToF if sort == operand => a,
        Op::FToF if sort == Sort::F32 => bits32(f64::from_bits(a) as f32),
        Op::FToF => bits64(f64::from(single(a))),
        Op::FBits => a,
        Op::FFromBits if sort == Sort::F32 => bits32(single(a)),
        Op::FFromBits => bits64(f64::from_bits(a)),
        Op::FToS => {
            let whole = if operand == Sort::F32 { single(a) as i64 } else { f64::from_bits(a) as i64 };
            let most = (sort.mask() >> 1) as i64;
            whole.clamp(-most - 1, most) as u64 & sort.mask()
        }
        _ if operand == Sort::F32 => {
            let (x, y) = (single(a), single(b));
            match op {
                Op::FLt => u64::from(x < y),
                Op::FLe => u64::from(x <= y),
                Op::FEq => u64::from(x == y),
                Op::FIsNan => u64::from(x.is_nan()),
                Op::FAdd => bits32(x + y),
                Op::FMul => bits32(x * y),
                Op::FDiv => bits32(x / y),
                Op::FRem => bits32(x % y),
                Op::FSqrt => bits32(x.sqrt()),
                Op::FNeg => bits32(-x),
                Op::FAbs => bits32(x.abs()),
                Op::FRound => bits32(rounded(f64::from(x), number) as f32),
                _ => panic!("{op:?} is no operation on floats"),
            }
        }
        _ => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                Op::FLt => u64::from(x < y),
                Op::FLe => u64::from(x <= y),
                Op::FEq => u64::from(x == y),
                Op::FIsNan => u64::from(x.is_nan()),
                Op::FAdd => bits64(x + y),
                Op::FMul => bits64(x * y),
                Op::FDiv => bits64(x / y),
                Op::FRem => bits64(x % y),
                Op::FSqrt => bits64(x.sqrt()),
                Op::FNeg => bits64(-x),
                Op::FAbs => bits64(x.abs()),
                Op::FRound => bits64(rounded(x, number)),
                _ => panic!("{op:?} is no operation on scalars"),
            }
        }
    }
}

/// The bits as a signed number of that width.
pub(super) fn signed(bits: u64, width: u32) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

/// The bits as the sort keeps them: no more than its width, one NaN.
pub fn canonical(sort: Sort, bits: u64) -> u64 {
    match sort {
        Sort::F32 => bits32(single(bits)),
        Sort::F64 => bits64(f64::from_bits(bits)),
        _ => bits & sort.mask(),
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits32(value: f32) -> u64 {
    if value.is_nan() { NAN32 } else { u64::from(value.to_bits()) }
}

fn bits64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

fn rounded(value: f64, rounding: u64) -> f64 {
    match Rounding::from_number(rounding) {
        Rounding::NearestEven => value.round_ties_even(),
        Rounding::Up => value.ceil(),
        Rounding::Down => value.floor(),
        Rounding::Zero => value.trunc(),
    }
}
