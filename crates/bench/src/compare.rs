//! `bench compare`: subjects × tools × budgets × seeds, measured from outside with tools that nobody here wrote. Owns the matrix and its pages; how tools are called and
//! suites judged is in the files below.

mod judge;
mod plot;
mod subjects;
mod tool;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::jdk::Jdk;
use crate::results::{percent, seconds};
use crate::{Lab, Problem, files};
use judge::{Care, Verdict, judge};
use plot::Line;
use tool::{Peers, Tool};

#[derive(Args)]
pub struct Options {
    /// Which classes, in which sets
    #[arg(long, default_value = "bench/subjects.toml")]
    subjects: PathBuf,
    /// Sets to use [default: all]
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// testudo, testudo:TECHNIQUE, testudo:evolve/STYLE, randoop, evosuite
    #[arg(long, value_delimiter = ',', default_values = ["testudo", "randoop", "evosuite"])]
    tools: Vec<String>,
    /// Seconds; wall time of everything for testudo, search time for the others
    #[arg(long, value_delimiter = ',', default_values = ["10"])]
    budgets: Vec<u64>,
    #[arg(long, value_delimiter = ',', default_values = ["1"])]
    seeds: Vec<u64>,
    /// Jar of Randoop
    #[arg(long)]
    randoop: Option<PathBuf>,
    /// Jar of EvoSuite
    #[arg(long)]
    evosuite: Option<PathBuf>,
    /// Home of a JDK that EvoSuite runs on
    #[arg(long)]
    evosuite_jdk: Option<PathBuf>,
    /// Runs in shuffled order that decide about flaky tests
    #[arg(long, default_value_t = 10)]
    runs: usize,
    /// Leave the mutation scores out
    #[arg(long)]
    no_pit: bool,
    /// At most so many classes of each set
    #[arg(long)]
    most: Option<usize>,
}

/// One tool on one class with one budget and one seed.
#[derive(Serialize)]
struct Cell {
    set: String,
    class: String,
    tool: String,
    budget: u64,
    seed: u64,
    wall_seconds: f64,
    peak_megabytes: f64,
    verdict: Verdict,
    score: f64,
    problem: Option<String>,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("compare");
    files::renew(&work)?;
    let absolute = |path: &Option<PathBuf>| path.as_deref().map(files::absolute).transpose();
    let peers = Peers {
        randoop: absolute(&options.randoop)?,
        evosuite: absolute(&options.evosuite)?,
        evosuite_jdk: options.evosuite_jdk.as_deref().map(Jdk::at).transpose()?,
    };
    let mut tools = Vec::new();
    let mut left_out = Vec::new();
    for name in &options.tools {
        let tool = Tool::parse(name)?;
        match tool.missing(&peers) {
            Some(why) => {
                eprintln!("{why}");
                left_out.push(why);
            }
            None => tools.push(tool),
        }
    }
    let mut subjects = subjects::read(lab, &lab.root.join(&options.subjects), &options.set, &work)?;
    if let Some(most) = options.most {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        subjects.retain(|subject| {
            let count = seen.entry(subject.set.clone()).or_default();
            *count += 1;
            *count <= most
        });
    }
    let care = Care { runs: options.runs, pit: !options.no_pit };
    let mut cells = Vec::new();
    for subject in &subjects {
        for tool in &tools {
            for &budget in &options.budgets {
                for &seed in &options.seeds {
                    eprintln!("{} {} {budget} s, seed {seed}", subject.class, tool.name());
                    let folder = work
                        .join(&subject.class)
                        .join(format!("{}-{budget}-{seed}", tool.name().replace([':', '/'], "-")));
                    let written = tool.write(lab, &peers, subject, budget, seed, &folder)?;
                    let verdict = judge(lab, tool.jdk(lab, &peers), subject, &written, &care, &folder)?;
                    let wall_seconds = written.wall.as_secs_f64();
                    cells.push(Cell {
                        set: subject.set.clone(),
                        class: subject.class.clone(),
                        tool: tool.name(),
                        budget,
                        seed,
                        wall_seconds,
                        peak_megabytes: written.peak_megabytes,
                        score: verdict.score(budget as f64, wall_seconds),
                        verdict,
                        problem: written.problem,
                    });
                }
            }
        }
    }
    write(lab, options, &cells, &tools, &left_out)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}

fn branch(cell: &Cell) -> f64 {
    cell.verdict.coverage.branches.percent()
}

