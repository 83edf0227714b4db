//! Makes sequences small while something about them stays true: statements go, from the last to the first, then constants become plain. Owns the passes and
//! the order "simpler" they follow (`testcase::cost`); what must stay true is the caller's.

use bytecode::names::{ClassName, Primitive};
use smallvec::SmallVec;
use testcase::cost::constant_complexity;
use testcase::execution::Execution;
use testcase::executor::{Detail, ExecutorProblem};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, SequenceBuilder, Statement, Var};
use testcase::value::Constant;

use super::runner::{Runner, thrown_class};
use crate::catalog::Role;
use crate::constants::Kind;
use crate::search::Search;

/// What must stay true of a sequence, judged by a run of it.
pub type Holds<'h> = Box<dyn Fn(&Search<'_>, &Sequence, &Execution) -> bool + 'h>;

/// A sequence on its way down.
pub struct Item<'h> {
    pub sequence: Sequence,
    /// What its last statement threw.
    pub thrown: Option<ClassName>,
    pub holds: Holds<'h>,
}

/// Plain constants tried per constant.
const TRIES: usize = 5;

/// Whole rounds of passes: what could not go before may go after something else went.
const ROUNDS: usize = 8;

/// Longest sequence, in calls, of which pairs are tried.
const PAIRED: usize = 16;

/// Earlier values tried in place of one.
const BYPASSES: usize = 2;
/// Constants tried in place of a value.
const LITERALS: usize = 2;

/// Where an item is in its passes.
struct State {
    pass: Pass,
    /// Something was accepted in this round.
    changed: bool,
    rounds: usize,
}

#[derive(Clone, Copy)]
enum Pass {
    /// Try without this statement next; or, from the second attempt on, with an earlier value of its type in its stead.
    Remove(usize, usize),
    /// Try the n-th plainer constant at this statement next.
    Plain(usize, usize),
    /// Try without these two calls next, the later one first: neither may be able to go alone, like a push and its pop.
    Pair(usize, usize),
    Done,
}

/// Shrinks all items side by side, one attempt of each per batch, until nothing helps or time is up. A second call right after changes nothing that the
/// first did not try.
pub fn shrink(runner: &mut Runner<'_, '_, '_>, items: &mut [Item<'_>], detail: Detail) -> Result<(), ExecutorProblem> {
    for item in items.iter_mut() {
        item.sequence = unshared(runner.search, &item.sequence);
    }
    let mut states: Vec<State> =
        items.iter().map(|i| State { pass: start(&i.sequence), changed: false, rounds: 1 }).collect();
    loop {
        let mut tried: Vec<(usize, Sequence)> = Vec::new();
        for (at, (item, state)) in items.iter().zip(&mut states).enumerate() {
            if let Some(candidate) = next_candidate(runner.search, &item.sequence, state) {
                tried.push((at, candidate));
            }
        }
        if tried.is_empty() || runner.expired() {
            return Ok(());
        }
        let sequences: Vec<Sequence> = tried.iter().map(|(_, s)| s.clone()).collect();
        let executions = runner.run(&sequences, detail)?;
        for ((at, candidate), execution) in tried.into_iter().zip(&executions) {
            let accepted = (items[at].holds)(runner.search, &candidate, execution);
            states[at].changed |= accepted;
            advance(&mut states[at].pass, accepted, candidate.len());
            if accepted {
                items[at].sequence = candidate;
                items[at].thrown = thrown_class(execution).cloned();
            }
        }
    }
}

fn start(sequence: &Sequence) -> Pass {
    match sequence.len() {
        0 => Pass::Done,
        n => Pass::Remove(n - 1, 0),
    }
}

/// The next attempt; moves on over what is not worth one.
fn next_candidate(search: &mut Search<'_>, sequence: &Sequence, state: &mut State) -> Option<Sequence> {
    loop {
        let pass = &mut state.pass;
        match *pass {
            Pass::Remove(at, n) => {
                let at = at.min(sequence.len().saturating_sub(1));
                let cut = match n {
                    0 => Some(sequence.without(at).sequence),
                    _ if n <= BYPASSES => bypass(search, sequence, at, n - 1),
                    _ => None,
                };
                let cut = cut.map(|c| without_idle(search, &c)).filter(|c| !c.is_empty() && c.len() < sequence.len());
                let simpler = || literal_instead(search, sequence, at, n.checked_sub(BYPASSES + 1)?);
                if let Some(candidate) = cut.or_else(simpler) {
                    return Some(candidate);
                }
                *pass = match at {
                    _ if n < BYPASSES + LITERALS => Pass::Remove(at, n + 1),
                    0 => Pass::Plain(0, 0),
                    _ => Pass::Remove(at - 1, 0),
                };
            }
            Pass::Plain(at, n) => {
                let Some(statement) = sequence.statements().get(at) else {
                    state.pass = after_round(sequence, state);
                    continue;
                };
                // Equal constants may have to stay equal: first all of them, then this one alone.
                let op = statement.op;
                let twins = (at + 1..sequence.len()).any(|i| sequence.statements()[i].op == op);
                let (form, all) = if twins { (n / 2, n % 2 == 0) } else { (n, false) };
                match plainer(search, op, form) {
                    Some(plain) if all => return Some(replace_all(sequence, op, plain)),
                    Some(plain) => return Some(sequence.replace_op(at, plain)),
                    None => *pass = Pass::Plain(at + 1, 0),
                }
            }
            Pass::Pair(first, second) => {
                let is_call = |i: usize| search.catalog.facts(sequence.statements()[i].op).role != Role::Part;
                let calls: SmallVec<[usize; PAIRED]> = (0..sequence.len()).filter(|&i| is_call(i)).collect();
                if calls.len() > PAIRED || first + 1 >= calls.len() {
                    *pass = Pass::Done;
                } else if second >= calls.len() {
                    *pass = Pass::Pair(first + 1, first + 2);
                } else {
                    let mut keep = vec![true; sequence.len()];
                    (keep[calls[first]], keep[calls[second]]) = (false, false);
                    let cut = without_idle(search, &sequence.keep(&keep).sequence);
                    if !cut.is_empty() && cut.len() < sequence.len() {
                        return Some(cut);
                    }
                    *pass = Pass::Pair(first, second + 1);
                }
            }
            Pass::Done => return None,
        }
    }
}

