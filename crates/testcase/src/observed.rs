//! What running somebody's test suite showed: every call between the tests and the classes under test, with the states of the objects involved.
//! Owns this vocabulary only; how it is observed and what follows from it is decided elsewhere. Never names a technique.

use std::sync::Arc;

use bytecode::names::ClassName;

use crate::execution::{Frame, ProbeId, StateHash};
use crate::value::Value;

/// What to look at. Everything costs time; a state classifier says what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Hashes of everything reachable from each value, and of receiver and arguments together.
    pub states: bool,
    /// Whether a call wrote a field or an array element reachable from a value.
    pub writes: bool,
    /// Hashes of the part of a value that `v.equals(v)` reads.
    pub equals_reads: bool,
    /// Numbers of classes of values that are equal by `equals`.
    pub equals_classes: bool,
}

impl Needs {
    pub fn and(self, other: Needs) -> Needs {
        Needs {
            states: self.states || other.states,
            writes: self.writes || other.writes,
            equals_reads: self.equals_reads || other.equals_reads,
            equals_classes: self.equals_classes || other.equals_classes,
        }
    }
}

/// A whole suite, as it ran.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ObservedSuite {
    /// Members that were called; calls refer to them by index.
    pub members: Vec<ObservedMember>,
    /// In the order in which they ran.
    pub runs: Vec<TestRun>,
    /// Probes hit outside of any test (class fixtures, static initialisers).
    pub outside_probes: Vec<ProbeId>,
    /// What could not be observed, in words, each once.
    pub notes: Vec<String>,
}

/// A constructor or method of a class under test, or one it inherits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObservedMember {
    /// Where it is declared.
    pub class: ClassName,
    /// `<init>` for constructors.
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    pub is_static: bool,
}

/// A test method in the sources: the unit that can be removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TestMethod {
    /// The class that declares it (`$` before nested ones).
    pub class: ClassName,
    pub name: Arc<str>,
    /// Its parameters as in a descriptor, e.g. `(ILjava/lang/String;)V`.
    pub descriptor: Arc<str>,
}

/// One run of a test: a parametrised or inherited test method has several.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRun {
    pub method: TestMethod,
    /// The class it ran as: a subclass of the declaring class if the test is inherited.
    pub class: ClassName,
    /// As the framework displays it; tells runs of a parametrised test apart.
    pub display: String,
    pub outcome: TestOutcome,
    pub calls: Vec<ObservedCall>,
    /// Calls and assertions beyond what is kept of one run. If there are any, the run can do more than is known.
    pub unrecorded: u64,
    pub assertions: Vec<ObservedAssertion>,
    /// Every probe hit while it ran, fixtures included.
    pub probes: Vec<ProbeId>,
    pub micros: u64,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TestOutcome {
    Passed,
    Failed {
        class: ClassName,
        message: Option<Arc<str>>,
        frame: Option<Frame>,
    },
    /// Disabled, or an assumption did not hold.
    Skipped {
        reason: Option<Arc<str>>,
    },
    /// No progress within the limit; the JVM was replaced.
    TimedOut,
    /// The JVM ended while it ran (exit, crash, out of memory); in words.
    Died {
        how: Arc<str>,
    },
}

/// A call from outside into a class under test. Calls made inside such a call are not recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedCall {
    /// Index into `ObservedSuite::members`.
    pub member: u32,
    /// As it was before the call; none for constructors and static methods.
    pub receiver: Option<ObservedValue>,
    /// As they were before the call.
    pub arguments: Vec<ObservedValue>,
    /// Everything reachable from receiver and arguments as one graph (sharing between them included).
    pub joint: Option<StateHash>,
    pub end: CallEnd,
    /// Values of receiver (first, if there is one) and arguments of which a reachable field or element was written during the call; only if asked for.
    pub written: Vec<bool>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CallEnd {
    /// The result, or the object made by a constructor; `None` for void.
    Returned(Option<ObservedValue>),
    /// Class of the exception.
    Threw(ClassName),
    /// The test ended in between (its thread was stopped or the JVM died).
    Open,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ObservedValue {
    /// Null, a primitive, a string, a box, an enum constant or a class: known by value.
    Plain(Value),
    Object(ObservedObject),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ObservedObject {
    /// The same number in one test run means the same object.
    pub object: u32,
    pub class: ClassName,
    pub state: Option<StateHash>,
    /// Hash of the part that `equals` reads. None if it could not be found; `fallback` says why.
    pub equals_state: Option<StateHash>,
    /// Number of its class of equal objects. None if it has none; `fallback` says why.
    pub equals_class: Option<u64>,
    pub fallback: Option<Fallback>,
}

/// Why something about an object is not known, so that its whole state is used instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fallback {
    /// The class has no `equals` of its own.
    NoEquals,
    EqualsThrew,
    /// It did not end within its steps.
    EqualsLooped,
    /// It changed the object.
    EqualsWrote,
    /// `v.equals(v)` is false.
    EqualsIrreflexive,
    /// The object cannot be copied, so no representative can be kept.
    NotCopied,
    /// More nodes than are followed.
    TooLarge,
}

/// A call of an assertion method by a test.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObservedAssertion {
    /// How many calls the run had recorded before: the assertion speaks about what these made.
    pub after: u32,
    pub class: ClassName,
    pub name: Arc<str>,
    /// Hash of its arguments' states (lambdas by class).
    pub arguments: StateHash,
}
