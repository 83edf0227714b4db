//! Measures the product from outside: runs the `testudo` binary as a user would and judges what it wrote with real
//! JUnit, JaCoCo and the operating system. Knows nothing of the product but its command line and `report.json`.

mod budget;
mod bugs;
mod command;
mod compare;
mod coverage;
#[path = "../../../fixtures/harm/decoys.rs"]
mod decoys;
mod determinism;
mod equivalence;
mod files;
mod fixtures;
mod harm;
mod jacoco;
mod jars;
mod jdk;
mod junit;
mod libraries;
mod measure;
mod memory;
#[path = "../../../fixtures/harm/outside.rs"]
mod outside;
mod pit;
mod product;
mod results;
mod stuck;
mod subject;
mod suites;
mod symbolic_states;
mod test_jars;
mod throughput;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use jars::Jars;
use jdk::Jdk;
use product::Product;

#[derive(Parser)]
#[command(about = "Measures testudo with outside instruments; see bench/README.md")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

/// What every measurement needs.
#[derive(Args)]
struct Common {
    /// The binary to measure
    #[arg(long, global = true, default_value = "target/release/testudo")]
    testudo: PathBuf,
    /// Home of the JDK to run on; may be repeated where a measurement compares JDKs
    #[arg(long, global = true)]
    jdk: Vec<PathBuf>,
    /// Root of the repository, for fixtures and results
    #[arg(long, global = true, default_value = ".")]
    root: PathBuf,
    /// Where to work and keep fetched jars
    #[arg(long, global = true, default_value = "target/bench")]
    work: PathBuf,
    /// Only subjects or libraries whose name contains one of these
    #[arg(long, global = true, value_delimiter = ',')]
    only: Vec<String>,
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    /// Name of the result files under bench/results [default: the name of the measurement]
    #[arg(long, global = true)]
    name: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Suites for all subjects: compile, pass, flaky in shuffled runs, branch and line coverage by JaCoCo
    Coverage(coverage::Options),
    /// The same for whole libraries from Maven Central
    Libraries(libraries::Options),
    /// Sequences and calls per second, with and without state hashes; time to the first execution
    Throughput(throughput::Options),
    /// Wall clock taken against wall clock asked for, and what is covered in it, over several seeds
    Budget(budget::Options),
    /// Resident memory of brain and workers over a long run
    Memory(memory::Options),
    /// Repeated runs with the same seed and number of executions give the same bytes
    Determinism(determinism::Options),
    /// An existing suite (of any origin) measured with the same instruments
    Measure(measure::Options),
    /// Classes with one known bug each and their twins: bugs found, false alarms
    Bugs(bugs::Options),
    /// Classes that do harm, and classes that use the outside as programs do: what is touched while generating, and by the delivered tests
    Harm(harm::Options),
    /// Classes with one branch each that random search does not hit: solved per technique
    Stuck(stuck::Options),
    /// Mutation scores by PIT
    Pit(pit::Options),
    /// Suites that libraries publish, before and after `testudo minimize`
    Suites(suites::Options),
    /// Tools and techniques side by side on sets of classes, at equal seconds or executions: coverage, mutation score, flaky tests, size, time, memory
    Compare(compare::Options),
    /// Symbolic states of containers by number of calls: states, tests, time and coverage beside published ones
    SymbolicStates(symbolic_states::Options),
    /// Redundant tests by five techniques, what minimising keeps, what exhaustive generation adds
    Equivalence(equivalence::Options),
}

/// Everything a measurement works with.
struct Lab {
    product: Product,
    jdks: Vec<Jdk>,
    jars: Jars,
    root: PathBuf,
    work: PathBuf,
    only: Vec<String>,
    seed: u64,
    name: Option<String>,
}

impl Lab {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }

    /// The JDK that a measurement on one JDK uses.
    fn jdk(&self) -> &Jdk {
        &self.jdks[0]
    }

    fn results(&self, measurement: &str) -> results::Results {
        let name = self.name.as_deref().unwrap_or(measurement);
        results::Results::new(self.root.join("bench/results"), name)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("{path}: {cause}")]
    File { path: PathBuf, cause: std::io::Error },
    #[error("cannot run {program}: {cause}")]
    Start { program: String, cause: std::io::Error },
    #[error("{what} failed: {detail}")]
    Failed { what: String, detail: String },
    #[error("{path}: not a report this program can read: {cause}")]
    Report { path: PathBuf, cause: serde_json::Error },
    #[error("nothing is called {0}; leave --only away to see everything")]
    NothingSelected(String),
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<(), Problem> {
    let common = cli.common;
    let work = files::absolute(&common.work)?;
    files::create(&work)?;
    let jdks = if common.jdk.is_empty() {
        vec![Jdk::on_path()?]
    } else {
        common.jdk.iter().map(|home| Jdk::at(home)).collect::<Result<_, _>>()?
    };
    let lab = Lab {
        product: Product::new(files::absolute(&common.testudo)?),
        jdks,
        jars: Jars::new(work.join("jars")),
        root: files::absolute(&common.root)?,
        work,
        only: common.only,
        seed: common.seed,
        name: common.name,
    };
    match cli.command {
        Command::Coverage(options) => coverage::run(&lab, &options),
        Command::Libraries(options) => libraries::run(&lab, &options),
        Command::Throughput(options) => throughput::run(&lab, &options),
        Command::Budget(options) => budget::run(&lab, &options),
        Command::Memory(options) => memory::run(&lab, &options),
        Command::Determinism(options) => determinism::run(&lab, &options),
        Command::Measure(options) => measure::run(&lab, &options),
        Command::Bugs(options) => bugs::run(&lab, &options),
        Command::Harm(options) => harm::run(&lab, &options),
        Command::Stuck(options) => stuck::run(&lab, &options),
        Command::Pit(options) => pit::run(&lab, &options),
        Command::Suites(options) => suites::run(&lab, &options),
        Command::Compare(options) => compare::run(&lab, &options),
        Command::SymbolicStates(options) => symbolic_states::run(&lab, &options),
        Command::Equivalence(options) => equivalence::run(&lab, &options),
    }
}
