//! Exploration of calls on the symbolic machine: runs a call with values and terms, finds values for other ways through it, and keeps the states behind. Owns machine,
//! solver and inputs; which state and which call come next is the agenda's to say.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use symbolic::executor::Slot;
use symbolic::expr::{InputId, Model, Op, Term, Terms};
use symbolic::solver::{Answer, Chain, Limit, Query, Solver, weight};
use symbolic::state::{Change, Condition, Place, ZoneFound};
use symbolic::vm::{Limits, Machine, MethodId, Outcome, PathStep, Snapshot, Stop, Trap};

use super::call::{Argument, Call, assignments};
use super::influence::{Influence, Rules, Set};
use super::inputs::{Inputs, Values, slot};
use super::invokable::{Invokable, Param};
use super::merge::{self, Merge};
use super::settings::{Concolic, Order};
use super::summary::{PathId, Summary};
use super::trail::{Deed, Relation, Trail};
use super::tree::{Node, Open, Tree};
use crate::catalog::Catalog;
use crate::generate::effort::Effort;

/// How far a sequence may run.
const STEPS: u64 = 200_000;
/// Words of heap for one sequence.
const WORDS: usize = 4 << 20;
/// Pairs of calls made once to initialise what they need.
const WARM: usize = 60;
/// Open sides asked for per way that may be found, so that hopeless calls end.
const QUESTIONS: usize = 2;
/// What the terms of a question may weigh to be asked at all, and what an operation weighs whose circuit is large.
const HEAVIEST: u32 = 4_000;
const HEAVY: u32 = 200;

/// What a question may take, by its weight and the conflicts met; and conflicts that any question is worth.
const PATIENCE: u64 = 2_000_000;
const LEAST: u32 = 40;

/// What everybody knows about the sequences to explore.
pub struct Ground {
    pub invokables: Vec<Invokable>,
    pub influence: Influence,
    pub rules: Rules,
    /// Calls may write static fields.
    pub statics: bool,
}

/// A way through a sequence of calls, up to which everything is decided.
#[derive(Clone, Debug)]
pub struct State {
    pub calls: Vec<Call>,
    /// Invokables called so far.
    pub made: Set,
    /// Calls since something new was seen.
    pub stale: u32,
    /// Groups of calls that have to do with each other, by results that became arguments: a number per call.
    pub groups: SmallVec<[u8; 16]>,
    /// The only calls it is explored with, if candidates are explored one by one.
    pub plan: Option<Arc<[u16]>>,
    conditions: Vec<(Term, bool)>,
    /// The same, to be compared.
    condition: Condition,
    base: Base,
}

/// The state of the machine behind the calls, for certain values.
#[derive(Clone, Debug)]
struct Base {
    values: Values,
    results: SmallVec<[Slot; 8]>,
    trail: Trail,
    snapshot: Snapshot,
}

/// How the last call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Normal,
    /// By an exception of this class.
    Threw(Arc<str>),
    /// The machine has no model of something.
    Unmodelled,
    /// Steps, memory or depth were used up.
    Exhausted,
}

/// A way through a whole sequence: a test in the making.
#[derive(Clone, Debug)]
pub struct Way {
    pub calls: Vec<Call>,
    pub values: Values,
    pub ended: Ended,
    /// Branches of any class that went a way nobody had seen.
    pub fresh: Vec<Outcome>,
    /// Every call before the last mattered to a later one.
    pub whole: bool,
    /// The way through the last call, callees by reference.
    pub path: PathId,
    /// Its conditions, all calls' included; the last call's begin at `own`.
    pub conditions: Vec<(Term, bool)>,
    pub own: usize,
    /// What the last call gave, if inputs reach it.
    pub result: Option<Term>,
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
    chain: Chain,
    pub inputs: Inputs,
    pub summary: Summary,
    settings: Concolic,
    pub work: Work,
    /// Why runs ended without a model, and how often.
    pub stops: BTreeMap<String, u64>,
    /// Sides of conditions that were taken, by place.
    sides: FxHashSet<(MethodId, u16, bool)>,
    merge: Merge,
    /// What all of this cost and nobody was charged for yet.
    pub effort: Effort,
}

