//! Searches by techniques that think, for so many seconds each: branches, executions, and what thinking was charged for. Owns the check that one unit of thinking takes about as long as an execution: the
//! sums of both per second should be alike.
//!
//! `cargo run -p testudo --release --example thinking -- SECONDS PATH CLASS…`, classes as `a.b.C`; `20000u` in place of seconds ends when executions and thinking sum up to so many. `TECHNIQUES="random;concolic"` leaves others out, `SEEDS=3` tries
//! so many seeds, `NOTES=1` shows what the generators say.

#[path = "../tests/lab/mod.rs"]
mod lab;

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use lab::Lab;

const USAGE: &str = "usage: thinking SECONDS PATH CLASS…";
const TECHNIQUES: [&str; 6] = ["random, no solver", "random", "redirect", "evolve", "concolic", "portfolio"];

#[expect(clippy::disallowed_methods, reason = "seconds are measured here")]
fn now() -> Instant {
    Instant::now()
}

fn search(lab: &mut Lab, class: &ClassName, technique: &str, limit: &str, seed: u64) -> Option<()> {
    let target = lab.open(class).ok()?;
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let goals = target.goals();
    let reaches = target.reaches(&world, &goals);
    let name = technique.split(", ").next().unwrap_or(technique).to_owned();
    let solver = !technique.ends_with("no solver");
    let options = Options { technique: name, solver, seed, contracts: false, ..Options::default() };
    let mut session = Session::new(&library, goals, reaches, options).ok()?;
    let started = now();
    let spent = Cell::new(0);
    let units = limit.strip_suffix('u').and_then(|n| n.parse().ok()).unwrap_or(u64::MAX);
    let seconds = limit.parse().unwrap_or(1e6);
    let expired = || spent.get() >= units || started.elapsed() >= Duration::from_secs_f64(seconds);
    let mut budget = Budget::until(expired);
    session.run(&mut lab.executor, &mut budget, &mut |p| spent.set(p.executions + p.thinking)).ok()?;
    drop(budget);
    let took = started.elapsed().as_secs_f64();
    let progress = session.progress();
    let sum = (progress.executions + session.thinking()) as f64;
    println!(
        "| {} | {technique} | {}/{} | {took:.1} | {} | {} | {:.0} |",
        class.binary(),
        progress.branches.covered,
        progress.branches.total,
        progress.executions,
        session.thinking(),
        sum / took,
    );
    if std::env::var("NOTES").is_ok() {
        session.figures().notes.iter().for_each(|n| println!("  {n}"));
        session.figures().shares.iter().for_each(|s| println!("  {s:?}"));
        if let Some(solved) = session.figures().solved {
            println!("  {solved:?}");
        }
        let goals = &session.search().goals;
        for (id, goal) in goals.iter().filter(|(id, _)| goals.is_open(*id)) {
            println!("  open {id:?} {goal:?} in {}", goals.method(goal.method).name);
        }
    }
    Some(())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, path, classes @ ..] = &args[..] else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let jdk = Jdk::find(None).expect("a JDK is needed");
    let mut lab = Lab::new(&jdk, &[PathBuf::from(path)]);
    let wanted = std::env::var("TECHNIQUES").ok();
    let named = |t: &&str| wanted.as_ref().is_none_or(|w| w.split(';').any(|name| name == *t));
    let seeds = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    println!(
        "| class | technique | branches | s | executions | thinking | both per s |\n|---|---|---:|---:|---:|---:|---:|"
    );
    for class in classes {
        for technique in TECHNIQUES.into_iter().filter(named) {
            for seed in 1..=seeds {
                search(&mut lab, &ClassName::from_binary(class), technique, seconds, seed);
            }
        }
    }
}
