//! Floats: arithmetic, comparisons, conversions. Owns the few rules that hold for NaN, infinities and signed zeros,
//! too.

use crate::expr::{Op, Rounding, Sort, Term, Terms};

impl Terms {
    pub fn fadd(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.fold_or_make(Op::FAdd, self.sort(a), &[a, b], 0)
    }

    pub fn fsub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.fneg(b);
        self.fadd(a, minus)
    }

    pub fn fmul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let sort = self.sort(a);
        let one = if sort == Sort::F32 { 1f32.to_bits().into() } else { 1f64.to_bits() };
        if self.value(b) == Some(one) {
            return a;
        }
        self.fold_or_make(Op::FMul, sort, &[a, b], 0)
    }

    pub fn fdiv(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        if let Some(bits) = self.value(b)
            && let Some(factor) = exact_inverse(sort, bits)
        {
            let factor = self.constant(sort, factor);
            return self.fmul(a, factor);
        }
        self.fold_or_make(Op::FDiv, sort, &[a, b], 0)
    }

    /// Java's `%`, which is C's `fmod`.
    pub fn frem(&mut self, a: Term, b: Term) -> Term {
        self.fold_or_make(Op::FRem, self.sort(a), &[a, b], 0)
    }

    pub fn fsqrt(&mut self, a: Term) -> Term {
        self.fold_or_make(Op::FSqrt, self.sort(a), &[a], 0)
    }

    pub fn fneg(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::FNeg => self.node(a).args[0],
            _ => self.fold_or_make(Op::FNeg, self.sort(a), &[a], 0),
        }
    }

    pub fn fabs(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::FAbs => a,
            Op::FNeg => self.fabs(self.node(a).args[0]),
            _ => self.fold_or_make(Op::FAbs, self.sort(a), &[a], 0),
        }
    }

    /// To an integral value: `Math.floor`, `ceil`, `rint`.
    pub fn fround(&mut self, a: Term, rounding: Rounding) -> Term {
        self.fold_or_make(Op::FRound, self.sort(a), &[a], rounding as u64)
    }

    pub fn flt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Terms::FALSE;
        }
        self.float_predicate(Op::FLt, a, b)
    }

    pub fn fle(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            let nan = self.is_nan(a);
            return self.not(nan);
        }
        self.float_predicate(Op::FLe, a, b)
    }

    /// Java's `==`.
    pub fn feq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            let nan = self.is_nan(a);
            return self.not(nan);
        }
        let (a, b) = self.ordered(a, b);
        self.float_predicate(Op::FEq, a, b)
    }

    fn float_predicate(&mut self, op: Op, a: Term, b: Term) -> Term {
        for operand in [a, b] {
            if self.value(operand).is_some() && self.is_nan(operand) == Terms::TRUE {
                return Terms::FALSE;
            }
        }
        self.fold_or_make(op, Sort::Bool, &[a, b], 0)
    }

    pub fn is_nan(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        match node.op {
            Op::FNeg | Op::FAbs | Op::FToF | Op::FRound => self.is_nan(node.args[0]),
            Op::SToF => Terms::FALSE,
            _ => self.fold_or_make(Op::FIsNan, Sort::Bool, &[a], 0),
        }
    }

    pub fn float_to_float(&mut self, a: Term, sort: Sort) -> Term {
        let from = self.sort(a);
        let node = *self.node(a);
        if from == sort {
            return a;
        }
        if node.op == Op::FToF && sort == Sort::F32 {
            return node.args[0];
        }
        self.fold_or_make(Op::FToF, sort, &[a], 0)
    }

    pub fn signed_to_float(&mut self, a: Term, sort: Sort) -> Term {
        self.fold_or_make(Op::SToF, sort, &[a], 0)
    }

    /// Towards zero, NaN as 0, what is too large as the largest.
    pub fn float_to_signed(&mut self, a: Term, sort: Sort) -> Term {
        let node = *self.node(a);
        if node.op == Op::SToF && node.sort == Sort::F64 && sort == Sort::INT && self.sort(node.args[0]) == Sort::INT {
            return node.args[0];
        }
        self.fold_or_make(Op::FToS, sort, &[a], 0)
    }

    /// `doubleToLongBits`, `floatToIntBits`; the raw ones, too, as there is one NaN.
    pub fn float_bits(&mut self, a: Term) -> Term {
        let sort = Sort::Bv(self.sort(a).width() as u8);
        self.fold_or_make(Op::FBits, sort, &[a], 0)
    }

    /// `longBitsToDouble`, `intBitsToFloat`.
    pub fn float_from_bits(&mut self, a: Term) -> Term {
        if self.op(a) == Op::FBits {
            return self.node(a).args[0];
        }
        let sort = if self.sort(a).width() == 32 { Sort::F32 } else { Sort::F64 };
        self.fold_or_make(Op::FFromBits, sort, &[a], 0)
    }
}

/// The bits of 1/x where x and 1/x are normal powers of two, so that dividing and multiplying round alike.
fn exact_inverse(sort: Sort, bits: u64) -> Option<u64> {
    let (fraction, exponents) = if sort == Sort::F32 { (23, 0xff) } else { (52, 0x7ff) };
    let exponent = (bits >> fraction) & exponents;
    let power = bits & ((1 << fraction) - 1) == 0;
    let inverse = (exponents - 1).wrapping_sub(exponent);
    let normal = (1..exponents - 1).contains(&exponent) && (1..exponents - 1).contains(&inverse);
    (power && normal).then(|| (bits & !(exponents << fraction)) | (inverse << fraction))
}
