//! The order "simpler than" on sequences: fewer statements, then fewer calls, then simpler constants.
//! Owns the order only; reducers and the archive decide what to do with it.

use crate::operation::{Operation, OperationKind, Operations};
use crate::sequence::Sequence;
use crate::value::Constant;

/// What a sequence costs; smaller is simpler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cost {
    pub statements: u32,
    /// Statements that run code of others: constructors and method calls.
    pub calls: u32,
    /// Sum of [`constant_complexity`].
    pub constants: u32,
}

impl Cost {
    pub fn of(sequence: &Sequence, operations: &Operations) -> Cost {
        let mut cost = Cost::default();
        for statement in sequence.statements() {
            cost.add(operations.get(statement.op));
        }
        cost
    }

    /// Adds one statement with this operation.
    pub fn add(&mut self, operation: &Operation) {
        self.statements += 1;
        match &operation.kind {
            OperationKind::Construct { .. } | OperationKind::Call { .. } => self.calls += 1,
            OperationKind::Constant(c) => self.constants = self.constants.saturating_add(constant_complexity(c)),
            _ => {}
        }
    }

    /// Cost of both one after the other.
    pub fn plus(self, other: Cost) -> Cost {
        Cost {
            statements: self.statements + other.statements,
            calls: self.calls + other.calls,
            constants: self.constants.saturating_add(other.constants),
        }
    }

    /// How much there is to read: a call is a line, what it is given stands in that line.
    pub fn reading(self) -> u32 {
        self.statements + self.calls
    }

    /// In 32 bits, same order as far as they reach (12 bits statements, 9 calls, 11 constants; each saturates). Never 0 for a
    /// non-empty sequence.
    pub fn packed(self) -> u32 {
        self.statements.min(0xfff) << 20 | self.calls.min(0x1ff) << 11 | self.constants.min(0x7ff)
    }
}

/// How far a constant is from the plainest of its type (0: as plain as can be).
pub fn constant_complexity(constant: &Constant) -> u32 {
    match constant {
        Constant::Null | Constant::Boolean(false) => 0,
        Constant::Boolean(true) => 1,
        Constant::Byte(v) => integer_complexity(i64::from(*v)),
        Constant::Short(v) => integer_complexity(i64::from(*v)),
        Constant::Int(v) => integer_complexity(i64::from(*v)),
        Constant::Long(v) => integer_complexity(*v),
        Constant::Char(c) => char_complexity(*c),
        Constant::Float(bits) => float_complexity(f64::from(f32::from_bits(*bits))),
        Constant::Double(bits) => float_complexity(f64::from_bits(*bits)),
        Constant::String(s) => s.units().iter().fold(0u32, |sum, &c| sum.saturating_add(2 + char_complexity(c))),
        Constant::Class(_) | Constant::Enum { .. } => 2,
    }
}

/// Twice the bits of the magnitude, plus one for a minus sign.
fn integer_complexity(v: i64) -> u32 {
    2 * (64 - v.unsigned_abs().leading_zeros()) + u32::from(v < 0)
}

fn char_complexity(c: u16) -> u32 {
    match c {
        0x61..=0x7a => 0,
        0x30..=0x39 | 0x41..=0x5a => 1,
        0x20..=0x7e => 2,
        0xd800..=0xdfff => 6,
        _ => 4,
    }
}

fn float_complexity(v: f64) -> u32 {
    if v.is_nan() || v.is_infinite() {
        return 160;
    }
    if v == v.trunc() && v.abs() < 9e18 {
        return integer_complexity(v as i64) + 2 * u32::from(v == 0.0 && v.is_sign_negative());
    }
    if (v * 2.0) == (v * 2.0).trunc() { 24 + integer_complexity(v.trunc() as i64) } else { 140 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::OpId;
    use crate::sequence::{Statement, Var};
    use crate::types::Type;

    /// Each constant is simpler than the next.
    #[test]
    fn constants_in_order() {
        use Constant::*;
        let order = [Int(0), Int(1), Int(-1), Int(2), Int(-3), Int(100), Int(i32::MAX), Long(i64::MIN)];
        assert!(order.windows(2).all(|w| constant_complexity(&w[0]) < constant_complexity(&w[1])));
        let strings = ["", "a", "B", "ab", "abc", "ab\u{e9}", "longer string"];
        assert!(
            strings
                .windows(2)
                .all(|w| constant_complexity(&String(w[0].into())) < constant_complexity(&String(w[1].into())))
        );
        let doubles = [0.0f64, -0.0, 2.0, 0.5, 0.1, f64::NAN];
        assert!(
            doubles
                .windows(2)
                .all(|w| constant_complexity(&Double(w[0].to_bits())) < constant_complexity(&Double(w[1].to_bits())))
        );
    }

    #[test]
    fn statements_count_before_calls_before_constants() {
        let mut ops = Operations::default();
        let int = |v| Operation::constant(Constant::Int(v), Type::Primitive(bytecode::names::Primitive::Int));
        let one = ops.intern(int(1));
        let big = ops.intern(int(1 << 30));
        let call = ops.intern(Operation {
            kind: OperationKind::Construct {
                class: "A".into(),
                descriptor: "()V".into(),
                varargs: false,
                inner: false,
            },
            params: vec![],
            result: Type::class("A"),
        });
        let cost = |list: &[OpId]| {
            let s: Vec<Statement> = list.iter().map(|&op| Statement::new(op, &[] as &[Var])).collect();
            Cost::of(&Sequence::new(s), &ops)
        };
        let order = [
            cost(&[]),
            cost(&[one]),
            cost(&[big]),
            cost(&[call]),
            cost(&[one, one]),
            cost(&[one, call]),
            cost(&[one, one, one]),
        ];
        assert!(order.windows(2).all(|w| w[0] < w[1] && w[0].packed() < w[1].packed()), "{order:?}");
        assert_eq!(cost(&[one]).plus(cost(&[call])), cost(&[one, call]));
    }
}
