//! `bench symbolic-states`: the technique of that name on containers, as the literature measured it: states, tests, time and branch coverage by number of calls. The branches are those of
//! `report.json`, which are JaCoCo's (see `bench coverage`). The time of the exploration alone is measured inside: `cargo run --release -p symbolic --example states`.

use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use crate::product::Generate;
use crate::results::{percent, seconds};
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Calls behind the constructor
    #[arg(long, value_delimiter = ',', default_value = "5,6,7,8")]
    calls: Vec<u32>,
    /// Wall clock of one generation
    #[arg(long, default_value = "60s")]
    budget: String,
}

/// Tests, seconds and branch coverage for 5 to 8 calls, as published in 2005 and again in the table of a thesis of 2010.
struct Subject {
    name: &'static str,
    tests: [u32; 4],
    seconds: [f64; 4],
    coverage: u32,
    /// Parameters that are no keys.
    concrete: Option<&'static str>,
}

const SUBJECTS: [Subject; 7] = [
    Subject {
        name: "UBStack",
        tests: [43, 67, 94, 141],
        seconds: [0.85, 1.24, 1.57, 2.33],
        coverage: 100,
        concrete: None,
    },
    Subject {
        name: "IntStack",
        tests: [18, 24, 32, 40],
        seconds: [0.26, 0.47, 0.54, 0.67],
        coverage: 100,
        concrete: None,
    },
    Subject {
        name: "BinSearchTree",
        tests: [350, 1274, 4706, 12626],
        seconds: [4.07, 15.22, 70.94, 251.30],
        coverage: 100,
        concrete: None,
    },
    Subject {
        name: "BinomialHeap",
        tests: [40, 66, 86, 157],
        seconds: [1.41, 3.59, 5.67, 17.53],
        coverage: 91,
        concrete: None,
    },
    Subject {
        name: "LinkedList",
        tests: [25, 33, 42, 52],
        seconds: [0.56, 0.66, 0.80, 0.94],
        coverage: 100,
        concrete: None,
    },
    Subject {
        name: "TreeMap",
        tests: [114, 386, 698, 2074],
        seconds: [3.79, 17.32, 38.15, 173.71],
        coverage: 84,
        concrete: Some("1"),
    },
    Subject {
        name: "HeapArray",
        tests: [51, 96, 175, 389],
        seconds: [2.79, 5.77, 14.52, 28.50],
        coverage: 100,
        concrete: None,
    },
];

#[derive(Serialize)]
struct Row {
    class: String,
    calls: u32,
    states: u64,
    /// Without the constructor's, as published ones are counted.
    paths: u64,
    published_tests: Option<u32>,
    delivered_tests: u64,
    branches: u64,
    covered: u64,
    published_coverage: u32,
    search_seconds: f64,
    wall_seconds: f64,
    published_seconds: Option<f64>,
    complete: bool,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("symbolic-states");
    files::renew(&work)?;
    let classes = fixtures::jtestcraft(lab)?;
    let class_path = vec![classes, lab.jars.junit()?];
    let mut rows = Vec::new();
    for package in ["ints", "boxes"] {
        for subject in SUBJECTS.iter().filter(|subject| lab.wants(subject.name)) {
            for &calls in &options.calls {
                let class = format!("jtestcraft.{package}.{}", subject.name);
                eprintln!("{class}: {calls} calls");
                let mut more: Vec<String> =
                    ["--technique", "symbolic-states", "--iterations"].map(String::from).to_vec();
                more.extend([calls.to_string(), "--max-states".into(), "1000000".into()]);
                more.extend(["--budget".into(), options.budget.clone(), "--no-mutation".into()]);
                if let Some(concrete) = subject.concrete {
                    more.extend(["--concrete-parameters".into(), concrete.into()]);
                }
                let out = work.join(format!("{class}-{calls}"));
                let finished = lab.product.generate(&Generate {
                    targets: vec![class.clone()],
                    class_path: class_path.clone(),
                    jdk: lab.jdk(),
                    seed: lab.seed,
                    more,
                    out: out.clone(),
                    limit: Duration::from_secs(900),
                })?;
                let path = out.join("report.json");
                let failed = |_| Problem::Failed { what: format!("generating for {class}"), detail: finished.tail() };
                let text = files::read(&path).map_err(failed)?;
                let report: Value = serde_json::from_str(&text).map_err(|cause| Problem::Report { path, cause })?;
                let report = &report["classes"][0];
                let number = |value: &Value| value.as_u64().unwrap_or(0);
                let at = calls.checked_sub(5).map(|at| at as usize);
                rows.push(Row {
                    calls,
                    states: number(&report["explored"]["states"]),
                    paths: number(&report["explored"]["executions"]).saturating_sub(1),
                    published_tests: at.and_then(|at| subject.tests.get(at).copied()),
                    delivered_tests: number(&report["tests"]),
                    branches: number(&report["goals"]["branch"]["total"]),
                    covered: number(&report["goals"]["branch"]["covered"]),
                    published_coverage: subject.coverage,
                    search_seconds: report["seconds"]["search"].as_f64().unwrap_or(0.0),
                    wall_seconds: finished.wall.as_secs_f64(),
                    published_seconds: at.and_then(|at| subject.seconds.get(at).copied()),
                    complete: report["explored"]["complete"].as_bool() == Some(true),
                    class,
                });
            }
        }
    }
    if rows.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    write(lab, &rows)
}

fn write(lab: &Lab, rows: &[Row]) -> Result<(), Problem> {
    let mut results = lab.results("symbolic-states-cli");
    results.conditions(lab.jdk());
    results.paragraph("Whole commands: `testudo generate --technique symbolic-states --iterations CALLS`, JVMs and delivery included. Published values beside ours, in italics.");
    let heads = [
        "class",
        "calls",
        "states",
        "paths",
        "*tests*",
        "delivered",
        "branches %",
        "*branches %*",
        "search s",
        "wall s",
        "*s*",
        "complete",
    ];
    let cells = rows.iter().map(|row| {
        vec![
            row.class.clone(),
            row.calls.to_string(),
            row.states.to_string(),
            row.paths.to_string(),
            row.published_tests.map_or(String::new(), |n| n.to_string()),
            row.delivered_tests.to_string(),
            percent(100.0 * row.covered as f64 / row.branches.max(1) as f64),
            row.published_coverage.to_string(),
            seconds(row.search_seconds),
            seconds(row.wall_seconds),
            row.published_seconds.map_or(String::new(), seconds),
            if row.complete { "yes" } else { "no" }.to_owned(),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}
