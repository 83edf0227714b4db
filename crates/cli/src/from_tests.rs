//! `generate --from-tests`: what existing tests do, as a place to begin. Owns running them once and the words for what could not be done again; how it is used is the
//! engine's business.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;
use engine::generate::Explored;
use engine::state::rebuild::Rebuilt;
use exec::classpath::ClassPath;
use exec::suite::{SuiteConfig, SuiteProblem, observe_each};
use testcase::observed::{Needs, ObservedSuite, TestRun};

use crate::failure::Failure;
use crate::observe::{has_junit, trouble};
use crate::report::ExploredReport;
use crate::report::summary::counted;
use crate::workshop::Workshop;

/// For a test, and for all.
const TEST_LIMIT: Duration = Duration::from_secs(10);
const TOTAL_LIMIT: Duration = Duration::from_secs(600);
/// More reasons are not said.
const REASONS: usize = 5;
/// Calls that are kept of all tests together. They stay in memory until the last class is done.
const MOST_CALLS: usize = 500_000;

/// Runs the tests in that folder or jar.
pub fn observed(workshop: &Workshop<'_>, tests: &Path) -> Result<ObservedSuite, Failure> {
    let project = workshop.project;
    let unreadable = |cause: String| Failure::UnreadableInput { path: tests.to_path_buf(), cause };
    let tests = std::path::absolute(tests).map_err(|e| unreadable(e.to_string()))?;
    let platform = project.classpath.platform().clone();
    let (opened, problems) = ClassPath::open(std::slice::from_ref(&tests), &project.jdk, platform);
    if let Some(problem) = problems.into_iter().next() {
        return Err(unreadable(problem.to_string()));
    }
    let classes = opened.names_in(&tests);
    let targets: Vec<ClassName> = project.targets.iter().flat_map(|t| t.classes.clone()).collect();
    let watched = with_arguments(&project.world, &targets);
    let mut config =
        SuiteConfig::new(project.jdk.clone(), workshop.runtime.clone(), workshop.scratch("existing-tests"));
    config.classpath = std::iter::once(tests.clone()).chain(absolute(&project.classpath.paths())).collect();
    if !has_junit(&project.world) {
        config.classpath.push(workshop.runtime.junit.clone());
    }
    config.tests = classes;
    config.targets = watched;
    config.needs = Needs::default();
    config.test_limit = TEST_LIMIT;
    config.total_limit = TOTAL_LIMIT;
    config.folder = std::env::current_dir().ok();
    config.heap_mb = workshop.common.expert.worker_memory;
    config.sandboxed = !workshop.common.expert.no_sandbox;
    config.stop = workshop.interrupt.flag();
    let seen = match observed_up_to(&config, MOST_CALLS) {
        // What cannot be watched must not keep us from the classes under test.
        Err(SuiteProblem::BadTarget { class, .. }) if !targets.contains(&class) => {
            config.targets.clone_from(&targets);
            observed_up_to(&config, MOST_CALLS)
        }
        seen => seen,
    };
    let suite = seen.map_err(|p| trouble(p, &targets))?;
    let touched = |member: &u32| {
        let member = suite.members.get(*member as usize);
        member.is_some_and(|m| {
            targets.iter().any(|t| *t == m.class || project.world.is_subclass(t, &m.class) == Some(true))
        })
    };
    if !suite.runs.iter().flat_map(|run| &run.calls).any(|call| touched(&call.member)) {
        return Err(Failure::NoTests {
            what: format!("no test in {} uses the classes to test", tests.display()),
            hint: "--from-tests wants a folder or jar of compiled tests, and JUnit on the class path".to_string(),
        });
    }
    Ok(suite)
}

/// Runs the suite; of tests beyond so many calls nothing is kept.
fn observed_up_to(config: &SuiteConfig, most: usize) -> Result<ObservedSuite, SuiteProblem> {
    let mut kept = Kept { runs: Vec::new(), calls: 0, left_out: 0, most };
    let mut suite = observe_each(config, &mut |_, run| kept.add(run))?.suite;
    suite.notes.extend(kept.note());
    suite.runs = kept.runs;
    Ok(suite)
}

/// Runs with all their calls, as long as there is room.
struct Kept {
    runs: Vec<TestRun>,
    calls: usize,
    /// Runs without room.
    left_out: usize,
    most: usize,
}

