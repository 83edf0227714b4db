//! Compares answers about random conditions with trying all values: `cross_check COUNT` asks at least COUNT queries.
//! Never a part of the product.

#[path = "../tests/cross_check/generator.rs"]
mod generator;

fn main() {
    let count: usize = std::env::args().nth(1).map_or(100_000, |count| count.parse().expect("a number of queries"));
    let (mut queries, mut unsatisfiable) = (0, 0);
    let mut seed = 1_000_000;
    while queries < count {
        let checked = generator::check(seed);
        queries += checked.queries;
        unsatisfiable += checked.unsatisfiable;
        seed += 1;
    }
    println!("{queries} queries, {unsatisfiable} of them unsatisfiable: no wrong answer");
}
