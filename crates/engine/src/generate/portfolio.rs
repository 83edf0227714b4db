//! All generators on one search: shares pool, archive, states and constants by sharing the search itself, and gives the next slice to whoever gains most for what
//! it costs. Owns whose turn it is, by counts alone, so that the same seed gives the same turns; proposes nothing of its own.

use std::collections::VecDeque;

use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::executor::{Detail, Watch};
use testcase::observed::Needs;
use testcase::sequence::Sequence;

use super::effort::cost_of;
use super::{Evolved, Explored, Generator};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};

/// Executions without a gain after which a search has come to a plateau. Until the first one the first member is alone, but not for longer than this: the others go on from what
/// it found.
const PLATEAU: f64 = 3_000.0;
const LONGEST_START: u64 = 20_000;
/// Executions per turn; thinking counts by the executions it costs.
const SLICE: u64 = 512;
/// Each turn of anybody makes earlier gains and costs count so much less.
const FADE: f64 = 0.9;
/// Every so many turns belong to whoever has cost least, whatever was gained: on plateaus, and elsewhere.
const ROUND: u64 = 8;
const LONG_ROUND: u64 = 16;
/// A goal is worth more the fewer are left; at most so much.
const SCARCITY: f64 = 20.0;
/// Executions of somebody else at a time while whoever has the turn waits for results: no more than it takes to keep the worker busy; and in a whole turn.
const FILLING: usize = 64;
const MOST_FILLED: u64 = 8 * SLICE;

/// A generator with what it gained and cost of late, in executions.
struct Member {
    /// Gains expected of it before it had any; while nobody gains, costs are shared in these proportions.
    hope: f64,
    generator: Box<dyn Generator>,
    gain: f64,
    cost: f64,
    /// What it cost over the whole search, turns that it made nothing of included.
    spent: f64,
    total: Share,
}

impl Member {
    fn pay(&mut self, cost: f64) {
        self.cost += cost;
        self.spent += cost;
    }

    /// Gains per cost, of late.
    fn expected(&self) -> f64 {
        (self.gain + self.hope) / (self.cost + SLICE as f64)
    }

    fn is_able(&self) -> bool {
        !self.generator.exhausted()
    }
}

/// What a member of a portfolio did, over the whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub name: &'static str,
    pub executions: u64,
    /// What its thinking cost, in executions.
    pub thinking: u64,
    /// Goals covered for the first time.
    pub goals: u64,
}

pub struct Portfolio {
    members: Vec<Member>,
    /// Whose turn it is, and how many executions of it are left to propose.
    turn: usize,
    left: u64,
    turns: u64,
    /// What others ran in this turn.
    filled: u64,
    /// Who made the latest proposals: whoever has the turn, or somebody who fills the time while that one waits for results.
    proposer: usize,
    /// What was spent since anybody gained anything, and whether that was ever too much.
    since_gain: f64,
    has_begun: bool,
    /// Who made the batches that are on their way, with how many results to come of each.
    flying: VecDeque<(usize, usize)>,
    /// Thinking of all members that nobody was charged for yet.
    effort: u64,
}

impl Portfolio {
    /// Each member with its name and the gains to expect of it before it had any. The first has the head start.
    pub fn new(members: Vec<(&'static str, f64, Box<dyn Generator>)>) -> Portfolio {
        let members = members
            .into_iter()
            .map(|(name, hope, generator)| {
                let total = Share { name, ..Share::default() };
                Member { hope, generator, gain: 0.0, cost: 0.0, spent: 0.0, total }
            })
            .collect();
        Portfolio {
            members,
            turn: 0,
            left: SLICE,
            turns: 0,
            filled: 0,
            proposer: 0,
            since_gain: 0.0,
            has_begun: false,
            flying: VecDeque::new(),
            effort: 0,
        }
    }

    /// Ends a turn: the next belongs to the one of whom most is to be expected, or, every so often, who has cost least.
    fn next(&mut self) {
        self.turns += 1;
        for member in &mut self.members {
            member.gain *= FADE;
            member.cost *= FADE;
        }
        let is_plateau = self.since_gain >= PLATEAU;
        self.has_begun |= is_plateau || self.turns * SLICE >= LONGEST_START;
        self.choose(&[]);
    }

    /// Gives the turn to somebody but these.
    fn choose(&mut self, idle: &[usize]) {
        (self.left, self.filled) = (SLICE, 0);
        if !self.has_begun {
            return;
        }
        let round = if self.since_gain >= PLATEAU { ROUND } else { LONG_ROUND };
        let is_round = self.turns.is_multiple_of(round);
        let mut best: Option<(usize, f64)> = None;
        for (n, member) in self.members.iter().enumerate().filter(|(n, m)| m.is_able() && !idle.contains(n)) {
            // Who needs much thinking to begin with waits until the others have cost as much.
            let value = if is_round { -member.spent } else { member.expected() };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((n, value));
            }
        }
        self.turn = best.map_or(self.turn, |(n, _)| n);
    }

