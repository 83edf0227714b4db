//! The verification pipeline against a scripted compiler and runner. Owns no JVM.

use std::cell::RefCell;

use bytecode::names::ClassName;
use testcase::assertion::Assertion;
use testcase::sequence::{Sequence, Var};
use testcase::value::Value;

use super::*;

/// Writes test `i` (told apart by its single assertion's variable, or by order) as method `t<i>` on line `10 * position`.
struct Names;

fn id(test: &TestCase) -> String {
    match &test.expectation {
        Expectation::Throws { class, message } => {
            format!("{class}{}", if message.is_some() { "Message" } else { "" })
        }
        Expectation::BadException { class } => format!("bad{class}"),
        Expectation::Breaks { .. } => "breaks".to_string(),
        Expectation::Passes => match test.assertions.first() {
            Some(Assertion::NotNull { var }) => format!("bare{}", var.0),
            Some(Assertion::Equals { var, .. }) => format!("full{}", var.0),
            _ => "empty".to_string(),
        },
    }
}

impl Writer for Names {
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered {
        let places = tests
            .iter()
            .enumerate()
            .map(|(i, (_, t))| {
                let method = id(t);
                if method == "full9" {
                    return Err("a literal is too long".to_string());
                }
                Ok(Place { file: 0, lines: (10 * i as u32, 10 * i as u32 + 9), class: "T".to_string(), method })
            })
            .collect();
        let text = tests.iter().map(|(_, t)| id(t) + "\n").collect();
        Rendered { files: vec![RenderedFile { path: "T.java".to_string(), text, failing: false }], places }
    }
}

/// Refuses lines by name, and answers runs by name.
struct Script {
    refused: Vec<&'static str>,
    outside: Option<&'static str>,
    results: BTreeMap<&'static str, Vec<RanResult>>,
    compiled: RefCell<Vec<String>>,
    hurry: bool,
    /// Tests that end the JVM.
    killers: Vec<&'static str>,
}

impl Bench for Script {
    fn compile(&mut self, files: &[RenderedFile]) -> Result<Vec<Diagnostic>, Failure> {
        let names: Vec<String> = files[0].text.lines().map(str::to_string).collect();
        *self.compiled.borrow_mut() = names.clone();
        let error = |line| Diagnostic { path: "T.java".to_string(), line, message: "no".to_string() };
        if let Some(outside) = self.outside
            && names.iter().any(|n| n == outside)
        {
            return Ok(vec![error(99_999)]);
        }
        let bad = names.iter().enumerate().filter(|(_, n)| self.refused.contains(&n.as_str()));
        Ok(bad.map(|(i, _)| error(10 * i as u32 + 3)).collect())
    }
    fn run(&mut self, _: &[String]) -> Result<Runs, Failure> {
        let names = self.compiled.borrow().clone();
        if names.iter().any(|n| self.killers.contains(&n.as_str())) {
            return Ok(Runs { runs: vec![], died: true });
        }
        let passed = vec![RanResult::Passed; 2];
        let runs = names
            .iter()
            .flat_map(|n| {
                let results = self.results.get(n.as_str()).unwrap_or(&passed).clone();
                results.into_iter().map(|result| Ran { class: "T".to_string(), method: n.clone(), result })
            })
            .collect();
        Ok(Runs { runs, died: false })
    }
    fn hurry(&self) -> bool {
        self.hurry
    }
}

fn script() -> Script {
    Script {
        refused: vec![],
        outside: None,
        results: BTreeMap::new(),
        compiled: RefCell::default(),
        hurry: false,
        killers: vec![],
    }
}

fn passing(n: u16) -> TestCase {
    let assertion = Assertion::Equals { var: Var(n), value: Value::Int(1) };
    TestCase {
        sequence: Sequence::empty(),
        assertions: vec![assertion],
        expectation: Expectation::Passes,
        subject: None,
    }
}

fn expecting(expectation: Expectation) -> TestCase {
    TestCase { sequence: Sequence::empty(), assertions: vec![], expectation, subject: None }
}

fn failed(exception: &str) -> RanResult {
    RanResult::Failed { exception: exception.to_string(), message: "m".to_string() }
}

fn check(tests: Vec<TestCase>, mut script: Script, kept: &[&str], dropped: &[(&str, DropReason)]) -> Verdict {
    let verdict = verify(tests, &Names, &mut script).unwrap();
    assert_eq!(verdict.verified.iter().map(|v| v.method.as_str()).collect::<Vec<_>>(), kept);
    assert_eq!(
        verdict.dropped.iter().map(|d| (d.name.trim_start_matches("T."), d.reason)).collect::<Vec<_>>(),
        dropped
    );
    verdict
}

