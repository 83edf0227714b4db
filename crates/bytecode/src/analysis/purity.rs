//! Which parameters a method may change, and what else: points-to and escape analysis after Sălcianu and Rinard, over
//! whole programs. Owns the verdicts; how they are found is in the files below. Every claim holds for the classes of
//! the given world, and for each parameter by itself: two parameters that are one object are changed together.
//!
//! Objects are distinguished by where they come from: each parameter, everything reachable from it (taken together),
//! each place of the method that makes objects, and everything reachable from static fields. Of a call into the unknown
//! (a lambda, a method that dozens of classes implement, a native method not known to be harmless) the worst is
//! assumed, with one exception that is marked as such: `equals`, `hashCode`, `toString`, `compareTo`, `compare` and the
//! reading methods of collections change nothing *by convention*.

mod convention;
mod graph;
mod known;
mod method;
mod solver;
mod store;
mod summary;

pub use solver::Purity;
pub use summary::Summary;

/// What a method may do to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// At most reads it, and nothing gets a new reference to it or to what is reachable from it.
    Safe,
    /// Reads it at most; it may be reachable from other objects afterwards.
    ReadOnly,
    /// May change it or something reachable from it.
    ReadWrite,
}

impl Effect {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Safe => "safe",
            Effect::ReadOnly => "read-only",
            Effect::ReadWrite => "read/write",
        }
    }
}

/// The verdict on one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamPurity {
    /// If conventions are kept.
    pub effect: Effect,
    /// Holds whichever class implements the methods called.
    pub strict: Effect,
}

/// The verdict on a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodPurity {
    /// The receiver first, if there is one; then the parameters, primitive ones (always safe) included.
    pub params: Vec<ParamPurity>,
    /// Changes no object that was there before, static state included; a constructor may fill its own.
    pub pure: bool,
    /// The same without relying on conventions.
    pub strictly_pure: bool,
    /// May change static state, or something unknown.
    pub changes_globals: bool,
}
