//! Answers about random conditions are compared with trying all values; the full count is a matter for `examples/cross_check.rs`.

mod generator;

#[test]
fn random_conditions_are_answered_rightly() {
    let queries: usize = (0..2_000).map(generator::check).sum();
    assert!(queries > 8_000, "{queries}");
}
