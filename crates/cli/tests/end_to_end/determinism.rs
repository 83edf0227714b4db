//! The same seed and number of executions give the same bytes.

use crate::lab::{Run, any_jdk, javac, jdks, sources};

#[test]
fn three_runs_give_equal_suites_on_every_jdk() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let classes = temp.path().join("classes");
        javac(&jdk, &sources("subjects/src"), &[], &classes);
        let classpath = classes.to_str().unwrap();
        let args = ["subjects.HeapArray", "subjects.Rat", "-c", classpath, "--max-executions", "6000", "--seed", "42"];
        let runs: Vec<Run> =
            (0..3).map(|i| Run::generate(&jdk, &temp.path().join(i.to_string()), &args).succeeded()).collect();
        let suites = runs[0].suites();
        assert!(!suites.is_empty());
        let report = timeless(&runs[0]);
        for run in &runs[1..] {
            assert_eq!(run.suites(), suites, "JDK {}", jdk.feature);
            assert_eq!(timeless(run), report, "JDK {}", jdk.feature);
        }
    }
}

#[test]
fn several_workers_give_equal_suites_too() {
    let (jdk, temp) = (any_jdk(), tempfile::tempdir().unwrap());
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("subjects/src"), &[], &classes);
    let args = ["subjects.TreeMap", "-c", classes.to_str().unwrap(), "--max-executions", "6000", "--workers", "3"];
    let runs = ["a", "b"].map(|name| Run::generate(&jdk, &temp.path().join(name), &args).succeeded());
    assert!(!runs[0].suites().is_empty());
    assert_eq!(runs[0].suites(), runs[1].suites());
    assert_eq!(timeless(&runs[0]), timeless(&runs[1]));
}

/// The report without what the clock measured.
fn timeless(run: &Run) -> serde_json::Value {
    let mut report = run.report();
    report["seconds"].take();
    for class in report["classes"].as_array_mut().unwrap() {
        class["seconds"].take();
        class["convergence"]["seconds"].take();
    }
    report
}
