//! The complete back end: terms as circuits, circuits as clauses, clauses to CaDiCaL. Owns the translation of every
//! operation but not its circuits; arrays and substitutions are done before, in `preprocess`.

mod floats;
mod gates;
#[cfg(test)]
mod simulate;
mod words;

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::preprocess::{self, Prepared};
use super::{Answer, Limit, Query, Solver, Why};
use crate::expr::{ArrayValue, Evaluator, InputId, Model, Op, Rounding, Sort, Term, Terms, Value};
use floats::Format;
use gates::{Circuit, Lit};
use words::{Word, sign_extended, zero_extended};

/// Solves by a fresh SAT solver for each query.
#[derive(Default, Debug)]
pub struct BitBlaster {
    evaluator: Evaluator,
    work: u64,
}

/// What a solver takes to set up, to take a clause in, and for a conflict: all of it, and by clauses. In nanoseconds.
const SET_UP: u64 = 80_000;
const CLAUSE: u64 = 250;
const CONFLICT: u64 = 10_000;
const CONFLICT_CLAUSE: u64 = 4;

/// Asks the caller whether to go on, and counts conflicts by what is learnt of them.
struct Stop<'a>(Limit<'a>, &'a Cell<u64>);

impl cadical::Callbacks for Stop<'_> {
    fn terminate(&mut self) -> bool {
        self.0.is_over()
    }
    fn max_length(&self) -> i32 {
        i32::MAX
    }
    fn learn(&mut self, _: &[i32]) {
        self.1.set(self.1.get() + 1);
    }
}

impl Solver for BitBlaster {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        let prepared = match preprocess::prepare(terms, &query.conditions) {
            Ok(prepared) => prepared,
            Err(why) => return Answer::Unknown(why),
        };
        if prepared.conditions.contains(&Terms::FALSE) {
            return Answer::Unsat;
        }
        if limit.weight < u64::MAX {
            let weight = super::weight(terms, &prepared.conditions);
            if weight > limit.weight {
                return Answer::Unknown(Why::Weight(weight, limit.weight));
            }
        }
        let mut model = if prepared.conditions.is_empty() {
            Model::default()
        } else {
            let mut blast = Blast::default();
            let solved = blast.solve(terms, &prepared, limit, &mut self.evaluator);
            self.work +=
                SET_UP + blast.clauses * CLAUSE + blast.conflicts * (CONFLICT + blast.clauses * CONFLICT_CLAUSE);
            match solved {
                Ok(Some(model)) => model,
                Ok(None) => return Answer::Unsat,
                Err(why) => return Answer::Unknown(why),
            }
        };
        prepared.complete(terms, &mut model, &mut self.evaluator);
        self.evaluator.forget();
        let holds = query.conditions.iter().all(|condition| self.evaluator.holds(terms, &model, *condition));
        if holds { Answer::Sat(model) } else { Answer::Unknown(Why::WrongModel) }
    }

    fn work(&self) -> u64 {
        self.work
    }
}

/// The translation of one query.
#[derive(Default)]
struct Blast {
    circuit: Circuit,
    words: FxHashMap<Term, Word>,
    divisions: FxHashMap<(Term, Term, bool), (Word, Word)>,
    /// Inputs and reads of input arrays, whose bits the solver chooses.
    free: Vec<Term>,
    /// What has to hold besides the conditions.
    side: Vec<Lit>,
    clauses: u64,
    conflicts: u64,
}

impl Blast {
    fn solve(
        &mut self,
        terms: &Terms,
        prepared: &Prepared,
        limit: Limit<'_>,
        evaluator: &mut Evaluator,
    ) -> Result<Option<Model>, Why> {
        let conflicts = Cell::new(0);
        let mut sat: cadical::Solver<Stop<'_>> = cadical::Solver::new();
        let mut roots = Vec::with_capacity(prepared.conditions.len());
        for condition in &prepared.conditions {
            roots.push(self.word(terms, *condition)?[0]);
        }
        self.equal_reads(terms);
        roots.append(&mut self.side);
        if roots.contains(&Lit::FALSE) {
            return Ok(None);
        }
        for root in roots {
            let clauses = &mut self.clauses;
            self.circuit.assert(root, &mut |clause| {
                *clauses += 1;
                sat.add_clause(clause.iter().copied());
            });
        }
        if limit.is_over() {
            return Err(Why::Stopped);
        }
        // Invariant: the name of the limit is one that CaDiCaL has.
        sat.set_limit("conflicts", limit.conflicts.min(i32::MAX as u32) as i32).expect("CaDiCaL limits conflicts");
        sat.set_callbacks(Some(Stop(limit, &conflicts)));
        let solved = sat.solve();
        self.conflicts = conflicts.get();
        match solved {
            Some(true) => Ok(Some(self.model(terms, &sat, evaluator))),
            Some(false) => Ok(None),
            None if limit.is_over() => Err(Why::Stopped),
            None => Err(Why::Conflicts(limit.conflicts)),
        }
    }

