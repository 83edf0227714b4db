//! What instrumentation reports: the meaning of each probe and site, and which methods were left alone. Plain data; the
//! ids in the code are `Plan::first_probe` and `Plan::first_site` plus the index here.

use crate::names::ClassName;
use crate::problem::Problem;

/// An instrumented class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumented {
    pub bytes: Vec<u8>,
    pub probes: Vec<Probe>,
    pub sites: Vec<Site>,
    /// Members whose calls are reported; ids are `CallPlan::first_member` plus the index.
    pub members: Vec<MonitoredMember>,
    /// Fields whose reads are reported; ids are `Plan::first_field` plus the index.
    pub fields: Vec<MonitoredField>,
    /// Methods left alone.
    pub skipped: Vec<Skipped>,
    /// Methods too large for the whole plan: they report no lines and no operands.
    pub thinned: Vec<Skipped>,
    /// Methods that have the rest but whose calls are not reported.
    pub unobserved: Vec<Skipped>,
}

/// A constructor or method whose calls are reported.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MonitoredMember {
    /// The class itself.
    pub class: ClassName,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
}

/// A field as the code names it: the class may be a subclass of the one that declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MonitoredField {
    pub class: ClassName,
    pub name: String,
    pub descriptor: String,
}

/// A place that reports being reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Index of the method in the class file.
    pub method: u16,
    /// Original pc of the branch, switch, handler or first instruction of the line.
    pub pc: u32,
    pub line: Option<u16>,
    pub kind: ProbeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    MethodEntry,
    BranchTaken,
    BranchFallThrough,
    /// One per distinct target of a switch.
    SwitchCase {
        /// The keys that go there, ascending. Of a `tableswitch`, keys that go where the default goes are left out:
        /// they cannot be distinguished from the gaps of the table.
        keys: Vec<i32>,
        default: bool,
    },
    Handler {
        /// The type of the first exception-table row with this handler; `None`: everything.
        catch_type: Option<ClassName>,
    },
    Line,
    /// A small fault of the instruction would have shown in its result: hit behind the question, not by coming here.
    Infection {
        /// The fault moves the boundary of the comparison at this pc: it shows if the operands are equal.
        boundary: bool,
    },
}

/// A comparison whose operands are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the method in the class file.
    pub method: u16,
    pub pc: u32,
    pub line: Option<u16>,
    pub kind: SiteKind,
    /// The branch the result goes into directly, if it does.
    pub branch: Option<SiteBranch>,
}

/// A two-way branch on the result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteBranch {
    /// What the operands (of an int comparison) or the result against zero (of all others) must satisfy for the jump.
    pub taken_if: Relation,
    /// Indices into `Instrumented::probes` of both edges; `None` if the plan has no edge probes.
    pub probes: Option<BranchProbes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchProbes {
    pub taken: u32,
    pub fall_through: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteKind {
    /// Two ints, or an int and zero, compared by the branch itself.
    Int,
    IntZero,
    Long,
    /// `…Less`: NaN compares as less (`fcmpl`); `…Greater`: as greater (`fcmpg`).
    FloatLess,
    FloatGreater,
    DoubleLess,
    DoubleGreater,
    Switch,
    StringEquals,
    StringEqualsIgnoreCase,
    StringStartsWith,
    StringEndsWith,
    StringContains,
    StringCompareTo,
    StringIndexOf,
    StringMatches,
    StringIsEmpty,
    /// The hash code of a string, taken for a switch.
    StringSwitch,
    /// Any two objects, by `equals`.
    ObjectEquals,
    /// An element of a collection, or a key or value of a map.
    Contains,
    /// Of a collection or map.
    IsEmpty,
}

/// A method that got no probes and reports no operands or steps. Its calls are redirected if they could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Index of the method in the class file.
    pub method: u16,
    pub reason: SkipReason,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    #[error("its code would take {size} bytes, the limit is 65535")]
    CodeTooLarge { size: usize },
    #[error("a branch would be too far from its target for a 16-bit offset")]
    BranchTooFar,
    #[error("it is a constructor in which the call of another constructor cannot be found")]
    OddConstructor,
    #[error("the constant pool is full")]
    PoolFull,
    #[error("its operand stack would be too deep")]
    StackTooDeep,
    #[error("its exception table would be too long")]
    TooManyHandlers,
    #[error("its exception table names pcs where no instruction starts")]
    ExceptionTable,
    #[error("its stack map is malformed: expected {expected}")]
    StackMap { expected: &'static str },
    #[error("its code is malformed: {0}")]
    Malformed(#[from] Problem),
}

impl From<super::constants::PoolFull> for SkipReason {
    fn from(_: super::constants::PoolFull) -> SkipReason {
        SkipReason::PoolFull
    }
}
