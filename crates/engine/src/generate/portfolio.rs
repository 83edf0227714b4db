//! Several generators on one search: shares pool, archive, states and constants by sharing the search itself, and gives the next slice to whoever gains most for what
//! it costs. Owns whose turn it is, by counts alone, so that the same seed gives the same turns; proposes nothing of its own.

use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::executor::Watch;
use testcase::observed::Needs;
use testcase::sequence::Sequence;

use super::effort::cost_of;
use super::{Figures, Generator, Share, Turn};
use crate::proposal::Pending;
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
pub struct Member {
    /// Gains expected of it before it had any; while nobody gains, costs are shared in these proportions.
    hope: f64,
    /// It has no turns: it is asked first in all of them, and knows itself when it is wanted.
    is_beside: bool,
    is_exhausted: bool,
    generator: Box<dyn Generator>,
    gain: f64,
    cost: f64,
    /// What it cost over the whole search, turns that it made nothing of included.
    spent: f64,
    total: Share,
}

impl Member {
    fn new(name: &'static str, hope: f64, is_beside: bool, generator: Box<dyn Generator>) -> Member {
        let total = Share { name, ..Share::default() };
        Member { hope, is_beside, is_exhausted: false, generator, gain: 0.0, cost: 0.0, spent: 0.0, total }
    }

    /// One that takes turns with others; `hope` are the gains to expect of it before it had any.
    pub fn in_turn(name: &'static str, hope: f64, generator: Box<dyn Generator>) -> Member {
        Member::new(name, hope, false, generator)
    }

    /// One that works a little in every turn, and limits itself.
    pub fn beside(name: &'static str, generator: Box<dyn Generator>) -> Member {
        Member::new(name, 0.0, true, generator)
    }

    fn pay(&mut self, cost: f64) {
        self.cost += cost;
        self.spent += cost;
    }

    /// Gains per cost, of late.
    fn expected(&self) -> f64 {
        (self.gain + self.hope) / (self.cost + SLICE as f64)
    }

    fn can_have_turn(&self) -> bool {
        !self.is_beside && !self.is_exhausted
    }
}

pub struct Portfolio {
    members: Vec<Member>,
    /// Whose turn it is, and how many executions of it are left to propose.
    turn: usize,
    left: u64,
    turns: u64,
    /// What others ran in this turn.
    filled: u64,
    /// What was spent since anybody gained anything, and whether that was ever too much.
    since_gain: f64,
    has_begun: bool,
    /// Who made the proposals that are on their way.
    owners: Pending<usize>,
    /// Thinking of all members that nobody was charged for yet.
    effort: u64,
}

impl Portfolio {
    /// The first member has the head start.
    pub fn new(members: Vec<Member>) -> Portfolio {
        Portfolio {
            members,
            turn: 0,
            left: SLICE,
            turns: 0,
            filled: 0,
            since_gain: 0.0,
            has_begun: false,
            owners: Pending::default(),
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
        for (n, member) in self.members.iter().enumerate().filter(|(n, m)| m.can_have_turn() && !idle.contains(n)) {
            // Who needs much thinking to begin with waits until the others have cost as much.
            let value = if is_round { -member.spent } else { member.expected() };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((n, value));
            }
        }
        self.turn = best.map_or(self.turn, |(n, _)| n);
    }

    /// Asks a member for proposals, and charges it for its thinking; both count as parts of its turn if it has one.
    fn ask(&mut self, n: usize, search: &mut Search<'_>, rng: &mut Rng, count: usize, out: &mut Vec<Proposal>) -> Turn {
        let from = out.len();
        let member = &mut self.members[n];
        if member.is_exhausted {
            return Turn::Exhausted;
        }
        let answer = member.generator.propose(search, rng, count, out);
        member.is_exhausted = answer == Turn::Exhausted;
        let effort = member.generator.effort();
        member.pay(effort as f64);
        member.total.thinking += effort;
        self.effort += effort;
        self.since_gain += effort as f64;
        for proposal in &out[from..] {
            self.owners.insert(proposal.ticket, n);
        }
        let made = (out.len() - from) as u64;
        if n == self.turn {
            self.left = self.left.saturating_sub(effort + made);
        } else if !self.members[n].is_beside {
            self.filled += made;
        }
        answer
    }

