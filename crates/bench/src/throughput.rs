//! `bench throughput`: how many sequences and calls per second the whole product runs, and how soon the first.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::product::{self, Generate};
use crate::subject::{Origin, SUBJECTS, Subject};
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Wall clock per class and variant
    #[arg(long, default_value = "10s")]
    budget: String,
}

/// How testudo is told to keep values apart: by nothing, by `equals`, by a hash of the whole state.
const VARIANTS: [&str; 3] = ["none", "equals", "state"];

#[derive(Serialize)]
struct Row {
    class: String,
    prune: String,
    executions: u64,
    calls: u64,
    search_seconds: f64,
    prepare_seconds: f64,
    sequences_per_second: f64,
    calls_per_second: f64,
    calls_per_sequence: f64,
    worker_deaths: u64,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::subjects(lab)?;
    let work = lab.work.join("throughput");
    files::renew(&work)?;
    let mut rows = Vec::new();
    let containers =
        SUBJECTS.iter().filter(|subject| subject.origin == Origin::Fixture && subject.one_second.is_some());
    for subject in containers.filter(|subject| lab.wants(subject.class)) {
        for prune in VARIANTS {
            eprintln!("{} {prune}", subject.class);
            let out = work.join(format!("{}-{prune}", subject.folder()));
            let generate = Generate {
                targets: vec![subject.class.to_string()],
                class_path: vec![classes.clone()],
                jdk: lab.jdk(),
                seed: lab.seed,
                more: ["--budget", &options.budget, "--prune", prune].map(String::from).to_vec(),
                out,
                limit: Duration::from_secs(900),
            };
            rows.push(measure(lab, subject, prune, &generate)?);
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
            format!("{:.3}", row.prepare_seconds),
            row.worker_deaths.to_string(),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

fn measure(lab: &Lab, subject: &Subject, prune: &str, generate: &Generate) -> Result<Row, Problem> {
    let finished = lab.product.generate(generate)?;
    let failed = |detail: String| Problem::Failed { what: subject.class.to_string(), detail };
    let report = product::report(&generate.out).map_err(|problem| failed(format!("{problem}\n{}", finished.tail())))?;
    let class = report.classes.into_iter().find(|class| class.class == subject.class);
    let class = class.ok_or_else(|| failed("not in the report".to_string()))?;
    let search = class.seconds.search.max(f64::MIN_POSITIVE);
    Ok(Row {
        class: subject.class.to_string(),
        prune: prune.to_string(),
        executions: class.executions,
        calls: class.calls,
        search_seconds: class.seconds.search,
        prepare_seconds: class.seconds.prepare,
        sequences_per_second: class.executions as f64 / search,
        calls_per_second: class.calls as f64 / search,
        calls_per_sequence: class.calls as f64 / class.executions.max(1) as f64,
        worker_deaths: class.deaths.values().sum(),
    })
}
