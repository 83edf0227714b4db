//! `bench coverage`: a suite for every subject, judged by javac, JUnit and JaCoCo. Owns the table of subjects.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::jacoco::{self, Coverage};
use crate::junit::{JUnit, Runs};
use crate::product::{self, ClassReport, Generate};
use crate::results::{percent, seconds};
use crate::subject::{Origin, SUBJECTS, Subject};
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Wall clock per class, as testudo understands it
    #[arg(long, default_value = "10s")]
    budget: String,
    /// Runs in shuffled order that decide about flaky tests
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// Further arguments for testudo
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    extra: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    class: String,
    /// `null` where JaCoCo cannot see the class because the JVM needs it to start.
    jacoco: Option<Coverage>,
    reported_branches: jacoco::Ratio,
    one_second: Option<u32>,
    tests: usize,
    statements: usize,
    failing: usize,
    flaky: usize,
    findings: usize,
    failing_tests_that_fail: usize,
    failing_tests: usize,
    executions: u64,
    search_seconds: f64,
    wall_seconds: f64,
    problem: Option<String>,
}

/// A subject's suite on its way through the instruments.
struct Suite {
    subject: &'static Subject,
    report: ClassReport,
    wall: Duration,
    /// Compiled tests; `None` if there are none or they do not compile.
    classes: Option<PathBuf>,
    failing: Option<PathBuf>,
    coverage: Option<Coverage>,
    problem: Option<String>,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::subjects(lab)?;
    let junit = JUnit { jdk: lab.jdk(), jars: &lab.jars, limit: Duration::from_secs(120) };
    let work = lab.work.join("coverage");
    files::renew(&work)?;
    let mut suites = Vec::new();
    let mut lost = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| lab.wants(subject.class)) {
        eprintln!("{}", subject.class);
        match suite(lab, options, subject, &classes, &junit, &work) {
            Ok(suite) => suites.push(suite),
            Err(problem) => lost.push(format!("{}: {problem}", subject.class)),
        }
    }
    if suites.is_empty() && lost.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let passing: Vec<PathBuf> = suites.iter().filter_map(|suite| suite.classes.clone()).collect();
    let runs = junit.shuffled(&passing, std::slice::from_ref(&classes), options.runs, &work.join("shuffled"))?;
    let mut rows = Vec::new();
    for suite in &suites {
        rows.push(row(suite, &runs, &junit, &classes, &work)?);
    }
    write(lab, options, &rows, &runs, &lost)
}

fn suite(
    lab: &Lab,
    options: &Options,
    subject: &'static Subject,
    classes: &Path,
    junit: &JUnit,
    work: &Path,
) -> Result<Suite, Problem> {
    let out = work.join(subject.folder());
    let mut more = vec!["--budget".to_string(), options.budget.clone()];
    more.extend(options.extra.iter().cloned());
    let generate = Generate {
        targets: vec![subject.class.to_string()],
        class_path: vec![classes.to_path_buf()],
        jdk: lab.jdk(),
        seed: lab.seed,
        more,
        out: out.clone(),
        limit: Duration::from_secs(900),
    };
    let finished = lab.product.generate(&generate)?;
    let report = product::report(&out)
        .map_err(|problem| Problem::Failed { what: problem.to_string(), detail: finished.tail() })?;
    let missing = || Problem::Failed { what: subject.class.to_string(), detail: "not in the report".to_string() };
    let report = report.classes.into_iter().find(|class| class.class == subject.class).ok_or_else(missing)?;
    let mut suite = Suite {
        subject,
        report,
        wall: finished.wall,
        classes: None,
        failing: None,
        coverage: None,
        problem: (!finished.succeeded()).then(|| finished.tail()),
    };
    let class_path = [classes.to_path_buf()];
    suite.classes = compiled(&out, "tests", &class_path, junit, &mut suite.problem)?;
    suite.failing = compiled(&out, "failing", &class_path, junit, &mut suite.problem)?;
    suite.coverage = coverage(lab, &suite, classes, junit, work)?;
    Ok(suite)
}

fn compiled(
    out: &Path,
    kind: &str,
    class_path: &[PathBuf],
    junit: &JUnit,
    problem: &mut Option<String>,
) -> Result<Option<PathBuf>, Problem> {
    let sources = files::below(&out.join(kind), ".java")?;
    if sources.is_empty() {
        return Ok(None);
    }
    let folder = out.with_extension(format!("{kind}-classes"));
    Ok(match junit.compile(&sources, class_path, &folder)? {
        None => Some(folder),
        Some(errors) => {
            *problem = Some(format!("{kind} do not compile: {errors}"));
            None
        }
    })
}

/// The subject's own coverage (with its nested classes) by its own suite alone; `None` if JaCoCo cannot see it.
fn coverage(lab: &Lab, suite: &Suite, classes: &Path, junit: &JUnit, work: &Path) -> Result<Option<Coverage>, Problem> {
    let class = suite.subject.class;
    let folder = suite.subject.folder();
    let record = work.join(format!("{folder}.exec"));
    let (own, options) = match suite.subject.origin {
        Origin::Fixture => {
            let includes = format!("{class}:{class}$*");
            (classes.to_path_buf(), jacoco::agent(&lab.jars, &record, &includes)?)
        }
        Origin::Jdk => {
            let extracted = work.join(format!("{folder}-extracted"));
            lab.jdk().extract(class, &extracted)?;
            let own = extracted.join("java.base");
            let options = jacoco::patch(&lab.jars, lab.jdk(), &record, &own)?;
            (own, options)
        }
    };
    if let Some(tests) = &suite.classes {
        let run = work.join(format!("{folder}-jacoco"));
        let class_path = [classes.to_path_buf()];
        let verdicts = junit.once(std::slice::from_ref(tests), &class_path, &options, 0, &run)?;
        if verdicts.is_none() {
            return Ok(None);
        }
    }
    if !record.exists() {
        files::write(&record, "")?;
    }
    let simple = suite.subject.simple();
    let mut class_files = files::below(&own, ".class")?;
    class_files.retain(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        name == simple || name.starts_with(&format!("{simple}$"))
    });
    let rows = jacoco::rows(&lab.jars, lab.jdk(), &record, &class_files)?;
    Ok(Some(jacoco::sum(&rows)))
}

