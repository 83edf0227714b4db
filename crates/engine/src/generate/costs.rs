//! What calls cost: by operation, and by the size of the numbers they were given. Owns these averages, in steps, which are the same on every machine unless the clock has a say in them;
//! decides nothing but whether a number is worth its cost.

use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::Constant;

use crate::catalog::{Catalog, Role};
use crate::record::is_deadly;
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

/// To how many operations numbers of a size, or smaller ones, have to be dear before others are suspected, and how often they get one of that size nevertheless until it proved cheap there.
const DEAR_TO: u32 = 2;
const SUSPECTED_CHANCE: f32 = 0.1;

/// Where a number cost a worker, or as much as one, those with fewer than so many more bits are suspected of it, too.
const LIKEWISE: usize = 12;

#[derive(Clone, Debug)]
struct Row {
    mean: f32,
    by_size: [f32; SIZES],
    /// For which sizes the operation is counted among those to which they were dear: a bit for each.
    counted: [u64; SIZES.div_ceil(64)],
}

#[derive(Debug, Default)]
pub struct Costs {
    rows: Vec<Option<Box<Row>>>,
    /// To how many operations numbers of each size, or somewhat smaller ones, proved dear; empty until there is one.
    dear_to: Vec<u32>,
}

impl Costs {
    /// Learns from a run what its last operation costs. Most runs are cheap and leave no trace.
    pub fn learn(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let Some((last, before)) = sequence.statements().split_last() else { return };
        let steps = steps(execution);
        self.note(last.op, steps, sizes(catalog, sequence, last));
        if steps < DEAR {
            self.clear(catalog, sequence, before);
            return;
        }
        // It may be the last one's burden to do what another was asked for: a table of a million places is filled later than it is ordered.
        for statement in before {
            for size in sizes(catalog, sequence, statement) {
                self.suspect(statement.op, steps, size);
            }
        }
    }

    /// The whole run was cheap: nobody in it is to be suspected of the numbers he was given.
    fn clear(&mut self, catalog: &Catalog, sequence: &Sequence, statements: &[Statement]) {
        if self.dear_to.is_empty() {
            return;
        }
        for statement in statements {
            for size in sizes(catalog, sequence, statement) {
                if self.is_suspected(size) && self.cost(statement.op, size) == 0.0 {
                    self.row(statement.op).by_size[size] = 1.0;
                }
            }
        }
    }

    /// Others were beside it, so it is blamed for numbers of this size only, and not for all of it.
    fn suspect(&mut self, op: OpId, steps: f32, size: usize) {
        blend(&mut self.row(op).by_size[size], steps, 0.25);
    }

    /// Learns from a run in which nobody knows who was to blame: everybody is.
    pub fn learn_whole(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        let steps = steps(execution);
        for statement in sequence.statements() {
            self.note(statement.op, steps, sizes(catalog, sequence, statement));
        }
    }

    fn note(&mut self, op: OpId, steps: f32, sizes: impl Iterator<Item = usize>) {
        if steps < DEAR && !self.is_known(op) && self.dear_to.is_empty() {
            return;
        }
        if steps >= DEAR || self.is_known(op) {
            blend(&mut self.row(op).mean, steps, 0.05);
        }
        for size in sizes {
            if steps < DEAR && !self.is_known(op) && !self.is_suspected(size) {
                continue;
            }
            let row = self.row(op);
            // One look is enough to become careful, as one may cost as much as thousands of others.
            blend(&mut row.by_size[size], steps.max(1.0), if steps >= DEAR { 0.5 } else { 0.1 });
            let longest = if size < SIZES / 2 { SIZES / 2 } else { SIZES };
            let larger = size + 1..(size + LIKEWISE).min(longest);
            if steps >= OUT_OF_MEMORY {
                // Not every size has to cost a worker before it is believed.
                row.by_size[larger.clone()].iter_mut().for_each(|cost| blend(cost, steps, 0.25));
            }
            if row.by_size[size] > DEAR {
                // What is dear with a number seldom is cheap with a larger one.
                (size..larger.end).for_each(|size| self.count(op, size));
            }
        }
    }

