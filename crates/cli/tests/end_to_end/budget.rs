//! The wall-clock budget holds, everything included.

use std::time::{Duration, Instant};

use crate::lab::{Run, any_jdk, javac, sources};

#[test]
#[expect(clippy::disallowed_methods, reason = "the test measures real time")]
fn a_class_takes_no_longer_than_its_budget() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("subjects/src"), &[], &classes);
    let args = ["subjects.TreeMap", "-c", classes.to_str().unwrap(), "--budget", "8s"];
    let mut took = Vec::new();
    // The promise is a tenth more at most; a machine that runs other tests at the same time gets three tries and a little slack.
    for _ in 0..3 {
        let started = Instant::now();
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        assert!(run.class("subjects.TreeMap")["tests"].as_u64().unwrap() > 0);
        took.push(started.elapsed());
        if took.last().is_some_and(|t| *t < Duration::from_secs(10)) {
            return;
        }
    }
    panic!("8 s became {took:?}");
}