fn row(suite: &Suite, runs: &Runs, junit: &JUnit, classes: &Path, work: &Path) -> Result<Row, Problem> {
    let own = match &suite.classes {
        Some(folder) => of_folder(runs, folder)?,
        None => Vec::new(),
    };
    let failing_runs = match &suite.failing {
        Some(folder) => {
            let run = work.join(format!("{}-failing", suite.subject.folder()));
            junit.shuffled(std::slice::from_ref(folder), &[classes.to_path_buf()], 2, &run)?
        }
        None => Runs::default(),
    };
    let ran: usize = own.iter().map(Runs::tests).sum();
    let mut problem = suite.problem.clone();
    if problem.is_none() && ran != suite.report.tests {
        problem = Some(format!("{} tests reported, {ran} found by JUnit", suite.report.tests));
    }
    let branch = suite.report.goal("branch");
    Ok(Row {
        class: suite.subject.class.to_string(),
        jacoco: suite.coverage,
        reported_branches: jacoco::Ratio { covered: branch.covered, total: branch.total },
        one_second: suite.subject.one_second,
        tests: ran,
        statements: suite.report.statements,
        failing: own.iter().map(|runs| runs.failing().len()).sum(),
        flaky: own.iter().map(|runs| runs.flaky().len()).sum(),
        findings: suite.report.findings.len(),
        failing_tests_that_fail: failing_runs.failing().len(),
        failing_tests: failing_runs.tests(),
        executions: suite.report.executions,
        search_seconds: suite.report.seconds.search,
        wall_seconds: suite.wall.as_secs_f64(),
        problem,
    })
}

/// The verdicts of the test classes compiled to a folder.
fn of_folder(runs: &Runs, folder: &Path) -> Result<Vec<Runs>, Problem> {
    let mut own = Vec::new();
    for file in files::below(folder, ".class")? {
        let path = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
        own.push(runs.of_class(&format!("{}.", path.display().to_string().replace('/', "."))));
    }
    Ok(own)
}

fn write(lab: &Lab, options: &Options, rows: &[Row], runs: &Runs, lost: &[String]) -> Result<(), Problem> {
    let mut results = lab.results("coverage");
    results.conditions(lab.jdk());
    let heads = [
        "class",
        "branch %",
        "line %",
        "branches",
        "reported",
        "literature, 1 s",
        "tests",
        "statements",
        "failing",
        "flaky",
        "contract tests",
        "of them fail",
        "executions",
        "search s",
        "wall s",
    ];
    let mut table = Vec::new();
    let mut total = Coverage::default();
    let mut percents = Vec::new();
    for row in rows {
        let mut cells = vec![row.class.clone()];
        if let Some(seen) = row.jacoco {
            total.branches.add(seen.branches);
            total.lines.add(seen.lines);
            percents.push(seen.branches.percent());
            cells.push(percent(seen.branches.percent()));
            cells.push(percent(seen.lines.percent()));
            cells.push(format!("{}/{}", seen.branches.covered, seen.branches.total));
        } else {
            cells.extend(["–"; 3].map(String::from));
        }
        cells.extend([
            format!("{}/{}", row.reported_branches.covered, row.reported_branches.total),
            row.one_second.map_or(String::new(), |percent| percent.to_string()),
            row.tests.to_string(),
            row.statements.to_string(),
            row.failing.to_string(),
            row.flaky.to_string(),
            row.failing_tests.to_string(),
            row.failing_tests_that_fail.to_string(),
            row.executions.to_string(),
            seconds(row.search_seconds),
            seconds(row.wall_seconds),
        ]);
        table.push(cells);
    }
    results.table(&heads, &table);
    let mean = percents.iter().sum::<f64>() / percents.len().max(1) as f64;
    results.paragraph(&format!(
        "All together {:.1} % of the branches, {:.1} % of the lines; mean of the classes {mean:.1} % of the branches. \
         {} tests in {} shuffled runs: {} always failing, {} flaky, {} runs broken.",
        total.branches.percent(),
        total.lines.percent(),
        runs.tests(),
        options.runs,
        runs.failing().len(),
        runs.flaky().len(),
        runs.broken,
    ));
    let problems = rows.iter().filter_map(|row| Some(format!("{}: {}", row.class, row.problem.as_ref()?)));
    let problems: Vec<String> = problems.chain(lost.iter().cloned()).collect();
    for problem in &problems {
        results.paragraph(&format!("Problem: {problem}"));
    }
    for test in runs.failing() {
        results.paragraph(&format!("Always fails: {test}"));
    }
    for test in runs.flaky() {
        results.paragraph(&format!("Flaky: {test}"));
    }
    results.finish(&rows)
}
