//! Why tests are flaky: on what their calls depend, and which call is to blame. Owns the conclusions from what runs showed and from what the code asks for, and
//! their words; runs nothing itself.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use bytecode::world::World;
use engine::oracle::unsteady::{Culprit, Evidence};
use engine::outcome::Outcome;
use serde::{Deserialize, Serialize};
use testcase::assertion::{Assertion, TestCase};
use testcase::executor::Aspect;
use testcase::operation::{OpId, OperationKind, Operations};
use testcase::value::Value;

use crate::report::from_outcome::readable;
use crate::report::{ClassReport, DropReason, UnsteadyReport};
use crate::verify::Verdict;

mod sources;

use sources::sources;

/// What a call depends on besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    Time,
    Randomness,
    IdentityHash,
    IterationOrder,
    StaticState,
    Locale,
    TimeZone,
    /// User, home, files, memory, encoding, screen.
    Environment,
    Threads,
}

impl Cause {
    fn in_words(self) -> &'static str {
        match self {
            Cause::Time => "the clock",
            Cause::Randomness => "random numbers",
            Cause::IdentityHash => "identity hash codes",
            Cause::IterationOrder => "the order of hashed elements",
            Cause::StaticState => "static state",
            Cause::Locale => "the default locale",
            Cause::TimeZone => "the default time zone",
            Cause::Environment => "the user or the machine",
            Cause::Threads => "the timing of threads",
        }
    }
}

/// Most methods named in the notes of a class.
const NAMED: usize = 4;

/// What differs from run to run in one JVM, the likeliest first.
const IN_ONE_JVM: [Cause; 6] =
    [Cause::Randomness, Cause::Threads, Cause::Time, Cause::StaticState, Cause::IdentityHash, Cause::IterationOrder];
/// What is the same in a JVM but differs between machines, the likeliest first.
const BETWEEN_JVMS: [Cause; 8] = [
    Cause::Locale,
    Cause::TimeZone,
    Cause::IdentityHash,
    Cause::IterationOrder,
    Cause::Environment,
    Cause::Randomness,
    Cause::Time,
    Cause::StaticState,
];

/// The calls of a class that are to blame.
#[derive(Debug, Default)]
pub struct Flakiness {
    /// By operation: the cause if it is known, and how often it was seen.
    calls: BTreeMap<OpId, (Option<Cause>, u32)>,
}

/// A method as class files name it.
type Member<'a> = (&'a ClassName, &'a str, &'a str);

impl Flakiness {
    /// `culprits` are what the search saw.
    pub fn new(world: &World, operations: &Operations, culprits: &[Culprit]) -> Flakiness {
        let calls = culprits.iter().map(|c| {
            let asks = member(operations, c.op).map(|m| sources(world, m)).unwrap_or_default();
            (c.op, (decide(&c.evidence, &asks), c.times))
        });
        Flakiness { calls: calls.collect() }
    }

    /// Adds to the report what the search and verification saw: for each test that is flaky the cause and the method, and which methods are to blame at all.
    pub fn tell(&self, world: &World, outcome: &Outcome, verdict: &Verdict, report: &mut ClassReport) {
        let operations = &outcome.operations;
        let mut blamed: BTreeMap<(String, Option<Cause>), u32> = BTreeMap::new();
        for (op, (cause, times)) in &self.calls {
            if let Some(m) = member(operations, *op) {
                *blamed.entry((written(m), *cause)).or_default() += times;
            }
        }
        let test = |index: usize| outcome.suite.get(index).map(|t| &t.test);
        for (index, why) in verdict.weakened.iter().filter(|(_, why)| why.contains("expected")) {
            if let Some((op, cause)) = test(*index).and_then(|t| self.explain(world, operations, t, why, &IN_ONE_JVM))
                && let Some(m) = member(operations, op)
            {
                *blamed.entry((written(m), cause)).or_default() += 1;
            }
        }
        for dropped in &mut report.dropped {
            let causes: &[Cause] = match dropped.reason {
                DropReason::Flaky => &IN_ONE_JVM,
                DropReason::EnvironmentDependent => &BETWEEN_JVMS,
                _ => continue,
            };
            let found = verdict.dropped.iter().find(|d| d.name == dropped.test).and_then(|d| test(d.index));
            let Some((op, cause)) = found.and_then(|t| self.explain(world, operations, t, &dropped.detail, causes))
            else {
                continue;
            };
            dropped.cause = cause;
            dropped.method = member(operations, op).map(written);
            if let Some(m) = &dropped.method {
                *blamed.entry((m.clone(), cause)).or_default() += 1;
            }
        }
        let list = blamed.into_iter().map(|((method, cause), times)| UnsteadyReport { method, cause, times });
        report.unsteady = list.collect();
        report.unsteady.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.method.cmp(&b.method)));
        report.notes.extend(note(&report.unsteady));
    }

    /// The call that makes a test flaky, and why, if that can be told.
    fn explain(
        &self,
        world: &World,
        operations: &Operations,
        test: &TestCase,
        detail: &str,
        causes: &[Cause],
    ) -> Option<(OpId, Option<Cause>)> {
        let statements = test.sequence.statements();
        let asserted = wrong(test, detail).map(|at| statements[at].op);
        if let Some((op, (cause, _))) = statements.iter().find_map(|s| self.calls.get(&s.op).map(|seen| (s.op, *seen)))
        {
            return Some((op, cause));
        }
        let asks = |op: OpId| -> Option<Cause> {
            let all = sources(world, member(operations, op)?);
            causes.iter().copied().find(|c| all.contains(c))
        };
        // The call whose value was wrong, or else the first that asks for something that differs.
        let first = asserted.into_iter().chain(statements.iter().map(|s| s.op));
        let found = first.clone().find_map(|op| asks(op).map(|cause| (op, Some(cause))));
        found.or_else(|| asserted.map(|op| (op, None)))
    }
}

