//! Values for ways: what the solver is asked, and what a question is worth. Owns the limits; which ways are asked for is the explorer's.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use symbolic::expr::{InputId, Model, Op, Term, Terms};
use symbolic::solver::{Answer, Limit, Query, Solver, weight};
use symbolic::state::{Change, Place, ZoneFound};

use super::explorer::Explorer;
use super::inputs::Values;
use super::merge;
use super::state::State;

/// What the terms of a question may weigh to be asked at all, and what an operation weighs whose circuit is large.
const HEAVIEST: u32 = 4_000;
const HEAVY: u32 = 200;
/// What a question may take, by its weight and the conflicts met; and conflicts that any question is worth.
const PATIENCE: u64 = 2_000_000;
const LEAST: u32 = 40;
/// What may be asked in passing.
const LIGHT: u64 = 2_500;

/// What the solver said.
#[derive(Clone, Debug)]
pub enum Solved {
    /// Values for these inputs.
    Values(Model, Vec<InputId>),
    Impossible,
    Unknown,
    /// It was not asked: it weighs so much.
    Hard(u64),
}

impl Explorer {
    /// Values for a way behind a state: by differences between integers alone if that is all there is to it, and if possible with the arguments of earlier calls as they are.
    pub(super) fn solve_way(&mut self, state: &State, wanted: &[(Term, bool)], met: &Values, patient: bool) -> Solved {
        let mut condition = state.condition.clone();
        let terms = &mut self.machine.path_mut().terms;
        if !merge::assume(terms, &self.inputs.names, &mut condition, &wanted[state.conditions.len()..]) {
            self.work.queries += 1;
            return Solved::Impossible;
        }
        if !condition.rest().is_empty() {
            return self.solve(wanted, patient);
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
            ZoneFound::Unknown => self.solve(wanted, patient),
        }
    }

    /// Values for inputs so that all of these hold, the last one among them; only inputs that have to do with it. Who has no patience is told what is hard.
    pub fn solve(&mut self, wanted: &[(Term, bool)], patient: bool) -> Solved {
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
        let weight = weight(terms, &conditions).max(1);
        if !patient && weight > LIGHT {
            return Solved::Hard(weight);
        }
        let worth = u32::try_from(PATIENCE / weight).unwrap_or(u32::MAX).max(LEAST);
        let limit =
            Limit { conflicts: self.settings.conflicts.min(worth), weight: PATIENCE / u64::from(LEAST), stop: None };
        let before = self.chain.work();
        let answer = self.chain.check(terms, &Query { conditions }, limit);
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
