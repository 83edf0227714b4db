//! What observed suites show of states: what equals methods read, classes of equal objects, and writes, on every JDK.

mod suites_support;

use std::time::Duration;

use exec::suite::{SuiteReport, observe_each};
use suites_support::{Lab, jdks, outline};
use testcase::observed::{Needs, ObservedObject, ObservedValue};

const ODD: [&str; 8] = [
    "demo/Odd$None",
    "demo/Odd$Throws",
    "demo/Odd$Loops",
    "demo/Odd$Hangs",
    "demo/Odd$Writes",
    "demo/Odd$Irreflexive",
    "demo/Odd$OfIdentity",
    "demo/Odd$Listed",
];

fn needs(equals_reads: bool, equals_classes: bool) -> Needs {
    Needs { states: true, writes: false, equals_reads, equals_classes }
}

/// The receivers of the last calls of a test.
fn receivers<'a>(report: &'a SuiteReport, test: &str, n: usize) -> Vec<&'a ObservedObject> {
    let run = report.suite.runs.iter().find(|run| &*run.method.name == test).unwrap_or_else(|| panic!("no {test}"));
    let calls = &run.calls[run.calls.len() - n..];
    let receiver = |value: &'a Option<ObservedValue>| match value {
        Some(ObservedValue::Object(object)) => object,
        other => panic!("{other:?}"),
    };
    calls.iter().map(|call| receiver(&call.receiver)).collect()
}

#[test]
fn odd_equals_methods_are_said() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "odd", &["junit5"]);
        for needs in [needs(true, false), needs(false, true)] {
            let report = lab.observe(&["demo/OddTest"], &ODD, |config| config.needs = needs);
            assert_eq!(report.suite.runs.len(), 6, "{}", outline(&report));
            for run in &report.suite.runs {
                let name = &*run.method.name;
                let found = receivers(&report, name, 1)[0];
                if name == "NotCopied" && needs.equals_reads {
                    assert!(found.equals_state.is_some(), "the part compared with itself is known: {found:?}");
                    continue;
                }
                assert_eq!(format!("{:?}", found.fallback.unwrap()), name, "JDK {}: {found:?}", jdk.feature);
                assert!(found.state.is_some());
            }
        }
        let report = lab.observe(&["demo/HungEqualsTest"], &ODD, |config| {
            config.needs = needs(true, true);
            config.test_limit = Duration::from_secs(2);
        });
        assert_eq!(report.suite.runs.len(), 1, "{}", outline(&report));
        let found = receivers(&report, "EqualsLooped", 1)[0];
        assert_eq!(format!("{:?}", found.fallback.unwrap()), "EqualsLooped");
        assert!(report.suite.notes.iter().any(|note| note.contains("demo.Odd$Hangs")), "{:?}", report.suite.notes);
    }
}

#[test]
fn what_equals_compares_counts() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "equal", &["junit5"]);
        let targets: Vec<&str> = ODD.into_iter().chain(["demo/IntStack"]).collect();
        let report = lab.observe(&["demo/EqualTest"], &targets, |config| config.needs = needs(true, true));
        assert_eq!(report.suite.runs.len(), 5, "{}", outline(&report));
        for run in &report.suite.runs {
            let name = &*run.method.name;
            let found = receivers(&report, name, 2);
            let equal = name.starts_with("equal");
            assert_ne!(found[0].state, found[1].state, "{name}");
            assert!(found[0].equals_state.is_some(), "{name}: {found:?}");
            assert_eq!(found[0].equals_state == found[1].equals_state, equal, "JDK {} {name}: {found:?}", jdk.feature);
            if !name.contains("identity") {
                assert!(found[0].equals_class.is_some(), "{name}: {found:?}");
                assert_eq!(
                    found[0].equals_class == found[1].equals_class,
                    equal,
                    "JDK {} {name}: {found:?}",
                    jdk.feature
                );
            }
        }
    }
}

#[test]
fn long_runs_are_recorded_up_to_a_point() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "long", &["junit5"]);
        let amounts = || {
            let mut found: Vec<(String, usize, u64)> = Vec::new();
            let mut members = 0;
            let report = lab.observe_by(&["demo/LongTest"], &["demo/IntStack"], |config| {
                observe_each(config, &mut |known, run| {
                    assert!(run.calls.iter().all(|call| (call.member as usize) < known.len()));
                    members = known.len();
                    found.push((run.method.name.to_string(), run.calls.len() + run.assertions.len(), run.unrecorded));
                })
            });
            assert!(report.suite.runs.is_empty(), "handed on, not kept");
            assert_eq!(report.suite.members.len(), members);
            found.sort();
            found
        };
        let found = amounts();
        let [assertions, states, calls, short] = &found[..] else { panic!("{found:?}") };
        assert_eq!(calls, &("manyCalls".to_owned(), 50_000, 10_000));
        assert_eq!(short, &("short_".to_owned(), 2, 0));
        for (name, recorded, unrecorded) in [assertions, states] {
            assert!(*unrecorded > 0 && *recorded > 10, "{name}: {recorded} and {unrecorded}");
        }
        assert_eq!(states.1 as u64 + states.2, 12_001, "what is not recorded is counted");
        assert_eq!(found, amounts(), "the same every time");
    }
}

#[test]
fn threads_that_go_on_do_no_harm() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "busy", &["junit5"]);
        let report = lab.observe(&["demo/BusyThreadTest"], &["demo/IntStack"], |_| ());
        assert_eq!((report.suite.runs.len(), report.restarts), (300, 0));
    }
}

#[test]
fn writes_are_seen_wherever_they_happen() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "writes", &["junit5"]);
        let needs = Needs { writes: true, ..needs(false, false) };
        let report = lab.observe(&["demo/WriteTest"], &["demo/Written"], |config| config.needs = needs);
        let run = &report.suite.runs[0];
        let found: Vec<String> = run
            .calls
            .iter()
            .map(|call| {
                let marks: String = call.written.iter().map(|w| if *w { 'w' } else { '-' }).collect();
                format!("{} {marks}", report.suite.members[call.member as usize].name)
            })
            .collect();
        let expected = [
            "<init> ",
            "field w-",
            "same w",
            "question -",
            "list w-",
            "array -w",
            "<init> ",
            "other -w",
            "copied -w",
            "sorted -w",
            "reflected w",
            "atomic w",
            "local -",
        ];
        assert_eq!(found, expected, "JDK {}", jdk.feature);
    }
}
