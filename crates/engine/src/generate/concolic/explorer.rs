//! Exploration of calls on the symbolic machine: runs a call with values and terms, finds values for other ways through it, and keeps the states behind. Owns machine,
//! solver and inputs; which state and which call come next is the agenda's to say.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use symbolic::executor::Slot;
use symbolic::expr::Term;
use symbolic::solver::Chain;
use symbolic::state::Condition;
use symbolic::vm::{Limits, Machine, MethodId};

use super::aim::SOMEWHERE;
use super::call::{Call, assignments};
use super::deferred::{Deferred, Question};
use super::influence::{Influence, Rules, Set};
use super::inputs::{Inputs, Values};
use super::invokable::Invokable;
use super::merge::{self, Merge};
use super::run::Ran;
use super::settings::{Concolic, Order};
use super::solving::Solved;
use super::starts::Starts;
use super::state::{Base, Ended, State, Way, count, joined};
use super::summary::Summary;
use super::trail::Trail;
use super::tree::{Node, Open, Tree};
use crate::catalog::Catalog;
use crate::generate::effort::Effort;

/// How far a sequence may run.
const STEPS: u64 = 200_000;
/// Words of heap for one sequence.
const WORDS: usize = 4 << 20;
/// Open sides asked for per way that may be found, so that hopeless calls end.
const QUESTIONS: usize = 2;
/// The same for sides behind which nothing is known to be uncovered, where something uncovered is aimed at.
const IDLE: usize = 6;
/// Hard questions one behind the other.
const HARD: u32 = 4;

/// What everybody knows about the sequences to explore.
pub struct Ground {
    pub invokables: Vec<Invokable>,
    pub influence: Influence,
    pub rules: Rules,
    /// Calls may write static fields.
    pub statics: bool,
    pub starts: Starts,
}

/// A call behind a state.
#[derive(Clone, Copy)]
pub struct Behind<'a> {
    pub ground: &'a Ground,
    pub catalog: &'a Catalog,
    pub state: &'a State,
    pub call: &'a Call,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Calls explored: a state, an invokable, an assignment of references.
    pub contexts: u64,
    /// Ways through them.
    pub ways: u64,
    /// Ways that were not gone on with because a call could not matter any more.
    pub pruned: u64,
    /// Ways whose end was known as a state.
    pub merged: u64,
    /// Questions to the solver and its answers.
    pub queries: u64,
    /// Questions that were more than differences between integers.
    pub hard: u64,
    pub infeasible: u64,
    pub given_up: u64,
    /// Runs from the beginning, because earlier arguments had to change.
    pub replays: u64,
    /// Runs that did not go the way that was solved for.
    pub strayed: u64,
}

pub struct Explorer {
    pub machine: Machine,
    pub(super) chain: Chain,
    pub inputs: Inputs,
    pub summary: Summary,
    pub(super) settings: Concolic,
    pub work: Work,
    /// Why runs ended without a model, and how often.
    pub stops: BTreeMap<String, u64>,
    /// Sides of conditions that were taken, by place.
    sides: FxHashSet<(MethodId, u16, bool)>,
    merge: Merge,
    deferred: Deferred,
    /// What all of this cost and nobody was charged for yet.
    pub effort: Effort,
}

impl Explorer {
    pub fn new(mut machine: Machine, chain: Chain, settings: Concolic) -> Explorer {
        machine.set_limits(Limits { steps: STEPS, words: WORDS, ..Limits::default() });
        machine.set_symbolic(true);
        machine.set_watching(true);
        machine.path_mut().representation = settings.heap;
        Explorer {
            machine,
            chain,
            inputs: Inputs::default(),
            summary: Summary::new(settings.inline_callees),
            settings,
            work: Work::default(),
            stops: BTreeMap::new(),
            sides: FxHashSet::default(),
            merge: Merge::default(),
            deferred: Deferred::default(),
            effort: Effort::default(),
        }
    }

    /// Nothing has been called.
    pub fn root(&mut self) -> State {
        self.machine.rewind();
        let snapshot = self.machine.snapshot();
        State {
            calls: Vec::new(),
            made: Set::default(),
            stale: 0,
            groups: SmallVec::new(),
            plan: None,
            stepping: false,
            conditions: Vec::new(),
            condition: Condition::default(),
            base: Base { values: Values::default(), results: SmallVec::new(), trail: Trail::default(), snapshot },
        }
    }

    /// Ways to fill the parameters of an invokable behind a state.
    pub fn fillings(&self, ground: &Ground, catalog: &Catalog, state: &State, invokable: usize) -> Vec<Call> {
        let what = &ground.invokables[invokable];
        let results = &state.base.results;
        let fits = |at: usize, wanted: &[crate::catalog::TypeId]| {
            let given = ground.invokables[usize::from(state.calls[at].invokable)].gives;
            let is_object = results[at].letter == b'L' && results[at].bits != 0;
            is_object && given.is_some_and(|g| wanted.iter().any(|&w| catalog.fits(g, w)))
        };
        let all = assignments(what, ground.rules.nulls, state.calls.len(), fits);
        all.into_iter().map(|arguments| Call { invokable: invokable as u16, arguments }).collect()
    }