    fn model(&self, terms: &Terms, sat: &cadical::Solver<Stop<'_>>, evaluator: &mut Evaluator) -> Model {
        let bits = |word: &[Lit]| {
            word.iter().enumerate().fold(0u64, |bits, (place, lit)| {
                let one = match (lit.known(), self.circuit.variable(*lit)) {
                    (Some(known), _) => known,
                    (None, 0) => false,
                    (None, name) => sat.value(name) == Some(true),
                };
                bits | u64::from(one) << place
            })
        };
        let mut model = Model::default();
        for term in &self.free {
            if let Some(input) = terms.input_id(*term) {
                model.set_bits(input, bits(&self.words[term]));
            }
        }
        // Where a single read is all that depends on an index, no clause speaks of it: it is what the inputs make it.
        // Reads inside of indices come first.
        let mut arrays: FxHashMap<InputId, ArrayValue> = FxHashMap::default();
        for term in self.free.iter().filter(|term| terms.op(**term) == Op::Select) {
            let [array, index, _] = terms.node(*term).args;
            evaluator.forget();
            let index = evaluator.bits(terms, &model, index) as u32;
            // Invariant: `preprocess` leaves reads of inputs only.
            let input = terms.input_id(array).expect("only inputs are read");
            let array = arrays.entry(input).or_default();
            array.set(index, bits(&self.words[term]));
            model.set(input, Value::Array(array.clone().into()));
        }
        model
    }

    /// Reads of the same array at the same index are equal.
    fn equal_reads(&mut self, terms: &Terms) {
        let reads: Vec<Term> = self.free.iter().copied().filter(|term| terms.op(*term) == Op::Select).collect();
        for (number, first) in reads.iter().enumerate() {
            for second in &reads[number + 1..] {
                let ([a, i, _], [b, j, _]) = (terms.node(*first).args, terms.node(*second).args);
                if a != b {
                    continue;
                }
                let same_index = self.circuit.equal_words(&self.words[&i], &self.words[&j]);
                if same_index == Lit::FALSE {
                    continue;
                }
                let same_value = self.circuit.equal_words(&self.words[first], &self.words[second]);
                let follows = self.circuit.or(!same_index, same_value);
                self.side.push(follows);
            }
        }
    }

