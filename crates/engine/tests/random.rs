//! Directed random testing on a model class: what it must cover, and that the same seed gives the same search.

mod fake;

use engine::budget::Budget;
use engine::goal::GoalKind;
use engine::options::Options;
use engine::pool::Prune;
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};

fn searched(options: Options, executions: u64, depth: usize) -> Session<'static> {
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
    let mut executor = FakeExecutor { depth, ..FakeExecutor::default() };
    session.run(&mut executor, &mut Budget::executions(executions), &mut |_| {}).unwrap();
    session
}

fn uncovered(session: &Session<'_>) -> Vec<String> {
    let goals = &session.search().goals;
    goals
        .iter()
        .filter(|(id, _)| !goals.is_covered(*id))
        .map(|(_, g)| format!("{} in {}", g.kind.name(), goals.method(g.method).name))
        .collect()
}

#[test]
fn covers_everything_with_every_kind_of_pruning() {
    for prune in [Prune::State, Prune::Equals, Prune::Nothing] {
        for seed in 1..=3 {
            let session = searched(Options { seed, prune, ..Options::default() }, 20_000, 2);
            assert_eq!(uncovered(&session), ["method without exception in spin"], "{prune:?}, seed {seed}");
        }
    }
}

#[test]
fn exceptions_become_goals_unless_they_are_suspicious() {
    let session = searched(Options::default(), 20_000, 1);
    let goals = &session.search().goals;
    let mut thrown: Vec<String> = goals
        .iter()
        .filter(|(_, g)| g.kind == GoalKind::UndeclaredException)
        .map(|(_, g)| format!("{} {}", goals.method(g.method).name, g.exception.as_ref().unwrap().simple_binary()))
        .collect();
    thrown.sort();
    assert_eq!(
        thrown,
        [
            "<init> IllegalArgumentException",
            "join NullPointerException",
            "pop NoSuchElementException",
            "push IllegalStateException"
        ]
    );
    assert!(session.search().suspicions.len() >= 2, "the broken method and the throwing hashCode");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let trace = |seed| {
        let session = searched(Options { seed, ..Options::default() }, 3_000, 2);
        let search = session.search();
        let kept: Vec<_> = search.archive.iter().map(|(g, k)| (g, k.cost, k.sequence.clone())).collect();
        (kept, search.catalog.operations().len(), search.pool.len(), search.totals)
    };
    assert_eq!(trace(5), trace(5));
    assert_ne!(trace(5), trace(6));
}

#[test]
fn budgets_are_kept_to_the_execution() {
    for n in [1, 15, 16, 17, 1000] {
        assert_eq!(searched(Options::default(), n, 2).search().totals.executions, n);
    }
}

#[test]
fn memory_stays_bounded() {
    let session = searched(Options { stop_when_covered: None, ..Options::default() }, 150_000, 2);
    let search = session.search();
    assert!(search.pool.len() <= search.options.pool_per_type * 2, "{}", search.pool.len());
    assert!(search.catalog.operations().len() < 2_600, "{}", search.catalog.operations().len());
}

/// Stacks with the same items are equal, whatever they have room for: by `equals` fewer are worth keeping than by state.
#[test]
fn pruning_by_equals_keeps_one_of_equal_values() {
    let kept_of = |prune, seed| {
        let options = Options { prune, seed, ..Options::default() };
        let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
        let mut executor = FakeExecutor { depth: 1, compares: true, ..FakeExecutor::default() };
        session.run(&mut executor, &mut Budget::executions(300), &mut |_| {}).unwrap();
        session.search().pool.len()
    };
    let kept = |prune| (1..=8).map(|seed| kept_of(prune, seed)).sum::<usize>();
    let (equals, state, all) = (kept(Prune::Equals), kept(Prune::State), kept(Prune::Nothing));
    assert!(equals < state && state < all, "{equals}, {state}, {all}");
}
