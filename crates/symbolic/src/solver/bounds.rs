//! Bounds of terms under conditions, by propagating ranges up and down until nothing changes. Owns the passes; finds
//! many contradictions at once, and gives the search places to look at.

use rustc_hash::FxHashMap;

use super::range::{Range, forward, least, most};
use crate::expr::{Node, Op, Sort, Term, Terms};

const ROUNDS: usize = 8;

/// Ranges of all terms that some conditions consist of.
#[derive(Debug)]
pub struct Bounds {
    order: Vec<Term>,
    places: FxHashMap<Term, u32>,
    ranges: Vec<Range>,
    changed: bool,
}

impl Bounds {
    /// `None` if no values can make all conditions hold.
    pub fn of(terms: &Terms, conditions: &[Term]) -> Option<Bounds> {
        let mut order = Vec::new();
        let mut places: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = conditions.to_vec();
        while let Some(term) = stack.pop() {
            if places.insert(term, 0).is_none() {
                order.push(term);
                stack.extend(terms.node(term).args());
            }
        }
        order.sort_unstable();
        for (place, term) in order.iter().enumerate() {
            places.insert(*term, place as u32);
        }
        let ranges = order.iter().map(|term| Range::full(terms.sort(*term))).collect();
        let mut bounds = Bounds { order, places, ranges, changed: false };
        for condition in conditions {
            bounds.narrow(*condition, Range::TRUE)?;
        }
        bounds.up(terms)?;
        for _ in 0..ROUNDS {
            bounds.changed = false;
            bounds.down(terms)?;
            bounds.up(terms)?;
            if !bounds.changed {
                break;
            }
        }
        Some(bounds)
    }

    /// What is known of a term in the conditions.
    pub fn range(&self, term: Term) -> Option<Range> {
        self.places.get(&term).map(|place| self.ranges[*place as usize])
    }

    fn get(&self, term: Term) -> Range {
        self.ranges[self.places[&term] as usize]
    }

    fn narrow(&mut self, term: Term, range: Range) -> Option<()> {
        let place = self.places[&term] as usize;
        let met = self.ranges[place].meet(range);
        if met != self.ranges[place] {
            self.changed = true;
            self.ranges[place] = met;
        }
        (!met.is_empty()).then_some(())
    }

    fn up(&mut self, terms: &Terms) -> Option<()> {
        for place in 0..self.order.len() {
            let term = self.order[place];
            let node = terms.node(term);
            let mut args = [Range::Any; 3];
            for (range, arg) in args.iter_mut().zip(node.args()) {
                *range = self.get(*arg);
            }
            let operand = node.args().first().map_or(node.sort, |arg| terms.sort(*arg));
            if let Some(range) = forward(node, operand, args) {
                self.narrow(term, range)?;
            }
        }
        Some(())
    }

    fn down(&mut self, terms: &Terms) -> Option<()> {
        for place in (0..self.order.len()).rev() {
            let term = self.order[place];
            let node = *terms.node(term);
            match self.ranges[place] {
                Range::Bool { yes: true, no: true } | Range::Any => {}
                Range::Bool { yes, .. } => self.condition(terms, &node, yes)?,
                range => self.operands(terms, &node, range)?,
            }
        }
        Some(())
    }

    /// What follows for the operands of a condition that holds, or does not.
    fn condition(&mut self, terms: &Terms, node: &Node, holds: bool) -> Option<()> {
        let [a, b, c] = node.args;
        match node.op {
            Op::Not => self.narrow(a, Range::Bool { yes: !holds, no: holds }),
            Op::And if holds => {
                self.narrow(a, Range::TRUE)?;
                self.narrow(b, Range::TRUE)
            }
            Op::And => {
                for (x, y) in [(a, b), (b, a)] {
                    if self.get(x) == Range::TRUE {
                        self.narrow(y, Range::FALSE)?;
                    }
                }
                Some(())
            }
            Op::Ite => self.choice(a, b, c, if holds { Range::TRUE } else { Range::FALSE }),
            Op::Slt | Op::Sle => {
                let strict = (node.op == Op::Slt) == holds;
                if holds { self.int_order(a, b, strict) } else { self.int_order(b, a, strict) }
            }
            Op::Ult | Op::Ule => {
                let strict = (node.op == Op::Ult) == holds;
                let (small, large) = if holds { (a, b) } else { (b, a) };
                if let Range::Int { low, high } = self.get(large)
                    && low >= 0
                {
                    self.narrow(small, Range::Int { low: 0, high })?;
                    return self.int_order(small, large, strict);
                }
                Some(())
            }
            Op::Eq if terms.sort(a).is_float() || terms.sort(a).is_array() => Some(()),
            Op::Eq if holds => {
                let both = self.get(a).meet(self.get(b));
                self.narrow(a, both)?;
                self.narrow(b, both)
            }
            Op::Eq => {
                for (x, y) in [(a, b), (b, a)] {
                    if let (Range::Int { low, high }, Range::Int { low: only, high: last }) = (self.get(x), self.get(y))
                        && only == last
                    {
                        let low = if low == only { low.saturating_add(1) } else { low };
                        let high = if high == only { high.saturating_sub(1) } else { high };
                        self.narrow(x, Range::Int { low, high })?;
                    }
                }
                Some(())
            }
            Op::FLt if holds => self.float_order(terms, a, b, true),
            Op::FLe if holds => self.float_order(terms, a, b, false),
            Op::FLt if self.numbers(a, b) => self.float_order(terms, b, a, false),
            Op::FLe if self.numbers(a, b) => self.float_order(terms, b, a, true),
            Op::FEq if holds => {
                self.float_order(terms, a, b, false)?;
                self.float_order(terms, b, a, false)
            }
            Op::FIsNan => {
                let (low, high) =
                    if holds { (f64::INFINITY, f64::NEG_INFINITY) } else { (f64::NEG_INFINITY, f64::INFINITY) };
                self.narrow(a, Range::Float { low, high, nan: holds })
            }
            _ => Some(()),
        }
    }

