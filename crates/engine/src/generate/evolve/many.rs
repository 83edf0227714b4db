//! Many-objective evolution: one test per individual, one objective per goal that is a decision away, an archive for what is reached. Owns the generations and who of random
//! testing, variation and local search proposes how much; ranking, changes and moves are its neighbours' business.

use testcase::execution::{Execution, ProbeId};
use testcase::executor::Watch;
use testcase::sequence::Sequence;

use super::change::Changer;
use super::local::{LocalSearch, Nearest};
use super::population::{Individual, Population};
use crate::distance::Guide;
use crate::generate::random::Random;
use crate::generate::{Evolved, Figures, Generator, Turn};
use crate::goal::{GoalId, GoalKind};
use crate::options;
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};
use crate::seen::Seen;

/// Executions after which evolution begins even if random testing still gains.
const LONGEST_START: u64 = 20_000;
/// Objectives at a time; more take turns.
const MOST_OBJECTIVES: usize = 48;
/// Weak mutants among them, where other goals leave room: few, as many of them make no difference to anything.
const MOST_MUTANTS: usize = 16;
/// Generations until others get their turn.
const TURN: u64 = 20;
/// Share of proposals of each kind: never less, never more.
const LEAST_SHARE: f32 = 0.15;
const MOST_SHARE: f32 = 0.7;
/// What was gained long ago counts less: halved after so many executions.
const MEMORY: u64 = 4_000;
/// Runs of so many steps are slow: a hundred others would be over.
const SLOW: u32 = 200_000;

/// Who made a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Random,
    Variation,
    Local,
}

/// A proposal on its way.
#[derive(Clone, Copy, Debug)]
struct Flying {
    origin: Origin,
    /// Distances are asked for.
    measured: bool,
}

/// What proposals of a kind brought lately.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    executions: f32,
    gains: f32,
}

impl Tally {
    fn worth(self) -> f32 {
        (self.gains + 0.5) / (self.executions + 500.0)
    }
}

#[derive(Debug)]
pub struct ManyObjective {
    options: options::Evolve,
    changer: Changer,
    local: LocalSearch,
    guide: Option<Guide>,
    objectives: Vec<GoalId>,
    /// The search's generation that the objectives are of.
    known: Option<u64>,
    /// Probes that were ever hit by measured runs, and whether new ones were since somebody asked.
    ever: Vec<bool>,
    grown: bool,
    population: Population,
    offspring: Vec<Individual>,
    seen: Seen,
    flying: Pending<Flying>,
    measuring: bool,
    watched: Option<u64>,
    tallies: [Tally; 2],
    since: u64,
    /// The gains of the search when they were last looked at, and executions since when they are that; whoever ran them.
    last_gain: (u64, u64),
    /// Random testing alone had its time.
    begun: bool,
    turn: usize,
    counts: Evolved,
}

impl ManyObjective {
    pub fn new(options: options::Evolve) -> ManyObjective {
        ManyObjective {
            options,
            changer: Changer::new(Random::default()),
            local: LocalSearch::default(),
            guide: None,
            objectives: Vec::new(),
            known: None,
            ever: Vec::new(),
            grown: false,
            population: Population::default(),
            offspring: Vec::new(),
            seen: Seen::new(20),
            flying: Pending::default(),
            measuring: false,
            watched: None,
            tallies: [Tally::default(); 2],
            since: 0,
            last_gain: (0, 0),
            begun: false,
            turn: 0,
            counts: Evolved::default(),
        }
    }

