//! Ranges: what is known of a scalar's value, from below and from above. Owns their algebra: meeting, joining, and the
//! result ranges of operations. Sound, never exact: a range may hold values that cannot occur, and never misses one
//! that can.

use crate::expr::{Node, Op, Rounding, Sort};

/// A set of values: integers signed, floats without regard to the sign of zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Range {
    Bool {
        yes: bool,
        no: bool,
    },
    Int {
        low: i64,
        high: i64,
    },
    Float {
        low: f64,
        high: f64,
        nan: bool,
    },
    /// Arrays, of which nothing is known.
    Any,
}

impl Range {
    pub const TRUE: Range = Range::Bool { yes: true, no: false };
    pub const FALSE: Range = Range::Bool { yes: false, no: true };

    /// All values of a sort.
    pub fn full(sort: Sort) -> Range {
        match sort {
            Sort::Bool => Range::Bool { yes: true, no: true },
            Sort::Bv(width) => Range::Int { low: least(width.into()), high: most(width.into()) },
            Sort::F32 | Sort::F64 => Range::Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true },
            Sort::Array(_) => Range::Any,
        }
    }

    pub fn constant(sort: Sort, bits: u64) -> Range {
        match sort {
            Sort::Bool => Range::Bool { yes: bits == 1, no: bits == 0 },
            Sort::Bv(width) => {
                let value = ((bits << (64 - width)) as i64) >> (64 - width);
                Range::Int { low: value, high: value }
            }
            Sort::F32 => Range::of_float(f64::from(f32::from_bits(bits as u32))),
            Sort::F64 => Range::of_float(f64::from_bits(bits)),
            Sort::Array(_) => Range::Any,
        }
    }

    fn of_float(value: f64) -> Range {
        match value.is_nan() {
            true => Range::Float { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true },
            false => Range::Float { low: value, high: value, nan: false },
        }
    }

    pub fn is_empty(self) -> bool {
        match self {
            Range::Bool { yes, no } => !yes && !no,
            Range::Int { low, high } => low > high,
            Range::Float { low, high, nan } => low > high && !nan,
            Range::Any => false,
        }
    }

    pub fn meet(self, other: Range) -> Range {
        match (self, other) {
            (Range::Bool { yes: a, no: b }, Range::Bool { yes: c, no: d }) => Range::Bool { yes: a && c, no: b && d },
            (Range::Int { low: a, high: b }, Range::Int { low: c, high: d }) => {
                Range::Int { low: a.max(c), high: b.min(d) }
            }
            (Range::Float { low: a, high: b, nan: m }, Range::Float { low: c, high: d, nan: n }) => {
                Range::Float { low: a.max(c), high: b.min(d), nan: m && n }
            }
            _ => self,
        }
    }

    pub fn join(self, other: Range) -> Range {
        match (self, other) {
            (Range::Bool { yes: a, no: b }, Range::Bool { yes: c, no: d }) => Range::Bool { yes: a || c, no: b || d },
            (Range::Int { low: a, high: b }, Range::Int { low: c, high: d }) => {
                Range::Int { low: a.min(c), high: b.max(d) }
            }
            (Range::Float { low: a, high: b, nan: m }, Range::Float { low: c, high: d, nan: n }) => {
                Range::Float { low: a.min(c), high: b.max(d), nan: m || n }
            }
            _ => self,
        }
    }
}

pub fn least(width: u32) -> i64 {
    i64::MIN >> (64 - width)
}

pub fn most(width: u32) -> i64 {
    i64::MAX >> (64 - width)
}

/// The range from the least to the largest of some integers, or all where one does not fit: then the operation may wrap
/// around.
fn within(width: u32, values: &[i128]) -> Option<Range> {
    let low = values.iter().min()?;
    let high = values.iter().max()?;
    let fits = *low >= i128::from(least(width)) && *high <= i128::from(most(width));
    fits.then_some(Range::Int { low: *low as i64, high: *high as i64 })
}

