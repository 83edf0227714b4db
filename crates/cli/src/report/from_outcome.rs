//! From what a session found and verification kept to a class's report. Owns the counting over delivered tests and the words for people;
//! decides nothing about tests.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::{FieldType, MethodDescriptor};
use bytecode::world::World;
use engine::goal::{GoalId, GoalKind, Goals, Method};
use engine::outcome::{Confidence, Finding, FindingKind, Outcome};
use testcase::assertion::{Expectation, TestCase};
use testcase::execution::Contract;
use testcase::operation::{OperationKind, Operations};

use crate::report::blame;
use crate::report::{ClassReport, Dropped, FindingReport, GoalCount, MethodReport};
use crate::verify::{DroppedTest, Verdict, Verified};

/// Fills in everything about tests, goals, findings and methods. Verification was given the suite's tests first, then the findings'.
pub fn fill(report: &mut ClassReport, world: &World, outcome: &Outcome, verdict: &Verdict) {
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
    report.methods = methods(world, outcome, &delivered, &report.dropped);
    report.executions = outcome.totals.executions;
    report.calls = outcome.totals.calls;
    if !verdict.weakened.is_empty() {
        let n = verdict.weakened.len();
        report.notes.push(format!("{n} test{} lost unstable assertions", if n == 1 { "" } else { "s" }));
    }
    if verdict.hurried > 0 {
        let n = verdict.hurried;
        report.notes.push(format!("{n} of the tests were seen to pass in one JVM only, for want of time"));
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
    Dropped { test: test.name.clone(), reason: test.reason, detail: test.detail.clone() }
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

fn methods(world: &World, outcome: &Outcome, delivered: &BTreeSet<GoalId>, dropped: &[Dropped]) -> Vec<MethodReport> {
    let mut counts = vec![GoalCount::default(); outcome.goals.method_count()];
    for (id, goal) in outcome.goals.iter().filter(|(_, g)| is_structural(g.kind)) {
        let count = &mut counts[goal.method.index()];
        count.total += 1;
        count.covered += usize::from(delivered.contains(&id));
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
            let why_not = (goals.covered < goals.total).then(|| {
                reasons.get(&key(method)).cloned().unwrap_or_else(|| {
                    let whose = if dropped.is_empty() {
                        "could not be kept"
                    } else {
                        "may be among those dropped in verification"
                    };
                    format!("it was reached in the search, but the tests that did {whose}")
                })
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
    let last = finding.test.sequence.last().map(|s| &operations.get(s.op).kind);
    let method = match last {
        Some(OperationKind::Call { owner, name, descriptor, .. }) => {
            format!("{}.{}", owner.binary(), readable(name, descriptor, owner.simple_binary()))
        }
        Some(OperationKind::Construct { class, descriptor, .. }) => {
            format!("{}.{}", class.binary(), readable("<init>", descriptor, class.simple_binary()))
        }
        _ => String::new(),
    };
    FindingReport {
        contract: match &finding.kind {
            FindingKind::Contract(contract) => contract_name(contract),
            FindingKind::Exception(class) => format!("exception:{}", class.binary()),
        },
        description: finding.message.clone(),
        method,
        severity: if finding.confidence == Confidence::Warning { "warning" } else { "error" }.to_string(),
        confidence: finding.confidence.name().to_string(),
        test,
        location: blame::location(world, finding),
        trace: finding.thrown.as_ref().map(blame::trace).unwrap_or_default(),
        alike: finding.alike,
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
