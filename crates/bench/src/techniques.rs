//! `bench techniques`: ways to search side by side, at equal executions and at equal seconds. Owns the rule by which classes of libraries are picked and what is compared; the branches are those of
//! `report.json`, which are JaCoCo's (see `bench coverage`).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::libraries::LIBRARIES;
use crate::pit::spaced;
use crate::product::{self, Convergence, Generate};
use crate::results::percent;
use crate::subject::{Origin, SUBJECTS};
use crate::{Lab, Problem, files, fixtures, jacoco, test_jars};

#[derive(Args)]
pub struct Options {
    /// Techniques with their arguments; a name alone stands for `--technique NAME`
    #[arg(long, value_delimiter = ',', default_value = "random,evolve,evolve --style gp,redirect")]
    techniques: Vec<String>,
    /// Executions per class of the first comparison; 0 leaves it out
    #[arg(long, default_value_t = 30_000)]
    executions: u64,
    /// Seconds per class of the second comparison; 0 leaves it out
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Classes of each library: of the classes of the top level with 40 branches or more, in the order of their names, so many at equal distances
    #[arg(long, default_value_t = 10)]
    library_classes: usize,
    /// Leave the subjects out
    #[arg(long)]
    no_subjects: bool,
}

/// Fewer branches tell nothing apart.
const LEAST_BRANCHES: usize = 40;

struct Subject {
    class: String,
    classes: PathBuf,
}

#[derive(Serialize)]
struct Cell {
    class: String,
    technique: String,
    budget: String,
    covered: usize,
    total: usize,
    executions: u64,
    search_seconds: f64,
    generations: u64,
    evaluations: u64,
    convergence: Option<Convergence>,
}

impl Cell {
    fn percent(&self) -> f64 {
        100.0 * self.covered as f64 / self.total.max(1) as f64
    }
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("techniques");
    files::renew(&work)?;
    let subjects = subjects(lab, options, &work)?;
    if subjects.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let budgets = [
        (options.executions > 0).then(|| vec!["--max-executions".to_owned(), options.executions.to_string()]),
        (options.seconds > 0).then(|| vec!["--budget".to_owned(), format!("{}s", options.seconds)]),
    ];
    let mut cells = Vec::new();
    for budget in budgets.iter().flatten() {
        for subject in &subjects {
            eprintln!("{} {}", subject.class, budget.join(" "));
            for technique in &options.techniques {
                // What cannot be measured for one is missing for it alone; the page says so.
                match cell(lab, subject, technique, budget, &work) {
                    Ok(cell) => cells.push(cell),
                    Err(problem) => eprintln!("{} {technique}: {problem}", subject.class),
                }
            }
        }
    }
    write(lab, options, &cells)
}

fn subjects(lab: &Lab, options: &Options, work: &std::path::Path) -> Result<Vec<Subject>, Problem> {
    let mut subjects = Vec::new();
    if !options.no_subjects {
        let classes = fixtures::subjects(lab)?;
        let own = SUBJECTS.iter().filter(|s| s.origin == Origin::Fixture);
        subjects.extend(own.map(|s| Subject { class: s.class.to_owned(), classes: classes.clone() }));
    }
    if options.library_classes > 0 {
        for library in &LIBRARIES {
            let jar = lab.jars.fetch(library)?;
            let classes = work.join(format!("{}-classes", library.name));
            test_jars::unpack(lab, &jar, &classes)?;
            // A record of nothing tells how many branches there are.
            let record = work.join(format!("{}.exec", library.name));
            files::write(&record, "")?;
            let rows = jacoco::rows(&lab.jars, lab.jdk(), &record, std::slice::from_ref(&jar))?;
            let large = rows.iter().filter(|row| row.coverage.branches.total >= LEAST_BRANCHES);
            let mut names: Vec<String> = large
                .map(|row| row.class.clone())
                .filter(|class| classes.join(class.replace('.', "/")).with_extension("class").exists())
                .collect();
            names.sort();
            let picked = spaced(&names, options.library_classes).into_iter();
            subjects.extend(picked.map(|class| Subject { class, classes: classes.clone() }));
        }
    }
    subjects.retain(|subject| lab.wants(&subject.class));
    Ok(subjects)
}

