//! Random conditions over few small inputs, solved and compared with trying all values. Owns the trees, their plain
//! meaning and the comparison.

use std::sync::Arc;

use symbolic::expr::{ArrayValue, Element, Evaluator, InputId, Model, Op, Sort, Term, Terms, Value, apply};
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Query, Solver};

/// Numbers from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A term before any simplification.
#[derive(Clone, Debug)]
struct Tree {
    op: Op,
    sort: Sort,
    number: u64,
    args: Vec<Tree>,
}

const CELLS: Sort = Sort::Array(Element::Bv(1));
const CELL_COUNT: u32 = 4;

struct Generator {
    chance: Chance,
    inputs: Vec<Sort>,
    floats: bool,
}

impl Generator {
    fn make(&mut self, op: Op, sort: Sort, operands: &[Sort], depth: u32) -> Tree {
        let args = operands.iter().map(|operand| self.tree(*operand, depth - 1)).collect();
        Tree { op, sort, number: 0, args }
    }

    fn tree(&mut self, sort: Sort, depth: u32) -> Tree {
        let same: Vec<usize> = (0..self.inputs.len()).filter(|place| self.inputs[*place] == sort).collect();
        if depth == 0 || self.chance.below(8) == 0 {
            if !same.is_empty() && self.chance.below(4) > 0 {
                let number = self.chance.pick(&same) as u64;
                return Tree { op: Op::Input, sort, number, args: Vec::new() };
            }
            return self.leaf(sort);
        }
        match sort {
            Sort::Bool => self.condition(depth),
            Sort::Bv(width) => self.word(width, depth),
            Sort::F32 | Sort::F64 => self.float(sort, depth),
            Sort::Array(_) => {
                let index = self.index(depth);
                let (array, value) = (self.tree(CELLS, depth - 1), self.tree(Sort::Bv(1), depth - 1));
                Tree { op: Op::Store, sort, number: 0, args: vec![array, index, value] }
            }
        }
    }

    fn leaf(&mut self, sort: Sort) -> Tree {
        match sort {
            Sort::Array(_) if self.inputs.contains(&CELLS) => {
                let number = (self.inputs.len() - 1) as u64;
                Tree { op: Op::Input, sort, number, args: Vec::new() }
            }
            Sort::Array(_) => Tree { op: Op::ConstArray, sort, number: 0, args: vec![self.leaf(Sort::Bv(1))] },
            Sort::F32 => {
                let value = self.chance.pick(&[0f32, -0.0, 1.0, -1.5, 0.1, 3.0, 1e-45, 3e38, f32::INFINITY, f32::NAN]);
                let number = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
                Tree { op: Op::Const, sort, number: number.into(), args: Vec::new() }
            }
            _ => {
                let number = self.chance.below(256) & sort.mask();
                Tree { op: Op::Const, sort, number, args: Vec::new() }
            }
        }
    }

    /// One of the few indices that all arrays here have.
    fn index(&mut self, depth: u32) -> Tree {
        let narrow = self.tree(Sort::Bv(2), depth - 1);
        Tree { op: Op::ZeroExtend, sort: Sort::INT, number: 0, args: vec![narrow] }
    }

    fn condition(&mut self, depth: u32) -> Tree {
        let word = Sort::Bv(1 + self.chance.below(4) as u8);
        let float = self.floats && self.chance.below(3) == 0;
        if float {
            let op = self.chance.pick(&[Op::FLt, Op::FLe, Op::FEq, Op::Eq]);
            return self.make(op, Sort::Bool, &[Sort::F32, Sort::F32], depth);
        }
        match self.chance.below(9) {
            0 => self.make(Op::Not, Sort::Bool, &[Sort::Bool], depth),
            1 => self.make(Op::And, Sort::Bool, &[Sort::Bool, Sort::Bool], depth),
            2 => self.make(Op::Ite, Sort::Bool, &[Sort::Bool, Sort::Bool, Sort::Bool], depth),
            3 => self.make(Op::Eq, Sort::Bool, &[Sort::Bool, Sort::Bool], depth),
            4 => self.make(Op::Eq, Sort::Bool, &[word, word], depth),
            _ => {
                let op = self.chance.pick(&[Op::Ult, Op::Ule, Op::Slt, Op::Sle]);
                self.make(op, Sort::Bool, &[word, word], depth)
            }
        }
    }

