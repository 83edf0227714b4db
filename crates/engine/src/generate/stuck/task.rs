//! One try at one side of a decision: runs tests on the symbolic machine with their literals and what they can choose as inputs, turns conditions on the way round one at a time, and goes on from what
//! comes of it, nearest to the decision first. Owns the order of these; proposes nothing itself.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::expr::Term;
use symbolic::solver::{Limit, Solver, Why};
use symbolic::trace::{End, Flip, Step, Trace, Tracer, Wish};
use symbolic::vm::{Site, Stop};
use testcase::sequence::Sequence;

use super::Solved;
use super::aim::Aim;
use super::spares::{self, Prepared};
use crate::generate::effort::Effort;
use crate::goal::GoalId;
use crate::search::Search;

/// Work that a run costs besides its instructions, and that a question costs.
const RUN: u64 = 300;
const QUESTION: u64 = 1_000;
/// Conditions of one run that are turned round, and of these at most so many of one place.
const FLIPS: usize = 48;
const PER_SITE: usize = 5;
/// Runs that wait for their turn.
const WAITING: usize = 256;
const LIMIT: Limit<'static> = Limit::of(2_000);
/// Instructions of initialisers that no second run should pay for.
const DEAR_START: u64 = 20_000;

/// A sequence to go on from.
#[derive(Clone, Debug)]
struct Item {
    prepared: Prepared,
    /// Conditions before this one are not turned round: another item does that.
    from: usize,
    /// What was there before, if the condition from which on it goes has more than one other side; and the arena of these terms.
    tried: (u32, Vec<Term>),
    generation: u32,
}

/// The run whose conditions are being turned round.
#[derive(Debug)]
struct Open {
    item: Item,
    trace: Trace,
    /// Conditions still to be turned round, the next one last.
    flips: Vec<usize>,
    /// Conditions up to the decision.
    until: usize,
}

/// What a slice of work gave.
#[derive(Debug, Default)]
pub struct Done {
    pub effort: u64,
    /// What it took, to be charged for.
    pub charge: Effort,
    pub is_over: bool,
    /// Sequences, each with the open goals it reaches on the machine.
    pub found: Vec<(Sequence, Vec<GoalId>)>,
}

#[derive(Debug)]
pub struct Task {
    aim: usize,
    goal: GoalId,
    /// By whether the decision was not even reached, how far before it the condition was that was turned round last, with something for every generation, and age.
    waiting: BTreeMap<(bool, u32, u64), Item>,
    open: Option<Open>,
    seen: FxHashSet<u128>,
    age: u64,
    spent: u64,
}

impl Task {
    pub fn new(aim: usize, goal: GoalId, witnesses: Vec<Prepared>) -> Task {
        let mut task =
            Task { aim, goal, waiting: BTreeMap::new(), open: None, seen: FxHashSet::default(), age: 0, spent: 0 };
        for prepared in witnesses {
            task.seen.insert(prepared.sequence.hash128());
            task.wait(false, 0, Item { prepared, from: 0, tried: (0, Vec::new()), generation: 0 });
        }
        task
    }

    pub fn goal(&self) -> GoalId {
        self.goal
    }

    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Works until so much is done, something was found or nothing is left.
    pub fn work(
        &mut self,
        search: &mut Search<'_>,
        tracer: &mut Tracer,
        aims: &[Aim],
        most: u64,
        counts: &mut Solved,
    ) -> Done {
        let mut done = Done::default();
        while done.effort < most && done.charge.total() < super::SLICE_TIME && done.found.is_empty() {
            let Some(open) = &mut self.open else {
                let Some((_, item)) = self.waiting.pop_first() else {
                    done.is_over = true;
                    break;
                };
                let mut ran = run(search, tracer, &item.prepared, counts);
                ran.charge(&mut done);
                if ran.initialised > DEAR_START {
                    // What was initialised stays so for the runs to come, if no trace is alive meanwhile.
                    drop(ran.trace);
                    ran = run(search, tracer, &item.prepared, counts);
                    ran.charge(&mut done);
                }
                let trace = ran.trace;
                self.look(search, tracer, aims, &item.prepared, &mut done);
                let until = reached_at(tracer, &aims[self.aim]).map_or(trace.steps.len(), |at| at as usize);
                let flips = self.flips(tracer, &aims[self.aim], &item, &trace, until);
                self.open = Some(Open { item, trace, flips, until });
                continue;
            };
            let Some(at) = open.flips.pop() else {
                self.open = None;
                continue;
            };
            counts.questions += 1;
            let operations = search.catalog.operations();
            let (arena, tried) = &open.item.tried;
            let is_next = at == open.item.from && *arena == tracer.arena();
            let besides: Vec<Term> = if is_next { tried.clone() } else { Vec::new() };
            let sequence = &open.item.prepared.sequence;
            let before = tracer.solver().0.work();
            let flip = tracer.flip_besides(operations, sequence, &open.trace, at, &besides, LIMIT);
            done.effort += QUESTION + tracer.last_weight();
            done.charge.question(tracer.last_weight(), tracer.solver().0.work() - before);
            let replacements = match flip {
                Flip::Found(replacements) => replacements,
                Flip::Infeasible => {
                    counts.unsatisfiable += 1;
                    continue;
                }
                Flip::Unknown(Why::Weight(..)) => continue,
                Flip::Unknown(_) => {
                    // It took all the work that it was worth.
                    done.effort += super::PATIENCE / 2;
                    continue;
                }
            };
            counts.satisfiable += 1;
            let sequence = spares::replaced(search, sequence, replacements);
            let step = open.trace.steps[at];
            let (from, tried) = if step.site.check.has_many_sides() {
                let this = tracer.condition(&Step { taken: false, ..step });
                (at, besides.into_iter().chain([this]).collect())
            } else {
                (at + 1, Vec::new())
            };
            let generation = open.item.generation + 1;
            let before = open.until.saturating_sub(at) as u32;
            if self.seen.insert(sequence.hash128()) {
                let prepared = open.item.prepared.with(sequence);
                let ran = run(search, tracer, &prepared, counts);
                ran.charge(&mut done);
                let is_reached = self.look(search, tracer, aims, &prepared, &mut done);
                let tried = (tracer.arena(), tried);
                self.wait(!is_reached, before, Item { prepared, from, tried, generation });
                if ran.initialised > DEAR_START {
                    // The same for what the run whose conditions are turned round did not initialise: it begins again, and what came of it already is known by then.
                    let begun = self.open.take();
                    begun.into_iter().for_each(|open| self.wait(false, 0, open.item));
                }
            }
        }
        if done.found.iter().any(|(_, goals)| goals.contains(&self.goal)) {
            done.is_over = true;
        }
        self.spent += done.effort;
        done
    }