    /// Asks a member for proposals, and charges it for its thinking; that counts as a part of its turn if it has one.
    fn ask(&mut self, n: usize, search: &mut Search<'_>, rng: &mut Rng, count: usize, out: &mut Vec<Proposal>) {
        self.proposer = n;
        let member = &mut self.members[n];
        if !member.is_able() {
            return;
        }
        member.generator.propose(search, rng, count, out);
        let effort = member.generator.effort();
        member.pay(effort as f64);
        member.total.thinking += effort;
        self.effort += effort;
        self.since_gain += effort as f64;
        if n == self.turn {
            self.left = self.left.saturating_sub(effort);
        }
    }

    /// Whoever has the turn cannot go on before results are back that are still on their way.
    fn is_waiting(&self) -> bool {
        let holder = &self.members[self.turn];
        let waits = holder.is_able() && holder.generator.is_systematic();
        let has_turn = self.left > 0 && self.filled < MOST_FILLED;
        waits && has_turn && self.flying.iter().any(|(owner, _)| *owner == self.turn)
    }

    /// Somebody else's proposals: of the first who has any and waits for nobody.
    fn fill(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) {
        let before = out.len();
        for filler in 0..self.members.len() {
            if !self.members[filler].generator.is_systematic() {
                self.ask(filler, search, rng, n.min(FILLING), out);
            }
            if out.len() > before {
                return;
            }
        }
    }

    /// Proposals of whoever has the turn, gets it next, or fills the time.
    fn find(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) {
        let before = out.len();
        // The session gives places of other generators' proposals away, and has asked which kind this will be.
        let kind = self.is_systematic();
        // Whoever has nothing to propose now loses the turn, until nobody is left to ask.
        let mut idle: SmallVec<[usize; 8]> = SmallVec::new();
        while idle.len() < self.members.len() {
            self.ask(self.turn, search, rng, n, out);
            if out.len() > before {
                return;
            }
            if self.is_waiting() {
                return self.fill(search, rng, n, out);
            }
            let unused = self.left as f64;
            self.members[self.turn].pay(unused);
            self.has_begun = true;
            idle.push(self.turn);
            self.choose(&idle);
            if self.is_systematic() && !kind {
                return;
            }
        }
    }
}

impl Generator for Portfolio {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) {
        let before = out.len();
        self.find(search, rng, n, out);
        if out.len() == before {
            // What is run all the same is nobody else's.
            self.proposer = self.turn;
        }
    }

    fn submitted(&mut self, count: usize) {
        self.flying.push_back((self.proposer, count));
        self.members[self.proposer].generator.submitted(count);
        if self.proposer == self.turn {
            self.left = self.left.saturating_sub(count as u64);
        } else {
            self.filled += count as u64;
        }
        if self.left == 0 {
            self.next();
        }
        // Of what comes without being asked for.
        self.proposer = self.turn;
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        // Results come in the order in which batches were submitted.
        let Some((owner, left)) = self.flying.front_mut() else { return };
        let owner = *owner;
        *left -= 1;
        if *left == 0 {
            self.flying.pop_front();
        }
        let member = &mut self.members[owner];
        self.since_gain += cost_of(execution);
        if delta.new_goals > 0 {
            self.since_gain = 0.0;
            let open = search.goals.len() - search.goals.covered_count();
            let scarcity = (search.goals.len() as f64 / open.max(1) as f64).min(SCARCITY);
            member.gain += f64::from(delta.new_goals) * scarcity;
        }
        member.pay(cost_of(execution));
        member.total.executions += 1;
        member.total.goals += u64::from(delta.new_goals);
        member.generator.observe(search, proposal, execution, delta);
    }

    fn effort(&mut self) -> u64 {
        std::mem::take(&mut self.effort)
    }

    fn exhausted(&self) -> bool {
        self.members.iter().all(|m| m.generator.exhausted())
    }

    fn needs(&self) -> Needs {
        self.members.iter().fold(Needs::default(), |needs, m| needs.and(m.generator.needs()))
    }

    fn detail(&self, sequence: &Sequence, detail: &mut Detail) {
        self.members[self.proposer].generator.detail(sequence, detail);
    }

    fn is_systematic(&self) -> bool {
        self.members[self.turn].generator.is_systematic()
    }

    fn explored(&self) -> Option<Explored> {
        self.members.iter().find_map(|m| m.generator.explored())
    }

    fn solved(&self) -> Option<&super::stuck::Solved> {
        self.members.iter().find_map(|m| m.generator.solved())
    }

    fn watch(&mut self, search: &Search<'_>) -> Option<Vec<Watch>> {
        self.members[self.proposer].generator.watch(search)
    }

    fn evolved(&self) -> Option<Evolved> {
        self.members.iter().find_map(|m| m.generator.evolved())
    }

    fn shares(&self) -> Vec<Share> {
        self.members.iter().map(|m| m.total).collect()
    }
}
