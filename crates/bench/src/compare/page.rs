//! The page and the plots of a comparison, made of its cells alone. Owns what is shown; measures nothing.

use std::collections::BTreeMap;

use super::beside;
use super::cell::{Budget, Cell, Kept, Search};
use super::judge::Verdict;
use super::plot::{self, Line};
use crate::results::{Results, percent, seconds};
use crate::{Lab, Problem, files};

/// What is in the cells.
pub struct Shown<'a> {
    cells: &'a [Cell],
    pub sets: Vec<&'a str>,
    pub tools: Vec<&'a str>,
    pub budgets: Vec<Budget>,
}

/// Something of every class, named with its set.
pub type ByClass<'a, T = f64> = BTreeMap<(&'a str, &'a str), T>;

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

impl<'a> Shown<'a> {
    pub fn new(kept: &'a Kept) -> Shown<'a> {
        let cells = kept.cells.as_slice();
        let mut budgets = distinct(cells.iter().map(|c| c.key.budget));
        budgets.sort();
        Shown {
            cells,
            sets: distinct(cells.iter().map(|c| c.key.set.as_str())),
            tools: kept.tools.iter().map(String::as_str).collect(),
            budgets,
        }
    }

    pub fn of(&self, set: Option<&str>, tool: &str, budget: Budget) -> Vec<&'a Cell> {
        let wanted = |c: &&Cell| set.is_none_or(|set| c.key.set == set) && c.key.tool == tool && c.key.budget == budget;
        self.cells.iter().filter(wanted).collect()
    }

    /// Mean branch coverage over seeds, by class.
    pub fn by_class(&self, tool: &str, budget: Budget) -> ByClass<'a> {
        self.means(tool, budget, &|cell| Some(cell.branch()))
    }

    /// Means over seeds, by class; without classes of which nothing is known.
    pub fn means(&self, tool: &str, budget: Budget, value: &dyn Fn(&Cell) -> Option<f64>) -> ByClass<'a> {
        let mut all: ByClass<'a, Vec<f64>> = BTreeMap::new();
        for cell in self.of(None, tool, budget) {
            if let Some(value) = value(cell) {
                all.entry((&cell.key.set, &cell.key.class)).or_default().push(value);
            }
        }
        all.into_iter().map(|(class, values)| (class, mean(values.into_iter()))).collect()
    }
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}

/// Writes the page and the plots; nothing is printed.
pub fn write(lab: &Lab, kept: &Kept, left_out: &[&str]) -> Result<(), Problem> {
    let mut results = lab.results("compare");
    results.machine(lab.jdk());
    for made in &kept.made {
        results.paragraph(&format!("{}, {}: `bench {}`", made.day, made.version, made.command));
    }
    for why in left_out {
        results.paragraph(why);
    }
    let shown = Shown::new(kept);
    for &set in &shown.sets {
        results.paragraph(&format!("## {set}"));
        summary(&mut results, &shown, set);
        searches(&mut results, &shown, set);
    }
    beside::others(&mut results, &shown);
    beside::the_best_technique(&mut results, &shown);
    results.paragraph(
        "Percentages, scores, times and memory are means over classes and seeds, the PIT score over those where PIT came to its end; better and worse are the classes in which more or fewer \
         branches are covered than by the first tool; the rest are sums. Of searches, branches are those that the tool's report says were gone through, before the suite was chosen and verified.",
    );
    results.paragraph("## By class");
    for &budget in &shown.budgets {
        classes(&mut results, &shown, budget);
    }
    problems(&mut results, &kept.cells);
    plots(lab, &shown)?;
    results.write(kept)
}

