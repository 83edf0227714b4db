//! What calls cost: by operation, and by the size of the numbers they were given, operand by operand. Owns these averages, in steps, which are the same on every machine unless the clock has a
//! say in them; decides nothing but whether a number is worth its cost.

use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Var};
use testcase::value::Constant;

use crate::catalog::{Catalog, Role};
use crate::prices::{CALL_LOST_WORKER_STEPS, CALL_OUT_OF_MEMORY_STEPS, DEAR_STEPS, ORDINARY_STEPS};
use crate::record::{guilty, is_deadly};
use crate::rng::Rng;

/// Even the dearest numbers are tried now and then.
const LEAST_CHANCE: f32 = 0.000_5;
/// Lengths of numbers in bits, positive and negative ones apart.
const SIZES: usize = 130;
/// What is made only to be passed on seldom has to be large, and a large number is often how much room it should have: bits beyond which that is asked for seldom.
const ROOM: usize = 16;
const LARGE_CHANCE: f32 = 0.02;
/// Numbers of up to so many bits make no call dear.
const SMALL: usize = 2;

/// How often a number that was dear to two operations is handed to another nevertheless until it proved cheap there: at most, as it depends on what it cost them.
const SUSPECTED_CHANCE: f32 = 0.1;

/// What is known to cost at least this part of a run explains it.
const EXPLAINS: f32 = 0.01;

/// Where a number cost so much, those with fewer than so many more bits are suspected of it, too.
const TOO_MUCH: f32 = 1e6;
const LIKEWISE: usize = 12;

/// Where a number goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub op: OpId,
    pub operand: usize,
}

/// What an operation cost by the size of one operand.
type BySize = [f32; SIZES];

#[derive(Clone, Debug, Default)]
struct Row {
    mean: f32,
    /// By operand; those beyond its end were never dear nor suspected.
    operands: Vec<BySize>,
}

/// The two operations to which numbers of a size, or somewhat smaller ones, were dearest: what they cost one of them, and the other.
#[derive(Clone, Copy, Debug, Default)]
struct Dearest {
    first: Option<OpId>,
    most: f32,
    second: f32,
}

#[derive(Debug, Default)]
pub struct Costs {
    rows: Vec<Option<Box<Row>>>,
    /// By size; empty until one was dear.
    dearest: Vec<Dearest>,
}

impl Costs {
    /// Learns from a run what its operations cost. As long as all are cheap there is nothing to learn.
    pub fn learn(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let steps = steps(execution);
        if steps < DEAR_STEPS && self.rows.is_empty() {
            return;
        }
        // Nothing behind it ran.
        let ended = guilty(&execution.outcome).unwrap_or(sequence.len().saturating_sub(1));
        let Some(last) = sequence.statements().get(ended).map(|s| s.op) else { return };
        match &execution.outcome {
            _ if steps >= DEAR_STEPS => {
                let under_way: Vec<_> = given_to(catalog, sequence, ended).collect();
                self.was_dear(last, steps, given(catalog, sequence, ended + 1).collect(), &under_way);
            }
            Outcome::Normal if execution.passed_over.is_empty() => {
                self.was_cheap(last, steps, given(catalog, sequence, ended + 1));
            }
            // One that refused says nothing of what it would have cost to do what it was asked for.
            Outcome::Threw { .. } => self.was_cheap(last, steps, given(catalog, sequence, ended)),
            _ => {}
        }
    }

    /// It may be the last one's burden to do what another was asked for, as a table of a million places is filled later than it is ordered: everybody is suspected who was given a number, unless one
    /// of them is known for it. Without numbers it is the last operation itself.
    fn was_dear(&mut self, last: OpId, steps: f32, mut given: Vec<(Place, usize)>, under_way: &[(Place, usize)]) {
        given.sort_unstable();
        given.dedup();
        let is_known = |at: &(Place, usize)| self.cost(at.0, at.1) > DEAR_STEPS.max(EXPLAINS * steps);
        let is_explained = given.iter().any(is_known);
        given.retain(|at| !is_explained || is_known(at));
        let is_alone = given.iter().all(|at| at.0.op == given[0].0.op);
        for at in &given {
            let is_under_way = under_way.contains(at);
            self.blame(at.0, at.1, steps, if is_under_way { 0.5 } else { 0.25 });
            // Of several nobody knows which it was: others are not suspected for that.
            if is_explained || is_under_way || is_alone {
                self.tell(at.0, at.1, steps);
            }
        }
        if !is_explained && under_way.is_empty() {
            blend(&mut self.row(last).mean, steps, 0.05);
        }
    }

    /// One look is enough to become careful, as one may cost as much as thousands of others.
    fn blame(&mut self, place: Place, size: usize, steps: f32, share: f32) {
        let by_size = self.by_size(place);
        blend(&mut by_size[size], steps, share);
        if steps >= TOO_MUCH {
            // Not every size has to cost as much before it is believed, but what proved cheap is.
            let larger = by_size[likewise(size)].iter_mut().skip(1).filter(|cost| **cost == 0.0 || **cost > DEAR_STEPS);
            larger.for_each(|cost| blend(cost, steps, share / 2.0));
        }
    }

