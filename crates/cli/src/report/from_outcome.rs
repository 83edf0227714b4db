//! From what a session found and verification kept to a class's report. Owns the counting over delivered tests and the words for people;
//! decides nothing about tests.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::{FieldType, MethodDescriptor};
use bytecode::world::World;
use engine::goal::{GoalId, GoalKind, Goals, Method};
use engine::outcome::{Confidence, Finding, FindingKind, Loss, Outcome, SuiteTest};
use testcase::assertion::{Expectation, TestCase};
use testcase::execution::Contract;
use testcase::operation::{OperationKind, Operations};

use crate::report::summary::counted;
use crate::report::{ClassReport, DropReason, Dropped, FindingReport, GoalCount, MethodReport};
use crate::report::{blame, infeasible};
use crate::verify::{DroppedTest, Verdict, Verified};

/// Fills in everything about tests, goals, findings and methods. Verification was given the suite's tests first, then the findings'.
/// `left_out` are tests that nobody had time to verify.
pub fn fill(report: &mut ClassReport, world: &World, outcome: &Outcome, verdict: &Verdict, left_out: &[SuiteTest]) {
    let findings_from = outcome.suite.len();
    let (passing, failing): (Vec<&Verified>, Vec<&Verified>) =
        verdict.verified.iter().partition(|v| v.index < findings_from);
    let delivered: BTreeSet<GoalId> =
        passing.iter().flat_map(|v| outcome.suite[v.index].goals.iter().copied()).collect();
    report.goals = count_by_kind(&outcome.goals, &delivered);
    report.tests = passing.len();
    report.statements = passing.iter().map(|v| v.test.sequence.len()).sum();
    report.assertions = passing.iter().map(|v| assertions(&v.test)).sum();
    let found = |v: &&Verified| {
        finding(
            world,
            &outcome.findings[v.index - findings_from],
            &outcome.operations,
            format!("{}.{}", v.class, v.method),
        )
    };
    report.findings = failing.iter().map(found).collect();
    report.dropped = verdict.dropped.iter().map(dropped).collect();
    report.dropped.extend(left_out.iter().map(|test| unverified(outcome, test)));
    if !left_out.is_empty() {
        let n = counted(left_out.len(), "test");
        report.notes.push(format!("{n} left out because there was no time to verify all; a larger budget keeps more"));
    }
    let lost = Lost { outcome, verdict, left_out };
    report.methods = methods(world, outcome, &delivered, &lost);
    report.infeasible = infeasible::list(&outcome.goals);
    report.notes.extend(infeasible::mistakes(&outcome.goals));
    let beyond = infeasible::branches(&outcome.goals);
    if beyond > 0 {
        let n = if beyond == 1 { "1 branch".to_string() } else { format!("{beyond} branches") };
        report.notes.push(format!("{n} cannot be taken by any input; report.json lists them"));
    }
    report.executions = outcome.totals.executions;
    report.calls = outcome.totals.calls;
    if !verdict.weakened.is_empty() {
        let n = counted(verdict.weakened.len(), "test");
        report.notes.push(format!("{n} lost unstable assertions"));
    }
    if verdict.hurried > 0 {
        let n = counted(verdict.hurried, "test");
        report.notes.push(format!("{n} seen to pass in one JVM only, for want of time"));
    }
    if outcome.goals.is_empty() {
        report.notes.push("nothing in it can be measured".to_string());
    } else if report.tests == 0 {
        report.notes.push(why_no_tests(report));
    }
}

fn why_no_tests(report: &ClassReport) -> String {
    if let Some(dropped) = report.dropped.first() {
        return format!("every test was dropped, the first because: {}", dropped.detail);
    }
    match report.methods.iter().find_map(|m| m.why_not.as_ref().map(|why| (&m.name, why))) {
        Some((name, why)) => format!("no test was found; {name}: {why}"),
        None => "no test was found".to_string(),
    }
}

pub fn assertions(test: &TestCase) -> usize {
    test.assertions.len() + usize::from(test.expectation != Expectation::Passes)
}

fn dropped(test: &DroppedTest) -> Dropped {
    Dropped { test: test.name.clone(), reason: test.reason, detail: test.detail.clone(), cause: None, method: None }
}

/// A test without a name of its own goes by what it calls last.
fn unverified(outcome: &Outcome, test: &SuiteTest) -> Dropped {
    let last = test.test.sequence.last().map(|s| &outcome.operations.get(s.op).kind);
    let called = last.map(called).filter(|c| !c.is_empty()).unwrap_or_else(|| "something else".to_string());
    let detail = "the time was up before it could be compiled and run".to_string();
    Dropped { test: format!("a test of {called}"), reason: DropReason::NotVerified, detail, cause: None, method: None }
}

