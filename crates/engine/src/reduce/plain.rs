//! Plainer values: numbers towards nought and by halves, texts shorter and of plain letters, arrays with fewer elements; what is the same or opposite
//! elsewhere changes with them. Owns these forms and their order; every
//! form is plainer than what it stands for, so that trying them ends.

use testcase::cost::constant_complexity;
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement};
use testcase::value::{Constant, JavaString};

use crate::constants::opposite;
use crate::search::Search;

/// Forms tried per value.
const TRIES: usize = 10;

/// The n-th attempt at a plainer operation of the same type, for a statement that takes nothing.
pub fn plainer(search: &mut Search<'_>, op: OpId, n: usize) -> Option<OpId> {
    let operation = search.catalog.operation(op).clone();
    let library = search.library;
    match &operation.kind {
        OperationKind::Constant(constant) => {
            let replacement = plainer_forms(constant).into_iter().nth(n)?;
            Some(search.catalog.constant(library, replacement, operation.result))
        }
        OperationKind::NewArray { lengths } => {
            let kind = OperationKind::NewArray { lengths: shorter(lengths).into_iter().nth(n)? };
            let role = search.catalog.facts(op).role;
            Some(search.catalog.add(library, testcase::operation::Operation { kind, ..operation }, role))
        }
        _ => None,
    }
}

/// A statement behind that has to do with a constant: it holds the same, or the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kin {
    at: usize,
    opposite: bool,
}

/// Those that may have to change together with the statement.
pub fn kin(search: &Search<'_>, sequence: &Sequence, at: usize) -> Vec<Kin> {
    let statements = sequence.statements();
    let operation = search.catalog.operation(statements[at].op);
    let counterpart = match &operation.kind {
        OperationKind::Constant(constant) => opposite(constant).filter(|o| o != constant),
        _ => None,
    };
    let related = |op: OpId| {
        if op == statements[at].op {
            return Some(false);
        }
        let other = search.catalog.operation(op);
        let is_counterpart = matches!(&other.kind, OperationKind::Constant(c) if Some(c) == counterpart.as_ref());
        (is_counterpart && other.result == operation.result).then_some(true)
    };
    let behind = (at + 1..statements.len()).filter(|&i| statements[i].args.is_empty());
    behind.filter_map(|i| related(statements[i].op).map(|opposite| Kin { at: i, opposite })).collect()
}

/// With this operation at the statement, and what becomes of its kin.
pub fn together(search: &mut Search<'_>, sequence: &Sequence, at: usize, by: OpId, kin: &[Kin]) -> Option<Sequence> {
    let operation = search.catalog.operation(by).clone();
    let counterpart = match &operation.kind {
        OperationKind::Constant(constant) => opposite(constant),
        _ => None,
    };
    let library = search.library;
    let counterpart = counterpart.map(|c| search.catalog.constant(library, c, operation.result));
    let mut statements = sequence.statements().to_vec();
    statements[at].op = by;
    for kin in kin {
        statements[kin.at].op = if kin.opposite { counterpart? } else { by };
    }
    Some(Sequence::new(statements))
}

/// An array literal without its n-th element.
pub fn fewer_elements(search: &mut Search<'_>, sequence: &Sequence, at: usize, n: usize) -> Option<Sequence> {
    let statement = sequence.statements().get(at)?;
    let mut operation = search.catalog.operation(statement.op).clone();
    if !matches!(operation.kind, OperationKind::ArrayLiteral { .. })
        || search.checks.is_gather(statement.op)
        || n >= statement.args.len()
    {
        return None;
    }
    let element = operation.params.pop()?;
    debug_assert!(operation.params.iter().all(|p| *p == element));
    operation.kind = OperationKind::ArrayLiteral { length: operation.params.len() as u32 };
    let role = search.catalog.facts(statement.op).role;
    let library = search.library;
    let op = search.catalog.add(library, operation, role);
    let mut args = statement.args.clone();
    args.remove(n);
    let mut statements = sequence.statements().to_vec();
    statements[at] = Statement { op, args };
    Some(Sequence::new(statements))
}

/// Empty, one element, half as many; each dimension by itself.
fn shorter(lengths: &[u32]) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for (i, &length) in lengths.iter().enumerate() {
        for less in [0, 1, length / 2, length.saturating_sub(1)] {
            let mut form = lengths.to_vec();
            form[i] = less;
            if less < length && !all.contains(&form) {
                all.push(form);
            }
        }
    }
    all
}

