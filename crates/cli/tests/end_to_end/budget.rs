//! The wall-clock budget holds, everything included; what cannot be finished in time is finished late and said so.

use std::time::{Duration, Instant};

use crate::lab::{Run, any_jdk, compile_text, endless};

const BUDGET: Duration = Duration::from_secs(5);

#[test]
#[expect(clippy::disallowed_methods, reason = "the test measures real time")]
fn a_class_takes_its_budget_and_no_longer() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[endless("Endless")], temp.path());
    let args = ["p.Endless", "-c", classes.to_str().unwrap(), "--budget", "5s"];
    let mut took = Vec::new();
    // The promise is a tenth more at most. A machine busy with other tests gets three tries, and a little slack for starting the command itself.
    for _ in 0..3 {
        let started = Instant::now();
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        let wall = started.elapsed();
        took.push(wall);
        let class = run.class("p.Endless");
        assert!(class["tests"].as_u64().unwrap() > 0, "{class:#}");
        let late = Duration::from_secs_f64(class["seconds"]["total"].as_f64().unwrap()) > BUDGET.mul_f64(1.2);
        assert!(!late || class["notes"].to_string().contains("instead of"), "{class:#}");
        if (BUDGET.mul_f64(0.5)..BUDGET.mul_f64(1.2)).contains(&wall) {
            return;
        }
    }
    panic!("{BUDGET:?} became {took:?}");
}
