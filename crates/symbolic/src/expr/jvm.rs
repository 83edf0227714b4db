//! Constructors named after JVM instructions, for an interpreter to call. Owns no simplification: all of it is in
//! `build`.

use super::{Sort, Term, Terms};

/// One-line constructors: instruction names on the left, the general constructor on the right.
macro_rules! same {
    ($($name:ident => $general:ident ( $($arg:ident),* );)*) => {
        impl Terms {
            $(pub fn $name(&mut self, $($arg: Term),*) -> Term { self.$general($($arg),*) })*
        }
    };
}

same! {
    iadd => add(a, b); ladd => add(a, b);
    isub => sub(a, b); lsub => sub(a, b);
    imul => mul(a, b); lmul => mul(a, b);
    idiv => sdiv(a, b); ldiv => sdiv(a, b);
    irem => srem(a, b); lrem => srem(a, b);
    ineg => neg(a); lneg => neg(a);
    iand => bit_and(a, b); land => bit_and(a, b);
    ior => bit_or(a, b); lor => bit_or(a, b);
    ixor => bit_xor(a, b); lxor => bit_xor(a, b);
    dadd => fadd(a, b);
    dsub => fsub(a, b); dmul => fmul(a, b);
    ddiv => fdiv(a, b); drem => frem(a, b);
    dneg => fneg(a);
    fcmpl => float_compare_less(a, b); dcmpl => float_compare_less(a, b);
    fcmpg => float_compare_greater(a, b); dcmpg => float_compare_greater(a, b);
}

impl Terms {
    pub fn int(&mut self, value: i32) -> Term {
        self.constant(Sort::INT, u64::from(value as u32))
    }

    pub fn long(&mut self, value: i64) -> Term {
        self.constant(Sort::LONG, value as u64)
    }

    pub fn float(&mut self, value: f32) -> Term {
        self.constant(Sort::F32, u64::from(value.to_bits()))
    }

    pub fn double(&mut self, value: f64) -> Term {
        self.constant(Sort::F64, value.to_bits())
    }

    /// The distance of a shift: the low five or six bits of an `int`, as wide as what is shifted.
    fn distance(&mut self, value: Term, by: Term) -> Term {
        let sort = self.sort(value);
        let places = self.constant(self.sort(by), u64::from(sort.width()) - 1);
        let by = self.bit_and(by, places);
        self.zero_extend(by, sort)
    }

    pub fn ishl(&mut self, value: Term, by: Term) -> Term {
        let by = self.distance(value, by);
        self.shift_left(value, by)
    }

    pub fn ishr(&mut self, value: Term, by: Term) -> Term {
        let by = self.distance(value, by);
        self.shift_right(value, by)
    }

    pub fn iushr(&mut self, value: Term, by: Term) -> Term {
        let by = self.distance(value, by);
        self.shift_right_zero(value, by)
    }

    pub fn lshl(&mut self, value: Term, by: Term) -> Term {
        self.ishl(value, by)
    }

    pub fn lshr(&mut self, value: Term, by: Term) -> Term {
        self.ishr(value, by)
    }

    pub fn lushr(&mut self, value: Term, by: Term) -> Term {
        self.iushr(value, by)
    }

    /// The low `width` bits, as an `int` with or without sign.
    fn narrowed(&mut self, value: Term, width: u8, signed: bool) -> Term {
        let low = self.extract(value, 0, width);
        if signed { self.sign_extend(low, Sort::INT) } else { self.zero_extend(low, Sort::INT) }
    }

    pub fn i2b(&mut self, value: Term) -> Term {
        self.narrowed(value, 8, true)
    }

    pub fn i2c(&mut self, value: Term) -> Term {
        self.narrowed(value, 16, false)
    }

    pub fn i2s(&mut self, value: Term) -> Term {
        self.narrowed(value, 16, true)
    }

    pub fn i2l(&mut self, value: Term) -> Term {
        self.sign_extend(value, Sort::LONG)
    }

    pub fn l2i(&mut self, value: Term) -> Term {
        self.extract(value, 0, 32)
    }

    pub fn i2f(&mut self, value: Term) -> Term {
        self.signed_to_float(value, Sort::F32)
    }

    pub fn i2d(&mut self, value: Term) -> Term {
        self.signed_to_float(value, Sort::F64)
    }

    pub fn l2f(&mut self, value: Term) -> Term {
        self.signed_to_float(value, Sort::F32)
    }

    pub fn l2d(&mut self, value: Term) -> Term {
        self.signed_to_float(value, Sort::F64)
    }

    pub fn f2i(&mut self, value: Term) -> Term {
        self.float_to_signed(value, Sort::INT)
    }

    pub fn f2l(&mut self, value: Term) -> Term {
        self.float_to_signed(value, Sort::LONG)
    }

    pub fn d2i(&mut self, value: Term) -> Term {
        self.float_to_signed(value, Sort::INT)
    }

    pub fn d2l(&mut self, value: Term) -> Term {
        self.float_to_signed(value, Sort::LONG)
    }

    pub fn f2d(&mut self, value: Term) -> Term {
        self.float_to_float(value, Sort::F64)
    }

    pub fn d2f(&mut self, value: Term) -> Term {
        self.float_to_float(value, Sort::F32)
    }

    /// −1, 0 or 1.
    pub fn lcmp(&mut self, a: Term, b: Term) -> Term {
        let (less, equal) = (self.slt(a, b), self.eq(a, b));
        self.three_way(less, -1, equal, 1)
    }

    /// −1 where one operand is NaN.
    pub fn float_compare_less(&mut self, a: Term, b: Term) -> Term {
        let (greater, equal) = (self.flt(b, a), self.feq(a, b));
        self.three_way(greater, 1, equal, -1)
    }

    /// 1 where one operand is NaN.
    pub fn float_compare_greater(&mut self, a: Term, b: Term) -> Term {
        let (less, equal) = (self.flt(a, b), self.feq(a, b));
        self.three_way(less, -1, equal, 1)
    }

    fn three_way(&mut self, first: Term, then: i32, equal: Term, otherwise: i32) -> Term {
        let (then, zero, otherwise) = (self.int(then), self.int(0), self.int(otherwise));
        let rest = self.ite(equal, zero, otherwise);
        self.ite(first, then, rest)
    }

    /// Whether an `int` is zero: `ifeq`.
    pub fn is_zero(&mut self, value: Term) -> Term {
        let zero = self.constant(self.sort(value), 0);
        self.eq(value, zero)
    }
}
