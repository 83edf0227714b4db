//! Replacement: a statement and all that only it needs give way to a shorter sequence that makes another value for the same uses. Owns where such sequences
//! come from (the pool, what needs nothing, the parts of the sequence itself) and in which order they are tried: shortest first, and among those the more general type first. Runs nothing.

use smallvec::SmallVec;
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, SliceMode, Statement, Var};
use testcase::types::Type;

use super::order::specificity;
use crate::catalog::TypeId;
use crate::checks::plain_object;
use crate::search::Search;

/// A sequence and its value that others can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitute {
    pub sequence: Sequence,
    pub var: Var,
}

/// What may stand for the value of this statement, best first.
pub fn substitutes(search: &mut Search<'_>, sequence: &Sequence, at: usize, most: usize) -> Vec<Substitute> {
    let statements = sequence.statements();
    let facts = search.catalog.facts(statements[at].op);
    if facts.constant || !search.catalog.ty(facts.result).is_reference() {
        return Vec::new();
    }
    let wanted = wanted(search, sequence, Var(at as u16));
    let Some(&first) = wanted.first() else {
        return Vec::new();
    };
    // Where anything goes, a lambda says more than it should.
    let anything = *search.catalog.ty(first) == Type::object();
    let room = statements.len() - remaining(sequence, at).iter().filter(|&&k| k).count();
    let mut found: Vec<(usize, usize, u32, Substitute)> = Vec::new();
    let mut consider = |search: &Search<'_>, sequence: &Sequence, var: Var, ty: TypeId| {
        let made = &search.catalog.operation(sequence.statements()[var.index()].op).kind;
        if anything && matches!(made, OperationKind::Lambda(_)) {
            return;
        }
        let fits = sequence.len() <= room && wanted.iter().all(|&w| search.catalog.fits(ty, w));
        if fits && !sequence.statements().iter().any(|s| search.catalog.facts(s.op).null) {
            let substitute = Substitute { sequence: sequence.clone(), var };
            let cost = search.cost_of(sequence).packed();
            found.push((sequence.len(), specificity(&search.catalog, ty), cost, substitute));
        }
    };
    search.prepare_supply(first);
    for own in remade(search, sequence, at, first) {
        let ty = search.catalog.facts(own.sequence.statements()[own.var.index()].op).result;
        consider(search, &own.sequence, own.var, ty);
    }
    let leaves = search.supplies.get(first).map(|s| s.leaves.clone()).unwrap_or_default();
    if anything {
        let plain = plain_object(search);
        consider(search, &Sequence::new([Statement::new(plain, &[])]), Var(0), search.catalog.facts(plain).result);
    }
    for leaf in leaves.into_iter().filter(|&l| !search.records.op(l).is_hopeless()) {
        let alone = Sequence::new([Statement::new(leaf, &[])]);
        consider(search, &alone, Var(0), search.catalog.facts(leaf).result);
    }
    for &ty in search.catalog.fitting(first) {
        let mut entries: SmallVec<[_; 32]> = search.pool.entries(ty).filter(|e| e.sequence.len() <= room).collect();
        entries.sort_by_key(|e| (e.sequence.len(), e.cost));
        for entry in entries.into_iter().take(most) {
            consider(search, &entry.sequence, entry.var, ty);
        }
    }
    found.sort_by_key(|(length, special, cost, _)| (*length, *special, *cost));
    found.dedup_by(|a, b| a.3 == b.3);
    found.into_iter().map(|(.., s)| s).take(most).collect()
}

/// The same type made by another operation of what the statement was made of: a constructor that takes what was added later, for one.
fn remade(search: &mut Search<'_>, sequence: &Sequence, at: usize, wanted: TypeId) -> Vec<Substitute> {
    let makers = search.supplies.get(wanted).map(|s| s.makers.clone()).unwrap_or_default();
    let is_own = sequence.slice(at, SliceMode::Effects).renumbered;
    let own: Vec<usize> = (0..at).filter(|&i| is_own[i].is_some()).collect();
    let mut found = Vec::new();
    for maker in makers.into_iter().filter(|&m| m != sequence.statements()[at].op) {
        if search.records.op(maker).is_hopeless() {
            continue;
        }
        for gather in [true, false] {
            found.extend(made_of(search, sequence, maker, gather, own.iter().rev().copied()));
            found.extend(made_of(search, sequence, maker, gather, own.iter().copied()));
        }
    }
    found.dedup();
    found
}

