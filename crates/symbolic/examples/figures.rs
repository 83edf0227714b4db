//! Figures of the symbolic machine and its solver; never a part of the product.
//! `figures JDK_HOME SUBJECTS_CLASSES [CLASSES CLASS…]`: instructions per second, start, snapshots, and, for the static
//! methods of the classes named that take primitives and strings, the questions that exploring them asks: which link
//! answers them, and how fast. Times are the processor's.

#[path = "../tests/machine/literals.rs"]
mod literals;
#[path = "../tests/machine/source.rs"]
mod source;

use std::path::Path;
use std::sync::Arc;

use bytecode::raw::RawClass;
use bytecode::world::ClassSource;
use literals::{call_on_literals, literal};
use source::{Source, jdks, run};
use symbolic::expr::Term;
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Query, Solver};
use symbolic::trace::{Explorer, Tracer, Wish};
use symbolic::vm::{Limits, Machine};
use testcase::operation::Operations;
use testcase::sequence::SequenceBuilder;
use testcase::value::Constant;

const LIMITS: Limits = Limits { steps: u64::MAX, depth: 6_000, words: 1 << 28 };
/// Paths per method, and questions in all.
const PATHS: usize = 12;
const QUESTIONS: usize = 3_000;

/// Processor time of this thread, so that a busy machine matters less.
fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        // SAFETY: `clock_gettime` writes one `timespec`, for which all zeros are a value.
        let time = unsafe {
            let mut time: libc::timespec = std::mem::zeroed();
            libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
            time
        };
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let begun = now();
    let done = work();
    (done, now() - begun)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let home = arguments.first().map_or_else(|| jdks()[0].clone(), |home| Path::new(home).to_path_buf());
    let subjects = Path::new(arguments.get(1).expect("the folder of the compiled subjects")).to_path_buf();
    let out = std::env::temp_dir().join(format!("figures-{}", std::process::id()));
    let drive = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/java/Drive.java");
    let texts = [subjects.display().to_string(), out.display().to_string(), drive.display().to_string()];
    run(&home, "javac", &["-cp", &texts[0], "-d", &texts[1], &texts[2]]);
    run_cp(&subjects, &out);
    start(&home, &out);
    for method in ["stack", "tree", "map"] {
        speed(&home, &out, method);
    }
    snapshots(&home, &out);
    if let (Some(folder), Some(classes)) = (arguments.get(2), arguments.get(3..)) {
        questions(&home, Path::new(folder), classes);
    }
    let _ = std::fs::remove_dir_all(&out);
}

/// Puts the subjects beside the driver: the source knows one folder.
fn run_cp(from: &Path, to: &Path) {
    let to = to.join("subjects");
    std::fs::create_dir_all(&to).expect("the folder can be made");
    for entry in std::fs::read_dir(from.join("subjects")).expect("the subjects are compiled") {
        let entry = entry.expect("the folder can be read");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("the file can be copied");
    }
}

fn boot(home: &Path, folder: &Path) -> Machine {
    Machine::boot(Arc::new(Source::open(home, folder)), LIMITS).expect("the machine starts")
}

fn start(home: &Path, folder: &Path) {
    let (source, opened) = seconds(|| Arc::new(Source::open(home, folder)));
    let (mut machine, booted) = seconds(|| Machine::boot(source, LIMITS).expect("the machine starts"));
    let (_, first) = seconds(|| call(&mut machine, "stack", 1));
    println!(
        "start: {:.1} ms to read the JDK's classes into memory, {:.1} ms to boot, {:.1} ms for the first call",
        opened * 1e3,
        booted * 1e3,
        first * 1e3
    );
}

fn call(machine: &mut Machine, method: &str, n: u64) -> u64 {
    let class = machine.find_class("Drive").ok().flatten().expect("the driver is there");
    let methods = machine.static_methods(class);
    let method = methods.iter().find(|(name, _)| name == method).expect("the method is there").1;
    let before = machine.steps();
    machine.initialise(class).and_then(|()| machine.call(method, &[0, n])).expect("it runs");
    machine.steps() - before
}

