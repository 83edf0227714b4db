//! Whether a test notices a fault, from what it showed without and with it. Owns the meaning of assertions on observations; runs nothing.

use testcase::assertion::{Assertion, Expectation, TestCase};
use testcase::execution::{Execution, Observation, Outcome, Thrown};
use testcase::sequence::Var;
use testcase::value::Value;

/// What a test makes of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing: it would pass.
    Passes,
    /// It would fail whatever it asserts: a statement throws, does not end, or does not throw.
    FailsAnyway,
    /// These of its assertions would fail.
    Fails(Vec<u16>),
    /// It did not run.
    Unknown,
}

/// What the test makes of a run with a fault.
pub fn judge(test: &TestCase, with: &Execution) -> Verdict {
    match (&test.expectation, &with.outcome) {
        (_, Outcome::Quarantined | Outcome::Killed { statement: None, status: None }) => Verdict::Unknown,
        (Expectation::Passes, Outcome::Normal) => {
            let failing: Vec<u16> =
                (0u16..).zip(&test.assertions).filter(|(_, a)| fails(a, with)).map(|(i, _)| i).collect();
            if failing.is_empty() { Verdict::Passes } else { Verdict::Fails(failing) }
        }
        (Expectation::Throws { .. }, Outcome::Threw { statement, exception }) => {
            let last = test.sequence.len().checked_sub(1) == Some(usize::from(*statement));
            if last && is_expected(&test.expectation, exception) { Verdict::Passes } else { Verdict::FailsAnyway }
        }
        _ => Verdict::FailsAnyway,
    }
}

/// Whether a test passes as it is.
pub fn passes(test: &TestCase, execution: &Execution) -> bool {
    judge(test, execution) == Verdict::Passes
}

fn is_expected(expectation: &Expectation, thrown: &Thrown) -> bool {
    let Expectation::Throws { class, message } = expectation else { return false };
    let detail = thrown.detail.as_ref();
    let is_a = thrown.class == *class || detail.is_some_and(|d| d.supers.contains(class));
    let says_so = message.is_none() || detail.is_some_and(|d| d.message == *message);
    is_a && says_so
}

/// Whether an assertion does not hold. What was not seen does not fail.
fn fails(assertion: &Assertion, execution: &Execution) -> bool {
    match assertion {
        Assertion::Equals { var, value } => seen(execution, *var).is_some_and(|o| o.value.as_ref() != Some(value)),
        Assertion::ArrayEquals { var, value } => {
            let last = execution.observations.iter().rfind(|o| o.var == *var);
            last.is_some_and(|o| o.value.as_ref() != Some(value))
        }
        Assertion::NotNull { var } => seen(execution, *var).is_some_and(is_null),
        Assertion::InstanceOf { var, class } => seen(execution, *var).is_some_and(|o| o.class.as_ref() != Some(class)),
        Assertion::Same { left, right, same } => match (seen(execution, *left), seen(execution, *right)) {
            (Some(left), Some(right)) => is_same(left, right) != *same,
            _ => false,
        },
    }
}

/// How a variable looked when it was made.
fn seen(execution: &Execution, var: Var) -> Option<&Observation> {
    execution.observations.iter().find(|o| o.var == var)
}

/// Strings and the like are compared by what they are: which object they are was not observed.
fn is_same(left: &Observation, right: &Observation) -> bool {
    let object = |o: &Observation| o.same_as.unwrap_or(o.var);
    match (&left.value, &right.value) {
        (None, None) => object(left) == object(right),
        (left, right) => left == right,
    }
}

fn is_null(observation: &Observation) -> bool {
    observation.value == Some(Value::Null)
}
