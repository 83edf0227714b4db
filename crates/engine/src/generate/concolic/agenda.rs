//! What is explored next: states with the calls to try behind them. Owns the order, by aim or exhaustively, and the bounds of both; explores nothing itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::candidates::Candidates;
use super::explorer::Ground;
use super::influence::Set;
use super::settings::{Concolic, Order};
use super::state::{State, count};

/// A state waiting, cheapest first.
#[derive(Debug)]
struct Waiting {
    key: (u32, u32, u64),
    state: State,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// States in order.
#[derive(Debug)]
pub struct Agenda {
    settings: Concolic,
    aimed: BinaryHeap<Reverse<Waiting>>,
    /// Depth first: what is waiting is never more than one state's successors per call.
    stack: Vec<State>,
    counter: u64,
    /// How many calls the sequences now explored have; for the exhaustive order.
    length: usize,
    /// Candidate by candidate: the method under test and what was tried.
    planned: Option<Planned>,
    begun: bool,
    /// A state was refused because too many were waiting.
    pub refused: bool,
    /// Candidates taken up one by one.
    pub candidates: u64,
}

/// Where the enumeration of candidates is.
#[derive(Debug)]
struct Planned {
    method: usize,
    candidates: Option<Candidates>,
}

impl Agenda {
    pub fn new(settings: Concolic) -> Agenda {
        Agenda {
            settings,
            aimed: BinaryHeap::new(),
            stack: Vec::new(),
            counter: 0,
            length: 1,
            planned: None,
            begun: false,
            refused: false,
            candidates: 0,
        }
    }

    /// How long the sequences are that are explored now.
    pub fn length(&self) -> usize {
        match self.settings.order {
            Order::Aimed | Order::Breadth => self.settings.calls,
            Order::Exhaustive => self.length,
        }
    }

    /// The state to go on with. `root` makes the one before all calls.
    pub fn next(&mut self, ground: &Ground, goals: &Set, root: &mut dyn FnMut() -> State) -> Option<State> {
        if self.settings.order != Order::Exhaustive {
            if !std::mem::replace(&mut self.begun, true) {
                return Some(root());
            }
            return self.aimed.pop().map(|w| w.0.state);
        }
        loop {
            if let Some(state) = self.stack.pop() {
                return Some(state);
            }
            if self.settings.grouping {
                if std::mem::replace(&mut self.begun, true) {
                    self.length += 1;
                }
                if self.length > self.settings.calls {
                    return None;
                }
                return Some(root());
            }
            let plan = self.next_plan(ground, goals)?;
            self.candidates += 1;
            let mut state = root();
            state.plan = Some(plan);
            self.stack.push(state);
        }
    }

    fn next_plan(&mut self, ground: &Ground, goals: &Set) -> Option<Arc<[u16]>> {
        loop {
            let length = self.length;
            let planned = self.planned.get_or_insert(Planned { method: 0, candidates: None });
            if planned.method >= ground.influence.len() {
                self.planned = None;
                self.length += 1;
                if self.length > self.settings.calls {
                    return None;
                }
                continue;
            }
            if goals.contains(planned.method) {
                let new = || Candidates::new(ground.rules, planned.method as u16, length);
                let candidates = planned.candidates.get_or_insert_with(new);
                if let Some(found) = candidates.next(&ground.influence) {
                    return Some(found.into());
                }
            }
            planned.method += 1;
            planned.candidates = None;
        }
    }

    /// Takes in the states behind a call.
    pub fn add(&mut self, states: &mut Vec<State>) {
        match self.settings.order {
            Order::Exhaustive => {
                let length = self.length;
                self.stack.extend(states.drain(..).rev().filter(|s| s.calls.len() < length));
            }
            Order::Aimed | Order::Breadth => {
                let aimed = self.settings.order == Order::Aimed;
                for state in states.drain(..).filter(|s| s.calls.len() < self.settings.calls) {
                    if self.aimed.len() >= self.settings.max_states {
                        self.refused = true;
                        continue;
                    }
                    self.counter += 1;
                    let calls = state.calls.len() as u32;
                    // Several objects make many sequences, of which few are of use.
                    let apart = u32::from(count(&state.groups)) * 2;
                    let later = u32::from(state.stepping);
                    let key = (calls + if aimed { state.stale + apart + later } else { 0 }, calls, self.counter);
                    self.aimed.push(Reverse(Waiting { key, state }));
                }
            }
        }
    }

    /// Calls to try behind a state, by the rules of candidates: everything called so far has to matter to something that can still come.
    pub fn calls_behind(&self, ground: &Ground, state: &State, goals: &Set, chains: &[Set], out: &mut Vec<usize>) {
        out.clear();
        let length = self.length();
        let number = state.calls.len();
        if let Some(plan) = &state.plan {
            out.extend(plan.get(number).map(|&at| usize::from(at)));
            return;
        }
        let left = length - number - 1;
        let (influence, rules) = (&ground.influence, ground.rules);
        let exhaustive = self.settings.order == Order::Exhaustive;
        // Those that have not mattered to anything yet.
        let pending: Vec<usize> = (0..number)
            .map(|i| (i, usize::from(state.calls[i].invokable)))
            .filter(|(i, a)| !state.calls[i + 1..].iter().any(|b| influence.matters(*a, usize::from(b.invokable))))
            .map(|(_, a)| a)
            .collect();
        for at in 0..influence.len() {
            if !influence.can_be_called(at, &state.made, rules) {
                continue;
            }
            // Where equal states are one, so are the orders that lead to them.
            if let Some(last) = state.calls.last().filter(|_| exhaustive || !self.settings.merge)
                && !influence.may_follow(usize::from(last.invokable), at, rules)
            {
                continue;
            }
            let is_goal = goals.contains(at);
            let rest = pending.iter().filter(|&&p| !influence.matters(p, at));
            let can_wait = |r: usize, who: usize| chains.get(r).is_some_and(|c| c.contains(who));
            let as_last = is_goal && rest.clone().count() == 0;
            let as_step = left > 0 && can_wait(left, at) && rest.clone().all(|&p| can_wait(left, p));
            // In the exhaustive order shorter sequences have had their turn.
            let wanted = if exhaustive && left == 0 {
                as_last
            } else if exhaustive {
                as_step
            } else {
                as_last || as_step
            };
            if wanted && (!exhaustive || left > 0 || !rules.dataflow || self.is_linked(ground, state, at)) {
                out.push(at);
            }
        }
    }

    fn is_linked(&self, ground: &Ground, state: &State, last: usize) -> bool {
        let mut sequence: Vec<u16> = state.calls.iter().map(|c| c.invokable).collect();
        sequence.push(last as u16);
        ground.influence.is_linked(&sequence)
    }
}
