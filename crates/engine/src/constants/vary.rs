//! Which constants are plain, which are relatives of a given one, and how to vary one. Owns these lists and edits; keeps nothing.

use bytecode::names::Primitive;
use testcase::value::{Constant, JavaString};

use super::Kind;
use crate::rng::Rng;

const INTS: [i64; 16] = [0, 1, 2, -1, 3, 5, 7, 10, 4, 100, -2, 8, 16, 1000, -10, 42];
const DOUBLES: [f64; 14] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    10.0,
    100.0,
    -0.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    1e-9,
    3.75,
];
const CHARS: [char; 18] =
    ['a', '0', 'A', ' ', 'z', '9', 'Z', '1', '\n', '-', '.', '_', '\0', '\t', '"', '\u{e9}', '\u{4e2d}', '\u{ffff}'];
const STRINGS: [&str; 22] = [
    "",
    "a",
    "abc",
    " ",
    "0",
    "1",
    "A",
    "b",
    "foo",
    "-1",
    "1.5",
    "hello world",
    "true",
    "a,b",
    "\n",
    "1e3",
    "0x1F",
    "AbC",
    "\u{e9}\u{df}",
    "\u{1F600}",
    "a b\tc",
    "12345678901234567890",
];

/// The plainest first.
pub fn plain(kind: Kind) -> Vec<Constant> {
    let ints = |extra: [i64; 4], make: fn(i64) -> Constant| INTS.into_iter().chain(extra).map(make).collect();
    match kind.primitive() {
        Some(Primitive::Boolean) => vec![Constant::Boolean(false), Constant::Boolean(true)],
        Some(Primitive::Byte) => [0, 1, 2, -1, 3, 5, 7, 10, 100, -2, 127, -128].map(Constant::Byte).to_vec(),
        Some(Primitive::Char) => CHARS.map(|c| Constant::Char(c as u16)).to_vec(),
        Some(Primitive::Short) => {
            ints([i64::from(i16::MAX), i64::from(i16::MIN), 255, 256], |n| Constant::Short(n as i16))
        }
        Some(Primitive::Int) => {
            ints([i64::from(i32::MAX), i64::from(i32::MIN), 255, 65536], |n| Constant::Int(n as i32))
        }
        Some(Primitive::Long) => ints([i64::MAX, i64::MIN, 1 << 32, 1_000_000_007], Constant::Long),
        Some(Primitive::Float) => {
            let extra = [f32::MAX, f32::from_bits(1)];
            DOUBLES.into_iter().map(|d| d as f32).chain(extra).map(|f| Constant::Float(f.to_bits())).collect()
        }
        Some(Primitive::Double) => {
            let extra = [f64::MAX, f64::from_bits(1)];
            DOUBLES.into_iter().chain(extra).map(|d| Constant::Double(d.to_bits())).collect()
        }
        None => STRINGS.into_iter().map(|s| Constant::String(s.into())).collect(),
    }
}

/// The constant in every kind that can hold it; with `around` also one more and one less.
pub fn kin(constant: &Constant, around: bool) -> Vec<(Kind, Constant)> {
    let mut kin = Vec::new();
    match constant {
        Constant::String(s) => {
            kin.push((Kind::STRING, constant.clone()));
            for &unit in s.units().iter().take(4) {
                kin.push((Kind::of(Primitive::Char), Constant::Char(unit)));
            }
        }
        Constant::Double(bits) => {
            let d = f64::from_bits(*bits);
            kin.push((Kind::of(Primitive::Double), constant.clone()));
            if around && d.is_finite() {
                for near in [d + 1.0, d - 1.0, d.next_up(), d.next_down()] {
                    kin.push((Kind::of(Primitive::Double), Constant::Double(near.to_bits())));
                }
            }
            if f64::from(d as f32) == d {
                kin.push((Kind::of(Primitive::Float), Constant::Float((d as f32).to_bits())));
            }
            if d.fract() == 0.0 && d.abs() < 9e15 {
                whole(d as i64, false, &mut kin);
            }
        }
        Constant::Float(bits) => {
            let f = f32::from_bits(*bits);
            kin.push((Kind::of(Primitive::Float), constant.clone()));
            if around && f.is_finite() {
                for near in [f + 1.0, f - 1.0, f.next_up(), f.next_down()] {
                    kin.push((Kind::of(Primitive::Float), Constant::Float(near.to_bits())));
                }
            }
            kin.push((Kind::of(Primitive::Double), Constant::Double(f64::from(f).to_bits())));
        }
        Constant::Byte(n) => whole(i64::from(*n), around, &mut kin),
        Constant::Char(n) => whole(i64::from(*n), around, &mut kin),
        Constant::Short(n) => whole(i64::from(*n), around, &mut kin),
        Constant::Int(n) => whole(i64::from(*n), around, &mut kin),
        Constant::Long(n) => whole(*n, around, &mut kin),
        Constant::Boolean(_) | Constant::Null | Constant::Class(_) | Constant::Enum { .. } => {}
    }
    kin
}

fn whole(n: i64, around: bool, kin: &mut Vec<(Kind, Constant)>) {
    let near: &[i64] = if around { &[0, 1, -1] } else { &[0] };
    for d in near {
        let Some(n) = n.checked_add(*d) else { continue };
        if let Ok(v) = i32::try_from(n) {
            kin.push((Kind::of(Primitive::Int), Constant::Int(v)));
        }
        kin.push((Kind::of(Primitive::Long), Constant::Long(n)));
        if let Ok(v) = i16::try_from(n) {
            kin.push((Kind::of(Primitive::Short), Constant::Short(v)));
        }
        if let Ok(v) = i8::try_from(n) {
            kin.push((Kind::of(Primitive::Byte), Constant::Byte(v)));
        }
        if let Ok(v) = u16::try_from(n) {
            kin.push((Kind::of(Primitive::Char), Constant::Char(v)));
        }
    }
}

