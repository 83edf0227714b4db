//! Literals near a literal: the moves of local search, and single steps for mutation. Owns which moves there are; keeps nothing and runs nothing.

use testcase::value::{Constant, JavaString};

use crate::rng::Rng;

/// Positions of a string that are tried.
const POSITIONS: usize = 24;
const LONGEST: usize = 60;
/// Characters that are put into strings.
const LETTERS: [u16; 8] = [0x61, 0x30, 0x41, 0x20, 0x2d, 0x2e, 0x2c, 0x3a];

/// Everything one move away, small moves first.
pub fn neighbours(constant: &Constant) -> Vec<Constant> {
    match constant {
        Constant::Boolean(b) => vec![Constant::Boolean(!b)],
        Constant::Byte(n) => whole(i64::from(*n), 7, |v| i8::try_from(v).ok().map(Constant::Byte)),
        Constant::Char(n) => whole(i64::from(*n), 16, |v| u16::try_from(v).ok().map(Constant::Char)),
        Constant::Short(n) => whole(i64::from(*n), 15, |v| i16::try_from(v).ok().map(Constant::Short)),
        Constant::Int(n) => whole(i64::from(*n), 32, |v| i32::try_from(v).ok().map(Constant::Int)),
        Constant::Long(n) => whole(*n, 63, |v| Some(Constant::Long(v))),
        Constant::Float(bits) => {
            let near = fractions(f64::from(f32::from_bits(*bits)), 1e-4, 1e12);
            let near = near.into_iter().map(|d| Constant::Float((d as f32).to_bits()));
            near.filter(|c| c != constant).collect()
        }
        Constant::Double(bits) => {
            let near = fractions(f64::from_bits(*bits), 1e-9, 1e18);
            near.into_iter().map(|d| Constant::Double(d.to_bits())).filter(|c| c != constant).collect()
        }
        Constant::String(s) => strings(s),
        Constant::Null | Constant::Class(_) | Constant::Enum { .. } => Vec::new(),
    }
}

/// Numbers that differ from a number by what a comparison lacks, or by a part of that if it counts several times.
pub fn shifted(constant: &Constant, gap: f64) -> Vec<Constant> {
    const PARTS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 100.0];
    if !gap.is_finite() || gap.abs() > 9e18 {
        return Vec::new();
    }
    let by = |n: i64| {
        let shifts = PARTS.iter().map(|part| (gap / part).round() as i64);
        // A strict comparison lacks one more than the numbers differ by, and misses by one less.
        let shifts = shifts.flat_map(|d| [d, -d, d - 1, 1 - d]).filter(|d| *d != 0);
        shifts.filter_map(move |d| n.checked_add(d))
    };
    match constant {
        Constant::Byte(n) => by(i64::from(*n)).filter_map(|v| i8::try_from(v).ok().map(Constant::Byte)).collect(),
        Constant::Char(n) => by(i64::from(*n)).filter_map(|v| u16::try_from(v).ok().map(Constant::Char)).collect(),
        Constant::Short(n) => by(i64::from(*n)).filter_map(|v| i16::try_from(v).ok().map(Constant::Short)).collect(),
        Constant::Int(n) => by(i64::from(*n)).filter_map(|v| i32::try_from(v).ok().map(Constant::Int)).collect(),
        Constant::Long(n) => by(*n).map(Constant::Long).collect(),
        Constant::Float(bits) => {
            let f = f64::from(f32::from_bits(*bits));
            let all = PARTS.iter().flat_map(|part| [f + gap / part, f - gap / part]);
            all.map(|d| Constant::Float((d as f32).to_bits())).collect()
        }
        Constant::Double(bits) => {
            let f = f64::from_bits(*bits);
            let all = PARTS.iter().flat_map(|part| [f + gap / part, f - gap / part]);
            all.map(|d| Constant::Double(d.to_bits())).collect()
        }
        Constant::Boolean(_) | Constant::String(_) | Constant::Null | Constant::Class(_) | Constant::Enum { .. } => {
            Vec::new()
        }
    }
}

