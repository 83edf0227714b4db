//! `bench compare`: subjects × tools × budgets × seeds, measured from outside with tools that nobody here wrote. Owns the matrix and what of it is left to do; how tools are called,
//! suites judged and pages written is in the files below.

mod beside;
mod cell;
mod judge;
mod page;
mod plot;
mod subjects;
mod tool;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::Args;

use crate::jdk::Jdk;
use crate::pit::spaced;
use crate::{Lab, Problem, files, product, results};
use cell::{Budget, Cell, Kept, Key, Made, Search};
use judge::{Care, Judge};
use subjects::Subject;
use tool::{Peers, Tool};

#[derive(Args)]
pub struct Options {
    /// Which classes, in which sets
    #[arg(long, default_value = "bench/subjects.toml")]
    subjects: PathBuf,
    /// Sets to use [default: all]
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// testudo (as it is by default), a technique of it with its arguments (`random --no-solver`, `evolve --style gp`), randoop, evosuite
    #[arg(long, value_delimiter = ',', default_values = ["testudo", "randoop", "evosuite"])]
    tools: Vec<String>,
    /// Seconds; wall time of everything for testudo, search time for the others [default: 10, without --executions]
    #[arg(long, value_delimiter = ',')]
    budgets: Vec<u64>,
    /// Sequences that the search may run, the clock deciding nothing; only for testudo
    #[arg(long, value_delimiter = ',')]
    executions: Vec<u64>,
    /// Seeds to measure with [default: that of --seed]
    #[arg(long, value_delimiter = ',')]
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
    /// Measure mutation scores by PIT; suites of an earlier run that have none yet are not generated again
    #[arg(long)]
    pit: bool,
    /// Seconds that PIT may take for a suite; beyond, there is no score
    #[arg(long, default_value_t = 240)]
    pit_limit: u64,
    /// At most so many classes of each set, evenly spaced
    #[arg(long)]
    most: Option<usize>,
    /// Cells measured at the same time; more than one disturbs equal seconds
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Measure everything again; otherwise what the results hold stays, and only what is missing is measured
    #[arg(long)]
    anew: bool,
    /// Measure again what this command asks for; other results stay
    #[arg(long, conflicts_with_all = ["anew", "pit"])]
    again: bool,
}

/// A cell to measure.
struct Task<'a> {
    key: Key,
    subject: &'a Subject,
    tool: &'a Tool,
}

/// Everything that all tasks share.
struct Bench<'a> {
    lab: &'a Lab,
    peers: Peers,
    judge: Judge<'a>,
    work: PathBuf,
    left_out: Vec<&'static str>,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("compare").join(lab.name.as_deref().unwrap_or("compare"));
    files::create(&work)?;
    let file = lab.results("compare").data();
    let mut kept = if options.anew { Kept::default() } else { Kept::read(&file)? };
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
            None => {
                tool.prepare(lab)?;
                tools.push(tool);
            }
        }
    }
    let subjects = chosen(lab, options, &work)?;
    let care = Care {
        runs: options.runs,
        pit: options.pit.then(|| std::time::Duration::from_secs(options.pit_limit)),
        threads: if options.jobs > 1 { 1 } else { 2 },
    };
    let mut tasks = VecDeque::new();
    let seeds = if options.seeds.is_empty() { vec![lab.seed] } else { options.seeds.clone() };
    for seed in seeds {
        for budget in budgets(options) {
            for subject in &subjects {
                for tool in tools.iter().filter(|tool| tool.understands(budget)) {
                    let (set, class) = (subject.set.clone(), subject.class.clone());
                    let key = Key { set, class, tool: tool.name(), budget, seed };
                    if options.again {
                        kept.cells.retain(|cell| cell.key != key);
                    }
                    let known = kept.find(&key);
                    if known.is_none_or(|cell| options.pit && cell.lacks_pit()) {
                        tasks.push_back(Task { key, subject, tool });
                    }
                }
            }
        }
    }
    for name in tools.iter().map(Tool::name) {
        if !kept.tools.contains(&name) {
            kept.tools.push(name);
        }
    }
    eprintln!("{} cells to measure, {} known", tasks.len(), kept.cells.len());
    let made =
        Made { command: command_line(std::env::args().skip(1)), day: results::today(), version: lab.product.version() };
    if !tasks.is_empty() && !kept.made.contains(&made) {
        kept.made.push(made);
    }
    let judge = Judge::new(lab, care, &work)?;
    let bench = Bench { lab, peers, judge, work, left_out };
    let kept = measure_all(&bench, kept, tasks, options.jobs)?;
    page::write(lab, &kept, &bench.left_out)
}