    fn numbers(&self, a: Term, b: Term) -> bool {
        let number = |term| matches!(self.get(term), Range::Float { nan: false, .. });
        number(a) && number(b)
    }

    fn int_order(&mut self, small: Term, large: Term, strict: bool) -> Option<()> {
        let (Range::Int { low, .. }, Range::Int { high, .. }) = (self.get(small), self.get(large)) else {
            return Some(());
        };
        let gap = i64::from(strict);
        self.narrow(small, Range::Int { low: i64::MIN, high: high.checked_sub(gap)? })?;
        self.narrow(large, Range::Int { low: low.checked_add(gap)?, high: i64::MAX })
    }

    fn float_order(&mut self, terms: &Terms, small: Term, large: Term, strict: bool) -> Option<()> {
        let (Range::Float { low, .. }, Range::Float { high, .. }) = (self.get(small), self.get(large)) else {
            return Some(());
        };
        let single = terms.sort(small) == Sort::F32;
        // Zero's neighbours are of both signs, as its own sign is not known.
        let (next, previous) = match (strict, single) {
            (false, _) => (low, high),
            (true, true) => (f64::from((low as f32 + 0.0).next_up()), f64::from((high as f32 + 0.0).next_down())),
            (true, false) => ((low + 0.0).next_up(), (high + 0.0).next_down()),
        };
        self.narrow(small, Range::Float { low: f64::NEG_INFINITY, high: previous, nan: false })?;
        self.narrow(large, Range::Float { low: next, high: f64::INFINITY, nan: false })
    }

    fn choice(&mut self, condition: Term, first: Term, second: Term, range: Range) -> Option<()> {
        match self.get(condition) {
            Range::TRUE => self.narrow(first, range),
            Range::FALSE => self.narrow(second, range),
            _ if self.get(first).meet(range).is_empty() => {
                self.narrow(condition, Range::FALSE)?;
                self.narrow(second, range)
            }
            _ if self.get(second).meet(range).is_empty() => {
                self.narrow(condition, Range::TRUE)?;
                self.narrow(first, range)
            }
            _ => Some(()),
        }
    }

    /// What follows for the operands of a term whose range is known.
    fn operands(&mut self, terms: &Terms, node: &Node, range: Range) -> Option<()> {
        let [a, b, c] = node.args;
        match (node.op, range) {
            (Op::Ite, _) => self.choice(a, b, c, range),
            (Op::Add, Range::Int { low, high }) => {
                let width = node.sort.width();
                for (x, y) in [(a, b), (b, a)] {
                    let (Range::Int { low: p, high: q }, Range::Int { low: r, high: s }) = (self.get(x), self.get(y))
                    else {
                        return Some(());
                    };
                    let (bottom, top) = (i128::from(p) + i128::from(r), i128::from(q) + i128::from(s));
                    if bottom < least(width).into() || top > most(width).into() {
                        return Some(());
                    }
                    self.narrow(x, Range::Int { low: low.saturating_sub(s), high: high.saturating_sub(r) })?;
                }
                Some(())
            }
            (Op::Neg, Range::Int { low, high }) if low > least(node.sort.width()) => {
                self.narrow(a, Range::Int { low: -high, high: -low })
            }
            (Op::SignExtend, _) => self.narrow(a, range),
            (Op::ZeroExtend, Range::Int { low, high }) => {
                let narrow = terms.sort(a).width();
                let wrap = 1i128 << narrow;
                if high <= most(narrow) {
                    self.narrow(a, Range::Int { low, high })
                } else if low > most(narrow) {
                    let shifted = |value: i64| (i128::from(value) - wrap) as i64;
                    self.narrow(a, Range::Int { low: shifted(low), high: shifted(high) })
                } else {
                    Some(())
                }
            }
            (Op::FNeg, Range::Float { low, high, nan }) => self.narrow(a, Range::Float { low: -high, high: -low, nan }),
            (Op::SToF, Range::Float { low, high, .. }) if terms.sort(a).width() <= 32 && node.sort == Sort::F64 => {
                self.narrow(a, Range::Int { low: low.ceil() as i64, high: high.floor() as i64 })
            }
            _ => Some(()),
        }
    }
}