fn cell(
    lab: &Lab,
    subject: &Subject,
    technique: &str,
    budget: &[String],
    work: &std::path::Path,
) -> Result<Cell, Problem> {
    let mut words = technique.split_whitespace();
    let mut more = vec!["--technique".to_owned(), words.next().unwrap_or("random").to_owned()];
    more.extend(words.map(str::to_owned));
    more.extend(budget.iter().cloned());
    // Searches are compared, not what comes behind them.
    more.push("--no-mutation".to_owned());
    let out = work.join("out");
    files::renew(&out)?;
    let generate = Generate {
        targets: vec![subject.class.clone()],
        class_path: vec![subject.classes.clone()],
        jdk: lab.jdk(),
        seed: lab.seed,
        more,
        out: out.clone(),
        limit: Duration::from_secs(300),
    };
    let finished = lab.product.generate(&generate)?;
    let report = product::report(&out)
        .map_err(|problem| Problem::Failed { what: problem.to_string(), detail: finished.tail() })?;
    let missing = || Problem::Failed { what: subject.class.clone(), detail: finished.tail() };
    let class = report.classes.into_iter().find(|c| c.class == subject.class).ok_or_else(missing)?;
    let branch = class.goal("branch");
    let evolved = class.evolved.unwrap_or_default();
    // What the search reached: delivered suites lose what does not come out alike twice.
    let reached = class.convergence.as_ref().and_then(|c| c.branches.last().copied()).unwrap_or(0) as usize;
    Ok(Cell {
        class: subject.class.clone(),
        technique: technique.to_owned(),
        budget: budget.join(" "),
        covered: reached.max(branch.covered),
        total: branch.total,
        executions: class.executions,
        search_seconds: class.seconds.search,
        generations: evolved.generations,
        evaluations: evolved.evaluations,
        convergence: class.convergence,
    })
}

fn write(lab: &Lab, options: &Options, cells: &[Cell]) -> Result<(), Problem> {
    let mut results = lab.results("techniques");
    results.conditions(lab.jdk());
    let mut budgets: Vec<&str> = Vec::new();
    for cell in cells {
        if !budgets.contains(&cell.budget.as_str()) {
            budgets.push(&cell.budget);
        }
    }
    let base = options.techniques.first().map_or("", String::as_str);
    for budget in budgets {
        results.paragraph(&format!("## `{budget}`"));
        let here: Vec<&Cell> = cells.iter().filter(|c| c.budget == budget).collect();
        summary(&mut results, options, base, &here);
        classes(&mut results, options, &here);
    }
    results.finish(&cells)
}

fn summary(results: &mut crate::results::Results, options: &Options, base: &str, cells: &[&Cell]) {
    let heads = [
        "technique",
        "branches",
        "mean %",
        "better than first",
        "worse",
        "executions/s",
        "evaluations/s",
        "generations/s",
    ];
    let of_base: BTreeMap<&str, usize> =
        cells.iter().filter(|c| c.technique == base).map(|c| (c.class.as_str(), c.covered)).collect();
    let mut table = Vec::new();
    for technique in &options.techniques {
        let own: Vec<&&Cell> = cells.iter().filter(|c| c.technique == *technique).collect();
        let sum = |of: &dyn Fn(&Cell) -> f64| own.iter().map(|c| of(c)).sum::<f64>();
        let against = |better: bool| {
            let first = |c: &Cell| of_base.get(c.class.as_str()).copied();
            own.iter()
                .filter(|c| first(c).is_some_and(|f| if better { c.covered > f } else { c.covered < f }))
                .count()
                .to_string()
        };
        let searched = sum(&|c| c.search_seconds).max(f64::MIN_POSITIVE);
        let rate = |of: &dyn Fn(&Cell) -> f64| format!("{:.0}", sum(of) / searched);
        table.push(vec![
            technique.clone(),
            format!("{:.0}/{:.0}", sum(&|c| c.covered as f64), sum(&|c| c.total as f64)),
            percent(sum(&Cell::percent) / own.len().max(1) as f64),
            against(true),
            against(false),
            rate(&|c| c.executions as f64),
            rate(&|c| c.evaluations as f64),
            rate(&|c| c.generations as f64),
        ]);
    }
    results.table(&heads, &table);
}

/// Branches covered, class by class, where techniques differ.
fn classes(results: &mut crate::results::Results, options: &Options, cells: &[&Cell]) {
    let mut by_class: BTreeMap<&str, BTreeMap<&str, &Cell>> = BTreeMap::new();
    for cell in cells {
        by_class.entry(&cell.class).or_default().insert(&cell.technique, cell);
    }
    let heads: Vec<&str> =
        ["class", "branches"].into_iter().chain(options.techniques.iter().map(String::as_str)).collect();
    let mut table = Vec::new();
    let mut alike = 0;
    for (class, by_technique) in &by_class {
        let mut covered: Vec<usize> = by_technique.values().map(|c| c.covered).collect();
        covered.dedup();
        if covered.len() == 1 && by_technique.len() == options.techniques.len() {
            alike += 1;
            continue;
        }
        let total = by_technique.values().map(|c| c.total).max().unwrap_or(0);
        let mut row = vec![(*class).to_owned(), total.to_string()];
        row.extend(
            options
                .techniques
                .iter()
                .map(|t| by_technique.get(t.as_str()).map_or("–".to_owned(), |c| c.covered.to_string())),
        );
        table.push(row);
    }
    results.table(&heads, &table);
    results.paragraph(&format!("{alike} further classes are covered alike by all."));
}
