//! Searches by several techniques, at equal executions and at equal seconds, without what comes behind a search: how many branches each covers, and how fast it is. Owns the comparison; the
//! classes are named on the command line.
//!
//! `cargo run -p testudo --release --example techniques -- EXECUTIONS SECONDS PATH CLASS…`, classes as `a.b.C`. `TECHNIQUES="random;evolve"` leaves others out.

#[path = "../tests/lab/mod.rs"]
mod lab;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use engine::budget::Budget;
use engine::options::{Evolve, Options, Style};
use engine::session::Session;
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use lab::Lab;

const USAGE: &str = "usage: techniques EXECUTIONS SECONDS PATH CLASS…";

/// Techniques with and without solving for stuck branches.
const TECHNIQUES: [&str; 7] = [
    "random",
    "random, no solver",
    "evolve",
    "evolve, no solver",
    "evolve, no local search, no solver",
    "gp",
    "redirect",
];

fn options(technique: &str) -> Options {
    let mut parts = technique.split(", ");
    let name = parts.next().unwrap_or("random");
    let mut options = Options { technique: name.to_owned(), contracts: false, ..Options::default() };
    if name == "gp" {
        options.technique = "evolve".to_owned();
        options.evolve = Evolve { style: Style::Gp, ..Evolve::default() };
    }
    for part in parts {
        match part {
            "no solver" => options.solver = false,
            _ => options.evolve.local_search = false,
        }
    }
    options
}

/// What a search came to.
#[derive(Clone, Copy, Debug, Default)]
struct Result {
    branches: u32,
    total: u32,
    executions: u64,
    seconds: f64,
    generations: u64,
    evaluations: u64,
}

#[expect(clippy::disallowed_methods, reason = "seconds are measured here")]
fn now() -> Instant {
    Instant::now()
}

fn search(lab: &mut Lab, class: &ClassName, technique: &str, limit: Limit) -> Option<Result> {
    let target = lab.open(class).ok()?;
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let goals = target.goals();
    let reaches = target.reaches(&world, &goals);
    let mut session = Session::new(&library, goals, reaches, options(technique)).ok()?;
    let started = now();
    let mut budget = match limit {
        Limit::Executions(n) => Budget::executions(n),
        Limit::Seconds(s) => Budget::until(move || started.elapsed() >= Duration::from_secs_f64(s)),
    };
    session.run(&mut lab.executor, &mut budget, &mut |_| {}).ok()?;
    let progress = session.progress();
    let evolved = session.evolved().unwrap_or_default();
    Some(Result {
        branches: progress.branches.covered,
        total: progress.branches.total,
        executions: progress.executions,
        seconds: started.elapsed().as_secs_f64(),
        generations: evolved.generations,
        evaluations: evolved.evaluations,
    })
}

#[derive(Clone, Copy)]
enum Limit {
    Executions(u64),
    Seconds(f64),
}

fn compare(title: &str, limit: Limit, lab: &mut Lab, classes: &[ClassName], techniques: &[&str]) {
    println!("## {title}\n\n| class | of | {} |", techniques.join(" | "));
    println!("|---|---:|{}", "---:|".repeat(techniques.len()));
    let mut sums: BTreeMap<&str, Vec<Result>> = BTreeMap::new();
    for class in classes {
        let results: Vec<Option<Result>> = techniques.iter().map(|t| search(lab, class, t, limit)).collect();
        let total = results.iter().flatten().map(|r| r.total).max().unwrap_or(0);
        let shown = |r: &Option<Result>| r.map_or("–".to_owned(), |r| r.branches.to_string());
        println!("| {} | {total} | {} |", class.binary(), results.iter().map(shown).collect::<Vec<_>>().join(" | "));
        for (technique, result) in techniques.iter().zip(results) {
            sums.entry(technique).or_default().push(result.unwrap_or(Result { total, ..Result::default() }));
        }
    }
    println!(
        "\n| technique | branches | mean % | better than first | worse | executions/s | evaluations/s | generations/s |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for technique in techniques {
        let own = &sums[technique];
        let sum = |of: &dyn Fn(&Result) -> f64| own.iter().map(of).sum::<f64>();
        let covered = sum(&|r| f64::from(r.branches));
        let mean = sum(&|r| 100.0 * f64::from(r.branches) / f64::from(r.total.max(1))) / own.len() as f64;
        let against = |better: bool| {
            let pairs = own.iter().zip(&sums[techniques[0]]);
            pairs.filter(|(a, b)| if better { a.branches > b.branches } else { a.branches < b.branches }).count()
        };
        let per_second = |of: &dyn Fn(&Result) -> f64| sum(of) / sum(&|r| r.seconds).max(1e-9);
        println!(
            "| {technique} | {covered:.0} | {mean:.2} | {} | {} | {:.0} | {:.0} | {:.0} |",
            against(true),
            against(false),
            per_second(&|r| r.executions as f64),
            per_second(&|r| r.evaluations as f64),
            per_second(&|r| r.generations as f64),
        );
    }
    println!();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [executions, seconds, path, classes @ ..] = &args[..] else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let jdk = Jdk::find(None).expect("a JDK is needed");
    let mut lab = Lab::new(&jdk, &[PathBuf::from(path)]);
    let classes: Vec<ClassName> = classes.iter().map(|c| ClassName::from_binary(c)).collect();
    let wanted = std::env::var("TECHNIQUES").ok();
    let named = |t: &&str| wanted.as_ref().is_none_or(|w| w.split(';').any(|name| name == *t));
    let techniques: Vec<&str> = TECHNIQUES.into_iter().filter(named).collect();
    let (executions, seconds) = (executions.parse().unwrap_or(0), seconds.parse().unwrap_or(0.0));
    if executions > 0 {
        compare(&format!("{executions} executions"), Limit::Executions(executions), &mut lab, &classes, &techniques);
    }
    if seconds > 0.0 {
        compare(&format!("{seconds} s"), Limit::Seconds(seconds), &mut lab, &classes, &techniques);
    }
}
