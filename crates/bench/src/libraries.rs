//! `bench libraries`: whole jars from Maven Central through the product and then through the instruments. Owns the list
//! of libraries and how reasons for untested methods are grouped.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::jacoco::{self, Coverage};
use crate::jars::Artifact;
use crate::junit::{JUnit, Runs};
use crate::product::{self, ClassReport, Generate};
use crate::results::{percent, seconds};
use crate::{Lab, Problem, files};

#[derive(Args)]
pub struct Options {
    /// Wall clock per class
    #[arg(long, default_value = "2s")]
    budget: String,
    /// Runs in shuffled order
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Classes that testudo works on at the same time
    #[arg(long, default_value_t = 2)]
    jobs: u16,
    /// Instead of the whole jar: a class or pattern in it
    #[arg(long)]
    target: Option<String>,
}

pub const LIBRARIES: [Artifact; 3] = [
    Artifact::new("org.apache.commons", "commons-lang3", "3.17.0", ""),
    Artifact::new("org.apache.commons", "commons-collections4", "4.4", ""),
    Artifact::new("joda-time", "joda-time", "2.13.0", ""),
];

#[derive(Serialize)]
struct Row {
    library: String,
    exit_code: Option<i32>,
    hung: bool,
    classes: usize,
    /// Classes by status.
    statuses: BTreeMap<String, usize>,
    jacoco: Coverage,
    reported: Coverage,
    tests: usize,
    compiles: bool,
    failing: Vec<String>,
    flaky: Vec<String>,
    broken_runs: usize,
    findings: BTreeMap<String, usize>,
    dropped: BTreeMap<String, usize>,
    deaths: BTreeMap<String, u64>,
    methods: usize,
    /// Methods without a test, by reason with the particulars taken out.
    why_not: BTreeMap<String, usize>,
    executions: u64,
    wall_seconds: f64,
    longest_class_seconds: f64,
    problems: Vec<String>,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let mut rows = Vec::new();
    for library in LIBRARIES.iter().filter(|library| lab.wants(library.name)) {
        eprintln!("{}", library.name);
        rows.push(measure(lab, options, library)?);
    }
    if rows.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    write(lab, &rows)
}

fn measure(lab: &Lab, options: &Options, library: &Artifact) -> Result<Row, Problem> {
    let jar = lab.jars.fetch(library)?;
    let work = lab.work.join("libraries").join(library.name);
    files::renew(&work)?;
    let out = work.join("out");
    let generate = Generate {
        targets: vec![options.target.clone().unwrap_or_else(|| jar.display().to_string())],
        class_path: vec![jar.clone()],
        jdk: lab.jdk(),
        seed: lab.seed,
        more: ["--budget", &options.budget, "--jobs", &options.jobs.to_string()].map(String::from).to_vec(),
        out: out.clone(),
        limit: Duration::from_secs(4 * 3600),
    };
    let finished = lab.product.generate(&generate)?;
    let report = product::report(&out)
        .map_err(|problem| Problem::Failed { what: problem.to_string(), detail: finished.tail() })?;
    let mut row = summary(library, &report.classes);
    row.exit_code = finished.code;
    row.hung = finished.timed_out;
    row.wall_seconds = finished.wall.as_secs_f64();
    judge(lab, options, &jar, &work, &mut row)?;
    Ok(row)
}

/// Compiles, runs and measures the whole suite of a library.
fn judge(lab: &Lab, options: &Options, jar: &PathBuf, work: &std::path::Path, row: &mut Row) -> Result<(), Problem> {
    let junit = JUnit { jdk: lab.jdk(), jars: &lab.jars, limit: Duration::from_secs(1800) };
    let class_path = std::slice::from_ref(jar);
    let suite = [work.join("suite")];
    let sources = files::below(&work.join("out/tests"), ".java")?;
    if sources.is_empty() {
        row.problems.push("no tests".to_string());
        return Ok(());
    }
    if let Some(errors) = junit.compile(&sources, class_path, &suite[0])? {
        row.problems.push(format!("does not compile: {errors}"));
        return Ok(());
    }
    row.compiles = true;
    let runs: Runs = junit.shuffled(&suite, class_path, options.runs, &work.join("shuffled"))?;
    row.tests = runs.tests();
    row.failing = runs.failing().into_iter().map(String::from).collect();
    row.flaky = runs.flaky().into_iter().map(String::from).collect();
    row.broken_runs = runs.broken;
    let record = work.join("suite.exec");
    let agent = jacoco::agent(&lab.jars, &record, "org.*")?;
    junit.once(&suite, class_path, &agent, 0, &work.join("jacoco"))?;
    if record.exists() {
        row.jacoco = jacoco::sum(&jacoco::rows(&lab.jars, lab.jdk(), &record, class_path)?);
    }
    Ok(())
}

