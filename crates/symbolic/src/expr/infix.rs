//! Terms for people: as a Java programmer would write them. Owns the notation; what is too long to read is cut.

use super::{Element, Op, Sort, Term, Terms};

/// Nodes of a term that are written; the rest is an ellipsis.
const NODES: usize = 80;

/// How tightly an operation binds, as in Java.
const TIGHT: u8 = 9;

struct Writer<'a> {
    terms: &'a Terms,
    left: usize,
}

impl Terms {
    /// A term in Java's notation; inputs by their names.
    pub fn infix(&self, term: Term) -> String {
        Writer { terms: self, left: NODES }.write(term, 0)
    }

    /// A condition that holds or does not, in Java's notation.
    pub fn infix_condition(&self, condition: Term, holds: bool) -> String {
        let mut writer = Writer { terms: self, left: NODES };
        if holds { writer.write(condition, 0) } else { writer.negated(condition, 0) }
    }
}

impl Writer<'_> {
    fn write(&mut self, term: Term, around: u8) -> String {
        if self.left == 0 {
            return "…".to_owned();
        }
        self.left -= 1;
        let node = *self.terms.node(term);
        let [a, b, c] = node.args;
        match node.op {
            Op::Const => constant(node.sort, node.number),
            Op::Input => self.terms.input_name(super::InputId(node.number as u32)).to_owned(),
            Op::Not => self.negated(a, around),
            Op::And => self.binary(a, "&&", b, 1, around),
            Op::Eq | Op::FEq => self.binary(a, "==", b, 5, around),
            Op::Ite => {
                let (condition, then, other) = (self.write(a, 1), self.write(b, 1), self.write(c, 0));
                enclosed(format!("{condition} ? {then} : {other}"), 0, around)
            }
            Op::Add | Op::FAdd => self.sum(a, b, around),
            Op::Mul | Op::FMul => self.binary(a, "*", b, 8, around),
            Op::SDiv | Op::FDiv => self.binary(a, "/", b, 8, around),
            Op::SRem | Op::FRem => self.binary(a, "%", b, 8, around),
            Op::UDiv => self.call("divideUnsigned", &[a, b]),
            Op::URem => self.call("remainderUnsigned", &[a, b]),
            Op::BitAnd => self.binary(a, "&", b, 4, around),
            Op::BitOr => self.binary(a, "|", b, 2, around),
            Op::BitXor => self.binary(a, "^", b, 3, around),
            Op::Shl => self.binary(a, "<<", b, 6, around),
            Op::LShr => self.binary(a, ">>>", b, 6, around),
            Op::AShr => self.binary(a, ">>", b, 6, around),
            Op::Slt | Op::FLt => self.binary(a, "<", b, 5, around),
            Op::Sle | Op::FLe => self.binary(a, "<=", b, 5, around),
            Op::Ult => self.binary(a, "<u", b, 5, around),
            Op::Ule => self.binary(a, "<=u", b, 5, around),
            Op::Neg | Op::FNeg => format!("-{}", self.write(a, TIGHT)),
            Op::BitNot => format!("~{}", self.write(a, TIGHT)),
            // Small types are ints in Java's eyes, too.
            Op::ZeroExtend | Op::SignExtend if self.terms.op(a) == Op::Input => self.write(a, around),
            Op::ZeroExtend | Op::SignExtend | Op::FToF | Op::SToF | Op::FToS => self.cast(node.sort, a),
            Op::Extract if node.number == 0 => self.cast(node.sort, a),
            Op::Extract => format!("bits({}, {}, {})", self.write(a, 0), node.number, node.sort.width()),
            Op::Concat => self.call("concat", &[a, b]),
            Op::FSqrt => self.call("sqrt", &[a]),
            Op::FAbs => self.call("abs", &[a]),
            Op::FIsNan => self.call("isNaN", &[a]),
            Op::FRound => self.call("round", &[a]),
            Op::FBits => self.call("bitsOf", &[a]),
            Op::FFromBits => self.call("ofBits", &[a]),
            Op::Select => format!("{}[{}]", self.write(a, TIGHT), self.write(b, 0)),
            Op::Store => self.call("store", &[a, b, c]),
            Op::ConstArray => self.call("filled", &[a]),
        }
    }

    /// `a + b`, with minus where one is negative.
    fn sum(&mut self, a: Term, b: Term, around: u8) -> String {
        for (x, y) in [(a, b), (b, a)] {
            let node = *self.terms.node(y);
            let minus = match node.op {
                Op::Neg | Op::FNeg => Some(self.write(node.args[0], 8)),
                Op::Const if !node.sort.is_float() => negative(node.sort, node.number),
                Op::Mul => negative_factor(self.terms, node.args[1], node.sort)
                    .map(|factor| format!("{} * {factor}", self.write(node.args[0], 8))),
                _ => None,
            };
            if let Some(minus) = minus {
                let first = self.write(x, 7);
                return enclosed(format!("{first} - {minus}"), 7, around);
            }
        }
        self.binary(a, "+", b, 7, around)
    }

    fn binary(&mut self, a: Term, sign: &str, b: Term, tightness: u8, around: u8) -> String {
        let (first, second) = (self.write(a, tightness), self.write(b, tightness + 1));
        enclosed(format!("{first} {sign} {second}"), tightness, around)
    }

    fn negated(&mut self, term: Term, around: u8) -> String {
        let node = *self.terms.node(term);
        let [a, b, _] = node.args;
        match node.op {
            Op::Not => self.write(a, around),
            Op::Eq | Op::FEq => self.binary(a, "!=", b, 5, around),
            Op::Slt => self.binary(a, ">=", b, 5, around),
            Op::Sle => self.binary(a, ">", b, 5, around),
            Op::Ult => self.binary(a, ">=u", b, 5, around),
            Op::Ule => self.binary(a, ">u", b, 5, around),
            // With NaN neither of two float comparisons need hold.
            _ => format!("!({})", self.write(term, 0)),
        }
    }

    fn cast(&mut self, to: Sort, a: Term) -> String {
        let name = match to {
            Sort::Bv(8) => "byte",
            Sort::Bv(16) => "short",
            Sort::Bv(32) => "int",
            Sort::Bv(64) => "long",
            Sort::F32 => "float",
            Sort::F64 => "double",
            Sort::Bool | Sort::Bv(_) | Sort::Array(Element::Bv(_) | Element::F32 | Element::F64) => "bits",
        };
        format!("({name}) {}", self.write(a, TIGHT))
    }

    fn call(&mut self, name: &str, arguments: &[Term]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|a| self.write(*a, 0)).collect();
        format!("{name}({})", arguments.join(", "))
    }
}

