//! Assertions and test cases: a sequence plus what must be true of it. Owns data only; how they are found is the engine's
//! business, how they look in Java the writer's.

use std::sync::Arc;

use bytecode::names::ClassName;

use crate::execution::Contract;
use crate::sequence::{Sequence, Var};
use crate::value::Value;

/// Something asserted at the end of a test (or, for `Throws`, about one of its statements).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// The variable equals this value (primitive, string, box, enum, class, null).
    Equals {
        var: Var,
        value: Value,
    },
    NotNull {
        var: Var,
    },
    /// The right variable holds the same object as the left one (or not).
    Same {
        left: Var,
        right: Var,
        same: bool,
    },
    /// Array contents; also nested arrays.
    ArrayEquals {
        var: Var,
        value: Value,
    },
    /// The variable's run-time class is exactly this one; only when it says more than the declared type.
    InstanceOf {
        var: Var,
        class: ClassName,
    },
}

impl Assertion {
    /// The variable it speaks of; of two, the one that is compared with the other.
    pub fn var(&self) -> Var {
        match self {
            Assertion::Equals { var, .. }
            | Assertion::NotNull { var }
            | Assertion::ArrayEquals { var, .. }
            | Assertion::InstanceOf { var, .. }
            | Assertion::Same { right: var, .. } => *var,
        }
    }

    /// The same about other variables; `None` if one of them has no counterpart.
    pub fn renumbered(self, to: impl Fn(Var) -> Option<Var>) -> Option<Assertion> {
        Some(match self {
            Assertion::Equals { var, value } => Assertion::Equals { var: to(var)?, value },
            Assertion::NotNull { var } => Assertion::NotNull { var: to(var)? },
            Assertion::ArrayEquals { var, value } => Assertion::ArrayEquals { var: to(var)?, value },
            Assertion::InstanceOf { var, class } => Assertion::InstanceOf { var: to(var)?, class },
            Assertion::Same { left, right, same } => Assertion::Same { left: to(left)?, right: to(right)?, same },
        })
    }
}

/// What a test case claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Runs to its end; assertions hold there.
    Passes,
    /// The last statement throws. `class` may be a supertype of what was seen when the class itself is not accessible. The message only if it
    /// was the same in all runs.
    Throws { class: ClassName, message: Option<Arc<str>> },
    /// A contract is broken at the end: the test asserts that it holds and so fails.
    Breaks { contract: Contract, vars: Vec<Var> },
    /// The last statement threw something it must not (NPE without a null given, AssertionError, undeclared error): the test just
    /// calls it and so fails.
    BadException { class: ClassName },
}

/// One test method of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    pub sequence: Sequence,
    pub assertions: Vec<Assertion>,
    pub expectation: Expectation,
    /// The statement the test is about, if that is not the last: what follows only looks at what it did. Names come from it.
    pub subject: Option<Var>,
}