    /// Lets the other operations know what numbers of this size cost here. What is dear with a number seldom is cheap with a larger one.
    fn tell(&mut self, place: Place, size: usize, steps: f32) {
        if self.cost(place, size) <= DEAR_STEPS {
            return;
        }
        self.dearest.resize(SIZES, Dearest::default());
        for dearest in &mut self.dearest[likewise(size)] {
            if dearest.first == Some(place.op) {
                dearest.most = dearest.most.max(steps);
            } else if steps > dearest.most {
                *dearest = Dearest { first: Some(place.op), most: steps, second: dearest.most };
            } else {
                dearest.second = dearest.second.max(steps);
            }
        }
    }

    /// The whole run was cheap: nobody in it is to be suspected of the numbers he was given.
    fn was_cheap(&mut self, last: OpId, steps: f32, given: impl Iterator<Item = (Place, usize)>) {
        if self.is_known(last) {
            blend(&mut self.row(last).mean, steps, 0.05);
        }
        for (place, size) in given {
            let cost = self.cost(place, size);
            if cost > 1.0 || (cost == 0.0 && self.suspicion(size).is_some()) {
                blend(&mut self.by_size(place)[size], steps.max(1.0), if cost > 1.0 { 0.1 } else { 1.0 });
            }
        }
    }

    /// Learns from a run in which nobody knows who was to blame: everybody is.
    pub fn learn_whole(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let steps = steps(execution);
        for (at, statement) in sequence.statements().iter().enumerate() {
            let given = given_to(catalog, sequence, at);
            if steps < DEAR_STEPS {
                self.was_cheap(statement.op, steps, given);
                continue;
            }
            blend(&mut self.row(statement.op).mean, steps, 0.05);
            for (place, size) in given {
                self.blame(place, size, steps, 0.5);
                self.tell(place, size, steps);
            }
        }
    }

    /// What numbers of this size may cost where nothing is known of them: what they cost two others, and the worse of it if that was much.
    fn suspicion(&self, size: usize) -> Option<f32> {
        let dearest = self.dearest.get(size)?;
        let cost = if dearest.second >= TOO_MUCH { dearest.most } else { dearest.second };
        (cost > 0.0).then_some(cost)
    }

    /// Is the operation so dear that it should not be repeated for nothing?
    pub fn is_dear(&self, op: OpId) -> bool {
        self.mean(op) > DEAR_STEPS
    }

    /// How many ordinary runs one of this operation costs.
    pub fn ordinary_runs(&self, op: OpId) -> f32 {
        (self.mean(op) / ORDINARY_STEPS).max(1.0)
    }

    /// Should this constant be handed to the operation? The dearer such numbers were, the seldomer.
    pub fn accepts(&self, catalog: &Catalog, place: Place, constant: OpId, rng: &mut Rng) -> bool {
        let makes_room = catalog.facts(place.op).role == Role::Feed
            && matches!(catalog.operation(place.op).kind, OperationKind::Construct { .. });
        if !makes_room && self.rows.is_empty() {
            return true;
        }
        size_of(&catalog.operation(constant).kind).is_none_or(|size| {
            let is_large = makes_room && size % (SIZES / 2) > ROOM;
            self.takes(place, size, rng) && (!is_large || rng.chance(LARGE_CHANCE))
        })
    }

    /// Is a sequence that was made of others worth its cost, by the numbers that are new in it?
    pub fn accepts_child(&self, catalog: &Catalog, parents: [&Sequence; 2], child: &Sequence, rng: &mut Rng) -> bool {
        let op_of = |sequence: &Sequence, var: Var| sequence.statements()[var.index()].op;
        let is_inherited = |place: Place, constant: OpId| {
            let mut statements = parents.iter().flat_map(|p| p.statements().iter().map(move |s| (p, s)));
            statements.any(|(p, s)| s.op == place.op && op_of(p, s.args[place.operand]) == constant)
        };
        self.rows.is_empty()
            || child.statements().iter().all(|s| {
                s.args.iter().enumerate().all(|(operand, arg)| {
                    let (place, constant) = (Place { op: s.op, operand }, op_of(child, *arg));
                    let size = size_of(&catalog.operation(constant).kind);
                    size.is_none_or(|size| self.takes(place, size, rng) || is_inherited(place, constant))
                })
            })
    }

    /// The same for a single number, by what such numbers cost in this very place: whoever approaches something has to try all sizes. Only those that cost others a worker, or as
    /// much as running out of memory, are suspected here, too.
    pub fn accepts_move(&self, catalog: &Catalog, place: Place, constant: OpId, rng: &mut Rng) -> bool {
        size_of(&catalog.operation(constant).kind).is_none_or(|size| {
            let is_feared = self.suspicion(size).is_some_and(|cost| cost >= CALL_OUT_OF_MEMORY_STEPS);
            if is_feared { self.takes(place, size, rng) } else { is_worth(self.cost(place, size), rng) }
        })
    }

