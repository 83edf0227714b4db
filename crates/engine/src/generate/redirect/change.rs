//! Edits of a sequence: another constant in place of one, a call less, a call more often, one variable in place of another. Owns that every result is a valid
//! sequence; which edit is worth a try is others' to say.

use smallvec::SmallVec;
use testcase::operation::OperationKind;
use testcase::sequence::{Sequence, Statement, Var};
use testcase::value::{Constant, JavaString};

use crate::constants::Kind;
use crate::search::Search;

/// A sequence in which every use of a constant has a statement of its own, so that each can be changed for itself.
pub fn unshared(search: &Search<'_>, sequence: &Sequence) -> Sequence {
    let mut statements: Vec<Statement> = Vec::with_capacity(sequence.len() + 4);
    let mut new_place: Vec<Var> = Vec::with_capacity(sequence.len());
    let used = sequence.use_counts();
    for (at, statement) in sequence.statements().iter().enumerate() {
        if search.catalog.facts(statement.op).constant && used[at] > 0 {
            // Put before each of its uses.
            new_place.push(Var(u16::MAX));
            continue;
        }
        let mut args: SmallVec<[Var; 4]> = SmallVec::new();
        for arg in &statement.args {
            let made = &sequence.statements()[arg.index()];
            if new_place[arg.index()] == Var(u16::MAX) {
                statements.push(made.clone());
                args.push(Var(statements.len() as u16 - 1));
            } else {
                args.push(new_place[arg.index()]);
            }
        }
        statements.push(Statement { op: statement.op, args });
        new_place.push(Var(statements.len() as u16 - 1));
    }
    if statements.len() > search.options.max_length { sequence.clone() } else { Sequence::new(statements) }
}

/// The constant that a statement makes, if it makes one that is not null.
pub fn constant_at<'s>(search: &'s Search<'_>, sequence: &Sequence, at: usize) -> Option<&'s Constant> {
    match &search.catalog.operation(sequence.statements()[at].op).kind {
        OperationKind::Constant(constant) if *constant != Constant::Null => Some(constant),
        _ => None,
    }
}

/// With another constant at a place, of the type that is there. `None` if it is the same or does not fit.
pub fn set(search: &mut Search<'_>, sequence: &Sequence, at: usize, value: &Constant) -> Option<Sequence> {
    let here = sequence.statements()[at].op;
    let ty = search.catalog.ty(search.catalog.facts(here).result).clone();
    if Kind::of_type(&ty) != Kind::of_constant(value) {
        return None;
    }
    let op = search.catalog.constant(search.library, value.clone(), ty);
    (op != here).then(|| sequence.replace_op(at, op))
}

/// With null for every use of a value that may be null there. `None` if there is no such use.
pub fn nulled(search: &mut Search<'_>, sequence: &Sequence, at: usize) -> Option<Sequence> {
    let ty = search.catalog.facts(sequence.statements()[at].op).result;
    if !search.catalog.ty(ty).is_reference() {
        return None;
    }
    let var = Var(at as u16);
    let wanted = sequence.statements().iter().find_map(|s| {
        let facts = search.catalog.facts(s.op);
        let first = usize::from(facts.needs_object);
        s.args.iter().skip(first).position(|a| *a == var).map(|i| facts.params[first + i])
    })?;
    let ty = search.catalog.ty(wanted).clone();
    let null = search.catalog.constant(search.library, Constant::Null, ty);
    let mut statements: Vec<Statement> = Vec::with_capacity(sequence.len() + 1);
    for (i, statement) in sequence.statements().iter().enumerate() {
        let mut statement = statement.clone();
        for arg in statement.args.iter_mut().filter(|a| a.index() > at) {
            *arg = arg.shifted(1);
        }
        let facts = search.catalog.facts(statement.op);
        for (n, arg) in statement.args.iter_mut().enumerate() {
            let may = !(facts.needs_object && n == 0);
            if *arg == var && may && search.catalog.fits(wanted, facts.params[n]) {
                *arg = Var(at as u16 + 1);
            }
        }
        statements.push(statement);
        if i == at {
            statements.push(Statement { op: null, args: SmallVec::new() });
        }
    }
    (statements.len() <= search.options.max_length).then(|| tidy(search, Sequence::new(statements)))
}

/// With all uses of one value replaced by another that was made before them. `None` if it does not fit any.
pub fn rewired(search: &Search<'_>, sequence: &Sequence, from: usize, to: usize) -> Option<Sequence> {
    let (old, new) = (Var(from as u16), Var(to as u16));
    let given = search.catalog.facts(sequence.statements()[to].op).result;
    let mut changed = false;
    let mut statements = sequence.statements().to_vec();
    for (i, statement) in statements.iter_mut().enumerate() {
        let facts = search.catalog.facts(statement.op);
        for (n, arg) in statement.args.iter_mut().enumerate() {
            if *arg == old && to < i && search.catalog.fits(given, facts.params[n]) {
                *arg = new;
                changed = true;
            }
        }
    }
    changed.then(|| tidy(search, Sequence::new(statements)))
}

