//! Suites run under observation by real JUnit of several kinds, on every JDK: what is seen of their tests, and that nothing a test does
//! loses the others.

mod suites_support;

use std::time::Duration;

use exec::suite::SuiteProblem;
use suites_support::{JUNIT4, Lab, jar, jdks, outline};
use testcase::observed::Needs;

const STATES: Needs = Needs { states: true, writes: false, equals_reads: false, equals_classes: false };

fn check(found: &str, expected: &str) {
    let lines =
        |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(found), lines(expected), "\n{found}");
}

#[test]
fn kinds_of_jupiter_tests() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "jupiter", &["junit5"]);
        let tests = ["demo/StackTest", "demo/StackTest$Inner", "demo/IntStack"];
        let report = lab.observe(&tests, &["demo/IntStack"], |config| config.needs = STATES);
        check(
            &outline(&report),
            "demo/StackTest.a_pushes [a_pushes()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.push(Int(2)) #1.pop()=Int(2) !assertEquals
            demo/StackTest.b_throws [b_throws()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.pop()=Int(1) #1.pop()!IllegalStateException !assertThrows
            demo/StackTest.c_disabled [c_disabled()] Skipped:
            demo/StackTest.d_fails [d_fails()] Failed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.isEmpty()=Boolean(false) !assertTrue
            demo/StackTest.e_assumes [e_assumes()] Skipped: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.isEmpty()=Boolean(false)
            demo/StackTest.f_takes [[1] 3] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #0.push(Int(3)) #0.pop()=Int(3) !assertEquals
            demo/StackTest.f_takes [[2] 4] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #0.push(Int(4)) #0.pop()=Int(4) !assertEquals
            demo/StackTest.g_again [repetition 1 of 2] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #2.isEmpty()=Boolean(false)
            demo/StackTest.g_again [repetition 2 of 2] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #2.isEmpty()=Boolean(false)
            demo/StackTest.h_dynamic [one] Passed: #0.push(Int(3))
            demo/StackTest.h_dynamic [two] Passed: #0.push(Int(3))
            demo/StackTest.i_thread [i_thread()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.push(Int(5))
            demo/StackTest.j_callback [j_callback()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.addFrom(#2)
            demo/StackTest.k_untouched [k_untouched()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) !assertEquals
            demo/StackTest$Inner.nested [nested()] Passed: <init>()=#0 <init>()=#1 #1.push(Int(1)) #1.isEmpty()=Boolean(false) !assertFalse",
        );
        let find = |name: &str| report.suite.runs.iter().find(|run| &*run.method.name == name).unwrap();
        assert!(find("a_pushes").probes.iter().any(|p| !find("k_untouched").probes.contains(p)), "pop has probes");
        assert!(find("c_disabled").probes.is_empty());
        assert_eq!(report.classes[0].probes.len() as u32, report.probes);
        assert_eq!(report.restarts, 0);
        let again = lab.observe(&tests, &["demo/IntStack"], |config| config.needs = STATES);
        for (a, b) in report.suite.runs.iter().zip(&again.suite.runs) {
            assert_eq!(
                (&a.calls, &a.assertions, &a.probes),
                (&b.calls, &b.assertions, &b.probes),
                "JDK {}",
                jdk.feature
            );
        }
    }
}

#[test]
fn versions_of_the_platform_without_launcher() {
    let jdk = &jdks()[0];
    for (jupiter, platform) in [("5.13.4", "1.13.4"), ("6.0.1", "6.0.1")] {
        let part = |name: &str| jar(&format!("org.junit.jupiter:junit-jupiter-{name}:{jupiter}"));
        let base = |name: &str| jar(&format!("org.junit.platform:junit-platform-{name}:{platform}"));
        let mut jars = vec![part("api"), part("engine"), part("params"), base("engine"), base("commons")];
        jars.push(jar("org.opentest4j:opentest4j:1.3.0"));
        jars.push(jar("org.apiguardian:apiguardian-api:1.1.2"));
        if jupiter.starts_with('6') {
            jars.push(jar("org.jspecify:jspecify:1.0.0"));
        }
        let lab = Lab::with(jdk, &format!("platform-{jupiter}"), &["junit5"], jars);
        let report = lab.observe(&["demo/StackTest"], &["demo/IntStack"], |config| config.needs = STATES);
        assert_eq!(report.suite.runs.len(), 15, "{}", outline(&report));
    }
}

#[test]
fn kinds_of_older_tests() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "older", &["junit4"]);
        let tests = [
            "demo/OldTest",
            "demo/OldBase",
            "demo/ParametersTest",
            "demo/EnclosedTest",
            "demo/EnclosedTest$Any",
            "demo/EnclosedTest$Plain",
            "demo/OldestTest",
        ];
        let report = lab.observe(&tests, &["demo/IntStack"], |config| config.needs = STATES);
        check(
            &outline(&report),
            "demo/OldTest.a_pops [a_pops(demo.OldTest)] Passed: <init>()=#0 #0.push(Int(1)) #0.pop()=Int(1) !assertEquals
            demo/OldTest.b_expects [b_expects(demo.OldTest)] Passed: <init>()=#0 #0.push(Int(1)) <init>()=#1 #1.pop()!IllegalStateException
            demo/OldTest.c_ignored [c_ignored(demo.OldTest)] Skipped:
            demo/OldTest.d_fails [d_fails(demo.OldTest)] Failed: <init>()=#0 #0.push(Int(1)) #0.isEmpty()=Boolean(false) !assertTrue
            demo/OldTest.e_assumes [e_assumes(demo.OldTest)] Skipped: <init>()=#0 #0.push(Int(1)) #0.isEmpty()=Boolean(false)
            demo/OldBase.z_inherited as demo/OldTest [z_inherited(demo.OldTest)] Passed: <init>()=#0 #0.push(Int(1)) <init>()=#1 #1.isEmpty()=Boolean(true)
            demo/ParametersTest.pushes [pushes[0](demo.ParametersTest)] Passed: <init>()=#0 #0.push(Int(1))
            demo/ParametersTest.pushes [pushes[1](demo.ParametersTest)] Passed: <init>()=#0 #0.push(Int(2))
            demo/EnclosedTest$Any.holds [holds(demo.EnclosedTest$Any)] Passed: <init>()=#0 #0.push(Int(1)) <init>()=#1 #1.push(Int(2))
            demo/EnclosedTest$Plain.inside [inside(demo.EnclosedTest$Plain)] Passed: <init>()=#0 #0.isEmpty()=Boolean(true)
            demo/OldestTest.testPush [testPush(demo.OldestTest)] Passed: <init>()=#0 #0.push(Int(1)) #0.isEmpty()=Boolean(false) !assertFalse",
        );
    }
}