/// Which tests the search had to leave out, one line per reason, and whose methods miss them.
pub fn lost(outcome: &Outcome) -> Vec<String> {
    const NAMED: usize = 5;
    let mut notes = Vec::new();
    for (why, n) in Loss::ALL.into_iter().zip(outcome.stats.lost).filter(|(_, n)| *n > 0) {
        let goals = outcome.losses.iter().filter(|(_, loss)| **loss == why);
        let methods: BTreeSet<_> = goals.map(|(goal, _)| outcome.goals.goal(*goal).method).collect();
        let names: Vec<String> = methods
            .iter()
            .take(NAMED)
            .map(|m| outcome.goals.method(*m))
            .map(|m| readable(&m.name, &m.descriptor, m.class.simple_binary()))
            .collect();
        let mut note = format!("{} left out: what it does {}", counted(n, "test"), why.words());
        if n > 1 {
            note = format!("{} left out: each {}", counted(n, "test"), why.words());
        }
        if !names.is_empty() {
            let more =
                if methods.len() > NAMED { format!(" and {} more", methods.len() - NAMED) } else { String::new() };
            note.push_str(&format!(" ({}{more} lost something by it)", names.join(", ")));
        }
        notes.push(note);
    }
    notes
}

/// Where tests went that the search found and nobody got.
struct Lost<'a> {
    outcome: &'a Outcome,
    verdict: &'a Verdict,
    left_out: &'a [SuiteTest],
}

impl Lost<'_> {
    /// Why a goal that the search reached is not covered by what is delivered.
    fn why(&self, goal: GoalId) -> Option<String> {
        let covers = |test: &SuiteTest| test.goals.contains(&goal);
        let dropped = self.verdict.dropped.iter().find(|d| self.outcome.suite.get(d.index).is_some_and(covers));
        if let Some(dropped) = dropped {
            return Some(format!("the test that did was dropped in verification: {}", dropped.detail));
        }
        if self.left_out.iter().any(covers) {
            return Some("there was no time to verify the test that did".to_string());
        }
        let loss = self.outcome.losses.get(&goal)?;
        Some(format!("no test can be made of what did: it {}", loss.words()))
    }
}

/// The kinds a report knows. Branches are counted as coverage tools do, switches included.
pub fn kinds(kind: GoalKind) -> &'static [&'static str] {
    match kind {
        GoalKind::Branch => &["branch"],
        GoalKind::SwitchCase => &["branch", "switch-case"],
        GoalKind::Handler => &["handler"],
        GoalKind::Line => &["line"],
        GoalKind::Method => &["method"],
        GoalKind::MethodNormal => &["method-normal"],
        GoalKind::DeclaredException => &["declared-exception"],
        GoalKind::UndeclaredException => &["undeclared-exception"],
        GoalKind::WeakMutant => &["weak-mutant"],
    }
}

fn count_by_kind(goals: &Goals, delivered: &BTreeSet<GoalId>) -> BTreeMap<String, GoalCount> {
    let mut counts: BTreeMap<String, GoalCount> = BTreeMap::new();
    for (id, goal) in goals.iter() {
        for name in kinds(goal.kind) {
            let count = counts.entry((*name).to_string()).or_default();
            count.total += 1;
            count.covered += usize::from(delivered.contains(&id));
        }
    }
    counts
}

/// Goals that the report counts by method.
pub fn is_structural(kind: GoalKind) -> bool {
    matches!(kind, GoalKind::Branch | GoalKind::SwitchCase | GoalKind::Line | GoalKind::Method)
}

fn methods(world: &World, outcome: &Outcome, delivered: &BTreeSet<GoalId>, lost: &Lost<'_>) -> Vec<MethodReport> {
    let mut counts = vec![GoalCount::default(); outcome.goals.method_count()];
    // Per method: goals that the search reached and nobody got, why for the first of them, and goals that it did not reach.
    let mut missing: Vec<(usize, Option<String>, usize)> = vec![(0, None, 0); outcome.goals.method_count()];
    for (id, goal) in outcome.goals.iter().filter(|(_, g)| is_structural(g.kind)) {
        let count = &mut counts[goal.method.index()];
        count.total += 1;
        if delivered.contains(&id) {
            count.covered += 1;
            continue;
        }
        let (reached, why, unreached) = &mut missing[goal.method.index()];
        if outcome.goals.is_covered(id) || outcome.losses.contains_key(&id) {
            *reached += 1;
            if why.is_none() {
                *why = lost.why(id);
            }
        } else {
            *unreached += 1;
        }
    }
    let mut reasons: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
    for method in &outcome.methods {
        if let Some(reason) = &method.reason {
            reasons.insert(key(&method.method), reason.to_string());
        }
    }
    outcome
        .goals
        .methods()
        .map(|(id, method)| {
            let goals = counts[id.index()];
            let (reached, lost, unreached) = &missing[id.index()];
            let why_not = (goals.covered < goals.total).then(|| {
                let reason = reasons.get(&key(method)).cloned();
                let lost =
                    || lost.clone().unwrap_or_else(|| "the tests that did were superseded by others".to_string());
                match (reached, unreached, reason) {
                    (0, _, reason) => reason.unwrap_or_else(|| "not reached within the budget".to_string()),
                    (_, 0, _) | (_, _, None) => format!("it was reached in the search, but {}", lost()),
                    (_, _, Some(reason)) => format!("{reason}; more of it was reached in the search, but {}", lost()),
                }
            });
            let info = world.class(&method.class).ok();
            let lines = info.as_ref().and_then(|c| c.method(&method.name, &method.descriptor)).and_then(|m| m.lines);
            MethodReport {
                name: readable(&method.name, &method.descriptor, method.class.simple_binary()),
                class: method.class.binary(),
                descriptor: method.descriptor.to_string(),
                line: lines.map(|l| l.0),
                goals,
                why_not,
            }
        })
        .collect()
}