    /// Somebody else's proposals, while whoever has the turn waits: of the first who has any.
    fn fill(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let before = out.len();
        for filler in 0..self.members.len() {
            if filler != self.turn && self.members[filler].can_have_turn() {
                self.ask(filler, search, rng, n.min(FILLING), out);
            }
            if out.len() > before {
                return Turn::Ready;
            }
        }
        Turn::Waiting
    }

    /// Proposals of whoever has the turn, gets it next, or fills the time.
    fn find(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let before = out.len();
        // Whoever has nothing to propose now loses the turn, until nobody is left to ask.
        let mut idle: SmallVec<[usize; 8]> = SmallVec::new();
        let mut answer = Turn::Exhausted;
        while idle.len() < self.members.len() {
            let turn = self.ask(self.turn, search, rng, n, out);
            if out.len() > before {
                return Turn::Ready;
            }
            if turn == Turn::Waiting && self.left > 0 && self.filled < MOST_FILLED {
                return self.fill(search, rng, n, out);
            }
            answer = if turn == Turn::Exhausted { answer } else { Turn::Ready };
            let unused = self.left as f64;
            self.members[self.turn].pay(unused);
            self.has_begun = true;
            idle.push(self.turn);
            self.choose(&idle);
        }
        answer
    }
}

impl Generator for Portfolio {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let from = out.len();
        for beside in 0..self.members.len() {
            let left = (from + n).saturating_sub(out.len());
            if self.members[beside].is_beside {
                self.ask(beside, search, rng, left.div_ceil(2), out);
            }
        }
        let left = (from + n).saturating_sub(out.len());
        let answer = if left == 0 { Turn::Ready } else { self.find(search, rng, left, out) };
        if self.left == 0 {
            self.next();
        }
        let is_over = self.members.iter().all(|m| m.is_exhausted);
        if out.len() > from || (answer == Turn::Exhausted && !is_over) { Turn::Ready } else { answer }
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        self.since_gain = if delta.new_goals > 0 { 0.0 } else { self.since_gain + cost_of(execution) };
        let owner = self.owners.take(proposal.ticket);
        if let Some(member) = owner.map(|n| &mut self.members[n]) {
            if delta.new_goals > 0 {
                let open = search.goals.len() - search.goals.covered_count();
                let scarcity = (search.goals.len() as f64 / open.max(1) as f64).min(SCARCITY);
                member.gain += f64::from(delta.new_goals) * scarcity;
            }
            member.pay(cost_of(execution));
            member.total.executions += 1;
            member.total.goals += u64::from(delta.new_goals);
        }
        for (n, member) in self.members.iter_mut().enumerate() {
            if owner == Some(n) {
                member.generator.observe(search, proposal, execution, delta);
            } else {
                member.generator.overhear(search, proposal, execution, delta);
            }
        }
    }

    fn overhear(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        self.observe(search, proposal, execution, delta);
    }

    fn effort(&mut self) -> u64 {
        std::mem::take(&mut self.effort)
    }

    fn needs(&self) -> Needs {
        self.members.iter().fold(Needs::default(), |needs, m| needs.and(m.generator.needs()))
    }

    fn watch(&mut self, search: &Search<'_>) -> Option<Vec<Watch>> {
        self.members.iter_mut().find_map(|m| m.generator.watch(search))
    }

    fn figures(&self) -> Figures {
        let mut sum = Figures::default();
        for member in &self.members {
            sum.add(member.generator.figures());
            sum.shares.push(member.total);
        }
        // Of one among several there is too much to say.
        if self.members.iter().filter(|m| !m.is_beside).count() > 1 {
            sum.notes.clear();
        }
        sum
    }

    fn tests(&self, search: &Search<'_>) -> Vec<Sequence> {
        self.members.iter().flat_map(|m| m.generator.tests(search)).collect()
    }
}
