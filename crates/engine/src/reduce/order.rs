//! The order "simpler than" in which tests are made small: fewer statements, then fewer calls, then plainer constants (these three are `testcase::cost`), then
//! fewer operands, then more general types. Owns the order; who tries what is the reducer's part.

use std::cmp::Ordering;

use testcase::operation::OperationKind;
use testcase::sequence::Sequence;

use crate::catalog::{Catalog, TypeId};
use crate::search::Search;

/// Is the candidate simpler? Every step of a reduction has to be, so that it ends.
pub fn is_simpler(search: &Search<'_>, candidate: &Sequence, than: &Sequence) -> bool {
    weigh(search, candidate, than) == Ordering::Less
}

/// The total order: what weighs the same is told apart by its structure, so that no choice is left to chance.
pub fn compare(search: &Search<'_>, a: &Sequence, b: &Sequence) -> Ordering {
    weigh(search, a, b).then_with(|| a.hash128().cmp(&b.hash128()))
}

fn weigh(search: &Search<'_>, a: &Sequence, b: &Sequence) -> Ordering {
    let operands =
        |s: &Sequence| s.statements().iter().map(|s| operands(&search.catalog, s.op, s.args.len())).sum::<u64>();
    let special = |s: &Sequence| {
        s.statements().iter().map(|s| specificity(&search.catalog, search.catalog.facts(s.op).result)).sum::<usize>()
    };
    search
        .cost_of(a)
        .cmp(&search.cost_of(b))
        .then_with(|| operands(a).cmp(&operands(b)))
        .then_with(|| special(a).cmp(&special(b)))
}

/// Arguments, and elements of arrays that are made without any.
fn operands(catalog: &Catalog, op: testcase::operation::OpId, args: usize) -> u64 {
    match &catalog.operation(op).kind {
        OperationKind::NewArray { lengths } => lengths.iter().map(|&l| u64::from(l)).sum(),
        _ => args as u64,
    }
}

/// As how many types a value of this one can be used: an `Object` as one alone, a `TreeSet` as many.
pub fn specificity(catalog: &Catalog, ty: TypeId) -> usize {
    (0..catalog.type_count() as u32).filter(|&wanted| catalog.fits(ty, TypeId(wanted))).count()
}