/// What a call depends on, from what runs showed and what its code asks for.
fn decide(evidence: &Evidence, asks: &[Cause]) -> Option<Cause> {
    if !evidence.always {
        let of = |aspect: &Aspect| match aspect {
            Aspect::Clock => Cause::Time,
            Aspect::Chance => Cause::Randomness,
            Aspect::Locale => Cause::Locale,
            Aspect::Zone => Cause::TimeZone,
            Aspect::User => Cause::Environment,
        };
        return evidence.aspects.first().map(of).or_else(|| evidence.statics.then_some(Cause::StaticState));
    }
    if evidence.identity {
        return Some(Cause::IdentityHash);
    }
    let strong = [Cause::Randomness, Cause::Threads];
    strong
        .into_iter()
        .find(|c| asks.contains(c))
        .or_else(|| evidence.reordered.then_some(Cause::IterationOrder))
        .or_else(|| IN_ONE_JVM.into_iter().find(|c| asks.contains(c)))
}

/// The statement whose value an assertion found wrong, by the value that it names.
fn wrong(test: &TestCase, detail: &str) -> Option<usize> {
    let named = |assertion: &&Assertion| match assertion {
        Assertion::Equals { value, .. } => text(value).is_some_and(|t| detail.contains(&format!("<{t}>"))),
        _ => false,
    };
    let only = || test.assertions.first().filter(|_| test.assertions.len() == 1);
    test.assertions.iter().find(named).or_else(only).map(|a| a.var().index())
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(b) => Some(b.to_string()),
        Value::Int(n) => Some(n.to_string()),
        Value::Long(n) => Some(n.to_string()),
        Value::String(s) => Some(String::from_utf16_lossy(s.units())),
        Value::Boxed(inner) => text(inner),
        _ => None,
    }
}

fn member(operations: &Operations, op: OpId) -> Option<Member<'_>> {
    match &operations.get(op).kind {
        OperationKind::Call { owner, name, descriptor, .. } => Some((owner, name, descriptor)),
        OperationKind::Construct { class, descriptor, .. } => Some((class, "<init>", descriptor)),
        _ => None,
    }
}

/// The method a test is about.
pub fn subject(operations: &Operations, test: &TestCase) -> Option<String> {
    let at = test.subject.map_or(test.sequence.len().checked_sub(1), |v| Some(v.index()))?;
    member(operations, test.sequence.statements().get(at)?.op).map(written)
}

fn written((class, name, descriptor): Member<'_>) -> String {
    format!("{}.{}", class.binary(), readable(name, descriptor, class.simple_binary()))
}

/// Who is to blame, in a sentence.
fn note(unsteady: &[UnsteadyReport]) -> Option<String> {
    let (named, more) = unsteady.split_at(unsteady.len().min(NAMED));
    let words = named.iter().map(|u| match u.cause {
        Some(cause) => format!("{} (depends on {})", u.method, cause.in_words()),
        None => u.method.clone(),
    });
    let words: Vec<String> = words.collect();
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!words.is_empty()).then(|| format!("not the same every time, so not asserted: {}{more}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(evidence: Evidence, asks: &[Cause], expected: Option<Cause>) {
        assert_eq!(decide(&evidence, asks), expected, "{evidence:?} {asks:?}");
    }

    #[test]
    fn causes_follow_from_what_runs_showed_and_code_asks_for() {
        let alone = |aspect| Evidence { aspects: vec![aspect], ..Evidence::default() };
        check(alone(Aspect::Clock), &[], Some(Cause::Time));
        check(alone(Aspect::Chance), &[], Some(Cause::Randomness));
        check(alone(Aspect::Locale), &[Cause::Randomness], Some(Cause::Locale));
        check(alone(Aspect::Zone), &[], Some(Cause::TimeZone));
        check(alone(Aspect::User), &[], Some(Cause::Environment));
        let always = Evidence { always: true, aspects: Aspect::ALL.to_vec(), ..Evidence::default() };
        check(always.clone(), &[], None);
        check(always.clone(), &[Cause::Time, Cause::Randomness], Some(Cause::Randomness));
        check(always.clone(), &[Cause::Time], Some(Cause::Time));
        check(Evidence { reordered: true, ..always.clone() }, &[Cause::IdentityHash], Some(Cause::IterationOrder));
        check(Evidence { identity: true, ..always }, &[], Some(Cause::IdentityHash));
        check(Evidence { statics: true, ..Evidence::default() }, &[], Some(Cause::StaticState));
    }

    #[test]
    fn notes_name_the_worst() {
        let one = |n: u32| UnsteadyReport { method: format!("A.m{n}()"), cause: Some(Cause::Time), times: 9 - n };
        assert_eq!(note(&[]), None);
        let note = note(&(0..5).map(one).collect::<Vec<_>>()).unwrap();
        assert!(note.ends_with("A.m3() (depends on the clock) and 1 more"), "{note}");
    }
}