/// What an operation can give. `operand` is the first operand's sort; `None` where nothing is known.
pub fn forward(node: &Node, operand: Sort, args: [Range; 3]) -> Option<Range> {
    let width = if node.sort.is_array() { 0 } else { node.sort.width() };
    match (node.op, args[0], args[1]) {
        (Op::Const, ..) => Some(Range::constant(node.sort, node.number)),
        (Op::Not, Range::Bool { yes, no }, _) => Some(Range::Bool { yes: no, no: yes }),
        (Op::And, Range::Bool { yes: a, no: b }, Range::Bool { yes: c, no: d }) => {
            Some(Range::Bool { yes: a && c, no: b || d })
        }
        (Op::Ite, Range::Bool { yes, no }, first) => Some(match (yes, no) {
            (true, false) => first,
            (false, true) => args[2],
            _ => first.join(args[2]),
        }),
        (_, Range::Int { low: a, high: b }, second) if !operand.is_float() => {
            int_forward(node, operand.width(), width, (a, b), second)
        }
        (_, Range::Float { low, high, nan }, second) => float_forward(node, operand, (low, high, nan), second),
        _ => None,
    }
}

fn int_forward(node: &Node, from: u32, width: u32, (a, b): (i64, i64), second: Range) -> Option<Range> {
    let [wide_a, wide_b] = [a, b].map(i128::from);
    let (c, d) = match second {
        Range::Int { low, high } => (low, high),
        _ => (0, 0),
    };
    let [wide_c, wide_d] = [c, d].map(i128::from);
    let corners =
        |f: fn(i128, i128) -> i128| [f(wide_a, wide_c), f(wide_a, wide_d), f(wide_b, wide_c), f(wide_b, wide_d)];
    match node.op {
        Op::Add => within(width, &[wide_a + wide_c, wide_b + wide_d]),
        Op::Neg => within(width, &[-wide_a, -wide_b]),
        Op::Mul => within(width, &corners(|x, y| x * y)),
        Op::SDiv if c > 0 || d < 0 => within(width, &corners(|x, y| x / y)),
        Op::SRem if c > 0 || d < 0 => {
            let largest = wide_c.abs().max(wide_d.abs()) - 1;
            let low = if a < 0 { -largest.min(-wide_a) } else { 0 };
            let high = if b > 0 { largest.min(wide_b) } else { 0 };
            within(width, &[low, high])
        }
        Op::UDiv if a >= 0 && c > 0 => within(width, &corners(|x, y| x / y)),
        Op::URem if a >= 0 && c > 0 => within(width, &[0, wide_b.min(wide_d - 1)]),
        Op::BitAnd if a >= 0 || c >= 0 => {
            let bound = match (a >= 0, c >= 0) {
                (true, true) => b.min(d),
                (true, false) => b,
                _ => d,
            };
            Some(Range::Int { low: 0, high: bound })
        }
        Op::BitOr | Op::BitXor if a >= 0 && c >= 0 => {
            let bits = 64 - b.max(d).leading_zeros();
            let high = if bits >= 63 { i64::MAX } else { (1 << bits) - 1 };
            Some(Range::Int { low: 0, high: high.min(most(width)) })
        }
        Op::BitNot => Some(Range::Int { low: !b, high: !a }),
        Op::AShr if c == d && (0..i64::from(width)).contains(&c) => Some(Range::Int { low: a >> c, high: b >> c }),
        Op::LShr if c == d && (1..i64::from(width)).contains(&c) && a >= 0 => {
            Some(Range::Int { low: a >> c, high: b >> c })
        }
        Op::LShr if c == d && (1..i64::from(width)).contains(&c) => {
            Some(Range::Int { low: 0, high: (node.sort.mask() >> c) as i64 })
        }
        Op::ZeroExtend if a >= 0 => Some(Range::Int { low: a, high: b }),
        Op::ZeroExtend if b < 0 => within(width, &[wide_a + (1 << from), wide_b + (1 << from)]),
        Op::ZeroExtend => within(width, &[0, (1 << from) - 1]),
        Op::SignExtend => Some(Range::Int { low: a, high: b }),
        Op::Extract if node.number == 0 => within(width, &[wide_a, wide_b]),
        Op::Slt => Some(truth(b < c, a >= d)),
        Op::Sle => Some(truth(b <= c, a > d)),
        Op::Ult if a >= 0 && c >= 0 => Some(truth(b < c, a >= d)),
        Op::Ule if a >= 0 && c >= 0 => Some(truth(b <= c, a > d)),
        Op::Eq => Some(truth(a == b && c == d && a == c, b < c || d < a)),
        Op::SToF if node.sort == Sort::F32 => {
            Some(Range::Float { low: f64::from(a as f32), high: f64::from(b as f32), nan: false })
        }
        Op::SToF => Some(Range::Float { low: a as f64, high: b as f64, nan: false }),
        _ => None,
    }
}

