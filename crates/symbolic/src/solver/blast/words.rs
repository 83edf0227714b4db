//! Words: vectors of bits, lowest first, and the circuits of integer arithmetic. Owns adders, multipliers, dividers,
//! shifters.

use super::gates::{Circuit, Lit};

/// Bits, lowest first.
pub type Word = Vec<Lit>;

impl Circuit {
    pub fn constant(&self, bits: u64, width: usize) -> Word {
        (0..width).map(|place| Lit::of(place < 64 && bits >> place & 1 == 1)).collect()
    }

    pub fn free_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.free()).collect()
    }

    pub fn not_word(&self, a: &[Lit]) -> Word {
        a.iter().map(|lit| !*lit).collect()
    }

    pub fn zip(&mut self, a: &[Lit], b: &[Lit], mut gate: impl FnMut(&mut Circuit, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(x, y)| gate(self, *x, *y)).collect()
    }

    pub fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.zip(a, b, |circuit, x, y| circuit.mux(condition, x, y))
    }

    /// The bits where the condition holds, otherwise zeros.
    pub fn gated(&mut self, condition: Lit, a: &[Lit]) -> Word {
        a.iter().map(|x| self.and(condition, *x)).collect()
    }

    pub fn any(&mut self, bits: &[Lit]) -> Lit {
        bits.iter().fold(Lit::FALSE, |any, bit| self.or(any, *bit))
    }

    pub fn all(&mut self, bits: &[Lit]) -> Lit {
        bits.iter().fold(Lit::TRUE, |all, bit| self.and(all, *bit))
    }

    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.zip(a, b, Circuit::equal);
        self.all(&same)
    }

    /// The sum as wide as the operands, and the carry out of it.
    pub fn add_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (x, y) in a.iter().zip(b) {
            sum.push(self.xor3(*x, *y, carry));
            carry = self.majority(*x, *y, carry);
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let mut carry = Lit::FALSE;
        let mut sum = Vec::with_capacity(a.len());
        for (place, (x, y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(*x, *y, carry));
            if place + 1 < a.len() {
                carry = self.majority(*x, *y, carry);
            }
        }
        sum
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let b = self.not_word(b);
        self.add_carry(a, &b, Lit::TRUE).0
    }

    pub fn negate(&mut self, a: &[Lit]) -> Word {
        let flipped = self.not_word(a);
        let zero = self.constant(0, a.len());
        self.add_carry(&flipped, &zero, Lit::TRUE).0
    }

    pub fn increment(&mut self, a: &[Lit], by: Lit) -> (Word, Lit) {
        let zero = self.constant(0, a.len());
        self.add_carry(a, &zero, by)
    }

    /// The negated word where the condition holds.
    pub fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|bit| self.xor(condition, *bit)).collect();
        self.increment(&flipped, condition).0
    }

    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.less(a, b, Lit::FALSE)
    }

    pub fn ule(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.less(a, b, Lit::TRUE)
    }

    fn less(&mut self, a: &[Lit], b: &[Lit], if_equal: Lit) -> Lit {
        a.iter().zip(b).fold(if_equal, |less, (x, y)| self.majority(!*x, *y, less))
    }

    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (flip_sign(a), flip_sign(b));
        self.ult(&a, &b)
    }

    pub fn sle(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (flip_sign(a), flip_sign(b));
        self.ule(&a, &b)
    }

    /// The low `width` bits of the product.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let known = |word: &[Lit]| word.iter().filter(|bit| bit.known().is_some()).count();
        let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
        if known(b) == b.len() {
            return self.mul_constant(a, b, width);
        }
        let mut sum = self.constant(0, width);
        for (place, bit) in b.iter().enumerate().take(width) {
            if *bit == Lit::FALSE {
                continue;
            }
            let row = self.gated(*bit, &a[..a.len().min(width - place)]);
            self.accumulate(&mut sum, &row, place);
        }
        sum
    }

    /// Adds a row at a place, rippling the carry as far as the sum goes.
    fn accumulate(&mut self, sum: &mut [Lit], row: &[Lit], place: usize) {
        let mut carry = Lit::FALSE;
        for (offset, target) in sum[place..].iter_mut().enumerate() {
            let bit = row.get(offset).copied().unwrap_or(Lit::FALSE);
            if offset >= row.len() && carry == Lit::FALSE {
                break;
            }
            let old = *target;
            *target = self.xor3(old, bit, carry);
            carry = self.majority(old, bit, carry);
        }
    }

    /// By a constant: one row for each digit of its form with the fewest digits among -1, 0 and 1.
    fn mul_constant(&mut self, a: &[Lit], factor: &[Lit], width: usize) -> Word {
        let mut value: u128 = 0;
        for (place, bit) in factor.iter().enumerate().take(128) {
            value |= u128::from(*bit == Lit::TRUE) << place;
        }
        let mut wide = a[..a.len().min(width)].to_vec();
        wide.resize(width, Lit::FALSE);
        let mut sum = self.constant(0, width);
        let mut place = 0;
        while value != 0 && place < width {
            if value & 1 == 1 {
                let shifted: Word = [self.constant(0, place), wide[..width - place].to_vec()].concat();
                if value & 3 == 3 && value != 3 {
                    sum = self.sub(&sum, &shifted);
                    value = value.wrapping_add(1);
                } else {
                    sum = self.add(&sum, &shifted);
                    value -= 1;
                }
            }
            value >>= 1;
            place += 1;
        }
        sum
    }

    /// Quotient and remainder; by zero, all ones and the dividend.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = self.constant(0, width);
        let mut remainder: Word = Vec::new();
        for place in (0..width).rev() {
            // The remainder is below the divisor, so it has no more bits than were brought down, and one bit more than
            // the divisor at most.
            remainder.insert(0, a[place]);
            let used = remainder.len().min(width);
            let beyond = self.any(&b[used..]);
            let flipped = self.not_word(&b[..used]);
            let (difference, carry) = self.add_carry(&remainder[..used], &flipped, Lit::TRUE);
            let overflow = remainder.get(width).copied().unwrap_or(Lit::FALSE);
            let enough = self.or(carry, overflow);
            let fits = self.and(enough, !beyond);
            quotient[place] = fits;
            remainder = self.choose(fits, &difference, &remainder[..used]);
        }
        (quotient, remainder)
    }

    /// Shifts by as many places as a word says; what comes in is `fill`, `left` says where to.
    pub fn shift(&mut self, a: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut beyond = Lit::FALSE;
        for (stage, bit) in by.iter().enumerate() {
            let places = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            if stage >= usize::BITS as usize - 1 || places >= width {
                beyond = self.or(beyond, *bit);
                continue;
            }
            let moved: Word = (0..width)
                .map(|place| {
                    let from = if left { place.checked_sub(places) } else { Some(place + places) };
                    from.and_then(|from| word.get(from).copied()).unwrap_or(fill)
                })
                .collect();
            word = self.choose(*bit, &moved, &word);
        }
        let filled = vec![fill; width];
        self.choose(beyond, &filled, &word)
    }

    /// Shifts right, and says whether a one was lost.
    pub fn shift_right_sticky(&mut self, a: &[Lit], by: &[Lit]) -> (Word, Lit) {
        let width = a.len();
        let mut word = a.to_vec();
        let mut lost = Lit::FALSE;
        for (stage, bit) in by.iter().enumerate() {
            let places = if stage < 30 { (1usize << stage).min(width) } else { width };
            let dropped = self.any(&word[..places]);
            let dropped = self.and(dropped, *bit);
            lost = self.or(lost, dropped);
            let moved: Word = (0..width).map(|place| word.get(place + places).copied().unwrap_or(Lit::FALSE)).collect();
            word = self.choose(*bit, &moved, &word);
        }
        (word, lost)
    }

    /// Shifts left until the highest bit is one, and says by how much; zeros by as much as the stages allow.
    pub fn normalize(&mut self, a: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let stages = usize::BITS - (width - 1).leading_zeros();
        let mut word = a.to_vec();
        let mut amount = vec![Lit::FALSE; stages as usize];
        for stage in (0..stages).rev() {
            let places = 1usize << stage;
            if places >= width {
                continue;
            }
            let empty = !self.any(&word[width - places..]);
            let moved: Word = [vec![Lit::FALSE; places], word[..width - places].to_vec()].concat();
            word = self.choose(empty, &moved, &word);
            amount[stage as usize] = empty;
        }
        (word, amount)
    }
}

fn flip_sign(a: &[Lit]) -> Word {
    let mut flipped = a.to_vec();
    if let Some(sign) = flipped.last_mut() {
        *sign = !*sign;
    }
    flipped
}

/// As wide as asked, with zeros above.
pub fn zero_extended(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, Lit::FALSE);
    word
}

/// As wide as asked, with copies of the sign above.
pub fn sign_extended(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    // Invariant: words have at least one bit.
    let sign = a.last().copied().unwrap_or(Lit::FALSE);
    word.resize(width, sign);
    word
}
