//! What is left of runs: the same whether a suite comes at once or run by run, and nothing of the calls themselves.

use super::*;
use crate::state::Technique;
use crate::state::assess::{Branches, assess};
use crate::state::model::Model;
use crate::state::redundancy::{Rules, find_redundant};

const BRANCHES: Branches<'static> = &|probe| Some(u64::from(probe.0));

fn suite() -> ObservedSuite {
    let mut suite = Model::suite(&[
        ("a", "s=new; s.push 3; s.pop; s.pop; assert 5"),
        ("b", "s=new; s.push 3; s.isEmpty; s.isEmpty; assert 5; assert 5"),
        ("c", "s=new; s.push 3; s.pop; fail java/lang/AssertionError"),
    ]);
    suite.runs[1].probes = vec![ProbeId(2), ProbeId(7)];
    suite.runs[2].unrecorded = 4;
    suite
}

#[test]
fn a_run_becomes_short_lists_of_numbers() {
    let mut digester = Digester::new(Some(Techniques::default()));
    let digest = digester.digest(&suite());
    let [a, b, c] = &digest.runs[..] else { panic!("{digest:?}") };
    assert_eq!((a.calls, a.executions.len(), b.calls, b.executions.len()), (4, 4, 4, 3), "each thing once");
    assert_eq!((a.assertions.len(), b.assertions.len()), (1, 1));
    assert_ne!(a.assertions, b.assertions, "they speak about different executions");
    assert_eq!(digester.assertion_method(b.assertions[0]).unwrap().1.as_ref(), "assertEquals");
    let [(member, class)] = &a.thrown[..] else { panic!("{a:?}") };
    assert_eq!(&*digest.members[*member as usize].name, "pop", "of a stack with nothing on it");
    assert!(class.internal().ends_with("Exception") && b.thrown.is_empty());
    assert_eq!((&b.probes[..], c.unrecorded), (&[ProbeId(2), ProbeId(7)][..], 4));
    assert_eq!(digester.executions(), 5);
}

#[test]
fn run_by_run_is_as_good_as_all_at_once() {
    for technique in Technique::ALL {
        let suite = suite();
        let mut at_once = Digester::new(Some(Techniques::both(technique)));
        let whole = at_once.digest(&suite);
        let mut streamed = Digester::new(Some(Techniques::both(technique)));
        for run in &suite.runs {
            // Members become known as they are called.
            let known = run.calls.iter().map(|call| call.member as usize + 1).max().unwrap_or(0);
            streamed.add(&suite.members[..known], run.clone());
        }
        let parts = streamed.finish(Vec::new());
        assert_eq!(assess(&whole, BRANCHES), assess(&parts, BRANCHES), "{technique}");
        let verdicts = |digest: &Digest, digester: &Digester| find_redundant(digest, digester, &Rules::default()).tests;
        assert_eq!(verdicts(&whole, &at_once), verdicts(&parts, &streamed), "{technique}");
    }
}

#[test]
fn numbers_mean_the_same_in_the_next_suite() {
    let mut digester = Digester::new(Some(Techniques::default()));
    let first = digester.digest(&Model::suite(&[("a", "s=new; s.push 1")]));
    let mut other = Model::suite(&[("b", "s=new; s.push 1; s.pop")]);
    // It lists its members in another order.
    other.members.reverse();
    let last = other.members.len() as u32 - 1;
    other.runs[0].calls.iter_mut().for_each(|call| call.member = last - call.member);
    let second = digester.digest(&other);
    assert_eq!(first.runs[0].executions[..], second.runs[0].executions[..2]);
    assert_eq!(first.runs[0].members[..], second.runs[0].members[..2]);
}

#[test]
fn without_techniques_calls_are_not_compared() {
    let mut digester = Digester::new(None);
    let digest = digester.digest(&suite());
    let a = &digest.runs[0];
    assert!(a.executions.is_empty() && a.assertions.is_empty() && a.states.is_empty());
    assert_eq!((a.calls, a.members.len(), a.thrown.len()), (4, 3, 1));
}
