//! What a suite amounts to, in numbers. Owns their names in tables and files; the counting is the engine's.

use engine::state::assess::{self, assess};
use serde::Serialize;
use testcase::execution::ProbeId;

use crate::minimize::seen::{Exception, Seen};
use crate::observe::Observed;
use crate::report::GoalCount;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Test methods.
    pub tests: usize,
    /// What they ran as: a parametrised test runs several times.
    pub runs: usize,
    /// Runs that failed, hung or ended their JVM.
    pub failing: usize,
    /// Non-equivalent ones; so are the next two.
    pub method_executions: usize,
    pub argument_lists: usize,
    pub object_states: usize,
    /// Of the classes under test.
    pub branches: GoalCount,
    /// Out of classes under test and out of tests, in words.
    pub exceptions: Vec<String>,
}

impl Counts {
    pub fn of(observed: &Observed) -> Counts {
        let counts = assess(&observed.digest, &|p| observed.branch(p));
        let seen = Seen::of(&observed.digest, &|p| observed.is_branch(p));
        Counts::new(&counts, &seen, observed)
    }

    /// The engine's numbers, with the exceptions of `seen` in words.
    pub fn new(counts: &assess::Counts, seen: &Seen, observed: &Observed) -> Counts {
        Counts {
            tests: counts.tests,
            runs: counts.runs,
            failing: seen.failing,
            method_executions: counts.executions,
            argument_lists: counts.argument_lists,
            object_states: counts.states,
            branches: GoalCount { total: observed.branches(), covered: counts.branches },
            exceptions: seen.exceptions.iter().map(Exception::to_string).collect(),
        }
    }

    /// Replaces what a real run shows better than an inference.
    pub fn corrected(mut self, ran: &Seen, is_branch: &dyn Fn(ProbeId) -> bool) -> Counts {
        self.failing = ran.failing;
        self.branches.covered = ran.probes.iter().filter(|p| is_branch(**p)).count();
        self.exceptions = ran.exceptions.iter().map(Exception::to_string).collect();
        self
    }

    pub const HEADINGS: [&str; 7] =
        ["tests", "failing runs", "method executions", "argument lists", "states", "branches", "exceptions"];

    pub fn cells(&self) -> [String; 7] {
        [
            self.tests.to_string(),
            self.failing.to_string(),
            self.method_executions.to_string(),
            self.argument_lists.to_string(),
            self.object_states.to_string(),
            format!("{} of {}", self.branches.covered, self.branches.total),
            self.exceptions.len().to_string(),
        ]
    }
}