fn enclosed(text: String, tightness: u8, around: u8) -> String {
    if tightness < around { format!("({text})") } else { text }
}

/// A negative constant without its sign.
fn negative(sort: Sort, bits: u64) -> Option<String> {
    let value = super::apply::signed(bits, sort.width());
    (value < 0).then(|| value.unsigned_abs().to_string())
}

fn negative_factor(terms: &Terms, factor: Term, sort: Sort) -> Option<String> {
    terms.value(factor).filter(|_| !sort.is_float()).and_then(|bits| negative(sort, bits))
}

fn constant(sort: Sort, bits: u64) -> String {
    match sort {
        Sort::Bool => (bits == 1).to_string(),
        Sort::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
        Sort::F64 => format!("{:?}", f64::from_bits(bits)),
        _ => super::apply::signed(bits, sort.width()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_look_like_java() {
        let mut t = Terms::new();
        let (x, y) = (t.input(Sort::INT, "x"), t.input(Sort::F64, "y"));
        let (seven, eighteen, three) = (t.int(7), t.int(18), t.double(3.0));
        let (square, product) = (t.mul(x, x), t.mul(x, seven));
        let difference = t.sub(square, product);
        let equation = t.eq(difference, eighteen);
        assert_eq!(t.infix(equation), "x * x - x * 7 == 18");
        assert_eq!(t.infix_condition(equation, false), "x * x - x * 7 != 18");
        let third = t.fdiv(y, three);
        let less = t.flt(third, y);
        assert_eq!(t.infix_condition(less, false), "!(y / 3.0 < y)");
    }
}