    /// Which goals are objectives now: open, and one decision away.
    fn refresh(&mut self, search: &Search<'_>) {
        let Some(guide) = &self.guide else { return };
        let due = self.counts.generations / TURN != self.turn as u64;
        if self.known == Some(search.generation) && !due && !self.grown {
            return;
        }
        self.known = Some(search.generation);
        self.turn = (self.counts.generations / TURN) as usize;
        self.grown = false;
        let ever = &self.ever;
        let is_hit = |probe: u32| {
            let goals = search.goals.of_probe(ProbeId(probe));
            ever.get(probe as usize) == Some(&true) || goals.iter().any(|&g| search.goals.is_covered(g))
        };
        let near = |goal: GoalId| search.goals.is_open(goal) && guide.is_near(goal, is_hit);
        let of = |mutants: bool| {
            let wanted = search.goals.iter().filter(|(_, goal)| (goal.kind == GoalKind::WeakMutant) == mutants);
            wanted.map(|(id, _)| id).filter(|&id| near(id)).collect::<Vec<GoalId>>()
        };
        let mut all = in_turn(of(false), MOST_OBJECTIVES, self.turn);
        all.append(&mut in_turn(of(true), MOST_MUTANTS.min(MOST_OBJECTIVES - all.len()), self.turn));
        all.sort();
        if all != self.objectives {
            self.objectives = all;
            self.population.judge(guide, &self.objectives);
            for individual in &mut self.offspring {
                individual.judge(guide, &self.objectives);
            }
        }
    }

    /// How much of the next proposals is random testing's.
    fn random_share(&self) -> f32 {
        let [random, evolved] = self.tallies.map(Tally::worth);
        (random / (random + evolved)).clamp(LEAST_SHARE, MOST_SHARE)
    }

    fn push(&mut self, search: &mut Search<'_>, sequence: Sequence, origin: Origin, out: &mut Vec<Proposal>) {
        // Twice the same is of no use, unless the first was not measured.
        if self.seen.insert(sequence.hash128() as u64) {
            let proposal = search.offer(sequence, self.wanted());
            self.flying.insert(proposal.ticket, Flying { origin, measured: self.measuring });
            out.push(proposal);
        }
    }

    /// The first individuals: tests that come to where objectives are decided, then any others that are kept.
    fn begin(&mut self, search: &mut Search<'_>, out: &mut Vec<Proposal>) {
        let Some(guide) = &self.guide else { return };
        let beside = self.objectives.iter().flat_map(|&goal| guide.beside(goal));
        let witnesses = beside.flat_map(|probe| search.goals.of_probe(probe)).filter_map(|&g| search.archive.get(g));
        let others = search.archive.iter().map(|(_, kept)| kept);
        let seeds: Vec<Sequence> = witnesses.chain(others).map(|kept| kept.sequence.clone()).collect();
        let from = out.len();
        for seed in seeds {
            if out.len() - from >= self.options.population {
                return;
            }
            self.push(search, seed, Origin::Variation, out);
        }
    }

    fn vary(&mut self, search: &mut Search<'_>, rng: &mut Rng) -> Option<Sequence> {
        let parent = self.population.tournament(self.options.tournament, rng)?.sequence.clone();
        let mut other = None;
        let mut child = None;
        if rng.chance(self.options.crossover) {
            let mate = other.insert(self.population.tournament(self.options.tournament, rng)?.sequence.clone());
            child = self.changer.cross(search, &parent, mate, rng).filter(|c| c.len() <= self.options.max_length);
        }
        if child.is_none() || rng.chance(self.options.mutation) {
            let base = child.as_ref().unwrap_or(&parent);
            child = self.changer.mutate(search, base, self.options.max_length, rng).or(child);
        }
        let parents = [&parent, other.as_ref().unwrap_or(&parent)];
        child.filter(|child| search.costs.accepts_child(&search.catalog, parents, child, rng))
    }

    fn wanted(&self) -> Wanted {
        Wanted { distances: self.measuring, ..Wanted::default() }
    }

    /// So many tests of random testing.
    fn at_random(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) {
        let from = out.len();
        self.changer.random.propose(search, rng, n, out);
        let flying = Flying { origin: Origin::Random, measured: self.measuring };
        for proposal in &mut out[from..] {
            proposal.detail = self.wanted();
            self.flying.insert(proposal.ticket, flying);
        }
    }

    fn generation(&mut self) {
        self.counts.generations += 1;
        self.population.select(&mut self.offspring, self.options.population, self.objectives.len());
    }
}

/// At most so many goals; more take turns.
fn in_turn(mut goals: Vec<GoalId>, most: usize, turn: usize) -> Vec<GoalId> {
    if goals.len() > most {
        let start = (turn * most / 2) % goals.len();
        goals.rotate_left(start);
        goals.truncate(most);
    }
    goals
}