fn whole(n: i64, bits: u32, make: impl Fn(i64) -> Option<Constant>) -> Vec<Constant> {
    let steps = (0..bits).flat_map(|k| [n.checked_add(1 << k), n.checked_sub(1 << k)]);
    let all = steps.chain([Some(0), n.checked_neg(), n.checked_mul(2), Some(n / 2)]);
    all.flatten().filter(|v| *v != n).filter_map(make).collect()
}

fn fractions(d: f64, smallest: f64, largest: f64) -> Vec<f64> {
    if !d.is_finite() {
        return vec![0.0, 1.0, -1.0];
    }
    let mut near = vec![d.next_up(), d.next_down(), d.round(), -d, d * 2.0, d / 2.0, 0.0];
    let mut step = smallest;
    while step <= largest {
        near.extend([d + step, d - step, d + 4.0 * step, d - 4.0 * step]);
        step *= 10.0;
    }
    near
}

fn strings(s: &JavaString) -> Vec<Constant> {
    let units = s.units();
    let mut near: Vec<Vec<u16>> = Vec::new();
    for letter in LETTERS.into_iter().chain(units.last().copied()) {
        near.push(units.iter().copied().chain([letter]).collect());
    }
    if !units.is_empty() {
        near.push(units[..units.len() - 1].to_vec());
        near.push(units[1..].to_vec());
        near.push(units[..units.len() / 2].to_vec());
    }
    for at in 0..units.len().min(POSITIONS) {
        for k in 0..7 {
            for moved in [units[at].checked_add(1 << k), units[at].checked_sub(1 << k)].into_iter().flatten() {
                let mut changed = units.to_vec();
                changed[at] = moved;
                near.push(changed);
            }
        }
        let mut shorter = units.to_vec();
        shorter.remove(at);
        near.push(shorter);
        for letter in LETTERS.into_iter().take(3) {
            let mut longer = units.to_vec();
            longer.insert(at, letter);
            near.push(longer);
        }
    }
    near.retain(|n| n.len() <= LONGEST && n != units);
    near.into_iter().map(|n| Constant::String(JavaString::new(&n))).collect()
}

/// One move, most often a small one.
pub fn step(constant: &Constant, rng: &mut Rng) -> Option<Constant> {
    let near = neighbours(constant);
    let reach = if rng.chance(0.5) { near.len().min(8) } else { near.len() };
    if reach == 0 { None } else { Some(near[rng.below(reach)].clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::Kind;

    #[test]
    fn neighbours_are_of_the_same_kind_and_never_the_same() {
        for kind in Kind::all() {
            for constant in kind.plain() {
                let near = neighbours(&constant);
                assert!(!near.is_empty(), "{constant:?}");
                assert!(near.iter().all(|n| Kind::of_constant(n) == Some(kind) && *n != constant), "{constant:?}");
            }
        }
    }

    #[test]
    fn what_is_missing_is_added_at_once_even_if_it_counts_thrice() {
        let near = shifted(&Constant::Long(0), 3_000_000_000_009.0);
        assert!(near.contains(&Constant::Long(3_000_000_000_009)) && near.contains(&Constant::Long(1_000_000_000_003)));
        assert!(shifted(&Constant::Int(5), -7.0).contains(&Constant::Int(-2)));
        assert!(shifted(&Constant::Byte(100), 100.0).iter().all(|c| *c != Constant::Byte(100)));
        assert_eq!(shifted(&Constant::String("a".into()), 1.0), []);
    }

    /// Always the move that comes nearest: so few are needed.
    fn check(from: i32, to: i32, most: usize) {
        let distance = |c: &Constant| match c {
            Constant::Int(n) => (i64::from(*n) - i64::from(to)).abs(),
            _ => i64::MAX,
        };
        let mut at = Constant::Int(from);
        for _ in 0..most {
            at = neighbours(&at).into_iter().min_by_key(&distance).unwrap();
            if distance(&at) == 0 {
                return;
            }
        }
        panic!("{from} did not become {to} in {most} moves");
    }

    #[test]
    fn any_number_is_some_moves_away() {
        check(0, 123_456_789, 16);
        check(i32::MIN, i32::MAX, 34);
        check(5, -77_777, 12);
    }
}
