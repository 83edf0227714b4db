//! What a run of a suite showed, reduced to what a minimised suite must keep: how tests ended, branches, exceptions. Owns the comparison of two
//! runs; runs nothing.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::ClassName;
use engine::state::digest::{Digest, RunDigest};
use testcase::execution::ProbeId;
use testcase::observed::{TestMethod, TestOutcome};

/// A test as it runs: an inherited one runs as several classes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub class: ClassName,
    pub method: TestMethod,
}

/// An exception that somebody outside saw.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exception {
    /// Out of a class under test: `push(int)` of which class, and what.
    Thrown { by: ClassName, member: String, exception: ClassName },
    /// Out of a test.
    Failed { exception: ClassName },
}

impl std::fmt::Display for Exception {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exception::Thrown { by, member, exception } => {
                write!(f, "{} from {}.{member}", exception.binary(), by.binary())
            }
            Exception::Failed { exception } => write!(f, "{} from a test", exception.binary()),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Places where every run passed (skipped runs aside), and those where one did not.
    pub passed: BTreeSet<Place>,
    pub failed: BTreeSet<Place>,
    /// Runs that did not pass.
    pub failing: usize,
    pub probes: BTreeSet<ProbeId>,
    pub exceptions: BTreeSet<Exception>,
}

/// What one test method alone showed.
#[derive(Clone, Debug, Default)]
pub struct Share {
    pub probes: BTreeSet<ProbeId>,
    pub exceptions: BTreeSet<Exception>,
}

impl Seen {
    /// `counts`: whether a probe stands for something worth keeping. Numbers of probes mean the same in all runs with the same targets.
    pub fn of(suite: &Digest, counts: &dyn Fn(ProbeId) -> bool) -> Seen {
        let mut seen = Seen::default();
        for run in &suite.runs {
            let place = Place { class: run.class.clone(), method: run.method.clone() };
            match &run.outcome {
                TestOutcome::Passed | TestOutcome::Skipped { .. } => seen.passed.insert(place),
                TestOutcome::Failed { .. } | TestOutcome::TimedOut | TestOutcome::Died { .. } => {
                    seen.failing += 1;
                    seen.failed.insert(place)
                }
            };
            seen.probes.extend(run.probes.iter().filter(|p| counts(**p)));
            exceptions(suite, run, &mut seen.exceptions);
        }
        seen.passed.retain(|place| !seen.failed.contains(place));
        seen.probes.extend(suite.outside_probes.iter().filter(|p| counts(**p)));
        seen
    }

    /// Tests that passed in `before`, are not removed, and do not pass here.
    pub fn broken(&self, before: &Seen, removed: &BTreeSet<TestMethod>) -> Vec<Place> {
        let expected = before.passed.iter().filter(|place| !removed.contains(&place.method));
        expected.filter(|place| !self.passed.contains(place)).cloned().collect()
    }

    /// What fails here and was no test before: a class that its framework refuses now.
    pub fn refused(&self, before: &Seen) -> Vec<Place> {
        self.failed.iter().filter(|p| !before.failed.contains(p) && !before.passed.contains(p)).cloned().collect()
    }
}

/// By test method.
pub fn shares(suite: &Digest, counts: &dyn Fn(ProbeId) -> bool) -> BTreeMap<TestMethod, Share> {
    let mut shares: BTreeMap<TestMethod, Share> = BTreeMap::new();
    for run in &suite.runs {
        let share = shares.entry(run.method.clone()).or_default();
        share.probes.extend(run.probes.iter().filter(|p| counts(**p)));
        exceptions(suite, run, &mut share.exceptions);
    }
    shares
}

fn exceptions(suite: &Digest, run: &RunDigest, into: &mut BTreeSet<Exception>) {
    for (member, exception) in &run.thrown {
        if let Some(member) = suite.members.get(*member as usize) {
            let name = format!("{}{}", member.name, member.descriptor);
            into.insert(Exception::Thrown { by: member.class.clone(), member: name, exception: exception.clone() });
        }
    }
    if let TestOutcome::Failed { class, .. } = &run.outcome {
        into.insert(Exception::Failed { exception: class.clone() });
    }
}
