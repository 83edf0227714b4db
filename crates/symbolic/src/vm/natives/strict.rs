//! Logarithms. Owns two: that of `StrictMath`, whose every bit is defined by the algorithm Java names, and that of
//! `Math`, where every good implementation rounds to the same number unless the exact result lies near the middle
//! between two.

use super::super::machine::Machine;
use super::super::stop::Run;
use super::bits::of_log;
use super::{Entry, outside};

pub const TABLE: &[Entry] = &[("java/lang/StrictMath", "log", "*", strict_log), ("java/lang/Math", "log", "*", log)];

fn strict_log(machine: &mut Machine, at: usize) -> Run<u64> {
    let x = f64::from_bits(machine.stack[at]);
    Ok(of_log(x).unwrap_or_else(|| reduced_log(x)).to_bits())
}

fn log(machine: &mut Machine, at: usize) -> Run<u64> {
    let x = f64::from_bits(machine.stack[at]);
    // A table of estimates; their last bits do not matter.
    if &**machine.class_name(machine.current_class()) == "java/math/BigInteger" {
        return Ok(x.ln().to_bits());
    }
    match of_log(x).or_else(|| rounded_log(x)) {
        Some(result) => Ok(result.to_bits()),
        None => outside(machine, at),
    }
}

const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
/// Coefficients of the even polynomial that stands for the series of `log((1 + s) / (1 - s))`.
const SERIES: [f64; 7] = [
    f64::from_bits(0x3fe5_5555_5555_5593),
    f64::from_bits(0x3fd9_9999_9997_fa04),
    f64::from_bits(0x3fd2_4924_9422_9359),
    f64::from_bits(0x3fcc_71c5_1d8e_78af),
    f64::from_bits(0x3fc7_4664_96cb_03de),
    f64::from_bits(0x3fc3_9a09_d078_c69f),
    f64::from_bits(0x3fc2_f112_df3e_5244),
];

/// The algorithm of `StrictMath`: the argument as a power of two times a number near 1, and a polynomial for the
/// latter. Positive and finite arguments only.
fn reduced_log(x: f64) -> f64 {
    let (x, mut power) = if x < f64::MIN_POSITIVE { (x * (1u64 << 54) as f64, -54) } else { (x, 0) };
    let high = (x.to_bits() >> 32) as i32;
    power += (high >> 20) - 1023;
    let fraction = high & 0xf_ffff;
    // Above the square root of two the next power is nearer.
    let carry = (fraction + 0x9_5f64) & 0x10_0000;
    power += carry >> 20;
    let high = (fraction | (carry ^ 0x3ff0_0000)) as u64;
    let f = f64::from_bits(high << 32 | x.to_bits() & 0xffff_ffff) - 1.0;
    let k = f64::from(power);
    if 0xf_ffff & (2 + fraction) < 3 {
        // Next to 1.
        if f == 0.0 {
            return if power == 0 { 0.0 } else { k * LN2_HIGH + k * LN2_LOW };
        }
        let rest = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return if power == 0 { f - rest } else { k * LN2_HIGH - ((rest - k * LN2_LOW) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (SERIES[1] + w * (SERIES[3] + w * SERIES[5]));
    let odd = z * (SERIES[0] + w * (SERIES[2] + w * (SERIES[4] + w * SERIES[6])));
    let rest = odd + even;
    if (fraction - 0x6_147a) | (0x6_b851 - fraction) > 0 {
        let half = 0.5 * f * f;
        if power == 0 {
            f - (half - s * (half + rest))
        } else {
            k * LN2_HIGH - ((half - (s * (half + rest) + k * LN2_LOW)) - f)
        }
    } else if power == 0 {
        f - s * (f - rest)
    } else {
        k * LN2_HIGH - ((s * (f - rest) - k * LN2_LOW) - f)
    }
}

/// A number as a sum of two, the second below half a unit of the first.
#[derive(Clone, Copy)]
struct Sum(f64, f64);

impl Sum {
    fn of(a: f64, b: f64) -> Sum {
        let sum = a + b;
        let part = sum - a;
        Sum(sum, (a - (sum - part)) + (b - part))
    }

    fn plus(self, other: Sum) -> Sum {
        let Sum(high, low) = Sum::of(self.0, other.0);
        Sum::of(high, low + self.1 + other.1)
    }

    fn times(self, other: Sum) -> Sum {
        let product = self.0 * other.0;
        let error = self.0.mul_add(other.0, -product);
        Sum::of(product, error + (self.0 * other.1 + self.1 * other.0))
    }
}

const LN2: Sum = Sum(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
const HALVINGS: u32 = 8;

/// `e` to a power below 1, to about a hundred bits.
fn exponential(power: Sum) -> Sum {
    let small = Sum(power.0 / f64::from(1 << HALVINGS), power.1 / f64::from(1 << HALVINGS));
    let mut sum = Sum(1.0, 0.0);
    for n in (1..=12).rev() {
        // Dividing by a small whole number: its inverse to twice the bits.
        let inverse = 1.0 / f64::from(n);
        let inverse = Sum(inverse, (-inverse).mul_add(f64::from(n), 1.0) / f64::from(n));
        sum = Sum(1.0, 0.0).plus(small.times(inverse).times(sum));
    }
    for _ in 0..HALVINGS {
        sum = sum.times(sum);
    }
    sum
}

/// The natural logarithm, if it is far enough from the middle between two numbers that no slightly inexact computation
/// finds another. JVMs were seen to round every one of 400,000 correctly.
fn rounded_log(x: f64) -> Option<f64> {
    if x < f64::MIN_POSITIVE {
        return None;
    }
    let estimate = x.ln();
    if estimate.abs() < 1e-3 {
        return None;
    }
    // x = 2^k m, and e^(k ln 2 - estimate) m is 1 except for the estimate's error.
    let k = f64::from(((x.to_bits() >> 52) as i32) - 1023);
    let m = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    let power = LN2.times(Sum(k, 0.0)).plus(Sum(-estimate, 0.0));
    let Sum(high, low) = exponential(power).times(Sum(m, 0.0));
    let error = (high - 1.0) + low;
    let result = estimate + error;
    let away = ((estimate - result) + error).abs();
    let unit = f64::from_bits(result.abs().to_bits() + 1) - result.abs();
    (away < 0.499 * unit).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_powers_of_e_are_near() {
        for n in 1..700 {
            let x = f64::from(n).exp();
            assert!((reduced_log(x) - f64::from(n)).abs() < 1e-12);
            if let Some(y) = rounded_log(x) {
                assert!((y - x.ln()).abs() <= 2.0 * f64::EPSILON * y);
            }
        }
        assert_eq!(rounded_log(10.0), Some(std::f64::consts::LN_10));
    }
}
