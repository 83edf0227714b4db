//! The seam between whoever wants sequences run and whatever runs them. Owns request vocabulary; never a process.

use bytecode::instrument::Relation;

use crate::execution::{Execution, ProbeId, SiteId};
use crate::operation::Operations;
use crate::sequence::Sequence;
use crate::value::JavaString;

/// Which variables to look at, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Observe {
    #[default]
    Nothing,
    /// Result, receiver and arguments of the last statement, after it ran.
    LastStatement,
    /// The result of every statement right after it ran, and every variable again after the last (statement = last).
    Everything,
}

/// What to report about a sequence. The default is the cheap mode for bulk search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Detail {
    pub observe: Observe,
    /// State hashes of observed references, and whether arguments changed.
    pub states: bool,
    /// Equals-classes of observed references.
    pub equals_classes: bool,
    /// Values of observed variables (always sent for primitives, boxes and short strings; with this also arrays and long strings), and which of them are the same object.
    pub values: bool,
    /// Every probe hit, instead of improvements only.
    pub all_probes: bool,
    pub operands: bool,
    /// Distances to the outcomes of watched sites, and every probe hit.
    pub distances: bool,
    /// Message and trace of exceptions (without it only for kinds of exceptions not seen before at that operation).
    pub exceptions: bool,
    pub contracts: bool,
    /// Go on behind a statement that threw; statements that use its missing value are passed over too.
    pub past_exceptions: bool,
    /// In another environment than usual: later by the clock, another user, locale and time zone. What differs then is no property of the code.
    pub varied: bool,
    /// One of very many, none of which is worth much time: where workers have a limit for such runs, it is stopped and counts as one that used up its steps.
    pub impatient: bool,
}

/// A comparison site whose outcomes a run's distance to is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub site: SiteId,
    /// Where the slots of its outcomes begin.
    pub first_slot: u32,
    pub outcomes: Outcomes,
}

/// Between what a site decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Two slots: the jump is taken, which is so if this holds between the operands, or between the result and zero; and it is not.
    Branch(Relation),
    /// A slot per key of a switch.
    Keys(Vec<i32>),
    /// A slot per string, for a switch over strings.
    Strings(Vec<JavaString>),
}

impl Outcomes {
    /// How many slots they take.
    pub fn slots(&self) -> u32 {
        match self {
            Outcomes::Branch(_) => 2,
            Outcomes::Keys(keys) => keys.len() as u32,
            Outcomes::Strings(strings) => strings.len() as u32,
        }
    }
}

/// One thing in which environments differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    Clock,
    /// Random numbers.
    Chance,
    Locale,
    Zone,
    /// Name and home of the user, and whether there is a screen.
    User,
}

impl Aspect {
    pub const ALL: [Aspect; 5] = [Aspect::Clock, Aspect::Chance, Aspect::Locale, Aspect::Zone, Aspect::User];
}

/// One sequence to run.
#[derive(Clone, Debug)]
pub struct Request {
    pub sequence: Sequence,
    pub detail: Detail,
    /// What the sequence costs in the archive's order; an "improvement" is a probe never hit at this cost or less.
    pub cost: u32,
    pub fault: Option<Fault>,
}

/// A fault that is switched on while a sequence runs; only for targets whose classes hold faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its number among the faults of the target; from 1.
    pub mutant: u32,
    /// Steps after which the sequence is stopped, if that is less than usual.
    pub steps: u32,
}

/// Why no further request can be served at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExecutorProblem {
    pub message: String,
    pub hint: Option<String>,
}

/// Runs sequences. Results come in the order of requests, batches in the order of submission. Deterministic given the same
/// submissions, as far as the code under test is.
pub trait Executor {
    /// Hands over a batch; may return before it ran. Operations must contain every operation used.
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem>;
    /// The results of the oldest batch not yet collected: one per request.
    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem>;
    /// How many batches may usefully be in flight.
    fn depth(&self) -> usize {
        1
    }
    /// Tells which probes are already hit and how cheaply, after the caller restored an archive.
    fn set_best(&mut self, best: &[(ProbeId, u32)]);
    /// From now on these sites, and no others, are watched by runs that measure distances. Executors that measure none have nothing to do.
    fn watch(&mut self, _sites: &[Watch]) {}
    /// From now on runs in another environment differ in this alone; `None`: in everything again. Executors without environments have nothing to do.
    fn vary_only(&mut self, _aspect: Option<Aspect>) {}

    /// Replaces whatever runs the sequences by a fresh one that knows the same, for the next batch; only with nothing in flight. `false`: there is nothing to replace.
    fn renew(&mut self) -> bool {
        false
    }

    fn run(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<Vec<Execution>, ExecutorProblem> {
        self.submit(operations, batch)?;
        self.collect()
    }
}
