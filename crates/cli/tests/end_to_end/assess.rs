//! Suites are counted and compared, and what one adds to the other can be had by itself.

use std::fs;

use crate::lab::{any_jdk, jdks};
use crate::minimize::{Lab, texts};

/// Two suites out of the tests of one: A has the first, B has all.
fn halves(lab: &Lab) -> (String, String) {
    let b = lab.compile(&lab.sources, "b");
    let half = lab.temp.path().join("half");
    fs::create_dir_all(half.join("suites/paper")).unwrap();
    let text = &texts(&lab.sources)["suites/paper/IntStackTest.java"];
    let end = text.find("    /** Equal to the end").unwrap();
    fs::write(half.join("suites/paper/IntStackTest.java"), format!("{}}}\n", &text[..end])).unwrap();
    let a = lab.compile(&half, "a");
    (a.to_str().unwrap().to_string(), b.to_str().unwrap().to_string())
}

#[test]
fn one_suite_is_counted() {
    for jdk in jdks() {
        let lab = Lab::new(jdk, "paper");
        let b = lab.compile(&lab.sources, "b");
        let run = lab.run("assess", &[b.to_str().unwrap(), "--target", "subjects.IntStack"]).succeeded();
        let report = run.report();
        // init; isEmpty; push 3, 2, 5 and 5 on another array; pop.
        assert_eq!(report["a"]["method_executions"], 7, "{}", run.stdout);
        assert_eq!(report["a"]["tests"], 3);
        assert_eq!(report["second"], serde_json::Value::Null);
        assert_eq!(crate::schema::problems_of("assess.schema.json", &report), Vec::<String>::new());
    }
}

#[test]
fn what_b_adds_to_a_is_found_and_written() {
    let lab = Lab::new(any_jdk(), "paper");
    let (a, b) = halves(&lab);
    let selected = lab.temp.path().join("selected");
    let sources = lab.sources.to_str().unwrap();
    let common = [a.as_str(), b.as_str(), "--target", "subjects.IntStack"];
    let out = ["--select", selected.to_str().unwrap(), "--sources-b", sources];
    let run = lab.run("assess", &[&common[..], &out[..]].concat()).succeeded();
    let report = run.report();
    assert_eq!(crate::schema::problems_of("assess.schema.json", &report), Vec::<String>::new());
    let additions = report["second"]["additions"].as_array().unwrap();
    assert_eq!(additions.len(), 1, "{}", run.stdout);
    assert_eq!(additions[0]["test"]["method"], "t2");
    assert!(run.stdout.contains("1 of 3 tests of B add something to A, by whole-state"), "{}", run.stdout);
    let text = &texts(&selected.join("tests"))["suites/paper/IntStackTest.java"];
    assert!(text.contains("void t2()") && !text.contains("void t1()") && !text.contains("void t3()"), "{text}");

    // By equals, it adds nothing; without sources there is a list.
    let list = lab.temp.path().join("list");
    let out = ["--select", list.to_str().unwrap(), "--technique", "whole-seq"];
    let run = lab.run("assess", &[&common[..], &out[..]].concat()).succeeded();
    let names = fs::read_to_string(list.join("selected.txt")).unwrap();
    assert_eq!(names, "suites.paper.IntStackTest#t2\nsuites.paper.IntStackTest#t3\n", "{}", run.stdout);
    let run = lab.run("assess", &[&common[..], &["--technique", "pairwise-equals"][..]].concat()).succeeded();
    assert!(run.stdout.contains("0 of 3 tests of B add something to A"), "{}", run.stdout);
}