/// A condition of which it is known that it holds, or that it does not.
fn truth(holds: bool, fails: bool) -> Range {
    Range::Bool { yes: !fails, no: !holds }
}

fn float_forward(node: &Node, operand: Sort, (a, b, nan): (f64, f64, bool), second: Range) -> Option<Range> {
    let (c, d, other_nan) = match second {
        Range::Float { low, high, nan } => (low, high, nan),
        _ => (0.0, 0.0, false),
    };
    let any_nan = nan || other_nan;
    let void = a > b || (node.op.arity() == 2 && c > d);
    let binary = |f32s: fn(f32, f32) -> f32, f64s: fn(f64, f64) -> f64, defined: bool| {
        if !defined || void {
            return None;
        }
        let apply =
            |x: f64, y: f64| if operand == Sort::F32 { f64::from(f32s(x as f32, y as f32)) } else { f64s(x, y) };
        let all = [apply(a, c), apply(a, d), apply(b, c), apply(b, d)];
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Range::Float { low, high, nan: any_nan })
    };
    let infinite = |low: f64, high: f64| low.is_infinite() || high.is_infinite();
    let zero = |low: f64, high: f64| low <= 0.0 && high >= 0.0;
    match node.op {
        Op::FAdd => binary(|x, y| x + y, |x, y| x + y, !(infinite(a, b) && infinite(c, d))),
        Op::FMul => {
            let invalid = (infinite(a, b) && zero(c, d)) || (infinite(c, d) && zero(a, b));
            binary(|x, y| x * y, |x, y| x * y, !invalid)
        }
        Op::FDiv => {
            let invalid = zero(c, d) || (infinite(a, b) && infinite(c, d));
            binary(|x, y| x / y, |x, y| x / y, !invalid)
        }
        Op::FRem if !void => {
            // Nearer to zero than both operands, with the sign of the first.
            let size = a.abs().max(b.abs()).min(c.abs().max(d.abs()));
            let undefined = infinite(a, b) || zero(c, d);
            let (low, high) = (if a < 0.0 { -size } else { 0.0 }, if b > 0.0 { size } else { 0.0 });
            Some(Range::Float { low, high, nan: any_nan || undefined })
        }
        Op::FNeg => Some(Range::Float { low: -b, high: -a, nan }),
        Op::FAbs if void => None,
        Op::FAbs => {
            let low = if zero(a, b) { 0.0 } else { a.abs().min(b.abs()) };
            Some(Range::Float { low, high: a.abs().max(b.abs()), nan })
        }
        Op::FSqrt if a >= 0.0 && !void && operand == Sort::F64 => {
            Some(Range::Float { low: a.sqrt(), high: b.sqrt(), nan })
        }
        Op::FRound if !void => {
            let round = |x: f64| match Rounding::from_number(node.number) {
                Rounding::NearestEven => x.round_ties_even(),
                Rounding::Up => x.ceil(),
                Rounding::Down => x.floor(),
                Rounding::Zero => x.trunc(),
            };
            Some(Range::Float { low: round(a), high: round(b), nan })
        }
        Op::FToF if node.sort == Sort::F32 => {
            Some(Range::Float { low: f64::from(a as f32), high: f64::from(b as f32), nan })
        }
        Op::FToF => Some(Range::Float { low: a, high: b, nan }),
        Op::FToS => {
            let (bottom, top) = (least(node.sort.width()), most(node.sort.width()));
            let (low, high) = ((a as i64).clamp(bottom, top), (b as i64).clamp(bottom, top));
            let range = Range::Int { low, high };
            let zero = Range::Int { low: 0, high: 0 };
            Some(match (void, nan) {
                (true, _) => zero,
                (false, true) => range.join(zero),
                _ => range,
            })
        }
        Op::FIsNan => Some(truth(void && nan, !nan)),
        Op::FLt => Some(truth(!any_nan && b < c, void || a >= d)),
        Op::FLe => Some(truth(!any_nan && b <= c, void || a > d)),
        Op::FEq => Some(truth(!any_nan && a == b && c == d && a == c, void || b < c || d < a)),
        _ => None,
    }
}