/// The operation on values of the sequence, the first that fit in this order; with `gather` an array parameter gets a new array of one.
fn made_of(
    search: &mut Search<'_>,
    sequence: &Sequence,
    maker: OpId,
    gather: bool,
    values: impl Iterator<Item = usize> + Clone,
) -> Option<Substitute> {
    let params = search.catalog.facts(maker).params.clone();
    let mut keep = vec![false; sequence.len()];
    let mut chosen: SmallVec<[(usize, Option<OpId>); 4]> = SmallVec::new();
    for param in params {
        search.prepare_supply(param);
        let literals = search.supplies.get(param).map_or(&[][..], |s| &s.literals);
        let single = literals.iter().copied().find(|&l| search.catalog.facts(l).params.len() == 1);
        let fits = |i: usize, wanted: TypeId| {
            let facts = search.catalog.facts(sequence.statements()[i].op);
            !facts.null && search.catalog.fits(facts.result, wanted)
        };
        let wanted = single.filter(|_| gather).map_or(param, |s| search.catalog.facts(s).params[0]);
        let value = values.clone().find(|&i| fits(i, wanted))?;
        let literal = single.filter(|_| gather);
        chosen.push((value, literal));
        for (i, place) in sequence.slice(value, SliceMode::Effects).renumbered.iter().enumerate() {
            keep[i] |= place.is_some();
        }
    }
    let cut = sequence.keep(&keep);
    let mut builder = SequenceBuilder::with_capacity(cut.sequence.len() + 2);
    builder.extend(&cut.sequence);
    let mut args: SmallVec<[Var; 4]> = SmallVec::new();
    for (value, literal) in chosen {
        let value = cut.var(Var(value as u16))?;
        args.push(literal.map_or(value, |l| builder.push(l, &[value])));
    }
    let var = builder.push(maker, &args);
    Some(Substitute { sequence: builder.finish(), var })
}

/// The sequence with the substitute in place of the statement and of what only it needed.
pub fn replaced(sequence: &Sequence, at: usize, substitute: &Substitute) -> Sequence {
    let keep = remaining(sequence, at);
    let mut builder = SequenceBuilder::with_capacity(sequence.len());
    let mut places: Vec<Var> = vec![Var(0); sequence.len()];
    for (i, statement) in sequence.statements().iter().enumerate() {
        if i == at {
            let offset = builder.extend(&substitute.sequence);
            places[i] = substitute.var.shifted(offset);
        } else if keep[i] {
            let args: SmallVec<[Var; 4]> = statement.args.iter().map(|a| places[a.index()]).collect();
            places[i] = builder.push(statement.op, &args);
        }
    }
    builder.finish()
}

/// As what the value is used.
fn wanted(search: &Search<'_>, sequence: &Sequence, value: Var) -> SmallVec<[TypeId; 4]> {
    let mut wanted: SmallVec<[TypeId; 4]> = SmallVec::new();
    for statement in sequence.statements() {
        let params = &search.catalog.facts(statement.op).params;
        for (arg, &param) in statement.args.iter().zip(params) {
            if *arg == value && !wanted.contains(&param) {
                wanted.push(param);
            }
        }
    }
    // Most uses accept anything; the narrowest decides.
    wanted.sort_by_key(|&w| search.catalog.fitting(w).len());
    wanted
}

/// Statements that stay: all that neither make the value nor change what it is made of, and what these need.
fn remaining(sequence: &Sequence, at: usize) -> Vec<bool> {
    let cut = sequence.slice(at, SliceMode::Effects);
    let mut keep: Vec<bool> = cut.renumbered.iter().map(Option::is_none).collect();
    for i in (0..sequence.len()).rev() {
        if keep[i] {
            for arg in sequence.statements()[i].args.iter().filter(|a| a.index() != at) {
                keep[arg.index()] = true;
            }
        }
    }
    keep
}
