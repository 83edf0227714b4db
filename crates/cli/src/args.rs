//! The command line: options, their defaults and help texts. Owns the clap types; never acts on them.

mod concolic;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use engine::generate::register::TECHNIQUES;
use engine::state::Technique;

use crate::exit_code::ExitCode;
use crate::run::FailOn;
use crate::span;

/// Writes small, readable, verified JUnit suites for compiled JVM classes.
#[derive(Debug, Parser)]
#[command(name = "testudo", version, about, after_help = exit_codes(), max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// All techniques, each with what it does.
fn techniques() -> String {
    let told: Vec<String> = TECHNIQUES.iter().map(|t| format!("{} ({})", t.name, t.help)).collect();
    format!("How to search: {}", told.join(", "))
}

fn exit_codes() -> String {
    format!("Exit codes:\n{}", ExitCode::table())
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write JUnit suites for classes
    Generate(Box<Generate>),
    /// Remove superfluous tests from a JUnit suite
    Minimize(Box<Minimize>),
    /// Count what a JUnit suite does, or compare two
    Assess(Box<Assess>),
    /// Show what is known about classes without running them
    Inspect(Box<Inspect>),
    /// Do it on a bundled example and print one of the tests
    Demo(Box<Demo>),
    /// Show the JDKs of this machine and which layers of the sandbox hold on it
    Doctor,
}

#[derive(Debug, Args)]
pub struct Minimize {
    /// The compiled tests: a folder or a jar; a folder of sources is compiled [default: the test sources]
    #[arg(long, value_name = "DIR|JAR", required_unless_present = "test_sources")]
    pub tests: Option<PathBuf>,

    /// Java sources of the tests; where there are none, superfluous tests are only named
    #[arg(long, value_name = "DIR")]
    pub test_sources: Option<PathBuf>,

    /// Remove tests whose executions are superfluous even if no other test asserts the same
    #[arg(long)]
    pub ignore_assertions: bool,

    /// Report only, write no tests
    #[arg(long, conflicts_with_all = ["in_place"])]
    pub dry_run: bool,

    /// Change the files in the folder of test sources; the originals go to originals/ in the output folder
    #[arg(long, requires = "test_sources")]
    pub in_place: bool,

    /// Where to write: tests/ (or superfluous.txt where there are no sources), minimize.json; an earlier run's folder becomes DIR.old
    #[arg(short = 'o', long, value_name = "DIR", default_value = "testudo-minimized")]
    pub out: PathBuf,

    #[command(flatten)]
    pub observing: Observing,
}

#[derive(Debug, Args)]
pub struct Assess {
    /// A suite: a folder or a jar of compiled tests, or a folder of sources
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// Another one, to compare it with
    #[arg(value_name = "B")]
    pub second: Option<PathBuf>,

    /// Write the tests of B that add something to A
    #[arg(long, value_name = "OUT", requires = "second")]
    pub select: Option<PathBuf>,

    /// Java sources of B, for --select; without them, a list is written
    #[arg(long, value_name = "DIR", requires = "select")]
    pub sources_b: Option<PathBuf>,

    #[command(flatten)]
    pub observing: Observing,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("view").required(true).multiple(true).args(["dataflow", "purity", "emcdg", "symbolic"]))]
pub struct Inspect {
    /// A class name, a pattern (`com.acme.*`, `com.acme.**`), a jar or a folder of compiled classes; for --symbolic also `CLASS#method`
    #[arg(value_name = "CLASS", required = true)]
    pub targets: Vec<String>,

    /// Jars and folders with the classes and what they need, separated by `:` (may be repeated)
    #[arg(short = 'c', long, value_name = "PATH")]
    pub classpath: Vec<String>,

    /// Home of the JDK to use [default: JAVA_HOME, the java on PATH, or the newest found]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,

    /// Which fields and arrays methods define and use, which types they ask for, need and give
    #[arg(long)]
    pub dataflow: bool,

    /// Which parameters methods may change
    #[arg(long)]
    pub purity: bool,

    /// Which members need and give values of which types, with and without what purity rules out
    #[arg(long)]
    pub emcdg: bool,

    /// Print the purified graph of --emcdg in the language of Graphviz
    #[arg(long, requires = "emcdg", conflicts_with = "json")]
    pub dot: bool,

    /// The paths of methods that can be called without much ado: conditions, how they end, and arguments that take them
    #[arg(long)]
    pub symbolic: bool,

    /// Let this program answer what the quick steps of our own solver cannot, in place of our back end: a command that reads SMT-LIB from its input, such as `z3 -in`
    #[arg(long, value_name = "COMMAND", requires = "symbolic")]
    pub solver: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Neither read nor write what is kept about the JDK's methods from one run to the next
    #[arg(long)]
    pub no_cache: bool,
}

/// What every command that runs somebody's suite needs to know.
#[derive(Clone, Debug, Args)]
pub struct Observing {
    /// Jars and folders with the classes under test, JUnit and what the tests need, separated by `:` (may be repeated)
    #[arg(short = 'c', long, value_name = "PATH")]
    pub classpath: Vec<String>,

