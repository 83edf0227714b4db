//! What calls cost: by operation, and by the size of the numbers they were given, operand by operand. Owns these averages, in steps, which are the same on every machine unless the clock has a
//! say in them; decides nothing but whether a number is worth its cost.

use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Var};
use testcase::value::Constant;

use crate::catalog::{Catalog, Role};
use crate::record::{guilty, is_deadly};
use crate::rng::Rng;

/// Runs of fewer steps are never dear: a JVM does that many in a fraction of a millisecond.
pub const DEAR: f32 = 20_000.0;
/// Up to here a run is an ordinary one.
const ORDINARY: f32 = 2_000.0;
/// What running out of memory and losing a worker stand for.
const OUT_OF_MEMORY: f32 = 5e6;
const LOST_WORKER: f32 = 5e7;
/// Even the dearest numbers are tried now and then.
const LEAST_CHANCE: f32 = 0.000_5;
/// Lengths of numbers in bits, positive and negative ones apart.
const SIZES: usize = 130;
/// What is made only to be passed on seldom has to be large, and a large number is often how much room it should have: bits beyond which that is asked for seldom.
const ROOM: usize = 16;
const LARGE_CHANCE: f32 = 0.02;
/// Numbers of up to so many bits make no call dear.
const SMALL: usize = 2;

/// To how many operations numbers of a size, or smaller ones, have to be dear before others are suspected, and how often they get one of that size nevertheless until it proved cheap there: at most,
/// as it depends on what they cost.
const DEAR_TO: u32 = 2;
const SUSPECTED_CHANCE: f32 = 0.1;

/// Where a number cost so much, those with fewer than so many more bits are suspected of it, too.
const TOO_MUCH: f32 = 1e6;
const LIKEWISE: usize = 12;

/// Where a number goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// For which sizes the operation is counted among those to which they were dear: a bit for each.
    counted: [u64; SIZES.div_ceil(64)],
}

/// What numbers of a size cost elsewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Elsewhere {
    /// To how many operations they, or somewhat smaller ones, proved dear.
    operations: u32,
    /// The most they cost one of them.
    most: f32,
}

#[derive(Debug, Default)]
pub struct Costs {
    rows: Vec<Option<Box<Row>>>,
    /// By size; empty until one was dear.
    elsewhere: Vec<Elsewhere>,
}

impl Costs {
    /// Learns from a run what its operations cost. As long as all are cheap there is nothing to learn.
    pub fn learn(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let steps = steps(execution);
        if steps < DEAR && self.rows.is_empty() {
            return;
        }
        // Nothing behind it ran.
        let ended = guilty(&execution.outcome).unwrap_or(sequence.len().saturating_sub(1));
        let Some(last) = sequence.statements().get(ended).map(|s| s.op) else { return };
        match &execution.outcome {
            _ if steps >= DEAR => self.was_dear(last, steps, &given(catalog, sequence, ended + 1).collect::<Vec<_>>()),
            Outcome::Normal => self.was_cheap(last, steps, given(catalog, sequence, ended + 1)),
            // One that refused says nothing of what it would have cost to do what it was asked for.
            Outcome::Threw { .. } => self.was_cheap(last, steps, given(catalog, sequence, ended)),
            _ => {}
        }
    }

    /// It may be the last one's burden to do what another was asked for, as a table of a million places is filled later than it is ordered: everybody is suspected who was given a number, unless one
    /// of them is known for it. Without numbers it is the last operation itself.
    fn was_dear(&mut self, last: OpId, steps: f32, given: &[(Place, usize)]) {
        let known = |costs: &Costs, at: &(Place, usize)| costs.cost(at.0, at.1) > DEAR;
        let is_explained = given.iter().any(|at| known(self, at));
        let mut last_was_given = false;
        for at in given.iter().filter(|at| !is_explained || known(self, at)).copied().collect::<Vec<_>>() {
            last_was_given |= at.0.op == last;
            self.blame(at.0, at.1, steps, if at.0.op == last { 0.5 } else { 0.25 });
        }
        if !is_explained && !last_was_given {
            blend(&mut self.row(last).mean, steps, 0.05);
        }
    }