    /// Goes every way through a call behind a state, up to the limit. `prefer` orders the open sides. What is too hard to be asked in passing is kept for `answer`.
    pub fn explore(
        &mut self,
        at: Behind<'_>,
        prefer: &mut dyn FnMut(&Machine, &Open) -> u32,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        self.work.contexts += 1;
        let number = at.state.calls.len();
        let invokable = &at.ground.invokables[usize::from(at.call.invokable)];
        let is_aimed = self.settings.order == Order::Aimed;
        let starts = if is_aimed { Starts::runs(invokable) } else { 1 };
        let mut tree = Tree::default();
        let mut runs: Vec<Values> = Vec::new();
        for start in 0..starts {
            let mut values = at.state.base.values.clone();
            self.prepare(invokable, at.call, number, Some((&at.ground.starts, start)), &mut values);
            self.go(at, values, (&mut tree, &mut runs), ways, states);
        }
        self.go_on(at, (tree, runs), 0, prefer, ways, states);
    }

    /// Goes ways that leave known ones, nearest to something uncovered first. `hard`: how many hard questions led here.
    fn go_on(
        &mut self,
        at: Behind<'_>,
        (mut tree, mut runs): (Tree, Vec<Values>),
        hard: u32,
        prefer: &mut dyn FnMut(&Machine, &Open) -> u32,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        let is_aimed = self.settings.order == Order::Aimed;
        let most = self.settings.paths + runs.len().saturating_sub(1);
        let (mut asked, mut idle) = (0, 0);
        let mut wanted: Vec<(Term, bool)> = Vec::new();
        let mut kept: Option<Arc<State>> = None;
        while runs.len() < most && asked < self.settings.paths * QUESTIONS && idle < IDLE {
            let (sides, machine) = (&self.sides, &self.machine);
            let open = tree.take_open(|o| {
                let known = sides.contains(&(o.site.method, o.site.pc, o.side));
                (prefer(machine, o), known, o.depth)
            });
            let Some(open) = open else { return };
            let distance = prefer(&self.machine, &open);
            asked += 1;
            idle += usize::from(is_aimed && distance >= SOMEWHERE);
            wanted.clear();
            wanted.extend_from_slice(&at.state.conditions);
            tree.way_to(open, &mut wanted);
            let met = &runs[open.run as usize];
            match self.solve_way(at.state, &wanted, met, !is_aimed) {
                Solved::Values(model, inputs) => {
                    // What has nothing to do with it stays as it was when the condition was met.
                    let mut values = met.clone();
                    for input in inputs {
                        values.set(input, model.bits(input));
                    }
                    self.go(at, values, (&mut tree, &mut runs), ways, states);
                    if tree.is_open(open) {
                        self.work.strayed += 1;
                        tree.close(open, Node::TimeOut);
                    }
                }
                Solved::Impossible => {
                    self.work.infeasible += 1;
                    tree.close(open, Node::Infeasible);
                }
                Solved::Hard(weight) => {
                    tree.close(open, Node::TimeOut);
                    // It took no time to find that out.
                    asked -= 1;
                    if distance < SOMEWHERE && hard < HARD {
                        let question = || {
                            let state = kept.get_or_insert_with(|| Arc::new(at.state.clone())).clone();
                            let (call, wanted, met) = (at.call.clone(), wanted.clone(), met.clone());
                            Question { state, call, wanted, met, open, hard: hard + 1 }
                        };
                        self.deferred.add(distance, weight, question, open, wanted.len());
                    }
                }
                Solved::Unknown => {
                    self.work.given_up += 1;
                    tree.close(open, Node::TimeOut);
                }
            }
        }
    }

