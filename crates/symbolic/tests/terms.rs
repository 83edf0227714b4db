//! Terms: what instructions compute, what becomes of them while they are built, and how deep they may be.

use symbolic::expr::{Evaluator, InputId, Model, Op, Sort, Term, Terms};

const INTS: [i32; 10] = [0, 1, -1, 2, 7, -13, 31, 100_000, i32::MAX, i32::MIN];
const LONGS: [i64; 8] = [0, 1, -1, 63, -5_000_000_000, 4_294_967_296, i64::MAX, i64::MIN];
const DOUBLES: [f64; 12] =
    [0.0, -0.0, 1.0, -1.5, 0.1, 1e10, -3e9, 4e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// The bits of a term over two inputs under all pairs of values, folded from constants and evaluated, which have to
/// agree.
fn check<T: Copy + std::fmt::Debug>(
    values: &[T],
    constant: fn(&mut Terms, T) -> Term,
    sort: Sort,
    make: fn(&mut Terms, Term, Term) -> Term,
    expected: impl Fn(T, T) -> Option<u64>,
) {
    let mut terms = Terms::new();
    let (x, y) = (terms.input(sort, "x"), terms.input(sort, "y"));
    let term = make(&mut terms, x, y);
    for a in values {
        for b in values {
            let Some(expected) = expected(*a, *b) else { continue };
            let (p, q) = (constant(&mut terms, *a), constant(&mut terms, *b));
            let folded = make(&mut terms, p, q);
            assert_eq!(terms.value(folded), Some(expected), "{a:?} {b:?}");
            let mut model = Model::default();
            model.set_bits(InputId(0), terms.value(p).unwrap());
            model.set_bits(InputId(1), terms.value(q).unwrap());
            assert_eq!(terms.eval(term, &model).bits(), expected, "{a:?} {b:?}");
            let half = make(&mut terms, x, q);
            assert_eq!(terms.eval(half, &model).bits(), expected, "{a:?} {b:?}");
        }
    }
}

fn ints(make: fn(&mut Terms, Term, Term) -> Term, expected: impl Fn(i32, i32) -> Option<i32>) {
    check(&INTS, Terms::int, Sort::INT, make, |a, b| expected(a, b).map(|value| u64::from(value as u32)));
}

fn longs(make: fn(&mut Terms, Term, Term) -> Term, expected: impl Fn(i64, i64) -> Option<i64>) {
    check(&LONGS, Terms::long, Sort::LONG, make, |a, b| expected(a, b).map(|value| value as u64));
}

fn doubles(make: fn(&mut Terms, Term, Term) -> Term, expected: impl Fn(f64, f64) -> f64) {
    check(&DOUBLES, Terms::double, Sort::F64, make, |a, b| {
        let value = expected(a, b);
        Some(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
    });
}

#[test]
fn instructions_on_ints_and_longs_compute_as_the_jvm_does() {
    ints(Terms::iadd, |a, b| Some(a.wrapping_add(b)));
    ints(Terms::isub, |a, b| Some(a.wrapping_sub(b)));
    ints(Terms::imul, |a, b| Some(a.wrapping_mul(b)));
    ints(Terms::idiv, |a, b| (b != 0).then(|| a.wrapping_div(b)));
    ints(Terms::irem, |a, b| (b != 0).then(|| a.wrapping_rem(b)));
    ints(Terms::ishl, |a, b| Some(a.wrapping_shl(b as u32)));
    ints(Terms::ishr, |a, b| Some(a.wrapping_shr(b as u32)));
    ints(Terms::iushr, |a, b| Some((a as u32).wrapping_shr(b as u32) as i32));
    ints(|terms, a, _| terms.i2b(a), |a, _| Some(i32::from(a as i8)));
    ints(|terms, a, _| terms.i2c(a), |a, _| Some(i32::from(a as u16)));
    ints(|terms, a, _| terms.i2s(a), |a, _| Some(i32::from(a as i16)));
    longs(Terms::lmul, |a, b| Some(a.wrapping_mul(b)));
    longs(Terms::ldiv, |a, b| (b != 0).then(|| a.wrapping_div(b)));
    let by_int = |make: fn(&mut Terms, Term, Term) -> Term| make;
    longs(
        by_int(|terms, a, b| {
            let by = terms.l2i(b);
            terms.lushr(a, by)
        }),
        |a, b| Some((a as u64).wrapping_shr(b as u32) as i64),
    );
    longs(
        by_int(|terms, a, b| {
            let order = terms.lcmp(a, b);
            terms.i2l(order)
        }),
        |a, b| Some(a.cmp(&b) as i64),
    );
}

#[test]
fn instructions_on_doubles_compute_as_the_jvm_does() {
    doubles(Terms::dadd, |a, b| a + b);
    doubles(Terms::dsub, |a, b| a - b);
    doubles(Terms::dmul, |a, b| a * b);
    doubles(Terms::ddiv, |a, b| a / b);
    doubles(Terms::drem, |a, b| a % b);
    doubles(|terms, a, _| terms.dneg(a), |a, _| -a);
    let as_double = |value: i64| value as f64;
    doubles(
        |terms, a, b| {
            let order = terms.dcmpl(a, b);
            terms.i2d(order)
        },
        |a, b| as_double(a.partial_cmp(&b).map_or(-1, |order| order as i64)),
    );
    doubles(
        |terms, a, b| {
            let order = terms.dcmpg(a, b);
            terms.i2d(order)
        },
        |a, b| as_double(a.partial_cmp(&b).map_or(1, |order| order as i64)),
    );
    doubles(
        |terms, a, _| {
            let whole = terms.d2l(a);
            terms.l2d(whole)
        },
        |a, _| as_double(a as i64),
    );
    doubles(
        |terms, a, _| {
            let whole = terms.d2i(a);
            terms.i2d(whole)
        },
        |a, _| f64::from(a as i32),
    );
    doubles(
        |terms, a, _| {
            let single = terms.d2f(a);
            terms.f2d(single)
        },
        |a, _| f64::from(a as f32),
    );
}

/// What a condition on inputs `a`, `b` of a sort becomes.
fn check_text(sort: Sort, make: fn(&mut Terms, Term, Term) -> Term, expected: &str) {
    let mut terms = Terms::new();
    let (a, b) = (terms.input(sort, "a"), terms.input(sort, "b"));
    let term = make(&mut terms, a, b);
    assert_eq!(terms.text(term), expected);
}

#[test]
fn comparisons_with_their_jumps_become_one_condition() {
    check_text(
        Sort::LONG,
        |terms, a, b| {
            let (order, zero) = (terms.lcmp(a, b), terms.int(0));
            terms.sle(order, zero)
        },
        "(bvsle i0_a i1_b)",
    );
    check_text(
        Sort::F64,
        |terms, a, b| {
            let (order, zero) = (terms.dcmpg(a, b), terms.int(0));
            terms.slt(zero, order)
        },
        "(not (fp.leq i0_a i1_b))",
    );
    check_text(
        Sort::F64,
        |terms, a, b| {
            let (order, zero) = (terms.dcmpl(a, b), terms.int(0));
            terms.sle(zero, order)
        },
        "(fp.leq i1_b i0_a)",
    );
    check_text(
        Sort::Bv(16),
        |terms, a, _| {
            let (wide, digit) = (terms.zero_extend(a, Sort::INT), terms.int(48));
            terms.slt(wide, digit)
        },
        "(bvult i0_a #x0030)",
    );
    check_text(
        Sort::INT,
        |terms, a, b| {
            let sum = terms.iadd(a, b);
            let back = terms.isub(sum, b);
            terms.eq(back, a)
        },
        "true",
    );
}

#[test]
fn equal_terms_are_one() {
    let mut terms = Terms::new();
    let (a, b) = (terms.input(Sort::INT, "a"), terms.input(Sort::INT, "b"));
    let (x, y) = (terms.iadd(a, b), terms.iadd(b, a));
    assert_eq!(x, y);
    assert_eq!(terms.inputs_of(x), [InputId(0), InputId(1)]);
    let c = terms.input(Sort::INT, "a");
    assert_ne!(a, c);
}

#[test]
fn terms_may_be_deep() {
    let mut terms = Terms::new();
    let (a, b) = (terms.input(Sort::INT, "a"), terms.input(Sort::INT, "b"));
    let mut deep = a;
    for _ in 0..200_000 {
        let mixed = terms.ixor(deep, b);
        deep = terms.imul(mixed, a);
    }
    assert_eq!(terms.inputs_of(deep).len(), 2);
    let mut model = Model::default();
    model.set_bits(InputId(0), 3);
    let mut evaluator = Evaluator::default();
    let expected = (0..200_000).fold(3i32, |value, _| value.wrapping_mul(3));
    assert_eq!(evaluator.bits(&terms, &model, deep), u64::from(expected as u32));
    let zero = terms.is_zero(deep);
    let script = terms.script(&[zero]);
    let mut again = Terms::new();
    assert_eq!(again.read_script(&script).unwrap().len(), 1);
    assert_eq!(again.op(Terms::TRUE), Op::Const);
}

/// Scripts that cannot be read say what is wrong.
#[test]
fn unreadable_scripts_are_errors() {
    let nested = "(not ".repeat(100_000);
    for (script, expected) in [
        (nested.as_str(), "too many parentheses"),
        ("(assert", "a parenthesis is missing"),
        (")", "a parenthesis too many"),
        ("(assert x)", "an unknown name"),
        ("(declare-const x (_ BitVec 65))", "a sort that is not known"),
        ("(assert (bvfoo #x00 #x01))", "an operation that is not known"),
        ("(solve)", "a command that is not known"),
    ] {
        let error = Terms::new().read_script(script).unwrap_err();
        assert!(error.to_string().contains(expected), "{script}: {error}");
    }
}
