//! The verification pipeline against a scripted compiler and runner. Owns no JVM.

use std::cell::RefCell;

use testcase::assertion::Assertion;
use testcase::execution::Contract;
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

/// The same with the tests that are meant to fail in a file of their own.
struct Apart;

impl Writer for Apart {
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered {
        let (failing, passing): (Vec<_>, Vec<_>) = tests.iter().copied().partition(|(_, test)| is_failing(test));
        let mut all = Names.render(&passing);
        if !failing.is_empty() {
            let mut apart = Names.render(&failing);
            apart.files[0] = RenderedFile { path: "F.java".to_string(), failing: true, ..apart.files[0].clone() };
            all.places.extend(apart.places.into_iter().map(|place| place.map(|p| Place { file: 1, ..p })));
            all.files.append(&mut apart.files);
        }
        all
    }
}

/// The same with tests in two files by turns.
struct Alternating;

impl Writer for Alternating {
    fn render(&self, tests: &[(usize, &TestCase)]) -> Rendered {
        let mut rendered = Names.render(tests);
        for place in rendered.places.iter_mut().skip(1).step_by(2).flatten() {
            place.class = "T2".to_string();
        }
        rendered
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
    /// Tests that change a file and do not show it.
    touching: Vec<&'static str>,
    /// A test after which no other that begins so can initialise its class.
    poison: Option<(&'static str, &'static str)>,
    /// JVMs that are started, and how many of them have time for anything.
    jvms: (usize, usize),
    /// The classes that were to run, each time.
    asked: Vec<Vec<String>>,
}

impl Bench for Script {
    fn compile(&mut self, files: &[RenderedFile]) -> Result<Vec<Diagnostic>, Failure> {
        let names: Vec<String> = files.iter().flat_map(|f| f.text.lines()).map(str::to_string).collect();
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
    fn run(&mut self, classes: &[String]) -> Result<Runs, Failure> {
        self.asked.push(classes.to_vec());
        let names = self.compiled.borrow().clone();
        if names.iter().any(|n| self.killers.contains(&n.as_str())) {
            return Ok(Runs { jvms: 2, died: true, ..Runs::default() });
        }
        let passed = vec![RanResult::Passed; 2];
        let mut runs = Vec::new();
        for jvm in 0..self.jvms.1 {
            let (before, after) = (runs.len(), self.poison.filter(|(test, _)| names.iter().any(|n| n == test)));
            for n in &names {
                // What happened where: results are dealt out to the JVMs in turn.
                let all = self.results.get(n.as_str()).unwrap_or(&passed);
                let own = all.iter().skip(jvm % all.len().max(1)).step_by(self.jvms.1);
                runs.extend(own.map(|r| Ran { jvm, class: "T".to_string(), method: n.clone(), result: r.clone() }));
            }
            if let Some((test, prefix)) = after {
                let at = runs[before..].iter().position(|r| r.method == test).unwrap() + before;
                for ran in runs[at + 1..].iter_mut().filter(|r| r.method.starts_with(prefix)) {
                    ran.result = spoilt();
                }
            }
        }
        Ok(Runs { runs, jvms: self.jvms.0, died: false, touched: self.traces(&names) })
    }
    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure> {
        Ok(Box::new(Poisonable { script: self, poisoned: false }))
    }
    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure> {
        Ok(self.traces(&tests.iter().map(|t| t.method.clone()).collect::<Vec<_>>()))
    }
    fn hurry(&self) -> bool {
        self.hurry
    }
}

impl Script {
    fn traces(&self, names: &[String]) -> Vec<String> {
        let touched = names.iter().any(|n| self.touching.contains(&n.as_str()));
        touched.then(|| "pom.xml was changed".to_string()).into_iter().collect()
    }
}

/// A JVM in which the script's poison works.
struct Poisonable<'s> {
    script: &'s Script,
    poisoned: bool,
}

impl Fresh for Poisonable<'_> {
    fn run(&mut self, tests: &[TestName]) -> Result<Vec<RanResult>, Failure> {
        let Some((poison, victims)) = self.script.poison else {
            let first = |test: &TestName| self.script.results.get(test.method.as_str()).map(|r| r[0].clone());
            return Ok(tests.iter().map(|test| first(test).unwrap_or(RanResult::Passed)).collect());
        };
        let one = |test: &TestName| {
            let hit = self.poisoned && test.method.starts_with(victims) && test.method != poison;
            self.poisoned |= test.method == poison;
            if hit { spoilt() } else { RanResult::Passed }
        };
        Ok(tests.iter().map(one).collect())
    }
}

