//! Bit-vectors: arithmetic with wrap-around, bits, shifts, comparisons, widths. Owns their local simplification.

use crate::expr::apply::signed;
use crate::expr::{Node, Op, Sort, Term, Terms};

impl Terms {
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let sort = self.sort(a);
        let (first, second) = (*self.node(a), *self.node(b));
        if let Some(addend) = self.value(b) {
            if addend == 0 {
                return a;
            }
            if first.op == Op::Add
                && let Some(inner) = self.value(first.args[1])
            {
                let sum = self.constant(sort, inner.wrapping_add(addend));
                return self.add(first.args[0], sum);
            }
        } else {
            // Constants move outwards, so that they meet.
            for (x, y) in [(first, b), (second, a)] {
                if x.op == Op::Add && self.value(x.args[1]).is_some() {
                    let inner = self.add(x.args[0], y);
                    return self.add(inner, x.args[1]);
                }
            }
            if (first.op == Op::Neg && first.args[0] == b) || (second.op == Op::Neg && second.args[0] == a) {
                return self.constant(sort, 0);
            }
            // (x + y) - y, and -y + (x + y).
            for (sum, minus) in [(first, second), (second, first)] {
                if sum.op == Op::Add && minus.op == Op::Neg {
                    if sum.args[0] == minus.args[0] {
                        return sum.args[1];
                    }
                    if sum.args[1] == minus.args[0] {
                        return sum.args[0];
                    }
                }
            }
            for (product, other) in [(first, b), (second, a)] {
                if let Some(remainder) = self.remainder(product, other) {
                    return remainder;
                }
            }
            if a == b {
                let two = self.constant(sort, 2);
                return self.mul(a, two);
            }
        }
        self.fold_or_make(Op::Add, sort, &[a, b], 0)
    }

    /// `x - x / d * d` and `x / d * d - x`, as code that splits numbers into digits has them.
    fn remainder(&mut self, product: Node, other: Term) -> Option<Term> {
        let factor = (product.op == Op::Mul).then(|| self.value(product.args[1])).flatten()?;
        let quotient = *self.node(product.args[0]);
        let divisor = match quotient.op {
            Op::SDiv | Op::UDiv => self.value(quotient.args[1]).filter(|d| *d != 0)?,
            _ => return None,
        };
        let dividend = quotient.args[0];
        let negative = if other == dividend && factor == divisor.wrapping_neg() & product.sort.mask() {
            false
        } else if factor == divisor && self.neg(other) == dividend {
            true
        } else {
            return None;
        };
        let (a, b) = (dividend, quotient.args[1]);
        let remainder = if quotient.op == Op::SDiv { self.srem(a, b) } else { self.urem(a, b) };
        Some(if negative { self.neg(remainder) } else { remainder })
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        match node.op {
            Op::Neg => return node.args[0],
            Op::Add if self.value(node.args[1]).is_some() => {
                let (x, addend) = (self.neg(node.args[0]), self.neg(node.args[1]));
                return self.add(x, addend);
            }
            Op::Mul if self.value(node.args[1]).is_some() => {
                let factor = self.neg(node.args[1]);
                return self.mul(node.args[0], factor);
            }
            _ => {}
        }
        self.fold_or_make(Op::Neg, node.sort, &[a], 0)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let node = *self.node(a);
        let sort = node.sort;
        if let Some(factor) = self.value(b) {
            if factor == 0 {
                return b;
            }
            if factor == 1 {
                return a;
            }
            if factor == sort.mask() {
                return self.neg(a);
            }
            match node.op {
                Op::Mul if self.value(node.args[1]).is_some() => {
                    let product = self.mul(node.args[1], b);
                    return self.mul(node.args[0], product);
                }
                Op::Add if self.value(node.args[1]).is_some() => {
                    let (x, addend) = (self.mul(node.args[0], b), self.mul(node.args[1], b));
                    return self.add(x, addend);
                }
                Op::Neg => {
                    let factor = self.neg(b);
                    return self.mul(node.args[0], factor);
                }
                _ => {}
            }
        }
        self.fold_or_make(Op::Mul, sort, &[a, b], 0)
    }

    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(1) => a,
            Some(divisor) if divisor.is_power_of_two() => {
                let by = self.constant(self.sort(a), u64::from(divisor.trailing_zeros()));
                self.shift_right_zero(a, by)
            }
            _ => self.fold_or_make(Op::UDiv, self.sort(a), &[a, b], 0),
        }
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(divisor) if divisor.is_power_of_two() => {
                let low = self.constant(self.sort(a), divisor - 1);
                self.bit_and(a, low)
            }
            _ => self.fold_or_make(Op::URem, self.sort(a), &[a, b], 0),
        }
    }

    /// Towards zero; the least value divided by −1 is itself, as in Java. By zero: SMT-LIB's meaning, to be excluded by
    /// the caller.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(1) => a,
            Some(divisor) if divisor == self.sort(b).mask() => self.neg(a),
            _ => self.fold_or_make(Op::SDiv, self.sort(a), &[a, b], 0),
        }
    }

    /// With the dividend's sign.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(divisor) if divisor == 1 || divisor == self.sort(b).mask() => self.constant(self.sort(a), 0),
            _ => self.fold_or_make(Op::SRem, self.sort(a), &[a, b], 0),
        }
    }

    pub fn bit_and(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        let (a, b) = self.ordered(a, b);
        let node = *self.node(a);
        if let Some(mask) = self.value(b) {
            if mask == 0 {
                return b;
            }
            if mask == node.sort.mask() {
                return a;
            }
            match node.op {
                Op::BitAnd if self.value(node.args[1]).is_some() => {
                    let both = self.bit_and(node.args[1], b);
                    return self.bit_and(node.args[0], both);
                }
                Op::ZeroExtend if self.sort(node.args[0]).mask() & !mask == 0 => return a,
                _ => {}
            }
        } else if self.opposite(a, b) {
            return self.constant(node.sort, 0);
        }
        self.fold_or_make(Op::BitAnd, node.sort, &[a, b], 0)
    }

    pub fn bit_or(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        let (a, b) = self.ordered(a, b);
        let sort = self.sort(a);
        match self.value(b) {
            Some(0) => a,
            Some(ones) if ones == sort.mask() => b,
            None if self.opposite(a, b) => self.constant(sort, sort.mask()),
            _ => self.fold_or_make(Op::BitOr, sort, &[a, b], 0),
        }
    }

    pub fn bit_xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let node = *self.node(a);
        if a == b {
            return self.constant(node.sort, 0);
        }
        match self.value(b) {
            Some(0) => a,
            Some(ones) if ones == node.sort.mask() => self.bit_not(a),
            Some(_) if node.op == Op::BitXor && self.value(node.args[1]).is_some() => {
                let both = self.bit_xor(node.args[1], b);
                self.bit_xor(node.args[0], both)
            }
            _ => self.fold_or_make(Op::BitXor, node.sort, &[a, b], 0),
        }
    }

    pub fn bit_not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::BitNot => self.node(a).args[0],
            _ => self.fold_or_make(Op::BitNot, self.sort(a), &[a], 0),
        }
    }

    fn opposite(&self, a: Term, b: Term) -> bool {
        let (first, second) = (self.node(a), self.node(b));
        (first.op == Op::BitNot && first.args[0] == b) || (second.op == Op::BitNot && second.args[0] == a)
    }

    /// Zero from the width on; Java's masking is in `ishl` and its like.
    pub fn shift_left(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Shl, a, by)
    }

    pub fn shift_right(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::AShr, a, by)
    }

    pub fn shift_right_zero(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::LShr, a, by)
    }

    fn shift(&mut self, op: Op, a: Term, by: Term) -> Term {
        let node = *self.node(a);
        let width = u64::from(node.sort.width());
        match (self.value(a), self.value(by)) {
            (_, Some(0)) | (Some(0), _) => return a,
            (None, Some(places)) if op != Op::AShr && places >= width => return self.constant(node.sort, 0),
            (None, Some(places)) if node.op == op && places < width => {
                if let Some(inner) = self.value(node.args[1]).filter(|inner| *inner < width) {
                    let most = if op == Op::AShr { width - 1 } else { width };
                    let sum = self.constant(node.sort, (inner + places).min(most));
                    return self.shift(op, node.args[0], sum);
                }
            }
            _ => {}
        }
        self.fold_or_make(op, node.sort, &[a, by], 0)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let mask = self.sort(a).mask();
        match (self.value(a), self.value(b)) {
            _ if a == b => Terms::FALSE,
            (_, Some(0)) => Terms::FALSE,
            (Some(most), _) if most == mask => Terms::FALSE,
            (_, Some(1)) => self.is_zero(a),
            _ => self.order(Op::Ult, a, b),
        }
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let least = 1 << (sort.width() - 1);
        match (self.value(a), self.value(b)) {
            _ if a == b => Terms::FALSE,
            (_, Some(bits)) if bits == least => Terms::FALSE,
            (Some(bits), _) if bits == least - 1 => Terms::FALSE,
            _ => self.order(Op::Slt, a, b),
        }
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// A strict order of two operands that differ.
    fn order(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(constant) = self.folded(op, Sort::Bool, &[a, b], 0) {
            return constant;
        }
        let (first, second) = (*self.node(a), *self.node(b));
        if first.op == Op::Ite && self.value(b).is_some() {
            if let Some(simpler) = self.through_choice(a, |terms, chosen| terms.less(op, chosen, b)) {
                return simpler;
            }
        } else if second.op == Op::Ite
            && self.value(a).is_some()
            && let Some(simpler) = self.through_choice(b, |terms, chosen| terms.less(op, a, chosen))
        {
            return simpler;
        }
        match (first.op, second.op) {
            (Op::ZeroExtend, Op::ZeroExtend) if self.sort(first.args[0]) == self.sort(second.args[0]) => {
                return self.ult(first.args[0], second.args[0]);
            }
            (Op::SignExtend, Op::SignExtend) if self.sort(first.args[0]) == self.sort(second.args[0]) => {
                return self.less(op, first.args[0], second.args[0]);
            }
            (Op::ZeroExtend, Op::Const) => return self.extended_less(op, first.args[0], second.number, first.sort),
            (Op::Const, Op::ZeroExtend) => {
                // c < x, unless x <= c, which is x < c + 1.
                let next = second.sort.mask().min(first.number.wrapping_add(1));
                let negative = op == Op::Slt && signed(first.number, second.sort.width()) < 0;
                if negative {
                    return Terms::TRUE;
                }
                let within = self.extended_less(Op::Ult, second.args[0], next, second.sort);
                return self.not(within);
            }
            _ => {}
        }
        self.make(op, Sort::Bool, &[a, b], 0)
    }

    fn less(&mut self, op: Op, a: Term, b: Term) -> Term {
        if op == Op::Slt { self.slt(a, b) } else { self.ult(a, b) }
    }

    /// Whether a zero-extended term is below a constant of the wide sort.
    fn extended_less(&mut self, op: Op, narrow: Term, bound: u64, wide: Sort) -> Term {
        let sort = self.sort(narrow);
        if op == Op::Slt && signed(bound, wide.width()) < 0 {
            Terms::FALSE
        } else if bound > sort.mask() {
            Terms::TRUE
        } else {
            let bound = self.constant(sort, bound);
            self.ult(narrow, bound)
        }
    }

    /// The `width` bits from `low` on.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        let node = *self.node(a);
        let sort = Sort::Bv(width);
        if low == 0 && node.sort == sort {
            return a;
        }
        match node.op {
            Op::Extract => return self.extract(node.args[0], low + node.number as u8, width),
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.sort(node.args[0]).width() as u8;
                if low + width <= inner {
                    return self.extract(node.args[0], low, width);
                }
                if low == 0 {
                    return self.build(node.op, sort, &[node.args[0]], 0);
                }
                if node.op == Op::ZeroExtend && low >= inner {
                    return self.constant(sort, 0);
                }
            }
            Op::Concat => {
                let lower = self.sort(node.args[1]).width() as u8;
                if low >= lower {
                    return self.extract(node.args[0], low - lower, width);
                }
                if low + width <= lower {
                    return self.extract(node.args[1], low, width);
                }
            }
            _ => {}
        }
        self.fold_or_make(Op::Extract, sort, &[a], u64::from(low))
    }

    /// The first operand's bits above the second's.
    ///
    /// # Panics
    /// If the result were wider than 64 bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.sort(high).width() + self.sort(low).width();
        assert!(width <= 64, "{width} bits are more than a term has");
        self.fold_or_make(Op::Concat, Sort::Bv(width as u8), &[high, low], 0)
    }

    pub fn zero_extend(&mut self, a: Term, sort: Sort) -> Term {
        self.extend(Op::ZeroExtend, a, sort)
    }

    pub fn sign_extend(&mut self, a: Term, sort: Sort) -> Term {
        self.extend(Op::SignExtend, a, sort)
    }

    fn extend(&mut self, op: Op, a: Term, sort: Sort) -> Term {
        let node = *self.node(a);
        if node.sort == sort {
            return a;
        }
        // What was extended with zeros has sign 0.
        if node.op == op || node.op == Op::ZeroExtend {
            return self.extend(node.op, node.args[0], sort);
        }
        self.fold_or_make(op, sort, &[a], 0)
    }
}
