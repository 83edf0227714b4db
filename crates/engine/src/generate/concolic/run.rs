//! Runs of calls on the symbolic machine: from a state, from the beginning, and to warm up. Owns how arguments are made and what is noted of a run; decides nothing.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use symbolic::executor::Slot;
use symbolic::expr::Term;
use symbolic::vm::{Outcome, PathStep, Stop, Trap};

use super::call::{Argument, Call, assignments};
use super::explorer::{Behind, Explorer, Ground};
use super::inputs::{Values, slot};
use super::invokable::{Invokable, Param};
use super::starts::Starts;
use super::state::{Base, Ended, State};
use super::summary::PathId;
use super::trail::{Deed, Relation, Trail};
use crate::catalog::Catalog;

/// Pairs of calls made once to initialise what they need.
const WARM: usize = 60;

/// One run of one call.
pub(super) struct Ran {
    pub ended: Ended,
    /// Conditions met, without those that had been met before.
    pub steps: Vec<PathStep>,
    pub path: PathId,
    pub trail: Trail,
    pub relation: Relation,
    pub result: Slot,
    pub fresh: Vec<Outcome>,
}

impl Explorer {
    /// Lets classes be initialised that calls need, so that states begin behind that: calls everything once that needs nothing.
    pub fn warm_up(&mut self, ground: &Ground, catalog: &Catalog) {
        self.machine.set_watching(false);
        for (at, invokable) in ground.invokables.iter().enumerate() {
            let root = self.root();
            let Some(arguments) = assignments(invokable, true, 0, |_, _| false).into_iter().next() else { continue };
            let call = Call { invokable: at as u16, arguments };
            let mut values = Values::default();
            self.prepare(invokable, &call, 0, None, &mut values);
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
                self.prepare(&ground.invokables[at], &call, number, None, &mut values);
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

    /// Runs the calls of a state again, with other values. `None` if they go another way.
    pub(super) fn replay(
        &mut self,
        ground: &Ground,
        catalog: &Catalog,
        state: &State,
        values: &Values,
    ) -> Option<Base> {
        self.work.replays += 1;
        self.machine.rewind();
        let initialising = self.machine.initialising();
        let mut trail = Trail::default();
        let mut results: SmallVec<[Slot; 8]> = SmallVec::new();
        let mut calls = state.calls.iter().enumerate();
        let is_whole = calls.all(|(number, call)| {
            let ran = self.perform_watched(ground, catalog, &results, number, call, values, &mut trail);
            ran.map(|(result, _)| results.push(result)).is_ok()
        });
        self.effort.run(self.machine.steps() + self.machine.initialising() - initialising, 0);
        if !is_whole {
            return None;
        }
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
    pub(super) fn run(&mut self, at: Behind<'_>, base: &Base, values: &Values) -> Option<Ran> {
        let Behind { ground, catalog, state, call } = at;
        self.machine.resume(&base.snapshot).ok()?;
        let (before, begun) = (self.machine.path().steps.len(), self.machine.steps());
        let initialising = self.machine.initialising();
        let mut trail = base.trail.clone();
        let number = state.calls.len();
        let ran = self.perform_watched(ground, catalog, &base.results, number, call, values, &mut trail);
        let initialised = self.machine.initialising() - initialising;
        self.effort.run(self.machine.steps() - begun + initialised, base.snapshot.words());
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

    /// Sets the values that a call begins with: the seed for texts; numbers of one of the starts, or zero.
    pub(super) fn prepare(
        &mut self,
        invokable: &Invokable,
        call: &Call,
        number: usize,
        start: Option<(&Starts, usize)>,
        values: &mut Values,
    ) {
        for (place, (param, argument)) in invokable.params.iter().zip(&call.arguments).enumerate() {
            if let (Param::Number { primitive, .. }, Some((starts, run))) = (param, start.filter(|(_, run)| *run > 0)) {
                let input = self.inputs.number(&mut self.machine.path_mut().terms, number, place, *primitive);
                values.set(input, starts.number(*primitive, run, number, place));
            }
            if let (Param::Text { seeds }, Argument::Text(seed)) = (param, argument) {
                for (part, unit) in seeds[usize::from(*seed)].iter().enumerate() {
                    let input = self.inputs.character(&mut self.machine.path_mut().terms, number, place, part);
                    values.set(input, u64::from(*unit as u8));
                }
            }
        }
    }
}