/// Without a statement and what needs its value. `None` if nothing is left of what the sequence ends in.
pub fn without(sequence: &Sequence, at: usize) -> Option<Sequence> {
    let last = sequence.len().checked_sub(1)?;
    let cut = sequence.without(at);
    cut.var(Var(last as u16)).map(|_| cut.sequence)
}

/// With a call made so many times more, right behind itself; with `varied`, each time with other numbers.
pub fn repeated(
    search: &mut Search<'_>,
    sequence: &Sequence,
    at: usize,
    times: usize,
    varied: bool,
) -> Option<Sequence> {
    let call = sequence.statements()[at].clone();
    let mut statements: Vec<Statement> = sequence.statements()[..=at].to_vec();
    for n in 1..=times {
        let mut again = call.clone();
        if varied {
            let mut changed = false;
            for arg in &mut again.args {
                let Some(constant) = constant_at(search, sequence, arg.index()).cloned() else { continue };
                let Some(next) = shifted(&constant, n as i64) else { continue };
                let ty = search.catalog.ty(search.catalog.facts(sequence.statements()[arg.index()].op).result).clone();
                let op = search.catalog.constant(search.library, next, ty);
                statements.push(Statement { op, args: SmallVec::new() });
                *arg = Var(statements.len() as u16 - 1);
                changed = true;
            }
            if !changed {
                return None;
            }
        }
        statements.push(again);
    }
    let more = statements.len() - at - 1;
    for statement in &sequence.statements()[at + 1..] {
        let mut statement = statement.clone();
        for arg in statement.args.iter_mut().filter(|a| a.index() > at) {
            *arg = arg.shifted(more);
        }
        statements.push(statement);
    }
    (statements.len() <= search.options.max_length).then(|| Sequence::new(statements))
}

/// Without constants that nobody uses.
pub fn tidy(search: &Search<'_>, sequence: Sequence) -> Sequence {
    let used = sequence.use_counts();
    let last = sequence.len() - 1;
    let idle = |(at, s): (usize, &Statement)| at == last || used[at] > 0 || !search.catalog.facts(s.op).constant;
    let keep: Vec<bool> = sequence.statements().iter().enumerate().map(idle).collect();
    if keep.iter().all(|k| *k) { sequence } else { sequence.keep(&keep).sequence }
}

/// A whole number as a constant of a kind, if it can hold it.
pub fn whole(kind: Kind, n: i64) -> Option<Constant> {
    use bytecode::names::Primitive as P;
    Some(match kind.primitive()? {
        P::Boolean => Constant::Boolean(match n {
            0 => false,
            1 => true,
            _ => return None,
        }),
        P::Byte => Constant::Byte(n.try_into().ok()?),
        P::Char => Constant::Char(n.try_into().ok()?),
        P::Short => Constant::Short(n.try_into().ok()?),
        P::Int => Constant::Int(n.try_into().ok()?),
        P::Long => Constant::Long(n),
        P::Float => Constant::Float((n as f32).to_bits()),
        P::Double => Constant::Double((n as f64).to_bits()),
    })
}

/// A number as a constant of a kind; rounded where it has to be.
pub fn number(kind: Kind, x: f64) -> Option<Constant> {
    use bytecode::names::Primitive as P;
    match kind.primitive()? {
        P::Float => Some(Constant::Float((x as f32).to_bits())),
        P::Double => Some(Constant::Double(x.to_bits())),
        _ if x.is_finite() && x.abs() < 9.3e18 => whole(kind, x.round() as i64),
        _ => None,
    }
}

/// What a constant counts as.
pub fn worth(constant: &Constant) -> Option<f64> {
    Some(match constant {
        Constant::Boolean(b) => f64::from(u8::from(*b)),
        Constant::Byte(n) => f64::from(*n),
        Constant::Char(n) => f64::from(*n),
        Constant::Short(n) => f64::from(*n),
        Constant::Int(n) => f64::from(*n),
        Constant::Long(n) => *n as f64,
        Constant::Float(bits) => f64::from(f32::from_bits(*bits)),
        Constant::Double(bits) => f64::from_bits(*bits),
        _ => return None,
    })
}

/// The constant so much further; text with so many more characters.
pub fn shifted(constant: &Constant, by: i64) -> Option<Constant> {
    let kind = Kind::of_constant(constant)?;
    match constant {
        Constant::String(s) => {
            let units: Vec<u16> = s.units().iter().copied().chain(format!("{by}").encode_utf16()).collect();
            Some(Constant::String(JavaString::new(&units)))
        }
        Constant::Boolean(b) => Some(Constant::Boolean(!b)),
        Constant::Long(n) => Some(Constant::Long(n.wrapping_add(by))),
        other => number(kind, worth(other)? + by as f64),
    }
}
