//! Which tests to keep: together they cover every goal, and each has a goal that is its own to keep. Pure: sees costs and goal sets only.

use crate::goal::GoalId;

/// A test that may be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub cost: u32,
    /// Sorted.
    pub goals: Vec<GoalId>,
}

/// A test that is kept, and the goals it answers for: every goal has exactly one such test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Place among the candidates.
    pub index: usize,
    pub own: Vec<GoalId>,
}

/// Cheap tests first while they add something; then those that later ones made superfluous go again. Deterministic: ties fall to the earlier candidate.
pub fn choose(candidates: &[Candidate]) -> Vec<Chosen> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&i| (candidates[i].cost, i));
    let size = candidates.iter().flat_map(|c| &c.goals).map(|g| g.index() + 1).max().unwrap_or(0);
    let mut covering = vec![0u32; size];
    let mut kept: Vec<usize> = Vec::new();
    for i in order {
        if candidates[i].goals.iter().any(|g| covering[g.index()] == 0) {
            kept.push(i);
            for goal in &candidates[i].goals {
                covering[goal.index()] += 1;
            }
        }
    }
    // Cheapest first: what a small test shows is often shown by a larger one that is needed anyway.
    kept.retain(|&i| {
        let superfluous = candidates[i].goals.iter().all(|g| covering[g.index()] > 1);
        if superfluous {
            for goal in &candidates[i].goals {
                covering[goal.index()] -= 1;
            }
        }
        !superfluous
    });
    let mut owned = vec![false; size];
    // Goals that only one test covers are its own; the rest go to the cheapest of those that cover them.
    let mut chosen: Vec<Chosen> = kept
        .iter()
        .map(|&index| {
            let own: Vec<GoalId> =
                candidates[index].goals.iter().copied().filter(|g| covering[g.index()] == 1).collect();
            Chosen { index, own }
        })
        .collect();
    for test in &mut chosen {
        for &goal in &candidates[test.index].goals {
            if covering[goal.index()] > 1 && !owned[goal.index()] {
                test.own.push(goal);
            }
            owned[goal.index()] = true;
        }
        test.own.sort_unstable();
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(candidates: &[(u32, &[u32])], expected: &[(usize, &[u32])]) {
        let ids = |list: &[u32]| list.iter().map(|&g| GoalId(g)).collect::<Vec<_>>();
        let candidates: Vec<Candidate> =
            candidates.iter().map(|(cost, goals)| Candidate { cost: *cost, goals: ids(goals) }).collect();
        let expected: Vec<Chosen> =
            expected.iter().map(|(index, own)| Chosen { index: *index, own: ids(own) }).collect();
        assert_eq!(choose(&candidates), expected);
    }

    #[test]
    fn nothing_is_covered_twice_without_need() {
        check(&[], &[]);
        check(&[(1, &[])], &[]);
        check(&[(2, &[1]), (1, &[1])], &[(1, &[1])]);
    }

    #[test]
    fn a_small_test_goes_when_larger_ones_show_the_same() {
        check(&[(1, &[1]), (5, &[1, 2]), (6, &[3, 1])], &[(1, &[1, 2]), (2, &[3])]);
    }

    #[test]
    fn every_goal_has_one_owner() {
        check(&[(1, &[1, 2]), (2, &[2, 3])], &[(0, &[1, 2]), (1, &[3])]);
    }
}
