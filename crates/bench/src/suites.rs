//! `bench suites`: suites that libraries publish, run plainly, then minimised, then run again: tests, coverage, mutation score and time before and after. Owns the comparison.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::jacoco::Coverage;
use crate::pit::{self, Analysis, Mutants};
use crate::results::{percent, seconds};
use crate::test_jars::{self, LIBRARIES, Library, TestJars};
use crate::{Lab, Problem, files};

pub mod minimize;
pub mod plain;

use minimize::Minimize;
use plain::{Plain, Ran};

#[derive(Args)]
pub struct Options {
    /// When two objects are in the same state, as testudo understands it
    #[arg(long, default_value = "whole-state")]
    technique: String,
    /// Classes of each library that PIT mutates, evenly spaced in the alphabet among those with a test class of their own; 0 for none
    #[arg(long, default_value_t = 10)]
    mutated: usize,
    /// Only the tests and classes of this package, such as `org.apache.commons.collections4.bag`
    #[arg(long)]
    package: Option<String>,
    /// Further arguments for `testudo minimize`
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true, default_value = "--test-limit 60s")]
    extra: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    library: String,
    /// As JUnit counts them in a plain run.
    before: Measured,
    /// Test methods, as testudo counts them.
    methods: usize,
    dry_run_seconds: f64,
    dry_run_cpu_seconds: f64,
    minimised: Vec<Minimised>,
    notes: Vec<String>,
}

/// What is left of a suite.
#[derive(Serialize)]
struct Minimised {
    how: &'static str,
    after: Measured,
    methods: usize,
    put_back: usize,
    verified: bool,
    /// Tests that passed before and fail after.
    broken: Vec<String>,
    seconds: f64,
}

/// With and without regard to assertions: words for the table, arguments of the command.
const WAYS: [(&str, &[&str]); 2] = [("after", &[]), ("after, assertions ignored", &["--ignore-assertions"])];

#[derive(Serialize)]
struct Measured {
    tests: usize,
    failing: usize,
    seconds: f64,
    cpu_seconds: f64,
    exceptions: usize,
    coverage: Coverage,
    mutants: Mutants,
}

const LONG: Duration = Duration::from_secs(2 * 3600);

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let mut rows = Vec::new();
    for library in LIBRARIES.iter().filter(|library| lab.wants(library.artifact.name)) {
        rows.push(measure(lab, options, library)?);
    }
    if rows.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    write(lab, options, &rows)
}

fn measure(lab: &Lab, options: &Options, library: &Library) -> Result<Row, Problem> {
    let work = lab.work.join("suites").join(library.artifact.name);
    files::renew(&work)?;
    let mut suite = test_jars::fetch(lab, library, &work)?;
    let mut target = library.targets.to_string();
    if let Some(package) = &options.package {
        suite = suite.restricted(package, &work)?;
        target = format!("{package}.*");
    }
    let targets = pit::spaced(&pit::with_own_tests(&suite.classes, &suite.tests)?, options.mutated);
    say(library, "plain run");
    let (before, ran_before) = judge(lab, &target, &suite, &suite.tests, &targets, &work.join("before"))?;
    let extra: Vec<&str> = options.extra.iter().map(String::as_str).collect();
    let minimize = |name: &str, more: &[&str]| {
        say(library, name);
        let class_path = suite.class_path();
        let out = work.join(name);
        let minimize = Minimize {
            tests: &suite.tests,
            sources: &suite.sources,
            class_path: &class_path,
            target: &target,
            technique: &options.technique,
            more,
            folder: &suite.folder,
            out: &out,
            limit: LONG,
        };
        minimize.run(lab)
    };
    let (_, dry) = minimize("dry-run", &[&extra[..], &["--dry-run"]].concat())?;
    let failed_before = ran_before.failing();
    let mut row = Row {
        library: format!("{} {}", library.artifact.name, library.artifact.version),
        before,
        methods: 0,
        dry_run_seconds: dry.wall.as_secs_f64(),
        dry_run_cpu_seconds: dry.cpu.as_secs_f64(),
        minimised: Vec::new(),
        notes: Vec::new(),
    };
    for (number, (how, arguments)) in WAYS.into_iter().enumerate() {
        let name = format!("minimised-{number}");
        let (report, took) = minimize(&name, &[&extra[..], arguments].concat())?;
        say(library, &format!("suite {how}"));
        let tests = compiled(lab, &suite, &work.join(&name).join("tests"), &work.join(format!("{name}-classes")))?;
        let (after, ran) = judge(lab, &target, &suite, &tests, &targets, &work.join(format!("{name}-judged")))?;
        let broken = ran.failing().into_iter().filter(|test| !failed_before.contains(test));
        row.minimised.push(Minimised {
            how,
            broken: broken.map(String::from).collect(),
            after,
            methods: report.tests.len() - report.removed(),
            put_back: report.put_back(),
            verified: report.verified,
            seconds: took.wall.as_secs_f64(),
        });
        row.methods = report.before.tests;
        for note in report.notes {
            if !row.notes.contains(&note) {
                row.notes.push(note);
            }
        }
    }
    Ok(row)
}

