//! How far an execution was from a goal: how many decisions are still to go right (the approach level), and how near the nearest of them was to going right.
//! Owns the way to every goal, over control dependences, and the sites to be watched for it; which goals are worth a thought is for generators to say.

mod build;
mod strings;

use smallvec::SmallVec;
use testcase::execution::{Execution, ProbeId};
use testcase::executor::Watch;

use crate::goal::{GoalId, Goals};
use crate::target::PreparedClass;

/// The ways to all goals that code leads to.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// By goal; `None` for goals that are no places in the code.
    ways: Vec<Option<Way>>,
    watches: Vec<Watch>,
    decisions: Vec<Decision>,
    slots: u32,
    probes: u32,
}

/// A branch or switch: its probes are neighbours, one per edge.
#[derive(Clone, Copy, Debug)]
struct Decision {
    first_probe: u32,
    edges: u32,
}

/// The way to one goal.
#[derive(Clone, Debug, Default)]
struct Way {
    /// A hit of any of these is the goal.
    goal: SmallVec<[u32; 2]>,
    /// Entries of the methods it is in.
    entries: SmallVec<[u32; 1]>,
    /// Nearest first.
    steps: Vec<Step>,
    /// Edges of which one has to be taken before the goal is a matter of its own decision.
    parents: SmallVec<[u32; 2]>,
}

/// An edge that leads towards a goal.
#[derive(Clone, Debug)]
struct Step {
    level: u32,
    decision: u32,
    /// Probe of the edge.
    edge: u32,
    /// Where the distance to the edge is measured: the least counts. None: taking it or not is all that can be told.
    slots: SmallVec<[u32; 1]>,
}

/// What a run showed of the code, kept for goals that nobody thinks of yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    hits: Box<[u64]>,
    /// By slot.
    distances: Box<[(u32, f64)]>,
}

impl Trail {
    pub fn hit(&self, probe: u32) -> bool {
        self.hits.get(probe as usize / 64).is_some_and(|word| word >> (probe % 64) & 1 == 1)
    }

    fn distance(&self, slot: u32) -> Option<f64> {
        self.distances.binary_search_by_key(&slot, |d| d.0).ok().map(|at| self.distances[at].1)
    }
}

/// Stands for a distance that nobody measures: the outcome was another, more is not known.
const UNKNOWN: f64 = 1.0;

impl Guide {
    /// Over the code as it was instrumented.
    pub fn new(classes: &[PreparedClass], goals: &Goals) -> Guide {
        build::guide(classes, goals)
    }

    /// What there is to remember of a run with all probes and distances.
    pub fn trail(&self, execution: &Execution) -> Trail {
        let mut hits = vec![0u64; (self.probes as usize).div_ceil(64)].into_boxed_slice();
        for hit in &execution.probes {
            if let Some(word) = hits.get_mut(hit.probe.0 as usize / 64) {
                *word |= 1 << (hit.probe.0 % 64);
            }
        }
        let mut distances: Box<[(u32, f64)]> = execution.distances.iter().map(|d| (d.slot, d.value)).collect();
        distances.sort_unstable_by_key(|d| d.0);
        Trail { hits, distances }
    }

    /// 0: reached. Otherwise the level of the nearest decision on the way that the run came to, and how near it was to going right there, as a part of one.
    /// `None` if the goal is no place in the code.
    pub fn distance(&self, goal: GoalId, trail: &Trail) -> Option<f64> {
        let way = self.ways.get(goal.index())?.as_ref()?;
        if way.goal.iter().any(|&probe| trail.hit(probe)) {
            return Some(0.0);
        }
        let farthest = way.steps.last().map_or(0, |s| s.level + 1);
        Some(match self.nearest(way, trail) {
            // A goal that is not hit is never reached, even if all decisions went right: an exception came in between.
            Some((level, d)) => f64::from(level) + normal(d).max(f64::MIN_POSITIVE),
            None if way.entries.iter().any(|&entry| trail.hit(entry)) => f64::from(farthest) + 0.5,
            None => f64::from(farthest) + 1.0,
        })
    }

