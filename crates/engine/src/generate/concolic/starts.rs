//! Values that calls are tried with before anything is solved: plain ones and those of the code. Owns which, and in what order; the first of all are zeros.

use bytecode::names::Primitive;
use testcase::value::Constant;

use super::invokable::{Invokable, Param};
use crate::constants::Kind;

/// Runs of a call whose arguments have numbers among them.
const RUNS: usize = 6;
/// Runs in which all arguments are alike.
const ALIKE: usize = 3;
/// Numbers of the code that are kept for each kind.
const MINED: usize = 40;

/// By primitive: bits, as inputs have them.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    plain: Vec<Vec<u64>>,
    mined: Vec<Vec<u64>>,
}

impl Starts {
    pub fn of(constants: &[Constant]) -> Starts {
        let mut starts = Starts::default();
        for primitive in Primitive::ALL {
            let plain = Kind::of(primitive).plain();
            starts.plain.push(plain.iter().filter_map(|c| bits(c, primitive)).filter(|b| *b != 0).collect());
            let mut mined: Vec<u64> = constants.iter().filter_map(|c| bits(c, primitive)).collect();
            mined.sort_unstable();
            mined.dedup();
            mined.truncate(MINED);
            starts.mined.push(mined);
        }
        starts
    }

    /// How often a call is tried before anything is solved.
    pub fn runs(invokable: &Invokable) -> usize {
        let has_numbers = invokable.params.iter().any(|p| matches!(p, Param::Number { .. }));
        if has_numbers { RUNS } else { 1 }
    }

    /// The number for a parameter in one of these runs.
    pub fn number(&self, primitive: Primitive, run: usize, call: usize, place: usize) -> u64 {
        let (plain, mined) = (&self.plain[primitive as usize], &self.mined[primitive as usize]);
        let pick = |list: &[u64], at: usize| list.get(at % list.len().max(1)).copied().unwrap_or(0);
        match run {
            0 => 0,
            _ if run < ALIKE => pick(plain, run - 1),
            // Different for every place, and half of them from the code.
            _ => {
                let at = run * 7 + call * 5 + place * 3;
                if at.is_multiple_of(2) && !mined.is_empty() { pick(mined, at / 2) } else { pick(plain, at / 2) }
            }
        }
    }
}

/// A constant as an input of this kind, if it is one or can be.
fn bits(constant: &Constant, primitive: Primitive) -> Option<u64> {
    let whole = match constant {
        Constant::Boolean(b) => i64::from(*b),
        Constant::Byte(n) => i64::from(*n),
        Constant::Char(n) => i64::from(*n),
        Constant::Short(n) => i64::from(*n),
        Constant::Int(n) => i64::from(*n),
        Constant::Long(n) => *n,
        Constant::Float(bits) if primitive == Primitive::Float => return Some(u64::from(*bits)),
        Constant::Double(bits) if primitive == Primitive::Double => return Some(*bits),
        _ => return None,
    };
    Some(match primitive {
        Primitive::Boolean => matches!(constant, Constant::Boolean(true)).into(),
        Primitive::Byte => u64::from(i8::try_from(whole).ok()? as u8),
        Primitive::Char => u64::from(u16::try_from(whole).ok()?),
        Primitive::Short => u64::from(i16::try_from(whole).ok()? as u16),
        Primitive::Int => u64::from(i32::try_from(whole).ok()? as u32),
        Primitive::Long => whole as u64,
        Primitive::Float => u64::from((whole as f32).to_bits()),
        Primitive::Double => (whole as f64).to_bits(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_come_first_and_numbers_of_the_code_later() {
        let starts = Starts::of(&[Constant::Int(80), Constant::Int(1 << 20), Constant::Double(0.25_f64.to_bits())]);
        let all = |p: Primitive| -> Vec<u64> { (0..RUNS).map(|run| starts.number(p, run, 0, 0)).collect() };
        assert_eq!(all(Primitive::Int)[..3], [0, 1, 2]);
        assert!(all(Primitive::Int).iter().any(|n| *n == 80 || *n == 1 << 20));
        assert!(!all(Primitive::Byte).contains(&(1 << 20)), "too large for a byte");
        assert_eq!(all(Primitive::Boolean)[1], 1);
        assert_eq!(all(Primitive::Double)[1], 1.0_f64.to_bits());
    }
}
