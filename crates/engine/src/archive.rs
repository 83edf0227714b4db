//! The best known test per goal, which is the cheapest of those that end well, and which tests are never to be kept again. Owns these tables and the size of what is in them; does not know how cost is
//! reckoned or why a goal matters.

use bytecode::names::ClassName;
use rustc_hash::{FxHashMap, FxHashSet};
use testcase::sequence::Sequence;

use crate::goal::GoalId;

/// A test kept for a goal.
#[derive(Clone, Debug)]
pub struct Kept {
    pub sequence: Sequence,
    pub cost: u32,
    /// What its last statement threw.
    pub thrown: Option<ClassName>,
    /// It was run again and did the same.
    pub proven: bool,
}

/// A test with all it is kept for.
#[derive(Clone, Debug)]
pub struct Archived {
    pub kept: Kept,
    /// Sorted.
    pub goals: Vec<GoalId>,
}

/// How much is in an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Different tests.
    pub tests: usize,
    /// Statements of these.
    pub statements: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Archive {
    best: Vec<Option<Kept>>,
    /// For how many goals each test is kept.
    uses: FxHashMap<Sequence, u32>,
    size: Size,
    banned: FxHashSet<Sequence>,
}

impl Archive {
    /// Would a test of this cost be kept for the goal? One whose last statement throws gives way to any other: it may have left unfinished what it is kept for.
    pub fn wants(&self, goal: GoalId, cost: u32, throws: bool) -> bool {
        match self.best.get(goal.index()) {
            Some(Some(kept)) => (throws, cost) < (kept.thrown.is_some(), kept.cost),
            _ => true,
        }
    }

    /// Keeps the test if it is the first or better than the one there, and not banned.
    pub fn offer(
        &mut self,
        goal: GoalId,
        cost: u32,
        thrown: Option<&ClassName>,
        make: impl FnOnce() -> Sequence,
    ) -> bool {
        if !self.wants(goal, cost, thrown.is_some()) {
            return false;
        }
        let sequence = make();
        if self.banned.contains(&sequence) {
            return false;
        }
        self.remove(goal);
        if self.best.len() <= goal.index() {
            self.best.resize(goal.index() + 1, None);
        }
        let uses = self.uses.entry(sequence.clone()).or_default();
        *uses += 1;
        if *uses == 1 {
            self.size.tests += 1;
            self.size.statements += sequence.len();
        }
        self.best[goal.index()] = Some(Kept { sequence, cost, thrown: thrown.cloned(), proven: false });
        true
    }

    /// Forgets the test of this goal.
    pub fn remove(&mut self, goal: GoalId) {
        let Some(kept) = self.best.get_mut(goal.index()).and_then(Option::take) else {
            return;
        };
        // Whatever is kept is counted.
        if let Some(uses) = self.uses.get_mut(&kept.sequence) {
            *uses -= 1;
            if *uses == 0 {
                self.uses.remove(&kept.sequence);
                self.size.tests -= 1;
                self.size.statements -= kept.sequence.len();
            }
        }
    }

    /// This test is not kept again, for no goal.
    pub fn ban(&mut self, sequence: Sequence) {
        self.banned.insert(sequence);
    }

    /// The test of this goal did the same a second time.
    pub fn prove(&mut self, goal: GoalId) {
        if let Some(Some(kept)) = self.best.get_mut(goal.index()) {
            kept.proven = true;
        }
    }

    pub fn size(&self) -> Size {
        self.size
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
    use testcase::operation::OpId;
    use testcase::sequence::Statement;

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

    #[test]
    fn what_ends_well_is_better_than_what_throws_whatever_it_costs() {
        let mut archive = Archive::default();
        let (goal, thrown) = (GoalId(0), ClassName::new("java/lang/IndexOutOfBoundsException"));
        assert!(archive.offer(goal, 3, Some(&thrown), Sequence::empty));
        assert!(archive.offer(goal, 9, None, Sequence::empty));
        assert!(!archive.wants(goal, 1, true) && archive.wants(goal, 8, false));
        assert_eq!(archive.get(goal).unwrap().thrown, None);
    }

    #[test]
    fn what_is_banned_stays_out_and_the_size_follows() {
        let mut archive = Archive::default();
        let (long, short) = (Sequence::new([1, 2].map(|n| Statement::new(OpId(n), &[]))), Sequence::empty());
        archive.offer(GoalId(0), 5, None, || long.clone());
        archive.offer(GoalId(1), 5, None, || long.clone());
        assert_eq!(archive.size(), Size { tests: 1, statements: 2 });
        archive.ban(long.clone());
        archive.remove(GoalId(0));
        assert_eq!(archive.size(), Size { tests: 1, statements: 2 });
        archive.remove(GoalId(1));
        assert_eq!(archive.size(), Size::default());
        assert!(!archive.offer(GoalId(0), 5, None, || long.clone()));
        assert!(archive.offer(GoalId(0), 5, None, || short) && archive.get(GoalId(0)).is_some_and(|k| !k.proven));
        archive.prove(GoalId(0));
        assert!(archive.get(GoalId(0)).unwrap().proven && archive.size() == Size { tests: 1, statements: 0 });
    }
}
