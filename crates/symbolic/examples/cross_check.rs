//! Compares answers about random conditions with trying all values: `cross_check COUNT` asks at least so many queries. Never a part of the product.

#[path = "../tests/cross_check/generator.rs"]
mod generator;

fn main() {
    let count: usize = std::env::args().nth(1).map_or(100_000, |count| count.parse().expect("a number of queries"));
    let mut queries = 0;
    let mut seed = 1_000_000;
    while queries < count {
        queries += generator::check(seed);
        seed += 1;
    }
    println!("{queries} queries of {} sets of conditions: no wrong answer", seed - 1_000_000);
}
