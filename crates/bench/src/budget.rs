//! `bench budget`: how well the wall clock that was asked for is kept, and what is covered in it, class by class and over several seeds. Owns that table.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::product::{self, Generate};
use crate::results::{percent, seconds};
use crate::subject::SUBJECTS;
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Seconds per class
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 5, 10])]
    budgets: Vec<u64>,
    /// How many seeds, from --seed on
    #[arg(long, default_value_t = 1)]
    seeds: u64,
}

/// All seeds of a class with one budget.
#[derive(Serialize)]
struct Row {
    class: String,
    budget_seconds: u64,
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Serialize)]
struct Run {
    seed: u64,
    wall_seconds: f64,
    search_seconds: f64,
    branches_covered: usize,
    branches_total: usize,
    tests: usize,
}

impl Run {
    fn percent(self) -> f64 {
        100.0 * self.branches_covered as f64 / self.branches_total.max(1) as f64
    }
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::subjects(lab)?;
    let work = lab.work.join("budget");
    files::renew(&work)?;
    let load = load();
    let mut rows = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| lab.wants(subject.class)) {
        for budget in &options.budgets {
            eprintln!("{} in {budget} s", subject.class);
            let seeds = lab.seed..lab.seed + options.seeds;
            let runs = seeds.map(|seed| once(lab, subject.class, *budget, seed, &classes, &work));
            let runs = runs.collect::<Result<Vec<Run>, Problem>>()?;
            rows.push(Row { class: subject.class.to_string(), budget_seconds: *budget, runs });
        }
    }
    if rows.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let mut results = lab.results("budget");
    results.conditions(lab.jdk());
    results.paragraph(&format!("Load of the machine (1 minute) before: {load}; after: {}.", self::load()));
    let heads =
        ["class", "budget s", "wall s, mean", "longest", "of budget %", "search s, longest", "branch %, least", "mean"];
    results.table(&heads, &rows.iter().map(cells).collect::<Vec<_>>());
    results.finish(&rows)
}

fn once(lab: &Lab, class: &str, budget: u64, seed: u64, classes: &Path, work: &Path) -> Result<Run, Problem> {
    let out = work.join(format!("{class}-{budget}-{seed}"));
    let generate = Generate {
        targets: vec![class.to_string()],
        class_path: vec![classes.to_path_buf()],
        jdk: lab.jdk(),
        seed,
        more: vec!["--budget".to_string(), format!("{budget}s")],
        out: out.clone(),
        limit: Duration::from_secs(900),
    };
    let finished = lab.product.generate(&generate)?;
    let failed = |detail: String| Problem::Failed { what: class.to_string(), detail };
    let report = product::report(&out).map_err(|problem| failed(format!("{problem}\n{}", finished.tail())))?;
    let report = report.classes.into_iter().find(|report| report.class == class);
    let report = report.ok_or_else(|| failed("not in the report".to_string()))?;
    let branch = report.goal("branch");
    Ok(Run {
        seed,
        wall_seconds: finished.wall.as_secs_f64(),
        search_seconds: report.seconds.search,
        branches_covered: branch.covered,
        branches_total: branch.total,
        tests: report.tests,
    })
}

fn cells(row: &Row) -> Vec<String> {
    let most = |of: fn(&Run) -> f64| row.runs.iter().map(of).fold(0.0, f64::max);
    let mean = |of: fn(&Run) -> f64| row.runs.iter().map(of).sum::<f64>() / row.runs.len().max(1) as f64;
    let longest = most(|r| r.wall_seconds);
    vec![
        row.class.clone(),
        row.budget_seconds.to_string(),
        seconds(mean(|r| r.wall_seconds)),
        seconds(longest),
        percent(100.0 * longest / row.budget_seconds.max(1) as f64),
        seconds(most(|r| r.search_seconds)),
        percent(row.runs.iter().map(|r| r.percent()).fold(100.0, f64::min)),
        percent(mean(|r| r.percent())),
    ]
}

/// Figures of a busy machine say little.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_the_worst_run_and_the_mean() {
        let run = |seed, wall_seconds, branches_covered| Run {
            seed,
            wall_seconds,
            search_seconds: 0.5,
            branches_covered,
            branches_total: 10,
            tests: 3,
        };
        let row = Row { class: "C".to_string(), budget_seconds: 2, runs: vec![run(1, 2.5, 10), run(2, 1.5, 8)] };
        assert_eq!(cells(&row), ["C", "2", "2.00", "2.50", "125.0", "0.50", "80.0", "90.0"]);
    }
}