/// Another round if the last one helped; then pairs.
fn after_round(sequence: &Sequence, state: &mut State) -> Pass {
    let again = state.changed && state.rounds < ROUNDS;
    state.rounds += 1;
    state.changed = false;
    if again { start(sequence) } else { Pass::Pair(0, 1) }
}

/// Every use of a number or string has a constant of its own, so that each can become plain by itself.
fn unshared(search: &Search<'_>, sequence: &Sequence) -> Sequence {
    let splits = |var: Var| {
        let operation = search.catalog.operation(sequence.statements()[var.index()].op);
        matches!(operation.kind, OperationKind::Constant(_)) && !operation.result.is_reference()
            || matches!(operation.kind, OperationKind::Constant(Constant::String(_)))
    };
    let mut builder = SequenceBuilder::with_capacity(sequence.len());
    let mut places: Vec<Option<Var>> = Vec::with_capacity(sequence.len());
    for (i, statement) in sequence.statements().iter().enumerate() {
        if splits(Var(i as u16)) {
            places.push(None);
            continue;
        }
        let mut args: SmallVec<[Var; 4]> = SmallVec::new();
        for arg in &statement.args {
            let constant = sequence.statements()[arg.index()].op;
            args.push(places[arg.index()].unwrap_or_else(|| builder.push(constant, &[])));
        }
        places.push(Some(builder.push(statement.op, &args)));
    }
    if builder.is_empty() || builder.len() > search.options.max_length { sequence.clone() } else { builder.finish() }
}

fn replace_all(sequence: &Sequence, op: OpId, by: OpId) -> Sequence {
    let mut statements = sequence.statements().to_vec();
    for statement in statements.iter_mut().filter(|s| s.op == op) {
        statement.op = by;
    }
    Sequence::new(statements)
}

/// Without a statement whose value others use: they get an earlier value of the same type, its own operands first.
fn bypass(search: &Search<'_>, sequence: &Sequence, at: usize, n: usize) -> Option<Sequence> {
    let statements = sequence.statements();
    let facts = |i: usize| search.catalog.facts(statements[i].op);
    let value = Var(at as u16);
    if facts(at).role == Role::Part || sequence.uses(value).next().is_none() {
        return None;
    }
    let own = statements[at].args.iter().map(|a| a.index());
    let earlier = (0..at).rev().filter(|i| !statements[at].args.iter().any(|a| a.index() == *i));
    let fitting = |i: &usize| facts(*i).role != Role::Part && facts(*i).result == facts(at).result;
    let instead = Var(own.chain(earlier).filter(fitting).nth(n)? as u16);
    let mut redirected = statements.to_vec();
    for arg in redirected[at + 1..].iter_mut().flat_map(|s| &mut s.args) {
        if *arg == value {
            *arg = instead;
        }
    }
    Some(Sequence::new(redirected).without(at).sequence)
}

