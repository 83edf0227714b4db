//! Constants as Java literals, exact and in ASCII. Owns escaping and number formats; casts and boxes are the caller's.

use bytecode::names::{FieldType, Primitive};

use super::imports::mark;
use crate::value::Constant;

/// The expression for a constant, typed as the constant says (`(byte) 3`, `7L`, `1.0E-5f`).
pub fn literal(c: &Constant) -> String {
    match c {
        Constant::Null => "null".to_owned(),
        Constant::Boolean(v) => v.to_string(),
        Constant::Byte(v) => format!("(byte) {v}"),
        Constant::Short(v) => format!("(short) {v}"),
        Constant::Char(v) => char_literal(*v),
        Constant::Int(i32::MIN) => format!("{}.MIN_VALUE", mark("java/lang/Integer")),
        Constant::Int(i32::MAX) => format!("{}.MAX_VALUE", mark("java/lang/Integer")),
        Constant::Int(v) => v.to_string(),
        Constant::Long(i64::MIN) => format!("{}.MIN_VALUE", mark("java/lang/Long")),
        Constant::Long(i64::MAX) => format!("{}.MAX_VALUE", mark("java/lang/Long")),
        Constant::Long(v) => format!("{v}L"),
        Constant::Float(bits) => float_literal(*bits),
        Constant::Double(bits) => double_literal(*bits),
        Constant::String(s) => string_literal(s.units()),
        Constant::Class(t) => format!("{}.class", erased_name(t)),
        Constant::Enum { class, name } => format!("{}.{name}", mark(class.internal())),
    }
}

/// The primitive type of a constant that is one.
pub fn primitive_of(c: &Constant) -> Option<Primitive> {
    Some(match c {
        Constant::Boolean(_) => Primitive::Boolean,
        Constant::Byte(_) => Primitive::Byte,
        Constant::Char(_) => Primitive::Char,
        Constant::Short(_) => Primitive::Short,
        Constant::Int(_) => Primitive::Int,
        Constant::Long(_) => Primitive::Long,
        Constant::Float(_) => Primitive::Float,
        Constant::Double(_) => Primitive::Double,
        Constant::Null | Constant::String(_) | Constant::Class(_) | Constant::Enum { .. } => {
            return None;
        }
    })
}

/// An erased type as source spells it, class names marked.
pub fn erased_name(t: &FieldType) -> String {
    match t {
        FieldType::Primitive(p) => p.keyword().to_owned(),
        FieldType::Class(n) => mark(n.internal()),
        FieldType::Array(e) => format!("{}[]", erased_name(e)),
    }
}

fn float_literal(bits: u32) -> String {
    let class = mark("java/lang/Float");
    let v = f32::from_bits(bits);
    match v {
        _ if v.is_nan() && bits == 0x7fc0_0000 => format!("{class}.NaN"),
        _ if v.is_nan() => format!("{class}.intBitsToFloat(0x{bits:x})"),
        _ if v.is_infinite() => format!("{class}.{}_INFINITY", sign_word(v > 0.0)),
        f32::MAX => format!("{class}.MAX_VALUE"),
        _ if bits == 1 => format!("{class}.MIN_VALUE"),
        _ => format!("{}f", decimal(format!("{v:?}"))),
    }
}

fn double_literal(bits: u64) -> String {
    let class = mark("java/lang/Double");
    let v = f64::from_bits(bits);
    match v {
        _ if v.is_nan() && bits == 0x7ff8_0000_0000_0000 => format!("{class}.NaN"),
        _ if v.is_nan() => format!("{class}.longBitsToDouble(0x{bits:x}L)"),
        _ if v.is_infinite() => format!("{class}.{}_INFINITY", sign_word(v > 0.0)),
        f64::MAX => format!("{class}.MAX_VALUE"),
        _ if bits == 1 => format!("{class}.MIN_VALUE"),
        _ => decimal(format!("{v:?}")),
    }
}

fn sign_word(positive: bool) -> &'static str {
    if positive { "POSITIVE" } else { "NEGATIVE" }
}

/// `1e-5` as Java prints it: `1.0E-5`. Shortest digits that give the same bits stay the same.
fn decimal(text: String) -> String {
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => text,
    }
}

fn char_literal(unit: u16) -> String {
    let mut out = String::from("'");
    if unit == u16::from(b'\'') {
        out.push_str("\\'");
    } else if unit == u16::from(b'"') {
        out.push('"');
    } else {
        escape(&mut out, unit);
    }
    out.push('\'');
    out
}

pub fn string_literal(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for &unit in units {
        escape(&mut out, unit);
    }
    out.push('"');
    out
}

/// One UTF-16 unit. Line ends and quotes must not be written as `\u000a`: javac replaces those before it looks for tokens.
fn escape(out: &mut String, unit: u16) {
    match u8::try_from(unit) {
        Ok(b'"') => out.push_str("\\\""),
        Ok(b'\\') => out.push_str("\\\\"),
        Ok(b'\n') => out.push_str("\\n"),
        Ok(b'\r') => out.push_str("\\r"),
        Ok(b'\t') => out.push_str("\\t"),
        Ok(b'\x08') => out.push_str("\\b"),
        Ok(b'\x0c') => out.push_str("\\f"),
        Ok(c @ 0x20..=0x7e) => out.push(char::from(c)),
        _ => out.push_str(&format!("\\u{unit:04X}")),
    }
}

/// Bytes a string takes in a class file.
pub fn class_file_bytes(units: &[u16]) -> usize {
    let width = |u: &u16| match u {
        1..=0x7f => 1,
        0 | 0x80..=0x7ff => 2,
        _ => 3,
    };
    units.iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::imports::unmark;

    fn check(c: Constant, expected: &str) {
        assert_eq!(unmark(&literal(&c)), expected);
    }

    #[test]
    fn literals_are_exact() {
        check(Constant::Byte(-3), "(byte) -3");
        check(Constant::Int(i32::MIN), "java.lang.Integer.MIN_VALUE");
        check(Constant::Long(-1), "-1L");
        check(Constant::Float(1e-5f32.to_bits()), "1.0E-5f");
        check(Constant::Float(0x7f80_0001), "java.lang.Float.intBitsToFloat(0x7f800001)");
        check(Constant::Double((-0.0f64).to_bits()), "-0.0");
        check(Constant::Double(1.5e300f64.to_bits()), "1.5E300");
        check(Constant::Double(f64::NAN.to_bits()), "java.lang.Double.NaN");
        check(Constant::Double(f64::NEG_INFINITY.to_bits()), "java.lang.Double.NEGATIVE_INFINITY");
        check(Constant::Double(1), "java.lang.Double.MIN_VALUE");
        check(Constant::Char(39), "'\\''");
        check(Constant::Char(34), "'\"'");
        check(Constant::Char(0xd83d), "'\\uD83D'");
        check(Constant::String("a\"\\\n\u{0}\u{1f600}\u{e9}".into()), "\"a\\\"\\\\\\n\\u0000\\uD83D\\uDE00\\u00E9\"");
        check(Constant::Class(FieldType::parse("[[I").unwrap()), "int[][].class");
        check(Constant::Enum { class: "demo/Color".into(), name: "RED".into() }, "demo.Color.RED");
    }

    #[test]
    fn class_file_size_of_strings() {
        assert_eq!(class_file_bytes(&[0, 65, 0xe9, 0x20ac]), 2 + 1 + 2 + 3);
    }
}
