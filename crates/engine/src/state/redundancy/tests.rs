//! Redundant tests among hand-made ones: the example of the literature for all techniques, minimality, reasons.

use testcase::observed::ObservedSuite;

use super::*;
use crate::state::model::Model;
use crate::state::{Technique, Techniques};

const T1: (&str, &str) = ("t1", "s=new; s.isEmpty; s.push 3; s.push 2; s.pop; s.push 5");
const T2: (&str, &str) = ("t2", "s=new; s.push 3; s.push 5");
const T3: (&str, &str) = ("t3", "s=new; s.push 3; s.push 2; s.pop");

type How = (Techniques, Rules);

fn judged(suite: &ObservedSuite, (techniques, rules): &How) -> Redundancy {
    let mut digester = Digester::new(Some(*techniques));
    find_redundant(&digester.digest(suite), &digester, rules)
}

fn redundant(tests: &[(&str, &str)], how: &How) -> Vec<String> {
    let found = judged(&Model::suite(tests), how);
    found.tests.iter().filter(|t| t.is_redundant()).map(|t| t.method.name.to_string()).collect()
}

fn by(technique: Technique) -> How {
    (Techniques::both(technique), Rules::default())
}

#[test]
fn each_technique_finds_what_it_should_among_three_tests_of_a_stack() {
    let check = |technique, expected: &[&str]| {
        let suite = [T1, T2, T3];
        assert_eq!(redundant(&suite, &by(technique)), expected, "{technique}");
        // Arguments are plain ints: their technique makes no difference.
        for arguments in Technique::ALL {
            let how = (Techniques { receiver: technique, arguments }, Rules::default());
            assert_eq!(redundant(&suite, &how), expected, "{technique}, {arguments} for arguments");
        }
    };
    check(Technique::WholeSeq, &[]);
    check(Technique::ModifyingSeq, &["t3"]);
    check(Technique::WholeState, &["t3"]);
    check(Technique::MonitorEquals, &["t2", "t3"]);
    check(Technique::PairwiseEquals, &["t2", "t3"]);
}

#[test]
fn a_redundant_test_names_the_tests_that_make_it_so() {
    let found = judged(&Model::suite(&[T2, T1, T3]), &by(Technique::WholeState));
    assert_eq!(found.tests[2].verdict, Verdict::Redundant { because: vec![1] });
    assert_eq!((found.calls, found.kept_calls), (13, 9));
    let Verdict::Kept(Why::Executions { own, example }) = &found.tests[0].verdict else { panic!("{found:?}") };
    assert_eq!((*own, &*example.name), (1, "push"), "push(5) on a store never written behind its top");
    // <init>, push(3), push(5); isEmpty, push(2), pop, push(5): push(3) comes from the same state in both.
    assert_eq!(found.executions, 7);
}

#[test]
fn what_later_tests_outdo_goes_as_well() {
    let suite = [("small", "s=new; s.push 1"), ("large", "s=new; s.push 1; s.push 2")];
    assert_eq!(redundant(&suite, &by(Technique::WholeState)), ["small"]);
}

#[test]
fn no_test_that_stays_is_redundant_for_the_others_and_nothing_is_lost() {
    let texts: Vec<String> = (0..60u32)
        .map(|n| {
            let pushes = (0..n % 5).map(|i| format!("s.push {}; ", (n / 3 + i * n) % 3)).collect::<String>();
            format!("s=new; {pushes}{}", ["s.pop", "s.isEmpty", "t=s.copy; t.pushAll s"][n as usize % 3])
        })
        .collect();
    let names: Vec<String> = (0..texts.len()).map(|n| format!("t{n}")).collect();
    let tests: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let mut fewer = 0;
    for technique in Technique::ALL {
        let mut sizes = Vec::new();
        for order in [Order::Suite, Order::Fewest] {
            let rules = (Techniques::both(technique), Rules { order, ..Rules::default() });
            let found = judged(&Model::suite(&tests), &rules);
            let kept: Vec<(&str, &str)> =
                tests.iter().zip(&found.tests).filter(|(_, judged)| !judged.is_redundant()).map(|(t, _)| *t).collect();
            assert_eq!(redundant(&kept, &rules), [""; 0], "{technique} {order:?}");
            let again = judged(&Model::suite(&kept), &rules);
            assert_eq!(again.executions, found.executions, "{technique} {order:?}");
            for judged in &found.tests {
                if let Verdict::Redundant { because } = &judged.verdict {
                    assert!(!because.is_empty() && because.iter().all(|&b| !found.tests[b].is_redundant()));
                }
            }
            sizes.push(kept.len());
        }
        assert!(sizes[1] <= sizes[0], "{technique}: {sizes:?}");
        fewer += usize::from(sizes[0] < tests.len());
    }
    assert!(fewer >= 4, "most techniques find something");
}