fn speed(home: &Path, folder: &Path, method: &str) {
    let mut machine = boot(home, folder);
    call(&mut machine, method, 10);
    machine.settle();
    let mut rates = Vec::new();
    for symbolic in [false, true] {
        machine.set_symbolic(symbolic);
        let mut best: f64 = 0.0;
        for _ in 0..5 {
            let (steps, took) = seconds(|| call(&mut machine, method, 20_000));
            best = best.max(steps as f64 / took);
            machine.rewind();
        }
        rates.push(best / 1e6);
    }
    let mut operations = Operations::default();
    let sequence = call_on_literals(&mut operations, "Drive", method, "(II)I").expect("numbers are literals");
    let mut builder = SequenceBuilder::default();
    for (i, statement) in sequence.statements().iter().enumerate() {
        let constant = if i == 1 { Constant::Int(2_000) } else { Constant::Int(0) };
        let op = if i < 2 { operations.intern(literal(constant)) } else { statement.op };
        builder.push(op, &statement.args);
    }
    let sequence = builder.finish();
    let mut tracer = Tracer::new(boot(home, folder));
    let (mut best, mut conditions) = (0.0f64, 0);
    for _ in 0..5 {
        let (trace, took) = seconds(|| tracer.run(&operations, &sequence, Wish::default()));
        best = best.max(trace.instructions as f64 / took);
        conditions = trace.steps.len();
    }
    println!(
        "{method}: {:.1} million instructions/s concrete, {:.1} with room for terms ({:.2}×), {:.1} with every element a term ({:.2}×, {conditions} conditions)",
        rates[0],
        rates[1],
        rates[0] / rates[1],
        best / 1e6,
        rates[0] / (best / 1e6)
    );
}

fn snapshots(home: &Path, folder: &Path) {
    let mut machine = boot(home, folder);
    call(&mut machine, "tree", 10);
    machine.settle();
    for n in [10, 100, 1_000] {
        machine.rewind();
        call(&mut machine, "tree", n);
        let times = 200;
        let (snapshot, took) = seconds(|| (0..times).map(|_| machine.snapshot()).last().expect("there is one"));
        let (_, resumed) = seconds(|| (0..times).for_each(|_| machine.resume(&snapshot).expect("same baseline")));
        println!(
            "snapshot after {n} rounds of tree: {} words, {:.1} µs to take, {:.1} µs to resume",
            snapshot.words(),
            took * 1e6 / f64::from(times),
            resumed * 1e6 / f64::from(times)
        );
    }
}

/// Explores methods, and asks all their questions again: of a chain, and of the back end alone.
fn questions(home: &Path, folder: &Path, classes: &[String]) {
    let source = Arc::new(Source::open(home, folder));
    let mut tracer = Tracer::new(Machine::boot(source.clone(), Limits::default()).expect("the machine starts"));
    let mut asked: Vec<Vec<Term>> = Vec::new();
    let (mut methods, mut paths) = (0, 0);
    // Traces are kept so that all terms stay valid.
    let mut kept = Vec::new();
    for class in classes {
        let bytes = source.class_bytes(class).unwrap_or_else(|| panic!("there is no class {class}")).into_owned();
        let raw = RawClass::parse(&bytes).expect("the class can be read");
        for member in raw.methods.iter().filter(|m| m.access.is_static() && m.access.is_public()) {
            let mut operations = Operations::default();
            let call = call_on_literals(&mut operations, class, &member.name.lossy(), &member.descriptor.lossy());
            let Some(first) = call.filter(|_| asked.len() < QUESTIONS) else { continue };
            methods += 1;
            let mut explorer = Explorer::new(first, Wish::default(), 1_000, 40);
            for _ in 0..PATHS {
                let Some(explored) = explorer.next(&mut tracer, &mut operations) else { break };
                paths += 1;
                let conditions = tracer.conditions(&explored.trace.steps);
                for (at, step) in explored.trace.steps.iter().enumerate().take(40) {
                    let mut question = conditions[..at].to_vec();
                    let other = if step.taken { tracer.terms().not(step.term) } else { step.term };
                    question.push(other);
                    asked.push(question);
                }
                kept.push(explored.trace);
            }
        }
    }
    println!("questions: {} from {paths} paths of {methods} methods of {} classes", asked.len(), classes.len());
    let terms = tracer.terms();
    let mut chain = Chain::default();
    told("chain", &asked, &mut |question| chain.check(terms, &Query::new(question), Limit::ORDINARY));
    let statistics = chain.statistics();
    println!("chain: {statistics:?}");
    told("chain without memory", &asked, &mut |question| {
        Chain::default().check(terms, &Query::new(question), Limit::ORDINARY)
    });
    told("back end alone", &asked, &mut |question| {
        BitBlaster::default().check(terms, &Query::new(question), Limit::ORDINARY)
    });
}

fn told(name: &str, asked: &[Vec<Term>], solve: &mut dyn FnMut(Vec<Term>) -> Answer) {
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let mut times: Vec<f64> = Vec::with_capacity(asked.len());
    for question in asked {
        let (answer, took) = seconds(|| solve(question.clone()));
        times.push(took * 1e6);
        match answer {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(_) => unknown += 1,
        }
    }
    let total: f64 = times.iter().sum::<f64>() / 1e6;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len().saturating_sub(1) as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "{name}: {:.0} questions/s; median {:.1} µs, p95 {:.1} µs, p99 {:.1} µs, most {:.1} ms; {sat} satisfiable, {unsat} not, {unknown} unknown",
        times.len() as f64 / total.max(1e-9),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0) / 1e3
    );
}