    /// One look is enough to become careful, as one may cost as much as thousands of others.
    fn blame(&mut self, place: Place, size: usize, steps: f32, share: f32) {
        let longest = if size < SIZES / 2 { SIZES / 2 } else { SIZES };
        let larger = size + 1..(size + LIKEWISE).min(longest);
        let by_size = self.by_size(place);
        blend(&mut by_size[size], steps, share);
        if steps >= TOO_MUCH {
            // Not every size has to cost as much before it is believed.
            by_size[larger.clone()].iter_mut().for_each(|cost| blend(cost, steps, share / 2.0));
        }
        if by_size[size] > DEAR {
            // What is dear with a number seldom is cheap with a larger one.
            (size..larger.end).for_each(|size| self.count(place.op, size, steps));
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
            if steps < DEAR {
                self.was_cheap(statement.op, steps, given);
                continue;
            }
            blend(&mut self.row(statement.op).mean, steps, 0.05);
            given.for_each(|(place, size)| self.blame(place, size, steps, 0.5));
        }
    }

    /// Counts the operation among those to which numbers of a size are dear, once.
    fn count(&mut self, op: OpId, size: usize, steps: f32) {
        let (word, bit) = (&mut self.row(op).counted[size / 64], 1 << (size % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        self.elsewhere.resize(SIZES, Elsewhere::default());
        let elsewhere = &mut self.elsewhere[size];
        elsewhere.operations += u32::from(is_new);
        elsewhere.most = elsewhere.most.max(steps);
    }

    /// What numbers of this size may cost where nothing is known of them.
    fn suspicion(&self, size: usize) -> Option<f32> {
        self.elsewhere.get(size).filter(|e| e.operations >= DEAR_TO).map(|e| e.most)
    }

    /// Is the operation so dear that it should not be repeated for nothing?
    pub fn is_dear(&self, op: OpId) -> bool {
        self.mean(op) > DEAR
    }

    /// How many ordinary runs one of this operation costs.
    pub fn ordinary_runs(&self, op: OpId) -> f32 {
        (self.mean(op) / ORDINARY).max(1.0)
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

    /// The same for a single number, by what such numbers cost in this very place: whoever approaches something has to try all sizes. Only those that cost others a worker are suspected here, too.
    pub fn accepts_move(&self, catalog: &Catalog, place: Place, constant: OpId, rng: &mut Rng) -> bool {
        size_of(&catalog.operation(constant).kind).is_none_or(|size| {
            let is_deadly = self.suspicion(size).is_some_and(|most| most >= OUT_OF_MEMORY);
            if is_deadly { self.takes(place, size, rng) } else { is_worth(self.cost(place, size), rng) }
        })
    }

    fn takes(&self, place: Place, size: usize, rng: &mut Rng) -> bool {
        let cost = self.cost(place, size);
        match self.suspicion(size) {
            // Nothing is known of it here, but elsewhere it was dear.
            Some(elsewhere) if cost == 0.0 => rng.chance((DEAR / elsewhere).clamp(LEAST_CHANCE, SUSPECTED_CHANCE)),
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
        Outcome::OutOfMemory { .. } => OUT_OF_MEMORY,
        other if is_deadly(other) => LOST_WORKER,
        _ => execution.steps as f32,
    }
}

/// The dearer, the seldomer.
fn is_worth(cost: f32, rng: &mut Rng) -> bool {
    cost <= DEAR || rng.chance((0.05 * DEAR / cost).max(LEAST_CHANCE))
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
mod tests {
    use super::*;

    const CALL: OpId = OpId(3);

    fn size(n: i32) -> Option<usize> {
        size_of(&OperationKind::Constant(Constant::Int(n)))
    }

    fn place(op: u32, operand: usize) -> Place {
        Place { op: OpId(op), operand }
    }

    /// Runs of an operation that was given numbers of these sizes, one after the other.
    fn run(costs: &mut Costs, op: u32, steps: f32, sizes: &[usize]) {
        let given: Vec<_> = sizes.iter().enumerate().map(|(i, &size)| (place(op, i), size)).collect();
        if steps < DEAR {
            costs.was_cheap(OpId(op), steps, given.into_iter())
        } else {
            costs.was_dear(OpId(op), steps, &given)
        }
    }

    /// How often of 1,000 a number of this size is handed out.
    fn taken(costs: &Costs, place: Place, size: usize) -> usize {
        let mut rng = Rng::new(1);
        (0..1_000).filter(|_| costs.takes(place, size, &mut rng)).count()
    }

    /// How often of 1,000 a large number is handed out after runs with one of its size.
    fn check(steps: f32, runs: usize) -> usize {
        let mut costs = Costs::default();
        let (large, alike) = (size(2_000_000_000).unwrap(), size(i32::MAX).unwrap());
        (0..runs).for_each(|_| run(&mut costs, 3, steps, &[large]));
        assert_eq!(taken(&costs, place(3, 0), size(5_000).unwrap()), 1_000, "others as before");
        assert_eq!(taken(&costs, place(3, 1), alike), 1_000, "in other places as before");
        assert_eq!(taken(&costs, place(9, 0), alike), 1_000, "elsewhere as before");
        taken(&costs, place(3, 0), alike)
    }

    #[test]
    fn numbers_that_proved_dear_are_handed_out_seldom() {
        assert_eq!(check(500.0, 100), 1_000);
        assert!((1..100).contains(&check(200_000.0, 3)));
        assert!(check(OUT_OF_MEMORY, 1) < 20);
    }

    #[test]
    fn whoever_was_given_a_large_number_before_a_dear_call_is_suspected_of_it() {
        let mut costs = Costs::default();
        let large = size(1 << 24).unwrap();
        (0..4).for_each(|_| costs.was_dear(OpId(7), 5e6, &[(place(3, 0), large)]));
        assert!(taken(&costs, place(3, 0), large) < 20 && !costs.is_dear(CALL));
        assert!(costs.is_dear(OpId(7)), "it may be its fault as well");
        (0..100).for_each(|_| run(&mut costs, 3, 10.0, &[large]));
        assert_eq!(taken(&costs, place(3, 0), large), 1_000, "forgiven");
    }

    #[test]
    fn whoever_is_known_to_be_slow_explains_it_for_the_others() {
        let (large, other) = (size(1 << 20).unwrap(), size(1_000).unwrap());
        let mut costs = Costs::default();
        run(&mut costs, 3, 4e6, &[large]);
        (0..5).for_each(|_| run(&mut costs, 3, 4e6, &[large, other]));
        assert_eq!(taken(&costs, place(3, 1), other), 1_000);
        assert!(taken(&costs, place(3, 0), large) < 20);
        assert!(!costs.is_dear(CALL), "with other numbers it may be quick");
    }

    #[test]
    fn what_costs_much_is_not_tried_with_somewhat_larger_numbers() {
        let mut costs = Costs::default();
        run(&mut costs, 3, LOST_WORKER, &[size(20).unwrap()]);
        let taken = |n: i32| taken(&costs, place(3, 0), size(n).unwrap());
        assert!(taken(20) < 20 && taken(1_000) < 20);
        assert_eq!([taken(8), taken(i32::MAX), taken(-1_000)], [1_000; 3]);
    }

    #[test]
    fn what_was_dear_to_two_operations_is_handed_to_others_seldom_until_it_proved_cheap_there() {
        let (large, other) = (size(1 << 20).unwrap(), place(8, 0));
        let mut costs = Costs::default();
        for _ in 0..3 {
            run(&mut costs, 3, 2e5, &[large]);
            run(&mut costs, 3, 2e5, &[large + 2]);
            assert_eq!(taken(&costs, other, large), 1_000, "one operation, however often");
            (0..20).for_each(|_| run(&mut costs, 3, 10.0, &[large]));
        }
        run(&mut costs, 4, 2e5, &[large]);
        assert!((50..200).contains(&taken(&costs, other, large)));
        assert!(taken(&costs, other, large + 1) < 200, "larger ones likewise");
        assert_eq!(taken(&costs, other, large - 1), 1_000, "smaller ones as before");
        run(&mut costs, 4, LOST_WORKER, &[large]);
        assert!(taken(&costs, other, large) < 20, "the dearer, the seldomer");
        run(&mut costs, 8, 10.0, &[large]);
        assert_eq!(taken(&costs, other, large), 1_000);
    }

    #[test]
    fn small_numbers_are_never_to_blame_and_signs_are_told_apart() {
        assert_eq!((size(0), size(3), size(-3)), (None, None, None));
        assert_ne!(size(1 << 20), size(-(1 << 20)));
    }

    #[test]
    fn a_dear_operation_is_known_after_a_while_and_forgiven_later() {
        let mut costs = Costs::default();
        (0..20).for_each(|_| run(&mut costs, 3, 1e6, &[]));
        assert!(costs.is_dear(CALL) && costs.ordinary_runs(CALL) > 10.0);
        (0..200).for_each(|_| run(&mut costs, 3, 10.0, &[]));
        assert!(!costs.is_dear(CALL) && costs.ordinary_runs(CALL) == 1.0);
    }
}
