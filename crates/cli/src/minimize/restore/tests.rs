//! Tests are put back for the right reason and no others are. The trial is scripted: no JVM.

use bytecode::names::ClassName;

use super::*;

fn test(name: &str) -> TestMethod {
    let (class, method) = name.split_once('.').unwrap();
    TestMethod { class: ClassName::new(class), name: method.into(), descriptor: "()V".into() }
}

fn place(name: &str) -> Place {
    Place { class: test(name).class, method: test(name) }
}

/// A suite by rules: what each test shows, and what it needs to pass.
#[derive(Default)]
struct Script {
    tests: Vec<&'static str>,
    /// `(test, needs)`: the first fails unless the second is there, too.
    needs: Vec<(&'static str, &'static str)>,
    /// `(test, caller)`: the first cannot be removed, the second calls it.
    called: Vec<(&'static str, &'static str)>,
    probes: Vec<(&'static str, u32)>,
    exceptions: Vec<(&'static str, &'static str)>,
    /// Passes in the first run only.
    moody: Option<&'static str>,
    /// No trial gets to the end, and this test is not among those that ran.
    cut_before: Option<&'static str>,
    /// Refused by its framework when no test is left.
    refused_when_empty: Option<&'static str>,
    trials: usize,
}

fn exception(name: &str) -> Exception {
    Exception::Failed { exception: ClassName::new(name) }
}

impl Script {
    fn seen(&self, removed: &BTreeSet<TestMethod>) -> Seen {
        let there = |name: &&&str| !removed.contains(&test(name));
        let mut seen = Seen::default();
        for name in self.tests.iter().filter(there) {
            let lacks = self.needs.iter().any(|(t, n)| t == name && !there(&n));
            let moody = self.trials > 0 && self.moody == Some(name);
            if lacks || moody {
                seen.failed.insert(place(name))
            } else {
                seen.passed.insert(place(name))
            };
        }
        if let Some(class) = self.refused_when_empty
            && !self.tests.iter().filter(there).any(|t| t.starts_with(class))
        {
            seen.failed.insert(place(&format!("{class}.initializationError")));
        }
        let probes = self.probes.iter().filter(|(t, _)| there(&t));
        seen.probes.extend(probes.map(|(_, p)| ProbeId(*p)));
        seen.exceptions.extend(self.exceptions.iter().filter(|(t, _)| there(&t)).map(|(_, e)| exception(e)));
        seen
    }
}

impl Trial for Script {
    fn run(&mut self, removed: &BTreeSet<TestMethod>) -> Result<Tried, Failure> {
        self.trials += 1;
        let mut called = self.called.iter();
        if let Some((t, by)) = called.find(|(t, by)| removed.contains(&test(t)) && !removed.contains(&test(by))) {
            return Ok(Tried::Refused(vec![format!("{by}: cannot find symbol {}()", test(t).name)]));
        }
        let mut seen = self.seen(removed);
        if let Some(missing) = self.cut_before {
            seen.passed.remove(&place(missing));
            return Ok(Tried::CutShort(seen));
        }
        Ok(Tried::Ran(seen))
    }
}

/// Removes `removed`; returns `(still removed, put back with reasons, notes, trials)`.
fn check(mut script: Script, removed: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>, usize) {
    let before = script.seen(&BTreeSet::new());
    let order: Vec<TestMethod> = script.tests.iter().map(|t| test(t)).collect();
    let shares = order.iter().map(|t| {
        let others = order.iter().filter(|o| *o != t).cloned().collect();
        let alone = script.seen(&others);
        (t.clone(), Share { probes: alone.probes, exceptions: alone.exceptions })
    });
    let shares: BTreeMap<TestMethod, Share> = shares.collect();
    let known = Before { seen: &before, shares: &shares, order: &order };
    let settled = settle(&known, removed.iter().map(|t| test(t)).collect(), &mut script).unwrap();
    let name = |t: &TestMethod| format!("{}.{}", t.class, t.name);
    (
        settled.removed.iter().map(name).collect(),
        settled.put_back.iter().map(|(t, why)| format!("{}: {why}", name(t))).collect(),
        settled.notes,
        script.trials,
    )
}

const ABCD: [&str; 4] = ["C.a", "C.b", "C.c", "C.d"];

#[test]
fn what_nobody_misses_goes_after_one_trial() {
    let script = Script { tests: ABCD.to_vec(), probes: vec![("C.a", 1), ("C.b", 1)], ..Script::default() };
    let (removed, back, notes, trials) = check(script, &["C.b", "C.c"]);
    assert_eq!(removed, ["C.b", "C.c"]);
    assert_eq!((back.len(), notes.len(), trials), (0, 0, 1));
}

#[test]
fn a_trial_that_does_not_end_brings_all_back_unless_nothing_is_missing() {
    let script = Script { tests: ABCD.to_vec(), cut_before: Some("C.d"), ..Script::default() };
    let (removed, back, _, trials) = check(script, &["C.b", "C.c"]);
    assert_eq!((removed.len(), trials), (0, 1));
    let why = "the suite without it took too long to be run to its end";
    assert_eq!(back, [format!("C.b: {why}"), format!("C.c: {why}")]);
    let script = Script { tests: ABCD.to_vec(), cut_before: Some("C.b"), ..Script::default() };
    let (removed, back, ..) = check(script, &["C.b", "C.c"]);
    assert_eq!((removed.len(), back.len()), (2, 0), "what is missing was removed");
}

#[test]
fn the_one_test_that_another_needs_is_found() {
    let tests: Vec<&str> = vec!["C.a", "C.b", "C.c", "C.d", "C.e", "C.f", "C.g", "C.h", "C.z"];
    let script = Script { needs: vec![("C.z", "C.c")], tests: tests.clone(), ..Script::default() };
    let (removed, back, _, trials) = check(script, &tests[..8]);
    assert_eq!(back, ["C.c: C.z fails without it: it depends on the order of tests"]);
    assert_eq!(removed.len(), 7);
    assert!(trials <= 10, "{trials}");
}

#[test]
fn two_needed_ones_both_come_back() {
    let script = Script { needs: vec![("C.d", "C.a"), ("C.d", "C.c")], tests: ABCD.to_vec(), ..Script::default() };
    let (removed, back, ..) = check(script, &["C.a", "C.b", "C.c"]);
    let why = "C.d fails without it: it depends on the order of tests";
    assert_eq!(back, [format!("C.c: {why}"), format!("C.a: {why}")]);
    assert_eq!(removed, ["C.b"]);
}

#[test]
fn one_culprit_explains_all_it_heals() {
    let tests = vec!["C.a", "C.b", "C.c", "D.d", "D.e", "D.f"];
    let needs = vec![("D.d", "C.b"), ("D.e", "C.b"), ("D.f", "C.a")];
    let script = Script { needs, tests, ..Script::default() };
    let (removed, back, ..) = check(script, &["C.a", "C.b", "C.c"]);
    assert_eq!(
        back,
        [
            "C.b: D.d, D.e fail without it: they depend on the order of tests",
            "C.a: D.f fails without it: it depends on the order of tests"
        ]
    );
    assert_eq!(removed, ["C.c"]);
}

#[test]
fn lost_branches_and_exceptions_bring_back_whoever_shows_most() {
    let script = Script {
        tests: ABCD.to_vec(),
        probes: vec![("C.a", 1), ("C.b", 2), ("C.c", 2), ("C.c", 3)],
        exceptions: vec![("C.d", "java/lang/Error")],
        ..Script::default()
    };
    let (removed, back, ..) = check(script, &["C.b", "C.c", "C.d"]);
    assert_eq!(removed, ["C.b"]);
    assert_eq!(
        back,
        ["C.c: 2 branches are taken by no other test", "C.d: no other test shows java.lang.Error from a test"]
    );
}

#[test]
fn a_test_that_others_call_comes_back() {
    let script = Script { tests: ABCD.to_vec(), called: vec![("C.b", "C.a")], ..Script::default() };
    let (removed, back, ..) = check(script, &["C.b", "C.c"]);
    assert_eq!(removed, ["C.c"]);
    assert_eq!(back, ["C.b: the suite does not compile without it: C.a: cannot find symbol b()"]);
}

#[test]
fn a_class_that_must_not_be_empty_keeps_one_test() {
    let script = Script { tests: vec!["C.a", "D.b", "D.c"], refused_when_empty: Some("D"), ..Script::default() };
    let (removed, back, ..) = check(script, &["D.b", "D.c"]);
    assert_eq!(removed, ["D.c"]);
    assert_eq!(back, ["D.b: its class cannot be run without any test"]);
}

#[test]
fn a_moody_test_blames_nobody() {
    let script = Script { tests: ABCD.to_vec(), moody: Some("C.d"), ..Script::default() };
    let (removed, back, notes, _) = check(script, &["C.b"]);
    assert_eq!(removed, ["C.b"]);
    assert!(back.is_empty());
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("C.d passed at first"), "{notes:?}");
}
