//! What a suite is worth, in numbers, and what one suite adds to another. Owns the counting; which branch a probe belongs to is the caller's knowledge.

use std::collections::BTreeSet;

use bytecode::names::ClassName;
use rustc_hash::FxHashSet;
use testcase::execution::ProbeId;
use testcase::observed::{TestMethod, TestOutcome};

use super::digest::{Digest, RunDigest};

/// The branch a probe stands for; none if it stands for something else (a method entry, a handler). The same branch has the same number in both suites.
pub type Branches<'a> = &'a dyn Fn(ProbeId) -> Option<u64>;

/// Counts of what a suite shows. "Different" means not equivalent by the chosen techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    pub tests: usize,
    pub runs: usize,
    /// Calls between tests and classes under test.
    pub calls: usize,
    /// Different method executions.
    pub executions: usize,
    /// Different argument lists.
    pub argument_lists: usize,
    /// Different states of objects under test.
    pub states: usize,
    pub branches: usize,
    /// Different exceptions, by member and class; those that made a test fail, by class.
    pub exceptions: usize,
}

/// Two suites side by side.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub a: Counts,
    pub b: Counts,
    /// Of both together.
    pub both: Counts,
    /// Tests of `b` that add something to `a` and to the tests of `b` listed before them, in suite order. What does more than was recorded may add anything.
    pub additions: Vec<Addition>,
    /// Tests of `b` that add nothing.
    pub superfluous: Vec<TestMethod>,
}

/// What a test adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    pub test: TestMethod,
    pub executions: usize,
    pub states: usize,
    pub branches: usize,
    pub exceptions: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Call(u32),
    Test,
}

/// What was shown so far.
#[derive(Clone, Debug, Default)]
struct Shown {
    executions: FxHashSet<u32>,
    lists: FxHashSet<u32>,
    states: FxHashSet<u32>,
    branches: BTreeSet<u64>,
    exceptions: BTreeSet<(Place, ClassName)>,
}

impl Shown {
    fn sizes(&self) -> [usize; 4] {
        [self.executions.len(), self.states.len(), self.branches.len(), self.exceptions.len()]
    }

    fn run(&mut self, run: &RunDigest, branches: Branches<'_>) {
        self.executions.extend(&run.executions);
        self.lists.extend(&run.lists);
        self.states.extend(&run.states);
        self.exceptions.extend(run.thrown.iter().map(|(member, class)| (Place::Call(*member), class.clone())));
        if let TestOutcome::Failed { class, .. } = &run.outcome {
            self.exceptions.insert((Place::Test, class.clone()));
        }
        self.probes(&run.probes, branches);
    }

    fn probes(&mut self, probes: &[ProbeId], branches: Branches<'_>) {
        self.branches.extend(probes.iter().filter_map(|&p| branches(p)));
    }

    fn suite(&mut self, suite: &Digest, branches: Branches<'_>) {
        self.probes(&suite.outside_probes, branches);
        for run in &suite.runs {
            self.run(run, branches);
        }
    }

    fn counts(&self, suites: &[&Digest]) -> Counts {
        let runs = || suites.iter().flat_map(|s| &s.runs);
        let tests = |s: &&Digest| s.runs.iter().map(|r| &r.method).collect::<BTreeSet<_>>().len();
        Counts {
            tests: suites.iter().map(tests).sum(),
            runs: runs().count(),
            calls: runs().map(|r| r.calls).sum(),
            executions: self.executions.len(),
            argument_lists: self.lists.len(),
            states: self.states.len(),
            branches: self.branches.len(),
            exceptions: self.exceptions.len(),
        }
    }
}

pub fn assess(suite: &Digest, branches: Branches<'_>) -> Counts {
    let mut shown = Shown::default();
    shown.suite(suite, branches);
    shown.counts(&[suite])
}

/// Both were read by one digester. `branches` holds one function per suite: the same probe may have different numbers in the two.
pub fn compare(a: &Digest, b: &Digest, branches: [Branches<'_>; 2]) -> Comparison {
    let (mut shown_a, mut shown_b) = (Shown::default(), Shown::default());
    shown_a.suite(a, branches[0]);
    shown_b.suite(b, branches[1]);
    let mut both = shown_a.clone();
    let mut tests: Vec<&TestMethod> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    let mut runs_of: Vec<Vec<usize>> = Vec::new();
    for (at, run) in b.runs.iter().enumerate() {
        let place = *places.entry(&run.method).or_insert_with(|| {
            tests.push(&run.method);
            runs_of.push(Vec::new());
            tests.len() - 1
        });
        runs_of[place].push(at);
    }
    let (mut additions, mut superfluous) = (Vec::new(), Vec::new());
    for (test, runs) in tests.into_iter().zip(runs_of) {
        let before = both.sizes();
        let is_known = runs.iter().all(|&at| b.runs[at].unrecorded == 0);
        for at in runs {
            both.run(&b.runs[at], branches[1]);
        }
        let after = both.sizes();
        let [executions, states, branches, exceptions] = std::array::from_fn(|i| after[i] - before[i]);
        if after == before && is_known {
            superfluous.push(test.clone());
        } else {
            additions.push(Addition { test: test.clone(), executions, states, branches, exceptions });
        }
    }
    both.probes(&b.outside_probes, branches[1]);
    Comparison { a: shown_a.counts(&[a]), b: shown_b.counts(&[b]), both: both.counts(&[a, b]), additions, superfluous }
}

#[cfg(test)]
mod tests;
