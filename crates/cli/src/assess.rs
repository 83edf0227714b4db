//! `testudo assess`: what a suite does, in numbers; two suites side by side; and the tests of the second that add something to the first. Owns the order of
//! these steps; the counting and comparing is the engine's.

pub mod report;

use std::collections::BTreeSet;
use std::path::Path;

use engine::state::assess::{Comparison, compare};
use engine::state::digest::Digester;
use engine::state::executions::Fallbacks;
use testcase::observed::TestMethod;

use crate::args::Assess;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::minimize::deliver::{self, Edition};
use crate::minimize::restore::{Before, PutBack, Settled, settle};
use crate::minimize::seen::Seen;
use crate::minimize::trial::SourceTrial;
use crate::minimize::words;
use crate::observe::counts::Counts;
use crate::observe::source_tree::SourceTree;
use crate::observe::{Observed, Stage, Suite, is_sources};
use crate::out_dir::OutDir;
use crate::report::Seconds;
use crate::run::now;
use crate::screen;

use report::{AdditionReport, Report, SCHEMA, Second, TestName};

pub fn assess(arguments: &Assess, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let started = now();
    let own = arguments.second.as_deref().filter(|b| arguments.select.is_some() && is_sources(b));
    let sources_b = arguments.sources_b.as_deref().or(own);
    let sources = sources_b.map(SourceTree::read).transpose()?;
    let mut inputs: Vec<&Path> = vec![&arguments.first];
    inputs.extend(arguments.second.as_deref());
    if let Some(out) = &arguments.select {
        let read: Vec<&Path> = inputs.iter().copied().chain(sources_b).collect();
        deliver::keep_apart(out, &read)?;
    }
    let stage = Stage::open(&arguments.observing, &inputs, interrupt)?;
    let techniques = stage.techniques();
    let mut digester = Digester::new(Some(techniques));
    let mut observed: Vec<(Suite, Observed)> = Vec::new();
    for (path, name) in inputs.iter().zip(["a", "b"]) {
        let suite = stage.suite(path, name)?;
        let seen = stage.observe(&suite, techniques.needs(), &mut digester)?;
        stage.check(&seen, path)?;
        observed.push((suite, seen));
    }
    let (_, a) = &observed[0];
    let mut report = Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        jdk: stage.jdk_report(),
        technique: techniques.receiver.to_string(),
        arguments: techniques.arguments.to_string(),
        targets: stage.targets.iter().map(|t| t.binary()).collect(),
        a: Counts::of(a),
        second: None,
        notes: Vec::new(),
        seconds: Seconds::default(),
    };
    let mut out = None;
    if let Some((suite, b)) = observed.get(1) {
        let comparison = compare(&a.digest, &b.digest, [&|p| a.branch(p), &|p| b.branch(p)]);
        let selection = match (&arguments.select, &sources) {
            (Some(_), Some(tree)) => Some(select(&stage, suite, tree, b, &comparison)?),
            _ => None,
        };
        report.second = Some(second(a, b, &comparison, selection.as_ref().map(|s| &s.settled)));
        report.notes.extend(notes(&stage, &[a, b], digester.fallbacks()));
        report.notes.extend(selection.iter().flat_map(|s| s.settled.notes.iter().cloned()));
        if let Some(folder) = &arguments.select {
            out = Some(write(folder, &report, sources.as_ref().zip(selection.as_ref().map(|s| &s.edition)))?);
        }
    } else {
        report.notes.extend(notes(&stage, &[a], digester.fallbacks()));
    }
    report.seconds.total = started.elapsed().as_secs_f64();
    let json = report.to_json();
    if let Some(out) = &out {
        out.write(Path::new("assess.json"), json.as_bytes())?;
    }
    if let Some(file) = &arguments.observing.json {
        deliver::write_file(file, json.as_bytes())?;
    }
    screen::print(&screen::layout(&report.text()));
    if let Some(folder) = &arguments.select {
        let what = if sources.is_some() { "tests" } else { "selected.txt" };
        let path = folder.join(what).display().to_string();
        screen::print(&format!("\nthe selected tests of B are in {}\n", screen::one_line(&path)));
    }
    Ok(ExitCode::Success)
}

/// What the user should know, each thing once.
fn notes(stage: &Stage<'_>, observed: &[&Observed], fallbacks: &Fallbacks) -> Vec<String> {
    let mut notes = Vec::new();
    for (at, seen) in observed.iter().enumerate() {
        let none = Fallbacks::new();
        for note in words::notes(stage, seen, if at == 0 { fallbacks } else { &none }) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

fn second(a: &Observed, b: &Observed, comparison: &Comparison, settled: Option<&Settled>) -> Second {
    let seen = |observed: &Observed| Seen::of(&observed.digest, &|p| observed.is_branch(p));
    let (seen_a, seen_b) = (seen(a), seen(b));
    let mut both = seen_a.clone();
    both.failing += seen_b.failing;
    both.exceptions.extend(seen_b.exceptions.iter().cloned());
    let additions = comparison.additions.iter().map(|addition| AdditionReport {
        test: TestName::of(&addition.test),
        method_executions: addition.executions,
        object_states: addition.states,
        branches: addition.branches,
        exceptions: addition.exceptions,
    });
    let kept: Vec<(TestName, String)> = settled
        .into_iter()
        .flat_map(|s| &s.put_back)
        .map(|(test, why)| (TestName::of(test), why.to_string()))
        .collect();
    Second {
        b: Counts::new(&comparison.b, &seen_b, b),
        both: Counts::new(&comparison.both, &both, b),
        additions: additions.collect(),
        superfluous: comparison.superfluous.iter().map(TestName::of).collect(),
        put_back: kept.into_iter().map(|(test, reason)| report::PutBackReport { test, reason }).collect(),
    }
}

/// B without the tests that add nothing.
struct Selection {
    settled: Settled,
    edition: Edition,
}

fn select(
    stage: &Stage<'_>,
    suite: &Suite,
    tree: &SourceTree,
    b: &Observed,
    comparison: &Comparison,
) -> Result<Selection, Failure> {
    let mut trial = SourceTrial::new(stage, suite, tree, b)?;
    let superfluous: BTreeSet<TestMethod> = comparison.superfluous.iter().cloned().collect();
    let (removable, elsewhere) = trial.removable(&superfluous);
    // Branches and exceptions are A's business; what is selected has to compile and to pass.
    let mut seen = Seen::of(&b.digest, &|_| false);
    seen.exceptions.clear();
    let order: Vec<TestMethod> = b.digest.runs.iter().map(|r| r.method.clone()).collect();
    let before = Before { seen: &seen, shares: &Default::default(), order: &order };
    let mut settled = settle(&before, removable, &mut trial)?;
    settled.put_back.extend(elsewhere.into_iter().map(|test| (test, PutBack::NotInSources)));
    let edition = trial.edition(&settled.removed);
    Ok(Selection { settled, edition })
}

/// The selected tests: sources, or a list of names.
fn write(folder: &Path, report: &Report, sources: Option<(&SourceTree, &Edition)>) -> Result<OutDir, Failure> {
    let out = OutDir::open(folder)?;
    match sources {
        Some((tree, edition)) => edition.write(tree, &out)?,
        None => {
            let additions = report.second.iter().flat_map(|s| &s.additions);
            let list: String = additions.map(|a| format!("{}#{}\n", a.test.class, a.test.method)).collect();
            out.write(Path::new("selected.txt"), list.as_bytes())?;
        }
    }
    Ok(out)
}