    /// The bits of a term, after those of its operands.
    fn word(&mut self, terms: &Terms, root: Term) -> Result<&Word, Why> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.words.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let before = stack.len();
            let operands = if node.op == Op::Select { &node.args[1..2] } else { node.args() };
            stack.extend(operands.iter().filter(|arg| !self.words.contains_key(arg)));
            if stack.len() == before {
                stack.pop();
                let word = self.translate(terms, term)?;
                self.words.insert(term, word);
            }
        }
        Ok(&self.words[&root])
    }

    fn translate(&mut self, terms: &Terms, term: Term) -> Result<Word, Why> {
        let node = *terms.node(term);
        if node.sort.is_array() {
            return Err(Why::Unsupported("arrays as values"));
        }
        let width = node.sort.width() as usize;
        if let Op::Input | Op::Select = node.op {
            self.free.push(term);
            let word = self.circuit.free_word(width);
            if node.sort.is_float() {
                let format = Format::of(node.sort);
                let canonical = self.circuit.one_nan(format, &word);
                let same = self.circuit.equal_words(&word, &canonical);
                self.side.push(same);
            }
            return Ok(word);
        }
        if node.op == Op::Const {
            return Ok(self.circuit.constant(node.number, width));
        }
        if let Op::UDiv | Op::URem | Op::SDiv | Op::SRem = node.op {
            return Ok(self.division(node.op, node.args[0], node.args[1]));
        }
        let operand = terms.sort(node.args[0]);
        if operand.is_array() {
            return Err(Why::Unsupported("equality of arrays"));
        }
        let empty = Word::new();
        let mut words = [&empty; 3];
        for (word, arg) in words.iter_mut().zip(node.args()) {
            *word = &self.words[arg];
        }
        let [a, b, c] = words;
        let circuit = &mut self.circuit;
        if operand.is_float() {
            return Ok(float_operation(circuit, node.op, node.sort, operand, node.number, a, b));
        }
        Ok(match node.op {
            Op::Not => vec![!a[0]],
            Op::And => vec![circuit.and(a[0], b[0])],
            Op::Eq => vec![circuit.equal_words(a, b)],
            Op::Ite => circuit.choose(a[0], b, c),
            Op::Add => circuit.add(a, b),
            Op::Mul => circuit.mul(a, b, width),
            Op::Neg => circuit.negate(a),
            Op::BitAnd => circuit.zip(a, b, Circuit::and),
            Op::BitOr => circuit.zip(a, b, Circuit::or),
            Op::BitXor => circuit.zip(a, b, Circuit::xor),
            Op::BitNot => circuit.not_word(a),
            Op::Shl => circuit.shift(a, b, true, Lit::FALSE),
            Op::LShr => circuit.shift(a, b, false, Lit::FALSE),
            Op::AShr => circuit.shift(a, b, false, a[width - 1]),
            Op::Ult => vec![circuit.ult(a, b)],
            Op::Ule => vec![circuit.ule(a, b)],
            Op::Slt => vec![circuit.slt(a, b)],
            Op::Sle => vec![circuit.sle(a, b)],
            Op::Extract => a[node.number as usize..node.number as usize + width].to_vec(),
            Op::Concat => [b.as_slice(), a].concat(),
            Op::ZeroExtend => zero_extended(a, width),
            Op::SignExtend => sign_extended(a, width),
            Op::SToF => circuit.signed_to_float(Format::of(node.sort), a),
            Op::FFromBits => circuit.one_nan(Format::of(node.sort), a),
            _ => return Err(Why::Unsupported("this operation")),
        })
    }

    fn division(&mut self, op: Op, a: Term, b: Term) -> Word {
        let signed = matches!(op, Op::SDiv | Op::SRem);
        if !self.divisions.contains_key(&(a, b, signed)) {
            let (x, y) = (&self.words[&a], &self.words[&b]);
            let circuit = &mut self.circuit;
            let both = if signed {
                let (sign_x, sign_y) = (x[x.len() - 1], y[y.len() - 1]);
                let (x, y) = (circuit.negate_if(sign_x, x), circuit.negate_if(sign_y, y));
                let (quotient, remainder) = circuit.divide(&x, &y);
                let differ = circuit.xor(sign_x, sign_y);
                (circuit.negate_if(differ, &quotient), circuit.negate_if(sign_x, &remainder))
            } else {
                circuit.divide(x, y)
            };
            self.divisions.insert((a, b, signed), both);
        }
        let (quotient, remainder) = &self.divisions[&(a, b, signed)];
        if matches!(op, Op::SDiv | Op::UDiv) { quotient.clone() } else { remainder.clone() }
    }
}

/// An operation whose first operand is a float.
fn float_operation(
    circuit: &mut Circuit,
    op: Op,
    sort: Sort,
    operand: Sort,
    number: u64,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let format = Format::of(operand);
    match op {
        Op::Eq => vec![circuit.equal_words(a, b)],
        Op::FAdd => circuit.float_add(format, a, b),
        Op::FMul => circuit.float_mul(format, a, b),
        Op::FDiv => circuit.float_div(format, a, b),
        Op::FRem => circuit.float_rem(format, a, b),
        Op::FSqrt => circuit.float_sqrt(format, a),
        Op::FNeg => circuit.float_negate(format, a, None),
        Op::FAbs => circuit.float_negate(format, a, Some(Lit::FALSE)),
        Op::FLt => vec![circuit.float_less(format, a, b, false)],
        Op::FLe => vec![circuit.float_less(format, a, b, true)],
        Op::FEq => vec![circuit.float_equal(format, a, b)],
        Op::FIsNan => vec![circuit.is_nan(format, a)],
        Op::FRound => circuit.float_round(format, a, Rounding::from_number(number)),
        Op::FToF => circuit.float_to_float(format, Format::of(sort), a),
        Op::FToS => circuit.float_to_signed(format, a, sort.width() as usize),
        // The bits themselves; no other operation has a float first.
        _ => a.to_vec(),
    }
}