    fn wait(&mut self, is_astray: bool, before: u32, item: Item) {
        self.age += 1;
        self.waiting.insert((is_astray, before + 2 * item.generation, self.age), item);
        if self.waiting.len() > WAITING {
            self.waiting.pop_last();
        }
    }

    /// Which open goals the last run reached on the machine. Says whether it came to the decision.
    fn look(
        &self,
        search: &Search<'_>,
        tracer: &mut Tracer,
        aims: &[Aim],
        prepared: &Prepared,
        done: &mut Done,
    ) -> bool {
        let machine = tracer.machine();
        let reached = aims
            .iter()
            .filter(|aim| search.goals.is_open(aim.goal))
            .filter(|aim| aim.outcome(machine).is_some_and(|outcome| machine.way_gone(&outcome).is_some()));
        let goals: Vec<GoalId> = reached.map(|aim| aim.goal).collect();
        if !goals.is_empty() {
            done.found.push((prepared.tidy(), goals));
        }
        reached_at(tracer, &aims[self.aim]).is_some()
    }

    /// Conditions worth turning round, the best last: those of the decision itself, then those before it, the latest first.
    fn flips(&self, tracer: &mut Tracer, aim: &Aim, item: &Item, trace: &Trace, until: usize) -> Vec<usize> {
        let own = aim.outcome(tracer.machine()).map(|o| (o.method, o.pc));
        let is_own = |site: Site| own == Some((site.method, site.pc));
        let mut per_site: FxHashMap<Site, usize> = FxHashMap::default();
        let mut candidates: Vec<usize> = (item.from..until.min(trace.steps.len())).rev().collect();
        candidates.retain(|at| {
            let site = trace.steps[*at].site;
            let seen = per_site.entry(site).or_default();
            *seen += 1;
            *seen <= PER_SITE || is_own(site)
        });
        candidates.sort_by_key(|at| !is_own(trace.steps[*at].site));
        candidates.truncate(FLIPS);
        candidates.reverse();
        candidates
    }
}

/// How many conditions there were when the last run last came to a decision.
fn reached_at(tracer: &mut Tracer, aim: &Aim) -> Option<u32> {
    let machine = tracer.machine();
    let outcome = aim.outcome(machine)?;
    let at_decision = machine.ways_gone().filter(|(way, _)| (way.method, way.pc) == (outcome.method, outcome.pc));
    at_decision.map(|(_, at)| at).max()
}

/// A run on the symbolic machine.
struct Ran {
    trace: Trace,
    /// Instructions of initialisers on the way, and with those that were run once more to be kept.
    initialised: u64,
    all_initialised: u64,
}

impl Ran {
    fn charge(&self, done: &mut Done) {
        let instructions = self.trace.instructions + self.all_initialised;
        done.effort += RUN + instructions;
        done.charge.run(instructions, 0);
    }
}

fn run(search: &Search<'_>, tracer: &mut Tracer, prepared: &Prepared, counts: &mut Solved) -> Ran {
    let before = tracer.initialising();
    // What earlier runs initialised is kept now, which is not this run's doing.
    tracer.begin();
    let begun = tracer.initialising();
    tracer.machine().forget_ways();
    let wish = Wish { states: false, lengths: true };
    let operations = search.catalog.operations();
    let trace = tracer.run_choosing(operations, &prepared.sequence, wish, &prepared.choices);
    counts.runs += 1;
    if let End::Stopped { stop: stop @ Stop::Unmodelled(_), .. } = &trace.end {
        *counts.unmodelled.entry(stop.to_string()).or_default() += 1;
    }
    let now = tracer.initialising();
    Ran { trace, initialised: now - begun, all_initialised: now - before }
}
