//! Sorts: the types of terms. Owns their widths and SMT-LIB names.

use std::fmt;

/// The type of a term. Floats have one NaN only; arrays are total functions from 32-bit indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bv(u8),
    F32,
    F64,
    Array(Element),
}

/// What arrays hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    Bv(u8),
    F32,
    F64,
}

impl Element {
    pub fn sort(self) -> Sort {
        match self {
            Element::Bv(width) => Sort::Bv(width),
            Element::F32 => Sort::F32,
            Element::F64 => Sort::F64,
        }
    }
}

impl Sort {
    pub const INT: Sort = Sort::Bv(32);
    pub const LONG: Sort = Sort::Bv(64);

    /// How many bits a value of this sort takes.
    ///
    /// # Panics
    /// For arrays, which have no width.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(width) => u32::from(width),
            Sort::F32 => 32,
            Sort::F64 => 64,
            Sort::Array(_) => panic!("arrays have no width"),
        }
    }

    /// Ones in all places that a value of this sort may use.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    pub fn is_float(self) -> bool {
        matches!(self, Sort::F32 | Sort::F64)
    }

    pub fn is_array(self) -> bool {
        matches!(self, Sort::Array(_))
    }

    /// The sort of arrays of this one; `None` where no array holds it.
    pub fn array_of(self) -> Option<Sort> {
        match self {
            Sort::Bv(width) => Some(Sort::Array(Element::Bv(width))),
            Sort::F32 => Some(Sort::Array(Element::F32)),
            Sort::F64 => Some(Sort::Array(Element::F64)),
            Sort::Bool | Sort::Array(_) => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::F32 => f.write_str("(_ FloatingPoint 8 24)"),
            Sort::F64 => f.write_str("(_ FloatingPoint 11 53)"),
            Sort::Array(element) => write!(f, "(Array (_ BitVec 32) {})", element.sort()),
        }
    }
}
