//! Prints what exploring sequences of growing length brings and takes, without a JVM: the symbolic machine stands in for one.
//! `cargo run -p engine --example concolic FOLDER CLASS CALLS [FLAG...]`; flags: breadth, exhaustive, no-dataflow, no-partial-order, no-grouping, no-prune, no-merge,
//! no-nulls, reasoning, inline, paths=N, criterion=NAME, tests, candidates=METHOD (only counts those of that length).

#[path = "../tests/concolic/lab.rs"]
mod lab;
#[path = "../tests/concolic/source.rs"]
#[expect(dead_code, reason = "tests compile their classes")]
mod source;

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use engine::generate::concolic::influence::Rules;
use engine::generate::concolic::settings::Representation;
use engine::generate::concolic::settings::{Concolic, Criterion, Order};
use engine::options::Options;

/// Time that this process had a processor for itself, where the system tells; else time by the clock.
#[expect(clippy::disallowed_methods, reason = "measuring is what this program is for")]
fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    // The system counts up to the last change of threads.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let told = told.and_then(|t| t.split_whitespace().next().and_then(|n| n.parse().ok()));
    told.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, class, calls, flags @ ..] = arguments.as_slice() else {
        return eprintln!("usage: concolic FOLDER CLASS CALLS [FLAG...]");
    };
    let mut settings = Concolic { calls: calls.parse().unwrap_or(5), ..Concolic::default() };
    let mut show = false;
    let mut counted: Vec<&str> = Vec::new();
    for flag in flags {
        match flag.split_once('=').unwrap_or((flag, "")) {
            ("exhaustive", _) => settings.order = Order::Exhaustive,
            ("breadth", _) => settings.order = Order::Breadth,
            ("no-merge", _) => settings.merge = false,
            ("no-dataflow", _) => settings.dataflow = false,
            ("no-partial-order", _) => settings.partial_order = false,
            ("no-grouping", _) => settings.grouping = false,
            ("no-prune", _) => settings.prune = false,
            ("no-nulls", _) => settings.nulls = false,
            ("reasoning", _) => settings.heap = Representation::Reasoning,
            ("inline", _) => settings.inline_callees = true,
            ("paths", n) => settings.paths = n.parse().unwrap_or(settings.paths),
            ("criterion", "path") => settings.criterion = Criterion::Path,
            ("criterion", "line") => settings.criterion = Criterion::Line,
            ("criterion", "boundary") => settings.criterion = Criterion::Boundary,
            ("criterion", "overflow") => settings.criterion = Criterion::Overflow,
            ("tests", _) => show = true,
            ("candidates", method) => counted.push(method),
            _ => return eprintln!("no such flag: {flag}"),
        }
    }
    let mut lab = lab::Lab::new(Path::new(folder));
    lab.clock = since_start;
    if !counted.is_empty() {
        let rules = Rules { dataflow: settings.dataflow, partial_order: settings.partial_order, nulls: settings.nulls };
        let count = |method: &&str| lab.candidates(class, method, settings.calls, rules).len();
        return println!("{class} {calls}: {} candidates", counted.iter().map(count).sum::<usize>());
    }
    let options =
        Options { technique: "concolic".to_owned(), contracts: false, concolic: settings, ..Options::default() };
    let report = lab.run(class, options, 1_000_000);
    if show {
        report.tests.iter().for_each(|t| println!("{t}"));
    }
    println!(
        "{class} {calls}: prepared {:.1} ms, explored {:.1} ms, {} tests ({} add branches), {}/{} branches, tree {:?}",
        report.prepared.as_secs_f64() * 1e3,
        report.explored.as_secs_f64() * 1e3,
        report.tests.len(),
        report.adding,
        report.branches.covered,
        report.branches.total,
        report.tree,
    );
    println!("{:?}\n{}", report.work, report.notes.join("\n"));
}
