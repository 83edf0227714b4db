//! Candidate sequences and their exploration on small classes, with exact expectations. No JVM is needed to run them, only a compiler.

#[expect(dead_code, reason = "programs that measure ask for more")]
mod lab;
mod source;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use engine::generate::concolic::influence::Rules;
use engine::generate::concolic::settings::{Concolic, Criterion, Order};
use engine::options::Options;
use lab::{Lab, Report};

fn lab() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/jtestcraft/src/jtestcraft");
        let mut sources: Vec<PathBuf> = Vec::new();
        for folder in [root.clone(), root.join("ints"), root.join("boxes")] {
            let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
            sources.extend(files.filter(|f| f.extension().is_some_and(|e| e == "java")));
        }
        sources.sort();
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("concolic-classes");
        source::compile(&out, &sources);
        Lab::new(&out)
    })
}

fn run(class: &str, settings: Concolic) -> Report {
    let options =
        Options { technique: "concolic".to_owned(), contracts: false, concolic: settings, ..Options::default() };
    let report = lab().run(&format!("jtestcraft/{class}"), options, 20_000);
    assert_eq!(report.work.strayed, 0, "what is solved for is what happens");
    report
}

/// All ways through all sequences of up to this many calls.
fn exhaustive(calls: usize) -> Concolic {
    Concolic { calls, order: Order::Exhaustive, criterion: Criterion::Path, ..Concolic::default() }
}

