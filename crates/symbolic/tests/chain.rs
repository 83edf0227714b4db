//! The links of the chain: which one answers which query, and that known answers are not asked for again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use symbolic::expr::{InputId, Model, Sort, Term, Terms};
use symbolic::solver::{Answer, BitBlaster, Chain, Limit, Query, Solver};

/// The usual back end, counted.
struct Counted {
    next: BitBlaster,
    asked: Arc<AtomicUsize>,
}

impl Solver for Counted {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.next.check(terms, query, limit)
    }
}

struct Bench {
    terms: Terms,
    chain: Chain,
    asked: Arc<AtomicUsize>,
}

impl Bench {
    fn new() -> Bench {
        let asked = Arc::new(AtomicUsize::new(0));
        let chain = Chain::over(Box::new(Counted { next: BitBlaster::default(), asked: asked.clone() }));
        Bench { terms: Terms::new(), chain, asked }
    }

    /// Asks, and expects an answer and a number of questions to the back end so far.
    fn check(&mut self, conditions: &[Term], satisfiable: bool, asked: usize) -> Option<Model> {
        let answer = self.chain.check(&mut self.terms, &Query::new(conditions), Limit::ORDINARY);
        assert_eq!(self.asked.load(Ordering::Relaxed), asked, "{answer:?}");
        match answer {
            Answer::Sat(model) => {
                assert!(satisfiable, "{model:?}");
                assert!(conditions.iter().all(|condition| self.terms.eval(*condition, &model).as_bool()));
                Some(model)
            }
            answer => {
                assert_eq!((answer, satisfiable), (Answer::Unsat, false));
                None
            }
        }
    }

    /// A condition that only the back end can answer: bits of an input mixed and compared.
    fn mixed(&mut self, input: Term, mask: i32, result: i32) -> Term {
        let (mask, result, by) = (self.terms.int(mask), self.terms.int(result), self.terms.int(7));
        let shifted = self.terms.iushr(input, by);
        let mixed = self.terms.ixor(shifted, input);
        let masked = self.terms.iand(mixed, mask);
        self.terms.eq(masked, result)
    }
}

#[test]
fn answers_are_remembered_for_equal_smaller_and_larger_queries() {
    let mut bench = Bench::new();
    let x = bench.terms.input(Sort::INT, "x");
    let (a, b, c) = (bench.mixed(x, 0xff, 0x5a), bench.mixed(x, 0xff00, 0x1200), bench.mixed(x, 0xf, 0x3));
    bench.check(&[a, b], true, 1);
    bench.check(&[b, a], true, 1);
    // Part of a satisfiable query, and more than an unsatisfiable one.
    bench.check(&[b], true, 1);
    bench.check(&[a, c], false, 2);
    bench.check(&[a, c, b], false, 2);
    let statistics = bench.chain.statistics().cache;
    assert_eq!((statistics.same, statistics.superset, statistics.subset), (1, 1, 1));
}

#[test]
fn independent_conditions_are_asked_apart() {
    let mut bench = Bench::new();
    let (x, y) = (bench.terms.input(Sort::INT, "x"), bench.terms.input(Sort::INT, "y"));
    let (a, b) = (bench.mixed(x, 0xff, 0x5a), bench.mixed(y, 0xff00, 0x1200));
    bench.check(&[a], true, 1);
    // What is known of x need not be asked again, and both values are in the model.
    let model = bench.check(&[a, b], true, 2).unwrap();
    assert!(model.get(InputId(0)).is_some() && model.get(InputId(1)).is_some());
}

#[test]
fn earlier_models_and_suggestions_are_tried() {
    let mut bench = Bench::new();
    let x = bench.terms.input(Sort::INT, "x");
    let a = bench.mixed(x, 0xff, 0);
    let mut model = Model::default();
    model.set_bits(InputId(0), 0);
    bench.chain.suggest(model);
    bench.check(&[a], true, 0);
    let b = bench.mixed(x, 0xffff, 0);
    bench.check(&[a, b], true, 0);
    assert_eq!(bench.chain.statistics().cache.earlier_model, 2);
}

#[test]
fn ranges_and_search_answer_before_the_back_end() {
    let mut bench = Bench::new();
    let (x, y) = (bench.terms.input(Sort::F64, "x"), bench.terms.input(Sort::F64, "y"));
    let terms = &mut bench.terms;
    let (low, high) = (terms.double(18.5), terms.double(25.0));
    let square = terms.dmul(y, y);
    let ratio = terms.ddiv(x, square);
    let (below, above) = (terms.flt(ratio, low), terms.fle(high, ratio));
    bench.check(&[below, above], false, 0);
    bench.check(&[above], true, 0);
    let statistics = bench.chain.statistics().fast;
    assert_eq!((statistics.contradictions, statistics.found), (1, 1));
}

#[test]
fn the_same_questions_have_the_same_answers() {
    let ask = || {
        let mut bench = Bench::new();
        let (x, y) = (bench.terms.input(Sort::INT, "x"), bench.terms.input(Sort::INT, "y"));
        let product = bench.terms.imul(x, y);
        let (a, b) = (bench.mixed(product, 0xffff, 0x1234), bench.terms.slt(x, y));
        bench.chain.check(&mut bench.terms, &Query::new([a, b]), Limit::ORDINARY)
    };
    assert_eq!(ask(), ask());
}
