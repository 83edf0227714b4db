//! Where goals are in the code: the decision that a goal is one side of, by method, pc and way, as the symbolic machine names them. Owns the translation from probes.

use std::sync::Arc;

use bytecode::instruction::decode;
use bytecode::instrument::ProbeKind;
use bytecode::raw::RawClass;
use symbolic::vm::{Machine, Outcome, Way};
use testcase::execution::ProbeId;

use crate::goal::{GoalId, Goals, MethodId};
use crate::search::Search;
use crate::target::PreparedClass;

/// A side of a decision.
#[derive(Clone, Debug)]
pub struct Aim {
    pub goal: GoalId,
    pub method: MethodId,
    pub class: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    pub pc: u16,
    pub way: Way,
    /// The goals of the decision's other sides.
    pub siblings: Vec<GoalId>,
}

/// How near tests that are kept come to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// To the decision, which they leave by another side.
    Reached,
    /// Into the method.
    Entered,
}

impl Aim {
    /// `None` if no test that is kept comes near.
    pub fn nearness(&self, search: &Search<'_>) -> Option<Nearness> {
        let is_kept = |g: &GoalId| search.archive.get(*g).is_some();
        if self.siblings.iter().any(is_kept) {
            return Some(Nearness::Reached);
        }
        let is_entered = search.goals.iter().any(|(id, goal)| goal.method == self.method && is_kept(&id));
        is_entered.then_some(Nearness::Entered)
    }

    /// Goals of the same method that are covered, by how many lines lie between.
    pub fn nearest(&self, search: &Search<'_>) -> Vec<GoalId> {
        let line = search.goals.goal(self.goal).line;
        let same = search.goals.iter().filter(|(id, goal)| goal.method == self.method && search.goals.is_covered(*id));
        let mut near: Vec<(u16, GoalId)> = same.map(|(id, goal)| (goal.line.abs_diff(line), id)).collect();
        near.sort_unstable();
        near.into_iter().map(|(_, id)| id).collect()
    }

    /// As the machine has it, once it has loaded the class.
    pub fn outcome(&self, machine: &Machine) -> Option<Outcome> {
        let method = machine.loaded_method(&self.class, &self.name, &self.descriptor)?;
        Some(Outcome { method, pc: self.pc, way: self.way })
    }
}

/// All sides of all decisions in these classes.
pub fn aims(classes: &[PreparedClass], goals: &Goals) -> Vec<Aim> {
    let mut aims = Vec::new();
    for class in classes {
        let Ok(raw) = RawClass::parse(&class.original) else { continue };
        let mut at = 0;
        while let Some(first) = class.probes.get(at) {
            let together = class.probes[at..].iter().take_while(|p| (p.method, p.pc) == (first.method, first.pc));
            let count = together.count();
            of_decision(class, &raw, at..at + count, goals, &mut aims);
            at += count;
        }
    }
    aims
}

/// The sides of one decision: probes of the same pc.
fn of_decision(
    class: &PreparedClass,
    raw: &RawClass<'_>,
    range: std::ops::Range<usize>,
    goals: &Goals,
    aims: &mut Vec<Aim>,
) -> Option<()> {
    let first = class.probes.get(range.start)?;
    let (index, pc) = (usize::from(first.method), first.pc);
    let is_switch = class.probes[range.clone()].iter().any(|p| matches!(p.kind, ProbeKind::SwitchCase { .. }));
    let mut sides: Vec<(GoalId, Way)> = Vec::new();
    for at in range {
        let probe = &class.probes[at];
        let way = match &probe.kind {
            ProbeKind::BranchTaken => Way::Taken,
            ProbeKind::BranchFallThrough => Way::NotTaken,
            ProbeKind::SwitchCase { keys, default } if is_switch => {
                let code = raw.code(raw.methods.get(index)?).ok()??;
                let instructions = decode(code.code, code.code_start).ok()?;
                let found = instructions.binary_search_by_key(&pc, |i| i.pc).ok()?;
                let switch = instructions[found].switch()?;
                let target = match keys.first() {
                    Some(key) if !default => switch.cases().find(|(k, _)| k == key).map(|(_, target)| target)?,
                    _ => switch.default_target(),
                };
                Way::Case(target as u16)
            }
            _ => continue,
        };
        let of_probe = goals.of_probe(ProbeId(class.first_probe + at as u32));
        sides.extend(of_probe.iter().map(|goal| (*goal, way)));
    }
    let member = class.info.methods.get(index)?;
    for (goal, way) in &sides {
        aims.push(Aim {
            goal: *goal,
            method: goals.goal(*goal).method,
            class: class.info.name.internal().into(),
            name: Arc::from(&*member.name),
            descriptor: Arc::from(&*member.raw_descriptor),
            pc: pc as u16,
            way: *way,
            siblings: sides.iter().filter(|(_, w)| w != way).map(|(g, _)| *g).filter(|g| g != goal).collect(),
        });
    }
    Some(())
}
