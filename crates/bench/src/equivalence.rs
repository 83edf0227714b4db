//! `bench equivalence`: state equivalence measured as the literature did it: redundant tests of simple suites by five techniques, what minimising keeps, and what exhaustive
//! generation makes of the same suites. Owns the procedure; suites, literature and tables are below.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::jacoco::{self, Ratio};
use crate::suites::minimize::{Counts, Minimize, TECHNIQUES};
use crate::suites::plain::Plain;
use crate::{Lab, Problem, files, fixtures};

mod cost;
mod exploration;
mod generated;
mod literature;
mod seeds;
mod tables;

use generated::Generated;
use seeds::{SUBJECTS, Style, Subject};

#[derive(Args)]
pub struct Options {
    /// Techniques to measure
    #[arg(long, value_delimiter = ',', default_values = TECHNIQUES)]
    techniques: Vec<String>,
    /// Techniques to generate by
    #[arg(long, value_delimiter = ',', default_value = "whole-state")]
    generate_by: Vec<String>,
    /// Iterations of generation at most; 0 for none
    #[arg(long, default_value_t = 2)]
    iterations: u32,
    /// Wall clock of one generation
    #[arg(long, default_value = "60s")]
    budget: String,
    /// Only report what is redundant: nothing is written, run again or generated
    #[arg(long)]
    dry_run: bool,
    /// Only the state spaces of a stack and a map
    #[arg(long)]
    exploration: bool,
    /// Only what it costs to look at states
    #[arg(long)]
    cost: bool,
    /// Keys up to this many for the map
    #[arg(long, default_value_t = 8)]
    keys: u32,
}

/// A suite before anything is done to it.
struct Seed {
    sources: PathBuf,
    tests: PathBuf,
    work: PathBuf,
    reached: Reached,
}

/// What a suite reaches, by JaCoCo and JUnit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Reached {
    branches: Ratio,
    /// Kinds of exceptions that leave tests, with the methods that throw them.
    exceptions: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    class: String,
    suite: &'static str,
    technique: String,
    tests: usize,
    /// Found redundant and left out.
    removed: usize,
    /// Found redundant, but the suite is worse without.
    put_back: usize,
    executions: usize,
    removed_executions: usize,
    different_executions: usize,
    states: usize,
    seconds: f64,
    before: Reached,
    /// Of the minimised suite; `null` in a dry run.
    after: Option<Reached>,
    generated: Vec<Generated>,
    notes: Vec<String>,
}

impl Row {
    fn redundant_percent(&self) -> f64 {
        Ratio { covered: self.removed, total: self.tests }.percent()
    }

    fn removed_percent(&self) -> f64 {
        Ratio { covered: self.removed_executions, total: self.executions }.percent()
    }
}

/// Everything that is the same for all suites.
struct Ground<'a> {
    lab: &'a Lab,
    options: &'a Options,
    classes: PathBuf,
    class_path: Vec<PathBuf>,
}

const LIMIT: Duration = Duration::from_secs(900);

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let work = lab.work.join("equivalence");
    files::renew(&work)?;
    let classes = fixtures::subjects(lab)?;
    let class_path = vec![classes.clone(), lab.jars.junit()?];
    let ground = Ground { lab, options, classes, class_path };
    if options.exploration {
        return exploration::run(&ground, &work);
    }
    if options.cost {
        return cost::run(&ground, &work);
    }
    let mut rows = Vec::new();
    let mut lost = Vec::new();
    for style in [Style::Sequences, Style::SingleCalls] {
        for subject in SUBJECTS.iter().filter(|subject| lab.wants(subject.name)) {
            let seed = ground.seed(subject, style, &work.join(style.name().replace(' ', "-")).join(subject.name))?;
            for technique in &options.techniques {
                eprintln!("{}, {}: {technique}", subject.name, style.name());
                match ground.row(subject, style, technique, &seed) {
                    Ok(row) => rows.push(row),
                    Err(problem) => {
                        lost.push(format!("{}, {}, {technique}: {problem}", subject.name, style.name()));
                    }
                }
            }
            // After each subject: the whole takes long.
            tables::write(lab, &rows, &lost)?;
        }
    }
    if rows.is_empty() && lost.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    Ok(())
}

