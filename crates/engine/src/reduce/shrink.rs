//! The reducer: makes sequences small while something about them stays true. Statements go, from the last to the first; values become plain; values and all
//! they need give way to shorter ones from the pool; calls go in pairs. Owns the passes; each step is simpler in the order of `order`, and what must stay true
//! is the caller's.

use bytecode::names::{ClassName, Primitive};
use smallvec::SmallVec;
use testcase::execution::Execution;
use testcase::executor::{Detail, ExecutorProblem};
use testcase::operation::OperationKind;
use testcase::sequence::{Sequence, SequenceBuilder, Statement, Var};
use testcase::value::Constant;

use super::order::is_simpler;
use super::plain::{fewer_elements, kin, plainer, together};
use super::replace::{Substitute, replaced, substitutes};
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

/// Whole rounds of passes: what could not go before may go after something else went.
const ROUNDS: usize = 8;

/// Longest sequence, in calls, of which pairs are tried.
const PAIRED: usize = 16;

/// Constants that are the same or opposite tried together with one, each by itself.
const COUPLES: usize = 4;
/// Earlier values tried in place of one.
const BYPASSES: usize = 2;
/// Constants tried in place of a value.
const LITERALS: usize = 2;
/// Values from the pool tried in place of one: for tests that show a bug, and for the many that do not.
const SUBSTITUTES: [usize; 2] = [200, 3];

/// Where an item is in its passes.
struct State {
    pass: Pass,
    /// Something was accepted in this round.
    changed: bool,
    rounds: usize,
    /// What may replace the statement that `Pass::Replace` is at.
    substitutes: Vec<Substitute>,
    most_substitutes: usize,
}

#[derive(Clone, Copy)]
enum Pass {
    /// Try without this statement next; or, from the second attempt on, with an earlier value of its type in its stead.
    Remove(usize, usize),
    /// Try the n-th plainer constant at this statement next.
    Plain(usize, usize),
    /// Try the n-th substitute for this statement and what it needs next.
    Replace(usize, usize),
    /// Try without these two calls next, the later one first: neither may be able to go alone, like a push and its pop.
    Pair(usize, usize),
    Done,
}

/// Shrinks all items side by side, one attempt of each per batch, until nothing helps or time is up. A second call right after changes nothing that the
/// first did not try.
pub fn shrink(runner: &mut Runner<'_, '_, '_>, items: &mut [Item<'_>], detail: Detail) -> Result<(), ExecutorProblem> {
    reduce(runner, items, detail, SUBSTITUTES[1])
}

/// The same with more patience: for the few tests that people have to understand.
pub fn shrink_patiently(
    runner: &mut Runner<'_, '_, '_>,
    items: &mut [Item<'_>],
    detail: Detail,
) -> Result<(), ExecutorProblem> {
    reduce(runner, items, detail, SUBSTITUTES[0])
}

fn reduce(
    runner: &mut Runner<'_, '_, '_>,
    items: &mut [Item<'_>],
    detail: Detail,
    most_substitutes: usize,
) -> Result<(), ExecutorProblem> {
    for item in items.iter_mut() {
        item.sequence = unshared(runner.search, &item.sequence);
    }
    let mut states: Vec<State> = items.iter().map(|i| State::new(&i.sequence, most_substitutes)).collect();
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
            let gone = items[at].sequence.len().saturating_sub(candidate.len());
            advance(&mut states[at].pass, accepted, candidate.len(), gone);
            if accepted {
                items[at].sequence = candidate;
                items[at].thrown = thrown_class(execution).cloned();
            }
        }
    }
}

