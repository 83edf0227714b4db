//! The run of several classes against scripted class runners. Owns no JVM.

use bytecode::names::ClassName;

use super::*;
use crate::report::{FindingReport, JdkReport, Options, SandboxReport, Seconds};
use crate::together::{End, Settled};

/// Behaves as the class's name says.
struct Scripted(Interrupt);

impl ClassRunner for Scripted {
    fn run(&mut self, target: &Target, budget: Option<Duration>, _: &ClassProgress<'_>) -> ClassOutcome {
        let class = target.class.binary();
        if class.contains("Panics") {
            panic!("index out of bounds in {class}");
        }
        if class.contains("Missing") {
            let missing = "p.Gone".to_string();
            return ClassOutcome::failed(class.clone(), Failure::MissingDependency { class, missing });
        }
        if class.contains("Interrupts") {
            self.0.set();
        }
        let mut report = ClassReport::new(class.clone(), Status::Tested);
        report.tests = 1;
        report.notes.push(format!("{budget:?}"));
        if class.contains("Finds") {
            report.findings.push(FindingReport {
                contract: "equals-null".to_string(),
                description: "an object equals null".to_string(),
                method: String::new(),
                severity: "error".to_string(),
                confidence: "high".to_string(),
                why: Vec::new(),
                statements: 1,
                statements_before: 1,
                test: "BFindsFailingTest.equalsNull".to_string(),
                location: None,
                trace: Vec::new(),
                alike: 0,
            });
        }
        // A folder of that name is in the way.
        let path =
            if class.contains("Unwritable") { "tests/p".to_string() } else { format!("tests/p/{class}Test.java") };
        if class.contains("Delivers") {
            report.tests = 2;
            report.files.push(path.clone());
            let name = |method: &str| TestName { class: format!("p.{class}Test"), method: method.to_string() };
            let delivery = Delivery::of(&[(name("one"), (2, 3)), (name("two"), (5, 6))]);
            let text = "class X {\n    @Test\n    void one() {}\n\n    @Test\n    void two() {}\n}\n";
            return ClassOutcome { report, files: vec![(path.into(), text.to_string())], delivery, failure: None };
        }
        let one = "class X {\n    @Test\n    void one() {}\n}\n".to_string();
        let mut files = vec![(path.into(), one.clone())];
        if class.contains("Finds") {
            files.push((format!("failing/p/{class}FailingTest.java").into(), one));
        }
        report.files = files.iter().map(|(path, _): &(PathBuf, String)| path.display().to_string()).collect();
        if class.contains("Lost") {
            report.files.push("tests/p/Elsewhere.java".to_string());
        }
        if class.contains("Nothing") {
            (report.tests, report.files, files) = (0, Vec::new(), Vec::new());
            report.notes.push("no test was found".to_string());
        }
        ClassOutcome { report, files, delivery: Delivery::default(), failure: None }
    }
}

/// Nobody delivers tests here, so that nothing is run together.
struct Alone;

impl Joint for Alone {
    fn settle(&self, tests: &[TestName], _: Option<Instant>) -> Result<Settled, Failure> {
        panic!("asked to run {tests:?}")
    }
    fn compiles(&self, files: &[(PathBuf, String)]) -> Result<bool, Failure> {
        panic!("asked to compile {files:?}")
    }
}