    /// Are there questions that were put off?
    pub fn is_asked(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// Takes up the best question that was put off, and goes the way it asks for.
    pub fn answer(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        prefer: &mut dyn FnMut(&Machine, &Open) -> u32,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        while let Some(question) = self.deferred.next() {
            // Somebody may have got there by now.
            if prefer(&self.machine, &question.open) >= SOMEWHERE {
                continue;
            }
            match self.solve(&question.wanted, true) {
                Solved::Values(model, inputs) => {
                    let mut values = question.met;
                    for input in inputs {
                        values.set(input, model.bits(input));
                    }
                    let at = Behind { ground, catalog, state: &question.state, call: &question.call };
                    // Behind the decision there may be others.
                    let (mut tree, mut runs) = (Tree::default(), Vec::new());
                    self.go(at, values, (&mut tree, &mut runs), ways, states);
                    self.go_on(at, (tree, runs), question.hard, prefer, ways, states);
                }
                Solved::Impossible => self.work.infeasible += 1,
                Solved::Hard(_) | Solved::Unknown => self.work.given_up += 1,
            }
            return;
        }
    }

    /// Runs a call with these values, and takes the way in if it is none of those in the tree.
    fn go(
        &mut self,
        at: Behind<'_>,
        values: Values,
        (tree, runs): (&mut Tree, &mut Vec<Values>),
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        let number = at.state.calls.len();
        let changed = !values.same_before(&at.state.base.values, number, &self.inputs);
        let rebuilt = if changed { self.replay(at.ground, at.catalog, at.state, &values) } else { None };
        if changed && rebuilt.is_none() {
            return;
        }
        let base = rebuilt.as_ref().unwrap_or(&at.state.base);
        let Some(ran) = self.run(at, base, &values) else { return };
        if !tree.insert(&ran.steps, runs.len() as u32) {
            return;
        }
        runs.push(values.clone());
        self.work.ways += 1;
        self.keep(at, base, values, ran, ways, states);
    }

    /// Takes a way in: as a test, and as a state to go on from if every call can still come to matter.
    fn keep(
        &mut self,
        at: Behind<'_>,
        base: &Base,
        values: Values,
        ran: Ran,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        let Behind { ground, state, call, .. } = at;
        for step in &ran.steps {
            self.sides.insert((step.site.method, step.site.pc, step.taken));
        }
        let mut calls = state.calls.clone();
        calls.push(call.clone());
        let mut conditions = state.conditions.clone();
        conditions.extend(ran.steps.iter().map(|s| (s.term, s.taken)));
        let groups = joined(&state.groups, call);
        let goes_on = ran.ended == Ended::Normal
            && self.may_go_on(ground, state, call, &ran)
            && self.may_join(ground, &groups, calls.len());
        let mut results = base.results.clone();
        results.push(ran.result);
        let mut condition = state.condition.clone();
        if goes_on {
            let own = &conditions[state.conditions.len()..];
            merge::assume(&mut self.machine.path_mut().terms, &self.inputs.names, &mut condition, own);
        }
        let merge = self.settings.merge && self.settings.order != Order::Exhaustive;
        let is_new = !goes_on || !merge || self.is_new(ground, &calls, &results, &condition);
        if goes_on && is_new {
            let mut made = state.made;
            made.insert(usize::from(call.invokable));
            let snapshot = self.machine.snapshot();
            states.push(State {
                calls: calls.clone(),
                made,
                groups,
                stale: if ran.fresh.is_empty() { state.stale + 1 } else { 0 },
                plan: state.plan.clone(),
                stepping: false,
                conditions: conditions.clone(),
                condition,
                base: Base { values: values.clone(), results, trail: ran.trail.clone(), snapshot },
            });
        } else if !goes_on && ran.ended == Ended::Normal {
            self.work.pruned += 1;
        }
        ways.push(Way {
            calls,
            values,
            ended: ran.ended,
            fresh: ran.fresh,
            whole: ran.trail.is_whole(),
            path: ran.path,
            conditions,
            own: state.conditions.len(),
            result: ran.result.term,
        });
    }

    /// Was the state behind these calls never reached? Only states of one object are compared.
    fn is_new(&mut self, ground: &Ground, calls: &[Call], results: &[Slot], condition: &Condition) -> bool {
        let gives = |c: &Call| ground.invokables[usize::from(c.invokable)].gives.is_some();
        let made = calls.iter().zip(results).filter(|(c, r)| gives(c) && r.bits != 0).map(|(_, r)| r.bits as u32);
        let mut object = None;
        for made in made {
            if object.replace(made).is_some_and(|other| other != made) {
                return true;
            }
        }
        let Some(object) = object.filter(|_| !ground.statics) else { return true };
        let new = self.merge.is_new(&mut self.machine, &mut self.inputs.names, object, condition);
        self.work.merged += u64::from(!new);
        new
    }

    /// Can later calls still bring all of these together? A call joins as many groups as it takes references.
    fn may_join(&self, ground: &Ground, groups: &[u8], calls: usize) -> bool {
        let apart = usize::from(count(groups)) - 1;
        let left = self.settings.calls.saturating_sub(calls);
        !ground.rules.dataflow || ground.statics || apart <= left * ground.influence.most_slots().saturating_sub(1)
    }

    fn may_go_on(&self, ground: &Ground, state: &State, call: &Call, ran: &Ran) -> bool {
        if !self.settings.prune {
            return true;
        }
        let merges = self.settings.merge && self.settings.order != Order::Exhaustive;
        if let Some(before) = state.calls.last().filter(|_| !merges) {
            let (a, b) = (usize::from(before.invokable), usize::from(call.invokable));
            let out_of_order = ground.rules.partial_order && a > b;
            let swappable = !ran.relation.influenced && !ran.relation.overwrote && !ground.influence.matters(b, a);
            if out_of_order && swappable {
                return false;
            }
        }
        ran.trail.can_go_on()
    }
}
