//! Calls that do not do the same twice. Owns who they are and the runs that show on what they depend; what to call that, and which code is behind it, is for
//! others to say.

use std::collections::BTreeMap;

use testcase::assertion::{Assertion, TestCase};
use testcase::execution::{Execution, Observation, Outcome};
use testcase::executor::{Aspect, Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Value;

use crate::constants::looks_like_identity;
use crate::search::{Search, is_unanswered};
use crate::session::Session;

/// Operations that are remembered.
const MOST: usize = 64;
/// From so many times on a call is better avoided.
const OFTEN: u32 = 3;

/// A call that did something else the second time.
#[derive(Clone, Debug)]
struct Seen {
    /// The shortest sequence that shows it, up to the call.
    sequence: Sequence,
    times: u32,
}

/// All such calls, by operation.
#[derive(Clone, Debug, Default)]
pub struct Unsteady {
    seen: BTreeMap<OpId, Seen>,
}

impl Unsteady {
    /// Compares two runs of a sequence, which may have been in different environments. Says whether they differ.
    pub fn compare(&mut self, sequence: &Sequence, first: &Execution, second: &Execution) -> bool {
        let at = difference(sequence, first, second);
        if let Some(at) = at {
            self.note(sequence, at);
        }
        at.is_some()
    }

    /// Does the test assert something about the result of a call that was seen to differ, there or elsewhere?
    pub fn is_asserted(&self, test: &TestCase) -> bool {
        let op_of = |a: &Assertion| test.sequence.statements().get(a.var().index()).map(|s| s.op);
        !self.seen.is_empty() && test.assertions.iter().filter_map(op_of).any(|op| self.seen.contains_key(&op))
    }

    /// A sequence did not reach again what it was kept for. Nobody knows which call it was, but most often it is the last.
    pub fn suspect(&mut self, sequence: &Sequence) {
        if let Some(last) = sequence.len().checked_sub(1) {
            self.note(sequence, last);
        }
    }

    fn note(&mut self, sequence: &Sequence, at: usize) {
        let op = sequence.statements()[at].op;
        if self.seen.len() >= MOST && !self.seen.contains_key(&op) {
            return;
        }
        let upto = Sequence::new(&sequence.statements()[..=at]);
        let seen = self.seen.entry(op).or_insert_with(|| Seen { sequence: upto.clone(), times: 0 });
        seen.times += 1;
        if upto.len() < seen.sequence.len() {
            seen.sequence = upto;
        }
    }

    /// Is there a call among them that was seen to differ more than once, there or elsewhere?
    pub fn is_shaky(&self, statements: &[Statement]) -> bool {
        let differs = |op| self.seen.get(op).is_some_and(|seen: &Seen| seen.times > 1);
        !self.seen.is_empty() && statements.iter().any(|s| differs(&s.op))
    }

    /// Is it to blame so often that it should be called less?
    pub fn is_often(&self, op: OpId) -> bool {
        self.seen.get(&op).is_some_and(|s| s.times >= OFTEN)
    }
}

/// Did two runs of a sequence differ?
pub fn differs(sequence: &Sequence, first: &Execution, second: &Execution) -> bool {
    difference(sequence, first, second).is_some()
}

/// On what the result of a call depends besides its arguments, as far as runs show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// It differs from run to run in the same environment.
    pub always: bool,
    /// It differs when only this differs.
    pub aspects: Vec<Aspect>,
    /// It looks like the name of an object with its identity hash code.
    pub identity: bool,
    /// The same elements in another order.
    pub reordered: bool,
    /// The run changed static state.
    pub statics: bool,
}

/// A call to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    pub op: OpId,
    /// Tests in which it was seen to differ.
    pub times: u32,
    pub evidence: Evidence,
}

