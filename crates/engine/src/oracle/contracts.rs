//! From suspicion to finding: run again, look closely, make small, say it in words. Owns the judgement what counts as a bug and how sure that is.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::names::ClassName;
use testcase::assertion::{Expectation, TestCase};
use testcase::execution::{Contract, Execution, Frame, Outcome, Thrown, Violation};
use testcase::executor::{Detail, ExecutorProblem, Observe};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Var};

use super::confidence::{self, Judgement};
use super::legality;
use super::suspicion::{Suspect, Wrong, is_refusal, tampers};
use crate::outcome::{Finding, FindingKind};
use crate::reduce::runner::{Runner, thrown_class};
use crate::reduce::shrink::{Item, shrink_patiently};
use crate::search::{Search, is_unanswered};

/// What confirmation found.
#[derive(Debug, Default)]
pub struct Confirmed {
    pub findings: Vec<Finding>,
    /// Suspects that did not fail again, or for a reason that is ours.
    pub unconfirmed: usize,
}

fn detail() -> Detail {
    Detail {
        observe: Observe::Everything,
        values: true,
        exceptions: true,
        contracts: true,
        all_probes: true,
        ..Detail::default()
    }
}

/// What a finding is about: a class that breaks a contract, or a call that throws.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Culprit {
    Class(Option<ClassName>),
    Call(Option<Called>),
}

/// A method, whatever types it was called with: class, name, descriptor.
type Called = (ClassName, Arc<str>, Arc<str>);

/// Where an exception comes from: the innermost method under test in its trace, or else the innermost of all.
type Root = (ClassName, Arc<str>);

/// One finding per group: contract or exception, culprit, exception of the contract's own call, root. The simplest test of each.
type Key = (FindingKind, Culprit, Option<ClassName>, Option<Root>);

/// What must stay the same while a test becomes small.
#[derive(PartialEq, Eq)]
struct Failure {
    subject: Option<ClassName>,
    call: Option<Called>,
    thrown: Option<(ClassName, Option<Root>)>,
}

pub fn confirm(runner: &mut Runner<'_, '_, '_>) -> Result<Confirmed, ExecutorProblem> {
    let suspects: Vec<(Wrong, Suspect)> =
        runner.search.suspicions.iter().map(|(g, s)| (g.wrong.clone(), s.clone())).collect();
    let suspects = gathered(runner, suspects)?;
    let sequences: Vec<Sequence> = suspects.iter().map(|(_, s)| s.sequence.clone()).collect();
    let mut confirmed = Confirmed::default();
    let executions = runner.run(&sequences, detail())?;
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut wrongs: Vec<(Wrong, u32)> = Vec::new();
    for ((wrong, suspect), execution) in suspects.into_iter().zip(&executions) {
        let Some(origin) = failure(runner.search, &wrong, &suspect.sequence, execution) else {
            confirmed.unconfirmed += usize::from(!is_unanswered(execution));
            continue;
        };
        let what = wrong.clone();
        items.push(Item {
            sequence: suspect.sequence,
            thrown: thrown_class(execution).cloned(),
            holds: Box::new(move |search, sequence, execution| {
                failure(search, &what, sequence, execution).is_some_and(|f| f == origin)
            }),
        });
        wrongs.push((wrong, suspect.found));
    }
    shrink_patiently(runner, &mut items, detail())?;
    let sequences: Vec<Sequence> = items.into_iter().map(|i| i.sequence).collect();
    let executions = runner.run(&sequences, detail())?;
    let mut groups: BTreeMap<Key, (u32, usize, Finding)> = BTreeMap::new();
    for (((wrong, found), sequence), execution) in wrongs.iter().zip(&sequences).zip(&executions) {
        let Some(shown) = shows(runner.search, wrong, sequence, execution) else {
            confirmed.unconfirmed += usize::from(!is_unanswered(execution));
            continue;
        };
        let cost = runner.search.cost_of(sequence).packed();
        let class = subject_class(runner.search, wrong, sequence, execution);
        let (key, doubts, mut finding) = finding(runner.search, sequence, execution, class, shown);
        finding.statements_before = *found;
        match groups.get_mut(&key) {
            Some((known, _, kept)) if *known <= cost => kept.alike += 1,
            Some((known, doubted, kept)) => {
                finding.alike = kept.alike + 1;
                (*known, *doubted, *kept) = (cost, doubts, finding);
            }
            None => {
                groups.insert(key, (cost, doubts, finding));
            }
        }
    }
    // The surest first; among these the smallest.
    let mut findings: Vec<(u32, usize, Finding)> = groups.into_values().collect();
    findings.sort_by_key(|(cost, doubts, f)| (f.confidence, *doubts, *cost));
    confirmed.findings = findings.into_iter().map(|(.., f)| f).collect();
    Ok(confirmed)
}