fn key(method: &Method) -> (&str, &str, &str) {
    (method.class.internal(), &method.name, &method.descriptor)
}

fn finding(world: &World, finding: &Finding, operations: &Operations, test: String) -> FindingReport {
    let method = finding.test.sequence.last().map(|s| called(&operations.get(s.op).kind)).unwrap_or_default();
    FindingReport {
        contract: match &finding.kind {
            FindingKind::Contract(contract) => contract_name(contract),
            FindingKind::Exception(class) => format!("exception:{}", class.binary()),
        },
        description: finding.message.clone(),
        method,
        severity: if finding.confidence == Confidence::Warning { "warning" } else { "error" }.to_string(),
        confidence: finding.confidence.name().to_string(),
        why: finding.why.clone(),
        test,
        statements: finding.test.sequence.len(),
        statements_before: finding.statements_before,
        location: blame::location(world, finding),
        trace: finding.thrown.as_ref().map(blame::trace).unwrap_or_default(),
        alike: finding.alike,
    }
}

/// The member that an operation calls; nothing if it calls none.
fn called(kind: &OperationKind) -> String {
    match kind {
        OperationKind::Call { owner, name, descriptor, .. } => {
            format!("{}.{}", owner.binary(), readable(name, descriptor, owner.simple_binary()))
        }
        OperationKind::Construct { class, descriptor, .. } => {
            format!("{}.{}", class.binary(), readable("<init>", descriptor, class.simple_binary()))
        }
        _ => String::new(),
    }
}

fn contract_name(contract: &Contract) -> String {
    let name = match contract {
        Contract::EqualsReflexive => "equals-reflexive",
        Contract::EqualsNull => "equals-null",
        Contract::EqualsSymmetric => "equals-symmetric",
        Contract::EqualsHashCode => "equals-hash-code",
        Contract::EqualsThrows => "equals-throws",
        Contract::HashCodeThrows => "hash-code-throws",
        Contract::ToStringThrows => "to-string-throws",
        Contract::ToStringNull => "to-string-null",
        Contract::CompareToAntisymmetric => "compare-to-antisymmetric",
        Contract::CompareToTransitive => "compare-to-transitive",
        Contract::CompareToEquals => "compare-to-equals",
        Contract::CompareToReflexive => "compare-to-reflexive",
        Contract::CloneEquals => "clone-equals",
        Contract::IteratorEnds => "iterator-ends",
        Contract::User { class, method } => return format!("user:{}.{method}", class.binary()),
    };
    name.to_string()
}

/// `push(int)` for people.
pub fn readable(name: &str, descriptor: &str, class: &str) -> String {
    if name == "<clinit>" {
        return "static initializer".to_string();
    }
    let name = if name == "<init>" { class } else { name };
    let Some(parsed) = MethodDescriptor::parse(descriptor) else {
        return format!("{name}{descriptor}");
    };
    let params: Vec<String> = parsed.params.iter().map(readable_type).collect();
    format!("{name}({})", params.join(", "))
}

fn readable_type(t: &FieldType) -> String {
    match t {
        FieldType::Primitive(p) => p.keyword().to_string(),
        FieldType::Class(name) => name.simple_binary().rsplit('$').next().unwrap_or_default().to_string(),
        FieldType::Array(element) => format!("{}[]", readable_type(element)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_read_as_in_source() {
        for (name, descriptor, expected) in [
            ("push", "(I)V", "push(int)"),
            ("<init>", "(Ljava/lang/String;[[J)V", "Stack(String, long[][])"),
            ("get", "(Ljava/util/Map$Entry;)Z", "get(Entry)"),
            ("<clinit>", "()V", "static initializer"),
        ] {
            assert_eq!(readable(name, descriptor, "Stack"), expected);
        }
    }
}