/// Arguments as one would type them.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let quoted = arguments.map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word });
    quoted.collect::<Vec<_>>().join(" ")
}

fn budgets(options: &Options) -> Vec<Budget> {
    let executions = options.executions.iter().map(|&n| Budget::Executions(n));
    let mut all: Vec<Budget> = options.budgets.iter().map(|&n| Budget::Seconds(n)).chain(executions).collect();
    if all.is_empty() {
        all.push(Budget::Seconds(10));
    }
    all
}

/// The subjects asked for, in the order of the file.
fn chosen(lab: &Lab, options: &Options, work: &std::path::Path) -> Result<Vec<Subject>, Problem> {
    let mut subjects = subjects::read(lab, &lab.root.join(&options.subjects), &options.set, work)?;
    if let Some(most) = options.most {
        let mut by_set: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for subject in &subjects {
            by_set.entry(subject.set.clone()).or_default().push(subject.class.clone());
        }
        for classes in by_set.values_mut() {
            *classes = spaced(classes, most);
        }
        subjects.retain(|subject| by_set[&subject.set].contains(&subject.class));
    }
    Ok(subjects)
}

/// Measures by several threads; after every cell the results are written, so that nothing is lost if the program is ended.
fn measure_all(bench: &Bench, kept: Kept, tasks: VecDeque<Task>, jobs: usize) -> Result<Kept, Problem> {
    let (count, tasks, kept) = (tasks.len(), Mutex::new(tasks), Mutex::new(kept));
    let worked = |_| -> Result<(), Problem> {
        loop {
            let (task, left) = {
                let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                (tasks.pop_front(), tasks.len())
            };
            let Some(task) = task else { return Ok(()) };
            let known = {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.find(&task.key).cloned()
            };
            eprintln!("{}/{count} {} {} {}", count - left, task.key.class, task.key.tool, task.key.budget);
            // What cannot be measured is missing, and tried again by the next run.
            match bench.measure(&task, known) {
                Ok(cell) => {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.put(cell);
                    page::write(bench.lab, &kept, &bench.left_out)?;
                }
                Err(problem) => eprintln!("{} {}: {problem}", task.key.class, task.key.tool),
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|n| scope.spawn(move || worked(n))).collect();
        for worker in workers {
            // A worker that panicked has said why.
            if let Ok(result) = worker.join() {
                result?;
            }
        }
        Ok(())
    })?;
    Ok(kept.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Cell {
    /// Whether PIT could still say something about it.
    fn lacks_pit(&self) -> bool {
        self.verdict.tests > 0 && self.verdict.mutants.is_none() && self.problem.is_none()
    }
}

impl Bench<'_> {
    fn measure(&self, task: &Task, known: Option<Cell>) -> Result<Cell, Problem> {
        let Task { key, subject, tool } = task;
        let folder = self.work.join("cells").join(key.folder());
        let jdk = tool.jdk(self.lab, &self.peers);
        if let Some(mut cell) = known
            && let Some(written) = tool.earlier(self.lab, &self.peers, &folder)?
        {
            (cell.verdict.mutants, cell.problem) = self.judge.mutants_of(jdk, subject, &written, &folder)?;
            return Ok(cell);
        }
        let written = tool.write(self.lab, &self.peers, subject, key.budget, key.seed, &folder)?;
        let (verdict, trouble) = self.judge.judge(jdk, subject, &written, &folder)?;
        let report = product::report(&folder.join("out")).ok();
        let class = report.and_then(|report| report.classes.into_iter().find(|class| class.class == key.class));
        Ok(Cell {
            key: key.clone(),
            wall_seconds: written.wall.as_secs_f64(),
            peak_megabytes: written.peak_megabytes,
            verdict,
            search: class.map(|class| Search::new(&class, key.budget)),
            problem: written.problem.or(trouble),
        })
    }
}

#[test]
fn commands_can_be_typed_again() {
    let words = ["--tools", "random,evolve --style gp"].map(String::from);
    assert_eq!(command_line(words.into_iter()), "--tools \"random,evolve --style gp\"");
}
