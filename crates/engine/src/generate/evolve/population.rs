//! The tests that evolution goes on from, and which of them come first. Owns ranking: the nearest test of every objective before all others, these by dominance, and within a
//! front those in the least crowded places. Runs nothing and changes no test.

use testcase::sequence::Sequence;

use crate::distance::{Guide, Trail};
use crate::goal::GoalId;
use crate::rng::Rng;

/// A test and what it came near to.
#[derive(Clone, Debug)]
pub struct Individual {
    pub sequence: Sequence,
    /// In the archive's order.
    pub cost: u32,
    pub trail: Trail,
    /// Distance per objective.
    pub fitness: Vec<f64>,
    rank: u32,
    crowding: f64,
}

impl Individual {
    pub fn new(sequence: Sequence, cost: u32, trail: Trail) -> Individual {
        Individual { sequence, cost, trail, fitness: Vec::new(), rank: 0, crowding: 0.0 }
    }

    /// Measures it against other objectives.
    pub fn judge(&mut self, guide: &Guide, objectives: &[GoalId]) {
        self.fitness.clear();
        let far = f64::from(u16::MAX);
        self.fitness.extend(objectives.iter().map(|&goal| guide.distance(goal, &self.trail).unwrap_or(far)));
    }

    /// Nearer than the other somewhere, and nowhere farther; the cheaper one if there is no difference.
    fn dominates(&self, other: &Individual) -> bool {
        let mut nearer = false;
        for (mine, theirs) in self.fitness.iter().zip(&other.fitness) {
            if mine > theirs {
                return false;
            }
            nearer |= mine < theirs;
        }
        nearer || (self.cost < other.cost && self.fitness == other.fitness)
    }

    fn comes_before(&self, other: &Individual) -> bool {
        self.rank < other.rank || (self.rank == other.rank && self.crowding > other.crowding)
    }
}

#[derive(Debug, Default)]
pub struct Population {
    members: Vec<Individual>,
    /// Per objective, the member that is nearest.
    best: Vec<Option<usize>>,
}

impl Population {
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The member nearest to the objective with this number.
    pub fn best(&self, objective: usize) -> Option<&Individual> {
        self.best.get(objective).copied().flatten().map(|at| &self.members[at])
    }

    /// How near anybody is to the objective with this number.
    pub fn nearest(&self, objective: usize) -> f64 {
        self.best(objective).map_or(f64::INFINITY, |i| i.fitness[objective])
    }

    /// Objectives are others now.
    pub fn judge(&mut self, guide: &Guide, objectives: &[GoalId]) {
        for member in &mut self.members {
            member.judge(guide, objectives);
        }
        self.find_best(objectives.len());
    }

