//! Literals of one test that have to do with each other: a letter that occurs in a text, a text that holds another. Code compares what it was told with what it is given, and values that are
//! drawn each by itself hardly ever agree. Owns how one literal is made of another; when that is wanted is its callers' business.

use testcase::operation::{OpId, OperationKind};
use testcase::value::{Constant, JavaString};

use super::random::kind_of;
use super::scratch::Scratch;
use crate::costs::place_of;
use crate::rng::Rng;
use crate::search::Search;

/// Longer texts are not put together.
const LONGEST: usize = 64;
/// Every new literal is an operation, and there must be room for those of others.
const MOST_OPERATIONS: usize = 60_000;

/// Makes some literals of the scratch, each with this chance, out of texts and letters that are there as well.
pub fn relate(scratch: &mut Scratch, search: &mut Search<'_>, chance: f32, rng: &mut Rng) {
    if search.catalog.operations().len() >= MOST_OPERATIONS {
        return;
    }
    let texts: Vec<(usize, JavaString)> =
        (0..scratch.len()).filter_map(|at| Some((at, text(search, scratch, at)?))).collect();
    for at in 0..scratch.len() {
        let op = scratch.statements()[at].op;
        let facts = search.catalog.facts(op);
        if !facts.constant || facts.null || kind_of(search, facts.result).is_none() || !rng.chance(chance) {
            continue;
        }
        let Some((_, source)) = rng.pick(&texts).filter(|(from, _)| *from != at) else { continue };
        let Some(related) = made_of(search, op, source, rng) else { continue };
        let place = place_of(&scratch.sequence(), at);
        if search.costs.accepts(&search.catalog, place, related, rng) {
            scratch.exchange(&search.catalog, at, related);
        }
    }
}

/// The text of a literal: a string that is not empty, or a single letter.
fn text(search: &Search<'_>, scratch: &Scratch, at: usize) -> Option<JavaString> {
    match &search.catalog.operation(scratch.statements()[at].op).kind {
        OperationKind::Constant(Constant::String(text)) if !text.units().is_empty() => Some(text.clone()),
        OperationKind::Constant(Constant::Char(unit)) => Some(JavaString::new(&[*unit])),
        _ => None,
    }
}

/// A literal in the place of this one that has something of the text.
fn made_of(search: &mut Search<'_>, op: OpId, source: &JavaString, rng: &mut Rng) -> Option<OpId> {
    let operation = search.catalog.operation(op);
    let OperationKind::Constant(constant) = &operation.kind else { return None };
    // Beginnings matter more often than what follows.
    let unit = if rng.chance(0.5) { source.units()[0] } else { source.units()[rng.below(source.units().len())] };
    let related = match constant {
        Constant::Char(_) => Constant::Char(unit),
        Constant::Int(_) => Constant::Int(i32::from(unit)),
        Constant::String(own) => {
            let (own, at) = (own.units(), rng.below(own.units().len() + 1));
            // As it is, or within what is there.
            let around = if rng.chance(0.3) { (&own[..0], &own[..0]) } else { own.split_at(at) };
            let units = [around.0, source.units(), around.1].concat();
            if units.len() > LONGEST {
                return None;
            }
            Constant::String(JavaString::new(&units))
        }
        _ => return None,
    };
    let ty = operation.result.clone();
    Some(search.catalog.constant(search.library, related, ty))
}