    /// What the run lacked at the nearest decision on the way that it came to, in the units of the comparison there. `None` if it came to none.
    pub fn gap(&self, goal: GoalId, trail: &Trail) -> Option<f64> {
        let way = self.ways.get(goal.index())?.as_ref()?;
        self.nearest(way, trail).map(|(_, d)| d)
    }

    /// Level and distance at the nearest decision that the run came to.
    fn nearest(&self, way: &Way, trail: &Trail) -> Option<(u32, f64)> {
        let mut nearest: Option<(u32, f64)> = None;
        for step in &way.steps {
            if nearest.is_some_and(|(level, _)| step.level > level) {
                break;
            }
            let decision = self.decisions[step.decision as usize];
            let came = (decision.first_probe..decision.first_probe + decision.edges).any(|probe| trail.hit(probe));
            if came {
                let at = self.at_edge(step, trail);
                nearest = Some(nearest.map_or((step.level, at), |(level, d)| (level, d.min(at))));
            }
        }
        nearest
    }

    fn at_edge(&self, step: &Step, trail: &Trail) -> f64 {
        if trail.hit(step.edge) {
            return 0.0;
        }
        step.slots.iter().filter_map(|&slot| trail.distance(slot)).reduce(f64::min).unwrap_or(UNKNOWN)
    }

    /// Is the goal one decision away, as far as runs up to now went? `ever` says which probes were ever hit.
    pub fn is_near(&self, goal: GoalId, ever: impl Fn(u32) -> bool) -> bool {
        match self.ways.get(goal.index()) {
            Some(Some(way)) => way.parents.is_empty() || way.parents.iter().any(|&edge| ever(edge)),
            _ => false,
        }
    }

    /// Does the distance to the goal say more than yes or no, where it is decided?
    pub fn is_graded(&self, goal: GoalId) -> bool {
        matches!(self.ways.get(goal.index()), Some(Some(way)) if way.steps.iter().any(|s| !s.slots.is_empty()))
    }

    /// Probes of the edges beside the one that leads to the goal: tests that hit them come to its decision.
    pub fn beside(&self, goal: GoalId) -> impl Iterator<Item = ProbeId> + '_ {
        let way = self.ways.get(goal.index()).and_then(Option::as_ref);
        way.into_iter().flat_map(|w| &w.steps).filter(|s| s.level == 0).flat_map(|s| {
            let decision = self.decisions[s.decision as usize];
            let edges = decision.first_probe..decision.first_probe + decision.edges;
            edges.filter(move |&e| e != s.edge).map(ProbeId)
        })
    }

    /// The sites on the ways to these goals.
    pub fn watches(&self, wanted: impl Fn(GoalId) -> bool) -> Vec<Watch> {
        let mut slots = vec![false; self.slots as usize];
        for (goal, way) in self.ways.iter().enumerate() {
            let Some(way) = way.as_ref().filter(|_| wanted(GoalId(goal as u32))) else { continue };
            for slot in way.steps.iter().flat_map(|s| &s.slots) {
                slots[*slot as usize] = true;
            }
        }
        let used = |w: &&Watch| slots[w.first_slot as usize..][..w.outcomes.slots() as usize].contains(&true);
        self.watches.iter().filter(used).cloned().collect()
    }

    /// How many probes there are to hit.
    pub fn probes(&self) -> u32 {
        self.probes
    }
}

/// Between 0 and 1, in the same order. Logarithms keep differences of large distances apart.
fn normal(distance: f64) -> f64 {
    let size = distance.ln_1p();
    size / (size + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_distances_keep_their_order_even_when_large() {
        let all = [0.0, 1e-9, 0.5, 1.0, 1000.0, 4_294_967_294.0, 4_294_967_295.0, 1e300];
        for pair in all.windows(2) {
            assert!(normal(pair[0]) < normal(pair[1]), "{pair:?}");
        }
        assert!(normal(1e300) < 1.0);
    }
}
