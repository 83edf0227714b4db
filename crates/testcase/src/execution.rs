//! What a run of a sequence showed. Owns the vocabulary of outcomes; judges nothing.

mod reach;

use std::sync::Arc;

use bytecode::names::ClassName;

use crate::sequence::Var;
use crate::value::Value;
pub use reach::{Kinds, Reach};

/// Number of a probe in the code under test, as the instrumentation gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProbeId(pub u32);

/// Number of a comparison site in the code under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A 128-bit hash of everything reachable from a value; equal for isomorphic heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateHash(pub u128);

/// The result of running one sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    pub outcome: Outcome,
    /// Probes hit: which statement hit it first in this run. With `Detail::improvements` only probes that no cheaper sequence hit before.
    pub probes: Vec<ProbeHit>,
    pub operands: Vec<Operands>,
    /// Distances greater than 0 to outcomes of watched sites that ran, by slot.
    pub distances: Vec<Distance>,
    /// As asked for by `Request::observe`, in order of statement, then role.
    pub observations: Vec<Observation>,
    /// Broken contracts, if they were checked.
    pub violations: Vec<Violation>,
    /// Exceptions of statements that were passed over (run-past-exceptions mode), in order.
    pub passed_over: Vec<(u16, Thrown)>,
    /// Instrumented steps used (saturating).
    pub steps: u32,
    /// The sequence left static state of the classes under test changed (it was restored afterwards).
    pub dirtied_statics: bool,
    /// It reached outside: changed files, started programs, set system properties, the default locale or the like. A test must not.
    pub reach: Reach,
}

impl Execution {
    /// One of which only the end is known.
    pub fn ended(outcome: Outcome) -> Execution {
        Execution {
            outcome,
            probes: Vec::new(),
            operands: Vec::new(),
            distances: Vec::new(),
            observations: Vec::new(),
            violations: Vec::new(),
            passed_over: Vec::new(),
            steps: 0,
            dirtied_statics: false,
            reach: Reach::default(),
        }
    }

    /// Did this statement, which ran, come to its end without an exception?
    pub fn came_back(&self, statement: u16) -> bool {
        let was_last = match &self.outcome {
            Outcome::Normal => false,
            Outcome::Threw { statement: at, .. } => *at == statement,
            _ => true,
        };
        !was_last && self.passed_over.iter().all(|(at, _)| *at != statement)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeHit {
    pub statement: u16,
    pub probe: ProbeId,
}

/// How a sequence ended. Exhaustive: a new way to die is a new variant.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Normal,
    /// A statement threw; later ones did not run.
    Threw {
        statement: u16,
        exception: Thrown,
    },
    /// The step limit was reached.
    StepLimit {
        statement: u16,
    },
    StackOverflow {
        statement: u16,
    },
    OutOfMemory {
        statement: u16,
    },
    /// `System.exit`, `Runtime.exit` or `halt` was called and refused.
    Exit {
        statement: u16,
        status: i32,
    },
    /// No progress within the wall-clock limit; the worker was killed.
    WallClock {
        statement: Option<u16>,
    },
    /// Threads were left running; the worker was replaced.
    ThreadsLeft {
        threads: u16,
    },
    /// The JVM died of a signal of its own making (a native crash).
    Crashed {
        statement: Option<u16>,
        signal: Option<i32>,
    },
    /// Somebody killed the worker, or it ended by itself with a status; for a signal that is 128 and its number, as shells tell it.
    Killed {
        statement: Option<u16>,
        status: Option<i32>,
    },
    /// The worker answered nonsense.
    Protocol {
        message: Arc<str>,
    },
    /// Not run: the sequence, or an operation in it, was quarantined earlier.
    Quarantined,
    /// A statement's class could not be linked or its dispatcher refused (the text names the class or member).
    Unlinkable {
        statement: u16,
        message: Arc<str>,
    },
}

/// An exception that left a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    pub class: ClassName,
    /// Only with details: message (may be long: cut by the worker), frames of the trace without ours, innermost first (at most 16), cause's class.
    pub detail: Option<Arc<ThrownDetail>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrownDetail {
    pub message: Option<Arc<str>>,
    pub frames: Vec<Frame>,
    pub cause: Option<ClassName>,
    /// Superclasses of the exception, nearest first, up to `Throwable` (so that subtype questions need no class bytes).
    pub supers: Vec<ClassName>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    pub class: ClassName,
    pub method: Arc<str>,
    pub line: i32,
}

/// The last operands seen at a comparison site in this run.
#[derive(Clone, Debug, PartialEq)]
pub struct Operands {
    pub site: SiteId,
    pub left: Value,
    pub right: Value,
}

/// How near a run came to an outcome of a comparison that it did not take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// As the watch numbers it.
    pub slot: u32,
    /// Positive; the least over the whole run.
    pub value: f64,
}

/// A variable as seen after a statement ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The statement after which it was looked at.
    pub statement: u16,
    pub var: Var,
    /// Run-time class; `None` for null and primitives.
    pub class: Option<ClassName>,
    pub state: Option<StateHash>,
    /// Number of the equals-class among values of the same run-time class (only if asked for).
    pub equals_class: Option<u64>,
    /// Hash of the part that `equals` reads (only if the target was opened for it, and `equals` is of use).
    pub equals_state: Option<StateHash>,
    pub value: Option<Value>,
    /// The first variable before it that holds the same object; for objects that have no value of their own, and only with `Detail::values`.
    pub same_as: Option<Var>,
    /// For an argument or receiver of the statement: its state differs from before the statement.
    pub changed: Option<bool>,
}

/// A contract that did not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub contract: Contract,
    /// After this statement.
    pub statement: u16,
    pub vars: Vec<Var>,
    /// What was thrown, if the contract's own call threw.
    pub thrown: Option<Thrown>,
}

/// Contracts the worker can check on values of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contract {
    /// `x.equals(x)` is true.
    EqualsReflexive,
    /// `x.equals(null)` is false.
    EqualsNull,
    /// `x.equals(y) == y.equals(x)`.
    EqualsSymmetric,
    /// `x.equals(y)` implies `x.hashCode() == y.hashCode()`.
    EqualsHashCode,
    EqualsThrows,
    HashCodeThrows,
    ToStringThrows,
    /// `toString()` gives null.
    ToStringNull,
    /// sign(x.compareTo(y)) == -sign(y.compareTo(x)).
    CompareToAntisymmetric,
    CompareToTransitive,
    /// Only a warning: `(x.compareTo(y) == 0) == x.equals(y)`.
    CompareToEquals,
    CompareToReflexive,
    /// `x.clone() != x`, and equals it if `equals` is overridden.
    CloneEquals,
    /// An iterator yields more than its collection holds, or does not end.
    IteratorEnds,
    /// A user contract: class and method.
    User {
        class: ClassName,
        method: Arc<str>,
    },
}
