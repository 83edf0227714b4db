//! Makes sequences small while something about them stays true: statements go, from the last to the first, then constants become plain. Owns the passes and
//! the order "simpler" they follow (`testcase::cost`); what must stay true is the caller's.

use testcase::cost::constant_complexity;
use testcase::execution::Execution;
use testcase::executor::{Detail, ExecutorProblem};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::Sequence;
use testcase::value::Constant;

use super::runner::Runner;
use crate::catalog::Role;
use crate::search::Search;

/// What must stay true of a sequence, judged by a run of it.
pub type Holds<'h> = Box<dyn Fn(&Search<'_>, &Sequence, &Execution) -> bool + 'h>;

/// A sequence on its way down.
pub struct Item<'h> {
    pub sequence: Sequence,
    pub holds: Holds<'h>,
}

/// Plain constants tried per constant.
const TRIES: usize = 4;

/// Where an item is in its passes.
enum Pass {
    /// Try without this statement next.
    Remove(usize),
    /// Try the n-th plainer constant at this statement next.
    Plain(usize, usize),
    Done,
}

/// Shrinks all items side by side, one attempt of each per batch, until nothing helps or time is up. A second call right after changes nothing that the
/// first did not try.
pub fn shrink(runner: &mut Runner<'_, '_, '_>, items: &mut [Item<'_>], detail: Detail) -> Result<(), ExecutorProblem> {
    let mut passes: Vec<Pass> = items.iter().map(|i| start(&i.sequence)).collect();
    loop {
        let mut tried: Vec<(usize, Sequence)> = Vec::new();
        for (at, (item, pass)) in items.iter().zip(&mut passes).enumerate() {
            if let Some(candidate) = next_candidate(runner.search, &item.sequence, pass) {
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
            advance(&mut passes[at], accepted, candidate.len());
            if accepted {
                items[at].sequence = candidate;
            }
        }
    }
}

fn start(sequence: &Sequence) -> Pass {
    match sequence.len() {
        0 => Pass::Done,
        n => Pass::Remove(n - 1),
    }
}

/// The next attempt; moves on over what is not worth one.
fn next_candidate(search: &mut Search<'_>, sequence: &Sequence, pass: &mut Pass) -> Option<Sequence> {
    loop {
        match *pass {
            Pass::Remove(at) => {
                let cut = without_idle(search, &sequence.without(at.min(sequence.len().saturating_sub(1))).sequence);
                if !cut.is_empty() && cut.len() < sequence.len() {
                    return Some(cut);
                }
                *pass = if at == 0 { Pass::Plain(0, 0) } else { Pass::Remove(at - 1) };
            }
            Pass::Plain(at, n) => {
                let Some(statement) = sequence.statements().get(at) else {
                    *pass = Pass::Done;
                    return None;
                };
                match plainer(search, statement.op, n) {
                    Some(op) => return Some(sequence.replace_op(at, op)),
                    None => *pass = Pass::Plain(at + 1, 0),
                }
            }
            Pass::Done => return None,
        }
    }
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
        Pass::Remove(0) => Pass::Plain(0, 0),
        Pass::Remove(at) if accepted => Pass::Remove((at - 1).min(new_len.saturating_sub(1))),
        Pass::Remove(at) => Pass::Remove(at - 1),
        // The plainest are tried first: once one is accepted, nothing plainer is left.
        Pass::Plain(at, _) if accepted => Pass::Plain(at + 1, 0),
        Pass::Plain(at, n) => Pass::Plain(at, n + 1),
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
    const SMALL: [i8; 4] = [0, 1, 2, 10];
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
