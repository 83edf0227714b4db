//! Constructors of terms, which simplify as they build. Owns constant folding; the rules are by theory in the files
//! below. Rules are local and cheap: an interpreter calls these for every instruction that touches a term.

mod array;
mod bits;
mod boolean;
mod float;

use super::apply::{apply, canonical};
use super::{Op, Sort, Term, Terms};

impl Terms {
    /// A constant of a scalar sort, given by its bits.
    pub fn constant(&mut self, sort: Sort, bits: u64) -> Term {
        self.make(Op::Const, sort, &[], canonical(sort, bits))
    }

    /// The constant that an operation on constants gives; `None` if an operand is none.
    fn folded(&mut self, op: Op, sort: Sort, args: &[Term], number: u64) -> Option<Term> {
        let mut values = [0; 3];
        for (value, arg) in values.iter_mut().zip(args) {
            *value = self.value(*arg)?;
        }
        let operand = self.sort(args[0]);
        Some(self.constant(sort, apply(op, sort, operand, number, values)))
    }

    /// Folds, or makes the term as it is.
    fn fold_or_make(&mut self, op: Op, sort: Sort, args: &[Term], number: u64) -> Term {
        match self.folded(op, sort, args, number) {
            Some(constant) => constant,
            None => self.make(op, sort, args, number),
        }
    }

    /// The operands of a commutative operation: a constant last, otherwise the older first.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let key = |term: Term| (self.value(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// Any operation on any operands, by its constructor. For code that copies terms with other operands.
    pub fn build(&mut self, op: Op, sort: Sort, args: &[Term], number: u64) -> Term {
        match (op, args) {
            (Op::Const, _) => self.constant(sort, number),
            (Op::Input, _) => self.input_term(super::InputId(number as u32)),
            (Op::Not, &[a]) => self.not(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[a, b, c]) => self.ite(a, b, c),
            (Op::Add, &[a, b]) => self.add(a, b),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::Neg, &[a]) => self.neg(a),
            (Op::UDiv, &[a, b]) => self.udiv(a, b),
            (Op::URem, &[a, b]) => self.urem(a, b),
            (Op::SDiv, &[a, b]) => self.sdiv(a, b),
            (Op::SRem, &[a, b]) => self.srem(a, b),
            (Op::BitAnd, &[a, b]) => self.bit_and(a, b),
            (Op::BitOr, &[a, b]) => self.bit_or(a, b),
            (Op::BitXor, &[a, b]) => self.bit_xor(a, b),
            (Op::BitNot, &[a]) => self.bit_not(a),
            (Op::Shl, &[a, b]) => self.shift_left(a, b),
            (Op::LShr, &[a, b]) => self.shift_right_zero(a, b),
            (Op::AShr, &[a, b]) => self.shift_right(a, b),
            (Op::Ult, &[a, b]) => self.ult(a, b),
            (Op::Ule, &[a, b]) => self.ule(a, b),
            (Op::Slt, &[a, b]) => self.slt(a, b),
            (Op::Sle, &[a, b]) => self.sle(a, b),
            (Op::Extract, &[a]) => self.extract(a, number as u8, sort.width() as u8),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::ZeroExtend, &[a]) => self.zero_extend(a, sort),
            (Op::SignExtend, &[a]) => self.sign_extend(a, sort),
            (Op::FAdd, &[a, b]) => self.fadd(a, b),
            (Op::FMul, &[a, b]) => self.fmul(a, b),
            (Op::FDiv, &[a, b]) => self.fdiv(a, b),
            (Op::FRem, &[a, b]) => self.frem(a, b),
            (Op::FNeg, &[a]) => self.fneg(a),
            (Op::FAbs, &[a]) => self.fabs(a),
            (Op::FLt, &[a, b]) => self.flt(a, b),
            (Op::FLe, &[a, b]) => self.fle(a, b),
            (Op::FEq, &[a, b]) => self.feq(a, b),
            (Op::FIsNan, &[a]) => self.is_nan(a),
            (Op::FToF, &[a]) => self.float_to_float(a, sort),
            (Op::SToF, &[a]) => self.signed_to_float(a, sort),
            (Op::FToS, &[a]) => self.float_to_signed(a, sort),
            (Op::FBits, &[a]) => self.float_bits(a),
            (Op::FFromBits, &[a]) => self.float_from_bits(a),
            (Op::Select, &[a, b]) => self.select(a, b),
            (Op::Store, &[a, b, c]) => self.store(a, b, c),
            (Op::ConstArray, &[a]) => self.constant_array(a),
            _ => self.fold_or_make(op, sort, args, number),
        }
    }
}