/// With a plain constant where others use the value of this statement: of its own type, or text where anything goes. The statement itself stays; without
/// users it may go later.
fn literal_instead(search: &mut Search<'_>, sequence: &Sequence, at: usize, n: usize) -> Option<Sequence> {
    let statements = sequence.statements();
    let facts = search.catalog.facts(statements[at].op);
    let own = Kind::of_type(search.catalog.ty(facts.result));
    let is_part = facts.role == Role::Part;
    // Numbers and texts become plain by themselves; a short or a character where anything goes need not be one.
    let odd = facts.constant && own.is_some_and(|k| k != Kind::STRING && k != Kind::of(Primitive::Int));
    if is_part && !odd {
        return None;
    }
    let kind = if is_part { Kind::STRING } else { own.unwrap_or(Kind::STRING) };
    let ty = if is_part || own.is_none() { kind.boxed() } else { search.catalog.ty(facts.result).clone() };
    let constant = kind.plain().into_iter().nth(n)?;
    let library = search.library;
    let op = search.catalog.constant(library, constant, ty);
    let wanted = search.catalog.facts(op).result;
    let value = Var(at as u16);
    let fits = |user: &Statement, i: usize| {
        let params = &search.catalog.facts(user.op).params;
        user.args[i] == value
            && !search.checks.is_gather(user.op)
            && params.get(i).is_some_and(|&p| search.catalog.fits(wanted, p))
    };
    let mut builder = SequenceBuilder::with_capacity(sequence.len() + 1);
    let mut replaced = false;
    for (i, statement) in statements.iter().enumerate() {
        let args: SmallVec<[Var; 4]> = (0..statement.args.len())
            .map(|a| {
                let shift = usize::from(statement.args[a].index() > at);
                let fitting = fits(statement, a);
                replaced |= fitting;
                statement.args[a].shifted(shift + usize::from(fitting))
            })
            .collect();
        builder.push(statement.op, &args);
        if i == at {
            builder.push(op, &[]);
        }
    }
    (replaced && builder.len() <= search.options.max_length).then(|| without_idle(search, &builder.finish()))
}

/// Without constants, lambdas, arrays and casts that nobody uses: they do nothing. The last statement stays.
pub fn without_idle(search: &Search<'_>, sequence: &Sequence) -> Sequence {
    let mut keep = vec![true; sequence.len()];
    let mut used = vec![false; sequence.len()];
    for (i, statement) in sequence.statements().iter().enumerate().rev() {
        let idle = search.catalog.facts(statement.op).role == Role::Part && !used[i] && i + 1 < sequence.len();
        keep[i] = !idle;
        if keep[i] {
            for arg in &statement.args {
                used[arg.index()] = true;
            }
        }
    }
    if keep.iter().all(|&k| k) { sequence.clone() } else { sequence.keep(&keep).sequence }
}

fn advance(pass: &mut Pass, accepted: bool, new_len: usize) {
    *pass = match *pass {
        // Statements behind the removed one may have gone with it, so the place to go on from is bounded by what is left.
        Pass::Remove(0, _) if accepted => Pass::Plain(0, 0),
        Pass::Remove(at, _) if accepted => Pass::Remove((at - 1).min(new_len.saturating_sub(1)), 0),
        Pass::Remove(at, n) => Pass::Remove(at, n + 1),
        // The plainest are tried first: once one is accepted, nothing plainer is left.
        Pass::Plain(at, _) if accepted => Pass::Plain(at + 1, 0),
        Pass::Plain(at, n) => Pass::Plain(at, n + 1),
        // What is left may go singly now.
        Pass::Pair(..) if accepted => Pass::Remove(new_len.saturating_sub(1), 0),
        Pass::Pair(first, second) => Pass::Pair(first, second + 1),
        Pass::Done => Pass::Done,
    };
}

/// The n-th attempt at a plainer constant of the same type.
fn plainer(search: &mut Search<'_>, op: OpId, n: usize) -> Option<OpId> {
    let operation = search.catalog.operation(op);
    let OperationKind::Constant(constant) = &operation.kind else {
        return None;
    };
    let limit = constant_complexity(constant);
    let list = plain_forms(constant);
    let replacement = list.into_iter().filter(|c| constant_complexity(c) < limit).take(TRIES).nth(n)?;
    let ty = operation.result.clone();
    let library = search.library;
    Some(search.catalog.constant(library, replacement, ty))
}

/// Plainest first.
fn plain_forms(constant: &Constant) -> Vec<Constant> {
    const SMALL: [i8; 5] = [0, 1, 2, 3, 10];
    match constant {
        Constant::Boolean(_) => vec![Constant::Boolean(false)],
        Constant::Byte(_) => SMALL.map(Constant::Byte).to_vec(),
        Constant::Char(_) => [b'a', b'b', b'0'].map(|c| Constant::Char(u16::from(c))).to_vec(),
        Constant::Short(_) => SMALL.map(|n| Constant::Short(n.into())).to_vec(),
        Constant::Int(_) => SMALL.map(|n| Constant::Int(n.into())).to_vec(),
        Constant::Long(_) => SMALL.map(|n| Constant::Long(n.into())).to_vec(),
        Constant::Float(_) => SMALL.map(|n| Constant::Float(f32::from(n).to_bits())).to_vec(),
        Constant::Double(_) => SMALL.map(|n| Constant::Double(f64::from(n).to_bits())).to_vec(),
        Constant::String(s) => {
            let mut forms =
                vec![Constant::String("".into()), Constant::String("a".into()), Constant::String("b".into())];
            let half = s.units().len() / 2;
            if half > 1 {
                forms.push(Constant::String(testcase::value::JavaString::new(&s.units()[..half])));
            }
            forms
        }
        Constant::Null | Constant::Class(_) | Constant::Enum { .. } => Vec::new(),
    }
}
