//! Circuits of IEEE 754 arithmetic, rounding to nearest even. Owns packing, unpacking and rounding; works on the bits
//! of floats, whose NaN is always the one of the term language.

use super::gates::{Circuit, Lit};
use super::words::{Word, sign_extended, zero_extended};
use crate::expr::{Rounding, Sort};

/// How many bits exponent and significand (with the hidden one) have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    pub exponent: usize,
    pub significand: usize,
}

impl Format {
    /// The format of a float sort.
    pub fn of(sort: Sort) -> Format {
        if sort == Sort::F32 {
            Format { exponent: 8, significand: 24 }
        } else {
            Format { exponent: 11, significand: 53 }
        }
    }

    fn width(self) -> usize {
        self.exponent + self.significand
    }

    fn fraction(self) -> usize {
        self.significand - 1
    }

    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Enough for exponents of products and quotients of subnormals.
    fn wide(self) -> usize {
        self.exponent + 3
    }
}

/// A float in parts. `exponent` is signed and without bias; where the value is finite and not zero, `significand`
/// begins with a one.
pub struct Unpacked {
    sign: Lit,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    exponent: Word,
    significand: Word,
}

impl Circuit {
    pub fn is_nan(&mut self, format: Format, bits: &[Lit]) -> Lit {
        let (fraction, exponent) = fields(format, bits);
        let top = self.all(exponent);
        let some = self.any(fraction);
        self.and(top, some)
    }

    fn is_zero(&mut self, format: Format, bits: &[Lit]) -> Lit {
        !self.any(&bits[..format.width() - 1])
    }

    fn is_infinite(&mut self, format: Format, bits: &[Lit]) -> Lit {
        let (fraction, exponent) = fields(format, bits);
        let top = self.all(exponent);
        let some = self.any(fraction);
        self.and(top, !some)
    }

    fn nan(&self, format: Format) -> Word {
        let mut bits = vec![Lit::FALSE; format.width()];
        bits[format.fraction() - 1..format.width() - 1].fill(Lit::TRUE);
        bits
    }

    fn infinity(&self, format: Format, sign: Lit) -> Word {
        let mut bits = vec![Lit::FALSE; format.width()];
        bits[format.fraction()..format.width() - 1].fill(Lit::TRUE);
        bits[format.width() - 1] = sign;
        bits
    }

    fn zero(&self, format: Format, sign: Lit) -> Word {
        let mut bits = vec![Lit::FALSE; format.width()];
        bits[format.width() - 1] = sign;
        bits
    }

    /// The bits with every NaN replaced by the one.
    pub fn one_nan(&mut self, format: Format, bits: &[Lit]) -> Word {
        let nan = self.is_nan(format, bits);
        let canonical = self.nan(format);
        self.choose(nan, &canonical, bits)
    }

    pub fn float_negate(&mut self, format: Format, bits: &[Lit], negative: Option<Lit>) -> Word {
        let nan = self.is_nan(format, bits);
        let mut result = bits.to_vec();
        let sign = bits[format.width() - 1];
        let flipped = negative.unwrap_or(!sign);
        result[format.width() - 1] = self.and(!nan, flipped);
        result
    }

    pub fn float_less(&mut self, format: Format, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let top = format.width() - 1;
        let (nan_a, nan_b) = (self.is_nan(format, a), self.is_nan(format, b));
        let (zero_a, zero_b) = (self.is_zero(format, a), self.is_zero(format, b));
        let zeros = self.and(zero_a, zero_b);
        let (sign_a, sign_b) = (a[top], b[top]);
        let up = if or_equal { self.ule(&a[..top], &b[..top]) } else { self.ult(&a[..top], &b[..top]) };
        let down = if or_equal { self.ule(&b[..top], &a[..top]) } else { self.ult(&b[..top], &a[..top]) };
        let same_sign = self.mux(sign_a, down, up);
        let differ = self.xor(sign_a, sign_b);
        let order = self.mux(differ, sign_a, same_sign);
        let order = if or_equal { self.or(order, zeros) } else { self.and(order, !zeros) };
        let numbers = self.and(!nan_a, !nan_b);
        self.and(numbers, order)
    }

