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
    let started = Instant::now();
    let args = [
        "subjects.TreeMap",
        "-c",
        classes.to_str().unwrap(),
        "--budget",
        "8s",
    ];
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    let took = started.elapsed();
    // A loaded test machine gets more slack than the promised tenth.
    assert!(
        took < Duration::from_secs(12),
        "{took:?}: {:#}",
        run.class("subjects.TreeMap")["seconds"]
    );
    assert!(run.class("subjects.TreeMap")["tests"].as_u64().unwrap() > 0);
}
