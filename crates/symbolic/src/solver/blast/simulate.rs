//! Runs circuits on values, 64 at a time, and compares them with what operations mean on concrete scalars. Tests only.

use super::floats::Format;
use super::gates::{Circuit, Lit};
use super::words::Word;
use super::{Blast, float_operation};
use crate::expr::{Op, Rounding, Sort, apply, canonical};

/// Numbers from a seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Bits of a value of the sort: any, or a troublesome one.
    fn value(&mut self, sort: Sort, near: u64) -> u64 {
        let any = self.next();
        if !sort.is_float() {
            return match any % 4 {
                0 => (any >> 8) % 20,
                1 => ((any >> 8) % 20).wrapping_neg(),
                2 => any >> (any >> 58) >> 2,
                _ => any.rotate_left(7),
            } & sort.mask();
        }
        let (fraction, top) = if sort == Sort::F32 { (23, 0xff) } else { (52, 0x7ff) };
        let sign = (any & 1) << (sort.width() - 1);
        let mantissa = self.next() & ((1 << fraction) - 1);
        let bits = match (any >> 1) % 10 {
            0 => 0,
            1 => top << fraction,
            2 => mantissa,
            3 => mantissa >> ((any >> 32) % fraction),
            4 => ((top - 1) << fraction) | mantissa,
            5 => (1 << fraction) | (mantissa & 3),
            6 => {
                ((top / 2 + (any >> 40) % 70 - 3) << fraction) | (mantissa >> ((any >> 48) % 24) << ((any >> 48) % 24))
            }
            // Near the other operand, so that subtraction cancels.
            7 => return near ^ (any >> 61) ^ sign,
            8 => return near.wrapping_add((any >> 60) << fraction) & sort.mask() ^ sign,
            _ => mantissa | ((any >> 20) % (top + 1)) << fraction,
        };
        canonical(sort, bits | sign)
    }
}

/// Compares a circuit with `apply` on 64 × `rounds` values.
fn check(op: Op, sort: Sort, operand: Sort, number: u64, rounds: usize) {
    let mut circuit = Circuit::default();
    let width = operand.width() as usize;
    let binary = op.arity() == 2;
    let a = circuit.free_word(width);
    let b = if binary { circuit.free_word(width) } else { Word::new() };
    let result = circuit_of(&mut circuit, op, sort, operand, number, &a, &b);
    let mut chance = Chance(op as u64 * 7919 + u64::from(operand.width()));
    for _ in 0..rounds {
        let mut pairs = [(0, 0); 64];
        for pair in &mut pairs {
            let x = canonical(operand, chance.value(operand, 0));
            *pair = (x, canonical(operand, chance.value(operand, x)));
        }
        let lane = |place: usize, second: bool| {
            pairs
                .iter()
                .enumerate()
                .fold(0u64, |lanes, (number, (x, y))| lanes | ((if second { y } else { x }) >> place & 1) << number)
        };
        let mut inputs: Vec<(Lit, u64)> = (0..width).map(|place| (a[place], lane(place, false))).collect();
        inputs.extend(b.iter().enumerate().map(|(place, lit)| (*lit, lane(place, true))));
        let outputs = circuit.simulate(&inputs, &result);
        for (number_of_pair, (x, y)) in pairs.iter().enumerate() {
            let got = outputs
                .iter()
                .enumerate()
                .fold(0u64, |bits, (place, lanes)| bits | (lanes >> number_of_pair & 1) << place);
            let expected = apply(op, sort, operand, number, [*x, *y, 0]);
            assert_eq!(
                got, expected,
                "{op:?} {number} on {operand}: {x:#x} {y:#x}: got {got:#x}, expected {expected:#x}"
            );
        }
    }
}

fn circuit_of(circuit: &mut Circuit, op: Op, sort: Sort, operand: Sort, number: u64, a: &[Lit], b: &[Lit]) -> Word {
    if operand.is_float() {
        return float_operation(circuit, op, sort, operand, number, a, b);
    }
    let width = operand.width() as usize;
    match op {
        Op::SToF => circuit.signed_to_float(Format::of(sort), a),
        Op::Mul => circuit.mul(a, b, width),
        Op::UDiv => circuit.divide(a, b).0,
        Op::URem => circuit.divide(a, b).1,
        Op::Shl => circuit.shift(a, b, true, Lit::FALSE),
        Op::LShr => circuit.shift(a, b, false, Lit::FALSE),
        Op::AShr => circuit.shift(a, b, false, a[width - 1]),
        Op::Add => circuit.add(a, b),
        Op::Neg => circuit.negate(a),
        Op::Slt => vec![circuit.slt(a, b)],
        Op::Ule => vec![circuit.ule(a, b)],
        _ => panic!("{op:?} has no circuit here"),
    }
}

