//! Many independent objectives: every open goal has a small population of its own, of the tests that came nearest to
//! it, and the goal that was sampled least since it last gained is sampled next. Owns the populations, whose turn it
//! is, and how exploring gives way to focused search; changes of tests are evolution's.
//!
//! The published algorithm focuses by the time that is left. Nobody knows that here, so the search focuses the more the
//! longer it gained nothing, and explores again when it did.

use std::collections::BTreeMap;

use testcase::execution::Execution;
use testcase::executor::Watch;
use testcase::sequence::Sequence;

use super::evolve::change::Changer;
use super::random::Random;
use super::{Evolved, Figures, Generator, Turn};
use crate::distance::Guide;
use crate::goal::GoalId;
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};

/// Chance of a test from nothing while exploring, as published. It falls to nothing as the search focuses.
const SAMPLING: f32 = 0.5;
/// Tests of a population while exploring, as published; one when the search is focused.
const MOST_TESTS: usize = 10;
/// Changed tests in a row for the same goal when the search is focused, as published; one while exploring.
const MOST_IN_A_ROW: usize = 10;
/// Executions without a gain after which the search is wholly focused. A guess: about what evolution takes for twenty
/// generations.
const EXECUTIONS_TO_FOCUS: u64 = 2_000;
/// Statements of a test that is changed, at most: as for evolution.
const MOST_STATEMENTS: usize = 40;
/// Attempts per proposal at a test that was not proposed before.
const ATTEMPTS: usize = 4;

/// A test, and how far from the goal it ended.
#[derive(Clone, Debug)]
struct Near {
    distance: f64,
    /// In the archive's order.
    cost: u32,
    sequence: Sequence,
}

/// The tests nearest to one goal, nearest first.
#[derive(Clone, Debug, Default)]
struct Population {
    tests: Vec<Near>,
    /// Times it was sampled since it last came nearer.
    sampled: u64,
}

impl Population {
    /// Takes a test in if it is among the nearest.
    fn add(&mut self, distance: f64, proposal: &Proposal, most: usize) {
        let cost = proposal.cost.packed();
        let at = self.tests.partition_point(|near| (near.distance, near.cost) <= (distance, cost));
        if at >= most || self.tests.iter().any(|near| near.sequence == proposal.sequence) {
            return;
        }
        if self.tests.first().is_none_or(|nearest| distance < nearest.distance) {
            self.sampled = 0;
        }
        self.tests.insert(at, Near { distance, cost, sequence: proposal.sequence.clone() });
        self.tests.truncate(most);
    }
}

#[derive(Debug)]
pub struct Mio {
    changer: Changer,
    guide: Option<Guide>,
    populations: BTreeMap<GoalId, Population>,
    /// The goal sampled last, and how many more tests are made for it.
    current: Option<(GoalId, usize)>,
    /// Whether the proposal was made from another test.
    flying: Pending<bool>,
    /// Gains of the search when they were last looked at, and executions then.
    last_gain: (u64, u64),
    /// The search's generation when sites were last chosen to be measured.
    watched: Option<u64>,
    counts: Evolved,
}

impl Default for Mio {
    fn default() -> Self {
        Mio {
            changer: Changer::new(Random::default()),
            guide: None,
            populations: BTreeMap::new(),
            current: None,
            flying: Pending::default(),
            last_gain: (0, 0),
            watched: None,
            counts: Evolved::default(),
        }
    }
}

impl Mio {
    /// 0 while the search gains, 1 when it has not for long.
    fn focus(&self, search: &Search<'_>) -> f32 {
        let barren = search.totals.executions - self.last_gain.1;
        (barren as f32 / EXECUTIONS_TO_FOCUS as f32).min(1.0)
    }

    /// A test of the goal whose turn it is, changed.
    fn sample(&mut self, search: &mut Search<'_>, rng: &mut Rng, focus: f32) -> Option<Sequence> {
        let (goal, left) = match self.current.filter(|(goal, left)| *left > 0 && self.populations.contains_key(goal)) {
            Some(current) => current,
            None => {
                let next = self.populations.iter_mut().min_by_key(|(_, population)| population.sampled)?;
                next.1.sampled += 1;
                (*next.0, 1 + (focus * (MOST_IN_A_ROW - 1) as f32) as usize)
            }
        };
        self.current = Some((goal, left - 1));
        let tests = &self.populations.get(&goal)?.tests;
        let parent = tests.get(rng.below(most_tests(focus).min(tests.len())))?.sequence.clone();
        let child = self.changer.mutate(search, &parent, MOST_STATEMENTS, rng)?;
        search.costs.accepts_child(&search.catalog, [&parent, &parent], &child, rng).then_some(child)
    }
}

fn most_tests(focus: f32) -> usize {
    MOST_TESTS - (focus * (MOST_TESTS - 1) as f32) as usize
}

impl Generator for Mio {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        self.guide.get_or_insert_with(|| Guide::new(search.library.code(), &search.goals));
        if self.last_gain.0 != search.totals.gains {
            self.last_gain = (search.totals.gains, search.totals.executions);
        }
        self.populations.retain(|goal, _| search.goals.is_open(*goal));
        let focus = self.focus(search);
        let detail = Wanted { distances: true, ..Wanted::default() };
        let wanted = out.len() + n;
        for _ in 0..n * ATTEMPTS {
            if out.len() >= wanted {
                break;
            }
            let from = out.len();
            let changed = !self.populations.is_empty() && !rng.chance(SAMPLING * (1.0 - focus));
            if changed {
                out.extend(self.sample(search, rng, focus).map(|child| search.offer(child, detail)));
            } else {
                self.changer.random.propose(search, rng, 1, out);
            }
            for proposal in &mut out[from..] {
                proposal.detail = detail;
                self.flying.insert(proposal.ticket, changed);
            }
        }
        Turn::Ready
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let Some(changed) = self.flying.take(proposal.ticket) else { return };
        let most = most_tests(self.focus(search));
        let Some(guide) = self.guide.as_ref().filter(|_| !is_unanswered(execution)) else { return };
        self.counts.evaluations += 1;
        self.counts.bred += u64::from(changed);
        let trail = guide.trail(execution);
        for (goal, _) in search.goals.iter().filter(|(goal, _)| search.goals.is_open(*goal)) {
            // A test that came to no decision on the way says nothing about the goal.
            let near = guide.gap(goal, &trail).and(guide.distance(goal, &trail));
            if let Some(distance) = near.filter(|distance| *distance > 0.0) {
                self.populations.entry(goal).or_default().add(distance, proposal, most);
            }
        }
    }

    fn watch(&mut self, search: &Search<'_>) -> Option<Vec<Watch>> {
        let guide = self.guide.as_ref().filter(|_| self.watched != Some(search.generation))?;
        self.watched = Some(search.generation);
        Some(guide.watches(|goal| search.goals.is_open(goal)))
    }

    fn figures(&self) -> Figures {
        Figures { evolved: Some(self.counts), ..Figures::default() }
    }
}