fn summary(library: &Artifact, classes: &[ClassReport]) -> Row {
    let mut row = Row {
        library: format!("{} {}", library.name, library.version),
        exit_code: None,
        hung: false,
        classes: classes.len(),
        statuses: BTreeMap::new(),
        jacoco: Coverage::default(),
        reported: Coverage::default(),
        tests: 0,
        compiles: false,
        failing: Vec::new(),
        flaky: Vec::new(),
        broken_runs: 0,
        findings: BTreeMap::new(),
        dropped: BTreeMap::new(),
        deaths: BTreeMap::new(),
        methods: 0,
        why_not: BTreeMap::new(),
        executions: 0,
        wall_seconds: 0.0,
        longest_class_seconds: 0.0,
        problems: Vec::new(),
    };
    for class in classes {
        *row.statuses.entry(class.status.clone()).or_default() += 1;
        if class.status == "failed" {
            row.problems.push(format!("{}: {}", class.class, class.notes.join("; ")));
        }
        for (kind, sum) in [("branch", &mut row.reported.branches), ("line", &mut row.reported.lines)] {
            let goal = class.goal(kind);
            sum.add(jacoco::Ratio { covered: goal.covered, total: goal.total });
        }
        for finding in &class.findings {
            *row.findings.entry(finding.contract.clone()).or_default() += 1;
        }
        for dropped in &class.dropped {
            *row.dropped.entry(dropped.reason.clone()).or_default() += 1;
        }
        for (cause, count) in &class.deaths {
            *row.deaths.entry(cause.clone()).or_default() += count;
        }
        row.methods += class.methods.len();
        for reason in class.methods.iter().filter_map(|method| method.why_not.as_ref()) {
            *row.why_not.entry(general(reason)).or_default() += 1;
        }
        row.executions += class.executions;
        row.longest_class_seconds = row.longest_class_seconds.max(class.seconds.total);
    }
    row
}

/// A reason without the names and numbers in it, so that reasons of one kind count together.
fn general(reason: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in reason.split_whitespace() {
        let inner = word.trim_end_matches(['.', ',', ';', ':']);
        let particular = |c: char| c.is_ascii_digit() || matches!(c, '.' | '/' | '<' | '"' | '`');
        if !inner.contains(particular) {
            words.push(word);
        } else if words.last() != Some(&"…") {
            words.push("…");
        }
    }
    words.join(" ")
}

fn write(lab: &Lab, rows: &[Row]) -> Result<(), Problem> {
    let mut results = lab.results("libraries");
    results.conditions(lab.jdk());
    let heads = [
        "library",
        "classes",
        "branch %",
        "line %",
        "reported branch %",
        "tests",
        "compiles",
        "failing",
        "flaky",
        "methods",
        "without test",
        "findings",
        "executions",
        "wall s",
        "longest class s",
        "exit",
    ];
    let cells = rows.iter().map(|row| {
        vec![
            row.library.clone(),
            row.classes.to_string(),
            percent(row.jacoco.branches.percent()),
            percent(row.jacoco.lines.percent()),
            percent(row.reported.branches.percent()),
            row.tests.to_string(),
            if row.compiles { "yes" } else { "NO" }.to_string(),
            row.failing.len().to_string(),
            row.flaky.len().to_string(),
            row.methods.to_string(),
            row.why_not.values().sum::<usize>().to_string(),
            row.findings.values().sum::<usize>().to_string(),
            row.executions.to_string(),
            seconds(row.wall_seconds),
            seconds(row.longest_class_seconds),
            row.exit_code.map_or("killed".to_string(), |code| code.to_string()),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    for row in rows {
        results.paragraph(&format!("## {}", row.library));
        results.table(&["methods without test because", "methods"], &by_count(&row.why_not));
        results.table(&["tests dropped because", "tests"], &by_count(&row.dropped));
        results.table(&["findings by contract", "findings"], &by_count(&row.findings));
        results.table(&["classes by status", "classes"], &by_count(&row.statuses));
        let deaths = row.deaths.iter().map(|(cause, count)| (cause.clone(), *count as usize)).collect();
        results.table(&["workers replaced because", "times"], &by_count(&deaths));
        for problem in &row.problems {
            results.paragraph(&format!("Problem: {problem}"));
        }
        for (what, tests) in [("Always fails", &row.failing), ("Flaky", &row.flaky)] {
            for test in tests.iter().take(50) {
                results.paragraph(&format!("{what}: {test}"));
            }
        }
    }
    results.finish(&rows)
}

fn by_count(counts: &BTreeMap<String, usize>) -> Vec<Vec<String>> {
    let mut entries: Vec<_> = counts.iter().collect();
    entries.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    entries.into_iter().map(|(reason, count)| vec![reason.replace('|', "\\|"), count.to_string()]).collect()
}

#[test]
fn reasons_of_one_kind_count_together() {
    assert_eq!(general("no way to build a.b.C; tried 3 ways."), "no way to build … tried … ways.");
    assert_eq!(general("expected: <1 2> but was: <\"x\"> (5 direct calls)"), "expected: … but was: … direct calls)");
    assert_eq!(general("every call threw java.io.IOException"), "every call threw …");
}