#[test]
fn integer_circuits_compute() {
    for width in [1, 2, 3, 7, 8, 31, 32, 64] {
        let sort = Sort::Bv(width);
        for op in [Op::Mul, Op::UDiv, Op::URem, Op::Shl, Op::LShr, Op::AShr, Op::Add, Op::Neg] {
            check(op, sort, sort, 0, 4);
        }
        check(Op::Slt, Sort::Bool, sort, 0, 4);
        check(Op::Ule, Sort::Bool, sort, 0, 4);
    }
}

#[test]
fn float_circuits_compute() {
    for sort in [Sort::F32, Sort::F64] {
        for op in [Op::FAdd, Op::FMul, Op::FDiv, Op::FSqrt, Op::FNeg, Op::FAbs] {
            check(op, sort, sort, 0, 60);
        }
        for op in [Op::FLt, Op::FLe, Op::FEq, Op::FIsNan, Op::Eq] {
            check(op, Sort::Bool, sort, 0, 60);
        }
        for rounding in [Rounding::NearestEven, Rounding::Up, Rounding::Down, Rounding::Zero] {
            check(Op::FRound, sort, sort, rounding as u64, 60);
        }
        for width in [8, 32, 64] {
            check(Op::FToS, Sort::Bv(width), sort, 0, 60);
            check(Op::SToF, sort, Sort::Bv(width), 0, 60);
        }
    }
    check(Op::FToF, Sort::F64, Sort::F32, 0, 60);
    check(Op::FToF, Sort::F32, Sort::F64, 0, 60);
}

#[test]
fn float_remainders_compute() {
    check(Op::FRem, Sort::F32, Sort::F32, 0, 60);
    check(Op::FRem, Sort::F64, Sort::F64, 0, 3);
}

/// Constants fold on their way through the circuits, which uses other shapes of them.
#[test]
fn circuits_of_constants_are_constant() {
    let mut chance = Chance(1);
    for sort in [Sort::F32, Sort::F64] {
        for op in [Op::FAdd, Op::FMul, Op::FDiv] {
            for _ in 0..200 {
                let x = canonical(sort, chance.value(sort, 0));
                let y = canonical(sort, chance.value(sort, x));
                let mut blast = Blast::default();
                let width = sort.width() as usize;
                let (a, b) = (blast.circuit.constant(x, width), blast.circuit.constant(y, width));
                let result = float_operation(&mut blast.circuit, op, sort, sort, 0, &a, &b);
                let expected = blast.circuit.constant(apply(op, sort, sort, 0, [x, y, 0]), width);
                assert_eq!(result, expected, "{op:?} {x:#x} {y:#x}");
            }
        }
    }
}

/// Products with one constant operand have rows for its digits only.
#[test]
fn products_with_constants_compute() {
    let mut chance = Chance(2);
    for width in [8usize, 32, 64] {
        for _ in 0..50 {
            let factor = chance.value(Sort::Bv(width as u8), 0);
            let mut circuit = Circuit::default();
            let a = circuit.free_word(width);
            let b = circuit.constant(factor, width);
            let product = circuit.mul(&a, &b, width);
            let lanes: Vec<(Lit, u64)> = a.iter().map(|lit| (*lit, chance.next())).collect();
            let outputs = circuit.simulate(&lanes, &product);
            for number in 0..64 {
                let collect = |lanes: &[u64]| {
                    lanes.iter().enumerate().fold(0u64, |bits, (place, lane)| bits | (lane >> number & 1) << place)
                };
                let x = collect(&lanes.iter().map(|(_, lane)| *lane).collect::<Vec<_>>());
                let expected = apply(Op::Mul, Sort::Bv(width as u8), Sort::Bv(width as u8), 0, [x, factor, 0]);
                assert_eq!(collect(&outputs), expected, "{x:#x} * {factor:#x}");
            }
        }
    }
}
