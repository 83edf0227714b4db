//! A search can begin from existing tests, and states can be explored to the end.

use crate::lab::{Run, any_jdk};
use crate::minimize::Lab;

#[test]
fn states_of_existing_tests_are_explored_further() {
    let lab = Lab::new(any_jdk(), "paper");
    let tests = lab.compile(&lab.sources, "tests");
    let classpath = lab.classpath();
    let args = [
        "subjects.IntStack",
        "-c",
        &classpath,
        "--from-tests",
        tests.to_str().unwrap(),
        "--technique",
        "exhaustive",
        "--iterations",
        "1",
        "--keep-all",
        "--max-executions",
        "20000",
    ];
    let run = Run::generate(&lab.jdk, lab.temp.path(), &args).succeeded();
    let class = run.class("subjects.IntStack");
    let notes: Vec<&str> = class["notes"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
    // Three tests with 6, 3 and 4 calls.
    assert!(notes.contains(&"begins from 13 of 13 calls that existing tests make"), "{notes:?}");
    assert!(notes.iter().any(|n| n.contains("states and") && n.ends_with("after 1 iteration")), "{notes:?}");
    let explored = &class["explored"];
    assert_eq!((&explored["iterations"], &explored["complete"]), (&1.into(), &true.into()), "{explored}");
    let told = format!("{} states and {} method executions", explored["states"], explored["executions"]);
    assert!(notes.iter().any(|n| n.starts_with(&told)), "{told}: {notes:?}");
    assert_eq!(crate::schema::problems_of("report.schema.json", &run.report()), Vec::<String>::new());
    let suite = &run.suites()["tests/subjects/IntStackTest.java"];
    // In the state that only the first test reaches, everything is called.
    assert!(suite.contains("push(3)") && suite.contains("push(5)") && suite.contains("push(2)"), "{suite}");
    assert!(class["tests"].as_u64().unwrap() > 5, "{suite}");
}

#[test]
fn objects_of_other_classes_are_passed_as_the_tests_pass_them() {
    let lab = Lab::new(any_jdk(), "cart");
    let tests = lab.compile(&lab.sources, "tests");
    let (classpath, tests) = (lab.classpath(), tests.to_str().unwrap().to_string());
    let args = [
        "subjects.ShoppingCart",
        "-c",
        &classpath,
        "--from-tests",
        &tests,
        "--technique",
        "exhaustive",
        "--iterations",
        "1",
        "--keep-all",
        "--max-executions",
        "20000",
    ];
    let run = Run::generate(&lab.jdk, lab.temp.path(), &args).succeeded();
    let class = run.class("subjects.ShoppingCart");
    // Empty, with one item of two, and with two items in all orders.
    assert_eq!(class["explored"]["states"], 7, "{}", class["notes"]);
    let suite = &run.suites()["tests/subjects/ShoppingCartTest.java"];
    assert!(suite.contains("\"book\", 1200") && suite.contains("\"lamp\", 4100"), "{suite}");
    let first = &class["notes"][0];
    assert_eq!(first, "begins from 5 of 5 calls that existing tests make");
}

#[test]
fn tests_that_do_not_use_the_class_are_refused() {
    let lab = Lab::new(any_jdk(), "untouched");
    let tests = lab.compile(&lab.sources, "tests");
    let (classpath, tests) = (lab.classpath(), tests.to_str().unwrap().to_string());
    let args = ["subjects.IntStack", "-c", &classpath, "--from-tests", &tests, "--max-executions", "100"];
    let run = Run::generate(&lab.jdk, lab.temp.path(), &args);
    assert_eq!(run.code(), 15, "{}", run.stderr());
    assert!(run.stderr().contains("no test in"), "{}", run.stderr());
}
