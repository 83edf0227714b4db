//! The `testudo` command. Owns the process: arguments in, exit code out. Never decides search policy.

mod args;
mod assess;
mod audit;
mod command;
mod crew;
mod delivery;
mod demo;
mod doctor;
mod documented;
mod exit_code;
mod failure;
mod flakiness;
mod from_tests;
mod heaps;
mod inspect;
mod interrupt;
mod joint_bench;
mod junit_writer;
mod jvm_bench;
mod log;
mod minimize;
mod mutation;
mod near;
mod observe;
mod out_dir;
mod pattern;
mod pipeline;
mod plan;
mod progress;
mod project;
mod report;
mod run;
mod scratch;
mod screen;
mod selection;
mod solver;
mod span;
mod together;
mod verify;
mod workshop;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

fn main() -> std::process::ExitCode {
    exec::limits::survive_file_size_limit();
    let cli = Cli::parse();
    let code = match run(&cli) {
        Ok(code) => code,
        Err(failure) => {
            screen::tell(&format!("error: {}", screen::lines(&failure.to_string())));
            if let Some(hint) = failure.hint() {
                screen::tell(&format!("hint: {}", screen::lines(&hint)));
            }
            failure.exit_code()
        }
    };
    code.number().into()
}

fn run(cli: &Cli) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::install().map_err(|e| Failure::Internal { message: e.to_string(), seed: 0 })?;
    match &cli.command {
        Command::Generate(arguments) => command::generate(arguments, &interrupt),
        Command::Minimize(arguments) => minimize::minimize(arguments, &interrupt),
        Command::Assess(arguments) => assess::assess(arguments, &interrupt),
        Command::Inspect(arguments) => inspect::inspect(arguments),
        Command::Demo(arguments) => demo::demo(arguments, &interrupt),
        Command::Doctor => Ok(doctor::doctor()),
    }
}