#[test]
fn what_compiles_and_passes_is_delivered_as_it_is() {
    let verdict = check(vec![passing(1), passing(2)], script(), &["full1", "full2"], &[]);
    assert_eq!(verdict.files[0].text, "full1\nfull2\n");
    assert!(verdict.weakened.is_empty());
}

#[test]
fn a_flaky_assertion_is_given_up_before_the_test_is() {
    let mut s = script();
    s.results.insert("full1", vec![RanResult::Passed, failed("AssertionError")]);
    let verdict = check(vec![passing(1), passing(2)], s, &["empty", "full2"], &[]);
    assert_eq!(verdict.weakened, [(0, "AssertionError: m".to_string())]);
    assert_eq!(verdict.files[0].text, "empty\nfull2\n");
}

#[test]
fn without_time_the_test_goes_at_once() {
    let mut s = script();
    s.hurry = true;
    s.results.insert("full1", vec![RanResult::Passed, failed("AssertionError")]);
    check(vec![passing(1), passing(2)], s, &["full2"], &[("full1", DropReason::Flaky)]);
}

#[test]
fn what_still_fails_without_assertions_is_dropped_with_the_reason() {
    let mut s = script();
    s.results.insert("full1", vec![failed("java.lang.IllegalStateException")]);
    s.results.insert("empty", vec![failed("java.lang.IllegalStateException")]);
    s.results.insert("full3", vec![RanResult::TimedOut]);
    let dropped = [("empty", DropReason::Failed), ("full3", DropReason::TimedOut)];
    check(vec![passing(1), passing(2), passing(3)], s, &["full2"], &dropped);
}

#[test]
fn an_unstable_message_is_given_up_first() {
    let mut s = script();
    s.results.insert("XMessage", vec![RanResult::Passed, failed("AssertionError")]);
    let test = expecting(Expectation::Throws { class: ClassName::new("X"), message: Some("at 0x12".into()) });
    check(vec![test], s, &["X"], &[]);
}

#[test]
fn what_javac_refuses_is_dropped_and_the_rest_compiled_again() {
    let mut s = script();
    s.refused = vec!["full1", "empty", "full3"];
    let dropped = [("empty", DropReason::DidNotCompile), ("empty", DropReason::DidNotCompile)];
    check(vec![passing(1), passing(2), passing(3)], s, &["full2"], &dropped);
}

#[test]
fn an_error_outside_every_test_is_traced_to_its_test() {
    let mut s = script();
    s.outside = Some("full2");
    check(vec![passing(1), passing(2), passing(3)], s, &["full1", "full3"], &[("test 2", DropReason::DidNotCompile)]);
}

#[test]
fn what_cannot_be_written_is_counted() {
    check(vec![passing(9), passing(2)], script(), &["full2"], &[("test 1", DropReason::NotWritable)]);
}

#[test]
fn a_test_that_never_ran_is_not_delivered() {
    let mut s = script();
    s.results.insert("full1", vec![]);
    check(vec![passing(1), passing(2)], s, &["full2"], &[("full1", DropReason::NotVerified)]);
}

#[test]
fn a_test_that_ends_the_jvm_is_found_among_many() {
    let mut s = script();
    s.killers = vec!["full3", "full5"];
    let dropped = [("full3", DropReason::Failed), ("full5", DropReason::Failed)];
    check((1..8).map(passing).collect(), s, &["full1", "full2", "full4", "full6", "full7"], &dropped);
}

#[test]
fn failing_tests_have_to_fail_for_their_reason() {
    let mut s = script();
    s.results.insert("badX", vec![failed("X"), failed("X")]);
    s.results.insert("badY", vec![failed("Y"), failed("Z")]);
    s.results.insert("breaks", vec![RanResult::Passed, failed("org.opentest4j.AssertionFailedError")]);
    let bad = |c: &str| expecting(Expectation::BadException { class: ClassName::new(c) });
    let breaks = expecting(Expectation::Breaks { contract: Contract::EqualsHashCode, vars: vec![] });
    let dropped = [("badY", DropReason::NotReproduced), ("breaks", DropReason::NotReproduced)];
    check(vec![bad("X"), bad("Y"), breaks], s, &["badX"], &dropped);
}

#[test]
fn no_tests_are_no_trouble() {
    check(vec![], script(), &[], &[]);
}
