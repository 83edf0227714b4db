//! Measures genetic programming as it was published: `ecrash RUNS GENERATIONS CLASS...` evolves tests for every public method of each class with so many seeds, with
//! and without purity analysis, and prints after how many generations all nodes were gone through, and in which share of the runs. Owns the measuring only.

#[path = "../tests/lab/mod.rs"]
mod lab;

use std::collections::BTreeMap;
use std::time::Instant;

use bytecode::names::ClassName;
use engine::generate::Generator;
use engine::generate::evolve::gp::Gp;
use engine::options::{self, Options};
use engine::rng::Rng;
use engine::search::Search;
use engine::target::Target;
use engine::world_library::WorldLibrary;
use exec::jdk::Jdk;
use testcase::executor::{Detail, Executor, Request};

use lab::Lab;

/// What the runs for one method gave.
#[derive(Clone, Debug, Default)]
struct Row {
    nodes: usize,
    runs: u32,
    full: u32,
    /// Sum over the full runs.
    generations: u32,
    /// Fewest nodes left by any run.
    left: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: ecrash RUNS GENERATIONS CLASS...";
    let runs: u64 = arguments.next().ok_or(usage)?.parse()?;
    let generations: u32 = arguments.next().ok_or(usage)?.parse()?;
    let jdk = Jdk::find(None)?;
    let mut lab = Lab::new(&jdk, &[]);
    for class in arguments.map(|name| ClassName::from_binary(&name)) {
        let mut tables = Vec::new();
        for purity in [false, true] {
            let mut rows: BTreeMap<String, Row> = BTreeMap::new();
            let (mut evaluated, mut bred) = (0, 0);
            #[expect(clippy::disallowed_methods, reason = "a program that measures")]
            let started = Instant::now();
            for seed in 1..=runs {
                let target = lab.open(&class)?;
                let settings = options::Gp { generations, restart: false, purity, ..options::Gp::default() };
                evaluated += evolve(&mut lab, &target, seed, settings, &mut rows, &mut bred)?;
            }
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{} {}: {evaluated} evaluations, {bred} generations in {seconds:.1} s: {:.0} evaluations/s, {:.0} generations/s",
                class.binary(),
                if purity { "with purity" } else { "without purity" },
                evaluated as f64 / seconds,
                f64::from(bred) / seconds
            );
            tables.push(rows);
        }
        print(&class, &tables);
    }
    Ok(())
}

/// One run for all public methods. Gives how many tests ran.
fn evolve(
    lab: &mut Lab,
    target: &Target,
    seed: u64,
    settings: options::Gp,
    rows: &mut BTreeMap<String, Row>,
    bred: &mut u32,
) -> Result<u64, Box<dyn std::error::Error>> {
    let world = lab.world.clone();
    let library = WorldLibrary::new(&world, target);
    let goals = target.goals();
    let options = Options { seed, contracts: false, gp: settings, ..Options::default() };
    let mut search = Search::new(&library, goals, Vec::new(), options);
    let mut gp = Gp::new(settings);
    let mut rng = Rng::new(seed);
    gp.prepare(&mut search, |search, method| {
        let described = search.goals.method(method);
        let info = world.class(&described.class).ok();
        let known = info.as_ref().and_then(|i| i.method(&described.name, &described.descriptor));
        described.class == target.class && &*described.name != "<init>" && known.is_some_and(|m| m.access.is_public())
    });
    let mut evaluated = 0;
    loop {
        let mut proposals = Vec::new();
        gp.propose(&mut search, &mut rng, 256, &mut proposals);
        if proposals.is_empty() {
            break;
        }
        evaluated += proposals.len() as u64;
        let request = |p: &engine::search::Proposal| Request {
            sequence: p.sequence.clone(),
            detail: Detail { all_probes: true, operands: true, ..Detail::default() },
            cost: p.cost.packed(),
            fault: None,
        };
        let requests = proposals.iter().map(request).collect();
        let executions = lab.executor.run(search.catalog.operations(), requests)?;
        for (proposal, execution) in proposals.iter().zip(&executions) {
            let delta = search.absorb(proposal, execution);
            gp.observe(&search, proposal, execution, delta);
        }
    }
    for population in gp.populations() {
        let method = search.goals.method(population.method);
        let row = rows.entry(format!("{}{}", method.name, method.descriptor)).or_default();
        row.left = if row.runs == 0 { population.left() } else { row.left.min(population.left()) };
        row.nodes = population.counted();
        row.runs += 1;
        *bred += population.generation;
        if let Some(generation) = population.completed {
            row.full += 1;
            row.generations += generation;
        }
    }
    Ok(evaluated)
}

fn print(class: &ClassName, tables: &[BTreeMap<String, Row>]) {
    println!(
        "\n| {} | nodes | generations, no purity | full % | generations, purity | full % | never hit |",
        class.binary()
    );
    println!("|---|---|---|---|---|---|---|");
    let mean = |row: &Row| match row.full {
        0 => "–".to_owned(),
        n => format!("{:.1}", f64::from(row.generations) / f64::from(n)),
    };
    let share = |row: &Row| 100.0 * f64::from(row.full) / f64::from(row.runs.max(1));
    let mut sums = [(0.0, 0.0, 0, 0); 2];
    for (name, pure) in &tables[1] {
        let plain = tables[0].get(name).cloned().unwrap_or_default();
        println!(
            "| `{name}` | {} | {} | {:.0} | {} | {:.0} | {} |",
            pure.nodes,
            mean(&plain),
            share(&plain),
            mean(pure),
            share(pure),
            pure.left
        );
        for (sum, row) in sums.iter_mut().zip([&plain, pure]) {
            if row.full > 0 {
                sum.0 += f64::from(row.generations) / f64::from(row.full);
                sum.2 += 1;
            }
            sum.1 += share(row);
            sum.3 += 1;
        }
    }
    let [plain, pure] = sums.map(|(g, f, n, m)| (g / f64::from(n.max(1)), f / f64::from(m.max(1))));
    println!("| mean | | {:.1} | {:.1} | {:.1} | {:.1} | |\n", plain.0, plain.1, pure.0, pure.1);
}
