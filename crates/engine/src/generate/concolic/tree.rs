//! The constraint tree: every condition met on the ways through one call, and what is known behind each side. Owns which ways were taken, which are impossible, too
//! hard or still open, so that no way is gone twice; never solves or runs anything.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use symbolic::expr::Term;
use symbolic::vm::{PathStep, Site};

/// What lies behind one side of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Nobody has been there, nobody has asked.
    Unexplored,
    /// The call goes on to this condition.
    Computation(u32),
    /// The call ends: it came back or threw.
    Terminal,
    /// No input leads there.
    Infeasible,
    /// The solver gave up.
    TimeOut,
}

#[derive(Clone, Debug)]
struct Condition {
    term: Term,
    site: Site,
    /// If the condition does not hold, if it holds.
    sides: [Node; 2],
    /// The condition before, and its side.
    parent: Option<(u32, bool)>,
}

/// A side that nobody has been to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    pub node: u32,
    pub side: bool,
    pub site: Site,
    pub depth: u32,
    /// The run that met the condition first.
    pub run: u32,
}

/// Nodes by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub computation: usize,
    pub terminal: usize,
    pub infeasible: usize,
    pub time_out: usize,
    pub unexplored: usize,
}

#[derive(Clone, Debug)]
pub struct Tree {
    conditions: Vec<Condition>,
    root: Node,
    /// By place in the code and side, and for each of these by depth and age.
    open: BTreeMap<(Site, bool), BTreeMap<(u32, u32), Open>>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { conditions: Vec::new(), root: Node::Unexplored, open: BTreeMap::new() }
    }
}

