//! `generate --from-tests`: what existing tests do, as a place to begin. Owns running them once and the words for what could not be done again; how it is used is the
//! engine's business.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::names::ClassName;
use engine::generate::Explored;
use engine::state::rebuild::Rebuilt;
use exec::classpath::ClassPath;
use exec::suite::{SuiteConfig, observe};
use testcase::observed::{Needs, ObservedSuite};

use crate::failure::Failure;
use crate::observe::{has_junit, trouble};
use crate::report::summary::counted;
use crate::workshop::Workshop;

/// For a test, and for all.
const TEST_LIMIT: Duration = Duration::from_secs(10);
const TOTAL_LIMIT: Duration = Duration::from_secs(600);
/// More reasons are not said.
const REASONS: usize = 5;

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
    let mut config =
        SuiteConfig::new(project.jdk.clone(), workshop.runtime.clone(), workshop.scratch("existing-tests"));
    config.classpath = std::iter::once(tests.clone()).chain(absolute(&project.classpath.paths())).collect();
    if !has_junit(&project.world) {
        config.classpath.push(workshop.runtime.junit.clone());
    }
    config.tests = classes;
    config.targets = targets;
    config.needs = Needs::default();
    config.test_limit = TEST_LIMIT;
    config.total_limit = TOTAL_LIMIT;
    config.folder = std::env::current_dir().ok();
    config.heap_mb = workshop.common.expert.worker_memory;
    config.sandboxed = !workshop.common.expert.no_sandbox;
    let suite = observe(&config).map_err(|p| trouble(p, &config.targets))?.suite;
    if suite.runs.iter().all(|run| run.calls.is_empty()) {
        return Err(Failure::NoTests {
            what: format!("no test in {} uses the classes to test", tests.display()),
            hint: "--from-tests wants a folder or jar of compiled tests, and JUnit on the class path".to_string(),
        });
    }
    Ok(suite)
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
pub fn explored(explored: &Explored) -> String {
    let Explored { iterations, states, executions, complete } = explored;
    let rest = if *complete { "" } else { "; there is more" };
    let (states, executions) = (counted(*states, "state"), counted(*executions, "method execution"));
    format!("{states} and {executions} after {}{rest}", counted(*iterations as usize, "iteration"))
}
