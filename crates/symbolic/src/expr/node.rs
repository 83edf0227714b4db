//! One node of a term: an operation, its operands and a number. Owns the list of operations, nothing of their meaning.

use super::{Sort, Term};

/// An operation. Unless said otherwise, bit-vector operations mean what SMT-LIB says, float operations what Java says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// The number is the value's bits.
    Const,
    /// The number is the input's.
    Input,
    Not,
    And,
    /// Equality of values: NaN equals itself here, and zeros differ.
    Eq,
    Ite,

    Add,
    Mul,
    Neg,
    UDiv,
    URem,
    SDiv,
    SRem,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
    Shl,
    LShr,
    AShr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The number is the lowest bit taken; the sort says how many.
    Extract,
    Concat,
    ZeroExtend,
    SignExtend,

    FAdd,
    FMul,
    FDiv,
    /// C's `fmod`, which is Java's `%`.
    FRem,
    FSqrt,
    FNeg,
    FAbs,
    FLt,
    FLe,
    /// IEEE equality: NaN differs from all, zeros are equal.
    FEq,
    FIsNan,
    /// To an integral value; the number is a [`Rounding`].
    FRound,
    /// Between float and double, to the nearest.
    FToF,
    /// A signed integer as a float, to the nearest.
    SToF,
    /// A float as a signed integer, towards zero; NaN is 0, what is too large is the largest.
    FToS,
    /// The bits of a float; of NaN, Java's own.
    FBits,
    /// The float of some bits.
    FFromBits,

    Select,
    Store,
    /// An array that holds one value everywhere.
    ConstArray,
}

impl Op {
    pub fn arity(self) -> usize {
        match self {
            Op::Const | Op::Input => 0,
            Op::Not | Op::Neg | Op::BitNot | Op::Extract | Op::ZeroExtend | Op::SignExtend => 1,
            Op::FSqrt | Op::FNeg | Op::FAbs | Op::FIsNan | Op::FRound | Op::FToF => 1,
            Op::SToF | Op::FToS | Op::FBits | Op::FFromBits | Op::ConstArray => 1,
            Op::Ite | Op::Store => 3,
            _ => 2,
        }
    }
}

/// To which neighbour `FRound` goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rounding {
    NearestEven = 0,
    Up = 1,
    Down = 2,
    Zero = 3,
}

impl Rounding {
    /// The rounding that a node's number means.
    pub fn from_number(number: u64) -> Rounding {
        match number {
            0 => Rounding::NearestEven,
            1 => Rounding::Up,
            2 => Rounding::Down,
            _ => Rounding::Zero,
        }
    }
}

/// A node. Operands beyond the operation's arity are [`super::Terms::FALSE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub op: Op,
    pub sort: Sort,
    pub args: [Term; 3],
    pub number: u64,
}

impl Node {
    pub fn args(&self) -> &[Term] {
        &self.args[..self.op.arity()]
    }
}