impl State {
    fn new(sequence: &Sequence, most_substitutes: usize) -> State {
        State { pass: start(sequence), changed: false, rounds: 1, substitutes: Vec::new(), most_substitutes }
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
                if let Some(candidate) = cut.or_else(simpler).filter(|c| is_simpler(search, c, sequence)) {
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
                let op = statement.op;
                if !statement.args.is_empty() {
                    let fewer = fewer_elements(search, sequence, at, n).map(|c| without_idle(search, &c));
                    match fewer {
                        Some(candidate) if is_simpler(search, &candidate, sequence) => return Some(candidate),
                        Some(_) => *pass = Pass::Plain(at, n + 1),
                        None => *pass = Pass::Plain(at + 1, 0),
                    }
                    continue;
                }
                // Equal and opposite constants may have to stay so: first all of them, then this one alone, then with one other.
                let kin = kin(search, sequence, at);
                let couples = if state.most_substitutes > SUBSTITUTES[1] { kin.len().min(COUPLES) } else { 0 };
                let scopes = match kin.len() {
                    0 => 1,
                    1 => 2,
                    _ => 2 + couples,
                };
                let scope = match n % scopes {
                    0 => &kin[..],
                    1 => &[],
                    i => &kin[i - 2..i - 1],
                };
                let Some(plain) = plainer(search, op, n / scopes) else {
                    state.pass = Pass::Plain(at + 1, 0);
                    continue;
                };
                match together(search, sequence, at, plain, scope) {
                    Some(candidate) if is_simpler(search, &candidate, sequence) => return Some(candidate),
                    _ => state.pass = Pass::Plain(at, n + 1),
                }
            }
            Pass::Replace(at, n) => {
                let at = at.min(sequence.len().saturating_sub(1));
                if n == 0 {
                    state.substitutes = substitutes(search, sequence, at, state.most_substitutes);
                }
                let Some(substitute) = state.substitutes.get(n) else {
                    state.pass = if at > 0 { Pass::Replace(at - 1, 0) } else { after_replacing(sequence, state) };
                    continue;
                };
                let candidate = without_idle(search, &replaced(sequence, at, substitute));
                if candidate.len() <= search.options.max_length && is_simpler(search, &candidate, sequence) {
                    return Some(candidate);
                }
                state.pass = Pass::Replace(at, n + 1);
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

/// Another round if the last one helped; then replacement.
fn after_round(sequence: &Sequence, state: &mut State) -> Pass {
    let again = state.changed && state.rounds < ROUNDS;
    state.rounds += 1;
    state.changed = false;
    if again { start(sequence) } else { Pass::Replace(sequence.len().saturating_sub(1), 0) }
}

/// From the start if something was replaced: the new parts may become smaller. Then pairs.
fn after_replacing(sequence: &Sequence, state: &mut State) -> Pass {
    if std::mem::take(&mut state.changed) { start(sequence) } else { Pass::Pair(0, 1) }
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

/// With a plain constant where others use the value of this statement, and without the statement: of its own type, or text where anything goes.
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
    replaced.then(|| without_idle(search, &builder.finish().without(at).sequence))
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

/// `gone`: by how many statements an accepted candidate is shorter.
fn advance(pass: &mut Pass, accepted: bool, new_len: usize, gone: usize) {
    *pass = match *pass {
        // Statements behind the removed one may have gone with it, so the place to go on from is bounded by what is left.
        Pass::Remove(0, _) if accepted => Pass::Plain(0, 0),
        Pass::Remove(at, _) if accepted => Pass::Remove((at - 1).min(new_len.saturating_sub(1)), 0),
        Pass::Remove(at, n) => Pass::Remove(at, n + 1),
        // What was halved may be halved again.
        Pass::Plain(at, _) if accepted => Pass::Plain(at.saturating_sub(gone), 0),
        Pass::Plain(at, n) => Pass::Plain(at, n + 1),
        // On with what is in front of the substitute's value; an accepted one is among the best, so the next round need not look at the same place again.
        Pass::Replace(at, _) if accepted => Pass::Replace(at.saturating_sub(gone + 1), 0),
        Pass::Replace(at, n) => Pass::Replace(at, n + 1),
        // What is left may go singly now.
        Pass::Pair(..) if accepted => Pass::Remove(new_len.saturating_sub(1), 0),
        Pass::Pair(first, second) => Pass::Pair(first, second + 1),
        Pass::Done => Pass::Done,
    };
}