/// Suspects that end by naming the values the broken contract is about, where they fail so too: whatever the last call was, it can go then.
fn gathered(
    runner: &mut Runner<'_, '_, '_>,
    mut suspects: Vec<(Wrong, Suspect)>,
) -> Result<Vec<(Wrong, Suspect)>, ExecutorProblem> {
    let mut tried: Vec<(usize, Sequence)> = Vec::new();
    for (i, (wrong, suspect)) in suspects.iter().enumerate() {
        let search = &mut *runner.search;
        let Some(gather) = search.checks.gather(&mut search.catalog, search.library, suspect.vars.len()) else {
            continue;
        };
        if matches!(wrong, Wrong::Contract(_)) {
            let bare = without_gather(search, &suspect.sequence, &suspect.vars);
            tried.push((i, bare.append(gather, &suspect.vars)));
        }
    }
    let sequences: Vec<Sequence> = tried.iter().map(|(_, s)| s.clone()).collect();
    let executions = runner.run(&sequences, detail())?;
    for ((i, sequence), execution) in tried.into_iter().zip(&executions) {
        if shows(runner.search, &suspects[i].0, &sequence, execution).is_some() {
            suspects[i].1.sequence = sequence;
        }
    }
    Ok(suspects)
}

/// Bringing values together was for the check; the test says itself which values it means.
fn without_gather(search: &Search<'_>, sequence: &Sequence, vars: &[Var]) -> Sequence {
    match sequence.last_var() {
        Some(last) if search.is_check(sequence) && !vars.contains(&last) => {
            Sequence::new(&sequence.statements()[..last.index()])
        }
        _ => sequence.clone(),
    }
}

/// What this run shows of the wrong, to be compared with other runs.
fn failure(search: &Search<'_>, wrong: &Wrong, sequence: &Sequence, execution: &Execution) -> Option<Failure> {
    let (call, thrown) = match shows(search, wrong, sequence, execution)? {
        Shown::Violation(violation) => (None, violation.thrown.as_ref()),
        Shown::Exception(thrown) => (called(search, sequence), Some(thrown)),
    };
    let subject = subject_class(search, wrong, sequence, execution);
    Some(Failure { subject, call, thrown: thrown.map(|t| (t.class.clone(), root(search, t))) })
}

fn called(search: &Search<'_>, sequence: &Sequence) -> Option<Called> {
    let member = search.catalog.facts(sequence.last()?.op).member.as_ref()?;
    Some((member.class.clone(), member.name.clone(), member.descriptor.clone()))
}

fn root(search: &Search<'_>, thrown: &Thrown) -> Option<Root> {
    let frames = &thrown.detail.as_ref()?.frames;
    let own = frames.iter().find(|f| is_under_test(search, &f.class));
    own.or(frames.first()).map(|f| (f.class.clone(), f.method.clone()))
}

