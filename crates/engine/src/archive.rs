//! The cheapest known test per goal. Owns that table; does not know how cost is reckoned or why a goal matters.

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use testcase::sequence::Sequence;

use crate::goal::GoalId;

/// A test kept for a goal.
#[derive(Clone, Debug)]
pub struct Kept {
    pub sequence: Sequence,
    pub cost: u32,
    /// What its last statement threw.
    pub thrown: Option<ClassName>,
}

/// A test with all it is kept for.
#[derive(Clone, Debug)]
pub struct Archived {
    pub kept: Kept,
    /// Sorted.
    pub goals: Vec<GoalId>,
}

#[derive(Clone, Debug, Default)]
pub struct Archive {
    best: Vec<Option<Kept>>,
}

impl Archive {
    /// Would a test of this cost be kept for the goal?
    pub fn wants(&self, goal: GoalId, cost: u32) -> bool {
        match self.best.get(goal.index()) {
            Some(Some(kept)) => cost < kept.cost,
            _ => true,
        }
    }

    /// Keeps the test if it is the first or cheaper than the one there.
    pub fn offer(
        &mut self,
        goal: GoalId,
        cost: u32,
        thrown: Option<&ClassName>,
        make: impl FnOnce() -> Sequence,
    ) -> bool {
        if !self.wants(goal, cost) {
            return false;
        }
        if self.best.len() <= goal.index() {
            self.best.resize(goal.index() + 1, None);
        }
        self.best[goal.index()] = Some(Kept { sequence: make(), cost, thrown: thrown.cloned() });
        true
    }

    pub fn get(&self, goal: GoalId) -> Option<&Kept> {
        self.best.get(goal.index()).and_then(Option::as_ref)
    }

    pub fn iter(&self) -> impl Iterator<Item = (GoalId, &Kept)> {
        self.best.iter().enumerate().filter_map(|(i, k)| k.as_ref().map(|k| (GoalId(i as u32), k)))
    }

    /// The different tests kept, cheapest first, each once.
    pub fn tests(&self) -> Vec<Archived> {
        let mut all: Vec<Archived> = Vec::new();
        let mut places: FxHashMap<Sequence, usize> = FxHashMap::default();
        for (goal, kept) in self.iter() {
            let place = *places.entry(kept.sequence.clone()).or_insert_with(|| {
                all.push(Archived { kept: kept.clone(), goals: Vec::new() });
                all.len() - 1
            });
            all[place].goals.push(goal);
        }
        all.sort_by_key(|a| a.kept.cost);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cheaper_tests_replace() {
        let mut archive = Archive::default();
        let goal = GoalId(3);
        assert!(archive.offer(goal, 10, None, Sequence::empty));
        assert!(!archive.offer(goal, 10, None, || unreachable!("not cheaper")));
        assert!(archive.offer(goal, 9, None, Sequence::empty));
        assert_eq!(archive.get(goal).unwrap().cost, 9);
        assert!(archive.get(GoalId(0)).is_none());
        assert_eq!(archive.tests().len(), 1);
    }
}