#[test]
fn assertions_that_only_one_test_makes_keep_it() {
    let suite =
        [("a", "s=new; s.push 1; assert 5"), ("b", "s=new; s.push 1; assert 6"), ("c", "s=new; s.push 1; assert 5")];
    assert_eq!(redundant(&suite, &by(Technique::WholeState)), ["c"]);
    let ignoring = (Techniques::default(), Rules { ignore_assertions: true, ..Rules::default() });
    assert_eq!(redundant(&suite, &ignoring), ["b", "c"]);
    let found = judged(&Model::suite(&suite), &by(Technique::WholeState));
    let why = Why::Assertion { class: "org/junit/Assert".into(), name: "assertEquals".into() };
    assert_eq!(found.tests[1].verdict, Verdict::Kept(why));
    // The same assertion after another method execution is another assertion.
    let elsewhere = [("a", "s=new; assert 5; s.push 1"), ("b", "s=new; s.push 1; assert 5")];
    assert_eq!(redundant(&elsewhere, &by(Technique::WholeState)), [""; 0]);
}

#[test]
fn tests_of_which_too_little_is_known_stay() {
    let mut suite = Model::suite(&[
        ("a", "s=new; s.push 1; s.pop"),
        ("fails", "s=new; s.push 1; fail java/lang/AssertionError"),
        ("fails_alike", "s=new; s.push 1; fail java/lang/AssertionError"),
        ("fails_otherwise", "s=new; fail java/lang/IllegalStateException"),
        ("skipped", ""),
        ("hangs", "s=new"),
        ("elsewhere", "assert 3"),
        ("long", "s=new"),
    ]);
    suite.runs[4].outcome = TestOutcome::Skipped { reason: None };
    suite.runs[5].outcome = TestOutcome::TimedOut;
    suite.runs[7].unrecorded = 1;
    let found = judged(&suite, &by(Technique::WholeState));
    let verdicts: Vec<&Verdict> = found.tests.iter().map(|t| &t.verdict).collect();
    let fails = |class: &str| Verdict::Kept(Why::Fails { class: class.into() });
    assert_eq!(
        verdicts[1..],
        [
            &fails("java/lang/AssertionError"),
            &Verdict::Redundant { because: vec![1] },
            &fails("java/lang/IllegalStateException"),
            &Verdict::Kept(Why::Skipped),
            &Verdict::Kept(Why::Unfinished),
            &Verdict::Kept(Why::TouchesNothing),
            &Verdict::Kept(Why::PartlyKnown),
        ]
    );
}

#[test]
fn all_runs_of_a_test_method_count_together() {
    let suite =
        [("p", "s=new; s.push 1"), ("p", "s=new; s.push 2"), ("q", "s=new; s.push 2"), ("r", "s=new; s.push 3")];
    let found = judged(&Model::suite(&suite), &by(Technique::WholeState));
    assert_eq!(found.tests.len(), 3);
    assert_eq!((found.tests[0].runs, found.tests[0].calls, found.tests[0].executions), (2, 4, 3));
    assert_eq!(found.tests[1].verdict, Verdict::Redundant { because: vec![0] });
    assert!(!found.tests[2].is_redundant());
}