    fn find_best(&mut self, objectives: usize) {
        self.best.clear();
        self.best.resize(objectives, None);
        for objective in 0..objectives {
            let key = |i: &Individual| (i.fitness[objective], i.cost);
            let nearest = self
                .members
                .iter()
                .enumerate()
                .min_by(|(_, a), (_, b)| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
            self.best[objective] = nearest.map(|(at, _)| at);
        }
    }

    /// The best of those there and the new ones, so many of them.
    pub fn select(&mut self, offspring: &mut Vec<Individual>, size: usize, objectives: usize) {
        self.members.append(offspring);
        self.find_best(objectives);
        let n = self.members.len();
        let mut front: Vec<usize> = self.best.iter().flatten().copied().collect();
        front.sort_unstable();
        front.dedup();
        let mut placed = vec![false; n];
        let mut chosen: Vec<usize> = Vec::with_capacity(size);
        let mut rank = 0;
        loop {
            self.crowd(&front, objectives);
            for &at in &front {
                self.members[at].rank = rank;
                placed[at] = true;
            }
            if chosen.len() + front.len() >= size && rank > 0 {
                front.sort_by(|&a, &b| self.members[b].crowding.total_cmp(&self.members[a].crowding).then(a.cmp(&b)));
                front.truncate(size.saturating_sub(chosen.len()));
            }
            chosen.append(&mut front);
            // The nearest of every objective stay, even if they are more than the size.
            if chosen.len() >= size || chosen.len() == n {
                break;
            }
            rank += 1;
            front = self.undominated(&placed);
        }
        let mut keep = vec![false; n];
        for at in chosen {
            keep[at] = true;
        }
        let mut at = 0;
        self.members.retain(|_| {
            at += 1;
            keep[at - 1]
        });
        self.find_best(objectives);
    }

    /// Members not placed yet that no other such member dominates.
    fn undominated(&self, placed: &[bool]) -> Vec<usize> {
        let open: Vec<usize> = (0..self.members.len()).filter(|&i| !placed[i]).collect();
        let mut front: Vec<usize> = Vec::new();
        for &i in &open {
            // Whoever is dominated by a member of the front so far is out; whoever it dominates leaves the front.
            if front.iter().any(|&f| self.members[f].dominates(&self.members[i])) {
                continue;
            }
            front.retain(|&f| !self.members[i].dominates(&self.members[f]));
            front.push(i);
        }
        front
    }

    /// How much room each member of a front has around it.
    fn crowd(&mut self, front: &[usize], objectives: usize) {
        for &at in front {
            self.members[at].crowding = 0.0;
        }
        let mut order = front.to_vec();
        for objective in 0..objectives {
            let of = |members: &[Individual], at: usize| members[at].fitness[objective];
            order.sort_by(|&a, &b| of(&self.members, a).total_cmp(&of(&self.members, b)).then(a.cmp(&b)));
            let (Some(&first), Some(&last)) = (order.first(), order.last()) else { return };
            let width = of(&self.members, last) - of(&self.members, first);
            if width <= 0.0 {
                continue;
            }
            self.members[first].crowding = f64::INFINITY;
            self.members[last].crowding = f64::INFINITY;
            for window in order.windows(3) {
                let room = of(&self.members, window[2]) - of(&self.members, window[0]);
                self.members[window[1]].crowding += room / width;
            }
        }
    }

    /// The better one of so many drawn.
    pub fn tournament(&self, size: usize, rng: &mut Rng) -> Option<&Individual> {
        let mut winner: Option<&Individual> = None;
        for _ in 0..size.max(1) {
            let drawn = rng.pick(&self.members)?;
            if winner.is_none_or(|w| drawn.comes_before(w)) {
                winner = Some(drawn);
            }
        }
        winner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn individual(cost: u32, fitness: &[f64]) -> Individual {
        Individual { fitness: fitness.to_vec(), ..Individual::new(Sequence::empty(), cost, Trail::default()) }
    }

    /// Who of the candidates is left, by cost.
    fn check(candidates: &[(u32, &[f64])], size: usize, expected: &[u32]) {
        let mut population = Population::default();
        let mut offspring = candidates.iter().map(|(cost, fitness)| individual(*cost, fitness)).collect();
        population.select(&mut offspring, size, candidates[0].1.len());
        let left: Vec<u32> = population.members.iter().map(|m| m.cost).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn the_nearest_of_every_objective_stays_whatever_it_is_worth_otherwise() {
        // The third is good everywhere, but nowhere the best.
        check(&[(1, &[0.1, 9.0]), (2, &[9.0, 0.1]), (3, &[0.2, 0.2])], 2, &[1, 2]);
        check(&[(1, &[0.1, 9.0]), (2, &[9.0, 0.1]), (3, &[0.2, 0.2])], 3, &[1, 2, 3]);
    }

    #[test]
    fn of_equals_the_cheaper_one_stays() {
        check(&[(7, &[0.5]), (5, &[0.5]), (6, &[0.5])], 1, &[5]);
    }

    #[test]
    fn more_objectives_than_places_keep_all_their_nearest() {
        check(&[(1, &[0.1, 1.0, 1.0]), (2, &[1.0, 0.1, 1.0]), (3, &[1.0, 1.0, 0.1])], 1, &[1, 2, 3]);
    }

    #[test]
    fn dominated_members_go_first_then_the_crowded() {
        let all: [(u32, &[f64]); 6] = [
            (1, &[0.0, 9.0]),
            (2, &[9.0, 0.0]),
            (3, &[8.0, 8.5]),
            (4, &[4.0, 4.0]),
            (5, &[3.9, 4.1]),
            (6, &[1.0, 8.0]),
        ];
        check(&all, 5, &[1, 2, 4, 5, 6]);
        check(&all, 4, &[1, 2, 4, 6]);
    }
}