    fn takes(&self, place: Place, size: usize, rng: &mut Rng) -> bool {
        let cost = self.cost(place, size);
        match self.suspicion(size) {
            // Nothing is known of it here, but elsewhere it was dear.
            Some(elsewhere) if cost == 0.0 => {
                rng.chance((DEAR_STEPS / elsewhere).clamp(LEAST_CHANCE, SUSPECTED_CHANCE))
            }
            _ => is_worth(cost, rng),
        }
    }

    /// What it cost to put numbers of the size there; 0 if nothing is known.
    fn cost(&self, place: Place, size: usize) -> f32 {
        let row = self.rows.get(place.op.index()).and_then(Option::as_ref);
        row.and_then(|row| row.operands.get(place.operand)).map_or(0.0, |by_size| by_size[size])
    }

    /// Of most operations there is nothing to know: they never were dear, nor suspected.
    fn is_known(&self, op: OpId) -> bool {
        matches!(self.rows.get(op.index()), Some(Some(_)))
    }

    fn row(&mut self, op: OpId) -> &mut Row {
        if self.rows.len() <= op.index() {
            self.rows.resize(op.index() + 1, None);
        }
        self.rows[op.index()].get_or_insert_default()
    }

    fn by_size(&mut self, place: Place) -> &mut BySize {
        let operands = &mut self.row(place.op).operands;
        if operands.len() <= place.operand {
            operands.resize(place.operand + 1, [0.0; SIZES]);
        }
        &mut operands[place.operand]
    }

    fn mean(&self, op: OpId) -> f32 {
        self.rows.get(op.index()).and_then(Option::as_ref).map_or(0.0, |row| row.mean)
    }
}

/// Where a value is used.
pub fn places(sequence: &Sequence, var: Var) -> impl Iterator<Item = Place> + '_ {
    sequence.statements().iter().flat_map(move |s| {
        let operands = s.args.iter().enumerate().filter(move |(_, arg)| **arg == var);
        operands.map(|(operand, _)| Place { op: s.op, operand })
    })
}

/// Where what this statement makes is used first; its own place if it is not.
pub fn place_of(sequence: &Sequence, at: usize) -> Place {
    let unused = Place { op: sequence.statements()[at].op, operand: 0 };
    places(sequence, Var(at as u16)).next().unwrap_or(unused)
}

fn steps(execution: &Execution) -> f32 {
    match &execution.outcome {
        Outcome::OutOfMemory { .. } => CALL_OUT_OF_MEMORY_STEPS,
        other if is_deadly(other) => CALL_LOST_WORKER_STEPS,
        _ => execution.steps as f32,
    }
}

/// The dearer, the seldomer.
fn is_worth(cost: f32, rng: &mut Rng) -> bool {
    cost <= DEAR_STEPS || rng.chance((0.05 * DEAR_STEPS / cost).max(LEAST_CHANCE))
}

/// This size and those that are suspected with it.
fn likewise(size: usize) -> std::ops::Range<usize> {
    let longest = if size < SIZES / 2 { SIZES / 2 } else { SIZES };
    size..(size + LIKEWISE).min(longest)
}

fn blend(mean: &mut f32, seen: f32, share: f32) {
    *mean += share * (seen - *mean);
}

/// Where the first so many statements were given numbers, and of what size.
fn given<'a>(
    catalog: &'a Catalog,
    sequence: &'a Sequence,
    statements: usize,
) -> impl Iterator<Item = (Place, usize)> + 'a {
    (0..statements).flat_map(move |at| given_to(catalog, sequence, at))
}

fn given_to<'a>(catalog: &'a Catalog, sequence: &'a Sequence, at: usize) -> impl Iterator<Item = (Place, usize)> + 'a {
    let statement = &sequence.statements()[at];
    statement.args.iter().enumerate().filter_map(move |(operand, arg)| {
        let constant = sequence.statements()[arg.index()].op;
        Some((Place { op: statement.op, operand }, size_of(&catalog.operation(constant).kind)?))
    })
}

/// Bits of a whole number that is not small.
fn size_of(kind: &OperationKind) -> Option<usize> {
    let OperationKind::Constant(constant) = kind else {
        return None;
    };
    let n = match constant {
        Constant::Char(n) => i64::from(*n),
        Constant::Short(n) => i64::from(*n),
        Constant::Int(n) => i64::from(*n),
        Constant::Long(n) => *n,
        _ => return None,
    };
    let bits = (64 - n.unsigned_abs().leading_zeros()) as usize;
    (bits > SMALL).then_some(if n < 0 { bits + SIZES / 2 } else { bits })
}

#[cfg(test)]
mod tests;