/// Takes back the tests whose names it has.
struct Picky(Vec<&'static str>);

impl Joint for Picky {
    fn settle(&self, tests: &[TestName], _: Option<Instant>) -> Result<Settled, Failure> {
        let gone = tests.iter().filter(|t| self.0.contains(&t.to_string().as_str()));
        let reason = crate::report::DropReason::Disturbs;
        let gone = gone.map(|t| Gone { name: t.clone(), reason, detail: "others fail".to_string() }).collect();
        Ok(Settled { gone, end: End::Finished })
    }
    fn compiles(&self, _: &[(PathBuf, String)]) -> Result<bool, Failure> {
        Ok(true)
    }
}

fn check(names: &[&str], jobs: usize, total: Option<Duration>) -> (Result<Ended, Failure>, tempfile::TempDir) {
    check_together(names, jobs, total, &Alone)
}

fn check_together(
    names: &[&str],
    jobs: usize,
    total: Option<Duration>,
    joint: &dyn Joint,
) -> (Result<Ended, Failure>, tempfile::TempDir) {
    let temp = tempfile::tempdir().unwrap();
    let out = OutDir::open(&temp.path().join("out")).unwrap();
    let log = Log::new(out.append_only("testudo.log").unwrap(), 0);
    let interrupt = Interrupt::default();
    let targets: Vec<Target> = names
        .iter()
        .map(|n| Target { class: ClassName::new(n), classes: vec![ClassName::new(n)], named: true })
        .collect();
    let report = Report {
        schema: crate::report::SCHEMA,
        version: "0".to_string(),
        jdk: JdkReport { home: "/jdk".to_string(), version: 17 },
        options: Options {
            technique: "random".to_string(),
            seed: 5,
            budget_seconds: None,
            total_budget_seconds: None,
            max_executions: None,
            junit: 5,
            prune: "equals".to_string(),
            max_length: 100,
            null_ratio: 0.05,
            past_exceptions: false,
        },
        sandbox: SandboxReport::default(),
        classes: Vec::new(),
        interrupted: false,
        together: None,
        seconds: Seconds::default(),
    };
    let settings = Settings {
        fail_on: FailOn::Nothing,
        budget: Some(Duration::from_secs(10)),
        total_deadline: total.map(|t| now() + t),
        jobs,
        seed: 5,
        started: now(),
    };
    let make = || Box::new(Scripted(interrupt.clone())) as Box<dyn ClassRunner>;
    let progress = Progress::new(names.len());
    let surroundings =
        Surroundings { out: &out, settings: &settings, log: &log, progress: &progress, interrupt: &interrupt };
    let ended = run_all(&surroundings, &targets, report, &make, joint);
    (ended, temp)
}

#[test]
fn a_panic_in_one_class_is_reported_with_the_seed_and_loses_no_other() {
    for jobs in [1, 3] {
        let (ended, temp) = check(&["A", "BPanics", "C", "D"], jobs, None);
        let ended = ended.unwrap();
        assert_eq!(ended.code, ExitCode::Internal);
        assert!(ended.failure.unwrap().hint().unwrap().contains("--seed 5"));
        let statuses: Vec<Status> = ended.report.classes.iter().map(|c| c.status).collect();
        assert_eq!(statuses, [Status::Tested, Status::Failed, Status::Tested, Status::Tested]);
        assert!(ended.report.classes[1].notes[0].contains("index out of bounds"));
        for class in ["A", "C", "D"] {
            assert!(temp.path().join(format!("out/tests/p/{class}Test.java")).exists());
        }
        assert!(temp.path().join("out/report.json").exists());
    }
}

#[test]
fn the_code_is_that_of_the_trouble_only_if_nothing_was_tested() {
    assert_eq!(check(&["A", "Missing"], 1, None).0.unwrap().code, ExitCode::Success);
    let ended = check(&["AMissing", "BMissing"], 2, None).0.unwrap();
    assert_eq!(ended.code, ExitCode::MissingDependency);
    assert!(ended.failure.is_some());
}

#[test]
fn findings_have_an_exit_code_of_their_own_only_on_request() {
    let ended = check(&["A", "BFinds"], 1, None).0.unwrap();
    assert_eq!(ended.code, ExitCode::Success);
    for (severity, fail_on, expected) in [
        ("warning", FailOn::Nothing, ExitCode::Success),
        ("warning", FailOn::Errors, ExitCode::Success),
        ("warning", FailOn::Findings, ExitCode::Findings),
        ("error", FailOn::Errors, ExitCode::Findings),
    ] {
        let mut report = ended.report.clone();
        report.classes[1].findings[0].severity = severity.to_string();
        assert_eq!(conclude(&report, fail_on, Vec::new()).0, expected, "{severity} {fail_on:?}");
    }
}

#[test]
fn after_an_interrupt_nothing_new_begins() {
    let ended = check(&["A", "BInterrupts", "C"], 1, None).0.unwrap();
    assert_eq!(ended.code, ExitCode::Interrupted);
    assert!(ended.report.interrupted);
    assert_eq!(ended.report.classes[1].status, Status::Tested);
    assert_eq!(ended.report.classes[2].status, Status::Skipped);
}

#[test]
fn an_output_folder_that_gives_out_ends_the_run() {
    let (ended, temp) = check(&["A", "BUnwritable", "C"], 1, None);
    assert_eq!(ended.err().unwrap().exit_code(), ExitCode::OutputNotWritable);
    assert!(temp.path().join("out/tests/p/ATest.java").exists());
    assert!(!temp.path().join("out/tests/p/CTest.java").exists());
}

#[test]
fn the_total_budget_is_shared_and_then_spent() {
    let ended = check(&["A", "B"], 1, Some(Duration::from_secs(4))).0.unwrap();
    let note = &ended.report.classes[0].notes[0];
    // A twentieth is kept for all suites together.
    assert!(note.starts_with("Some(1.8"), "{note}");
    let ended = check(&["A"], 1, Some(Duration::from_millis(1))).0.unwrap();
    assert_eq!(ended.report.classes[0].status, Status::Skipped);
}

#[test]
fn what_does_not_go_together_is_taken_back() {
    let picky = Picky(vec!["p.ADeliversTest.two", "p.CDeliversTest.one", "p.CDeliversTest.two"]);
    let (ended, temp) = check_together(&["ADelivers", "BDelivers", "CDelivers"], 2, None, &picky);
    let report = ended.unwrap().report;
    let together = report.together.as_ref().unwrap();
    assert_eq!((together.tests, together.dropped, together.verified), (6, 3, true));
    let counts: Vec<_> = report.classes.iter().map(|c| (c.tests, c.dropped.len(), c.files.len())).collect();
    assert_eq!(counts, [(1, 1, 1), (2, 0, 1), (0, 2, 0)]);
    let read = |name: &str| std::fs::read_to_string(temp.path().join(format!("out/tests/p/{name}Test.java"))).ok();
    assert_eq!(read("ADelivers").unwrap(), "class X {\n    @Test\n    void one() {}\n}\n");
    assert!(read("BDelivers").unwrap().contains("two"));
    assert_eq!(read("CDelivers"), None);
}

#[test]
fn a_single_suite_is_not_run_together_with_nothing() {
    let ended = check(&["ADelivers", "B"], 1, None).0.unwrap();
    assert!(ended.report.together.is_none());
}

#[test]
fn what_is_reported_and_not_on_disk_is_our_own_failure() {
    let (ended, _temp) = check(&["A", "BLost"], 1, None);
    let ended = ended.unwrap();
    assert_eq!(ended.code, ExitCode::Internal);
    assert!(ended.failure.unwrap().to_string().contains("tests/p/Elsewhere.java of BLost is not there"));
}

#[test]
fn a_run_without_any_test_says_why_by_a_code_of_its_own() {
    let (ended, _temp) = check(&["ANothing", "BNothing"], 2, None);
    let ended = ended.unwrap();
    assert_eq!(ended.code, ExitCode::NothingDelivered);
    let message = ended.failure.unwrap().to_string();
    assert_eq!(message, "no test could be delivered for any of 2 classes: no test was found");
    let (ended, _temp) = check(&["ANothing", "B"], 1, None);
    assert_eq!(ended.unwrap().code, ExitCode::Success);
}
