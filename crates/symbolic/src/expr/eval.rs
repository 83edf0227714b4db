//! Evaluation of terms under a model. Owns the cache of results; never recurses, however deep a term is.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::apply::{apply, canonical};
use super::{ArrayValue, InputId, Model, Op, Sort, Term, Terms, Value};

/// Evaluates terms of one arena under one model at a time; call [`Evaluator::forget`] when the model changes.
#[derive(Default, Debug)]
pub struct Evaluator {
    /// Per term: the round in which it was computed, and its bits.
    memory: Vec<(u32, u64)>,
    arrays: FxHashMap<Term, Arc<ArrayValue>>,
    round: u32,
    stack: Vec<Term>,
}

impl Evaluator {
    /// Makes room for another model.
    pub fn forget(&mut self) {
        self.arrays.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.memory.clear();
        }
    }

    pub fn value(&mut self, terms: &Terms, model: &Model, term: Term) -> Value {
        self.compute(terms, model, term);
        if terms.sort(term).is_array() { Value::Array(self.array(term)) } else { Value::Scalar(self.bits_of(term)) }
    }

    /// The bits of a scalar term.
    pub fn bits(&mut self, terms: &Terms, model: &Model, term: Term) -> u64 {
        self.compute(terms, model, term);
        self.bits_of(term)
    }

    /// Whether a condition holds.
    pub fn holds(&mut self, terms: &Terms, model: &Model, term: Term) -> bool {
        self.bits(terms, model, term) == 1
    }

    fn bits_of(&self, term: Term) -> u64 {
        self.memory[term.index()].1
    }

    fn array(&self, term: Term) -> Arc<ArrayValue> {
        // Invariant: called only for arrays that `compute` has finished.
        self.arrays.get(&term).cloned().unwrap_or_default()
    }

    fn known(&self, term: Term) -> bool {
        self.memory[term.index()].0 == self.round
    }

    fn compute(&mut self, terms: &Terms, model: &Model, term: Term) {
        if self.round == 0 {
            self.round = 1;
        }
        if self.memory.len() < terms.len() {
            self.memory.resize(terms.len(), (0, 0));
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(term);
        while let Some(&top) = stack.last() {
            if self.known(top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let before = stack.len();
            if node.op == Op::Ite && !self.known(node.args[0]) {
                stack.push(node.args[0]);
                continue;
            }
            if node.op == Op::Select {
                if let Some(bits) = self.read(terms, node.args[0], node.args[1], &mut stack) {
                    stack.pop();
                    self.memory[top.index()] = (self.round, bits);
                }
                continue;
            }
            let needed = match node.op {
                Op::Ite if self.bits_of(node.args[0]) == 1 => &node.args[1..2],
                Op::Ite => &node.args[2..3],
                _ => node.args(),
            };
            stack.extend(needed.iter().filter(|arg| !self.known(**arg)));
            if stack.len() == before {
                stack.pop();
                self.finish(terms, model, top);
            }
        }
        self.stack = stack;
    }

    /// What a read gives, going through writes from the last to the first; no array is made for that. `None` if
    /// something has to be computed before, which is on the stack then.
    fn read(&self, terms: &Terms, array: Term, index: Term, stack: &mut Vec<Term>) -> Option<u64> {
        let mut need = |term: Term| {
            let known = self.known(term).then(|| self.bits_of(term));
            if known.is_none() {
                stack.push(term);
            }
            known
        };
        let wanted = need(index)?;
        let mut from = array;
        loop {
            let node = terms.node(from);
            match node.op {
                Op::Store => {
                    let written = match terms.value(node.args[1]) {
                        Some(constant) => constant,
                        None => need(node.args[1])?,
                    };
                    if written == wanted {
                        return need(node.args[2]);
                    }
                    from = node.args[0];
                }
                Op::ConstArray => return need(node.args[0]),
                Op::Ite => from = if need(node.args[0])? == 1 { node.args[1] } else { node.args[2] },
                _ => {
                    need(from)?;
                    return Some(self.arrays.get(&from).map_or(0, |array| array.get(wanted as u32)));
                }
            }
        }
    }

    /// Computes a term whose operands (of a condition: the chosen one) are known.
    fn finish(&mut self, terms: &Terms, model: &Model, term: Term) {
        let node = terms.node(term);
        let [a, b, c] = node.args;
        let bits = match node.op {
            Op::Const => node.number,
            Op::Input => match model.get(InputId(node.number as u32)) {
                Some(Value::Array(array)) => {
                    self.arrays.insert(term, array.clone());
                    0
                }
                Some(Value::Scalar(bits)) => canonical(node.sort, *bits),
                None => 0,
            },
            Op::Ite => {
                let chosen = if self.bits_of(a) == 1 { b } else { c };
                if node.sort.is_array() {
                    let array = self.array(chosen);
                    self.arrays.insert(term, array);
                }
                self.bits_of(chosen)
            }
            Op::Store => {
                let mut array = self.array(a);
                Arc::make_mut(&mut array).set(self.bits_of(b) as u32, self.bits_of(c));
                self.arrays.insert(term, array);
                0
            }
            Op::ConstArray => {
                self.arrays.insert(term, Arc::new(ArrayValue::filled(self.bits_of(a))));
                0
            }
            Op::Eq if terms.sort(a).is_array() => u64::from(self.array(a) == self.array(b)),
            op => {
                let operand = if node.op == Op::Ite { Sort::Bool } else { terms.sort(a) };
                let mut values = [0; 3];
                for (value, arg) in values.iter_mut().zip(node.args()) {
                    *value = self.bits_of(*arg);
                }
                apply(op, node.sort, operand, node.number, values)
            }
        };
        self.memory[term.index()] = (self.round, bits);
    }
}
