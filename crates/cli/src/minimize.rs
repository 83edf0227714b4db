//! `testudo minimize`: observes a suite, finds superfluous tests, writes the suite without them after seeing that it is as good. Owns the order of these steps; what is
//! superfluous is decided by the engine, what has to come back by [`restore`].

pub mod deliver;
pub mod report;
pub mod restore;
pub mod rewrite;
pub mod seen;
pub mod trial;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::state::digest::Digester;
use engine::state::redundancy::{Order, Redundancy, Rules, Verdict, find_redundant};
use testcase::observed::TestMethod;

use crate::args::Minimize;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::observe::counts::Counts;
use crate::observe::source_tree::SourceTree;
use crate::observe::{Observed, Stage, Suite, is_sources};
use crate::out_dir::OutDir;
use crate::report::Seconds;
use crate::report::summary::counted;
use crate::run::now;
use crate::screen;

use deliver::Edition;
use report::{Decision, Options, Report, SCHEMA, TestReport};
use restore::{Before, PutBack, Settled, settle};
use seen::{Seen, shares};
use trial::SourceTrial;

pub fn minimize(arguments: &Minimize, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let started = now();
    let (compiled, sources) = named(arguments);
    let tree = sources.map(SourceTree::read).transpose()?;
    let inputs: Vec<&Path> = compiled.into_iter().chain(sources).collect();
    if !arguments.dry_run {
        deliver::keep_apart(&arguments.out, &inputs)?;
    }
    let stage = Stage::open(&arguments.observing, compiled.as_slice(), interrupt)?;
    let suite = match (compiled, &tree) {
        (Some(tests), _) => stage.suite(tests, "whole")?,
        (None, Some(tree)) => stage.compile_whole(tree, "whole")?,
        (None, None) => return Err(Failure::Usage("name the tests with --tests or --test-sources".to_string())),
    };
    let out = if arguments.dry_run { None } else { Some(OutDir::open(&arguments.out)?) };
    let techniques = stage.techniques();
    let mut digester = Digester::new(Some(techniques));
    let mut observed = stage.observe(&suite, techniques.needs(), &mut digester)?;
    stage.check(&observed, inputs[0])?;
    let rules = Rules { ignore_assertions: arguments.ignore_assertions, order: Order::default() };
    let redundancy = find_redundant(&observed.digest, &digester, &rules);
    let mut notes = words::notes(&stage, &observed, digester.fallbacks());
    drop(digester);
    let removed = removed(&redundancy);
    let work = match &tree {
        Some(tree) => Some(verified(&stage, &suite, tree, &observed, removed.clone())?),
        None => None,
    };
    notes.extend(work.iter().flat_map(|w| w.settled.notes.iter().cloned()));
    let tests = tests(&stage, &observed, &redundancy, work.as_ref().map(|w| &w.settled));
    let before = Counts::of(&observed);
    let gone = work.as_ref().map_or(&removed, |w| &w.settled.removed);
    observed.digest.runs.retain(|run| !gone.contains(&run.method));
    let mut after = Counts::of(&observed);
    if let Some(work) = &work {
        after = after.corrected(&work.settled.after, &|p| observed.is_branch(p));
    }
    let report = Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        jdk: stage.jdk_report(),
        options: Options {
            technique: techniques.receiver.to_string(),
            arguments: techniques.arguments.to_string(),
            ignore_assertions: arguments.ignore_assertions,
            dry_run: arguments.dry_run,
            in_place: arguments.in_place,
        },
        targets: stage.targets.iter().map(|t| t.binary()).collect(),
        before,
        after,
        verified: work.is_some(),
        tests,
        files: work.as_ref().map(|w| w.edition.files()).unwrap_or_default(),
        notes,
        seconds: Seconds { total: started.elapsed().as_secs_f64() },
    };
    deliver(arguments, &report, out.as_ref(), tree.as_ref().zip(work.as_ref().map(|w| &w.edition)))?;
    Ok(ExitCode::Success)
}

/// The compiled tests and the sources. A folder of sources is what it is, whatever option names it.
fn named(arguments: &Minimize) -> (Option<&Path>, Option<&Path>) {
    match (arguments.tests.as_deref(), arguments.test_sources.as_deref()) {
        (Some(tests), None) if is_sources(tests) => (None, Some(tests)),
        named => named,
    }
}

/// What came of trying the suite without its superfluous tests.
struct Work {
    settled: Settled,
    edition: Edition,
}

fn removed(redundancy: &Redundancy) -> BTreeSet<TestMethod> {
    redundancy.tests.iter().filter(|t| t.is_redundant()).map(|t| t.method.clone()).collect()
}