    fn word(&mut self, width: u8, depth: u32) -> Tree {
        let sort = Sort::Bv(width);
        if self.floats && self.chance.below(8) == 0 {
            return self.make(Op::FToS, sort, &[Sort::F32], depth);
        }
        match self.chance.below(16) {
            0 => {
                let wide = width + 1 + self.chance.below(2) as u8;
                let mut tree = self.make(Op::Extract, sort, &[Sort::Bv(wide)], depth);
                tree.number = self.chance.below(u64::from(wide - width) + 1);
                tree
            }
            1 if width > 1 => {
                let low = 1 + self.chance.below(u64::from(width) - 1) as u8;
                self.make(Op::Concat, sort, &[Sort::Bv(width - low), Sort::Bv(low)], depth)
            }
            2 | 3 if width > 1 => {
                let op = self.chance.pick(&[Op::ZeroExtend, Op::SignExtend]);
                let narrow = 1 + self.chance.below(u64::from(width) - 1) as u8;
                self.make(op, sort, &[Sort::Bv(narrow)], depth)
            }
            4 => self.make(Op::Ite, sort, &[Sort::Bool, sort, sort], depth),
            5 => {
                let op = self.chance.pick(&[Op::Neg, Op::BitNot]);
                self.make(op, sort, &[sort], depth)
            }
            6 | 7 if width == 1 => {
                let array = self.tree(CELLS, depth - 1);
                let index = self.index(depth);
                Tree { op: Op::Select, sort, number: 0, args: vec![array, index] }
            }
            8..=10 => {
                let op = self.chance.pick(&[Op::UDiv, Op::URem, Op::SDiv, Op::SRem, Op::Shl, Op::LShr, Op::AShr]);
                self.make(op, sort, &[sort, sort], depth)
            }
            _ => {
                let op = self.chance.pick(&[Op::Add, Op::Add, Op::Mul, Op::BitAnd, Op::BitOr, Op::BitXor]);
                self.make(op, sort, &[sort, sort], depth)
            }
        }
    }

    fn float(&mut self, sort: Sort, depth: u32) -> Tree {
        match self.chance.below(10) {
            0..=2 => {
                let word = Sort::Bv(1 + self.chance.below(4) as u8);
                self.make(Op::SToF, sort, &[word], depth)
            }
            3 => {
                let op = self.chance.pick(&[Op::FNeg, Op::FAbs, Op::FSqrt]);
                self.make(op, sort, &[sort], depth)
            }
            4 => {
                let mut tree = self.make(Op::FRound, sort, &[sort], depth);
                tree.number = self.chance.below(4);
                tree
            }
            5 => self.make(Op::Ite, sort, &[Sort::Bool, sort, sort], depth),
            _ => {
                let op = self.chance.pick(&[Op::FAdd, Op::FMul, Op::FDiv, Op::FAdd, Op::FMul, Op::FDiv, Op::FRem]);
                self.make(op, sort, &[sort, sort], depth)
            }
        }
    }
}

impl Tree {
    fn term(&self, terms: &mut Terms, inputs: &[Term]) -> Term {
        if self.op == Op::Input {
            return inputs[self.number as usize];
        }
        let args: Vec<Term> = self.args.iter().map(|arg| arg.term(terms, inputs)).collect();
        terms.build(self.op, self.sort, &args, self.number)
    }

    /// What the tree means, by the operations' definitions and nothing else.
    fn meaning(&self, values: &[Value]) -> Value {
        if self.op == Op::Input {
            return values[self.number as usize].clone();
        }
        let args: Vec<Value> = self.args.iter().map(|arg| arg.meaning(values)).collect();
        let array = |place: usize| args[place].as_array().expect("an array").clone();
        match self.op {
            Op::Const => Value::Scalar(self.number),
            Op::ConstArray => Value::Array(Arc::new(ArrayValue::filled(args[0].bits()))),
            Op::Select => Value::Scalar(array(0).get(args[1].bits() as u32)),
            Op::Store => {
                let mut stored = array(0);
                stored.set(args[1].bits() as u32, args[2].bits());
                Value::Array(Arc::new(stored))
            }
            op => {
                let mut bits = [0; 3];
                for (bit, arg) in bits.iter_mut().zip(&args) {
                    *bit = arg.bits();
                }
                Value::Scalar(apply(op, self.sort, self.args[0].sort, self.number, bits))
            }
        }
    }
}

