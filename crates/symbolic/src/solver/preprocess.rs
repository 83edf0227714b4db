//! Simpler conditions before solving: equalities used up, reads through writes resolved. Owns what has to be added to a
//! model afterwards. Keeps satisfiability exactly; knows nothing of clauses.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Why, independent};
use crate::expr::{Evaluator, InputId, Model, Op, Sort, Term, Terms};

/// How often equalities are looked for again.
const ROUNDS: usize = 8;
/// How many array choices a read may pass.
const CHOICES: usize = 200;
/// From this many consecutive writes at constant indices on, they become a lookup table.
const TABLE: usize = 4;

/// Conditions to solve, and the inputs that follow from a solution.
pub struct Prepared {
    pub conditions: Vec<Term>,
    /// In the order in which they were replaced: later ones do not mention earlier ones.
    replaced: Vec<(InputId, Term)>,
}

impl Prepared {
    /// Adds the inputs that were replaced.
    pub fn complete(&self, terms: &Terms, model: &mut Model, evaluator: &mut Evaluator) {
        for (input, term) in self.replaced.iter().rev() {
            evaluator.forget();
            let value = evaluator.value(terms, model, *term);
            model.set(*input, value);
        }
    }
}

/// Conditions simplified together; with a condition `false` if they contradict each other obviously.
pub fn prepare(terms: &mut Terms, conditions: &[Term]) -> Result<Prepared, Why> {
    let mut prepared = Prepared { conditions: conjuncts(terms, conditions), replaced: Vec::new() };
    for _ in 0..ROUNDS {
        let Some((input, value)) = prepared.conditions.iter().find_map(|condition| definition(terms, *condition))
        else {
            break;
        };
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        map.insert(terms.input_term(input), value);
        prepared.replaced.push((input, value));
        // More equalities of the same round, as long as they concern nothing that is being replaced.
        let mut touched: Vec<InputId> = terms.inputs_of(value).to_vec();
        touched.push(input);
        let mut gone = vec![input];
        for condition in prepared.conditions.clone() {
            if let Some((input, value)) = definition(terms, condition)
                && !touched.contains(&input)
                && !terms.inputs_of(value).iter().any(|used| gone.contains(used))
            {
                map.insert(terms.input_term(input), value);
                prepared.replaced.push((input, value));
                touched.push(input);
                gone.push(input);
                touched.extend_from_slice(terms.inputs_of(value));
            }
        }
        let mut rewriter = Rewriter { map, reads: false };
        prepared.conditions = rewriter.all(terms, &prepared.conditions)?;
        prepared.conditions = conjuncts(terms, &prepared.conditions);
    }
    let mut rewriter = Rewriter { map: FxHashMap::default(), reads: true };
    prepared.conditions = rewriter.all(terms, &prepared.conditions)?;
    prepared.conditions = conjuncts(terms, &prepared.conditions);
    Ok(prepared)
}

/// All conditions that have to hold; only `false` if one is, or two exclude each other.
fn conjuncts(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let found = independent::conjuncts(terms, conditions);
    let known: FxHashSet<Term> = found.iter().copied().collect();
    let contradicts = found.iter().any(|term| {
        let opposite = terms.not(*term);
        *term == Terms::FALSE || known.contains(&opposite)
    });
    if contradicts { vec![Terms::FALSE] } else { found }
}

/// The input and the term that it has to equal, where a condition says so.
fn definition(terms: &mut Terms, condition: Term) -> Option<(InputId, Term)> {
    let node = *terms.node(condition);
    let [a, b, _] = node.args;
    match node.op {
        Op::Input => Some((terms.input_id(condition)?, Terms::TRUE)),
        Op::Not => Some((terms.input_id(a)?, Terms::FALSE)),
        Op::Eq if terms.sort(a).is_array() => None,
        Op::Eq => [(a, b), (b, a)].into_iter().find_map(|(input, value)| {
            let input = terms.input_id(input)?;
            (!terms.inputs_of(value).contains(&input)).then_some((input, value))
        }),
        Op::FEq => {
            let bits = terms.value(b)?;
            let input = terms.input_id(a)?;
            let magnitude = terms.sort(b).mask() >> 1;
            (bits & magnitude != 0).then_some((input, b))
        }
        _ => None,
    }
}

