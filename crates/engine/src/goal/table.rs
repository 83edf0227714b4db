//! The goals of the classes under test, from what instrumentation says about its probes. Owns the translation; what does not count is `filter`'s to say.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::instrument::ProbeKind;
use testcase::execution::ProbeId;

use super::filter::filter;
use super::infeasible;
use super::{GoalId, GoalKind, Goals, Method, MethodId};
use crate::target::PreparedClass;

/// All goals of these classes.
pub fn build(classes: &[PreparedClass]) -> Goals {
    let mut goals = Goals::default();
    for class in classes {
        add_class(&mut goals, class);
    }
    infeasible::mark(&mut goals, classes);
    goals
}

fn add_class(goals: &mut Goals, class: &PreparedClass) {
    let info = &class.info;
    let filter = filter(info, &class.original);
    if filter.class {
        return;
    }
    let mut methods: Vec<Option<MethodId>> = Vec::with_capacity(info.methods.len());
    for (i, method) in info.methods.iter().enumerate() {
        let left_out = filter.methods.get(i).is_some_and(|f| f.whole);
        let skipped = class.skipped.iter().any(|s| usize::from(s.method) == i);
        if left_out || skipped || !method.has_code {
            methods.push(None);
            continue;
        }
        let callable =
            !method.access.is_private() && !method.access.has(Access::SYNTHETIC) && !method.is_class_initializer();
        let described = Method {
            class: info.name.clone(),
            name: Arc::from(&*method.name),
            descriptor: Arc::from(&*method.raw_descriptor),
            callable,
            is_abstract: method.access.is_abstract(),
        };
        // That it comes back normally becomes a goal once an operation calls it: see `Search::new`.
        methods.push(Some(goals.add_method(described, false)));
    }
    let mut lines: BTreeMap<u16, GoalId> = BTreeMap::new();
    // Of each branch, by where it counts and which of its edges it is: copies of one branch have their goals in common.
    let mut edges: BTreeMap<(u16, u32, u32), GoalId> = BTreeMap::new();
    let (mut branch, mut edge) = ((u16::MAX, u32::MAX), 0);
    for (i, probe) in class.probes.iter().enumerate() {
        let Some(Some(method)) = methods.get(usize::from(probe.method)).copied() else {
            continue;
        };
        let id = ProbeId(class.first_probe + i as u32);
        let of_method = filter.methods.get(usize::from(probe.method));
        let ignored = of_method.is_some_and(|f| f.ignores(probe.pc));
        let line = probe.line.unwrap_or(0);
        let is_edge =
            matches!(probe.kind, ProbeKind::BranchTaken | ProbeKind::BranchFallThrough | ProbeKind::SwitchCase { .. });
        if is_edge {
            edge = if branch == (probe.method, probe.pc) { edge + 1 } else { 0 };
            branch = (probe.method, probe.pc);
        }
        let counts_at = of_method.and_then(|f| f.copies.get(&probe.pc)).copied().unwrap_or(probe.pc);
        let mut of_edge = |goals: &mut Goals, kind| {
            let key = (probe.method, counts_at, edge);
            *edges.entry(key).or_insert_with(|| goals.add_goal(kind, method, line, None))
        };
        let goal = match &probe.kind {
            ProbeKind::MethodEntry => goals.add_goal(GoalKind::Method, method, line, None),
            ProbeKind::BranchTaken | ProbeKind::BranchFallThrough if !ignored => of_edge(goals, GoalKind::Branch),
            ProbeKind::SwitchCase { default: true, .. }
                if filter.methods[usize::from(probe.method)].exhaustive.contains(&probe.pc) =>
            {
                continue;
            }
            ProbeKind::SwitchCase { .. } if !ignored => of_edge(goals, GoalKind::SwitchCase),
            ProbeKind::BranchTaken | ProbeKind::BranchFallThrough | ProbeKind::SwitchCase { .. } => continue,
            ProbeKind::Handler { .. } if ignored => continue,
            ProbeKind::Handler { .. } => goals.add_goal(GoalKind::Handler, method, line, None),
            ProbeKind::Infection { .. } if ignored => continue,
            ProbeKind::Infection { .. } => goals.add_goal(GoalKind::WeakMutant, method, line, None),
            ProbeKind::Line => match lines.get(&line) {
                Some(&known) => known,
                None => {
                    let goal = goals.add_goal(GoalKind::Line, method, line, None);
                    lines.insert(line, goal);
                    goal
                }
            },
        };
        goals.link(id, goal);
    }
}
