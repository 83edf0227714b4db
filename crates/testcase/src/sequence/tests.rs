//! Tests of joining, cutting, hashing. Sequences are written as `op(args)` lists: `"0() 1(0) 2(0,1)"`.

use super::*;

fn seq(text: &str) -> Sequence {
    let statements: Vec<Statement> = text
        .split_whitespace()
        .map(|s| {
            let (op, args) = s.strip_suffix(')').unwrap().split_once('(').unwrap();
            let args: Vec<Var> = args.split(',').filter(|a| !a.is_empty()).map(|a| Var(a.parse().unwrap())).collect();
            Statement::new(OpId(op.parse().unwrap()), &args)
        })
        .collect();
    Sequence::new(statements)
}

fn text(s: &Sequence) -> String {
    let statements: Vec<String> = s
        .statements()
        .iter()
        .map(|s| format!("{}({})", s.op.0, s.args.iter().map(|a| a.0.to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    statements.join(" ")
}

#[test]
fn concat_shifts_arguments() {
    let (joined, offsets) = Sequence::concat(&[&seq("0() 1(0)"), &seq(""), &seq("2() 3(0,0)")]);
    assert_eq!(text(&joined), "0() 1(0) 2() 3(2,2)");
    assert_eq!(offsets.as_slice(), [0, 2, 2]);
    assert_eq!(text(&joined.append(OpId(9), &[Var(1), Var(3)])), "0() 1(0) 2() 3(2,2) 9(1,3)");
}

#[test]
fn uses_and_counts() {
    let s = seq("0() 1(0) 2(0,0) 3(1)");
    assert_eq!(s.uses(Var(0)).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(s.use_counts(), [3, 1, 0, 0]);
}

fn check_slice(input: &str, statement: usize, mode: SliceMode, expected: &str) {
    assert_eq!(text(&seq(input).slice(statement, mode).sequence), expected, "{input} at {statement} {mode:?}");
}

#[test]
fn slices() {
    // stack, constant, push, other, pop
    let s = "0() 1() 2(0,1) 3() 4(0)";
    check_slice(s, 4, SliceMode::Values, "0() 4(0)");
    check_slice(s, 4, SliceMode::Effects, "0() 1() 2(0,1) 4(0)");
    check_slice(s, 3, SliceMode::Effects, "3()");
    check_slice(s, 7, SliceMode::Values, "");
    // An effect that brings in a value which has effects itself.
    check_slice("0() 1() 2(1) 3(0,1) 4(0)", 4, SliceMode::Effects, "0() 1() 2(1) 3(0,1) 4(0)");
}

#[test]
fn removing_takes_dependants_along() {
    let cut = seq("0() 1() 2(0) 3(2) 4(1)").without(0);
    assert_eq!(text(&cut.sequence), "1() 4(0)");
    assert_eq!(cut.var(Var(4)), Some(Var(1)));
    assert_eq!(cut.var(Var(3)), None);
}

#[test]
fn keep_drops_statements_whose_arguments_went() {
    assert_eq!(text(&seq("0() 1(0) 2()").keep(&[false, true, true]).sequence), "2()");
}

#[test]
fn hash_is_stable_and_tells_structures_apart() {
    let all = [
        "",
        "0()",
        "1()",
        "0() 0()",
        "0() 1(0)",
        "0() 1(0,0)",
        "0() 0() 1(0)",
        "0() 0() 1(1)",
        "0() 0() 1(0,1)",
        "0() 0() 1(1,0)",
    ];
    let hashes: std::collections::BTreeSet<u128> = all.iter().map(|s| seq(s).hash128()).collect();
    assert_eq!(hashes.len(), all.len());
    let mut many = std::collections::BTreeSet::new();
    for op in 0..200 {
        for arg in 0..50u16 {
            many.insert(Sequence::new(vec![Statement::new(OpId(op), &[Var(arg)])]).hash128() as u64);
        }
    }
    assert_eq!(many.len(), 200 * 50);
}

#[test]
fn builder_hash_is_the_sequences() {
    let part = seq("0() 1(0)");
    let mut b = SequenceBuilder::default();
    b.extend(&part);
    b.extend(&part);
    let hash = b.hash128();
    assert_eq!(b.finish().hash128(), hash);
}
