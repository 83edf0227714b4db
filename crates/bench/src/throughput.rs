//! `bench throughput`: how many sequences and calls per second the whole product runs, and how soon the first.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::product::{self, ClassReport, Generate};
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Sequences per class and variant: the search has no other end
    #[arg(long, default_value_t = 2_000_000)]
    executions: u64,
}

const CLASSES: [&str; 2] = ["throughput.OpenStack", "throughput.OpenTree"];

/// How testudo is told to keep values apart: by nothing, by `equals`, by a hash of the whole state.
const VARIANTS: [&str; 3] = ["none", "equals", "state"];

#[derive(Serialize)]
struct Row {
    class: String,
    prune: String,
    executions: u64,
    calls: u64,
    search_seconds: f64,
    sequences_per_second: f64,
    calls_per_second: f64,
    calls_per_sequence: f64,
    first_seconds: f64,
    worker_deaths: u64,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::throughput(lab)?;
    files::renew(&lab.work.join("throughput"))?;
    let mut rows = Vec::new();
    for class in CLASSES.iter().filter(|class| lab.wants(class)) {
        for prune in VARIANTS {
            eprintln!("{class} {prune}");
            rows.push(measure(lab, options, class, prune, &classes)?);
        }
    }
    let mut results = lab.results("throughput");
    results.conditions(lab.jdk());
    let heads = [
        "class, pruning",
        "sequences/s",
        "calls/s",
        "calls/sequence",
        "executions",
        "search s",
        "to first s",
        "deaths",
    ];
    let cells = rows.iter().map(|row| {
        vec![
            format!("{} {}", row.class, row.prune),
            format!("{:.0}", row.sequences_per_second),
            format!("{:.0}", row.calls_per_second),
            format!("{:.1}", row.calls_per_sequence),
            row.executions.to_string(),
            format!("{:.2}", row.search_seconds),
            format!("{:.3}", row.first_seconds),
            row.worker_deaths.to_string(),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

fn measure(lab: &Lab, options: &Options, class: &str, prune: &str, classes: &Path) -> Result<Row, Problem> {
    let (report, _) = generate(lab, options.executions, class, prune, classes)?;
    let (first, wall) = generate(lab, 1, class, prune, classes)?;
    let search = report.seconds.search.max(f64::MIN_POSITIVE);
    let after_search = first.seconds.total - first.seconds.prepare - first.seconds.search;
    Ok(Row {
        class: class.to_string(),
        prune: prune.to_string(),
        executions: report.executions,
        calls: report.calls,
        search_seconds: report.seconds.search,
        sequences_per_second: report.executions as f64 / search,
        calls_per_second: report.calls as f64 / search,
        calls_per_sequence: report.calls as f64 / report.executions.max(1) as f64,
        first_seconds: wall.as_secs_f64() - after_search,
        worker_deaths: report.deaths.values().sum(),
    })
}

/// One run to a number of executions: its report and how long the command took.
fn generate(
    lab: &Lab,
    executions: u64,
    class: &str,
    prune: &str,
    classes: &Path,
) -> Result<(ClassReport, Duration), Problem> {
    let out = lab.work.join(format!("throughput/{class}-{prune}-{executions}"));
    let generate = Generate {
        targets: vec![class.to_string()],
        class_path: vec![classes.to_path_buf()],
        jdk: lab.jdk(),
        seed: lab.seed,
        more: ["--max-executions", &executions.to_string(), "--prune", prune].map(String::from).to_vec(),
        out: out.clone(),
        limit: Duration::from_secs(900),
    };
    let finished = lab.product.generate(&generate)?;
    let failed = |detail: String| Problem::Failed { what: class.to_string(), detail };
    let report = product::report(&out).map_err(|problem| failed(format!("{problem}\n{}", finished.tail())))?;
    let report = report.classes.into_iter().find(|report| report.class == class);
    Ok((report.ok_or_else(|| failed("not in the report".to_string()))?, finished.wall))
}
