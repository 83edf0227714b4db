//! Conditions: and, or, not, equality, choice. Owns the rules that turn `lcmp` and `fcmpl` with a jump into one
//! comparison.

use crate::expr::{Op, Sort, Term, Terms};

/// How many conditions a comparison looks through.
const NESTING: u32 = 8;

impl Terms {
    pub fn bool(&mut self, value: bool) -> Term {
        if value { Terms::TRUE } else { Terms::FALSE }
    }

    pub fn not(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        match node.op {
            Op::Const => self.bool(node.number == 0),
            Op::Not => node.args[0],
            Op::Slt => self.make(Op::Sle, Sort::Bool, &[node.args[1], node.args[0]], 0),
            Op::Sle => self.make(Op::Slt, Sort::Bool, &[node.args[1], node.args[0]], 0),
            Op::Ult => self.make(Op::Ule, Sort::Bool, &[node.args[1], node.args[0]], 0),
            Op::Ule => self.make(Op::Ult, Sort::Bool, &[node.args[1], node.args[0]], 0),
            _ => self.make(Op::Not, Sort::Bool, &[a], 0),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if a == Terms::FALSE || b == Terms::FALSE {
            return Terms::FALSE;
        }
        if a == Terms::TRUE || a == b {
            return b;
        }
        if b == Terms::TRUE {
            return a;
        }
        if self.are_opposite(a, b) {
            return Terms::FALSE;
        }
        for (x, y) in [(a, b), (b, a)] {
            let node = *self.node(x);
            if node.op == Op::And {
                if node.args[..2].contains(&y) {
                    return x;
                }
                if self.are_opposite(node.args[0], y) || self.are_opposite(node.args[1], y) {
                    return Terms::FALSE;
                }
            }
            if let Some(both) = self.joined(x, y) {
                return both;
            }
        }
        let (a, b) = self.ordered(a, b);
        self.make(Op::And, Sort::Bool, &[a, b], 0)
    }

    /// Whether each of two conditions is what [`Terms::not`] makes of the other.
    pub fn are_opposite(&self, a: Term, b: Term) -> bool {
        let (first, second) = (self.node(a), self.node(b));
        let crossed = first.args[0] == second.args[1] && first.args[1] == second.args[0];
        match (first.op, second.op) {
            (Op::Not, _) if first.args[0] == b => true,
            (_, Op::Not) => second.args[0] == a,
            (Op::Slt, Op::Sle) | (Op::Sle, Op::Slt) | (Op::Ult, Op::Ule) | (Op::Ule, Op::Ult) => crossed,
            _ => false,
        }
    }

    /// Two comparisons of the same operands as one: the order in `first`, the inequality in `second`.
    fn joined(&mut self, first: Term, second: Term) -> Option<Term> {
        let unequal = *self.node(second);
        if unequal.op != Op::Not {
            return None;
        }
        let equal = *self.node(unequal.args[0]);
        let order = *self.node(first);
        let same = |x: [Term; 3]| x[..2] == equal.args[..2] || (x[0] == equal.args[1] && x[1] == equal.args[0]);
        match (order.op, equal.op) {
            (Op::Sle, Op::Eq) if same(order.args) => Some(self.slt(order.args[0], order.args[1])),
            (Op::Ule, Op::Eq) if same(order.args) => Some(self.ult(order.args[0], order.args[1])),
            (Op::Slt | Op::Ult, Op::Eq) if same(order.args) => Some(first),
            (Op::Not, Op::FEq) => {
                let less = *self.node(order.args[0]);
                if less.op == Op::FLt && same(less.args) {
                    let within = self.fle(less.args[0], less.args[1]);
                    return Some(self.not(within));
                }
                None
            }
            _ => None,
        }
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    /// `first` if the condition holds, otherwise `second`.
    pub fn ite(&mut self, condition: Term, first: Term, second: Term) -> Term {
        if let Some(known) = self.as_bool(condition) {
            return if known { first } else { second };
        }
        if first == second {
            return first;
        }
        if self.op(condition) == Op::Not {
            let inner = self.node(condition).args[0];
            return self.ite(inner, second, first);
        }
        let sort = self.sort(first);
        if sort == Sort::Bool {
            match (self.as_bool(first), self.as_bool(second)) {
                (Some(true), Some(false)) => return condition,
                (Some(false), Some(true)) => return self.not(condition),
                (Some(true), _) => return self.or(condition, second),
                (Some(false), _) => {
                    let not = self.not(condition);
                    return self.and(not, second);
                }
                (_, Some(true)) => {
                    let not = self.not(condition);
                    return self.or(not, first);
                }
                (_, Some(false)) => return self.and(condition, first),
                _ => {}
            }
        }
        let first = self.choice_below(condition, first, 1);
        let second = self.choice_below(condition, second, 2);
        if first == second {
            return first;
        }
        self.make(Op::Ite, sort, &[condition, first, second], 0)
    }

    /// What a choice by the same condition reduces to.
    fn choice_below(&self, condition: Term, term: Term, taken: usize) -> Term {
        let node = self.node(term);
        if node.op == Op::Ite && node.args[0] == condition { node.args[taken] } else { term }
    }

    /// Equality of values. For floats that is not Java's `==`, which is [`Terms::feq`].
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Terms::TRUE;
        }
        let (a, b) = self.ordered(a, b);
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.bool(x == y);
        }
        if let Some(constant) = self.value(b) {
            if let Some(simpler) = self.eq_constant(a, constant, b) {
                return simpler;
            }
        } else if let Some(simpler) = self.eq_same_form(a, b) {
            return simpler;
        }
        self.make(Op::Eq, Sort::Bool, &[a, b], 0)
    }

    fn eq_constant(&mut self, a: Term, value: u64, constant: Term) -> Option<Term> {
        let node = *self.node(a);
        let sort = node.sort;
        let [x, y, _] = node.args;
        match node.op {
            _ if sort == Sort::Bool => Some(if value == 1 { a } else { self.not(a) }),
            Op::Add => {
                let addend = self.value(y)?;
                let rest = self.constant(sort, value.wrapping_sub(addend));
                Some(self.eq(x, rest))
            }
            Op::Neg => {
                let rest = self.constant(sort, value.wrapping_neg());
                Some(self.eq(x, rest))
            }
            Op::BitNot => {
                let rest = self.constant(sort, !value);
                Some(self.eq(x, rest))
            }
            Op::BitXor => {
                let mask = self.value(y)?;
                let rest = self.constant(sort, value ^ mask);
                Some(self.eq(x, rest))
            }
            Op::Mul => {
                let factor = self.value(y)?;
                if factor & 1 == 0 {
                    return None;
                }
                let quotient = value.wrapping_mul(inverse(factor));
                let rest = self.constant(sort, quotient);
                Some(self.eq(x, rest))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let narrow = self.constant(self.sort(x), value);
                let wide = self.build(node.op, sort, &[narrow], 0);
                Some(if wide == constant { self.eq(x, narrow) } else { Terms::FALSE })
            }
            Op::Ite => self.through_choice(a, |terms, chosen| terms.eq(chosen, constant)),
            _ => None,
        }
    }

    fn eq_same_form(&mut self, a: Term, b: Term) -> Option<Term> {
        let (first, second) = (*self.node(a), *self.node(b));
        if first.op == second.op
            && matches!(first.op, Op::ZeroExtend | Op::SignExtend)
            && self.sort(first.args[0]) == self.sort(second.args[0])
        {
            return Some(self.eq(first.args[0], second.args[0]));
        }
        if first.sort == Sort::Bool && (first.op == Op::Not || second.op == Op::Not) {
            let (a, b, odd) = match (first.op, second.op) {
                (Op::Not, Op::Not) => (first.args[0], second.args[0], false),
                (Op::Not, _) => (first.args[0], b, true),
                _ => (a, second.args[0], true),
            };
            let equal = self.eq(a, b);
            return Some(if odd { self.not(equal) } else { equal });
        }
        if first.op == Op::Add && second.op == Op::Add && first.args[1] == second.args[1] {
            return Some(self.eq(first.args[0], second.args[0]));
        }
        None
    }

    /// A predicate of a choice as a choice of predicates, where that settles at least one side.
    pub(super) fn through_choice(
        &mut self,
        choice: Term,
        mut predicate: impl FnMut(&mut Terms, Term) -> Term,
    ) -> Option<Term> {
        let [condition, first, second] = self.node(choice).args;
        if self.nesting >= NESTING {
            return None;
        }
        self.nesting += 1;
        let (yes, no) = (predicate(self, first), predicate(self, second));
        self.nesting -= 1;
        (self.as_bool(yes).is_some() || self.as_bool(no).is_some()).then(|| self.ite(condition, yes, no))
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |guess, _| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess))))
}
