//! Bits of floating-point numbers and the mathematics whose results are exact. Owns no approximation: where two good
//! implementations may differ in the last bit, only arguments with exact results are modelled.

use super::super::machine::Machine;
use super::super::stop::Run;
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[
    ("java/lang/Float", "floatToRawIntBits", "*", float_bits),
    ("java/lang/Float", "intBitsToFloat", "*", float_from_bits),
    ("java/lang/Double", "doubleToRawLongBits", "*", double_bits),
    ("java/lang/Double", "longBitsToDouble", "*", double_from_bits),
    ("java/lang/StrictMath", "sqrt", "*", sqrt),
    ("java/lang/Math", "sqrt", "*", sqrt),
    ("java/lang/Math", "fma", "(DDD)D", fma),
    ("java/lang/Math", "fma", "(FFF)F", fma_float),
    ("java/lang/Math", "sin", "*", sin),
    ("java/lang/Math", "cos", "*", cos),
    ("java/lang/Math", "tan", "*", tan),
    ("java/lang/Math", "exp", "*", exp),
    ("java/lang/Math", "log10", "*", log10),
    ("java/lang/Math", "pow", "*", pow),
];

fn float_bits(machine: &mut Machine, at: usize) -> Run<u64> {
    machine.native_term = machine.term_at(at).map(|t| machine.path.terms.float_bits(t));
    Ok(machine.stack[at] as i32 as i64 as u64)
}

fn float_from_bits(machine: &mut Machine, at: usize) -> Run<u64> {
    machine.native_term = machine.term_at(at).map(|t| machine.path.terms.float_from_bits(t));
    Ok(u64::from(machine.stack[at] as u32))
}

fn double_bits(machine: &mut Machine, at: usize) -> Run<u64> {
    machine.native_term = machine.term_at(at).map(|t| machine.path.terms.float_bits(t));
    Ok(machine.stack[at])
}

fn double_from_bits(machine: &mut Machine, at: usize) -> Run<u64> {
    machine.native_term = machine.term_at(at).map(|t| machine.path.terms.float_from_bits(t));
    Ok(machine.stack[at])
}

fn double(machine: &Machine, at: usize) -> f64 {
    f64::from_bits(machine.stack[at])
}

fn sqrt(machine: &mut Machine, at: usize) -> Run<u64> {
    machine.native_term = machine.term_at(at).map(|t| machine.path.terms.fsqrt(t));
    Ok(double(machine, at).sqrt().to_bits())
}

fn fma(machine: &mut Machine, at: usize) -> Run<u64> {
    Ok(double(machine, at).mul_add(double(machine, at + 2), double(machine, at + 4)).to_bits())
}

fn fma_float(machine: &mut Machine, at: usize) -> Run<u64> {
    let float = |i: usize| f32::from_bits(machine.stack[at + i] as u32);
    Ok(u64::from(float(0).mul_add(float(1), float(2)).to_bits()))
}

/// The result if the argument is one of those with an exact one.
fn exact(machine: &mut Machine, at: usize, value: impl Fn(f64) -> Option<f64>) -> Run<u64> {
    match value(double(machine, at)) {
        Some(result) => Ok(result.to_bits()),
        None => outside(machine, at),
    }
}

fn of_periodic(x: f64, at_zero: f64) -> Option<f64> {
    match x {
        x if !x.is_finite() => Some(f64::NAN),
        0.0 => Some(if at_zero == 0.0 { x } else { at_zero }),
        _ => None,
    }
}

fn sin(machine: &mut Machine, at: usize) -> Run<u64> {
    exact(machine, at, |x| of_periodic(x, 0.0))
}

fn cos(machine: &mut Machine, at: usize) -> Run<u64> {
    exact(machine, at, |x| of_periodic(x, 1.0))
}

fn tan(machine: &mut Machine, at: usize) -> Run<u64> {
    exact(machine, at, |x| of_periodic(x, 0.0))
}

fn exp(machine: &mut Machine, at: usize) -> Run<u64> {
    exact(machine, at, |x| match x {
        x if x.is_nan() => Some(x),
        0.0 => Some(1.0),
        x if x > 710.0 => Some(f64::INFINITY),
        x if x < -746.0 => Some(0.0),
        _ => None,
    })
}

pub(super) fn of_log(x: f64) -> Option<f64> {
    match x {
        x if x.is_nan() || x < 0.0 => Some(f64::NAN),
        0.0 => Some(f64::NEG_INFINITY),
        1.0 => Some(0.0),
        x if x.is_infinite() => Some(x),
        _ => None,
    }
}

fn log10(machine: &mut Machine, at: usize) -> Run<u64> {
    exact(machine, at, |x| of_log(x).or_else(|| (1..=22).find(|n| 10f64.powi(*n) == x).map(f64::from)))
}

/// Whole numbers to small whole powers, and the special cases Java's documentation lists.
fn pow(machine: &mut Machine, at: usize) -> Run<u64> {
    let (x, y) = (double(machine, at), double(machine, at + 2));
    let special = if y == 0.0 {
        Some(1.0)
    } else if y == 1.0 {
        Some(x)
    } else if x.is_nan() || y.is_nan() || x.abs() == 1.0 && y.is_infinite() {
        Some(f64::NAN)
    } else if x == 1.0 || x == 0.0 || x.is_infinite() || y.is_infinite() {
        Some(x.powf(y))
    } else if x < 0.0 && y.fract() != 0.0 {
        Some(f64::NAN)
    } else if x.fract() == 0.0 && y.fract() == 0.0 && y > 0.0 && y < 64.0 && x.abs() < 9.0e15 {
        // Exact as long as every product is a whole number that fits.
        let mut product = 1.0f64;
        for _ in 0..y as u32 {
            product *= x;
        }
        let is_two = x.abs().log2().fract() == 0.0;
        (product.abs() <= 9_007_199_254_740_992.0 || is_two).then_some(product)
    } else {
        None
    };
    match special {
        Some(result) => Ok(result.to_bits()),
        None => outside(machine, at),
    }
}