impl Generator for ManyObjective {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let guide = self.guide.get_or_insert_with(|| Guide::new(search.library.code(), &search.goals));
        if self.ever.is_empty() {
            self.ever = vec![false; guide.probes() as usize];
        }
        let now = search.totals.executions;
        if self.last_gain.0 != search.totals.gains {
            self.last_gain = (search.totals.gains, now);
        }
        // Random testing is better than anything else at what is easy; what it leaves is evolved from then on.
        self.begun |= now - self.last_gain.1 >= self.options.patience || now >= LONGEST_START;
        self.measuring = self.begun && guide.probes() > 0;
        if self.measuring {
            self.refresh(search);
        }
        if !self.measuring || self.objectives.is_empty() {
            self.measuring = false;
            self.at_random(search, rng, n, out);
            return Turn::Ready;
        }
        let wanted = out.len() + n;
        let is_new = self.population.is_empty() && self.offspring.is_empty();
        if is_new && self.flying.count(|f| f.origin != Origin::Random) == 0 {
            self.begin(search, out);
        }
        let random = (n as f32 * self.random_share()) as usize;
        let bred = wanted.saturating_sub(random);
        let mut moves = Vec::new();
        if let Some(guide) = self.guide.as_ref().filter(|_| self.options.local_search) {
            let near = self.objectives.iter().enumerate().filter(|(_, goal)| guide.is_graded(**goal));
            let near: Vec<Nearest<'_>> = near
                .filter_map(|(i, &goal)| {
                    let best = self.population.best(i)?;
                    // Without a decision on the way there is nothing to move literals by.
                    let gap = guide.gap(goal, &best.trail)?;
                    Some(Nearest { goal, test: &best.sequence, distance: best.fitness[i], gap })
                })
                .collect();
            self.local.moves(search, &near, bred.saturating_sub(out.len()) / 2, rng, &mut moves);
        }
        for sequence in moves {
            self.push(search, sequence, Origin::Local, out);
        }
        for _ in 0..2 * n {
            if out.len() >= bred {
                break;
            }
            if let Some(child) = self.vary(search, rng) {
                self.push(search, child, Origin::Variation, out);
            }
        }
        self.at_random(search, rng, wanted.saturating_sub(out.len()), out);
        Turn::Ready
    }

    fn observe(&mut self, _: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        let Some(Flying { origin, measured }) = self.flying.take(proposal.ticket) else { return };
        if is_unanswered(execution) {
            return;
        }
        let tally = &mut self.tallies[usize::from(origin != Origin::Random)];
        tally.executions += 1.0;
        tally.gains += delta.new_goals as f32;
        self.since += 1;
        if self.since >= MEMORY {
            self.since = 0;
            for tally in &mut self.tallies {
                tally.executions /= 2.0;
                tally.gains /= 2.0;
            }
        }
        let Some(guide) = self.guide.as_ref().filter(|_| measured) else { return };
        for hit in &execution.probes {
            if let Some(ever) = self.ever.get_mut(hit.probe.0 as usize) {
                self.grown |= !*ever;
                *ever = true;
            }
        }
        let trail = guide.trail(execution);
        let mut individual = Individual::new(proposal.sequence.clone(), proposal.cost.packed(), trail);
        individual.judge(guide, &self.objectives);
        self.counts.evaluations += 1;
        // Of those that nobody bred, and of those whose children would take as long again, only who comes nearer than anybody is of use.
        let nearer = || individual.fitness.iter().enumerate().any(|(i, &f)| f > 0.0 && f < self.population.nearest(i));
        let bred = origin == Origin::Variation;
        if (bred && execution.steps < SLOW) || nearer() {
            self.offspring.push(individual);
            self.counts.bred += u64::from(bred);
            if self.offspring.len() >= self.options.population || (!bred && !self.population.is_empty()) {
                self.generation();
            }
        }
    }

    fn watch(&mut self, search: &Search<'_>) -> Option<Vec<Watch>> {
        let guide = self.guide.as_ref().filter(|_| self.measuring)?;
        if self.watched == Some(search.generation) {
            return None;
        }
        self.watched = Some(search.generation);
        Some(guide.watches(|goal| search.goals.is_open(goal)))
    }

    fn figures(&self) -> Figures {
        Figures { evolved: Some(self.counts), ..Figures::default() }
    }
}