    pub fn float_equal(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let nan = self.is_nan(format, a);
        let (zero_a, zero_b) = (self.is_zero(format, a), self.is_zero(format, b));
        let zeros = self.and(zero_a, zero_b);
        let same = self.equal_words(a, b);
        let same = self.and(same, !nan);
        self.or(same, zeros)
    }

    pub fn unpack(&mut self, format: Format, bits: &[Lit]) -> Unpacked {
        let (fraction, exponent) = fields(format, bits);
        let (fraction, exponent) = (fraction.to_vec(), exponent.to_vec());
        let top = self.all(&exponent);
        let normal = self.any(&exponent);
        let some = self.any(&fraction);
        let wide = format.wide();
        let mut significand = fraction;
        significand.push(normal);
        let (significand, shifted) = self.normalize(&significand);
        // A subnormal has the exponent of the least normal; what it was shifted by counts against it.
        let mut biased = zero_extended(&exponent, wide);
        biased[0] = self.or(biased[0], !normal);
        let minus_bias = self.constant(format.bias().wrapping_neg(), wide);
        let unbiased = self.add(&biased, &minus_bias);
        let shifted = zero_extended(&shifted, wide);
        let exponent = self.sub(&unbiased, &shifted);
        Unpacked {
            sign: bits[format.width() - 1],
            nan: self.and(top, some),
            infinite: self.and(top, !some),
            zero: !self.or(normal, some),
            exponent,
            significand,
        }
    }

