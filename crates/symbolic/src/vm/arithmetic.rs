//! Arithmetic, conversions and comparisons, on values and on their terms. Owns the meaning of these instructions;
//! nothing here touches the heap except to make the exception for a division by zero.

use bytecode::instruction::opcode as op;

use super::machine::Machine;
use super::path::Check;
use super::stop::Run;
use crate::expr::{Sort, Term};

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_int(value: i32) -> u64 {
    value as i64 as u64
}

fn of_float(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn compare<T: PartialOrd>(a: T, b: T, unordered: i32) -> u64 {
    of_int(match a.partial_cmp(&b) {
        Some(order) => order as i32,
        None => unordered,
    })
}

impl Machine {
    /// `iadd` … `lxor`, `i2l` … `dcmpg`.
    pub(super) fn arithmetic(&mut self, opcode: u8) -> Run<()> {
        match opcode {
            op::INEG | op::LNEG | op::FNEG | op::DNEG | op::I2L..=op::I2S => {
                self.unary(opcode);
                return Ok(());
            }
            op::LCMP..=op::DCMPG => {
                self.comparison(opcode);
                return Ok(());
            }
            _ => {}
        }
        // Instructions come in rows of int, long, float, double, from iadd to drem, then shifts and bits as int, long.
        let kind = if opcode < op::ISHL { (opcode - op::IADD) % 4 } else { (opcode - op::ISHL) % 2 };
        let shift = matches!(opcode, op::LSHL | op::LSHR | op::LUSHR);
        let width = if kind % 2 == 1 { 2 } else { 1 };
        let b_at = self.sp - if shift { 1 } else { width };
        let a_at = b_at - width;
        let (a, b) = (self.stack[a_at], self.stack[b_at]);
        let (i, j, k, l) = (a as i32, b as i32, a as i64, b as i64);
        let value = match opcode {
            op::IADD => of_int(i.wrapping_add(j)),
            op::ISUB => of_int(i.wrapping_sub(j)),
            op::IMUL => of_int(i.wrapping_mul(j)),
            op::IDIV | op::IREM => {
                self.divisor(b_at, j == 0)?;
                of_int(if opcode == op::IDIV { i.wrapping_div(j) } else { i.wrapping_rem(j) })
            }
            op::LADD => k.wrapping_add(l) as u64,
            op::LSUB => k.wrapping_sub(l) as u64,
            op::LMUL => k.wrapping_mul(l) as u64,
            op::LDIV | op::LREM => {
                self.divisor(b_at, l == 0)?;
                (if opcode == op::LDIV { k.wrapping_div(l) } else { k.wrapping_rem(l) }) as u64
            }
            op::FADD => of_float(f(a) + f(b)),
            op::FSUB => of_float(f(a) - f(b)),
            op::FMUL => of_float(f(a) * f(b)),
            op::FDIV => of_float(f(a) / f(b)),
            op::FREM => of_float(f(a) % f(b)),
            op::DADD => (d(a) + d(b)).to_bits(),
            op::DSUB => (d(a) - d(b)).to_bits(),
            op::DMUL => (d(a) * d(b)).to_bits(),
            op::DDIV => (d(a) / d(b)).to_bits(),
            op::DREM => (d(a) % d(b)).to_bits(),
            op::ISHL => of_int(i.wrapping_shl(b as u32)),
            op::ISHR => of_int(i.wrapping_shr(b as u32)),
            op::IUSHR => of_int((i as u32).wrapping_shr(b as u32) as i32),
            op::LSHL => k.wrapping_shl(b as u32) as u64,
            op::LSHR => k.wrapping_shr(b as u32) as u64,
            op::LUSHR => a.wrapping_shr(b as u32),
            op::IAND | op::LAND => a & b,
            op::IOR | op::LOR => a | b,
            _ => a ^ b,
        };
        self.finish(opcode, a_at, Some(b_at), value, width);
        Ok(())
    }

    /// The result of an instruction on two values that are on top of the stack.
    #[inline(always)]
    pub(super) fn binary(&mut self, opcode: u8, value: u64, width: usize, result: usize) {
        let b_at = self.sp - width;
        let a_at = b_at - width;
        if self.symbolic {
            self.finish(opcode, a_at, Some(b_at), value, result);
        } else {
            self.stack[a_at] = value;
            self.sp = a_at + result;
        }
    }

    fn unary(&mut self, opcode: u8) {
        let (from, to) = match opcode {
            op::INEG | op::FNEG | op::I2F | op::F2I | op::I2B | op::I2C | op::I2S => (1, 1),
            op::LNEG | op::DNEG | op::L2D | op::D2L => (2, 2),
            op::I2L | op::I2D | op::F2L | op::F2D => (1, 2),
            _ => (2, 1),
        };
        let at = self.sp - from;
        let a = self.stack[at];
        let value = match opcode {
            op::INEG => of_int((a as i32).wrapping_neg()),
            op::LNEG => (a as i64).wrapping_neg() as u64,
            op::FNEG => of_float(-f(a)),
            op::DNEG => (-d(a)).to_bits(),
            op::I2L => a as i32 as i64 as u64,
            op::I2F => of_float(a as i32 as f32),
            op::I2D => f64::from(a as i32).to_bits(),
            op::L2I => of_int(a as i32),
            op::L2F => of_float(a as i64 as f32),
            op::L2D => (a as i64 as f64).to_bits(),
            op::F2I => of_int(f(a) as i32),
            op::F2L => f(a) as i64 as u64,
            op::F2D => f64::from(f(a)).to_bits(),
            op::D2I => of_int(d(a) as i32),
            op::D2L => d(a) as i64 as u64,
            op::D2F => of_float(d(a) as f32),
            op::I2B => a as i8 as i64 as u64,
            op::I2C => u64::from(a as u16),
            _ => a as i16 as i64 as u64,
        };
        self.finish(opcode, at, None, value, to);
    }

    fn comparison(&mut self, opcode: u8) {
        let width = if matches!(opcode, op::FCMPL | op::FCMPG) { 1 } else { 2 };
        let b_at = self.sp - width;
        let a_at = b_at - width;
        let (a, b) = (self.stack[a_at], self.stack[b_at]);
        let value = match opcode {
            op::LCMP => compare(a as i64, b as i64, 0),
            op::FCMPL => compare(f(a), f(b), -1),
            op::FCMPG => compare(f(a), f(b), 1),
            op::DCMPL => compare(d(a), d(b), -1),
            _ => compare(d(a), d(b), 1),
        };
        self.finish(opcode, a_at, Some(b_at), value, 1);
    }

    /// Writes a result over its operands, with its term if an operand has one.
    #[inline(always)]
    fn finish(&mut self, opcode: u8, a_at: usize, b_at: Option<usize>, value: u64, width: usize) {
        if self.symbolic {
            let (a, b) = (self.terms_stack[a_at], b_at.and_then(|at| self.terms_stack[at]));
            self.terms_stack[a_at] =
                if a.is_some() || b.is_some() { Some(self.term_of(opcode, a_at, b_at)) } else { None };
        }
        self.stack[a_at] = value;
        self.sp = a_at + width;
    }

    /// The condition and the exception of a division.
    fn divisor(&mut self, at: usize, is_zero: bool) -> Run<()> {
        if let Some(term) = self.term_at(at) {
            let site = self.site(Check::Zero);
            let sort = self.path.terms.sort(term);
            let zero = self.path.terms.constant(sort, 0);
            let condition = self.path.terms.eq(term, zero);
            self.path.record(condition, is_zero, site);
        }
        if is_zero {
            return Err(self.throw("java/lang/ArithmeticException", Some("/ by zero")));
        }
        Ok(())
    }

    /// The term of an operand: its own, or its value as a constant.
    fn operand(&mut self, at: usize, sort: Sort) -> Term {
        match self.terms_stack[at] {
            Some(term) => term,
            None => {
                let bits = self.stack[at];
                self.path.terms.constant(sort, if sort == Sort::INT { u64::from(bits as u32) } else { bits })
            }
        }
    }

    #[cold]
    fn term_of(&mut self, opcode: u8, a_at: usize, b_at: Option<usize>) -> Term {
        let (first, second) = sorts(opcode);
        let a = self.operand(a_at, first);
        let b = b_at.map_or(a, |at| self.operand(at, second));
        let t = &mut self.path.terms;
        match opcode {
            op::IADD | op::LADD => t.add(a, b),
            op::ISUB | op::LSUB => t.sub(a, b),
            op::IMUL | op::LMUL => t.mul(a, b),
            op::IDIV | op::LDIV => t.sdiv(a, b),
            op::IREM | op::LREM => t.srem(a, b),
            op::INEG | op::LNEG => t.neg(a),
            op::FADD | op::DADD => t.fadd(a, b),
            op::FSUB | op::DSUB => t.fsub(a, b),
            op::FMUL | op::DMUL => t.fmul(a, b),
            op::FDIV | op::DDIV => t.fdiv(a, b),
            op::FREM | op::DREM => t.frem(a, b),
            op::FNEG | op::DNEG => t.fneg(a),
            op::ISHL => t.ishl(a, b),
            op::LSHL => t.lshl(a, b),
            op::ISHR => t.ishr(a, b),
            op::LSHR => t.lshr(a, b),
            op::IUSHR => t.iushr(a, b),
            op::LUSHR => t.lushr(a, b),
            op::IAND | op::LAND => t.bit_and(a, b),
            op::IOR | op::LOR => t.bit_or(a, b),
            op::IXOR | op::LXOR => t.bit_xor(a, b),
            op::I2L => t.i2l(a),
            op::I2F => t.i2f(a),
            op::I2D => t.i2d(a),
            op::L2I => t.l2i(a),
            op::L2F => t.l2f(a),
            op::L2D => t.l2d(a),
            op::F2I => t.f2i(a),
            op::F2L => t.f2l(a),
            op::F2D => t.f2d(a),
            op::D2I => t.d2i(a),
            op::D2L => t.d2l(a),
            op::D2F => t.d2f(a),
            op::I2B => t.i2b(a),
            op::I2C => t.i2c(a),
            op::I2S => t.i2s(a),
            op::LCMP => t.lcmp(a, b),
            op::FCMPL | op::DCMPL => t.float_compare_less(a, b),
            _ => t.float_compare_greater(a, b),
        }
    }
}

/// The sorts of an instruction's operands.
fn sorts(opcode: u8) -> (Sort, Sort) {
    let row = [Sort::INT, Sort::LONG, Sort::F32, Sort::F64];
    let both = |sort| (sort, sort);
    match opcode {
        op::LSHL | op::LSHR | op::LUSHR => (Sort::LONG, Sort::INT),
        op::IADD..=op::DNEG => both(row[usize::from((opcode - op::IADD) % 4)]),
        op::ISHL..=op::LXOR => both(row[usize::from((opcode - op::ISHL) % 2)]),
        op::L2I | op::L2F | op::L2D | op::LCMP => both(Sort::LONG),
        op::F2I | op::F2L | op::F2D | op::FCMPL | op::FCMPG => both(Sort::F32),
        op::D2I | op::D2L | op::D2F | op::DCMPL | op::DCMPG => both(Sort::F64),
        _ => both(Sort::INT),
    }
}
