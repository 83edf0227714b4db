//! Stuck branches: decisions that tests reach but always leave by the same side. Owns when solving is worth a try, which tests to begin from and how much work goes into it; finding what takes
//! the other side is `task`'s. What is found is proposed like any other sequence: it counts only once a JVM has shown it.
//!
//! All work is counted in instructions and questions, never in time, and done in slices between batches: the same seed gives the same proposals. Where solving takes long it gets no more than a share
//! of the search.

mod aim;
mod spares;
mod task;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::trace::Tracer;
use symbolic::vm::Limits;
use testcase::execution::{Execution, Outcome};
use testcase::sequence::Sequence;

use super::effort::Effort;
use super::{Figures, Generator, Turn};
use crate::goal::{GoalId, MethodId};
use crate::prices::STUCK_START_NANOS;
use crate::proposal::Wanted;
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search};
use aim::{Aim, Nearness};
use task::Task;

/// Executions without a new goal after which a search is stuck.
const STALL: u64 = 600;
/// After all that could be tried was tried: executions until there may be something new to try.
const REST: u64 = 3_000;
/// Work per call, and per goal and try.
const SLICE: u64 = 100_000;
/// The same by what it takes, in nanoseconds: a single question may take longer than many runs.
const SLICE_TIME: u64 = 4_000_000;
const PER_TASK: u64 = 6_000_000;
/// Tries per goal, each from tests not tried before.
const TRIES: u32 = 8;
/// Tests that a try begins from.
const WITNESSES: usize = 6;
/// Longer tests are no good to begin from.
const LONGEST: usize = 60;
/// Sequences proposed for one goal: if a JVM does something else with so many, it will go on doing so.
const PROPOSED: u32 = 4;
/// Of the sequences that ran, every so many is kept to begin from, so many per method.
const SAMPLED: u64 = 16;
const RECENT: usize = 6;
/// Work of the solver that one question is worth.
const PATIENCE: u64 = 3_000_000;
/// Instructions of one run.
const RUN: u64 = 1_000_000;

/// Thinking that is always worth it, and what share of executions may go into more of it: one in so many.
const FREE: u64 = 8_000;
const SHARE: u64 = 2;

/// What solving did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Goals that were tried for, each counted as often as it was.
    pub tries: u64,
    /// Runs on the symbolic machine.
    pub runs: u64,
    /// Questions to the solver, and how they were answered.
    pub questions: u64,
    pub satisfiable: u64,
    pub unsatisfiable: u64,
    /// Sequences proposed, and goals that they were the first to cover on a JVM.
    pub proposed: u64,
    pub goals: u64,
    /// Runs that the machine could not end, by reason.
    pub unmodelled: BTreeMap<String, u64>,
}

/// Finds the other sides of branches.
#[derive(Debug, Default)]
pub struct Stuck {
    tracer: Option<Tracer>,
    /// There is no machine, or nothing to aim at.
    is_idle: bool,
    aims: Vec<Aim>,
    /// The last time a goal was covered: by generation of the search, and executions then.
    generation: u64,
    since: u64,
    resting_until: u64,
    task: Option<Task>,
    tries: FxHashMap<GoalId, u32>,
    begun_from: FxHashSet<(GoalId, u128)>,
    proposed: FxHashMap<GoalId, u32>,
    /// Hashes of what was proposed.
    ours: FxHashSet<u128>,
    recent: FxHashMap<MethodId, Vec<Sequence>>,
    effort: Effort,
    /// All of it so far, in executions.
    thought: u64,
    counts: Solved,
}

impl Generator for Stuck {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        self.work(search, n, out);
        if self.is_idle { Turn::Exhausted } else { Turn::Ready }
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        self.counts.goals += u64::from(delta.new_goals);
        self.sample(search, proposal, execution, delta);
    }

    fn overhear(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        self.sample(search, proposal, execution, delta);
    }

    fn effort(&mut self) -> u64 {
        let new = self.effort.take();
        self.thought += new;
        new
    }

    fn figures(&self) -> Figures {
        Figures { solved: Some(self.counts.clone()), ..Figures::default() }
    }
}

impl Stuck {
    pub fn counts(&self) -> &Solved {
        &self.counts
    }

    /// Keeps some of what ran, to begin from.
    fn sample(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, delta: Delta) {
        let is_sampled = search.totals.executions.is_multiple_of(SAMPLED) || delta.new_goals > 0;
        let is_usual = matches!(execution.outcome, Outcome::Normal | Outcome::Threw { .. });
        if !is_sampled || !is_usual || proposal.sequence.len() > LONGEST || self.is_idle {
            return;
        }
        let last = proposal.sequence.last().and_then(|s| search.catalog.facts(s.op).method);
        let Some(method) = last else { return };
        let kept = self.recent.entry(method).or_default();
        if kept.len() < RECENT {
            kept.push(proposal.sequence.clone());
        } else {
            let place = (search.totals.executions / SAMPLED) as usize % RECENT;
            kept[place] = proposal.sequence.clone();
        }
    }