/// One run of one call.
struct Ran {
    ended: Ended,
    /// Conditions met, without those that had been met before.
    steps: Vec<PathStep>,
    path: PathId,
    trail: Trail,
    relation: Relation,
    result: Slot,
    fresh: Vec<Outcome>,
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
            conditions: Vec::new(),
            condition: Condition::default(),
            base: Base { values: Values::default(), results: SmallVec::new(), trail: Trail::default(), snapshot },
        }
    }

    /// Lets classes be initialised that calls need, so that states begin behind that: calls everything once that needs nothing.
    pub fn warm_up(&mut self, ground: &Ground, catalog: &Catalog) {
        self.machine.set_watching(false);
        for (at, invokable) in ground.invokables.iter().enumerate() {
            let root = self.root();
            let Some(arguments) = assignments(invokable, true, 0, |_, _| false).into_iter().next() else { continue };
            let call = Call { invokable: at as u16, arguments };
            let mut values = Values::default();
            self.prepare(invokable, &call, 0, &mut values);
            let _ = self.perform(ground, catalog, &root.base.results, 0, &call, &values);
            self.machine.settle();
        }
        // Objects and what is called on them.
        let makers = (0..ground.influence.len()).filter(|&at| ground.invokables[at].gives.is_some());
        let pairs = makers.flat_map(|a| (0..ground.influence.len()).map(move |b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| ground.influence.feeds(a, b)).take(WARM);
        for (maker, user) in pairs {
            let mut results: SmallVec<[Slot; 8]> = SmallVec::new();
            self.machine.rewind();
            for at in [maker, user] {
                let number = results.len();
                let fits = |_: usize, wanted: &[crate::catalog::TypeId]| {
                    ground.invokables[maker].gives.is_some_and(|g| wanted.iter().any(|&w| catalog.fits(g, w)))
                };
                let Some(arguments) = assignments(&ground.invokables[at], true, number, fits).into_iter().next() else {
                    break;
                };
                let call = Call { invokable: at as u16, arguments };
                let mut values = Values::default();
                self.prepare(&ground.invokables[at], &call, number, &mut values);
                match self.perform(ground, catalog, &results, number, &call, &values).0 {
                    Ok(made) => results.push(made),
                    Err(_) => break,
                }
            }
            self.machine.settle();
        }
        self.machine.rewind();
        self.machine.set_watching(true);
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

    /// Goes every way through a call behind a state, up to the limit. `prefer` orders the open sides.
    #[expect(clippy::too_many_arguments, reason = "a call and where its results go")]
    pub fn explore(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        state: &State,
        call: Call,
        prefer: &mut dyn FnMut(&Machine, &Open) -> u32,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
        self.work.contexts += 1;
        let number = state.calls.len();
        let mut tree = Tree::default();
        let mut values = state.base.values.clone();
        self.prepare(&ground.invokables[usize::from(call.invokable)], &call, number, &mut values);
        let mut changed = false;
        let (mut found, mut asked) = (0, 0);
        let mut wanted: Vec<(Term, bool)> = Vec::new();
        let mut runs: Vec<Values> = Vec::new();
        let mut aimed_at: Option<Open> = None;
        loop {
            let rebuilt = if changed { self.replay(ground, catalog, state, &values) } else { None };
            if !changed || rebuilt.is_some() {
                let base = rebuilt.as_ref().unwrap_or(&state.base);
                if let Some(ran) = self.run(ground, catalog, state, base, &call, &values)
                    && tree.insert(&ran.steps, runs.len() as u32)
                {
                    runs.push(values.clone());
                    found += 1;
                    self.work.ways += 1;
                    self.keep(ground, state, base, &call, values.clone(), ran, ways, states);
                }
            }
            if let Some(open) = aimed_at.take().filter(|open| tree.is_open(*open)) {
                self.work.strayed += 1;
                tree.close(open, Node::TimeOut);
            }
            // The next way that somebody can go.
            loop {
                let most = self.settings.paths;
                if found >= most || asked >= most * QUESTIONS {
                    return;
                }
                let (sides, machine) = (&self.sides, &self.machine);
                let open = tree.take_open(|o| {
                    let known = sides.contains(&(o.site.method, o.site.pc, o.side));
                    (prefer(machine, o), known, o.depth)
                });
                let Some(open) = open else { return };
                asked += 1;
                wanted.clear();
                wanted.extend_from_slice(&state.conditions);
                tree.way_to(open, &mut wanted);
                let met = &runs[open.run as usize];
                match self.solve_way(state, &wanted, met) {
                    Solved::Values(model, inputs) => {
                        // What has nothing to do with it stays as it was when the condition was met.
                        values = met.clone();
                        for input in inputs {
                            values.set(input, model.bits(input));
                        }
                        changed = !values.same_before(&state.base.values, number, &self.inputs);
                        aimed_at = Some(open);
                        break;
                    }
                    Solved::Impossible => {
                        self.work.infeasible += 1;
                        tree.close(open, Node::Infeasible);
                    }
                    Solved::Unknown => {
                        self.work.given_up += 1;
                        tree.close(open, Node::TimeOut);
                    }
                }
            }
        }
    }

    /// Takes a way in: as a test, and as a state to go on from if every call can still come to matter.
    #[expect(clippy::too_many_arguments, reason = "a call and where its results go")]
    fn keep(
        &mut self,
        ground: &Ground,
        state: &State,
        base: &Base,
        call: &Call,
        values: Values,
        ran: Ran,
        ways: &mut Vec<Way>,
        states: &mut Vec<State>,
    ) {
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

    /// Runs the calls of a state again, with other values. `None` if they go another way.
    fn replay(&mut self, ground: &Ground, catalog: &Catalog, state: &State, values: &Values) -> Option<Base> {
        self.work.replays += 1;
        self.machine.rewind();
        let mut trail = Trail::default();
        let mut results: SmallVec<[Slot; 8]> = SmallVec::new();
        for (number, call) in state.calls.iter().enumerate() {
            let (result, _) = self.perform_watched(ground, catalog, &results, number, call, values, &mut trail).ok()?;
            results.push(result);
        }
        self.effort.run(self.machine.steps(), 0);
        let mut met = state.conditions.iter();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for step in &self.machine.path().steps {
            if seen.insert(step.term) && met.next() != Some(&(step.term, step.taken)) {
                return None;
            }
        }
        if met.next().is_some() {
            return None;
        }
        let snapshot = self.machine.snapshot();
        Some(Base { values: values.clone(), results, trail, snapshot })
    }

    /// Runs one call behind a base. `None` if the machine itself could not.
    fn run(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        state: &State,
        base: &Base,
        call: &Call,
        values: &Values,
    ) -> Option<Ran> {
        self.machine.resume(&base.snapshot).ok()?;
        let (before, begun) = (self.machine.path().steps.len(), self.machine.steps());
        let mut trail = base.trail.clone();
        let number = state.calls.len();
        let ran = self.perform_watched(ground, catalog, &base.results, number, call, values, &mut trail);
        self.effort.run(self.machine.steps() - begun, base.snapshot.words());
        let (result, relation, ended) = match ran {
            Ok((result, relation)) => (result, relation, Ended::Normal),
            Err(trap) => (Slot::new(b'V', 0), Relation::default(), self.ended(trap)),
        };
        let known: FxHashSet<Term> = state.conditions.iter().map(|(t, _)| *t).collect();
        let mut own: FxHashSet<Term> = FxHashSet::default();
        let all = &self.machine.path().steps[before..];
        let kept: Vec<bool> = all.iter().map(|s| !known.contains(&s.term) && own.insert(s.term)).collect();
        let steps = all.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(s, _)| *s).collect();
        let path = self.summary.take(usize::from(call.invokable), all, &kept, before, self.machine.calls());
        let fresh = self.machine.take_outcomes();
        Some(Ran { ended, steps, path, trail, relation, result, fresh })
    }

    fn ended(&mut self, trap: Trap) -> Ended {
        match trap {
            Trap::Throw(exception) => Ended::Threw(self.machine.name_of_class(exception).into()),
            Trap::Stop(stop) => {
                let unmodelled = matches!(*stop, Stop::Unmodelled(_) | Stop::Malformed(_));
                *self.stops.entry(stop.to_string()).or_default() += 1;
                if unmodelled { Ended::Unmodelled } else { Ended::Exhausted }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call and its surroundings")]
    fn perform_watched(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        results: &[Slot],
        number: usize,
        call: &Call,
        values: &Values,
        trail: &mut Trail,
    ) -> Result<(Slot, Relation), Trap> {
        let (ran, top) = self.perform(ground, catalog, results, number, call, values);
        let mut taken = 0;
        for argument in &call.arguments {
            if let Argument::Result(at) = argument {
                taken |= 1 << at;
            }
        }
        let gives = ground.invokables[usize::from(call.invokable)].gives.is_some()
            && ran.as_ref().is_ok_and(|slot| slot.bits != 0);
        let relation = trail.add(Deed { accesses: self.machine.accesses(), top, taken, gives });
        ran.map(|slot| (slot, relation))
    }

    /// Performs a call; also says where new objects began.
    fn perform(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        results: &[Slot],
        number: usize,
        call: &Call,
        values: &Values,
    ) -> (Result<Slot, Trap>, u32) {
        let invokable = &ground.invokables[usize::from(call.invokable)];
        let mut slots: SmallVec<[Slot; 6]> = SmallVec::new();
        for (place, (param, argument)) in invokable.params.iter().zip(&call.arguments).enumerate() {
            let made = match (param, argument) {
                (Param::Number { primitive, boxed }, _) => {
                    let input = self.inputs.number(&mut self.machine.path_mut().terms, number, place, *primitive);
                    let term = self.inputs.term(number, place, 0, Some(*primitive));
                    let value = slot(*primitive, values.get(input), term);
                    if *boxed { self.machine.new_box(value.letter, value.bits, value.term) } else { Ok(value) }
                }
                (Param::Text { seeds }, Argument::Text(seed)) => {
                    let length = seeds[usize::from(*seed)].len();
                    let (mut units, mut terms) = (Vec::with_capacity(length), Vec::with_capacity(length));
                    for part in 0..length {
                        let input = self.inputs.character(&mut self.machine.path_mut().terms, number, place, part);
                        units.push(values.get(input) as u8 as u16);
                        terms.extend(self.inputs.term(number, place, part, None));
                    }
                    self.machine.text_input(&units, &terms)
                }
                (_, Argument::Result(at)) => Ok(results[usize::from(*at)]),
                (_, Argument::Atom(op)) => self.machine.perform(catalog.operation(*op), &[]),
                _ => Ok(Slot::new(b'L', 0)),
            };
            match made {
                Ok(slot) => slots.push(slot),
                Err(trap) => return (Err(trap), self.machine.heap_top()),
            }
        }
        self.machine.forget_notes();
        let top = self.machine.heap_top();
        (self.machine.perform(catalog.operation(invokable.op), &slots), top)
    }

    /// Sets the values that a call begins with: zero for numbers, the seed for texts.
    fn prepare(&mut self, invokable: &Invokable, call: &Call, number: usize, values: &mut Values) {
        for (place, (param, argument)) in invokable.params.iter().zip(&call.arguments).enumerate() {
            if let (Param::Text { seeds }, Argument::Text(seed)) = (param, argument) {
                for (part, unit) in seeds[usize::from(*seed)].iter().enumerate() {
                    let input = self.inputs.character(&mut self.machine.path_mut().terms, number, place, part);
                    values.set(input, u64::from(*unit as u8));
                }
            }
        }
    }

    /// Values for a way behind a state: by differences between integers alone if that is all there is to it, and if possible with the arguments of earlier calls as they are.
    fn solve_way(&mut self, state: &State, wanted: &[(Term, bool)], met: &Values) -> Solved {
        let mut condition = state.condition.clone();
        let terms = &mut self.machine.path_mut().terms;
        if !merge::assume(terms, &self.inputs.names, &mut condition, &wanted[state.conditions.len()..]) {
            self.work.queries += 1;
            return Solved::Impossible;
        }
        if !condition.rest().is_empty() {
            return self.solve(wanted);
        }
        let number = state.calls.len();
        let zero = Place { row: 0, plus: 0 };
        let mut pinned = condition.zone().clone();
        let inputs: Vec<InputId> = pinned.inputs().iter().map(|(input, _)| *input).collect();
        let mut fits = true;
        for (row, &input) in inputs.iter().enumerate() {
            if self.inputs.call_of(input) < number {
                let bits = met.get(input);
                let is_long = self.inputs.names.letter(input) == b'J';
                let value = if is_long { i128::from(bits as i64) } else { i128::from(bits as i32) };
                let place = Place { row: row + 1, plus: 0 };
                fits &= pinned.at_most(place, zero, value) != Change::Empty
                    && pinned.at_most(zero, place, -value) != Change::Empty;
                if !fits {
                    break;
                }
            }
        }
        let found = if fits { pinned.values() } else { ZoneFound::Nothing };
        let found = if let ZoneFound::Values(_) = found { found } else { condition.zone().values() };
        match found {
            ZoneFound::Values(values) => {
                self.work.queries += 1;
                let mut model = Model::default();
                for (input, value) in values {
                    model.set_bits(input, self.inputs.names.bits(input, value));
                }
                Solved::Values(model, inputs)
            }
            ZoneFound::Nothing => {
                self.work.queries += 1;
                Solved::Impossible
            }
            ZoneFound::Unknown => self.solve(wanted),
        }
    }

    /// Values for inputs so that all of these hold, the last one among them; only inputs that have to do with it.
    pub fn solve(&mut self, wanted: &[(Term, bool)]) -> Solved {
        let Some(((goal, side), before)) = wanted.split_last() else { return Solved::Impossible };
        self.work.queries += 1;
        let terms = &mut self.machine.path_mut().terms;
        let mut inputs: Vec<InputId> = terms.inputs_of(*goal).to_vec();
        let mut asked = vec![false; before.len()];
        loop {
            let known = inputs.len();
            for (at, (term, _)) in before.iter().enumerate() {
                if !asked[at] {
                    let own = terms.inputs_of(*term);
                    if own.iter().any(|i| inputs.contains(i)) {
                        asked[at] = true;
                        let more: SmallVec<[InputId; 8]> =
                            own.iter().copied().filter(|i| !inputs.contains(i)).collect();
                        inputs.extend(more);
                    }
                }
            }
            if inputs.len() == known {
                break;
            }
        }
        let chosen = before.iter().zip(&asked).filter(|(_, asked)| **asked).map(|(c, _)| c);
        let mut conditions: Vec<Term> = Vec::with_capacity(before.len() + 1);
        for (term, holds) in chosen.chain([&(*goal, *side)]) {
            conditions.push(if *holds { *term } else { terms.not(*term) });
        }
        self.work.hard += 1;
        if heaviness(terms, &conditions) > HEAVIEST {
            return Solved::Unknown;
        }
        let query = Query { conditions };
        let weight = weight(terms, &query).max(1);
        let worth = u32::try_from(PATIENCE / weight).unwrap_or(u32::MAX).max(LEAST);
        let limit = Limit { conflicts: self.settings.conflicts.min(worth), stop: None };
        let before = self.chain.work();
        let answer = self.chain.check(terms, &query, limit);
        self.effort.question(weight, self.chain.work() - before);
        match answer {
            Answer::Sat(model) => Solved::Values(model, inputs),
            Answer::Unsat => Solved::Impossible,
            Answer::Unknown(_) => Solved::Unknown,
        }
    }
}

/// How large the circuits for these terms would be.
fn heaviness(terms: &Terms, conditions: &[Term]) -> u32 {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut queue: Vec<Term> = conditions.to_vec();
    let mut weight = 0;
    while let Some(term) = queue.pop() {
        if weight > HEAVIEST || !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        weight += match node.op {
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem => HEAVY,
            Op::FAdd | Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt => HEAVY,
            _ => 1,
        };
        queue.extend_from_slice(node.args());
    }
    weight
}

/// The groups with one more call in them.
fn joined(groups: &[u8], call: &Call) -> SmallVec<[u8; 16]> {
    let mut all: SmallVec<[u8; 16]> = SmallVec::from_slice(groups);
    let own = groups.len() as u8;
    for argument in &call.arguments {
        if let Argument::Result(at) = argument {
            let other = all[usize::from(*at)];
            all.iter_mut().filter(|g| **g == other).for_each(|g| *g = own);
        }
    }
    all.push(own);
    all
}

/// How many different groups there are.
pub fn count(groups: &[u8]) -> u8 {
    (0..groups.len()).filter(|&i| !groups[..i].contains(&groups[i])).count() as u8
}

/// What the solver said.
#[derive(Clone, Debug)]
pub enum Solved {
    /// Values for these inputs.
    Values(Model, Vec<InputId>),
    Impossible,
    Unknown,
}