    /// The float nearest to a number: `significand` begins with a one, has at least two bits more than the format, of
    /// which the last may stand for all that follow, and is 1.something times 2 to the exponent.
    fn round(&mut self, format: Format, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Word {
        let wide = exponent.len() + 1;
        let exponent = sign_extended(exponent, wide);
        let keep = format.significand + 2;
        // All but the kept bits become one.
        let cut = significand.len() - keep;
        let sticky = self.any(&significand[..cut]);
        let mut kept = significand[cut..].to_vec();
        kept[0] = self.or(kept[0], sticky);

        // Below the least normal exponent the significand moves right.
        let bias = self.constant(format.bias(), wide);
        let biased = self.add(&exponent, &bias);
        let one = self.constant(1, wide);
        let normal = self.sle(&one, &biased);
        let places = self.sub(&one, &biased);
        let places = self.gated(!normal, &places);
        let (mut moved, lost) = self.shift_right_sticky(&kept, &places);
        moved[0] = self.or(moved[0], lost);

        // Exponent and fraction are one number, so that rounding up carries into the exponent, and beyond the largest
        // gives infinity.
        let field = self.gated(normal, &biased[..format.exponent]);
        let mut packed: Word = moved[2..2 + format.fraction()].to_vec();
        packed.extend(field);
        let tie_or_more = moved[1];
        let odd_or_more = self.or(moved[0], moved[2]);
        let up = self.and(tie_or_more, odd_or_more);
        let (packed, _) = self.increment(&packed, up);
        let largest = self.constant((1 << format.exponent) - 1, wide);
        let overflow = self.sle(&largest, &biased);
        let infinity = self.infinity(format, Lit::FALSE);
        let mut result = self.choose(overflow, &infinity[..format.width() - 1], &packed);
        result.push(sign);
        result
    }

    pub fn float_add(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let top = format.width() - 1;
        let (nan_a, nan_b) = (self.is_nan(format, a), self.is_nan(format, b));
        let (infinite_a, infinite_b) = (self.is_infinite(format, a), self.is_infinite(format, b));
        // The larger magnitude first.
        let swap = self.ult(&a[..top], &b[..top]);
        let large = self.choose(swap, b, a);
        let small = self.choose(swap, a, b);
        let subtract = self.xor(large[top], small[top]);

        let (large_field, large_significand) = self.effective(format, &large);
        let (small_field, small_significand) = self.effective(format, &small);
        let distance = self.sub(&large_field, &small_field);
        let guard = [Lit::FALSE; 3];
        let x: Word = [guard.as_slice(), &large_significand, &[Lit::FALSE]].concat();
        let y: Word = [guard.as_slice(), &small_significand].concat();
        let (mut y, lost) = self.shift_right_sticky(&y, &distance);
        y[0] = self.or(y[0], lost);
        y.push(Lit::FALSE);
        let flipped: Word = y.iter().map(|bit| self.xor(subtract, *bit)).collect();
        let (sum, _) = self.add_carry(&x, &flipped, subtract);

        // One place right after a carry; or left as far as zeros and the exponent allow.
        let width = sum.len();
        let carry = sum[width - 1];
        let mut right = sum[1..].to_vec();
        right[0] = self.or(right[0], sum[0]);
        let mut word = sum[..width - 1].to_vec();
        let mut field = large_field.clone();
        let stages = usize::BITS - (word.len() - 1).leading_zeros();
        for stage in (0..stages).rev() {
            let places = 1usize << stage;
            if places >= word.len() {
                continue;
            }
            let empty = !self.any(&word[word.len() - places..]);
            let by = self.constant(places as u64, format.exponent);
            let enough = if places < 1 << format.exponent { self.ult(&by, &field) } else { Lit::FALSE };
            let go = self.and(empty, enough);
            let moved: Word = [vec![Lit::FALSE; places], word[..word.len() - places].to_vec()].concat();
            word = self.choose(go, &moved, &word);
            let less = self.sub(&field, &by);
            field = self.choose(go, &less, &field);
        }
        let zero = self.constant(0, format.exponent);
        let (next, _) = self.add_carry(&large_field, &zero, Lit::TRUE);
        let word = self.choose(carry, &right, &word);
        let field = self.choose(carry, &next, &field);
        let leading = word[word.len() - 1];
        let field = self.gated(leading, &field);
        let mut packed: Word = word[3..3 + format.fraction()].to_vec();
        packed.extend(field);
        let rest = self.any(&word[..2]);
        let odd_or_more = self.or(rest, word[3]);
        let up = self.and(word[2], odd_or_more);
        let (mut packed, _) = self.increment(&packed, up);
        // The carry can give the exponent of infinity with a fraction left.
        let overflow = self.all(&packed[format.fraction()..]);
        for bit in &mut packed[..format.fraction()] {
            *bit = self.and(!overflow, *bit);
        }
        let nothing = !self.any(&word);
        // Opposite numbers give +0, equal zeros keep their sign.
        let kept = self.and(large[top], small[top]);
        let sign = self.mux(nothing, kept, large[top]);
        packed.push(sign);

        let infinite = self.or(infinite_a, infinite_b);
        let both = self.and(infinite_a, infinite_b);
        let opposed = self.and(both, subtract);
        let infinity = self.infinity(format, large[top]);
        let result = self.choose(infinite, &infinity, &packed);
        let nan = self.or(nan_a, nan_b);
        let nan = self.or(nan, opposed);
        let canonical = self.nan(format);
        self.choose(nan, &canonical, &result)
    }

    /// Exponent field (1 for subnormals) and significand with its hidden bit.
    fn effective(&mut self, format: Format, bits: &[Lit]) -> (Word, Word) {
        let (fraction, exponent) = fields(format, bits);
        let (mut significand, mut field) = (fraction.to_vec(), exponent.to_vec());
        let normal = self.any(&field);
        significand.push(normal);
        field[0] = self.or(field[0], !normal);
        (field, significand)
    }

    pub fn float_mul(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let sign = self.xor(x.sign, y.sign);
        let product = self.mul(&x.significand, &y.significand, 2 * format.significand);
        let exponent = self.add(&x.exponent, &y.exponent);
        let rounded = self.round_leading(format, sign, &exponent, &product);
        let invalid = {
            let (p, q) = (self.and(x.infinite, y.zero), self.and(x.zero, y.infinite));
            self.or(p, q)
        };
        let infinite = self.or(x.infinite, y.infinite);
        let zero = self.or(x.zero, y.zero);
        self.special(format, sign, [x.nan, y.nan, invalid], infinite, zero, &rounded)
    }

    pub fn float_div(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let sign = self.xor(x.sign, y.sign);
        let (quotient, inexact) = self.divide_significands(format, &x.significand, &y.significand);
        let significand: Word = [&[inexact], quotient.as_slice()].concat();
        // The quotient is at least a half: its first bit counts one more than the exponent says where it is one.
        let one = self.constant(1, format.wide());
        let difference = self.sub(&x.exponent, &y.exponent);
        let exponent = self.sub(&difference, &one);
        let rounded = self.round_leading(format, sign, &exponent, &significand);
        let invalid = {
            let (p, q) = (self.and(x.infinite, y.infinite), self.and(x.zero, y.zero));
            self.or(p, q)
        };
        let infinite = self.or(x.infinite, y.zero);
        let zero = self.or(x.zero, y.infinite);
        self.special(format, sign, [x.nan, y.nan, invalid], infinite, zero, &rounded)
    }

    /// Two more bits of the quotient than the format has, the first counting 1; and whether something is left.
    fn divide_significands(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> (Word, Lit) {
        let bits = format.significand + 2;
        let width = format.significand + 1;
        let divisor = zero_extended(y, width);
        let minus = self.not_word(&divisor);
        let mut remainder = zero_extended(x, width);
        let mut quotient = vec![Lit::FALSE; bits];
        for place in (0..bits).rev() {
            let (difference, fits) = self.add_carry(&remainder, &minus, Lit::TRUE);
            quotient[place] = fits;
            remainder = self.choose(fits, &difference, &remainder);
            // Below the divisor, so its highest bit is free.
            remainder.insert(0, Lit::FALSE);
            remainder.pop();
        }
        let left = self.any(&remainder);
        (quotient, left)
    }

    pub fn float_sqrt(&mut self, format: Format, a: &[Lit]) -> Word {
        let x = self.unpack(format, a);
        // An odd exponent gives one place to the significand; the root's exponent is half of the rest.
        let odd = x.exponent[0];
        let result_bits = format.significand + 2;
        let total = 2 * result_bits;
        let shift = total - format.significand - 1;
        let even_form: Word = [vec![Lit::FALSE; shift], x.significand.clone(), vec![Lit::FALSE]].concat();
        let odd_form: Word = [vec![Lit::FALSE; shift + 1], x.significand.clone()].concat();
        let radicand = self.choose(odd, &odd_form, &even_form);
        let mut root: Word = Vec::new();
        let width = result_bits + 2;
        let mut remainder = self.constant(0, width);
        for step in (0..result_bits).rev() {
            let mut brought = vec![radicand[2 * step], radicand[2 * step + 1]];
            brought.extend_from_slice(&remainder[..width - 2]);
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend_from_slice(&root);
            let trial = zero_extended(&trial, width);
            let minus = self.not_word(&trial);
            let (difference, fits) = self.add_carry(&brought, &minus, Lit::TRUE);
            remainder = self.choose(fits, &difference, &brought);
            root.insert(0, fits);
        }
        let inexact = self.any(&remainder);
        let mut half = x.exponent[1..].to_vec();
        half.push(x.exponent[x.exponent.len() - 1]);
        let significand: Word = [&[inexact], root.as_slice()].concat();
        let rounded = self.round(format, Lit::FALSE, &half, &significand);
        let negative = self.and(x.sign, !x.zero);
        let mut result = self.special(format, Lit::FALSE, [x.nan, negative, Lit::FALSE], x.infinite, x.zero, &rounded);
        let top = format.width() - 1;
        let minus_zero = self.and(x.sign, x.zero);
        result[top] = self.or(result[top], minus_zero);
        result
    }

    /// C's `fmod`, by long division over every distance that two exponents can have.
    pub fn float_rem(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let wide = format.wide();
        let distance = self.sub(&x.exponent, &y.exponent);
        let smaller = distance[wide - 1];
        let width = format.significand + 1;
        let minus = {
            let divisor = zero_extended(&y.significand, width);
            self.not_word(&divisor)
        };
        let reduced = |circuit: &mut Circuit, remainder: &[Lit]| {
            let (difference, fits) = circuit.add_carry(remainder, &minus, Lit::TRUE);
            circuit.choose(fits, &difference, remainder)
        };
        let start = zero_extended(&x.significand, width);
        let mut remainder = reduced(self, &start);
        let most = (1 << format.exponent) + format.significand;
        for step in 1..most {
            let number = self.constant(step as u64, wide);
            let go = self.sle(&number, &distance);
            let mut doubled = vec![Lit::FALSE];
            doubled.extend_from_slice(&remainder[..width - 1]);
            let next = reduced(self, &doubled);
            remainder = self.choose(go, &next, &remainder);
        }
        let nothing = !self.any(&remainder);
        let (significand, shifted) = self.normalize(&remainder[..format.significand]);
        let shifted = zero_extended(&shifted, wide);
        let exponent = self.sub(&y.exponent, &shifted);
        let padded: Word = [&[Lit::FALSE; 2], significand.as_slice()].concat();
        let rounded = self.round(format, x.sign, &exponent, &padded);
        let zero = self.zero(format, x.sign);
        let result = self.choose(nothing, &zero, &rounded);
        let whole = {
            let some = self.or(smaller, y.infinite);
            self.or(some, x.zero)
        };
        let result = self.choose(whole, a, &result);
        let invalid = {
            let some = self.or(x.nan, y.nan);
            let other = self.or(x.infinite, y.zero);
            self.or(some, other)
        };
        let nan = self.nan(format);
        self.choose(invalid, &nan, &result)
    }

    /// Rounds a significand in [1, 4) whose first bit counts 2.
    fn round_leading(&mut self, format: Format, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Word {
        let first = significand[significand.len() - 1];
        let shifted: Word = [&[Lit::FALSE], &significand[..significand.len() - 1]].concat();
        let significand = self.choose(first, significand, &shifted);
        let wide = sign_extended(exponent, exponent.len() + 1);
        let (exponent, _) = self.increment(&wide, first);
        self.round(format, sign, &exponent, &significand)
    }

    fn special(
        &mut self,
        format: Format,
        sign: Lit,
        nans: [Lit; 3],
        infinite: Lit,
        zero: Lit,
        rounded: &[Lit],
    ) -> Word {
        let nothing = self.zero(format, sign);
        let infinity = self.infinity(format, sign);
        let canonical = self.nan(format);
        let result = self.choose(zero, &nothing, rounded);
        let result = self.choose(infinite, &infinity, &result);
        let nan = self.any(&nans);
        self.choose(nan, &canonical, &result)
    }

    pub fn float_to_float(&mut self, from: Format, to: Format, bits: &[Lit]) -> Word {
        let x = self.unpack(from, bits);
        let padding = (to.significand + 2).saturating_sub(from.significand);
        let significand: Word = [vec![Lit::FALSE; padding], x.significand.clone()].concat();
        let exponent = sign_extended(&x.exponent, from.wide().max(to.wide()));
        let rounded = self.round(to, x.sign, &exponent, &significand);
        self.special(to, x.sign, [x.nan, Lit::FALSE, Lit::FALSE], x.infinite, x.zero, &rounded)
    }

    pub fn signed_to_float(&mut self, format: Format, word: &[Lit]) -> Word {
        let width = word.len();
        let sign = word[width - 1];
        let magnitude = self.negate_if(sign, word);
        let zero = !self.any(&magnitude);
        let (significand, shifted) = self.normalize(&magnitude);
        let padding = (format.significand + 2).saturating_sub(width);
        let significand: Word = [vec![Lit::FALSE; padding], significand].concat();
        let highest = self.constant(width as u64 - 1, format.wide());
        let shifted = zero_extended(&shifted, format.wide());
        let exponent = self.sub(&highest, &shifted);
        let rounded = self.round(format, sign, &exponent, &significand);
        let nothing = self.zero(format, Lit::FALSE);
        self.choose(zero, &nothing, &rounded)
    }

    /// Towards zero; NaN is 0, what is too large is the largest.
    pub fn float_to_signed(&mut self, format: Format, bits: &[Lit], width: usize) -> Word {
        let x = self.unpack(format, bits);
        let wide = format.wide();
        let size = width.max(format.significand);
        let register: Word = [vec![Lit::FALSE; size - format.significand], x.significand.clone()].concat();
        let highest = self.constant(size as u64 - 1, wide);
        let places = self.sub(&highest, &x.exponent);
        // Meaningful between 0 and the highest place; all other cases are decided below.
        let whole = self.shift(
            &register,
            &places[..usize::BITS as usize - (size - 1).leading_zeros() as usize],
            false,
            Lit::FALSE,
        );
        let below_one = x.exponent[wide - 1];
        let nothing = {
            let some = self.or(below_one, x.zero);
            self.or(some, x.nan)
        };
        let whole = self.gated(!nothing, &whole[..width]);
        let value = self.negate_if(x.sign, &whole);
        let limit = self.constant(width as u64 - 1, wide);
        let too_large = {
            let reached = self.sle(&limit, &x.exponent);
            let finite = self.and(reached, !nothing);
            self.or(finite, x.infinite)
        };
        let mut extreme = vec![!x.sign; width];
        extreme[width - 1] = x.sign;
        let too_large = self.and(too_large, !x.nan);
        self.choose(too_large, &extreme, &value)
    }

    /// To an integral value.
    pub fn float_round(&mut self, format: Format, bits: &[Lit], rounding: Rounding) -> Word {
        let x = self.unpack(format, bits);
        let wide = format.wide();
        let size = format.significand;
        let highest = self.constant(size as u64 - 1, wide);
        let places = self.sub(&highest, &x.exponent);
        let in_range = self.sle(&x.exponent, &highest);
        // Two bits below the point: the half, and whether there is more.
        let register: Word = [&[Lit::FALSE; 2], x.significand.as_slice()].concat();
        let (mut moved, lost) = self.shift_right_sticky(&register, &places);
        moved[0] = self.or(moved[0], lost);
        let fraction = self.or(moved[0], moved[1]);
        let up = match rounding {
            Rounding::NearestEven => {
                let odd_or_more = self.or(moved[0], moved[2]);
                self.and(moved[1], odd_or_more)
            }
            Rounding::Up => self.and(fraction, !x.sign),
            Rounding::Down => self.and(fraction, x.sign),
            Rounding::Zero => Lit::FALSE,
        };
        let (mut whole, carry) = self.increment(&moved[2..], up);
        whole.push(carry);
        let zero = !self.any(&whole);
        let (significand, shifted) = self.normalize(&whole);
        let significand: Word = [&[Lit::FALSE], significand.as_slice()].concat();
        let shifted = zero_extended(&shifted, wide);
        let highest = self.constant(size as u64, wide);
        let exponent = self.sub(&highest, &shifted);
        let rounded = self.round(format, x.sign, &exponent, &significand);
        let nothing = self.zero(format, x.sign);
        let result = self.choose(zero, &nothing, &rounded);
        let keep = {
            let some = self.or(!in_range, x.nan);
            let other = self.or(x.infinite, x.zero);
            self.or(some, other)
        };
        self.choose(keep, bits, &result)
    }
}

fn fields(format: Format, bits: &[Lit]) -> (&[Lit], &[Lit]) {
    (&bits[..format.fraction()], &bits[format.fraction()..format.width() - 1])
}