fn verified(
    stage: &Stage<'_>,
    suite: &Suite,
    tree: &SourceTree,
    observed: &Observed,
    removed: BTreeSet<TestMethod>,
) -> Result<Work, Failure> {
    let mut trial = SourceTrial::new(stage, suite, tree, observed)?;
    let (removable, elsewhere) = trial.removable(&removed);
    let counts = |p| observed.counts(p);
    let seen = Seen::of(&observed.digest, &counts);
    let shares = shares(&observed.digest, &counts);
    let order = order(observed);
    let before = Before { seen: &seen, shares: &shares, order: &order };
    let mut settled = settle(&before, removable, &mut trial)?;
    let unknown = elsewhere.into_iter().map(|test| (test, PutBack::NotInSources));
    settled.put_back.extend(unknown);
    let idle = trial.idle(&settled.removed);
    settled.notes.extend(idle.iter().map(|helper| format!("{helper} stays, but nothing calls it any more")));
    let edition = trial.edition(&settled.removed);
    Ok(Work { settled, edition })
}

/// Test methods as they ran first.
fn order(observed: &Observed) -> Vec<TestMethod> {
    let mut known = BTreeSet::new();
    let methods = observed.digest.runs.iter().map(|r| &r.method);
    methods.filter(|m| known.insert((*m).clone())).cloned().collect()
}

fn tests(
    stage: &Stage<'_>,
    observed: &Observed,
    redundancy: &Redundancy,
    settled: Option<&Settled>,
) -> Vec<TestReport> {
    let outcomes = words::outcomes(&observed.digest);
    let put_back: BTreeMap<&TestMethod, &PutBack> =
        settled.into_iter().flat_map(|s| s.put_back.iter().map(|(test, why)| (test, why))).collect();
    let report = |judged: &engine::state::redundancy::Judged| {
        // Every judged test has run.
        let outcome = outcomes[&judged.method];
        let (decision, reason, because) = match (&judged.verdict, put_back.get(&judged.method)) {
            (Verdict::Redundant { .. }, Some(why)) => (Decision::PutBack, Some(why.to_string()), Vec::new()),
            (Verdict::Redundant { because }, None) => {
                let names = because.iter().map(|&at| words::name(&redundancy.tests[at].method)).collect();
                (Decision::Redundant, None, names)
            }
            (Verdict::Kept(why), _) => (Decision::Kept, words::why(why, outcome, stage), Vec::new()),
        };
        TestReport {
            class: judged.method.class.binary(),
            method: judged.method.name.to_string(),
            descriptor: judged.method.descriptor.to_string(),
            runs: judged.runs,
            outcome: words::outcome(outcome),
            method_executions: judged.executions,
            decision,
            reason,
            because,
        }
    };
    redundancy.tests.iter().map(report).collect()
}

/// Everything that is written and printed at the end.
fn deliver(
    arguments: &Minimize,
    report: &Report,
    out: Option<&OutDir>,
    sources: Option<(&SourceTree, &Edition)>,
) -> Result<(), Failure> {
    let json = report.to_json();
    if let Some(out) = out {
        match sources {
            Some((tree, edition)) if arguments.in_place => edition.write_in_place(tree, out)?,
            Some((tree, edition)) => edition.write(tree, out)?,
            None => out.write(Path::new("superfluous.txt"), report.superfluous().as_bytes())?,
        }
        out.write(Path::new("minimize.json"), json.as_bytes())?;
    }
    if let Some(file) = &arguments.observing.json {
        deliver::write_file(file, json.as_bytes())?;
    }
    screen::print(&screen::layout(&format!("{}\n{}\n", report.text(), closing_line(arguments, report, sources))));
    Ok(())
}

/// Where everything is.
fn closing_line(arguments: &Minimize, report: &Report, sources: Option<(&SourceTree, &Edition)>) -> String {
    let left = counted(report.after.tests, "test");
    let details = arguments.out.join("minimize.json");
    match sources {
        _ if arguments.dry_run => format!("{left} would stay; nothing was written"),
        None => {
            let list = arguments.out.join("superfluous.txt");
            let (list, details) = (list.display(), details.display());
            format!(
                "{left} should stay; without --test-sources no suite is written, the others are listed in {list}; details in {details}"
            )
        }
        Some((tree, edition)) if arguments.in_place => {
            let changed = counted(edition.files().len(), "file");
            let originals = arguments.out.join("originals");
            let root = tree.root.display();
            format!("{left} in {root}, {changed} changed, their originals in {}", originals.display())
        }
        Some(_) => {
            let tests = arguments.out.join("tests");
            format!("{left}, compiled and run again, in {}; details in {}", tests.display(), details.display())
        }
    }
}