/// What a run shows to be wrong.
enum Shown<'e> {
    Violation(&'e Violation),
    Exception(&'e Thrown),
}

/// Does this run show the same wrong, at its end?
fn shows<'e>(search: &Search<'_>, wrong: &Wrong, sequence: &Sequence, execution: &'e Execution) -> Option<Shown<'e>> {
    let last = sequence.len().checked_sub(1)?;
    // A shorter way to the same is no good if nobody could go it.
    if tampers(&search.catalog, sequence.statements()) {
        return None;
    }
    match wrong {
        Wrong::Contract(contract) => {
            let found = execution.violations.iter().find(|v| v.contract == *contract)?;
            let ours = matches!(contract, Contract::User { .. })
                || subject_class(search, wrong, sequence, execution).is_some_and(|c| is_under_test(search, &c));
            let refused = |t: &Thrown| {
                is_refusal(&search.catalog, sequence.statements(), t)
                    || is_by_others(search, t)
                    || t.class.internal() == NULL_POINTER && legality::uses_unwelcome_null(search, sequence, execution)
            };
            let excused = found.thrown.as_ref().is_some_and(refused) && !matches!(contract, Contract::User { .. });
            (ours && !excused && execution.outcome == Outcome::Normal).then_some(Shown::Violation(found))
        }
        Wrong::Exception(class) => match &execution.outcome {
            Outcome::Threw { statement, exception }
                if usize::from(*statement) == last
                    && exception.class == *class
                    && is_ours_to_blame(search, sequence, execution, exception) =>
            {
                Some(Shown::Exception(exception))
            }
            _ => None,
        },
    }
}

/// Others' classes break contracts too (a list that contains itself), but that is not what the test is about.
fn is_under_test(search: &Search<'_>, class: &ClassName) -> bool {
    search.goals.methods().any(|(_, m)| m.class == *class)
}

/// A null that we passed explains a `NullPointerException`; and a method nobody tests is not our business.
fn is_ours_to_blame(search: &Search<'_>, sequence: &Sequence, execution: &Execution, thrown: &Thrown) -> bool {
    let Some(last) = sequence.last() else {
        return false;
    };
    let facts = search.catalog.facts(last.op);
    if facts.method.is_none() {
        return false;
    }
    if thrown.class.internal() != NULL_POINTER {
        return true;
    }
    let refused = facts.member.as_deref().is_some_and(|m| legality::is_own_check(search, m, thrown));
    let welcomed = legality::passes_null(&search.catalog, sequence);
    // Who says that null is welcome answers for what becomes of it.
    (welcomed || !refused && !is_by_others(search, thrown))
        && !legality::uses_unwelcome_null(search, sequence, execution)
}

const NULL_POINTER: &str = "java/lang/NullPointerException";

/// Thrown by somebody else's code, who refused a null or an object of the wrong type, or was given half-made ones: a class answers for its own code only.
fn is_by_others(search: &Search<'_>, thrown: &Thrown) -> bool {
    matches!(thrown.class.internal(), NULL_POINTER | "java/lang/ClassCastException")
        && top(thrown).is_some_and(|f| !is_under_test(search, &f.class))
}

/// The class whose contract is broken: it must stay the same while the test shrinks.
fn subject_class(search: &Search<'_>, wrong: &Wrong, sequence: &Sequence, execution: &Execution) -> Option<ClassName> {
    match wrong {
        Wrong::Contract(contract) => {
            let violation = execution.violations.iter().find(|v| v.contract == *contract)?;
            let var = violation.vars.first()?;
            let seen = execution.observations.iter().rev().find(|o| o.var == *var).and_then(|o| o.class.clone());
            seen.or_else(|| {
                search.catalog.operation(sequence.statements().get(var.index())?.op).result.class_name().cloned()
            })
        }
        Wrong::Exception(_) => {
            sequence.last().and_then(|s| search.catalog.facts(s.op).member.as_ref()).map(|m| m.class.clone())
        }
    }
}

/// Group, doubts, and the finding itself.
fn finding(
    search: &Search<'_>,
    sequence: &Sequence,
    execution: &Execution,
    class: Option<ClassName>,
    shown: Shown<'_>,
) -> (Key, usize, Finding) {
    let last = sequence.last().map_or(OpId(0), |s| s.op);
    match shown {
        Shown::Violation(violation) => {
            let contract = violation.contract.clone();
            let key = (
                FindingKind::Contract(contract.clone()),
                Culprit::Class(class.clone()),
                violation.thrown.as_ref().map(|t| t.class.clone()),
                violation.thrown.as_ref().and_then(|t| root(search, t)),
            );
            let test = TestCase {
                sequence: without_gather(search, sequence, &violation.vars),
                assertions: Vec::new(),
                expectation: Expectation::Breaks { contract: contract.clone(), vars: violation.vars.clone() },
                subject: None,
            };
            let thrown = violation.thrown.as_ref();
            let Judgement { confidence, why, doubts } =
                confidence::of_contract(search, &contract, thrown, &test.sequence, execution);
            let message = describe(&contract, thrown);
            let finding = Finding {
                test,
                kind: FindingKind::Contract(contract),
                confidence,
                why,
                message,
                thrown: violation.thrown.clone(),
                subject: class,
                alike: 0,
                statements_before: 0,
            };
            (key, doubts, finding)
        }
        Shown::Exception(thrown) => {
            let key = (
                FindingKind::Exception(thrown.class.clone()),
                Culprit::Call(called(search, sequence)),
                None,
                root(search, thrown),
            );
            let test = TestCase {
                sequence: sequence.clone(),
                assertions: Vec::new(),
                expectation: Expectation::BadException { class: thrown.class.clone() },
                subject: None,
            };
            // Thrown by the code under test itself, rather than deep inside something it called with what we gave it.
            let own = top(thrown).is_some_and(|f| is_under_test(search, &f.class));
            let Judgement { confidence, why, doubts } =
                confidence::of_exception(search, last, thrown, own, sequence, execution);
            let method = member_name(search, last);
            let message = match thrown.class.internal() {
                NULL_POINTER if legality::passes_null(&search.catalog, sequence) => {
                    format!("{method} throws NullPointerException although null is declared welcome")
                }
                NULL_POINTER => {
                    format!("{method} throws NullPointerException although no null was passed")
                }
                "java/lang/AssertionError" => format!("an assertion fails in {method}"),
                other => format!("{method} throws {}", other.replace('/', ".")),
            };
            let finding = Finding {
                test,
                kind: FindingKind::Exception(thrown.class.clone()),
                confidence,
                why,
                message,
                thrown: Some(thrown.clone()),
                subject: class,
                alike: 0,
                statements_before: 0,
            };
            (key, doubts, finding)
        }
    }
}

fn top(thrown: &Thrown) -> Option<&Frame> {
    thrown.detail.as_ref()?.frames.first()
}

fn member_name(search: &Search<'_>, op: OpId) -> String {
    match &search.catalog.operation(op).kind {
        OperationKind::Construct { class, .. } => {
            format!("new {}", class.simple_binary().replace('$', "."))
        }
        OperationKind::Call { owner, name, .. } => {
            format!("{}.{name}", owner.simple_binary().replace('$', "."))
        }
        _ => "the last statement".to_owned(),
    }
}

fn describe(contract: &Contract, thrown: Option<&Thrown>) -> String {
    let threw = thrown.map(|t| format!(" ({})", t.class.binary())).unwrap_or_default();
    let text = match contract {
        Contract::EqualsReflexive => "an object does not equal itself",
        Contract::EqualsNull => "an object equals null",
        Contract::EqualsSymmetric => "equals is not symmetric",
        Contract::EqualsHashCode => "equal objects have different hash codes",
        Contract::EqualsThrows => "equals throws",
        Contract::HashCodeThrows => "hashCode throws",
        Contract::ToStringThrows => "toString throws",
        Contract::ToStringNull => "toString returns null",
        Contract::CompareToAntisymmetric => "compareTo gives signs that do not mirror each other",
        Contract::CompareToTransitive => "compareTo is not transitive",
        Contract::CompareToEquals => "compareTo and equals disagree",
        Contract::CompareToReflexive => "an object does not compare as equal to itself",
        Contract::CloneEquals => "clone gives the same or an unequal object",
        Contract::IteratorEnds => "an iterator yields more than its collection holds",
        Contract::User { class, method } => {
            return format!("contract {}.{method} does not hold{threw}", class.binary());
        }
    };
    format!("{text}{threw}")
}
