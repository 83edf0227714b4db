//! What is known of a word without running anything: a range of an `int`, or whether a reference is null. Owns this
//! small lattice and the arithmetic on ranges, exact about wrap-around; knows nothing of code.

/// A word that is no copy of a local.
pub const NOWHERE: u16 = u16::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything; also the halves of longs and doubles, and floats.
    Any,
    /// An `int` between these, both included.
    Int(i32, i32),
    Null,
    NonNull,
}

/// A word of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub kind: Kind,
    /// The local it was loaded from and still equals.
    pub local: u16,
}

pub const ANY: Value = Value { kind: Kind::Any, local: NOWHERE };

/// The six comparisons of conditional jumps, in the order of their opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Relation {
    pub const ALL: [Relation; 6] = [Relation::Eq, Relation::Ne, Relation::Lt, Relation::Ge, Relation::Gt, Relation::Le];

    pub fn negated(self) -> Relation {
        match self {
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Le => Relation::Gt,
        }
    }

    /// The same comparison read from the other side.
    pub fn mirrored(self) -> Relation {
        match self {
            Relation::Lt => Relation::Gt,
            Relation::Gt => Relation::Lt,
            Relation::Le => Relation::Ge,
            Relation::Ge => Relation::Le,
            same => same,
        }
    }
}

impl Kind {
    pub fn constant(value: i32) -> Kind {
        Kind::Int(value, value)
    }

    /// As a range, whatever it is.
    pub fn range(self) -> (i32, i32) {
        match self {
            Kind::Int(low, high) => (low, high),
            _ => (i32::MIN, i32::MAX),
        }
    }

    /// A range computed without wrap-around; anything if it does not fit.
    pub fn fitting(low: i64, high: i64) -> Kind {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Kind::Int(low, high),
            _ => Kind::Int(i32::MIN, i32::MAX),
        }
    }

    pub fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Int(a, b), Kind::Int(c, d)) => Kind::Int(a.min(c), b.max(d)),
            (a, b) if a == b => a,
            _ => Kind::Any,
        }
    }

    /// What is left of an `int` for which `self RELATION other` holds; `None` if it cannot hold.
    pub fn restrict(self, relation: Relation, other: Kind) -> Option<Kind> {
        let ((low, high), (other_low, other_high)) = (self.range(), other.range());
        let (low, high) = match relation {
            Relation::Eq => (low.max(other_low), high.min(other_high)),
            Relation::Ne if other_low == other_high => match (low == other_low, high == other_low) {
                (true, true) => return None,
                (true, false) => (low + 1, high),
                (false, true) => (low, high - 1),
                (false, false) => (low, high),
            },
            Relation::Ne => (low, high),
            Relation::Lt => (low, high.min(other_high.checked_sub(1)?)),
            Relation::Le => (low, high.min(other_high)),
            Relation::Gt => (low.max(other_low.checked_add(1)?), high),
            Relation::Ge => (low.max(other_low), high),
        };
        (low <= high).then_some(Kind::Int(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restricting_keeps_exactly_what_can_hold() {
        let holds = |relation, a: i32, b: i32| match relation {
            Relation::Eq => a == b,
            Relation::Ne => a != b,
            Relation::Lt => a < b,
            Relation::Ge => a >= b,
            Relation::Gt => a > b,
            Relation::Le => a <= b,
        };
        let ranges = || (-3..4).flat_map(|low| (low..4).map(move |high| (low, high)));
        for relation in Relation::ALL {
            for (a, b) in ranges() {
                for (c, d) in ranges() {
                    let left: Vec<i32> = (a..=b).filter(|x| (c..=d).any(|y| holds(relation, *x, y))).collect();
                    let expected = left.first().map(|first| Kind::Int(*first, left[left.len() - 1]));
                    let restricted = Kind::Int(a, b).restrict(relation, Kind::Int(c, d));
                    assert_eq!(restricted, expected, "{relation:?} {a}..{b} {c}..{d}");
                }
            }
        }
        assert_eq!(Kind::Any.restrict(Relation::Gt, Kind::constant(i32::MAX)), None);
        assert_eq!(Kind::Any.restrict(Relation::Lt, Kind::constant(i32::MIN)), None);
    }
}