    /// The classes under test: names, patterns (`com.acme.*`, `com.acme.**`), jars or folders
    #[arg(long, value_name = "CLASS", num_args = 1.., required = true)]
    pub target: Vec<String>,

    /// When two objects are in the same state: whole-seq, modifying-seq, whole-state, monitor-equals or pairwise-equals
    #[arg(long, value_name = "NAME", default_value_t = Technique::WholeState)]
    pub technique: Technique,

    /// The same for arguments [default: as --technique]
    #[arg(long, value_name = "NAME")]
    pub arguments: Option<Technique>,

    /// A test that takes longer has hung
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = span::parse)]
    pub test_limit: Duration,

    /// Home of the JDK to use [default: JAVA_HOME, the java on PATH, or the newest found]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,

    /// Also write the report to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Memory of the JVM that runs the tests, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(32..=65536))]
    pub worker_memory: u32,

    /// An option for the JVM that runs the tests, such as `--add-opens=java.base/java.lang=ALL-UNNAMED` (may be repeated)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_arg: Vec<String>,

    /// Run the tests without the sandbox: they may then use files, the network and other programs as you can
    #[arg(long)]
    pub no_sandbox: bool,
}

#[derive(Debug, Args)]
pub struct Generate {
    /// A class name, a pattern (`com.acme.*`, `com.acme.**`), a jar or a folder of compiled classes
    #[arg(value_name = "TARGET", required = true)]
    pub targets: Vec<String>,

    /// Jars and folders with the classes to test and what they need, separated by `:` (may be repeated)
    #[arg(short = 'c', long, value_name = "PATH")]
    pub classpath: Vec<String>,

    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Args)]
pub struct Demo {
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Wall-clock time per class, everything included [default: 10s; the demo counts executions instead]
    #[arg(long, value_name = "TIME", value_parser = span::parse)]
    pub budget: Option<Duration>,

    /// Wall-clock time for the whole command; classes share what is left
    #[arg(long, value_name = "TIME", value_parser = span::parse)]
    pub total_budget: Option<Duration>,

    /// End the search of each class after this many executed sequences (minimising adds some); the clock then decides nothing and runs are repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_executions: Option<u64>,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    #[arg(long, value_name = "NAME", default_value = TECHNIQUES[0].name, help = techniques())]
    pub technique: String,

    /// Where to write: tests/, failing/, report.json, findings.sarif, testudo.log; an earlier run's folder becomes DIR.old
    #[arg(short = 'o', long, value_name = "DIR", default_value = "testudo-out")]
    pub out: PathBuf,

    /// End with exit code 1 if there are findings: `findings` counts warnings too, `errors` does not
    #[arg(long, value_name = "WHAT", default_value = "nothing")]
    pub fail_on: FailOn,

    /// JUnit version of the tests
    #[arg(long, value_name = "4|5", default_value = "5")]
    pub junit: JUnit,

    /// Home of the JDK to use [default: JAVA_HOME, the java on PATH, or the newest found]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,

    /// Classes worked on at the same time
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// JVMs that search one class together: worth it where there are more processors than classes, two for each of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub workers: u16,

    /// Classes with contracts of your own: public static boolean methods that must hold for every value
    #[arg(long, value_name = "CLASS", num_args = 1..)]
    pub contracts: Vec<String>,

    /// Folder of Java sources (the one that holds the packages); `@throws` in the documentation of methods tells how sure findings about exceptions are
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,

    /// Say where the time went and what was left out, with reasons; twice for the finest detail
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,

    #[command(flatten)]
    pub exploring: Exploring,

    #[command(flatten)]
    pub symbolic_states: SymbolicStates,

    #[command(flatten)]
    pub concolic: concolic::Concolic,

    #[command(flatten)]
    pub evolving: Evolving,

    #[command(flatten)]
    pub expert: Expert,
}

/// Where a search begins, and how far `exhaustive` goes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of --technique exhaustive and for starting from tests")]
pub struct Exploring {
    /// Begin from what existing JUnit tests do: a folder or jar of compiled tests
    #[arg(long, value_name = "DIR|JAR")]
    pub from_tests: Option<PathBuf>,

    /// How many calls beyond the states to begin with
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub iterations: u32,

    /// Explore no more states than this
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one)]
    pub max_states: usize,

    /// When two states are the same: whole-seq, modifying-seq, whole-state, monitor-equals or pairwise-equals
    #[arg(long, value_name = "NAME", default_value_t = Technique::WholeState)]
    pub state_technique: Technique,

    /// Deliver a test for every method execution, in place of those that cover the goals
    #[arg(long)]
    pub keep_all: bool,
}

/// How `evolve` breeds tests.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of evolution (--technique evolve, portfolio)")]
pub struct Evolving {
    /// How tests are bred: many-objective (sequences, by their distances to goals) or gp (trees, method by method)
    #[arg(long, value_name = "NAME", default_value = "many-objective")]
    pub style: EvolveStyle,

    /// Tests in a population [default: 50, for gp 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub population: Option<u16>,

    /// Generations of gp after which a population is given up and another begins [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: Option<u32>,

    /// In the trees of gp, count everything that calls are given as changed by them
    #[arg(long)]
    pub no_purity: bool,

