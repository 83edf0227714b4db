//! `bench memory`: resident memory of the brain and of its JVMs, sampled from `/proc` over a long run.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::product::Generate;
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Wall clock of the run
    #[arg(long, default_value = "300s")]
    budget: String,
    /// Seconds between samples
    #[arg(long, default_value_t = 5)]
    every: u64,
    /// The subject to test; this one has a branch that nothing takes, so the search goes on
    #[arg(long, default_value = "subjects.Poly")]
    class: String,
}

#[derive(Serialize)]
struct Sample {
    second: u64,
    brain_megabytes: f64,
    worker_megabytes: f64,
    workers: usize,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::subjects(lab)?;
    let out = lab.work.join("memory/out");
    files::renew(&lab.work.join("memory"))?;
    let generate = Generate {
        targets: vec![options.class.clone()],
        class_path: vec![classes],
        jdk: lab.jdk(),
        seed: lab.seed,
        more: vec!["--budget".to_string(), options.budget.clone()],
        out,
        limit: Duration::from_secs(3600),
    };
    let mut samples: Vec<Sample> = Vec::new();
    let finished = lab.product.generate_watched(&generate, |brain, passed| {
        let due = samples.last().map_or(0, |sample| sample.second + options.every);
        if passed.as_secs() >= due
            && let Some(sample) = sample(brain, passed.as_secs())
        {
            samples.push(sample);
        }
    })?;
    if !finished.succeeded() {
        return Err(Problem::Failed { what: "testudo".to_string(), detail: finished.tail() });
    }
    let mut results = lab.results("memory");
    results.conditions(lab.jdk());
    let cells = samples.iter().map(|sample| {
        vec![
            sample.second.to_string(),
            format!("{:.1}", sample.brain_megabytes),
            format!("{:.1}", sample.worker_megabytes),
            sample.workers.to_string(),
        ]
    });
    results.table(&["second", "brain MB", "JVMs MB", "JVMs"], &cells.collect::<Vec<_>>());
    results.finish(&samples)
}

/// Megabytes that a process and all its descendants hold now.
pub fn held_by(pid: u32) -> f64 {
    sample(pid, 0).map_or(0.0, |sample| sample.brain_megabytes + sample.worker_megabytes)
}

/// What the brain and all its descendants hold now; `None` when it is just ending.
fn sample(brain: u32, second: u64) -> Option<Sample> {
    let mut parents = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        if let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>()
            && let Some(parent) = status(pid, "PPid:")
        {
            parents.insert(pid, parent as u32);
        }
    }
    let descends = |mut pid: u32| {
        while let Some(parent) = parents.get(&pid) {
            if *parent == brain {
                return true;
            }
            pid = *parent;
        }
        false
    };
    let workers: Vec<u64> =
        parents.keys().filter(|pid| descends(**pid)).filter_map(|pid| status(*pid, "VmRSS:")).collect();
    Some(Sample {
        second,
        brain_megabytes: status(brain, "VmRSS:")? as f64 / 1024.0,
        worker_megabytes: workers.iter().sum::<u64>() as f64 / 1024.0,
        workers: workers.len(),
    })
}

/// A number from `/proc/PID/status`; sizes are in kilobytes.
fn status(pid: u32, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
