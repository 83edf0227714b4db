//! Conditions as a flat program that says how far an assignment is from satisfying them. Owns the distances; scalars
//! only.

use rustc_hash::FxHashMap;

use crate::expr::{InputId, Op, Sort, Term, Terms, apply};

/// What a distance is where no closeness can be told.
const FAR: f64 = 64.0;

struct Step {
    op: Op,
    sort: Sort,
    operand: Sort,
    number: u64,
    args: [u32; 3],
}

/// A place on the tape after evaluation: the bits, and for conditions how far they are from holding and from failing.
#[derive(Clone, Copy, Default)]
struct Cell {
    bits: u64,
    to_true: f64,
    to_false: f64,
}

/// The program for a conjunction of conditions.
pub struct Tape {
    steps: Vec<Step>,
    cells: Vec<Cell>,
    roots: Vec<u32>,
    pub inputs: Vec<(InputId, Sort)>,
    /// Constants that occur, by sort.
    pub constants: Vec<(Sort, u64)>,
}

impl Tape {
    /// `None` where arrays occur, or more steps than `longest`.
    pub fn of(terms: &Terms, conditions: &[Term], longest: usize) -> Option<Tape> {
        let mut places: FxHashMap<Term, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = conditions.to_vec();
        while let Some(term) = stack.pop() {
            if places.insert(term, 0).is_none() {
                if terms.sort(term).is_array() || order.len() >= longest {
                    return None;
                }
                order.push(term);
                stack.extend(terms.node(term).args());
            }
        }
        order.sort_unstable();
        let (mut steps, mut inputs, mut constants) = (Vec::with_capacity(order.len()), Vec::new(), Vec::new());
        for (place, term) in order.iter().enumerate() {
            places.insert(*term, place as u32);
            let node = terms.node(*term);
            let mut args = [0; 3];
            for (slot, arg) in args.iter_mut().zip(node.args()) {
                *slot = places[arg];
            }
            let operand = node.args().first().map_or(node.sort, |arg| terms.sort(*arg));
            let mut number = node.number;
            match node.op {
                Op::Input => {
                    // Steps number inputs by their place in the assignment.
                    number = inputs.len() as u64;
                    inputs.push((InputId(node.number as u32), node.sort));
                }
                Op::Const => constants.push((node.sort, node.number)),
                _ => {}
            }
            steps.push(Step { op: node.op, sort: node.sort, operand, number, args });
        }
        let roots = conditions.iter().map(|condition| places[condition]).collect();
        Some(Tape { cells: vec![Cell::default(); steps.len()], steps, roots, inputs, constants })
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// How far the assignment (in the order of `inputs`) is from satisfying all conditions: 0 if it does.
    pub fn distance(&mut self, assignment: &[u64]) -> f64 {
        for place in 0..self.steps.len() {
            let cell = self.evaluate(place, assignment);
            self.cells[place] = cell;
        }
        self.roots.iter().map(|root| self.cells[*root as usize].to_true).sum()
    }

    fn evaluate(&self, place: usize, assignment: &[u64]) -> Cell {
        let step = &self.steps[place];
        let [a, b, c] = step.args.map(|arg| self.cells[arg as usize]);
        let bits = match step.op {
            Op::Const => step.number,
            Op::Input => assignment[step.number as usize],
            op => apply(op, step.sort, step.operand, step.number, [a.bits, b.bits, c.bits]),
        };
        if step.sort != Sort::Bool {
            return Cell { bits, ..Cell::default() };
        }
        let (to_true, to_false) = match step.op {
            Op::Not => (a.to_false, a.to_true),
            Op::And => (a.to_true + b.to_true, a.to_false.min(b.to_false)),
            Op::Ite => (
                (a.to_true + b.to_true).min(a.to_false + c.to_true),
                (a.to_true + b.to_false).min(a.to_false + c.to_false),
            ),
            Op::Eq if step.operand == Sort::Bool => (
                (a.to_true + b.to_true).min(a.to_false + b.to_false),
                (a.to_true + b.to_false).min(a.to_false + b.to_true),
            ),
            Op::Const => {
                if bits == 1 {
                    (0.0, FAR)
                } else {
                    (FAR, 0.0)
                }
            }
            Op::Eq | Op::FEq | Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::FLt | Op::FLe => {
                let gap = gap(step.op, step.operand, a.bits, b.bits);
                if bits == 1 { (0.0, gap) } else { (gap, 0.0) }
            }
            _ => {
                if bits == 1 {
                    (0.0, 1.0)
                } else {
                    (1.0, 0.0)
                }
            }
        };
        Cell { bits, to_true, to_false }
    }
}

/// How far two operands are from the other outcome of their comparison; at least 1.
fn gap(op: Op, sort: Sort, a: u64, b: u64) -> f64 {
    let (x, y) = match op {
        Op::Ult | Op::Ule => (i128::from(a), i128::from(b)),
        _ => (ordinal(sort, a), ordinal(sort, b)),
    };
    if sort.is_float() && (is_nan(sort, a) || is_nan(sort, b)) {
        return FAR;
    }
    let difference = (x - y).unsigned_abs();
    1.0 + (1.0 + difference as f64).log2()
}

fn is_nan(sort: Sort, bits: u64) -> bool {
    if sort == Sort::F32 { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits).is_nan() }
}

/// The place of a value among all of its sort, so that neighbours differ by one.
pub fn ordinal(sort: Sort, bits: u64) -> i128 {
    let width = sort.width();
    let sign = bits >> (width - 1) & 1 == 1;
    match sort {
        Sort::F32 | Sort::F64 => {
            let magnitude = i128::from(bits & (sort.mask() >> 1));
            if sign { -magnitude } else { magnitude }
        }
        _ if sign => i128::from(bits) - (1i128 << width),
        _ => i128::from(bits),
    }
}

/// The bits of the value at a place, the nearest where there is none.
pub fn at_ordinal(sort: Sort, ordinal: i128) -> u64 {
    match sort {
        Sort::F32 | Sort::F64 => {
            // The place after the largest number is infinity; beyond are no numbers.
            let infinity = if sort == Sort::F32 { 0x7f80_0000i128 } else { 0x7ff0_0000_0000_0000 };
            let magnitude = ordinal.abs().min(infinity) as u64;
            if ordinal < 0 { magnitude | 1 << (sort.width() - 1) } else { magnitude }
        }
        _ => {
            let half = 1i128 << (sort.width() - 1);
            ordinal.clamp(-half, half - 1) as u64 & sort.mask()
        }
    }
}