#[test]
fn own_suites_need_no_junit() {
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "plain", &["plain"]);
    let report = lab.observe(&["demo/PlainTest"], &["demo/IntStack"], |config| config.needs = STATES);
    check(
        &outline(&report),
        "demo/PlainTest.pops [pops()] Passed: <init>()=#0 #0.push(Int(1)) #0.pop()=Int(1) !assertEquals",
    );
}

#[test]
fn what_is_missing_is_said() {
    let jdk = &jdks()[0];
    let mut lab = Lab::new(jdk, "missing", &["junit5", "junit4"]);
    let problem = lab.try_observe(&["demo/OldTest"], &["demo/Nowhere"], |_| {}).unwrap_err();
    assert!(matches!(problem, SuiteProblem::NoTarget { .. }), "{problem}");
    lab.classpath.truncate(1);
    for (test, missing) in [("demo/StackTest", "org.junit.jupiter"), ("demo/OldTest", "org.junit")] {
        let problem = lab.try_observe(&[test], &["demo/IntStack"], |_| {}).unwrap_err();
        let SuiteProblem::NoJUnit { missing: found, .. } = &problem else { panic!("{problem}") };
        assert!(found.starts_with(missing), "{problem}");
    }
    lab.classpath.push(jar("org.junit.jupiter:junit-jupiter-api:5.13.4"));
    let problem = lab.try_observe(&["demo/StackTest"], &["demo/IntStack"], |_| {}).unwrap_err();
    assert!(matches!(problem, SuiteProblem::NoEngine), "{problem}");
}

#[test]
fn tests_that_cost_a_jvm_lose_no_other() {
    for jdk in jdks() {
        let mut jars = vec![jar(suites_support::JUPITER[0])];
        jars.extend(JUNIT4.iter().map(|j| jar(j)));
        let lab = Lab::with(&jdk, "hostile", &["junit5"], jars);
        let report = lab.observe(&["demo/HostileTest"], &["demo/Derived"], |config| {
            config.needs = STATES;
            config.test_limit = Duration::from_secs(2);
        });
        check(
            &outline(&report),
            "demo/HostileTest.a_hangs [a_hangs()] TimedOut: <init>()=#0 #0.add(String(\"x\"))=#0 loop()...
            demo/HostileTest.b_goes_on [b_goes_on()] Passed: <init>()=#0 #0.size()=Int(0)
            demo/HostileTest.c_exits [c_exits()] Died: exit()...
            demo/HostileTest.d_goes_on [d_goes_on()] Passed: <init>()=#0 #0.inherited()=Int(1)
            demo/HostileTest.e_halts [e_halts()] Died:
            demo/HostileTest.f_goes_on [f_goes_on()] Passed: <init>(String(\"no number\"))!NumberFormatException <init>(Int(1))=#0",
        );
        assert_eq!(report.restarts, 3);
    }
}

#[test]
fn fixtures_that_cost_a_jvm_lose_no_other_class() {
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "fixture", &["junit5"]);
    let tests = ["demo/ExitingFixtureTest", "demo/HungEqualsTest"];
    let report = lab.observe(&tests, &["demo/Odd$Hangs"], |config| config.needs = STATES);
    assert_eq!(report.suite.runs.len(), 1, "{}", outline(&report));
    assert_eq!(&*report.suite.runs[0].method.name, "EqualsLooped");
    let note = &report.suite.notes[0];
    assert!(note.contains("ExitingFixtureTest") && note.contains("status 9"), "{note}");
}

#[test]
fn orders_are_shuffled_by_seed_alone() {
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "shuffle", &["junit4"]);
    let order = |seed: u64| -> Vec<String> {
        let tests = ["demo/ParametersTest", "demo/OldestTest", "demo/EnclosedTest"];
        let report = lab.observe(&tests, &["demo/IntStack"], |config| config.shuffle = Some(seed));
        report.suite.runs.iter().map(|run| run.display.clone()).collect()
    };
    let orders: Vec<Vec<String>> = (0..4).map(order).collect();
    assert!(orders.iter().any(|other| *other != orders[0]), "{orders:?}");
    assert_eq!(order(1), orders[1]);
    for mut other in orders.clone() {
        let mut first = orders[0].clone();
        first.sort();
        other.sort();
        assert_eq!(first, other);
    }
}
