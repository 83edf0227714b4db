//! How long JVMs take from their start to their first answer: in the sandbox, with reads watched, and without, in turns.
//! `cargo run --release -p exec --example starts -- [starts]`

use std::time::{Duration, Instant};

use exec::jdk::Jdk;
use exec::runner::{Order, Surroundings, TestSession, Tests};
use exec::runtime::Runtime;

#[expect(clippy::disallowed_methods, reason = "a program that measures")]
fn now() -> Instant {
    Instant::now()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts: u32 = std::env::args().nth(1).map_or(Ok(30), |n| n.parse())?;
    let folder = std::env::temp_dir().join(format!("starts-{}", std::process::id()));
    let runtime = Runtime::install(&folder)?;
    for jdk in Jdk::all() {
        let mut times = [("sandbox", true, false), ("sandbox, reads watched", true, true), ("none", false, false)]
            .map(|kind| (kind, Vec::new()));
        for serial in 0..starts {
            for ((_, sandboxed, watch_reads), times) in &mut times {
                let tests = Tests {
                    order: Order::Exact { tests: Vec::new(), stop: false },
                    classpath: Vec::new(),
                    surroundings: Surroundings::Usual,
                    test_limit: Duration::from_secs(5),
                    total_limit: Duration::from_secs(60),
                    hash_mode: None,
                    heap_mb: 256,
                    sandboxed: *sandboxed,
                    watch_reads: *watch_reads,
                };
                let begin = now();
                let mut session = TestSession::start(&jdk, &runtime.worker, &folder, serial, &tests)?;
                session.run(&tests.order, &mut Vec::new())?;
                times.push(begin.elapsed());
            }
        }
        for ((name, _, _), mut times) in times {
            times.sort();
            let median = times[times.len() / 2];
            println!("JDK {:>3}  {name:24}  min {:.1?}  median {median:.1?}", jdk.feature, times[0]);
        }
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