/// Calls of the last proposed tests, without types and literals: `new addQuarter vend`.
fn calls(test: &str) -> String {
    let names = test.split("; ").filter_map(|statement| {
        let made = statement.split_once(" = ")?.1;
        let called = made.strip_prefix("call ").map(|c| c.strip_prefix("static ").unwrap_or(c));
        match called {
            Some(called) => called.split('(').next()?.rsplit('.').next(),
            None => made.starts_with("new ").then_some("new"),
        }
    });
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn body_mass_index_takes_all_paths() {
    let report = run("Bmi", exhaustive(1));
    let ends: Vec<&str> = report.tests.iter().map(|t| t.split_once(" -> ").map_or("", |(_, end)| end)).collect();
    assert_eq!(ends, ["AssertionError", "AssertionError", "", "", ""]);
    assert_eq!((report.branches.covered, report.branches.total), (8, 8));
    assert_eq!((report.work.ways, report.work.infeasible, report.work.queries), (5, 0, 4));
}

#[test]
fn clamp_takes_its_three_ways() {
    let report = run("Clamp", exhaustive(1));
    assert_eq!(
        report.tests,
        [
            "v0 = int 0; v1 = call static jtestcraft/Clamp.clamp(III)I v0 v0 v0",
            "v0 = int 1; v1 = int 2; v2 = int 0; v3 = call static jtestcraft/Clamp.clamp(III)I v0 v1 v2",
            "v0 = int 2; v1 = int 1; v2 = int 0; v3 = call static jtestcraft/Clamp.clamp(III)I v0 v1 v2",
        ]
    );
}

#[test]
fn a_callee_is_one_reference_to_its_tree() {
    // Ten ways through a recursion: the conditions of each are those of the one before, and one more call.
    let referred = run("Gcd", exhaustive(1));
    let inline = run("Gcd", Concolic { inline_callees: true, ..exhaustive(1) });
    assert_eq!((referred.tree, inline.tree), ((13, 10), (20, 10)));
    assert_eq!(referred.tests, inline.tests);
}

#[test]
fn the_free_drink_is_found() {
    let report = run("Coinbox", Concolic { calls: 5, ..Concolic::default() });
    let found: Vec<String> = report.tests.iter().map(|t| calls(t)).collect();
    assert!(found.contains(&"new addQuarter addQuarter returnQuarters vend".to_owned()), "{found:#?}");
    // Whoever has a free drink has had something given back.
    assert_eq!((report.branches.covered, report.branches.total), (7, 8));
}

#[test]
fn the_warning_is_given_once_enabled_and_hot() {
    let report = run("Monitor", Concolic { calls: 4, ..Concolic::default() });
    let last = report.tests.last().unwrap();
    assert_eq!(calls(last), "new setEnabled update warning");
    assert!(last.contains("boolean true"), "{last}");
    assert_eq!((report.branches.covered, report.branches.total), (4, 4));
}

#[test]
fn one_of_six_orders_is_explored() {
    let reaching = |partial_order: bool| {
        let settings = Concolic { partial_order, prune: partial_order, criterion: Criterion::Path, ..exhaustive(5) };
        run("Orders", settings).work
    };
    let (one, six) = (reaching(true), reaching(false));
    assert!(one.ways * 2 < six.ways, "{one:?} {six:?}");
}

#[test]
fn candidates_obey_their_rules() {
    let all = Rules { dataflow: true, partial_order: true, nulls: false };
    let candidates =
        |method: &str, length: usize, rules: Rules| lab().candidates("jtestcraft/Orders", method, length, rules);
    assert_eq!(candidates("all", 2, all), ["new all"]);
    assert_eq!(candidates("all", 3, all), ["new setA all", "new setB all", "new setC all"]);
    let three = |found: Vec<String>| -> Vec<String> {
        found.into_iter().filter(|s| ["setA", "setB", "setC"].iter().all(|set| s.contains(set))).collect()
    };
    assert_eq!(three(candidates("all", 5, all)), ["new setA setB setC all"]);
    let any = Rules { partial_order: false, ..all };
    assert_eq!(three(candidates("all", 5, any)).len(), 6);
    // Two objects that no call brings together.
    let unlinked = Rules { dataflow: false, ..all };
    assert!(candidates("all", 3, unlinked).contains(&"new new all".to_owned()));
    let monitor = lab().candidates("jtestcraft/Monitor", "warning", 4, all);
    assert!(monitor.contains(&"new setEnabled update warning".to_owned()), "{monitor:?}");
    assert!(!monitor.iter().any(|s| s.ends_with("setEnabled warning")), "{monitor:?}");
}

#[test]
fn conditions_without_inputs_are_never_asked_about() {
    let report = run("Buffer", exhaustive(2));
    assert_eq!((report.work.queries, report.work.infeasible), (1, 0));
    assert_eq!((report.branches.covered, report.branches.total), (4, 4));
}

#[test]
fn boundaries_and_overflows_become_tests() {
    let report = run("Clamp", Concolic { criterion: Criterion::Boundary, calls: 1, ..Concolic::default() });
    assert_eq!(report.tests.len(), 5, "{:#?}", report.tests);
    let report = run("Sums", Concolic { criterion: Criterion::Overflow, calls: 1, ..Concolic::default() });
    assert!(report.tests.len() >= 2, "{:#?}", report.tests);
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let settings = Concolic { calls: 6, ..Concolic::default() };
    assert_eq!(run("ints/BinSearchTree", settings).tests, run("ints/BinSearchTree", settings).tests);
}

#[test]
fn the_seven_classes_are_covered() {
    // Calls, branches covered, branches there are. A red-black tree needs more calls for the rest.
    for (class, calls, covered, total) in [
        ("IntStack", 14, 8, 8),
        ("UBStack", 6, 10, 10),
        ("BinSearchTree", 6, 30, 30),
        ("LinkedList", 4, 6, 6),
        ("HeapArray", 6, 18, 18),
        ("TreeMap", 8, 82, 90),
        ("BinomialHeap", 8, 55, 58),
    ] {
        for kind in ["ints", "boxes"] {
            let report = run(&format!("{kind}/{class}"), Concolic { calls, ..Concolic::default() });
            let counts = (report.branches.covered, report.branches.total);
            assert_eq!(counts, (covered, total), "{kind}.{class}");
        }
    }
}

#[test]
fn behind_a_hard_question_there_may_be_another() {
    let report = run("Ticket", Concolic { calls: 1, ..Concolic::default() });
    assert_eq!((report.branches.covered, report.branches.total), (6, 6), "{:?}", report.tests);
}