    /// Does a slice of work if the search is stuck; appends what takes another side.
    fn work(&mut self, search: &mut Search<'_>, most: usize, out: &mut Vec<Proposal>) {
        if search.generation != self.generation {
            self.generation = search.generation;
            self.since = search.totals.executions;
        }
        let now = search.totals.executions;
        let is_stuck = now - self.since >= STALL && now >= self.resting_until;
        let is_spent = self.thought > FREE + now / SHARE;
        if self.is_idle || is_spent || (self.task.is_none() && !is_stuck) || !self.is_ready(search) {
            return;
        }
        let mut left = SLICE;
        let until = self.effort.total() + SLICE_TIME;
        let wanted = out.len() + most;
        while left > 0 && self.effort.total() < until && out.len() < wanted {
            if self.task.is_none() {
                self.task = self.begin(search);
            }
            let (Some(task), Some(tracer)) = (&mut self.task, &mut self.tracer) else {
                self.resting_until = now + REST;
                break;
            };
            let done = task.work(search, tracer, &self.aims, left, &mut self.counts);
            left = left.saturating_sub(done.effort);
            self.effort.add(done.charge);
            let is_over = done.is_over || task.spent() > PER_TASK || !search.goals.is_open(task.goal());
            if is_over {
                self.task = None;
            }
            for (sequence, goals) in done.found {
                self.offer(search, sequence, &goals, out);
            }
        }
    }

    /// Proposes a sequence that goes new ways on our machine.
    fn offer(&mut self, search: &mut Search<'_>, sequence: Sequence, goals: &[GoalId], out: &mut Vec<Proposal>) {
        let is_wanted = goals.iter().any(|goal| {
            let proposed = self.proposed.entry(*goal).or_default();
            *proposed += 1;
            *proposed <= PROPOSED
        });
        if is_wanted && sequence.len() <= search.options.max_length && self.ours.insert(sequence.hash128()) {
            self.counts.proposed += 1;
            out.push(search.offer(sequence, Wanted::default()));
        }
    }

    /// Starts the machine when it is first needed.
    fn is_ready(&mut self, search: &Search<'_>) -> bool {
        if self.tracer.is_some() {
            return true;
        }
        self.aims = aim::aims(search.library.code(), &search.goals);
        let machine = if self.aims.is_empty() { None } else { search.library.machine() };
        let Some(mut machine) = machine else {
            self.is_idle = true;
            return false;
        };
        machine.set_limits(Limits { steps: RUN, ..Limits::default() });
        machine.look_out(search.library.code().iter().map(|c| c.info.name.internal().into()));
        let mut tracer = Tracer::with_solver(machine, search.library.chain());
        tracer.set_patience(PATIENCE);
        self.effort.spend(STUCK_START_NANOS);
        self.tracer = Some(tracer);
        true
    }

    /// The next goal worth a try: its decision was reached, and there is a test that was not begun from yet.
    fn begin(&mut self, search: &mut Search<'_>) -> Option<Task> {
        let mut open: Vec<(u32, Nearness, usize)> = Vec::new();
        for (number, aim) in self.aims.iter().enumerate() {
            let tries = self.tries.get(&aim.goal).copied().unwrap_or(0);
            let proposed = self.proposed.get(&aim.goal).copied().unwrap_or(0);
            if tries < TRIES && proposed < PROPOSED && search.goals.is_open(aim.goal) {
                open.extend(aim.nearness(search).map(|nearness| (tries, nearness, number)));
            }
        }
        open.sort_unstable();
        for (_, nearness, number) in open {
            let aim = &self.aims[number];
            let goal = aim.goal;
            let mut witnesses: Vec<Sequence> = Vec::new();
            let beside = if nearness == Nearness::Reached { Vec::new() } else { aim.nearest(search) };
            let known = aim.siblings.iter().chain(&beside).filter_map(|g| search.archive.get(*g));
            let known = known.map(|kept| &kept.sequence);
            let of_method = search.reaches.iter().enumerate().filter(|(_, reached)| reached.contains(&aim.method));
            let recent = of_method.filter_map(|(m, _)| self.recent.get(&MethodId(m as u32))).flatten();
            for sequence in known.chain(recent) {
                let is_new = sequence.len() <= LONGEST
                    && witnesses.len() < WITNESSES
                    && self.begun_from.insert((goal, sequence.hash128()));
                if is_new {
                    witnesses.push(sequence.clone());
                }
            }
            *self.tries.entry(goal).or_default() += 1;
            if !witnesses.is_empty() {
                self.counts.tries += 1;
                let witnesses = witnesses.iter().map(|test| spares::prepare(search, test)).collect();
                return Some(Task::new(number, goal, witnesses));
            }
        }
        None
    }
}
