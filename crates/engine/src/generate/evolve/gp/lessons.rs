//! What runs taught about giving constants to calls: which were dear, and with which the call threw. Owns the counts; a constant is advised against, never forbidden.

use rustc_hash::FxHashMap;
use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::Sequence;
use testcase::value::Constant;

use crate::catalog::Catalog;
use crate::costs::{Costs, Place};
use crate::record::guilty;
use crate::rng::Rng;

/// Numbers beyond this are taken seldom: as sizes they cost much memory, and as anything else they are all alike.
const LARGE: i64 = 1 << 20;
const LARGE_CHANCE: f32 = 0.02;
/// How often a constant is given to a call that always threw with it.
const THREW_CHANCE: f32 = 0.05;

#[derive(Debug, Default)]
pub struct Lessons {
    costs: Costs,
    /// By call, operand and constant: how often it came back, and how often it threw.
    given: FxHashMap<(OpId, u8, OpId), (u32, u32)>,
}

impl Lessons {
    pub fn learn(&mut self, catalog: &Catalog, sequence: &Sequence, execution: &Execution) {
        self.costs.learn_whole(catalog, sequence, execution);
        let stopped = match &execution.outcome {
            Outcome::Normal => sequence.len(),
            Outcome::Threw { statement, .. } => usize::from(*statement),
            other => guilty(other).unwrap_or(0),
        };
        for (at, statement) in sequence.statements().iter().enumerate().take(stopped + 1) {
            for (i, arg) in statement.args.iter().enumerate() {
                let op = sequence.statements()[arg.index()].op;
                if catalog.facts(op).constant {
                    // A method has at most 255 parameters.
                    let counts = self.given.entry((statement.op, i as u8, op)).or_default();
                    if at < stopped { counts.0 += 1 } else { counts.1 += 1 }
                }
            }
        }
    }

    /// Should this constant be given to the call? `wild`: whether the call throws does not matter.
    pub fn advises(&self, catalog: &Catalog, user: (OpId, u8), constant: OpId, wild: bool, rng: &mut Rng) -> bool {
        if is_large(&catalog.operation(constant).kind) && !rng.chance(LARGE_CHANCE) {
            return false;
        }
        let (normal, threw) = self.given.get(&(user.0, user.1, constant)).copied().unwrap_or_default();
        let place = Place { op: user.0, operand: usize::from(user.1) };
        let throws = !wild && threw > 2 * normal;
        (!throws || rng.chance(THREW_CHANCE)) && self.costs.accepts(catalog, place, constant, rng)
    }
}

fn is_large(kind: &OperationKind) -> bool {
    match kind {
        OperationKind::Constant(Constant::Int(n)) => i64::from(*n) > LARGE,
        OperationKind::Constant(Constant::Long(n)) => *n > LARGE,
        _ => false,
    }
}
