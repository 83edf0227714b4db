//! Counts of hand-made suites, and what one adds to another.

use super::*;
use crate::state::digest::Digester;
use crate::state::model::Model;
use crate::state::{Technique, Techniques};

fn every(probe: ProbeId) -> Option<u64> {
    Some(u64::from(probe.0))
}

#[test]
fn a_suite_is_counted() {
    let mut suite = Model::suite(&[
        ("a", "s=new; s.push 1; s.pop; s.pop"),
        ("b", "s=new; s.push 1; s.isEmpty; fail java/lang/AssertionError"),
        ("b", "s=new; s.push 2"),
    ]);
    suite.outside_probes = vec![ProbeId(9)];
    suite.runs[0].probes = vec![ProbeId(1), ProbeId(2)];
    suite.runs[1].probes = vec![ProbeId(2), ProbeId(1000)];
    let branches = |p: ProbeId| (p.0 < 1000).then_some(u64::from(p.0));
    let counts = assess(&Digester::new(Some(Techniques::default())).digest(&suite), &branches);
    let expected = Counts {
        tests: 2,
        runs: 3,
        calls: 9,
        // new; push 1, push 2 on the empty stack; pop of one, pop of none; isEmpty of one.
        executions: 6,
        // new, push 1, push 2, pop, isEmpty.
        argument_lists: 5,
        // Empty, one on it, empty with a one behind its top.
        states: 3,
        branches: 3,
        exceptions: 2,
    };
    assert_eq!(counts, expected);
    // By what equals reads, the empty stacks are one.
    let mut by_equals = Digester::new(Some(Techniques::both(Technique::MonitorEquals)));
    let by_equals = assess(&by_equals.digest(&suite), &branches);
    assert_eq!((by_equals.states, by_equals.executions), (2, 6));
}

#[test]
fn a_second_suite_is_asked_what_it_adds() {
    let a = Model::suite(&[("a", "s=new; s.push 1")]);
    let mut b = Model::suite(&[
        ("same", "s=new; s.push 1"),
        ("more", "s=new; s.push 1; s.push 2"),
        ("again", "s=new; s.push 1; s.push 2"),
        ("covers", "s=new"),
        ("long", "s=new"),
    ]);
    b.runs[4].unrecorded = 1;
    b.runs[3].probes = vec![ProbeId(5)];
    let mut digester = Digester::new(Some(Techniques::default()));
    let found = compare(&digester.digest(&a), &digester.digest(&b), [&every, &every]);
    let addition = |name: &str, executions, states, branches| Addition {
        test: TestMethod { class: "StackTest".into(), name: name.into(), descriptor: "()V".into() },
        executions,
        states,
        branches,
        exceptions: 0,
    };
    assert_eq!(found.additions, [addition("more", 1, 1, 0), addition("covers", 0, 0, 1), addition("long", 0, 0, 0)]);
    assert_eq!(found.superfluous.iter().map(|t| &*t.name).collect::<Vec<_>>(), ["same", "again"]);
    assert_eq!((found.a.executions, found.b.executions, found.both.executions), (2, 3, 3));
    assert_eq!((found.a.tests, found.both.tests, found.both.branches), (1, 6, 1));
}