fn spoilt() -> RanResult {
    RanResult::Failed {
        exception: "java.lang.NoClassDefFoundError".to_string(),
        message: "Could not initialize class p.Foo".to_string(),
        frame: String::new(),
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
        touching: vec![],
        poison: None,
        jvms: (2, 2),
        asked: Vec::new(),
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
    failed_at(exception, "m", "T.t:7")
}

fn failed_at(exception: &str, message: &str, frame: &str) -> RanResult {
    RanResult::Failed { exception: exception.to_string(), message: message.to_string(), frame: frame.to_string() }
}

fn without_cause(test: TestCase) -> Stated {
    Stated { test, thrown: None }
}

fn check(tests: Vec<TestCase>, mut script: Script, kept: &[&str], dropped: &[(&str, DropReason)]) -> Verdict {
    let verdict = verify(tests.into_iter().map(without_cause).collect(), &Names, &mut script).unwrap();
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
fn a_class_runs_once_a_round_wherever_its_tests_stand() {
    let mut s = script();
    let tests = (1..=4).map(passing).map(without_cause).collect();
    verify(tests, &Alternating, &mut s).unwrap();
    assert_eq!(s.asked[0], ["T", "T2"]);
}

#[test]
fn a_flaky_assertion_is_given_up_before_the_test_is() {
    let mut s = script();
    s.results.insert("full1", vec![RanResult::Passed, RanResult::Passed, failed("AssertionError")]);
    let verdict = check(vec![passing(1), passing(2)], s, &["empty", "full2"], &[]);
    assert_eq!(verdict.weakened, [(0, "AssertionError: m".to_string())]);
    assert_eq!(verdict.files[0].text, "empty\nfull2\n");
}

#[test]
fn without_time_the_test_goes_at_once() {
    let mut s = script();
    s.hurry = true;
    let [passed, wrong] = [RanResult::Passed, failed("java.lang.IllegalStateException")];
    s.results.insert("full1", vec![passed.clone(), passed.clone(), wrong.clone(), wrong.clone()]);
    s.results.insert("full2", vec![passed.clone(), wrong.clone(), passed, wrong]);
    let dropped = [("full1", DropReason::Flaky), ("full2", DropReason::EnvironmentDependent)];
    check(vec![passing(1), passing(2), passing(3)], s, &["full3"], &dropped);
}

#[test]
fn without_time_a_test_stays_of_which_only_the_claim_was_wrong() {
    let mut s = script();
    s.hurry = true;
    s.results.insert("full1", vec![failed_at("java.lang.AssertionError", "expected: <1> but was: <2>", "T.full1:9")]);
    s.results.insert("full2", vec![failed_at("java.lang.AssertionError", "impossible", "com.acme.Queue.poll:3")]);
    let verdict =
        check(vec![passing(1), passing(2), passing(3)], s, &["empty", "full3"], &[("full2", DropReason::Failed)]);
    assert_eq!(verdict.weakened, [(0, "java.lang.AssertionError: expected: <1> but was: <2>".to_string())]);
    assert_eq!(verdict.hurried, 1);
}

#[test]
fn without_time_a_test_is_seen_once_without_its_claim() {
    let mut s = script();
    s.hurry = true;
    s.results.insert("full1", vec![failed_at("java.lang.AssertionError", "expected: <1> but was: <2>", "T.full1:9")]);
    s.results.insert("empty", vec![failed("java.lang.IllegalStateException")]);
    check(vec![passing(1), passing(2)], s, &["full2"], &[("empty", DropReason::Failed)]);
}

#[test]
fn without_time_files_that_stay_as_they_are_are_not_compiled_again() {
    let mut s = script();
    s.hurry = true;
    s.results.insert("badX", vec![RanResult::TimedOut]);
    let tests = vec![passing(1), passing(2), expecting(Expectation::BadException { class: ClassName::new("X") })];
    let verdict = verify(tests.into_iter().map(without_cause).collect(), &Apart, &mut s).unwrap();
    assert_eq!(verdict.files.iter().map(|f| f.text.as_str()).collect::<Vec<_>>(), ["full1\nfull2\n"]);
    assert_eq!(verdict.dropped.iter().map(|d| d.reason).collect::<Vec<_>>(), [DropReason::TimedOut]);
    assert!(s.compiled.borrow().iter().any(|name| name == "badX"), "compiled once, with all of them");
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
fn without_time_a_message_is_given_up_if_it_is_all_that_was_wrong() {
    let throwing = |class: &str| expecting(Expectation::Throws { class: class.into(), message: Some("leer".into()) });
    let mut s = script();
    s.hurry = true;
    let unequal = failed_at("java.lang.AssertionError", "expected: <leer> but was: <empty>", "T.XMessage:9");
    let nothing = failed_at("java.lang.AssertionError", "expected Y to be thrown, but nothing was", "T.YMessage:9");
    s.results.insert("XMessage", vec![RanResult::Passed, unequal]);
    s.results.insert("YMessage", vec![RanResult::Passed, nothing]);
    let dropped = [("YMessage", DropReason::EnvironmentDependent)];
    check(vec![throwing("X"), throwing("Y")], s, &["X"], &dropped);
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
fn when_the_jvm_ends_and_time_is_short_nobody_is_blamed() {
    let mut s = script();
    s.killers = vec!["full2"];
    s.hurry = true;
    let dropped = [("full1", DropReason::NotVerified), ("full2", DropReason::NotVerified)];
    check(vec![passing(1), passing(2)], s, &[], &dropped);
}

#[test]
fn a_test_that_spoils_a_class_for_the_others_goes_alone() {
    let mut s = script();
    s.poison = Some(("full3", "full"));
    let kept = ["full1", "full2", "full4", "full5", "full6"];
    check((1..7).map(passing).collect(), s, &kept, &[("full3", DropReason::Disturbs)]);
}

#[test]
fn one_jvm_is_not_counted_as_two() {
    let mut s = script();
    s.jvms = (2, 1);
    assert_eq!(check(vec![passing(1), passing(2)], s, &["full1", "full2"], &[]).hurried, 2);
    assert_eq!(check(vec![passing(1)], script(), &["full1"], &[]).hurried, 0);
}

#[test]
fn failing_tests_have_to_fail_for_their_reason() {
    const ASSERTED: &str = "org.opentest4j.AssertionFailedError";
    const CLAIM: &str = "equal objects must have equal hash codes ==> expected: <1> but was: <2>";
    let bad = |c: &str| Expectation::BadException { class: ClassName::new(c) };
    let breaks = |contract: Contract| Expectation::Breaks { contract, vars: vec![] };
    let check = |expectation: Expectation, thrown: Option<&str>, results: &[RanResult], delivered: bool| {
        let mut s = script();
        let test = expecting(expectation);
        s.results.insert(if id(&test) == "badX" { "badX" } else { "breaks" }, results.to_vec());
        let stated = Stated { test, thrown: thrown.map(ClassName::new) };
        let verdict = verify(vec![stated], &Names, &mut s).unwrap();
        assert_eq!(verdict.verified.len(), usize::from(delivered), "{results:?}");
        assert!(verdict.dropped.iter().all(|d| d.reason == DropReason::NotReproduced), "{results:?}");
    };
    let twice = |r: RanResult| vec![r.clone(), r];
    check(bad("X"), Some("X"), &twice(failed("X")), true);
    check(bad("X"), Some("X"), &[failed("X"), failed("Y")], false);
    check(bad("X"), Some("X"), &[failed_at("X", "m", "Foo.a:1"), failed_at("X", "m", "Foo.b:2")], false);
    check(bad("X"), Some("X"), &[failed("X"), RanResult::Passed], false);
    check(breaks(Contract::EqualsHashCode), None, &twice(failed_at(ASSERTED, CLAIM, "T.breaks:3")), true);
    // The assertion that the two are equal in the first place.
    check(breaks(Contract::EqualsHashCode), None, &twice(failed_at(ASSERTED, "expected: <true>", "T.breaks:2")), false);
    // An assertion of the code under test.
    check(
        breaks(Contract::EqualsHashCode),
        None,
        &twice(failed_at("java.lang.AssertionError", CLAIM, "Foo.a:1")),
        false,
    );
    check(breaks(Contract::ToStringThrows), Some("X"), &twice(failed_at("X", "", "Foo.toString:1")), true);
    check(breaks(Contract::ToStringThrows), Some("X"), &twice(failed_at("Y", "", "Foo.toString:1")), false);
}

#[test]
fn no_tests_are_no_trouble() {
    check(vec![], script(), &[], &[]);
}

#[test]
fn what_reaches_outside_goes_whatever_it_says_and_is_not_made_weaker() {
    let mut s = script();
    let reached = RanResult::Reached("writes files (java.io.FileWriter)".to_string());
    s.results.insert("full1", vec![RanResult::Passed, RanResult::Passed, RanResult::Passed, reached]);
    let verdict = check(vec![passing(1), passing(2)], s, &["full2"], &[("full1", DropReason::ReachesOutside)]);
    assert_eq!(verdict.dropped[0].detail, "reaches outside: writes files (java.io.FileWriter)");
    assert!(verdict.weakened.is_empty());
}

#[test]
fn what_leaves_traces_is_found_and_goes() {
    for (hurry, kept) in [(false, &["full1", "full3"][..]), (true, &[])] {
        let mut s = script();
        s.touching = vec!["full2"];
        s.hurry = hurry;
        let verdict = verify((1..=3).map(passing).map(without_cause).collect(), &Names, &mut s).unwrap();
        assert_eq!(verdict.verified.iter().map(|v| v.method.as_str()).collect::<Vec<_>>(), kept);
        let dropped: Vec<_> = verdict.dropped.iter().map(|d| (d.reason, d.detail.as_str())).collect();
        assert!(dropped.contains(&(DropReason::ReachesOutside, "reaches outside: pom.xml was changed")));
        assert_eq!(dropped.len(), 3 - kept.len());
    }
}
