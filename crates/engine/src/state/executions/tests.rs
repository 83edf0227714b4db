//! When two method executions are equivalent: sharing, arguments by every technique, changes behind the back, fallbacks.

use super::*;
use crate::state::model::Model;
use testcase::value::Value;

/// Numbers of the last method execution of each test.
fn last(suite: &ObservedSuite, techniques: Techniques) -> Vec<u32> {
    let mut executions = Executions::new(techniques);
    executions.read(suite).iter().map(|calls| calls.last().unwrap().execution.0).collect()
}

fn same_last(first: &str, second: &str, techniques: Techniques) -> bool {
    let numbers = last(&Model::suite(&[("a", first), ("b", second)]), techniques);
    numbers[0] == numbers[1]
}

#[test]
fn arguments_are_told_apart_by_their_own_technique() {
    let (plain, observed) = ("s=new; t=new; t.push 1; s.pushAll t", "s=new; t=new; t.isEmpty; t.push 1; s.pushAll t");
    let popped = "s=new; t=new; t.push 1; t.push 2; t.pop; s.pushAll t";
    let check = |arguments, seen_observed, seen_popped| {
        for receiver in Technique::ALL {
            let techniques = Techniques { receiver, arguments };
            assert_eq!(same_last(plain, observed, techniques), seen_observed, "{techniques:?}");
            assert_eq!(same_last(plain, popped, techniques), seen_popped, "{techniques:?}");
        }
    };
    check(Technique::WholeSeq, false, false);
    check(Technique::ModifyingSeq, true, false);
    check(Technique::WholeState, true, false);
    check(Technique::MonitorEquals, true, true);
    check(Technique::PairwiseEquals, true, true);
}

#[test]
fn an_object_passed_to_itself_is_not_an_equal_object() {
    for technique in Technique::ALL {
        let techniques = Techniques::both(technique);
        let (own, other) = ("s=new; s.pushAll s", "s=new; t=new; s.pushAll t");
        assert!(!same_last(own, other, techniques), "{technique}");
        assert!(same_last(own, own, techniques), "{technique}");
    }
}

#[test]
fn results_carry_their_history() {
    let (copied, made) = ("s=new; s.push 1; t=s.copy; t.pop", "s=new; s.push 1; s.pop");
    assert!(!same_last(copied, made, Techniques::both(Technique::ModifyingSeq)));
    assert!(same_last(copied, copied, Techniques::both(Technique::WholeSeq)));
    assert!(same_last(copied, made, Techniques::both(Technique::WholeState)));
}

#[test]
fn a_change_nobody_called_for_begins_a_new_history() {
    let mut suite = Model::suite(&[("a", "s=new; s.isEmpty; s.isEmpty"), ("b", "s=new; s.isEmpty; s.isEmpty")]);
    let Some(ObservedValue::Object(object)) = &mut suite.runs[1].calls[2].receiver else { panic!("a receiver") };
    object.state = Some(StateHash(99));
    for technique in [Technique::WholeSeq, Technique::ModifyingSeq] {
        let numbers = last(&suite, Techniques::both(technique));
        assert_ne!(numbers[0], numbers[1], "{technique}");
    }
}

#[test]
fn what_cannot_be_told_apart_as_meant_uses_the_whole_state_and_is_counted() {
    let mut suite = Model::suite(&[("a", "s=new; s.push 1; s.pop"), ("b", "s=new; s.push 1; s.pop")]);
    for run in &mut suite.runs {
        let Some(ObservedValue::Object(object)) = &mut run.calls[2].receiver else { panic!("a receiver") };
        (object.equals_state, object.equals_class, object.fallback) = (None, None, Some(Fallback::EqualsThrew));
    }
    for technique in [Technique::MonitorEquals, Technique::PairwiseEquals] {
        let mut executions = Executions::new(Techniques::both(technique));
        let calls = executions.read(&suite);
        assert_eq!(calls[0][2].execution, calls[1][2].execution, "{technique}");
        let expected = BTreeMap::from([(("subjects/IntStack".into(), Fallback::EqualsThrew), 2)]);
        assert_eq!(*executions.fallbacks(), expected, "{technique}");
    }
}

#[test]
fn what_is_not_known_at_all_is_like_nothing_else() {
    let mut suite = Model::suite(&[("a", "s=new; s.push 1"), ("b", "s=new; s.push 1")]);
    for run in &mut suite.runs {
        run.calls[1].arguments[0] = ObservedValue::Plain(Value::LongString { length: 100_000 });
        run.calls[1].joint = None;
    }
    for technique in Technique::ALL {
        let numbers = last(&suite, Techniques::both(technique));
        assert_ne!(numbers[0], numbers[1], "{technique}");
    }
}

#[test]
fn equal_objects_of_different_suites_are_found_by_their_states() {
    let first = Model::suite(&[("a", "s=new; s.push 1; s.isEmpty")]);
    // Its equals-classes get other numbers.
    let second = Model::suite(&[("x", "s=new; s.push 7"), ("b", "s=new; s.push 1; s.isEmpty")]);
    let mut executions = Executions::new(Techniques::both(Technique::PairwiseEquals));
    let (a, b) = (executions.read(&first), executions.read(&second));
    assert_eq!(a[0][2].execution, b[1][2].execution);
    assert_ne!(a[0][1].execution, b[0][1].execution);
}
