//! How much work a question may be, by the operations it consists of. Owns the estimate: a count, so that it is the
//! same on every machine.

use rustc_hash::FxHashSet;

use crate::expr::{Op, Sort, Term, Terms};

/// Roughly the size of the circuit that answers whether these hold together: operations whose circuits are square count
/// as such.
pub fn weight(terms: &Terms, conditions: &[Term]) -> u64 {
    let mut seen = FxHashSet::default();
    let mut stack = conditions.to_vec();
    let mut sum = 0;
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        let width = match node.sort {
            Sort::Array(_) => 64,
            sort => u64::from(sort.width()),
        };
        let is_by_constant = || node.args().iter().any(|a| terms.value(*a).is_some());
        sum += match node.op {
            Op::Mul if is_by_constant() => width * 4,
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem | Op::FMul => width * width,
            Op::FDiv | Op::FSqrt => 2 * width * width,
            // One step for every power of two that the operands may be apart.
            Op::FRem => 2 * width * if width == 64 { 1 << 11 } else { 1 << 8 },
            Op::FAdd | Op::FToS | Op::SToF | Op::FRound => width * 16,
            Op::Const | Op::Input => 0,
            _ => width,
        };
        stack.extend(node.args());
    }
    sum
}