impl Kept {
    fn add(&mut self, run: TestRun) {
        if self.calls + run.calls.len() > self.most {
            self.left_out += 1;
        } else {
            self.calls += run.calls.len();
            self.runs.push(run);
        }
    }

    fn note(&self) -> Option<String> {
        let Kept { runs, calls, left_out, .. } = self;
        let tests = |n: usize| counted(n, "test");
        let kept = tests(runs.len());
        (*left_out > 0).then(|| {
            format!(
                "{kept} with {calls} calls are begun from; {} more make too many calls to be kept",
                tests(*left_out)
            )
        })
    }
}

/// Classes whose objects tests make to pass them, beside the classes under test.
const MOST_WATCHED: usize = 64;

/// The classes under test, and those of the project whose objects they are given: to make these again, one has to have seen how tests make them.
fn with_arguments(world: &World, targets: &[ClassName]) -> Vec<ClassName> {
    let mut watched = targets.to_vec();
    let mut at = 0;
    while let Some(info) = watched.get(at).map(|class| world.class(class)) {
        let makers_only = at >= targets.len();
        at += 1;
        let Ok(info) = info else { continue };
        let methods = info.methods.iter().filter(|m| !makers_only || m.name == "<init>" || m.access.is_static());
        for param in methods.flat_map(|m| &m.descriptor.params) {
            if let FieldType::Class(class) = param
                && watched.len() < targets.len() + MOST_WATCHED
                && !watched.contains(class)
                && world.is_application(class)
                && world.class(class).is_ok_and(|c| !c.is_interface() && !c.is_enum())
            {
                watched.push(class.clone());
            }
        }
    }
    watched
}

fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|p| std::path::absolute(p).unwrap_or_else(|_| p.clone())).collect()
}

/// How much of the tests could be used, for the class's notes.
pub fn notes(rebuilt: &Rebuilt) -> Vec<String> {
    let mut notes =
        vec![format!("begins from {} of {} calls that existing tests make", rebuilt.calls, rebuilt.observed)];
    let mut missed: Vec<_> = rebuilt.missed.iter().collect();
    missed.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
    for (why, times) in missed.iter().take(REASONS) {
        notes.push(format!("{times} calls of existing tests are left out: {why}"));
    }
    notes
}

/// How far an exploration of states got.
pub fn explored(explored: Explored) -> ExploredReport {
    let Explored { iterations, states, executions, complete } = explored;
    ExploredReport { states, executions, iterations, complete }
}

/// The same in words.
pub fn told(explored: &ExploredReport) -> String {
    let ExploredReport { states, executions, iterations, complete } = explored;
    let rest = if *complete { "" } else { "; there is more" };
    let (states, executions) = (counted(*states, "state"), counted(*executions, "method execution"));
    format!("{states} and {executions} after {}{rest}", counted(*iterations as usize, "iteration"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcase::observed::{CallEnd, ObservedCall, TestMethod, TestOutcome};

    fn run(calls: usize) -> TestRun {
        let call = ObservedCall {
            member: 0,
            receiver: None,
            arguments: Vec::new(),
            joint: None,
            end: CallEnd::Returned(None),
            written: Vec::new(),
        };
        TestRun {
            method: TestMethod { class: ClassName::new("p/T"), name: "t".into(), descriptor: "()V".into() },
            class: ClassName::new("p/T"),
            display: "t".into(),
            outcome: TestOutcome::Passed,
            calls: vec![call; calls],
            unrecorded: 0,
            assertions: Vec::new(),
            probes: Vec::new(),
            micros: 0,
        }
    }

    #[test]
    fn calls_of_a_large_suite_are_kept_as_far_as_there_is_room() {
        let mut kept = Kept { runs: Vec::new(), calls: 0, left_out: 0, most: 10 };
        for calls in [4, 5] {
            kept.add(run(calls));
        }
        assert_eq!(kept.note(), None);
        for calls in [2, 1, 7] {
            kept.add(run(calls));
        }
        assert_eq!(kept.runs.iter().map(|r| r.calls.len()).collect::<Vec<_>>(), [4, 5, 1]);
        let note = "3 tests with 10 calls are begun from; 2 tests more make too many calls to be kept";
        assert_eq!(kept.note().as_deref(), Some(note));
    }
}