/// `a` and `b` put together.
pub fn join(a: &JavaString, b: &JavaString) -> JavaString {
    let units: Vec<u16> = a.units().iter().chain(b.units()).copied().collect();
    JavaString::new(&units)
}

/// The number with the other sign, the other truth value; texts have no opposite.
pub fn opposite(constant: &Constant) -> Option<Constant> {
    Some(match constant {
        Constant::Byte(n) => Constant::Byte(n.wrapping_neg()),
        Constant::Short(n) => Constant::Short(n.wrapping_neg()),
        Constant::Int(n) => Constant::Int(n.wrapping_neg()),
        Constant::Long(n) => Constant::Long(n.wrapping_neg()),
        Constant::Float(bits) => Constant::Float((-f32::from_bits(*bits)).to_bits()),
        Constant::Double(bits) => Constant::Double((-f64::from_bits(*bits)).to_bits()),
        Constant::Boolean(b) => Constant::Boolean(!b),
        Constant::Char(_) | Constant::String(_) | Constant::Null | Constant::Class(_) | Constant::Enum { .. } => {
            return None;
        }
    })
}

/// A small change of `constant`; `other` lends material to strings.
pub fn vary(constant: &Constant, other: &Constant, rng: &mut Rng) -> Constant {
    let step = |rng: &mut Rng| {
        let size = [3, 10, 30, 1000][rng.below(4)];
        1 + rng.below(size) as i64
    };
    let number = |n: i64, rng: &mut Rng| match rng.below(6) {
        0 | 1 => n.wrapping_add(step(rng)),
        2 | 3 => n.wrapping_sub(step(rng)),
        4 => n.wrapping_neg(),
        _ => n.wrapping_mul(2),
    };
    match constant {
        Constant::Byte(n) => Constant::Byte(number(i64::from(*n), rng) as i8),
        Constant::Char(n) => Constant::Char(number(i64::from(*n), rng) as u16),
        Constant::Short(n) => Constant::Short(number(i64::from(*n), rng) as i16),
        Constant::Int(n) => Constant::Int(number(i64::from(*n), rng) as i32),
        Constant::Long(n) => Constant::Long(number(*n, rng)),
        Constant::Float(bits) => {
            Constant::Float((fraction(f64::from(f32::from_bits(*bits)), step(rng), rng) as f32).to_bits())
        }
        Constant::Double(bits) => Constant::Double(fraction(f64::from_bits(*bits), step(rng), rng).to_bits()),
        Constant::String(s) => Constant::String(edit(s, other, rng)),
        Constant::Boolean(b) => Constant::Boolean(!b),
        Constant::Null | Constant::Class(_) | Constant::Enum { .. } => constant.clone(),
    }
}

fn fraction(d: f64, step: i64, rng: &mut Rng) -> f64 {
    match rng.below(6) {
        0 => d + step as f64,
        1 => d - step as f64,
        2 => -d,
        3 => d * 2.0,
        4 => d + 0.25,
        _ => d / 3.0,
    }
}

fn edit(s: &JavaString, other: &Constant, rng: &mut Rng) -> JavaString {
    let mut units = s.units().to_vec();
    let letter = |rng: &mut Rng| match rng.below(8) {
        0 => CHARS[rng.below(CHARS.len())] as u16,
        1 | 2 => u16::from(b'0') + rng.below(10) as u16,
        3 => u16::from(b'A') + rng.below(26) as u16,
        4 => u16::from(b"+-.,:;/()[]{}\"'=&|<>_@#"[rng.below(23)]),
        _ => u16::from(b'a') + rng.below(26) as u16,
    };
    match rng.below(7) {
        0 => units.push(letter(rng)),
        1 => {
            let at = rng.below(units.len() + 1);
            units.insert(at, letter(rng));
        }
        2 if !units.is_empty() => {
            units.remove(rng.below(units.len()));
        }
        3 if !units.is_empty() => {
            let at = rng.below(units.len());
            units[at] = letter(rng);
        }
        4 if units.len() > 1 => {
            let at = rng.below(units.len());
            units.truncate(at);
        }
        5 if !units.is_empty() => {
            let at = rng.below(units.len());
            if let Some(c) = char::from_u32(u32::from(units[at])) {
                let swapped = if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                units[at] = swapped as u16;
            }
        }
        _ => {
            if let Constant::String(o) = other {
                units.extend_from_slice(o.units());
            } else {
                units.push(letter(rng));
            }
        }
    }
    units.truncate(60);
    JavaString::new(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_within_their_kind() {
        let kin = kin(&Constant::Int(127), true);
        assert!(kin.contains(&(Kind::of(Primitive::Byte), Constant::Byte(127))));
        assert!(kin.contains(&(Kind::of(Primitive::Int), Constant::Int(128))));
        assert!(!kin.iter().any(|(_, c)| *c == Constant::Byte(-128)));
    }

    #[test]
    fn variations_keep_their_kind() {
        let mut rng = Rng::new(9);
        for kind in Kind::all() {
            for value in plain(kind) {
                for _ in 0..50 {
                    assert_eq!(Kind::of_constant(&vary(&value, &value, &mut rng)), Some(kind));
                }
            }
        }
    }
}
