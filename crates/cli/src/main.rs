//! The `testudo` command. Owns the process: arguments in, exit code out. Never decides search policy.

mod args;
mod exit_code;
mod failure;
mod interrupt;
mod log;
mod near;
mod out_dir;
mod pattern;
mod plan;
mod progress;
mod project;
mod report;
mod run;
mod selection;
mod span;
mod verify;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let cli = args::Cli::parse();
    println!("{cli:?}");
    exit_code::ExitCode::Success.number().into()
}