/// All assignments of the inputs, one after the other.
fn assignments(inputs: &[Sort]) -> Vec<Vec<Value>> {
    let bits: u32 = inputs.iter().map(|sort| if sort.is_array() { CELL_COUNT } else { sort.width() }).sum();
    (0u64..1 << bits)
        .map(|mut number| {
            let mut take = |width: u32| {
                let value = number & ((1 << width) - 1);
                number >>= width;
                value
            };
            let values = inputs.iter().map(|sort| {
                if !sort.is_array() {
                    return Value::Scalar(take(sort.width()));
                }
                let mut array = ArrayValue::default();
                (0..CELL_COUNT).for_each(|index| array.set(index, take(1)));
                Value::Array(Arc::new(array))
            });
            values.collect()
        })
        .collect()
}

fn model_of(values: &[Value]) -> Model {
    let mut model = Model::default();
    for (place, value) in values.iter().enumerate() {
        model.set(InputId(place as u32), value.clone());
    }
    model
}

/// How many answers were compared, and how many of them were "there is none".
#[derive(Clone, Copy, Default, Debug)]
pub struct Checked {
    pub queries: usize,
    pub unsatisfiable: usize,
}

/// Makes conditions from a seed, and compares every answer about them with all assignments.
pub fn check(seed: u64) -> Checked {
    let mut chance = Chance(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut inputs: Vec<Sort> = (0..1 + chance.below(3)).map(|_| Sort::Bv(1 + chance.below(3) as u8)).collect();
    if chance.below(3) == 0 {
        inputs.push(Sort::Bool);
    }
    if chance.below(6) == 0 {
        inputs.push(CELLS);
    }
    let floats = chance.below(12) == 0;
    let count = 1 + chance.below(4);
    let mut generator = Generator { chance, inputs: inputs.clone(), floats };
    let trees: Vec<Tree> = (0..count).map(|_| generator.tree(Sort::Bool, 3)).collect();
    let mut terms = Terms::new();
    let names: Vec<Term> = inputs.iter().map(|sort| terms.input(*sort, "x")).collect();
    let conditions: Vec<Term> = trees.iter().map(|tree| tree.term(&mut terms, &names)).collect();

    let mut truth: Vec<Vec<bool>> = Vec::new();
    let mut evaluator = Evaluator::default();
    for values in assignments(&inputs) {
        let expected: Vec<bool> = trees.iter().map(|tree| tree.meaning(&values).as_bool()).collect();
        let model = model_of(&values);
        evaluator.forget();
        for (tree, (condition, expected)) in trees.iter().zip(conditions.iter().zip(&expected)) {
            let got = evaluator.holds(&terms, &model, *condition);
            assert_eq!(got, *expected, "seed {seed}: {} of {tree:?} under {model:?}", terms.text(*condition));
        }
        truth.push(expected);
    }

    let mut chain = Chain::default();
    let mut checked = Checked::default();
    for length in 1..=conditions.len() {
        for negated in [false, true] {
            let mut asked = conditions[..length].to_vec();
            if negated {
                asked[length - 1] = terms.not(asked[length - 1]);
            }
            let wanted = |row: &Vec<bool>| row[..length - 1].iter().all(|holds| *holds) && row[length - 1] != negated;
            let satisfiable = truth.iter().any(wanted);
            let query = Query::new(asked);
            let mut answers = vec![("chain", chain.check(&mut terms, &query, Limit::ORDINARY))];
            if length == conditions.len() {
                answers.push(("back end", BitBlaster::default().check(&mut terms, &query, Limit::ORDINARY)));
            }
            for (who, answer) in answers {
                checked.queries += 1;
                checked.unsatisfiable += usize::from(!satisfiable);
                let right = match &answer {
                    Answer::Sat(model) => {
                        let mut evaluator = Evaluator::default();
                        satisfiable
                            && query.conditions.iter().all(|condition| evaluator.holds(&terms, model, *condition))
                    }
                    Answer::Unsat => !satisfiable,
                    Answer::Unknown(_) => false,
                };
                let script = if right { String::new() } else { terms.script(&query.conditions) };
                assert!(right, "seed {seed}: {who} says {answer:?}; satisfiable: {satisfiable}\n{script}");
            }
        }
    }
    checked
}