impl Ground<'_> {
    fn seed(&self, subject: &Subject, style: Style, work: &Path) -> Result<Seed, Problem> {
        let (sources, tests) = (work.join("sources"), work.join("tests"));
        subject.write(style, &sources)?;
        self.compile(&[&sources], &tests)?;
        let reached = self.reached(&subject.class(), &tests, &work.join("before"))?;
        Ok(Seed { sources, tests, work: work.to_path_buf(), reached })
    }

    /// Compiles folders of sources together.
    fn compile(&self, folders: &[&Path], out: &Path) -> Result<(), Problem> {
        let mut sources = Vec::new();
        for folder in folders {
            sources.extend(files::below(folder, ".java")?);
        }
        let compiled = self.lab.jdk().compile(&sources, &self.class_path, None, out)?;
        if compiled.succeeded() {
            Ok(())
        } else {
            Err(Problem::Failed { what: format!("compiling {}", out.display()), detail: compiled.tail() })
        }
    }

    fn reached(&self, class: &str, tests: &Path, work: &Path) -> Result<Reached, Problem> {
        let plain = Plain { tests, class_path: &self.class_path, folder: &self.lab.work, limit: LIMIT };
        let own = class_files(&self.classes, class)?;
        let (ran, coverage) = plain.covered(self.lab, &own, &format!("{class}:{class}$*"), work)?;
        let exceptions = ran.exceptions().into_iter().map(String::from).collect();
        Ok(Reached { branches: coverage.branches, exceptions })
    }

    fn row(&self, subject: &Subject, style: Style, technique: &str, seed: &Seed) -> Result<Row, Problem> {
        let class = subject.class();
        let out = seed.work.join(technique);
        let minimize = Minimize {
            tests: &seed.tests,
            sources: &seed.sources,
            class_path: &self.class_path,
            target: &class,
            technique,
            more: if self.options.dry_run { &["--dry-run"] } else { &[] },
            folder: &self.lab.work,
            out: &out,
            limit: LIMIT,
        };
        let (report, took) = minimize.run(self.lab)?;
        let (executions, removed_executions) = report.executions();
        let Counts { method_executions, object_states, tests, .. } = report.before;
        let mut row = Row {
            class: subject.name.to_string(),
            suite: style.name(),
            technique: technique.to_string(),
            tests,
            removed: report.removed(),
            put_back: report.put_back(),
            executions,
            removed_executions,
            different_executions: method_executions,
            states: object_states,
            seconds: took.wall.as_secs_f64(),
            before: seed.reached.clone(),
            after: None,
            generated: Vec::new(),
            notes: report.notes,
        };
        if !self.options.dry_run {
            let minimised = seed.work.join(format!("{technique}-tests"));
            self.compile(&[&out.join("tests")], &minimised)?;
            row.after = Some(self.reached(&class, &minimised, &seed.work.join(format!("{technique}-after")))?);
            if self.options.generate_by.iter().any(|by| by == technique) {
                for iterations in 1..=self.options.iterations {
                    let from = seed.work.join(format!("{technique}-{iterations}"));
                    row.generated.push(self.generated(&class, seed, technique, iterations, &from)?);
                }
            }
        }
        Ok(row)
    }
}

/// The class files of a class and the classes nested in it.
fn class_files(classes: &Path, class: &str) -> Result<Vec<PathBuf>, Problem> {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let mut own = files::below(classes, ".class")?;
    own.retain(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        name == simple || name.starts_with(&format!("{simple}$"))
    });
    Ok(own)
}

/// Branch coverage as JaCoCo has it.
fn percent_of(reached: &Reached) -> f64 {
    jacoco::Ratio::percent(reached.branches)
}