fn write(lab: &Lab, options: &Options, cells: &[Cell], tools: &[Tool], left_out: &[&str]) -> Result<(), Problem> {
    let mut results = lab.results("compare");
    results.conditions(lab.jdk());
    for why in left_out {
        results.paragraph(why);
    }
    let mut sets: Vec<&str> = cells.iter().map(|cell| cell.set.as_str()).collect();
    sets.dedup();
    let heads = [
        "set, tool, budget",
        "classes",
        "branch %",
        "line %",
        "PIT %",
        "score",
        "tests",
        "statements",
        "bytes",
        "failing",
        "flaky",
        "files that do not compile",
        "classes without tests",
        "wall s",
        "peak MB",
    ];
    let mut table = Vec::new();
    for set in &sets {
        for &budget in &options.budgets {
            for tool in tools {
                let name = tool.name();
                let own: Vec<&Cell> =
                    cells.iter().filter(|c| c.set == *set && c.budget == budget && c.tool == name).collect();
                if own.is_empty() {
                    continue;
                }
                let of = |value: &dyn Fn(&Cell) -> f64| mean(own.iter().map(|cell| value(cell)));
                let sum = |value: &dyn Fn(&Verdict) -> usize| {
                    own.iter().map(|c| value(&c.verdict)).sum::<usize>().to_string()
                };
                table.push(vec![
                    format!("{set}, {name}, {budget} s"),
                    own.len().to_string(),
                    percent(of(&branch)),
                    percent(of(&|c| c.verdict.coverage.lines.percent())),
                    if options.no_pit { "–".to_string() } else { percent(of(&|c| c.verdict.mutants.score())) },
                    format!("{:.2}", of(&|c| c.score)),
                    sum(&|v| v.tests),
                    sum(&|v| v.statements),
                    sum(&|v| v.bytes),
                    sum(&|v| v.failing),
                    sum(&|v| v.flaky),
                    sum(&|v| v.uncompilable),
                    own.iter().filter(|c| c.verdict.tests == 0).count().to_string(),
                    seconds(of(&|c| c.wall_seconds)),
                    format!("{:.0}", of(&|c| c.peak_megabytes)),
                ]);
            }
        }
    }
    results.table(&heads, &table);
    results.paragraph("Percentages, scores, times and memory are means over classes and seeds; the rest are sums.");
    by_class(&mut results, options, cells, tools);
    for cell in cells {
        if let Some(problem) = &cell.problem {
            let first = problem.lines().next().unwrap_or_default();
            results.paragraph(&format!("{} on {}, {} s: {first}", cell.tool, cell.class, cell.budget));
        }
    }
    plots(lab, options, cells, tools)?;
    results.finish(&cells)
}

/// Branch coverage of every class by every tool, with the largest budget.
fn by_class(results: &mut crate::results::Results, options: &Options, cells: &[Cell], tools: &[Tool]) {
    let Some(&budget) = options.budgets.iter().max() else { return };
    let mut heads = vec![format!("branch %, {budget} s")];
    heads.extend(tools.iter().map(Tool::name));
    let mut classes: Vec<&str> = cells.iter().map(|cell| cell.class.as_str()).collect();
    classes.dedup();
    let rows: Vec<Vec<String>> = classes
        .into_iter()
        .map(|class| {
            let of_tool = |tool: &Tool| {
                let name = tool.name();
                let own = cells.iter().filter(|c| c.class == class && c.tool == name && c.budget == budget);
                percent(mean(own.map(branch)))
            };
            std::iter::once(class.to_string()).chain(tools.iter().map(of_tool)).collect()
        })
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    results.table(&heads, &rows);
}

fn plots(lab: &Lab, options: &Options, cells: &[Cell], tools: &[Tool]) -> Result<(), Problem> {
    let name = lab.name.as_deref().unwrap_or("compare");
    let folder = lab.root.join("bench/results");
    if options.budgets.len() > 1 {
        let line = |tool: &Tool| {
            let name = tool.name();
            let at = |budget: u64| {
                cells.iter().filter(|c| c.tool == name && c.budget == budget).map(branch).collect::<Vec<_>>()
            };
            let points = options.budgets.iter().map(|&b| (b as f64, mean(at(b).into_iter()))).collect();
            Line { name, points }
        };
        let lines: Vec<Line> = tools.iter().map(line).collect();
        files::write(
            &folder.join(format!("{name}-budgets.svg")),
            &plot::lines("Branches covered, mean of classes", &lines),
        )?;
    }
    let Some(&budget) = options.budgets.iter().max() else { return Ok(()) };
    let Some((first, others)) = tools.split_first() else { return Ok(()) };
    for other in others {
        let (a, b) = (first.name(), other.name());
        let of = |tool: &str| -> BTreeMap<(&str, u64), f64> {
            let own = cells.iter().filter(|c| c.tool == tool && c.budget == budget);
            own.map(|c| ((c.class.as_str(), c.seed), branch(c))).collect()
        };
        let (up, across) = (of(&a), of(&b));
        let points: Vec<(f64, f64)> = across.iter().filter_map(|(key, x)| Some((*x, *up.get(key)?))).collect();
        let drawn = plot::scatter(&format!("Branches covered in {budget} s, class by class"), &b, &a, &points);
        let file = format!("{name}-{}.svg", b.replace([':', '/'], "-"));
        files::write(&folder.join(file), &drawn)?;
    }
    Ok(())
}