fn summary(results: &mut Results, shown: &Shown, set: &str) {
    let heads = [
        "tool, budget",
        "classes",
        "branch %",
        "better",
        "worse",
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
    for &budget in &shown.budgets {
        let first = shown.tools.first().map(|tool| shown.by_class(tool, budget)).unwrap_or_default();
        for &tool in &shown.tools {
            let own = shown.of(Some(set), tool, budget);
            if own.is_empty() {
                continue;
            }
            let of = |value: &dyn Fn(&Cell) -> f64| mean(own.iter().map(|cell| value(cell)));
            let sum =
                |value: &dyn Fn(&Verdict) -> usize| own.iter().map(|c| value(&c.verdict)).sum::<usize>().to_string();
            let by_class = shown.by_class(tool, budget);
            let against = |better: bool| {
                let counts = |(class, value): &(&(&str, &str), &f64)| {
                    class.0 == set && first.get(*class).is_some_and(|f| if better { *value > f } else { *value < f })
                };
                by_class.iter().filter(counts).count().to_string()
            };
            let scores: Vec<f64> = own.iter().filter_map(|c| Some(c.verdict.mutants?.score())).collect();
            table.push(vec![
                format!("{tool}, {budget}"),
                distinct(own.iter().map(|c| &c.key.class)).len().to_string(),
                percent(of(&Cell::branch)),
                against(true),
                against(false),
                percent(of(&|c| c.verdict.coverage.lines.percent())),
                if scores.is_empty() { "–".to_string() } else { percent(mean(scores.into_iter())) },
                format!("{:.2}", of(&Cell::score)),
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
    results.table(&heads, &table);
}

/// What the tools say about their searches.
fn searches(results: &mut Results, shown: &Shown, set: &str) {
    let heads = ["search", "branches", "executions", "seconds", "executions/s", "evaluations/s", "generations/s"];
    let mut table = Vec::new();
    for &budget in &shown.budgets {
        for &tool in &shown.tools {
            let own: Vec<&Search> =
                shown.of(Some(set), tool, budget).into_iter().filter_map(|c| c.search.as_ref()).collect();
            if own.is_empty() {
                continue;
            }
            let sum = |of: &dyn Fn(&Search) -> f64| own.iter().map(|search| of(search)).sum::<f64>();
            let searched = sum(&|s| s.seconds);
            let rate = |of: &dyn Fn(&Search) -> f64| format!("{:.0}", sum(of) / searched.max(f64::MIN_POSITIVE));
            table.push(vec![
                format!("{tool}, {budget}"),
                format!("{:.0}/{:.0}", sum(&|s| s.reached as f64), sum(&|s| s.branches as f64)),
                format!("{:.0}", sum(&|s| s.executions as f64)),
                format!("{searched:.0}"),
                rate(&|s| s.executions as f64),
                rate(&|s| s.evaluations as f64),
                rate(&|s| s.generations as f64),
            ]);
        }
    }
    if !table.is_empty() {
        results.table(&heads, &table);
    }
}

/// Branch coverage, and the mutation score where there is one, of every class by every tool.
fn classes(results: &mut Results, shown: &Shown, budget: Budget) {
    let first = format!("branch %, PIT % in {budget}");
    let heads: Vec<&str> = std::iter::once(first.as_str()).chain(shown.tools.iter().copied()).collect();
    let names = distinct(shown.cells.iter().filter(|c| c.key.budget == budget).map(|c| c.key.class.as_str()));
    let row = |class: &str| {
        let of_tool = |tool: &&str| {
            let own: Vec<&Cell> = shown.of(None, tool, budget).into_iter().filter(|c| c.key.class == class).collect();
            let branch = percent(mean(own.iter().map(|c| c.branch())));
            let scores: Vec<f64> = own.iter().filter_map(|c| Some(c.verdict.mutants?.score())).collect();
            match () {
                () if own.is_empty() => "–".to_string(),
                () if scores.is_empty() => branch,
                () => format!("{branch}, {}", percent(mean(scores.into_iter()))),
            }
        };
        std::iter::once(class.to_string()).chain(shown.tools.iter().map(of_tool)).collect()
    };
    let rows: Vec<Vec<String>> = names.into_iter().map(row).collect();
    results.table(&heads, &rows);
}

fn problems(results: &mut Results, cells: &[Cell]) {
    for cell in cells {
        if let Some(problem) = &cell.problem {
            let first = problem.lines().next().unwrap_or_default();
            let Cell { key, .. } = cell;
            results.paragraph(&format!("{} on {}, {}, seed {}: {first}", key.tool, key.class, key.budget, key.seed));
        }
    }
}

fn plots(lab: &Lab, shown: &Shown) -> Result<(), Problem> {
    let name = lab.name.as_deref().unwrap_or("compare");
    let draw = |what: &str, drawn: String| {
        let plain = what.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "-");
        files::write(&lab.root.join("bench/results").join(format!("{name}-{plain}.svg")), &drawn)
    };
    let timed: Vec<Budget> = shown.budgets.iter().copied().filter(|b| matches!(b, Budget::Seconds(_))).collect();
    if timed.len() > 1 {
        let line = |tool: &&str| {
            let at = |budget: &Budget| {
                let own = shown.of(None, tool, *budget);
                (!own.is_empty()).then(|| (budget.amount() as f64, mean(own.into_iter().map(Cell::branch))))
            };
            Line { name: (*tool).to_string(), points: timed.iter().filter_map(at).collect() }
        };
        let lines: Vec<Line> = shown.tools.iter().map(line).collect();
        draw("budgets", plot::lines("Branches covered, mean of classes", "budget in seconds", &lines))?;
    }
    for &budget in &shown.budgets {
        let lines: Vec<Line> = shown.tools.iter().filter_map(|tool| curve(shown, tool, budget)).collect();
        if !lines.is_empty() {
            let across = if matches!(budget, Budget::Seconds(_)) { "seconds of search" } else { "executed sequences" };
            let title = "Branches gone through, mean of classes";
            draw(&format!("curve-{budget}"), plot::lines(title, across, &lines))?;
        }
    }
    let (Some(&budget), Some((first, others))) = (shown.budgets.last(), shown.tools.split_first()) else {
        return Ok(());
    };
    let up = shown.by_class(first, budget);
    for other in others {
        let across = shown.by_class(other, budget);
        let points: Vec<(f64, f64)> = across.iter().filter_map(|(key, x)| Some((*x, *up.get(key)?))).collect();
        let title = format!("Branches covered in {budget}, class by class");
        draw(&format!("against-{other}"), plot::scatter(&title, other, first, &points))?;
    }
    Ok(())
}

/// The mean course of the searches of a tool.
fn curve(shown: &Shown, tool: &str, budget: Budget) -> Option<Line> {
    let cells = shown.of(None, tool, budget);
    let curves: Vec<&Vec<f64>> =
        cells.iter().filter_map(|c| Some(&c.search.as_ref()?.curve)).filter(|curve| !curve.is_empty()).collect();
    if curves.is_empty() {
        return None;
    }
    let at = |(n, x): (usize, f64)| (x, mean(curves.iter().filter_map(|curve| curve.get(n).copied())));
    Some(Line { name: tool.to_string(), points: budget.grid().into_iter().enumerate().map(at).collect() })
}