fn say(library: &Library, what: &str) {
    eprintln!("{}: {what}", library.artifact.name);
}

/// The minimised sources, compiled, beside whatever else the tests' jar holds.
fn compiled(lab: &Lab, suite: &TestJars, sources: &Path, out: &Path) -> Result<PathBuf, Problem> {
    let result = lab.jdk().compile(&files::below(sources, ".java")?, &suite.class_path(), None, out)?;
    if !result.succeeded() {
        return Err(Problem::Failed { what: "compiling the minimised suite".to_string(), detail: result.tail() });
    }
    test_jars::copy_data(&suite.tests, out)?;
    Ok(out.to_path_buf())
}

fn judge(
    lab: &Lab,
    target: &str,
    suite: &TestJars,
    tests: &Path,
    targets: &[String],
    work: &Path,
) -> Result<(Measured, Ran), Problem> {
    let class_path = suite.class_path();
    let plain = Plain { tests, class_path: &class_path, folder: &suite.folder, limit: LONG };
    let ran = plain.run(lab, &work.join("plain"))?;
    let package = target.trim_end_matches('*').trim_end_matches('.');
    let mut class_files = vec![suite.classes.clone()];
    if !target.ends_with("**") {
        class_files = files::in_folder(&suite.classes.join(package.replace('.', "/")))?;
    }
    let (_, coverage) = plain.covered(lab, &class_files, &format!("{package}.*"), &work.join("covered"))?;
    let mutants = if targets.is_empty() {
        Mutants::default()
    } else {
        let analysis = Analysis {
            jdk: lab.jdk(),
            tests: &[tests.to_path_buf()],
            classes: &suite.classes,
            needs: &suite.needs,
            targets,
            test_classes: &[format!("{package}.*Test")],
            folder: &suite.folder,
            work: &work.join("pit"),
            limit: LONG,
            threads: 2,
        };
        pit::total(&pit::analyse(lab, &analysis)?)
    };
    let measured = Measured {
        tests: ran.tests(),
        failing: ran.failing().len(),
        seconds: ran.wall.as_secs_f64(),
        cpu_seconds: ran.cpu.as_secs_f64(),
        exceptions: ran.exceptions().len(),
        coverage,
        mutants,
    };
    Ok((measured, ran))
}

fn write(lab: &Lab, options: &Options, rows: &[Row]) -> Result<(), Problem> {
    let mut results = lab.results("suites");
    results.conditions(lab.jdk());
    let heads =
        ["suite", "test methods", "tests run", "failing", "branch %", "line %", "PIT %", "killed", "plain run s"];
    let mut cells = Vec::new();
    for row in rows {
        let after = row.minimised.iter().map(|m| (m.how, m.methods, &m.after));
        for (when, methods, measured) in std::iter::once(("before", row.methods, &row.before)).chain(after) {
            cells.push(vec![
                format!("{} {when}", row.library),
                methods.to_string(),
                measured.tests.to_string(),
                measured.failing.to_string(),
                percent(measured.coverage.branches.percent()),
                percent(measured.coverage.lines.percent()),
                percent(measured.mutants.score()),
                format!("{}/{}", measured.mutants.killed, measured.mutants.total),
                seconds(measured.seconds),
            ]);
        }
    }
    results.table(&heads, &cells);
    let heads = [
        "library",
        "plain run s",
        "observed run s",
        "factor",
        "plain CPU s",
        "observed CPU s",
        "CPU factor",
        "minimised and verified s",
        "put back",
        "verified",
    ];
    let factor = |observed: f64, plain: f64| format!("{:.2}", observed / plain.max(f64::MIN_POSITIVE));
    let cells = rows.iter().flat_map(|row| row.minimised.iter().map(move |minimised| (row, minimised)));
    let cells = cells.map(|(row, minimised)| {
        vec![
            format!("{} {}", row.library, minimised.how),
            seconds(row.before.seconds),
            seconds(row.dry_run_seconds),
            factor(row.dry_run_seconds, row.before.seconds),
            seconds(row.before.cpu_seconds),
            seconds(row.dry_run_cpu_seconds),
            factor(row.dry_run_cpu_seconds, row.before.cpu_seconds),
            seconds(minimised.seconds),
            minimised.put_back.to_string(),
            if minimised.verified { "yes" } else { "NO" }.to_string(),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.paragraph(&format!(
        "Redundant by {}; PIT mutates up to {} classes of each library, evenly spaced in the alphabet among those with a test class of their own, and uses all tests.",
        options.technique, options.mutated,
    ));
    for row in rows {
        for minimised in &row.minimised {
            for test in &minimised.broken {
                results.paragraph(&format!("{} {}: passed before, fails here: {test}", row.library, minimised.how));
            }
        }
        for note in &row.notes {
            results.paragraph(&format!("{}: {note}", row.library));
        }
    }
    results.finish(&rows)
}