/// Copies terms with some of them replaced.
struct Rewriter {
    map: FxHashMap<Term, Term>,
    /// Whether reads are resolved until only reads of inputs are left.
    reads: bool,
}

impl Rewriter {
    fn all(&mut self, terms: &mut Terms, roots: &[Term]) -> Result<Vec<Term>, Why> {
        roots.iter().map(|root| self.one(terms, *root)).collect()
    }

    fn one(&mut self, terms: &mut Terms, root: Term) -> Result<Term, Why> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.map.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = *terms.node(term);
            let before = stack.len();
            stack.extend(node.args().iter().filter(|arg| !self.map.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut args = node.args;
            for arg in args.iter_mut().take(node.op.arity()) {
                *arg = self.map[arg];
            }
            let copy = match node.op {
                Op::Select if self.reads => self.read(terms, args[0], args[1], &mut 0)?,
                _ if args == node.args => term,
                _ => terms.build(node.op, node.sort, &args[..node.op.arity()], node.number),
            };
            self.map.insert(term, copy);
        }
        Ok(self.map[&root])
    }

    /// What a read gives, in terms of reads of inputs.
    fn read(&mut self, terms: &mut Terms, array: Term, index: Term, passed: &mut usize) -> Result<Term, Why> {
        let mut writes = Vec::new();
        let mut from = array;
        let mut value = loop {
            let node = *terms.node(from);
            match node.op {
                Op::Store if terms.value(node.args[1]).is_some() => {
                    let (table, below) = table(terms, from);
                    if table.len() < TABLE {
                        writes.extend(table.into_iter().map(|(at, held)| (terms.constant(Sort::INT, at), held)));
                    } else {
                        let other = self.read(terms, below, index, passed)?;
                        break lookup(terms, index, &table, other);
                    }
                    from = below;
                }
                Op::Store => {
                    writes.push((node.args[1], node.args[2]));
                    from = node.args[0];
                }
                Op::ConstArray => break node.args[0],
                Op::Ite => {
                    *passed += 1;
                    if *passed > CHOICES {
                        return Err(Why::Unsupported("reads through so many choices of arrays"));
                    }
                    let (first, second) = (
                        self.read(terms, node.args[1], index, passed)?,
                        self.read(terms, node.args[2], index, passed)?,
                    );
                    break terms.ite(node.args[0], first, second);
                }
                _ => break terms.select(from, index),
            }
        };
        for (written, held) in writes.into_iter().rev() {
            let same = terms.eq(written, index);
            value = terms.ite(same, held, value);
        }
        Ok(value)
    }
}

/// What writes at constant indices one after the other leave, by index, and the array before them.
fn table(terms: &Terms, array: Term) -> (Vec<(u64, Term)>, Term) {
    let mut found: BTreeMap<u64, Term> = BTreeMap::new();
    let mut from = array;
    loop {
        let node = terms.node(from);
        match (node.op, terms.value(node.args[1])) {
            (Op::Store, Some(at)) => {
                // The last write counts, and it comes first.
                found.entry(at).or_insert(node.args[2]);
                from = node.args[0];
            }
            _ => return (found.into_iter().collect(), from),
        }
    }
}

/// The value at an index, by halving; `other` where there is none.
fn lookup(terms: &mut Terms, index: Term, table: &[(u64, Term)], other: Term) -> Term {
    match table {
        [] => other,
        [(at, held)] => {
            let place = terms.constant(Sort::INT, *at);
            let here = terms.eq(index, place);
            terms.ite(here, *held, other)
        }
        // Neighbours that hold the same take one comparison.
        [(first, held), .., (last, _)]
            if (last - first) as usize == table.len() - 1 && table.iter().all(|(_, h)| h == held) =>
        {
            let (low, high) = (terms.constant(Sort::INT, *first), terms.constant(Sort::INT, *last));
            let (above, below) = (terms.ule(low, index), terms.ule(index, high));
            let inside = terms.and(above, below);
            terms.ite(inside, *held, other)
        }
        _ => {
            let (low, high) = table.split_at(table.len() / 2);
            let boundary = terms.constant(Sort::INT, high[0].0);
            let is_low = terms.ult(index, boundary);
            let (a, b) = (lookup(terms, index, low, other), lookup(terms, index, high, other));
            terms.ite(is_low, a, b)
        }
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} conditions, {} inputs replaced", self.conditions.len(), self.replaced.len())
    }
}
