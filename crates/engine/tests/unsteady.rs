//! Calls that do not do the same twice are found by comparing runs, and the first that differs is to blame.

use engine::oracle::unsteady::Unsteady;
use testcase::execution::{Execution, Observation, Outcome};
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Value;

fn sequence() -> Sequence {
    let statement = |op: u32| Statement { op: OpId(op), args: Default::default() };
    Sequence::new((0..3).map(statement).collect::<Vec<_>>())
}

fn execution(outcome: Outcome, values: &[i32]) -> Execution {
    let observation = |(i, v): (u16, &i32)| Observation {
        statement: i,
        var: Var(i),
        class: None,
        state: None,
        equals_class: None,
        equals_state: None,
        same_as: None,
        value: Some(Value::Int(*v)),
        changed: None,
    };
    let observations = (0u16..).zip(values).map(observation).collect();
    Execution { observations, steps: 1, ..Execution::ended(outcome) }
}

/// Which operation is to blame once the same difference was seen three times.
fn check(first: &Execution, second: &Execution, expected: Option<u32>) {
    let mut unsteady = Unsteady::default();
    for _ in 0..3 {
        assert!((0..3).all(|op| !unsteady.is_often(OpId(op))), "too early");
        unsteady.compare(&sequence(), first, second);
    }
    let blamed: Vec<u32> = (0..3).filter(|op| unsteady.is_often(OpId(*op))).collect();
    assert_eq!(blamed, expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_first_call_that_differs_is_to_blame() {
    let normal = |values: &[i32]| execution(Outcome::Normal, values);
    check(&normal(&[1, 2, 3]), &normal(&[1, 2, 3]), None);
    check(&normal(&[1, 2, 3]), &normal(&[1, 9, 9]), Some(1));
    // Another object, of which nothing else can be told.
    let mut other = normal(&[1, 2, 3]);
    other.observations[2].same_as = Some(Var(0));
    check(&normal(&[1, 2, 3]), &other, Some(2));
    let stopped = |statement| execution(Outcome::OutOfMemory { statement }, &[1]);
    check(&normal(&[1, 2, 3]), &stopped(1), None);
    let unanswered = execution(Outcome::Killed { statement: None, status: None }, &[]);
    check(&normal(&[1, 2, 3]), &unanswered, None);
}

#[test]
fn the_last_call_is_suspected_of_what_nobody_saw() {
    let mut unsteady = Unsteady::default();
    (0..3).for_each(|_| unsteady.suspect(&sequence()));
    unsteady.suspect(&Sequence::empty());
    assert!(unsteady.is_often(OpId(2)) && !unsteady.is_often(OpId(1)));
}