impl Tree {
    /// Takes in a way that a run went. False if it was known.
    pub fn insert(&mut self, steps: &[PathStep], run: u32) -> bool {
        let mut place: Option<(u32, bool)> = None;
        let mut above: FxHashSet<Term> = FxHashSet::default();
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            if above.contains(&step.term) {
                at += 1;
                continue;
            }
            let next = match self.behind(place) {
                Node::Computation(next) => next,
                known => {
                    debug_assert!(known != Node::Infeasible, "what was called impossible happened");
                    let next = self.conditions.len() as u32;
                    let sides = [Node::Unexplored; 2];
                    self.conditions.push(Condition { term: step.term, site: step.site, sides, parent: place });
                    self.set(place, Node::Computation(next));
                    let depth = above.len() as u32;
                    let open = Open { node: next, side: !step.taken, site: step.site, depth, run };
                    self.open.entry((step.site, open.side)).or_default().insert((depth, next), open);
                    next
                }
            };
            let Some(side) = self.side(next, step) else { return false };
            let condition = &self.conditions[next as usize];
            above.insert(condition.term);
            at += usize::from(condition.term == step.term);
            place = Some((next, side));
        }
        let new = self.behind(place) != Node::Terminal;
        // A way is either gone on with or ended, whatever was believed before.
        if !matches!(self.behind(place), Node::Computation(_)) {
            self.set(place, Node::Terminal);
        }
        new
    }

    /// The side of a condition that a step takes. A step at the same place about another index or another case says that it was not this one; anything else would be a
    /// run that does not do the same twice.
    fn side(&self, node: u32, step: &PathStep) -> Option<bool> {
        let condition = &self.conditions[node as usize];
        if condition.term == step.term {
            return Some(step.taken);
        }
        (condition.site.method == step.site.method && condition.site.pc == step.site.pc).then_some(false)
    }

    /// Has nobody got to this side?
    pub fn is_open(&self, open: Open) -> bool {
        self.behind(Some((open.node, open.side))) == Node::Unexplored
    }

    fn behind(&self, place: Option<(u32, bool)>) -> Node {
        place.map_or(self.root, |(node, side)| self.conditions[node as usize].sides[usize::from(side)])
    }

    fn set(&mut self, place: Option<(u32, bool)>, node: Node) {
        match place {
            None => self.root = node,
            Some((at, side)) => self.conditions[at as usize].sides[usize::from(side)] = node,
        }
    }

    /// The open side that the order likes best, the earlier one if it cannot decide; it is no longer among the open ones. Of the sides at one place the order likes those of
    /// less depth.
    pub fn take_open<K: Ord>(&mut self, mut order: impl FnMut(&Open) -> K) -> Option<Open> {
        let conditions = &self.conditions;
        let mut best: Option<(K, u32, (Site, bool))> = None;
        self.open.retain(|place, waiting| {
            while let Some(first) = waiting.first_entry() {
                let open = *first.get();
                if conditions[open.node as usize].sides[usize::from(open.side)] != Node::Unexplored {
                    first.remove();
                    continue;
                }
                let key = (order(&open), open.node, *place);
                if best.as_ref().is_none_or(|known| (&key.0, key.1) < (&known.0, known.1)) {
                    best = Some(key);
                }
                return true;
            }
            false
        });
        let (_, _, place) = best?;
        self.open.get_mut(&place)?.pop_first().map(|(_, open)| open)
    }

    /// Conditions that lead to an open side, with their sides, first to last.
    pub fn way_to(&self, open: Open, out: &mut Vec<(Term, bool)>) {
        let begin = out.len();
        let mut place = Some((open.node, open.side));
        while let Some((node, side)) = place {
            let condition = &self.conditions[node as usize];
            out.push((condition.term, side));
            place = condition.parent;
        }
        out[begin..].reverse();
    }

    /// Nobody can get there, or nobody knows how.
    pub fn close(&mut self, open: Open, why: Node) {
        if self.is_open(open) {
            self.set(Some((open.node, open.side)), why);
        }
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts { computation: self.conditions.len(), ..Counts::default() };
        let sides = self.conditions.iter().flat_map(|c| c.sides);
        for node in sides.chain([self.root]) {
            match node {
                Node::Computation(_) => {}
                Node::Terminal => counts.terminal += 1,
                Node::Infeasible => counts.infeasible += 1,
                Node::TimeOut => counts.time_out += 1,
                Node::Unexplored => counts.unexplored += 1,
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolic::expr::{Sort, Terms};
    use symbolic::vm::{Check, MethodId};

    fn step(term: Term, taken: bool, pc: u16) -> PathStep {
        PathStep { term, taken, site: Site { method: MethodId(0), pc, check: Check::Branch } }
    }

    #[test]
    fn every_side_becomes_one_of_the_kinds() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.input(Sort::Bool, name));
        let mut tree = Tree::default();
        assert!(tree.insert(&[step(a, true, 1), step(b, true, 2)], 0));
        assert!(!tree.insert(&[step(a, true, 1), step(b, true, 2)], 1), "no way is gone twice");
        let open = tree.take_open(|o| o.depth).unwrap();
        assert_eq!((open.node, open.side, open.run), (0, false, 0));
        let mut way = Vec::new();
        tree.way_to(open, &mut way);
        assert_eq!(way, [(a, false)]);
        tree.close(open, Node::Infeasible);
        let open = tree.take_open(|o| o.depth).unwrap();
        way.clear();
        tree.way_to(open, &mut way);
        assert_eq!(way, [(a, true), (b, false)]);
        assert!(tree.insert(&[step(a, true, 1), step(b, false, 2), step(c, true, 3)], 1));
        let open = tree.take_open(|o| o.depth).unwrap();
        tree.close(open, Node::TimeOut);
        assert_eq!(tree.take_open(|o| o.depth), None);
        let counts = Counts { computation: 3, terminal: 2, infeasible: 1, time_out: 1, unexplored: 0 };
        assert_eq!(tree.counts(), counts);
    }

    #[test]
    fn another_case_of_a_switch_is_the_other_side() {
        let mut terms = Terms::new();
        let [one, two] = ["one", "two"].map(|name| terms.input(Sort::Bool, name));
        let mut tree = Tree::default();
        assert!(tree.insert(&[step(one, true, 7)], 0));
        assert!(tree.insert(&[step(two, true, 7)], 1));
        // Neither, as the default of a switch tells it.
        assert!(tree.insert(&[step(one, false, 7), step(two, false, 7)], 2));
        assert_eq!(tree.counts(), Counts { computation: 2, terminal: 3, ..Counts::default() });
    }
}
