//! Local search: the literals of the test that is nearest to a goal, moved one at a time by steps of all sizes and by just as much as is missing; from whatever comes nearer it goes on. Owns which
//! moves were tried; whether one was a gain shows in the population.

use rustc_hash::FxHashMap;
use testcase::operation::OperationKind;
use testcase::sequence::{Sequence, Var};
use testcase::value::Constant;

use super::change::{constant_like, has_room, literals};
use super::neighbour::{neighbours, shifted};
use crate::costs::places;
use crate::goal::GoalId;
use crate::rng::Rng;
use crate::search::Search;

/// Moves per test and goal.
const MOST_MOVES: usize = 1200;
/// Literals of a test that are moved; the last ones are the most likely to matter.
const MOST_LITERALS: usize = 10;
/// So long the results of a round may take.
const FLIGHT: u64 = 3;
/// After a fruitless round a goal is left alone for so many, and for twice as many each time.
const PATIENCE: u64 = 8;

/// A goal with the test that is nearest to it.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a> {
    pub goal: GoalId,
    pub test: &'a Sequence,
    pub distance: f64,
    /// What is missing where it is decided, in the units of the comparison.
    pub gap: f64,
}

/// What was tried for a goal.
#[derive(Debug)]
struct State {
    base: Sequence,
    distance: f64,
    /// Only one literal was moved: the one whose move was a gain before.
    focused: bool,
    failures: u32,
    rest_until: u64,
}

/// A round under way.
#[derive(Debug)]
struct Round {
    goal: GoalId,
    base: Sequence,
    moves: Vec<(usize, Constant)>,
    next: usize,
}

#[derive(Debug, Default)]
pub struct LocalSearch {
    states: FxHashMap<GoalId, State>,
    round: Option<Round>,
    turn: usize,
    /// How often it was asked.
    asked: u64,
}

impl LocalSearch {
    /// Up to `n` tests near the nearest ones, without those whose numbers proved too dear.
    pub fn moves(
        &mut self,
        search: &mut Search<'_>,
        nearest: &[Nearest<'_>],
        n: usize,
        rng: &mut Rng,
        out: &mut Vec<Sequence>,
    ) {
        self.asked += 1;
        let wanted = out.len() + n;
        while out.len() < wanted && has_room(search) {
            let Some(round) = self.round.as_mut() else {
                match self.begin(search, nearest) {
                    Some(round) => self.round = Some(round),
                    None => return,
                }
                continue;
            };
            let end = (round.next + wanted - out.len()).min(round.moves.len());
            for (at, value) in &round.moves[round.next..end] {
                let statements = round.base.statements();
                let op = constant_like(search, statements[*at].op, value.clone());
                let mut users = places(&round.base, Var(*at as u16));
                if users.all(|place| search.costs.accepts_move(&search.catalog, place, op, rng)) {
                    out.push(round.base.replace_op(*at, op));
                }
            }
            round.next = end;
            if end == round.moves.len() {
                if let Some(state) = self.states.get_mut(&round.goal) {
                    state.rest_until = self.asked + FLIGHT;
                }
                self.round = None;
            }
        }
    }

    /// The next round: for a goal that somebody came nearer to, or else for one that was not tried for a while.
    fn begin(&mut self, search: &Search<'_>, nearest: &[Nearest<'_>]) -> Option<Round> {
        for wants_gain in [true, false] {
            for _ in 0..nearest.len() {
                self.turn = (self.turn + 1) % nearest.len();
                let near = &nearest[self.turn];
                if let Some(focus) = self.consider(near, wants_gain) {
                    let moves = all_moves(search, near, focus);
                    if !moves.is_empty() {
                        return Some(Round { goal: near.goal, base: near.test.clone(), moves, next: 0 });
                    }
                }
            }
        }
        None
    }

    /// Is a round for this goal worth it? If so, which literal alone should be moved, if not all.
    fn consider(&mut self, near: &Nearest<'_>, wants_gain: bool) -> Option<Option<usize>> {
        let new = |focused, failures, rest_until| State {
            base: near.test.clone(),
            distance: near.distance,
            focused,
            failures,
            rest_until,
        };
        let Some(state) = self.states.get_mut(&near.goal) else {
            self.states.insert(near.goal, new(false, 0, u64::MAX));
            return Some(None);
        };
        if near.distance < state.distance {
            let focus = changed_literal(&state.base, near.test);
            *state = new(focus.is_some(), 0, u64::MAX);
            return Some(focus);
        }
        if wants_gain || self.asked < state.rest_until {
            return None;
        }
        if state.focused {
            *state = new(false, state.failures, u64::MAX);
            return Some(None);
        }
        if state.rest_until == u64::MAX {
            return None;
        }
        // The last round brought nothing: another one much later, from whatever is nearest then.
        let failures = (state.failures + 1).min(12);
        let again = state.failures > 0;
        *state = new(false, failures, self.asked + (PATIENCE << failures));
        again.then_some(None)
    }
}

/// The one statement in which two tests differ, if it is only its operation.
fn changed_literal(before: &Sequence, after: &Sequence) -> Option<usize> {
    if before.len() != after.len() {
        return None;
    }
    let mut differing = before.statements().iter().zip(after.statements()).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (a, b)) = differing.next()?;
    (differing.next().is_none() && a.args == b.args).then_some(at)
}

/// Moves of all literals, or of one: by what is missing first, then by steps, of each literal in turn.
fn all_moves(search: &Search<'_>, near: &Nearest<'_>, focus: Option<usize>) -> Vec<(usize, Constant)> {
    let base = near.test;
    let literals = literals(search, base);
    let from = literals.len().saturating_sub(MOST_LITERALS);
    let chosen = literals[from..].iter().copied().filter(|at| focus.is_none_or(|f| f == *at));
    let mut of_each: Vec<(usize, std::vec::IntoIter<Constant>)> = chosen
        .filter_map(|at| match &search.catalog.operation(base.statements()[at].op).kind {
            OperationKind::Constant(value) => {
                let mut moves = shifted(value, near.gap);
                moves.extend(neighbours(value));
                Some((at, moves.into_iter()))
            }
            _ => None,
        })
        .collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        for (at, moves) in &mut of_each {
            all.extend(moves.next().map(|value| (*at, value)));
        }
        if all.len() == before || all.len() >= MOST_MOVES {
            all.truncate(MOST_MOVES);
            return all;
        }
    }
}
