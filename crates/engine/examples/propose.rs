//! Prints how many proposals per second the directed random generator makes and absorbs: the model class of the tests stands in for a JVM, and the
//! time spent in it is taken off. `cargo run --release -p engine --example propose [executions]`

#[path = "../tests/fake/mod.rs"]
mod fake;

use std::time::{Duration, Instant};

use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::Operations;

#[expect(clippy::disallowed_methods, reason = "measuring is what this program is for")]
fn now() -> Instant {
    Instant::now()
}

/// The model, with a watch.
#[derive(Default)]
struct Timed {
    model: FakeExecutor,
    spent: Duration,
}

impl Executor for Timed {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        let start = now();
        let done = self.model.submit(operations, batch);
        self.spent += start.elapsed();
        done
    }
    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        self.model.collect()
    }
    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.model.set_best(best);
    }
}

fn main() {
    let executions = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let options = Options { stop_when_covered: None, ..Options::default() };
    let mut session = match Session::new(&FakeLibrary, goals(), Vec::new(), options) {
        Ok(session) => session,
        Err(problem) => return eprintln!("{problem}"),
    };
    let mut executor = Timed::default();
    let start = now();
    if let Err(problem) = session.run(&mut executor, &mut Budget::executions(executions), &mut |_| {}) {
        eprintln!("{problem}");
    }
    let seconds = (start.elapsed() - executor.spent).as_secs_f64();
    let totals = session.search().totals;
    println!(
        "{} proposals of {:.1} statements in {seconds:.2} s: {:.0}/s; {:.2} s more in the model",
        totals.executions,
        executor.model.lengths as f64 / executor.model.executed.max(1) as f64,
        totals.executions as f64 / seconds,
        executor.spent.as_secs_f64(),
    );
}
