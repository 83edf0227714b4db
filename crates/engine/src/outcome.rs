//! What a session hands over: the suite, the findings, the goals and why some are not covered. Plain data.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use testcase::assertion::TestCase;
use testcase::execution::{Contract, Thrown};
use testcase::operation::Operations;

use crate::goal::{Counts, GoalId, Goals, Method};
use crate::mutation::Witness;
use crate::reason::Reason;
use crate::search::Totals;

/// Everything a session found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The table all sequences of the outcome refer to.
    pub operations: Operations,
    /// Passing tests, each with the goals that only it covers first. In a fixed order.
    pub suite: Vec<SuiteTest>,
    /// Failing tests, worst first.
    pub findings: Vec<Finding>,
    pub goals: Goals,
    /// Of all classes under test, by kind.
    pub counts: Counts,
    pub methods: Vec<MethodReport>,
    pub totals: Totals,
    pub stats: Stats,
    /// Goals that the search reached and no test of the suite does, and why.
    pub losses: BTreeMap<GoalId, Loss>,
}

/// Why what reached a goal cannot be kept as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// It changes what other tests would see.
    Disturbing,
    /// It did not do the same a second time.
    Unstable,
    /// It uses a value through a type that the value is not of.
    Misfit,
    /// There was no time to see what it does, so it could not have checked anything.
    Unasserted,
}

impl Loss {
    pub const ALL: [Loss; 4] = [Loss::Disturbing, Loss::Unstable, Loss::Misfit, Loss::Unasserted];

    /// Behind "tests that" or "a test that".
    pub fn words(self) -> &'static str {
        match self {
            Loss::Disturbing => "would change static state, files or settings that other tests see",
            Loss::Unstable => "did not do the same a second time, or not in other surroundings",
            Loss::Misfit => "uses a value through a type that the value is not of",
            Loss::Unasserted => "could not be given an assertion before the time was up",
        }
    }
}

/// A passing test.
#[derive(Clone, Debug)]
pub struct SuiteTest {
    pub test: TestCase,
    /// All goals it covers.
    pub goals: Vec<GoalId>,
    /// What it does to mutants; nothing as long as they were not run.
    pub witness: Witness,
}

/// A failing test and what it shows.
#[derive(Clone, Debug)]
pub struct Finding {
    pub test: TestCase,
    pub kind: FindingKind,
    pub confidence: Confidence,
    /// Reasons for this confidence, in words; those that speak for a bug first.
    pub why: Vec<String>,
    /// One sentence.
    pub message: String,
    pub thrown: Option<Thrown>,
    /// The class that breaks the contract, or whose member throws.
    pub subject: Option<ClassName>,
    /// How many other suspicious sequences turned out to show the same.
    pub alike: u32,
    /// Statements of the first sequence that showed it, before anything was made small.
    pub statements_before: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    Contract(Contract),
    /// An exception of this class that should not have left a method.
    Exception(ClassName),
}

/// How sure it is that this is a bug; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    High,
    Medium,
    /// Legal, but surprising.
    Warning,
}

impl Confidence {
    pub fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Warning => "warning",
        }
    }
}

/// How a method under test fared.
#[derive(Clone, Debug)]
pub struct MethodReport {
    pub method: Method,
    pub counts: Counts,
    /// Why goals are left, if any of its branches, lines or the method itself are.
    pub reason: Option<Reason>,
}

/// What the last phases did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sequences in the archive before reduction.
    pub archived: usize,
    /// Executions spent on reduction and oracles.
    pub reduction_executions: u64,
    /// Tests that were left out, by reason.
    pub lost: [usize; Loss::ALL.len()],
    /// Suspicions that did not stand a second look.
    pub unconfirmed: usize,
}

impl Stats {
    pub fn lose(&mut self, why: Loss) {
        self.lost[why as usize] += 1;
    }
}
