//! `bench measure`: a suite that already exists, whoever wrote it, under the same instruments.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::jacoco::{self, Coverage};
use crate::junit::JUnit;
use crate::results::percent;
use crate::{Lab, Problem, files};

#[derive(Args)]
pub struct Options {
    /// Folder of test sources
    #[arg(long)]
    tests: PathBuf,
    /// Folder of class files under test
    #[arg(long)]
    classes: PathBuf,
    /// Further jars and folders the tests need
    #[arg(long)]
    needs: Vec<PathBuf>,
    #[arg(long, default_value_t = 20)]
    runs: usize,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("measure");
    files::renew(&work)?;
    let junit = JUnit { jdk: lab.jdk(), jars: &lab.jars, limit: Duration::from_secs(300) };
    let mut class_path = vec![files::absolute(&options.classes)?];
    for path in &options.needs {
        class_path.push(files::absolute(path)?);
    }
    let sources = files::below(&files::absolute(&options.tests)?, ".java")?;
    let suite = work.join("suite");
    if let Some(errors) = junit.compile(&sources, &class_path, &suite)? {
        return Err(Problem::Failed { what: "compiling the suite".to_string(), detail: errors });
    }
    let suites = [suite];
    let runs = junit.shuffled(&suites, &class_path, options.runs, &work.join("shuffled"))?;
    let record = work.join("measure.exec");
    let agent = jacoco::agent(&lab.jars, &record, "*")?;
    junit.once(&suites, &class_path, &agent, 0, &work.join("jacoco"))?;
    let mut rows = jacoco::rows(&lab.jars, lab.jdk(), &record, &class_path[..1])?;
    rows.sort_by(|one, other| one.class.cmp(&other.class));
    let mut results = lab.results("measure");
    results.conditions(lab.jdk());
    let cells = |name: &str, coverage: &Coverage| {
        vec![
            name.to_string(),
            percent(coverage.branches.percent()),
            percent(coverage.lines.percent()),
            format!("{}/{}", coverage.branches.covered, coverage.branches.total),
        ]
    };
    let mut table: Vec<_> = rows.iter().map(|row| cells(&row.class, &row.coverage)).collect();
    table.push(cells("all", &jacoco::sum(&rows)));
    results.table(&["class", "branch %", "line %", "branches"], &table);
    results.paragraph(&format!(
        "{} tests in {} shuffled runs: {} always failing, {} flaky, {} runs broken.",
        runs.tests(),
        options.runs,
        runs.failing().len(),
        runs.flaky().len(),
        runs.broken,
    ));
    let data: Vec<_> = rows.iter().map(|row| (&row.class, row.coverage)).collect();
    results.finish(&data)
}
