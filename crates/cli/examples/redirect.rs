//! Measures branch-directed generation: `redirect RANDOM DIRECTED CLASS...` runs so many random tests per class, then takes the conditions of which one outcome was
//! seen and another not, and works at them for at most so many runs. Prints for how many of them some variable has a say, and how many went another way. Owns the measuring
//! only.

#[path = "../tests/lab/mod.rs"]
mod lab;

use std::time::Instant;

use bytecode::names::ClassName;
use engine::budget::Budget;
use engine::generate::Generator;
use engine::generate::random::Random;
use engine::generate::redirect::frontier::Conditions;
use engine::generate::redirect::{Progress, Redirect};
use engine::options::Options;
use engine::rng::Rng;
use engine::search::{Proposal, Search};
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use testcase::executor::{Detail, Executor, Observe, Request};

use lab::Lab;

#[derive(Default)]
struct Sums {
    conditions: usize,
    full: usize,
    frontier: usize,
    unreached: usize,
    with: usize,
    flipped: usize,
    runs: u64,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: redirect RANDOM DIRECTED CLASS...";
    let random: u64 = arguments.next().ok_or(usage)?.parse()?;
    let directed: u64 = arguments.next().ok_or(usage)?.parse()?;
    let jdk = Jdk::find(None)?;
    let mut lab = Lab::new(&jdk, &[]);
    let mut sums = Sums::default();
    println!(
        "| class | conditions | both outcomes | frontier | not reached | with a variable that has a say | flipped | runs |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for class in arguments.map(|name| ClassName::from_binary(&name)) {
        match measure(&mut lab, &class, random, directed, &mut sums) {
            Ok(row) => println!("{row}"),
            Err(why) => eprintln!("{}: {why}", class.binary()),
        }
    }
    let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    println!(
        "| all | {} | {} | {} | {} | {} ({:.0} %) | {} ({:.0} % of these) | {} in {:.1} s |",
        sums.conditions,
        sums.full,
        sums.frontier,
        sums.unreached,
        sums.with,
        percent(sums.with, sums.frontier),
        sums.flipped,
        percent(sums.flipped, sums.with),
        sums.runs,
        sums.seconds
    );
    Ok(())
}

fn measure(
    lab: &mut Lab,
    class: &ClassName,
    random: u64,
    directed: u64,
    sums: &mut Sums,
) -> Result<String, Box<dyn std::error::Error>> {
    let target = lab.open(class)?;
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, &target);
    let goals = target.goals();
    let reaches = target.reaches(&world, &goals);
    let conditions = Conditions::of(&target.classes, &goals);
    let options = Options { contracts: false, ..Options::default() };
    let mut search = Search::new(&library, goals, reaches, options);
    let mut rng = Rng::new(1);
    drive(lab, &mut search, &mut Random::default(), &mut rng, random)?;
    let frontier = conditions.frontier(&search.goals);
    let all = 0..conditions.len() as u32;
    let seen = |n: u32| {
        let edges = conditions.get(n).edges.iter();
        edges.filter(|e| search.goals.of_probe(**e).iter().all(|&g| search.goals.is_covered(g))).count()
    };
    let full = all.clone().filter(|&n| seen(n) == conditions.get(n).edges.len()).count();
    let unreached = all.filter(|&n| seen(n) == 0).count();
    let mut redirect = Redirect::new(None);
    #[expect(clippy::disallowed_methods, reason = "a program that measures")]
    let started = Instant::now();
    let runs = drive(lab, &mut search, &mut redirect, &mut rng, directed)?;
    let seconds = started.elapsed().as_secs_f64();
    // Conditions that came to the frontier by the work itself are not counted.
    let of = redirect.progress_of(&frontier);
    let Progress { influenced, flipped, .. } = of;
    sums.conditions += conditions.len();
    sums.full += full;
    sums.frontier += frontier.len();
    sums.unreached += unreached;
    sums.with += influenced;
    sums.flipped += flipped;
    sums.runs += runs;
    sums.seconds += seconds;
    Ok(format!(
        "| `{}` | {} | {full} | {} | {unreached} | {influenced} | {flipped} | {runs} |",
        class.binary(),
        conditions.len(),
        frontier.len()
    ))
}

/// Lets a generator run so many tests, or until it has nothing more to propose. Gives how many ran.
fn drive(
    lab: &mut Lab,
    search: &mut Search<'_>,
    generator: &mut dyn Generator,
    rng: &mut Rng,
    most: u64,
) -> Result<u64, Box<dyn std::error::Error>> {
    let budget = Budget::executions(most);
    let mut ran = 0;
    while budget.left(ran) > 0 {
        let mut proposals: Vec<Proposal> = Vec::new();
        generator.propose(search, rng, budget.left(ran).min(64) as usize, &mut proposals);
        if proposals.is_empty() {
            break;
        }
        ran += proposals.len() as u64;
        let request = |p: &Proposal| {
            let mut detail =
                Detail { observe: Observe::LastStatement, states: true, operands: true, ..Detail::default() };
            p.detail.add_to(&mut detail);
            Request { sequence: p.sequence.clone(), detail, cost: p.cost.packed(), fault: None }
        };
        let requests = proposals.iter().map(request).collect();
        let executions = lab.executor.run(search.catalog.operations(), requests)?;
        for (proposal, execution) in proposals.iter().zip(&executions) {
            let delta = search.absorb(proposal, execution);
            generator.observe(search, proposal, execution, delta);
        }
    }
    Ok(ran)
}
