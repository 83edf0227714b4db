//! The command line: options, their defaults and help texts. Owns the clap types; never acts on them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::exit_code::ExitCode;
use crate::span;

/// Writes small, readable, verified JUnit suites for compiled JVM classes.
#[derive(Debug, Parser)]
#[command(name = "testudo", version, about, after_help = exit_codes(), max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

fn exit_codes() -> String {
    format!("Exit codes:\n{}", ExitCode::table())
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write JUnit suites for classes
    Generate(Box<Generate>),
    /// Do it on a bundled example and print one of the tests
    Demo(Box<Demo>),
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

    /// Stop each class after this many executed sequences; the clock then decides nothing and runs are repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_executions: Option<u64>,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How to search
    #[arg(long, value_name = "NAME", default_value = "random")]
    pub technique: String,

    /// Where to write: tests/, failing/, report.json, testudo.log; an earlier run's folder becomes DIR.old
    #[arg(short = 'o', long, value_name = "DIR", default_value = "testudo-out")]
    pub out: PathBuf,

    /// JUnit version of the tests
    #[arg(long, value_name = "4|5", default_value = "5")]
    pub junit: JUnit,

    /// Home of the JDK to use [default: JAVA_HOME, the java on PATH, or the newest found]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,

    /// Classes worked on at the same time
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Classes with contracts of your own: public static boolean methods that must hold for every value
    #[arg(long, value_name = "CLASS", num_args = 1..)]
    pub contracts: Vec<String>,

    /// Say more; twice for the finest detail
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,

    #[command(flatten)]
    pub expert: Expert,
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

    /// Run the code without the sandbox: it may then use files, the network and other programs as you can
    #[arg(long)]
    pub no_sandbox: bool,
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
    Equals,
    /// Values with equal state, field by field
    State,
    /// Keep everything
    None,
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
    fn the_generate_page_names_every_option() {
        let page = include_str!("../../../docs/book/generate.md");
        let command = Cli::command();
        let generate = command.find_subcommand("generate").unwrap();
        for option in generate.get_arguments().filter_map(|a| a.get_long()).filter(|o| *o != "help") {
            assert!(page.contains(&format!("--{option}")), "docs/book/generate.md does not mention --{option}");
        }
    }
}
