//! Sequences with one more call, or with a value made in another way: for conditions in which no variable of a test has a say yet. Owns where calls are put in and
//! what they are given; whether anything came of it is found by running them.

use smallvec::SmallVec;
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Statement, Var};

use super::change::tidy;
use crate::catalog::{Role, TypeId};
use crate::rng::Rng;
use crate::search::Search;

/// Most sequences made of one.
const MOST: usize = 80;
/// So often is a call tried with other arguments.
const TWICE: usize = 2;
/// Ways to make a value that are tried.
const MAKERS: usize = 8;
/// Values from the pool that are tried for one argument.
const OTHERS: usize = 6;

/// Sequences a little richer than this one.
pub fn enrichments(search: &mut Search<'_>, sequence: &Sequence, rng: &mut Rng) -> Vec<Sequence> {
    let mut all = Vec::new();
    let last = sequence.len().saturating_sub(1);
    let objects: Vec<(usize, TypeId)> = sequence.statements()[..last]
        .iter()
        .enumerate()
        .map(|(at, s)| (at, s.op))
        .filter(|(_, op)| !search.catalog.facts(*op).constant)
        .map(|(at, op)| (at, search.catalog.facts(op).result))
        .collect();
    for &(at, ty) in &objects {
        for op in makers(search, ty, sequence.statements()[at].op) {
            all.extend(remade(search, sequence, at, op, rng));
        }
    }
    for operand in 0..sequence.statements()[last].args.len() {
        for _ in 0..OTHERS {
            all.extend(with_argument(search, sequence, operand, rng));
        }
    }
    let targets = search.targets.clone();
    for &(at, ty) in &objects {
        for &op in &targets {
            let facts = search.catalog.facts(op);
            let fits = facts.params.iter().any(|&p| search.catalog.fits(ty, p));
            let record = search.records.op(op);
            let useless = record.unusable || record.is_harmful() || record.is_pure(20);
            if !fits || useless || facts.role != Role::Target {
                continue;
            }
            for _ in 0..TWICE {
                all.extend(with_call(search, sequence, at, op, rng));
            }
        }
    }
    // All kinds of them are tried, whatever their number.
    while all.len() > MOST {
        all.swap_remove(rng.below(all.len()));
    }
    all
}

/// With another value from the pool for an operand of the last call.
fn with_argument(search: &mut Search<'_>, sequence: &Sequence, operand: usize, rng: &mut Rng) -> Option<Sequence> {
    let last = sequence.last()?;
    let wanted = search.catalog.facts(last.op).params[operand];
    let entry = search.pool.choose(&search.catalog, wanted, rng)?;
    let (part, var) = (entry.sequence.clone(), entry.var);
    let (whole, offsets) = Sequence::concat(&[&part, sequence]);
    let mut statements = whole.statements().to_vec();
    let given = search.catalog.facts(part.statements()[var.index()].op).result;
    let fits = search.catalog.fits(given, wanted) && statements.len() <= search.options.max_length;
    statements.last_mut()?.args[operand] = var.shifted(offsets[0]);
    fits.then(|| tidy(search, Sequence::new(statements)))
}

/// Other operations that make a value of this type.
fn makers(search: &mut Search<'_>, ty: TypeId, but: OpId) -> Vec<OpId> {
    search.prepare_supply(ty);
    let Some(supply) = search.supplies.get(ty) else { return Vec::new() };
    let usable = |op: &OpId| *op != but && !search.records.op(*op).is_hopeless();
    supply.leaves.iter().chain(&supply.makers).copied().filter(usable).take(MAKERS).collect()
}

/// With the call just before the last statement, on the object made at `object`.
fn with_call(search: &mut Search<'_>, sequence: &Sequence, object: usize, op: OpId, rng: &mut Rng) -> Option<Sequence> {
    let last = sequence.len() - 1;
    let mut statements = sequence.statements()[..last].to_vec();
    let call = call(search, &mut statements, last, Some(object), op, rng)?;
    statements.push(call);
    let more = statements.len() - last;
    statements.push(moved(&sequence.statements()[last], last, more));
    (statements.len() <= search.options.max_length).then(|| Sequence::new(statements))
}

/// With the value at a place made by another operation.
fn remade(search: &mut Search<'_>, sequence: &Sequence, at: usize, op: OpId, rng: &mut Rng) -> Option<Sequence> {
    let given = search.catalog.facts(op).result;
    let fits = |s: &Statement| {
        let params = &search.catalog.facts(s.op).params;
        s.args.iter().zip(params).all(|(a, p)| a.index() != at || search.catalog.fits(given, *p))
    };
    if !sequence.statements().iter().all(fits) {
        return None;
    }
    let mut statements = sequence.statements()[..at].to_vec();
    let made = call(search, &mut statements, at, None, op, rng)?;
    statements.push(made);
    let more = statements.len() - at - 1;
    for statement in &sequence.statements()[at + 1..] {
        statements.push(moved(statement, at, more));
    }
    (statements.len() <= search.options.max_length).then(|| Sequence::new(statements))
}

/// A statement whose arguments from `from` on have moved by so many places.
fn moved(statement: &Statement, from: usize, by: usize) -> Statement {
    let mut statement = statement.clone();
    for arg in statement.args.iter_mut().filter(|a| a.index() >= from) {
        *arg = arg.shifted(by);
    }
    statement
}

/// A call with constants of its own and values made before `known`; one operand, if asked for, is a certain object.
fn call(
    search: &mut Search<'_>,
    statements: &mut Vec<Statement>,
    known: usize,
    object: Option<usize>,
    op: OpId,
    rng: &mut Rng,
) -> Option<Statement> {
    let facts = search.catalog.facts(op);
    let (params, needs_object) = (facts.params.clone(), facts.needs_object);
    let mut object = object;
    let mut args: SmallVec<[Var; 4]> = SmallVec::new();
    for (i, &param) in params.iter().enumerate() {
        if let Some(at) = object {
            let ty = search.catalog.facts(statements[at].op).result;
            if search.catalog.fits(ty, param) {
                object = None;
                args.push(Var(at as u16));
                continue;
            }
        }
        search.prepare_supply(param);
        let supply = search.supplies.get(param)?;
        let (kinds, null) = (supply.kinds.clone(), supply.null);
        let there: SmallVec<[Var; 8]> = (0..known)
            .filter(|&v| {
                let facts = search.catalog.facts(statements[v].op);
                !facts.constant && search.catalog.fits(facts.result, param)
            })
            .map(|v| Var(v as u16))
            .collect();
        let leaf = if let Some(&kind) = rng.pick(&kinds) {
            let boxed = search.catalog.primitive(param).is_none();
            search.constants.draw(&mut search.catalog, search.library, kind, boxed, rng)
        } else if let Some(&var) = rng.pick(&there) {
            args.push(var);
            continue;
        } else if let Some(&leaf) = search.supplies.get(param).and_then(|s| rng.pick(&s.leaves)) {
            leaf
        } else {
            null.filter(|_| !(needs_object && i == 0))?
        };
        statements.push(Statement { op: leaf, args: SmallVec::new() });
        args.push(Var(statements.len() as u16 - 1));
    }
    object.is_none().then_some(Statement { op, args })
}
