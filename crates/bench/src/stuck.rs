//! `bench stuck`: small classes with one branch each that random search does not hit, and how many of them every technique solves in a few seconds. Owns that table.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::product::{self, Generate};
use crate::results::{percent, seconds};
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Seconds per class
    #[arg(long, default_value_t = 5)]
    budget: u64,
    /// Techniques, each as it is given on the command line
    #[arg(long, value_delimiter = ',', default_values_t = ["random --no-solver", "random", "evolve", "concolic"].map(String::from))]
    techniques: Vec<String>,
    /// How many seeds, from --seed on
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Classes at the same time
    #[arg(long, default_value_t = 1)]
    jobs: u16,
}

/// What one technique made of one class, over all seeds.
#[derive(Clone, Default, Serialize)]
struct Cell {
    /// All branches covered, and in how many runs.
    solved: u64,
    runs: u64,
    /// Of the runs that solved it.
    search_seconds: f64,
}

#[derive(Serialize)]
struct Row {
    class: String,
    cells: Vec<Cell>,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::stuck(lab)?;
    let work = lab.work.join("stuck");
    files::renew(&work)?;
    let mut names: Vec<String> = files::below(&classes, ".class")?
        .iter()
        .filter_map(|path| path.file_stem().and_then(|stem| stem.to_str()).map(|stem| format!("stuck.{stem}")))
        .filter(|name| lab.wants(name))
        .collect();
    names.sort();
    if names.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let mut rows: Vec<Row> = names.iter().map(|n| Row { class: n.clone(), cells: Vec::new() }).collect();
    for (number, technique) in options.techniques.iter().enumerate() {
        for row in &mut rows {
            row.cells.push(Cell::default());
        }
        for seed in lab.seed..lab.seed + options.seeds {
            eprintln!("{technique}, seed {seed}");
            let out = work.join(format!("{number}-{seed}"));
            let solved = once(lab, options, technique, seed, &names, &classes, &out)?;
            for row in &mut rows {
                let cell = &mut row.cells[number];
                cell.runs += 1;
                if let Some(search) = solved.get(&row.class) {
                    cell.solved += 1;
                    cell.search_seconds += search;
                }
            }
        }
    }
    let mut results = lab.results("stuck");
    results.conditions(lab.jdk());
    results.paragraph(&format!(
        "{} classes with one branch each that random search does not hit; {} s of wall clock per class, {} at a time, {} seed(s). A class is solved if all its branches are covered by delivered \
         tests. Command: `cargo run -p bench --release -- stuck`.",
        rows.len(),
        options.budget,
        options.jobs,
        options.seeds
    ));
    let totals = options.techniques.iter().enumerate().map(|(n, technique)| {
        let of = |field: fn(&Cell) -> f64| rows.iter().map(|row| field(&row.cells[n])).sum::<f64>();
        let (solved, runs, search) = (of(|c| c.solved as f64), of(|c| c.runs as f64), of(|c| c.search_seconds));
        let per_seed = solved / options.seeds.max(1) as f64;
        vec![
            technique.clone(),
            format!("{per_seed:.1}"),
            percent(100.0 * solved / runs.max(1.0)),
            seconds(search / solved.max(1.0)),
        ]
    });
    results.table(
        &["technique", "solved per seed", "solved %", "search s where solved, mean"],
        &totals.collect::<Vec<_>>(),
    );
    let heads: Vec<&str> = ["class"].into_iter().chain(options.techniques.iter().map(String::as_str)).collect();
    let cells = |row: &Row| {
        let solved = row.cells.iter().map(|c| {
            if c.runs == 1 { ["", "yes"][c.solved as usize].to_owned() } else { format!("{}/{}", c.solved, c.runs) }
        });
        [row.class.clone()].into_iter().chain(solved).collect::<Vec<_>>()
    };
    results.table(&heads, &rows.iter().map(cells).collect::<Vec<_>>());
    results.finish(&rows)
}

/// The classes that were solved, with the seconds their search took.
fn once(
    lab: &Lab,
    options: &Options,
    technique: &str,
    seed: u64,
    names: &[String],
    classes: &Path,
    out: &Path,
) -> Result<BTreeMap<String, f64>, Problem> {
    let mut more: Vec<String> =
        ["--budget", &format!("{}s", options.budget), "-j", &options.jobs.to_string(), "--technique"]
            .map(String::from)
            .into();
    more.extend(technique.split_whitespace().map(String::from));
    let generate = Generate {
        targets: names.to_vec(),
        class_path: vec![classes.to_path_buf()],
        jdk: lab.jdk(),
        seed,
        more,
        out: out.to_path_buf(),
        limit: Duration::from_secs(60 + 4 * options.budget * names.len() as u64),
    };
    let finished = lab.product.generate(&generate)?;
    let report = product::report(out).map_err(|problem| Problem::Failed {
        what: technique.to_owned(),
        detail: format!("{problem}\n{}", finished.tail()),
    })?;
    let solved = report.classes.into_iter().filter(|class| {
        let all = ["branch", "switch case"].map(|kind| class.goal(kind));
        all.iter().any(|goal| goal.total > 0) && all.iter().all(|goal| goal.covered == goal.total)
    });
    Ok(solved.map(|class| (class.class, class.seconds.search)).collect())
}
