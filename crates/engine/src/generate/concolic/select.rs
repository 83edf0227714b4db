//! Which ways become tests, by criterion. Owns what was seen of each criterion so far; the tests themselves are the archive's.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::expr::{Op, Sort, Term, Terms};
use symbolic::vm::{Machine, MethodId, Outcome};

use super::explorer::Explorer;
use super::inputs::Values;
use super::lines::Lines;
use super::settings::Criterion;
use super::solving::Solved;
use super::state::{Ended, Way};
use super::summary::PathId;

/// Ways that the machine has no model of, per invokable: a JVM may tell more.
const UNMODELLED: u32 = 4;
/// Extra tests per way for boundaries or overflows.
const EXTRA: usize = 8;

/// Decides what is worth a test.
pub struct Selector {
    criterion: Criterion,
    lines: Lines,
    /// Are the method's branches ours to cover?
    under_test: FxHashMap<MethodId, bool>,
    classes: FxHashSet<String>,
    paths: FxHashSet<PathId>,
    ends: FxHashSet<(u16, Option<Arc<str>>)>,
    unmodelled: FxHashMap<u16, u32>,
    asked: FxHashSet<(Term, bool)>,
}

impl Selector {
    pub fn new(criterion: Criterion, classes: impl Iterator<Item = String>, lines: Lines) -> Selector {
        Selector {
            criterion,
            lines,
            under_test: FxHashMap::default(),
            classes: classes.collect(),
            paths: FxHashSet::default(),
            ends: FxHashSet::default(),
            unmodelled: FxHashMap::default(),
            asked: FxHashSet::default(),
        }
    }

    /// Is this way a test, and which?
    pub fn is_wanted(&mut self, machine: &Machine, way: &Way) -> bool {
        let Some(last) = way.calls.last() else { return false };
        let invokable = last.invokable;
        let new_end = match &way.ended {
            Ended::Normal => self.ends.insert((invokable, None)),
            Ended::Threw(class) => self.ends.insert((invokable, Some(class.clone()))),
            Ended::Unmodelled => {
                let count = self.unmodelled.entry(invokable).or_default();
                *count += 1;
                *count <= UNMODELLED
            }
            Ended::Exhausted => self.ends.insert((invokable, Some("".into()))),
        };
        let ours: Vec<Outcome> = way.fresh.iter().filter(|o| self.is_ours(machine, o)).copied().collect();
        match self.criterion {
            Criterion::Branch | Criterion::Boundary | Criterion::Overflow => new_end || !ours.is_empty(),
            Criterion::Line => {
                let mut new = false;
                for outcome in ours {
                    let (class, name, descriptor) = machine.method_parts(outcome.method);
                    new |= self.lines.cover(class, name, descriptor, outcome);
                }
                new_end || new
            }
            Criterion::Path => self.paths.insert(way.path) && way.whole || new_end || !ours.is_empty(),
        }
    }

    /// Does a branch of the classes under test count?
    pub fn is_ours(&mut self, machine: &Machine, outcome: &Outcome) -> bool {
        let classes = &self.classes;
        *self
            .under_test
            .entry(outcome.method)
            .or_insert_with(|| classes.contains(machine.method_parts(outcome.method).0))
    }

    /// More values for the same way: at the boundaries of its conditions, or where its arithmetic overflows.
    pub fn extra(&mut self, explorer: &mut Explorer, way: &Way) -> Vec<Values> {
        let mut found = Vec::new();
        match self.criterion {
            Criterion::Boundary => {
                for at in way.own..way.conditions.len() {
                    let (term, side) = way.conditions[at];
                    if found.len() >= EXTRA || !self.asked.insert((term, side)) {
                        continue;
                    }
                    let Some(edge) = boundary(&mut explorer.machine.path_mut().terms, term, side) else { continue };
                    let mut wanted = way.conditions[..=at].to_vec();
                    wanted.push((edge, true));
                    found.extend(values(explorer, way, &wanted));
                }
            }
            Criterion::Overflow => {
                let roots = way.conditions[way.own..].iter().map(|(t, _)| *t).chain(way.result);
                let sums = arithmetic(&explorer.machine.path().terms, roots);
                for sum in sums {
                    if found.len() >= EXTRA || !self.asked.insert((sum, true)) {
                        continue;
                    }
                    let Some(overflows) = overflow(&mut explorer.machine.path_mut().terms, sum) else { continue };
                    let mut wanted = way.conditions.clone();
                    wanted.push((overflows, true));
                    found.extend(values(explorer, way, &wanted));
                }
            }
            Criterion::Branch | Criterion::Line | Criterion::Path => {}
        }
        found
    }
}

fn values(explorer: &mut Explorer, way: &Way, wanted: &[(Term, bool)]) -> Option<Values> {
    match explorer.solve(wanted, true) {
        Solved::Values(model, inputs) => {
            let mut values = way.values.clone();
            for input in inputs {
                values.set(input, model.bits(input));
            }
            (values != way.values).then_some(values)
        }
        Solved::Impossible | Solved::Unknown | Solved::Hard(_) => None,
    }
}

/// The outermost values on this side of an order: for `a < b`, `a = b - 1` if it holds and `a = b` if it does not.
fn boundary(terms: &mut Terms, term: Term, side: bool) -> Option<Term> {
    let node = *terms.node(term);
    if node.op == Op::Not {
        return boundary(terms, node.args[0], !side);
    }
    let (a, b) = (node.args[0], node.args[1]);
    match node.op {
        Op::Slt | Op::Ult => {
            if !side {
                return Some(terms.eq(a, b));
            }
            let one = terms.constant(terms.sort(a), 1);
            let next = terms.add(a, one);
            Some(terms.eq(next, b))
        }
        Op::Sle | Op::Ule => {
            if side {
                return Some(terms.eq(a, b));
            }
            let one = terms.constant(terms.sort(a), 1);
            let next = terms.add(b, one);
            Some(terms.eq(next, a))
        }
        _ => None,
    }
}

/// Sums, differences and products of ints that these terms are made of.
fn arithmetic(terms: &Terms, roots: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut queue: Vec<Term> = roots.collect();
    let mut found = Vec::new();
    while let Some(term) = queue.pop() {
        if !seen.insert(term) || seen.len() > 500 {
            continue;
        }
        let node = terms.node(term);
        if matches!(node.op, Op::Add | Op::Mul) && node.sort == Sort::INT {
            found.push(term);
        }
        queue.extend_from_slice(node.args());
    }
    found.sort();
    found
}

/// Twice as many bits give another result.
fn overflow(terms: &mut Terms, sum: Term) -> Option<Term> {
    let node = *terms.node(sum);
    let wide = |terms: &mut Terms, t: Term| terms.sign_extend(t, Sort::LONG);
    let (a, b) = (wide(terms, node.args[0]), wide(terms, node.args[1]));
    let exact = match node.op {
        Op::Add => terms.add(a, b),
        Op::Mul => terms.mul(a, b),
        _ => return None,
    };
    let wrapped = wide(terms, sum);
    let same = terms.eq(exact, wrapped);
    Some(terms.not(same))
}
