//! Which tests to keep: together they cover every goal, and each has a goal that is its own to keep. Pure: sees costs and goal sets only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::goal::GoalId;

/// Goals per weight are compared as whole numbers.
const SCALE: u64 = 1 << 40;
/// What an assertion weighs, as [`testcase::cost::Cost::reading`] counts.
pub const ASSERTION: u32 = 2;

/// A test that may be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What orders tests from plain to elaborate.
    pub cost: u32,
    /// How much there is to read, its assertions included.
    pub weight: u32,
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

/// Of two ways to choose the cheaper one: cheap tests first, or those first that show most for what they cost. Deterministic: ties fall to the earlier candidate.
pub fn choose(candidates: &[Candidate]) -> Vec<Chosen> {
    let size = candidates.iter().flat_map(|c| &c.goals).map(|g| g.index() + 1).max().unwrap_or(0);
    let plain = needed(candidates, &cheapest_first(candidates), size);
    let dense = needed(candidates, &densest_first(candidates, size), size);
    let total = |kept: &[usize]| kept.iter().map(|&i| u64::from(candidates[i].weight)).sum::<u64>();
    let kept = if total(&dense) < total(&plain) { dense } else { plain };
    let mut covering = vec![0u32; size];
    for goal in kept.iter().flat_map(|&i| &candidates[i].goals) {
        covering[goal.index()] += 1;
    }
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

fn cheapest_first(candidates: &[Candidate]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&i| (candidates[i].cost, i));
    order
}

/// Each time the one that shows most new goals for its weight.
fn densest_first(candidates: &[Candidate], size: usize) -> Vec<usize> {
    let mut is_covered = vec![false; size];
    let mut order = Vec::new();
    let density = |i: usize, new: usize| (new as u64 * SCALE / u64::from(candidates[i].weight.max(1)), Reverse(i));
    let mut waiting: BinaryHeap<(u64, Reverse<usize>)> =
        (0..candidates.len()).map(|i| density(i, candidates[i].goals.len())).collect();
    while let Some((before, Reverse(i))) = waiting.pop() {
        let new = candidates[i].goals.iter().filter(|g| !is_covered[g.index()]).count();
        let now = density(i, new);
        if new == 0 {
            continue;
        }
        // Others show less by now as well, so only the top has to be looked at again.
        if now.0 < before && waiting.peek().is_some_and(|next| *next > now) {
            waiting.push(now);
            continue;
        }
        candidates[i].goals.iter().for_each(|g| is_covered[g.index()] = true);
        order.push(i);
    }
    order
}

/// Of these in this order those that add something; then those that later ones made superfluous go again, cheapest first: what a small test shows is often shown by a larger one that is
/// needed anyway. In the order of their costs.
fn needed(candidates: &[Candidate], order: &[usize], size: usize) -> Vec<usize> {
    let mut covering = vec![0u32; size];
    let mut kept: Vec<usize> = Vec::new();
    for &i in order {
        if candidates[i].goals.iter().any(|g| covering[g.index()] == 0) {
            kept.push(i);
            for goal in &candidates[i].goals {
                covering[goal.index()] += 1;
            }
        }
    }
    kept.sort_by_key(|&i| (candidates[i].cost, i));
    kept.retain(|&i| {
        let superfluous = candidates[i].goals.iter().all(|g| covering[g.index()] > 1);
        if superfluous {
            for goal in &candidates[i].goals {
                covering[goal.index()] -= 1;
            }
        }
        !superfluous
    });
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(candidates: &[(u32, &[u32])], expected: &[(usize, &[u32])]) {
        let ids = |list: &[u32]| list.iter().map(|&g| GoalId(g)).collect::<Vec<_>>();
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|(cost, goals)| Candidate { cost: *cost, weight: 2 * *cost + ASSERTION, goals: ids(goals) })
            .collect();
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
    fn what_shows_much_for_its_weight_saves_others() {
        // Cheapest first would be 0, 1 and 2, which weigh 18 with their assertions instead of 14.
        check(
            &[(2, &[1, 2]), (2, &[3, 4]), (2, &[5, 6]), (3, &[1, 2, 3, 5]), (2, &[4, 6])],
            &[(4, &[4, 6]), (3, &[1, 2, 3, 5])],
        );
    }

    #[test]
    fn every_goal_has_one_owner() {
        check(&[(1, &[1, 2]), (2, &[2, 3])], &[(0, &[1, 2]), (1, &[3])]);
    }
}