    /// Do not move the literals of the nearest tests one by one
    #[arg(long)]
    pub no_local_search: bool,

    /// Do not search for values that small faults of the code would show in (weak mutants)
    #[arg(long)]
    pub no_weak_mutants: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvolveStyle {
    ManyObjective,
    Gp,
}

/// How `symbolic-states` goes about it; its bounds are those of `exhaustive`.
#[derive(Clone, Debug, Args)]
#[command(
    next_help_heading = "Options of --technique symbolic-states (with --iterations, --max-states and --keep-all)"
)]
pub struct SymbolicStates {
    /// When a state is not new: `implication` (its condition implies that of an earlier one), `merging` (besides, states that hold the same are joined), `equality` (its condition is that of an earlier one), `structure` (whatever the condition)
    #[arg(long, value_name = "HOW", default_value = "merging")]
    pub compare_states: CompareStates,

    /// How many of the calls of each iteration are tried, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = ratio)]
    pub call_share: f64,

    /// In each iteration, first the methods in which something is uncovered
    #[arg(long)]
    pub favour_uncovered: bool,

    /// Parameters, counted from 0, for which constants are passed instead of numbers left open
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',')]
    pub concrete_parameters: Vec<usize>,

    /// Paths of one call at most
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = at_least_one)]
    pub max_paths: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareStates {
    Implication,
    Merging,
    Equality,
    Structure,
}

/// Few, and rarely needed.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Expert options")]
pub struct Expert {
    /// Which values count as already known and are not kept twice
    #[arg(long, value_name = "HOW", default_value = "state")]
    pub prune: Prune,

    /// Statements in a sequence at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub max_length: u16,

    /// How often null is passed where an object is wanted, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = ratio)]
    pub null_ratio: f64,

    /// Go on behind statements that throw
    #[arg(long)]
    pub past_exceptions: bool,

    /// Memory of a worker JVM, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(32..=65536))]
    pub worker_memory: u32,

    /// Do not solve for branches that random search reaches but leaves by one side only
    #[arg(long)]
    pub no_solver: bool,

    /// Let this program answer what the quick steps of our own solver cannot, in place of our back end: a command that reads SMT-LIB from its input, such as `z3 -in`. With it, runs need not repeat themselves: it has seconds, not steps
    #[arg(long, value_name = "COMMAND", conflicts_with = "no_solver")]
    pub solver: Option<String>,

    /// Choose assertions without looking at mutants
    #[arg(long)]
    pub no_mutation: bool,

    /// Keep every assertion, not only those that notice mutants
    #[arg(long, conflicts_with = "no_mutation")]
    pub all_assertions: bool,

    /// Run the code without the sandbox: it may then use files, the network and other programs as you can
    #[arg(long)]
    pub no_sandbox: bool,

    /// Fail before anything runs if a layer of the sandbox is missing here (see `testudo doctor`)
    #[arg(long, conflicts_with = "no_sandbox")]
    pub require_sandbox: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("`{text}` is not a number from 1")),
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err(format!("`{text}` is not a number from 0 to 1")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JUnit {
    #[value(name = "4")]
    Four,
    #[value(name = "5")]
    Five,
}

impl JUnit {
    pub fn number(self) -> u8 {
        match self {
            JUnit::Four => 4,
            JUnit::Five => 5,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prune {
    /// Values that are equal by `equals` and of one class
    #[value(alias = "pairwise-equals")]
    Equals,
    /// Values with equal state, field by field
    #[value(alias = "whole-state")]
    State,
    /// Values of which `equals` reads the same
    MonitorEquals,
    /// Values that the same calls changed
    ModifyingSeq,
    /// Values that the same calls made
    WholeSeq,
    /// Keep everything
    None,
}

impl Prune {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Prune::Equals => "equals",
            Prune::State => "state",
            Prune::MonitorEquals => "monitor-equals",
            Prune::ModifyingSeq => "modifying-seq",
            Prune::WholeSeq => "whole-seq",
            Prune::None => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_of_techniques_are_options_of_the_command() {
        let command = Cli::command();
        let generate = command.find_subcommand("generate").unwrap();
        let known: Vec<&str> = generate.get_arguments().filter_map(|a| a.get_long()).collect();
        for (technique, option) in TECHNIQUES.iter().flat_map(|t| t.options.iter().map(move |o| (t.name, *o))) {
            assert!(known.contains(&option), "{technique}: there is no --{option}");
        }
    }

    #[test]
    fn the_book_names_every_option() {
        let pages = [
            ("generate", include_str!("../../../docs/book/generate.md")),
            ("minimize", include_str!("../../../docs/book/minimize.md")),
            ("assess", include_str!("../../../docs/book/assess.md")),
            ("inspect", include_str!("../../../docs/book/inspect.md")),
        ];
        let command = Cli::command();
        for (name, page) in pages {
            let subcommand = command.find_subcommand(name).unwrap();
            for option in subcommand.get_arguments().filter_map(|a| a.get_long()).filter(|o| *o != "help") {
                assert!(page.contains(&format!("--{option}")), "docs/book/{name}.md does not mention --{option}");
            }
        }
    }
}