/// Those that are plainer than the constant, each once.
fn plainer_forms(constant: &Constant) -> Vec<Constant> {
    let limit = constant_complexity(constant);
    let mut plainer: Vec<Constant> = Vec::with_capacity(TRIES);
    for form in forms(constant) {
        if plainer.len() < TRIES && constant_complexity(&form) < limit && !plainer.contains(&form) {
            plainer.push(form);
        }
    }
    plainer
}

/// Plainest first; some are not plainer than the constant itself.
fn forms(constant: &Constant) -> Vec<Constant> {
    const SMALL: [i8; 5] = [0, 1, 2, 3, 10];
    let integers = |v: i64, make: &dyn Fn(i64) -> Constant| -> Vec<Constant> {
        let mut forms: Vec<Constant> = SMALL.iter().map(|&n| make(n.into())).collect();
        forms.extend([-1, v / 10, v / 2, v.checked_neg().unwrap_or(i64::MAX)].map(make));
        forms
    };
    let fractions = |v: f64, make: &dyn Fn(f64) -> Constant| -> Vec<Constant> {
        let mut forms: Vec<Constant> = SMALL.iter().map(|&n| make(n.into())).collect();
        forms.extend([-1.0, 0.5, v.trunc(), (v / 2.0).trunc(), -v].map(make));
        forms
    };
    match constant {
        Constant::Boolean(_) => vec![Constant::Boolean(false)],
        Constant::Byte(v) => integers((*v).into(), &|n| Constant::Byte(n.clamp(-128, 127) as i8)),
        Constant::Char(_) => [b'a', b'b', b'0'].map(|c| Constant::Char(u16::from(c))).to_vec(),
        Constant::Short(v) => integers((*v).into(), &|n| Constant::Short(n.clamp(-32768, 32767) as i16)),
        Constant::Int(v) => {
            let most = (i64::from(i32::MIN), i64::from(i32::MAX));
            integers((*v).into(), &|n| Constant::Int(n.clamp(most.0, most.1) as i32))
        }
        Constant::Long(v) => integers(*v, &Constant::Long),
        Constant::Float(bits) => fractions(f32::from_bits(*bits).into(), &|v| Constant::Float((v as f32).to_bits())),
        Constant::Double(bits) => fractions(f64::from_bits(*bits), &|v| Constant::Double(v.to_bits())),
        Constant::String(s) => texts(s),
        Constant::Null | Constant::Class(_) | Constant::Enum { .. } => Vec::new(),
    }
}

fn texts(text: &JavaString) -> Vec<Constant> {
    let units = text.units();
    let (half, last) = (units.len() / 2, units.len().saturating_sub(1));
    let mut forms: Vec<Constant> = ["", "a", "b"].map(|s| Constant::String(s.into())).to_vec();
    if units.len() > 1 {
        let plain = vec![u16::from(b'a'); units.len()];
        for part in [&units[..half], &units[half..], &units[..last], &units[1..], &plain[..]] {
            forms.push(Constant::String(JavaString::new(part)));
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plainer forms, in the order in which they are tried.
    fn check(constant: Constant, expected: &[Constant]) {
        assert_eq!(plainer_forms(&constant), expected, "{constant:?}");
    }

    #[test]
    fn numbers_go_towards_nought_and_by_halves() {
        use Constant::{Byte, Double, Int, Long};
        check(Int(0), &[]);
        check(Int(1), &[Int(0)]);
        check(Int(471_147), &[0, 1, 2, 3, 10, -1, 47_114, 235_573].map(Int));
        check(Int(-2), &[0, 1, 2, 3, -1].map(Int));
        check(Long(i64::MIN), &[0, 1, 2, 3, 10, -1, i64::MIN / 10, i64::MIN / 2, i64::MAX].map(Long));
        check(Byte(-128), &[0, 1, 2, 3, 10, -1, -12, -64, 127].map(Byte));
        let double = |v: f64| Double(v.to_bits());
        check(double(0.1), &[0.0, 1.0, 2.0, 3.0, 10.0, -1.0, 0.5].map(double));
    }

    #[test]
    fn texts_become_shorter_and_plain() {
        let text = |s: &str| Constant::String(s.into());
        check(text(""), &[]);
        check(text("Z"), &["", "a", "b"].map(text));
        check(text("x-Yz"), &["", "a", "b", "x-", "Yz", "x-Y", "-Yz", "aaaa"].map(text));
    }

    #[test]
    fn arrays_become_shorter() {
        assert_eq!(shorter(&[5]), [vec![0], vec![1], vec![2], vec![4]]);
        assert_eq!(shorter(&[1, 0]), [vec![0, 0]]);
    }
}