    /// Counts the operation among those to which numbers of a size are dear, once.
    fn count(&mut self, op: OpId, size: usize) {
        let (word, bit) = (&mut self.row(op).counted[size / 64], 1 << (size % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.dear_to.resize(SIZES, 0);
            self.dear_to[size] += 1;
        }
    }

    fn is_suspected(&self, size: usize) -> bool {
        self.dear_to.get(size).is_some_and(|&ops| ops >= DEAR_TO)
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
    pub fn accepts(&self, catalog: &Catalog, op: OpId, constant: OpId, rng: &mut Rng) -> bool {
        let makes_room = catalog.facts(op).role == Role::Feed
            && matches!(catalog.operation(op).kind, OperationKind::Construct { .. });
        if !makes_room && !self.is_known(op) && self.dear_to.is_empty() {
            return true;
        }
        size_of(&catalog.operation(constant).kind).is_none_or(|size| {
            let is_large = makes_room && size % (SIZES / 2) > ROOM;
            self.takes(op, size, rng) && (!is_large || rng.chance(LARGE_CHANCE))
        })
    }

    /// Is a sequence that was made of others worth its cost, by the numbers that are new in it?
    pub fn accepts_child(&self, catalog: &Catalog, parents: [&Sequence; 2], child: &Sequence, rng: &mut Rng) -> bool {
        let op_of = |sequence: &Sequence, var: Var| sequence.statements()[var.index()].op;
        let is_inherited = |to: OpId, constant: OpId| {
            let mut statements = parents.iter().flat_map(|p| p.statements().iter().map(move |s| (p, s)));
            statements.any(|(p, s)| s.op == to && s.args.iter().any(|a| op_of(p, *a) == constant))
        };
        self.rows.is_empty()
            || child.statements().iter().all(|s| {
                s.args.iter().all(|arg| {
                    let constant = op_of(child, *arg);
                    let size = size_of(&catalog.operation(constant).kind);
                    size.is_none_or(|size| self.takes(s.op, size, rng) || is_inherited(s.op, constant))
                })
            })
    }

    /// The same for a single number, by nothing but what such numbers cost the operation itself.
    pub fn accepts_move(&self, catalog: &Catalog, op: OpId, constant: OpId, rng: &mut Rng) -> bool {
        let size = size_of(&catalog.operation(constant).kind);
        size.is_none_or(|size| is_worth(self.cost(op, size), rng))
    }

    fn takes(&self, op: OpId, size: usize, rng: &mut Rng) -> bool {
        let cost = self.cost(op, size);
        // Nothing is known of it here, but elsewhere it was dear.
        if cost == 0.0 && self.is_suspected(size) {
            return rng.chance(SUSPECTED_CHANCE);
        }
        is_worth(cost, rng)
    }

    /// What the operation cost with numbers of the size; 0 if nothing is known.
    fn cost(&self, op: OpId, size: usize) -> f32 {
        self.rows.get(op.index()).and_then(Option::as_ref).map_or(0.0, |row| row.by_size[size])
    }

    /// Of most operations there is nothing to know: they never were dear, nor suspected.
    fn is_known(&self, op: OpId) -> bool {
        matches!(self.rows.get(op.index()), Some(Some(_)))
    }

    fn row(&mut self, op: OpId) -> &mut Row {
        if self.rows.len() <= op.index() {
            self.rows.resize(op.index() + 1, None);
        }
        self.rows[op.index()]
            .get_or_insert_with(|| Box::new(Row { mean: 0.0, by_size: [0.0; SIZES], counted: [0; SIZES.div_ceil(64)] }))
    }

    fn mean(&self, op: OpId) -> f32 {
        self.rows.get(op.index()).and_then(Option::as_ref).map_or(0.0, |row| row.mean)
    }
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

/// Of the numbers that a statement is given.
fn sizes<'a>(catalog: &'a Catalog, sequence: &'a Sequence, to: &'a Statement) -> impl Iterator<Item = usize> + 'a {
    let given = to.args.iter().map(|arg| sequence.statements()[arg.index()].op);
    given.filter_map(|op| size_of(&catalog.operation(op).kind))
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

    /// How often of 1,000 a large number is handed out after runs with one of its size.
    fn check(steps: f32, runs: usize) -> usize {
        let mut costs = Costs::default();
        let (large, alike) = (size(2_000_000_000).unwrap(), size(i32::MAX).unwrap());
        for _ in 0..runs {
            costs.note(CALL, steps, [large].into_iter());
        }
        let mut rng = Rng::new(1);
        assert!((0..1_000).all(|_| costs.takes(CALL, size(5_000).unwrap(), &mut rng)), "others as before");
        assert!((0..1_000).all(|_| costs.takes(OpId(9), alike, &mut rng)), "elsewhere as before");
        (0..1_000).filter(|_| costs.takes(CALL, alike, &mut rng)).count()
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
        (0..4).for_each(|_| costs.suspect(CALL, 5e6, large));
        let mut rng = Rng::new(1);
        let taken = (0..1_000).filter(|_| costs.takes(CALL, large, &mut rng)).count();
        assert!(taken < 20 && !costs.is_dear(CALL), "{taken}");
        (0..100).for_each(|_| costs.note(CALL, 10.0, [large].into_iter()));
        assert!((0..1_000).all(|_| costs.takes(CALL, large, &mut rng)), "forgiven");
    }

    #[test]
    fn what_costs_a_worker_is_not_tried_with_somewhat_larger_numbers() {
        let mut costs = Costs::default();
        costs.note(CALL, LOST_WORKER, [size(20).unwrap()].into_iter());
        let mut rng = Rng::new(1);
        let mut taken = |n: i32| (0..1_000).filter(|_| costs.takes(CALL, size(n).unwrap(), &mut rng)).count();
        assert!(taken(20) < 20 && taken(1_000) < 20);
        assert_eq!([taken(8), taken(i32::MAX), taken(-1_000)], [1_000; 3]);
    }

    #[test]
    fn what_was_dear_to_two_operations_is_handed_to_others_seldom_until_it_proved_cheap_there() {
        let (large, other) = (size(1 << 20).unwrap(), OpId(8));
        let mut rng = Rng::new(1);
        let mut taken = |costs: &Costs, n: usize| (0..1_000).filter(|_| costs.takes(other, n, &mut rng)).count();
        let mut costs = Costs::default();
        for _ in 0..3 {
            costs.note(CALL, 1e6, [large, large + 2].into_iter());
            assert_eq!(taken(&costs, large), 1_000, "one operation, however often");
            (0..20).for_each(|_| costs.note(CALL, 10.0, [large].into_iter()));
        }
        costs.note(OpId(4), 1e6, [large].into_iter());
        assert!((50..200).contains(&taken(&costs, large)));
        assert!(taken(&costs, large + 1) < 200, "larger ones likewise");
        assert_eq!(taken(&costs, large - 1), 1_000, "smaller ones as before");
        costs.note(other, 10.0, [large].into_iter());
        assert_eq!(taken(&costs, large), 1_000);
    }

    #[test]
    fn small_numbers_are_never_to_blame_and_signs_are_told_apart() {
        assert_eq!((size(0), size(3), size(-3)), (None, None, None));
        assert_ne!(size(1 << 20), size(-(1 << 20)));
    }

    #[test]
    fn a_dear_operation_is_known_after_a_while_and_forgiven_later() {
        let mut costs = Costs::default();
        for _ in 0..20 {
            costs.note(CALL, 1e6, std::iter::empty());
        }
        assert!(costs.is_dear(CALL) && costs.ordinary_runs(CALL) > 10.0);
        for _ in 0..200 {
            costs.note(CALL, 10.0, std::iter::empty());
        }
        assert!(!costs.is_dear(CALL) && costs.ordinary_runs(CALL) == 1.0);
    }
}
