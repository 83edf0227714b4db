//! Words about tests that stay and about what an observation could not do. Owns phrases; decides nothing.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::ClassName;
use engine::state::digest::Digest;
use engine::state::executions::Fallbacks;
use engine::state::redundancy::Why;
use testcase::observed::{Fallback, TestMethod, TestOutcome};

use crate::observe::{Observed, Stage};
use crate::span;

/// `com.acme.FooTest.pops`.
pub fn name(test: &TestMethod) -> String {
    format!("{}.{}", test.class.binary(), test.name)
}

/// Why a test stays, if it is not for what it calls.
pub fn why(why: &Why, outcome: &TestOutcome, stage: &Stage<'_>) -> Option<String> {
    Some(match why {
        Why::Executions { .. } => return None,
        Why::Assertion { class, name } => {
            format!("no other test makes the same assertion ({}.{name})", class.simple_binary())
        }
        Why::Fails { class } => format!("fails with {}, as no other test does", class.binary()),
        Why::Skipped => "was skipped".to_string(),
        Why::PartlyKnown => "does more than is recorded".to_string(),
        Why::TouchesNothing => "uses no class under test".to_string(),
        Why::Unfinished => match outcome {
            TestOutcome::Died { how } => format!("ended its JVM: {how}"),
            TestOutcome::TimedOut | TestOutcome::Passed | TestOutcome::Failed { .. } | TestOutcome::Skipped { .. } => {
                format!("did not end within {}", span::show(stage.test_limit()))
            }
        },
    })
}

/// For the report.
pub fn outcome(outcome: &TestOutcome) -> &'static str {
    match outcome {
        TestOutcome::Passed => "passed",
        TestOutcome::Skipped { .. } => "skipped",
        TestOutcome::Failed { .. } => "failed",
        TestOutcome::TimedOut => "timed-out",
        TestOutcome::Died { .. } => "died",
    }
}

/// The worst way in which each test method ended.
pub fn outcomes(suite: &Digest) -> BTreeMap<&TestMethod, &TestOutcome> {
    let badness = |outcome: &TestOutcome| match outcome {
        TestOutcome::Passed => 0,
        TestOutcome::Skipped { .. } => 1,
        TestOutcome::Failed { .. } => 2,
        TestOutcome::TimedOut => 3,
        TestOutcome::Died { .. } => 4,
    };
    let mut worst: BTreeMap<&TestMethod, &TestOutcome> = BTreeMap::new();
    for run in &suite.runs {
        let known = worst.entry(&run.method).or_insert(&run.outcome);
        if badness(&run.outcome) > badness(known) {
            *known = &run.outcome;
        }
    }
    worst
}

/// What the user should know about an observation.
pub fn notes(stage: &Stage<'_>, observed: &Observed, fallbacks: &Fallbacks) -> Vec<String> {
    let mut notes: Vec<String> = stage.project.warnings.clone();
    notes.extend(observed.report.suite.notes.iter().cloned());
    if observed.report.cut_short {
        notes.push("the suite took too long and was cut short; tests behind that are kept".to_string());
    }
    notes.extend(failing(&observed.digest));
    for target in &stage.project.targets {
        let classes = &observed.report.classes;
        // What has no code cannot be used; interfaces are seen through what implements them.
        let has_code = classes.iter().any(|c| target.classes.contains(&c.name) && !c.probes.is_empty());
        if has_code && !touched(observed, &target.classes) {
            notes.push(format!("no test uses {}", target.class.binary()));
        }
    }
    for ((class, why), times) in fallbacks {
        let class = class.binary();
        notes.push(format!("{class} was compared by its whole state {times} times: {}", reason(*why)));
    }
    notes
}

/// How many tests fail, and one of them: often something they need is missing.
fn failing(suite: &Digest) -> Option<String> {
    let worst = outcomes(suite);
    let mut failed = worst.iter().filter_map(|(test, outcome)| match outcome {
        TestOutcome::Failed { class, message, .. } => Some((test, class, message)),
        TestOutcome::Passed | TestOutcome::Skipped { .. } | TestOutcome::TimedOut | TestOutcome::Died { .. } => None,
    });
    let (test, class, message) = failed.next()?;
    let message = message.as_deref().and_then(|m| m.lines().next()).map_or(String::new(), |m| format!(": {m}"));
    let example = format!("{} with {}{message}", name(test), class.binary());
    Some(match failed.count() {
        0 => format!("a test fails: {example}"),
        others => format!("{} tests fail, among them {example}", others + 1),
    })
}

/// Whether code of one of these classes ran.
fn touched(observed: &Observed, classes: &[ClassName]) -> bool {
    let ranges: Vec<std::ops::Range<u32>> = observed
        .report
        .classes
        .iter()
        .filter(|c| classes.contains(&c.name))
        .map(|c| c.first_probe..c.first_probe + c.probes.len() as u32)
        .collect();
    let suite = &observed.digest;
    let members: BTreeSet<u32> =
        (0u32..).zip(&suite.members).filter(|(_, m)| classes.contains(&m.class)).map(|(i, _)| i).collect();
    suite.runs.iter().any(|run| {
        run.probes.iter().any(|p| ranges.iter().any(|r| r.contains(&p.0)))
            || run.members.iter().any(|m| members.contains(m))
    })
}

fn reason(why: Fallback) -> &'static str {
    match why {
        Fallback::NoEquals => "it has no equals of its own",
        Fallback::EqualsThrew => "its equals threw an exception",
        Fallback::EqualsLooped => "its equals did not end",
        Fallback::EqualsWrote => "its equals changed the object",
        Fallback::EqualsIrreflexive => "an object was not equal to itself",
        Fallback::NotCopied => "it cannot be copied",
        Fallback::TooLarge => "it is too large",
    }
}
