//! Local search: the literals of the test that is nearest to a goal, moved one at a time, until a move comes nearer; then from there. Owns which moves were tried; whether one
//! was a gain shows in the population.

use rustc_hash::FxHashMap;
use testcase::operation::OperationKind;
use testcase::sequence::Sequence;

use super::change::{constant_like, has_room, literals};
use super::neighbour::neighbours;
use crate::goal::GoalId;
use crate::search::Search;

/// Moves per test and goal.
const MOST_MOVES: usize = 900;
/// Literals of a test that are moved; the last ones are the most likely to matter.
const MOST_LITERALS: usize = 10;
/// After so many fruitless rounds a goal is left alone for a while: twice as long each time.
const PATIENCE: u64 = 4;

#[derive(Debug, Default)]
struct State {
    /// The test whose moves were all tried, or are being tried.
    base: Option<Sequence>,
    next: usize,
    failures: u32,
    rest_until: u64,
}

#[derive(Debug, Default)]
pub struct LocalSearch {
    states: FxHashMap<GoalId, State>,
    turn: usize,
    /// How often it was asked.
    rounds: u64,
}

impl LocalSearch {
    /// Up to `n` tests near the best ones; each goal comes with the test nearest to it.
    pub fn moves(&mut self, search: &mut Search<'_>, best: &[(GoalId, &Sequence)], n: usize, out: &mut Vec<Sequence>) {
        self.rounds += 1;
        let wanted = out.len() + n;
        if !has_room(search) {
            return;
        }
        for _ in 0..best.len() {
            if out.len() >= wanted {
                return;
            }
            self.turn = (self.turn + 1) % best.len();
            let (goal, base) = best[self.turn];
            self.around(search, goal, base, wanted - out.len(), out);
        }
    }

    fn around(&mut self, search: &mut Search<'_>, goal: GoalId, base: &Sequence, n: usize, out: &mut Vec<Sequence>) {
        let state = self.states.entry(goal).or_default();
        if state.base.as_ref() != Some(base) {
            // Somebody came nearer: on from there at once.
            let again = state.base.is_some() && state.next != 0;
            *state = State {
                base: Some(base.clone()),
                failures: if again { 0 } else { state.failures },
                ..State::default()
            };
        } else if state.next == usize::MAX {
            if self.rounds < state.rest_until {
                return;
            }
            state.next = 0;
        }
        let all = all_moves(search, base);
        let end = (state.next + n).min(all.len());
        for (at, value) in &all[state.next.min(end)..end] {
            let op = constant_like(search, base.statements()[*at].op, value.clone());
            out.push(base.replace_op(*at, op));
        }
        state.next = end;
        if end == all.len() {
            state.next = usize::MAX;
            state.failures = (state.failures + 1).min(12);
            state.rest_until = self.rounds + (PATIENCE << state.failures);
        }
    }
}

/// The moves of all literals, smallest first.
fn all_moves(search: &Search<'_>, base: &Sequence) -> Vec<(usize, testcase::value::Constant)> {
    let literals = literals(search, base);
    let from = literals.len().saturating_sub(MOST_LITERALS);
    let mut of_each: Vec<(usize, std::vec::IntoIter<testcase::value::Constant>)> = literals[from..]
        .iter()
        .filter_map(|&at| match &search.catalog.operation(base.statements()[at].op).kind {
            OperationKind::Constant(value) => Some((at, neighbours(value).into_iter())),
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
