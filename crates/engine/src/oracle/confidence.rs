//! How sure it is that a finding is a bug, and why, in words. Owns the weighing; what counts as a finding at all is decided before.

use bytecode::names::ClassName;
use testcase::execution::{Contract, Execution, Thrown};
use testcase::operation::OpId;
use testcase::sequence::Sequence;

use super::legality;
use crate::library::Member;
use crate::outcome::Confidence;
use crate::search::Search;

/// A judgement and its reasons, those for it first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub confidence: Confidence,
    pub why: Vec<String>,
    /// How many of the reasons speak against it.
    pub doubts: usize,
}

#[derive(Default)]
struct Scales {
    reasons: Vec<String>,
    doubts: Vec<String>,
}

impl Scales {
    fn weigh(&mut self, speaks_for: bool, reason: &str, doubt: &str) {
        if speaks_for {
            self.reasons.push(reason.to_owned());
        } else {
            self.doubts.push(doubt.to_owned());
        }
    }

    fn judge(self, at_best: Confidence) -> Judgement {
        let confidence = if self.doubts.is_empty() { at_best } else { at_best.max(Confidence::Medium) };
        let doubts = self.doubts.len();
        Judgement { confidence, why: self.reasons.into_iter().chain(self.doubts).collect(), doubts }
    }
}

/// Of a broken contract.
pub fn of_contract(
    search: &Search<'_>,
    contract: &Contract,
    thrown: Option<&Thrown>,
    sequence: &Sequence,
    execution: &Execution,
) -> Judgement {
    let mut scales = Scales::default();
    let at_best = match contract {
        Contract::CompareToEquals => {
            scales.doubts.push("legal, though sorted collections take such objects for the same".to_owned());
            Confidence::Warning
        }
        Contract::ToStringNull | Contract::CompareToTransitive | Contract::IteratorEnds => {
            scales.reasons.push("callers rely on it, but seldom on this very case".to_owned());
            Confidence::Medium
        }
        Contract::User { .. } => {
            scales.reasons.push("the contract was given by the user".to_owned());
            Confidence::High
        }
        Contract::CloneEquals => {
            scales.doubts.push("java.lang.Object recommends this, but does not demand it".to_owned());
            Confidence::Medium
        }
        _ => {
            scales.reasons.push("every class has to keep this contract".to_owned());
            Confidence::High
        }
    };
    if let Some(thrown) = thrown {
        let by_design = legality::is_protest(&thrown.class)
            && top(thrown).is_some_and(|(class, method)| search.library.makes(class, method, &thrown.class));
        scales.weigh(!by_design, "the exception is not thrown on purpose", "the exception is thrown on purpose");
    }
    about_calls(search, sequence, execution, &mut scales);
    scales.judge(at_best)
}

/// Of an exception that left a call.
pub fn of_exception(
    search: &Search<'_>,
    call: OpId,
    thrown: &Thrown,
    is_own: bool,
    sequence: &Sequence,
    execution: &Execution,
) -> Judgement {
    let mut scales = Scales::default();
    let place = top(thrown).map(|(class, _)| class.binary()).unwrap_or_default();
    scales.weigh(
        is_own,
        "thrown by the code under test itself",
        &format!("thrown inside {place}, with what it was given"),
    );
    if search.catalog.declares(search.library, call, &thrown.class) {
        scales.doubts.push("the method declares this exception".to_owned());
    }
    let called = search.catalog.facts(call).member.as_deref();
    if called.is_some_and(|m: &Member| m.hidden) {
        scales.doubts.push("the method is not for everybody to call".to_owned());
    }
    about_calls(search, sequence, execution, &mut scales);
    scales.judge(Confidence::High)
}

/// What the calls before it say.
fn about_calls(search: &Search<'_>, sequence: &Sequence, execution: &Execution, scales: &mut Scales) {
    if legality::passes_null(&search.catalog, sequence) {
        let welcome = !legality::passes_unwelcome_null(&search.catalog, sequence.statements());
        scales.weigh(welcome, "null is passed only where it is declared welcome", "the test passes null");
    } else {
        scales.reasons.push("the test passes no null".to_owned());
    }
    if !execution.passed_over.is_empty() {
        scales.doubts.push("an earlier call threw, and the object was used nevertheless".to_owned());
    }
}

fn top(thrown: &Thrown) -> Option<(&ClassName, &str)> {
    thrown.detail.as_ref()?.frames.first().map(|f| (&f.class, &*f.method))
}
