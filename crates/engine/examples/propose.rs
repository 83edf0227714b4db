//! Prints how many proposals per second the directed random generator makes and absorbs when running them costs (nearly) nothing: the model class of the
//! tests stands in for a JVM. `cargo run --release -p engine --example propose [executions]`

#[path = "../tests/fake/mod.rs"]
mod fake;

use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};

#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

fn main() {
    let executions = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let options = Options {
        stop_when_covered: None,
        contracts: false,
        ..Options::default()
    };
    let mut session = match Session::new(&FakeLibrary, goals(), Vec::new(), options) {
        Ok(session) => session,
        Err(problem) => return eprintln!("{problem}"),
    };
    let mut executor = FakeExecutor::default();
    let start = now();
    if let Err(problem) = session.run(
        &mut executor,
        &mut Budget::executions(executions),
        &mut |_| {},
    ) {
        eprintln!("{problem}");
    }
    let seconds = start.elapsed().as_secs_f64();
    let totals = session.search().totals;
    println!(
        "{} proposals of {:.1} statements in {seconds:.2} s: {:.0}/s (the model's own share included)",
        totals.executions,
        executor.lengths as f64 / executor.executed.max(1) as f64,
        totals.executions as f64 / seconds,
    );
}
