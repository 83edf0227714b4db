//! Goals that no test can reach: ways through the code that the code itself rules out, and private methods that nothing calls. Owns the claim and its reason; whatever
//! is not certain stays a goal like any other.

use std::collections::BTreeSet;

use bytecode::analysis::{ClassFacts, Feasible, Way};
use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::instrument::{Probe, ProbeKind};
use bytecode::names::FieldType;
use bytecode::raw::RawClass;

use super::{GoalId, Goals};
use crate::target::PreparedClass;

/// Why a goal cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Infeasible {
    /// What comes before decides it, whatever the input.
    Impossible,
    /// An exception handler for code that throws nothing.
    Unthrown,
    /// In a private method that nothing calls.
    Uncalled,
}

impl Infeasible {
    pub fn words(self) -> &'static str {
        match self {
            Infeasible::Impossible => "no input leads there: what comes before rules it out",
            Infeasible::Unthrown => "nothing that it would catch is thrown",
            Infeasible::Uncalled => "the method is private and nothing calls it",
        }
    }
}

/// Methods that the JVM or a library calls by name.
const CALLED_BY_NAME: [&str; 6] =
    ["readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace", "main"];

/// Marks the goals of these classes that cannot be reached.
pub fn mark(goals: &mut Goals, classes: &[PreparedClass]) {
    let uncalled = uncalled(classes);
    let mut verdicts: Vec<Option<Infeasible>> = Vec::new();
    for (n, class) in classes.iter().enumerate() {
        verdicts.resize(class.first_probe as usize, None);
        let Ok(raw) = RawClass::parse(&class.original) else { continue };
        let mut feasible: Option<(u16, Feasible)> = None;
        for probe in &class.probes {
            if feasible.as_ref().is_none_or(|(method, _)| *method != probe.method) {
                feasible = read(&raw, probe.method).map(|f| (probe.method, f));
            }
            let verdict = match &feasible {
                _ if uncalled.contains(&(n, probe.method)) => Some(Infeasible::Uncalled),
                Some((_, feasible)) => judge(feasible, probe),
                None => None,
            };
            verdicts.push(verdict);
        }
    }
    let mut possible: BTreeSet<GoalId> = BTreeSet::new();
    let mut impossible: Vec<(GoalId, Infeasible)> = Vec::new();
    for (probe, of_probe) in goals.probes() {
        match verdicts.get(probe.0 as usize).copied().flatten() {
            Some(why) => impossible.extend(of_probe.iter().map(|g| (*g, why))),
            None => possible.extend(of_probe),
        }
    }
    for (goal, why) in impossible {
        if !possible.contains(&goal) {
            goals.rule_out(goal, why);
        }
    }
}

fn read(raw: &RawClass<'_>, method: u16) -> Option<Feasible> {
    let method = raw.methods.get(usize::from(method))?;
    let code = raw.code(method).ok()??;
    Feasible::of(raw, method, &code).ok()
}

fn judge(feasible: &Feasible, probe: &Probe) -> Option<Infeasible> {
    let possible = match &probe.kind {
        ProbeKind::MethodEntry => true,
        ProbeKind::Line | ProbeKind::Infection { .. } => feasible.reaches(probe.pc),
        ProbeKind::BranchTaken => feasible.takes(probe.pc, Way::Jump),
        ProbeKind::BranchFallThrough => feasible.takes(probe.pc, Way::FallThrough),
        ProbeKind::SwitchCase { keys, default } => {
            *default && feasible.takes(probe.pc, Way::Default)
                || keys.iter().any(|key| feasible.takes(probe.pc, Way::Key(*key)))
        }
        ProbeKind::Handler { .. } if !feasible.reaches(probe.pc) => return Some(Infeasible::Unthrown),
        ProbeKind::Handler { .. } => true,
    };
    (!possible).then_some(Infeasible::Impossible)
}

/// Private methods to which no call leads from any method that others could call: class and method by their places.
fn uncalled(classes: &[PreparedClass]) -> BTreeSet<(usize, u16)> {
    // Private members are seen by the whole nest, so all of it has to be here.
    let names: BTreeSet<&str> = classes.iter().map(|c| c.info.name.internal()).collect();
    let host = classes.first().map(|c| &c.info);
    let whole = host.is_some_and(|host| {
        host.nest_host.is_none()
            && !host.name.internal().contains('$')
            && host.nest_members.iter().all(|n| names.contains(n.internal()))
    });
    let facts: Option<Vec<ClassFacts>> = classes.iter().map(|c| ClassFacts::read(&c.original).ok()).collect();
    let Some(facts) = facts.filter(|_| whole) else { return BTreeSet::new() };
    let texts: BTreeSet<String> =
        facts.iter().flat_map(|f| f.constants().strings).map(|units| String::from_utf16_lossy(&units)).collect();
    let is_root = |info: &ClassInfo, method: &MethodInfo| {
        !method.access.is_private()
            || info.is_enum() && method.is_constructor()
            || method.is_class_initializer()
            || !method.annotations.is_empty()
            || CALLED_BY_NAME.contains(&method.name.as_str())
            || texts.contains(&method.name)
    };
    let mut reached: BTreeSet<(usize, u16)> = BTreeSet::new();
    let mut waiting: Vec<(usize, u16)> = Vec::new();
    for (n, class) in classes.iter().enumerate() {
        for (m, method) in class.info.methods.iter().enumerate() {
            if is_root(&class.info, method) {
                waiting.push((n, m as u16));
            }
        }
    }
    while let Some(at) = waiting.pop() {
        if !reached.insert(at) {
            continue;
        }
        let Some(facts) = facts[at.0].methods.get(usize::from(at.1)) else { continue };
        for call in &facts.calls {
            let FieldType::Class(owner) = &call.owner else { continue };
            let Some(n) = classes.iter().position(|c| c.info.name == *owner) else { continue };
            let called =
                classes[n].info.methods.iter().position(|m| m.name == call.name && m.raw_descriptor == call.descriptor);
            waiting.extend(called.map(|m| (n, m as u16)));
        }
    }
    let all = classes.iter().enumerate().flat_map(|(n, c)| (0..c.info.methods.len() as u16).map(move |m| (n, m)));
    all.filter(|at| !reached.contains(at)).collect()
}
