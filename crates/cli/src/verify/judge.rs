//! Does a test do what it says? Owns the comparison of a test's claim with what its runs showed; drops nothing itself.

use bytecode::names::ClassName;
use testcase::assertion::{Expectation, TestCase};
use testcase::execution::Contract;
use testcase::junit::claims;

use super::{Ran, RanResult};
use crate::report::DropReason;

/// Whether the test is meant to fail.
pub fn is_failing(test: &TestCase) -> bool {
    matches!(test.expectation, Expectation::Breaks { .. } | Expectation::BadException { .. })
}

/// Does the test do what it says, in every run? `thrown`: what the code under test is to throw, if that is known. `class`: the test class.
pub fn judge(
    test: &TestCase,
    thrown: Option<&ClassName>,
    class: &str,
    runs: &[&Ran],
) -> Result<(), (DropReason, String)> {
    if let Some(reached) = runs.iter().find(|ran| matches!(ran.result, RanResult::Reached(_))) {
        return Err((DropReason::ReachesOutside, in_words(&reached.result)));
    }
    let as_stated = |ran: &Ran| is_as_stated(test, thrown, class, &ran.result);
    let Some(odd) = runs.iter().find(|ran| !as_stated(ran)) else {
        return match runs {
            [] => Err((DropReason::NotVerified, "the time was up".to_string())),
            [first, rest @ ..] if is_failing(test) => alike(first, rest),
            _ => Ok(()),
        };
    };
    // JVMs differ in their surroundings: the same in every run of one, and something else in another, is theirs.
    let is_one_way = |jvm: usize| {
        let mut of_jvm = runs.iter().filter(|r| r.jvm == jvm).map(|r| as_stated(r));
        let first = of_jvm.next();
        of_jvm.all(|next| Some(next) == first)
    };
    let goes_by_jvm = || runs.iter().all(|r| is_one_way(r.jvm)) && runs.iter().any(|r| as_stated(r));
    let reason = match odd.result {
        RanResult::TimedOut => DropReason::TimedOut,
        _ if is_failing(test) => DropReason::NotReproduced,
        _ if goes_by_jvm() => DropReason::EnvironmentDependent,
        _ if runs.iter().any(|r| as_stated(r)) => DropReason::Flaky,
        _ => DropReason::Failed,
    };
    Err((reason, in_words(&odd.result)))
}

/// Did all it does run to its end each time, and nothing but its one assertion fail, be it about a value or about the message of what it throws? Assertions stand at the end.
pub fn is_only_claim_wrong(test: &TestCase, class: &str, runs: &[&Ran]) -> bool {
    let is_message = match &test.expectation {
        Expectation::Passes if test.assertions.len() == 1 => false,
        Expectation::Throws { message: Some(_), .. } if test.assertions.is_empty() => true,
        _ => return false,
    };
    let asserted = |ran: &&Ran| match &ran.result {
        RanResult::Passed => true,
        // That nothing, or something else, was thrown is said in other words.
        RanResult::Failed { exception, message, frame } => {
            is_by_assertion(exception, frame, class) && (!is_message || message.starts_with(UNEQUAL))
        }
        RanResult::TimedOut | RanResult::Reached(_) => false,
    };
    runs.iter().all(asserted)
}

/// How messages about values that are not equal begin, in JUnit's words.
const UNEQUAL: &str = "expected: <";

/// Thrown by the test itself, not by an assertion in the code under test.
fn is_by_assertion(exception: &str, frame: &str, class: &str) -> bool {
    (exception.ends_with("AssertionFailedError") || exception.ends_with("AssertionError"))
        && frame.starts_with(&format!("{class}."))
}

/// A test that fails must fail in the same place every time.
fn alike(first: &Ran, rest: &[&Ran]) -> Result<(), (DropReason, String)> {
    let place = |ran: &Ran| match &ran.result {
        RanResult::Failed { exception, frame, .. } => format!("{exception} at {frame}"),
        RanResult::Passed | RanResult::TimedOut | RanResult::Reached(_) => String::new(),
    };
    let expected = place(first);
    match rest.iter().map(|ran| place(ran)).find(|p| *p != expected) {
        None => Ok(()),
        Some(other) => Err((DropReason::NotReproduced, format!("once {expected}, then {other}"))),
    }
}

pub fn in_words(result: &RanResult) -> String {
    match result {
        RanResult::Passed => "it passed".to_string(),
        RanResult::Failed { exception, message, .. } if message.is_empty() => exception.clone(),
        RanResult::Failed { exception, message, .. } => {
            format!("{exception}: {}", message.lines().next().unwrap_or(""))
        }
        RanResult::TimedOut => "it took too long".to_string(),
        RanResult::Reached(how) => format!("reaches outside: {how}"),
    }
}

fn is_as_stated(test: &TestCase, thrown: Option<&ClassName>, class: &str, result: &RanResult) -> bool {
    let RanResult::Failed { exception, message, frame } = result else {
        return *result == RanResult::Passed && !is_failing(test);
    };
    let asserted = is_by_assertion(exception, frame, class);
    match &test.expectation {
        Expectation::Passes | Expectation::Throws { .. } => false,
        Expectation::BadException { class } => *exception == class.binary(),
        Expectation::Breaks { contract, .. } => match contract {
            Contract::EqualsThrows | Contract::HashCodeThrows | Contract::ToStringThrows => {
                thrown.is_none_or(|t| *exception == t.binary())
            }
            // It fails by saying no, or by what it throws.
            Contract::User { .. } => match thrown {
                Some(thrown) => *exception == thrown.binary(),
                None => asserted,
            },
            _ => asserted && claims(contract).iter().any(|claim| message.contains(claim)),
        },
    }
}
