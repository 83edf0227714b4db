//! `generate --from-tests`: what existing tests do, as a place to begin. Owns running them once and the words for what could not be done again; how it is used is the
//! engine's business.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;
use engine::generate::Explored;
use engine::state::rebuild::Rebuilt;
use exec::classpath::ClassPath;
use exec::suite::{SuiteConfig, SuiteProblem, observe};
use testcase::observed::{Needs, ObservedSuite};

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
    let seen = match observe(&config) {
        // What cannot be watched must not keep us from the classes under test.
        Err(SuiteProblem::BadTarget { class, .. }) if !targets.contains(&class) => {
            config.targets.clone_from(&targets);
            observe(&config)
        }
        seen => seen,
    };
    let suite = seen.map_err(|p| trouble(p, &targets))?.suite;
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
