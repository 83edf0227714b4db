//! Answers about random conditions are compared with trying all values; the full count is a matter for
//! `examples/cross_check.rs`.

mod generator;

#[test]
fn random_conditions_are_answered_rightly() {
    let (mut queries, mut unsatisfiable) = (0, 0);
    for seed in 0..2_000 {
        let checked = generator::check(seed);
        queries += checked.queries;
        unsatisfiable += checked.unsatisfiable;
    }
    assert!(queries > 8_000 && unsatisfiable > 2_000, "{queries} queries, {unsatisfiable} unsatisfiable");
}
