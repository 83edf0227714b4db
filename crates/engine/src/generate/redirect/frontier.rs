//! Conditions of the code under test: the edges of each decision, the comparison it rests on, and whether it lies on the frontier: some of its outcomes were
//! seen, others not. Owns these tables; what to do about a condition is not its business.

use bytecode::instrument::{ProbeKind, SiteKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::execution::{Execution, ProbeId, SiteId};
use testcase::value::Value;

use crate::goal::Goals;
use crate::target::PreparedClass;

/// A decision with two ways out, or a switch with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// One per way out.
    pub edges: SmallVec<[ProbeId; 2]>,
    /// Where its operands are told.
    pub site: Option<SiteId>,
}

/// What a run showed of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Which ways out were taken; none if it was not reached.
    pub taken: SmallVec<[ProbeId; 2]>,
    /// The last operands.
    pub operands: Option<(Value, Value)>,
}

#[derive(Clone, Debug, Default)]
pub struct Conditions {
    list: Vec<Condition>,
    by_edge: FxHashMap<ProbeId, u32>,
}

impl Conditions {
    /// All conditions whose outcomes are goals.
    pub fn of(classes: &[PreparedClass], goals: &Goals) -> Conditions {
        let mut conditions = Conditions::default();
        for class in classes {
            let mut last = None;
            for (at, probe) in class.probes.iter().enumerate() {
                let id = ProbeId(class.first_probe + at as u32);
                let decides = matches!(
                    probe.kind,
                    ProbeKind::BranchTaken | ProbeKind::BranchFallThrough | ProbeKind::SwitchCase { .. }
                );
                if !decides || goals.of_probe(id).is_empty() {
                    continue;
                }
                let place = (probe.method, probe.pc);
                if last != Some(place) {
                    last = Some(place);
                    conditions.list.push(Condition { edges: SmallVec::new(), site: None });
                }
                let number = conditions.list.len() as u32 - 1;
                // The condition of this place was put there just now or by an earlier edge.
                if let Some(condition) = conditions.list.last_mut() {
                    condition.edges.push(id);
                    conditions.by_edge.insert(id, number);
                }
            }
            for (at, site) in class.sites.iter().enumerate() {
                let id = SiteId(class.first_site + at as u32);
                let edge = match (site.branch.and_then(|b| b.probes), site.kind) {
                    (Some(probes), _) => Some(ProbeId(class.first_probe + probes.taken)),
                    (None, SiteKind::Switch) => class
                        .probes
                        .iter()
                        .position(|p| p.method == site.method && p.pc == site.pc)
                        .map(|at| ProbeId(class.first_probe + at as u32)),
                    _ => None,
                };
                if let Some(number) = edge.and_then(|e| conditions.by_edge.get(&e)) {
                    conditions.list[*number as usize].site = Some(id);
                }
            }
        }
        conditions
    }

    pub fn get(&self, number: u32) -> &Condition {
        &self.list[number as usize]
    }
    pub fn len(&self) -> usize {
        self.list.len()
    }
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Outcomes nobody has seen, of a condition that somebody has reached; empty if it is not on the frontier.
    pub fn missing(&self, number: u32, goals: &Goals) -> SmallVec<[ProbeId; 2]> {
        let edges = &self.get(number).edges;
        let seen = |e: &ProbeId| goals.of_probe(*e).iter().all(|&g| goals.is_covered(g));
        let open = |e: &ProbeId| goals.of_probe(*e).iter().any(|&g| goals.is_open(g));
        if !edges.iter().any(seen) {
            return SmallVec::new();
        }
        edges.iter().copied().filter(open).collect()
    }

    /// The conditions on the frontier.
    pub fn frontier(&self, goals: &Goals) -> Vec<u32> {
        (0..self.list.len() as u32).filter(|&n| !self.missing(n, goals).is_empty()).collect()
    }

    /// Which conditions a run reached that told all its probes, each once.
    pub fn reached(&self, execution: &Execution) -> Vec<u32> {
        let mut reached: Vec<u32> =
            execution.probes.iter().filter_map(|hit| self.by_edge.get(&hit.probe).copied()).collect();
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    pub fn look(&self, number: u32, execution: &Execution) -> Look {
        let condition = self.get(number);
        let hit = |e: &ProbeId| execution.probes.iter().any(|h| h.probe == *e);
        let operands = execution
            .operands
            .iter()
            .find(|o| Some(o.site) == condition.site)
            .map(|o| (o.left.clone(), o.right.clone()));
        Look { taken: condition.edges.iter().copied().filter(hit).collect(), operands }
    }
}