impl Session<'_> {
    /// Runs what was seen to differ again, in environments that differ in one thing only.
    pub fn diagnose(
        &mut self,
        executor: &mut dyn Executor,
        expired: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Culprit>, ExecutorProblem> {
        let cases: Vec<(OpId, Seen)> = self.search.unsteady.seen.iter().map(|(op, s)| (*op, s.clone())).collect();
        let mut culprits: Vec<Culprit> = cases
            .iter()
            .map(|(op, seen)| Culprit { op: *op, times: seen.times, evidence: Evidence::default() })
            .collect();
        if cases.is_empty() || expired() {
            return Ok(culprits);
        }
        let usual = run(&self.search, executor, &cases, false)?;
        let again = run(&self.search, executor, &cases, false)?;
        for (i, culprit) in culprits.iter_mut().enumerate() {
            culprit.evidence.statics = usual[i].dirtied_statics;
            if difference(&cases[i].1.sequence, &usual[i], &again[i]).is_some() {
                culprit.evidence.always = true;
                culprit.evidence.look(&cases[i].1.sequence, &usual[i], &again[i]);
            }
        }
        for aspect in Aspect::ALL {
            if expired() {
                break;
            }
            executor.vary_only(Some(aspect));
            let elsewhere = run(&self.search, executor, &cases, true);
            executor.vary_only(None);
            for ((culprit, usual), (elsewhere, case)) in
                culprits.iter_mut().zip(&usual).zip(elsewhere?.iter().zip(&cases))
            {
                if difference(&case.1.sequence, usual, elsewhere).is_some() {
                    culprit.evidence.aspects.push(aspect);
                }
            }
        }
        Ok(culprits)
    }
}

impl Evidence {
    fn look(&mut self, sequence: &Sequence, first: &Execution, second: &Execution) {
        let last = Var(sequence.len().saturating_sub(1) as u16);
        let (Some(a), Some(b)) = (value(first, last), value(second, last)) else { return };
        let text = |v: &Value| matches!(v, Value::String(s) if looks_like_identity(s));
        self.identity = text(a) && text(b);
        self.reordered = a != b && sorted(a).is_some() && sorted(a) == sorted(b);
    }
}

fn run(
    search: &Search<'_>,
    executor: &mut dyn Executor,
    cases: &[(OpId, Seen)],
    varied: bool,
) -> Result<Vec<Execution>, ExecutorProblem> {
    let detail = Detail { observe: Observe::Everything, states: true, values: true, varied, ..Detail::default() };
    let request = |(_, seen): &(OpId, Seen)| Request { sequence: seen.sequence.clone(), detail, cost: 0, fault: None };
    executor.run(search.catalog.operations(), cases.iter().map(request).collect())
}

/// The first statement that did something else in the second run.
fn difference(sequence: &Sequence, first: &Execution, second: &Execution) -> Option<usize> {
    if is_unanswered(first) || is_unanswered(second) {
        return None;
    }
    let ended = |e: &Execution| match &e.outcome {
        Outcome::Normal => Some(sequence.len()),
        Outcome::Threw { statement, .. } => Some(usize::from(*statement)),
        _ => None,
    };
    let (end, other) = (ended(first)?, ended(second)?);
    (0..sequence.len()).find(|&at| {
        let late = end <= at || other <= at;
        let of = |e: &Execution| -> Vec<Look> {
            let here = e.observations.iter().filter(|o| usize::from(o.statement) == at);
            here.map(look).collect()
        };
        (late && end != other) || (!late && of(first) != of(second))
    })
}

/// What is compared of an observation: whose, its value, its state, which object it is.
type Look = (Var, Option<Value>, Option<u128>, Option<Var>);

fn look(o: &Observation) -> Look {
    (o.var, o.value.clone(), o.state.map(|s| s.0), o.same_as)
}

fn value(execution: &Execution, var: Var) -> Option<&Value> {
    execution.observations.iter().rfind(|o| o.var == var)?.value.as_ref()
}

/// The elements of an array, or the words of a text, in an order of their own.
fn sorted(value: &Value) -> Option<Vec<String>> {
    let mut parts: Vec<String> = match value {
        Value::Array { elements, .. } => elements.iter().map(|e| format!("{e:?}")).collect(),
        Value::String(s) => {
            let text = String::from_utf16_lossy(s.units());
            text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
        }
        _ => return None,
    };
    parts.sort();
    Some(parts)
}
