//! Whose turn it is in a portfolio: whoever gains gets more, nobody gets nothing, who has nothing to propose holds nobody up, and who waits for results does not lose the turn.

mod fake;

use std::collections::VecDeque;

use engine::budget::Budget;
use engine::generate::portfolio::{Member, Portfolio};
use engine::generate::{Generator, Turn};
use engine::options::Options;
use engine::proposal::Wanted;
use engine::rng::Rng;
use engine::search::{Delta, Proposal, Search};
use engine::session::Session;
use fake::{FakeExecutor, FakeLibrary, goals};
use testcase::execution::{Execution, Outcome};
use testcase::sequence::Sequence;

/// Proposes empty sequences, up to a limit; thinks for each of them.
struct Stub {
    left: usize,
    thinking: u64,
    thought: u64,
}

impl Generator for Stub {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        if self.left == 0 {
            return Turn::Exhausted;
        }
        for _ in 0..n.min(self.left) {
            out.push(search.offer(Sequence::empty(), Wanted::default()));
            self.thought += self.thinking;
        }
        self.left -= n.min(self.left);
        Turn::Ready
    }
    fn observe(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {}
    fn effort(&mut self) -> u64 {
        std::mem::take(&mut self.thought)
    }
}

fn execution(steps: u32) -> Execution {
    Execution { steps, ..Execution::ended(Outcome::Normal) }
}

/// What members do who do not think.
fn shares(limits: &[usize], gains: &[u64], steps: &[u32], batches: usize) -> Vec<u64> {
    thinking_shares(limits, &[0.5; 3], &[0; 3], gains, steps, batches)
}

/// Runs batches of 64; `hopes` and `thinking` say what is expected of the n-th member and what each proposal of it costs beforehand, `gains` how many goals the n-th member finds with each of its executions, in thousandths, `steps` what they cost.
fn thinking_shares(
    limits: &[usize],
    hopes: &[f64],
    thinking: &[u64],
    gains: &[u64],
    steps: &[u32],
    batches: usize,
) -> Vec<u64> {
    const NAMES: [&str; 3] = ["first", "second", "third"];
    let members = limits.iter().zip(thinking).zip(hopes).zip(NAMES).map(|(((left, thinking), &hope), name)| {
        let stub: Box<dyn Generator> = Box::new(Stub { left: *left, thinking: *thinking, thought: 0 });
        Member::in_turn(name, hope, stub)
    });
    let mut portfolio = Portfolio::new(members.collect());
    let mut search = Search::new(&FakeLibrary, goals(), Vec::new(), Options::default());
    let mut rng = Rng::new(1);
    let mut found = vec![0; limits.len()];
    for _ in 0..batches {
        let before: Vec<u64> = portfolio.figures().shares.iter().map(|s| s.executions).collect();
        let mut proposals = Vec::new();
        portfolio.propose(&mut search, &mut rng, 64, &mut proposals);
        for proposal in &proposals {
            let now: Vec<u64> = portfolio.figures().shares.iter().map(|s| s.executions).collect();
            // Who is at work shows only in what is counted; the first of a batch goes without a gain.
            let at_work = now.iter().zip(&before).position(|(a, b)| a > b);
            let (mut new_goals, mut cost) = (0, 10);
            if let Some(n) = at_work {
                found[n] += gains[n];
                new_goals = (found[n] / 1000) as u32;
                found[n] %= 1000;
                cost = steps[n];
            }
            portfolio.observe(&search, proposal, &execution(cost), Delta { new_goals, pooled: 0 });
        }
    }
    portfolio.figures().shares.iter().map(|s| s.executions).collect()
}

#[test]
fn who_gains_more_gets_more_and_everybody_gets_something() {
    let counts = shares(&[usize::MAX; 3], &[1, 20, 1], &[100; 3], 3_000);
    assert!(counts[1] > 5 * counts[0] && counts[1] > 5 * counts[2], "{counts:?}");
    assert!(counts.iter().all(|n| n * 80 > 3_000 * 64), "{counts:?}");
}

#[test]
fn without_gains_costs_are_shared_evenly() {
    let counts = shares(&[usize::MAX; 3], &[0; 3], &[100, 20_000, 100], 2_000);
    assert!(counts[0] > 3 * counts[1] && counts[2] > 3 * counts[1], "{counts:?}");
    assert!(counts[0] < 2 * counts[2] && counts[2] < 2 * counts[0], "{counts:?}");
}

#[test]
fn without_gains_more_goes_to_whom_more_is_expected_of() {
    let counts = thinking_shares(&[usize::MAX; 3], &[0.5, 2.0, 0.5], &[0; 3], &[0; 3], &[100; 3], 2_000);
    assert!(counts[1] > 2 * counts[0] && counts[1] > 2 * counts[2], "{counts:?}");
    assert!(counts.iter().all(|n| n * 10 > 2_000 * 64), "{counts:?}");
}

#[test]
fn thinking_costs_what_executions_cost() {
    let counts = thinking_shares(&[usize::MAX; 3], &[0.5; 3], &[0, 10, 0], &[0; 3], &[100; 3], 2_000);
    assert!(counts[0] > 5 * counts[1] && counts[2] > 5 * counts[1], "{counts:?}");
    assert!(counts[1] > 0, "{counts:?}");
}

#[test]
fn who_has_nothing_left_holds_nobody_up() {
    let counts = shares(&[500, usize::MAX, 0], &[50, 1, 1], &[100; 3], 200);
    assert_eq!(counts, [500, (200 - 500_usize.div_ceil(64) as u64) * 64, 0]);
}

#[test]
fn a_search_by_the_portfolio_covers_what_its_members_cover() {
    let options = Options { technique: "portfolio".to_owned(), contracts: false, ..Options::default() };
    let mut session = Session::new(&FakeLibrary, goals(), Vec::new(), options).unwrap();
    let mut executor = FakeExecutor { depth: 2, ..FakeExecutor::default() };
    session.run(&mut executor, &mut Budget::executions(20_000), &mut |_| {}).unwrap();
    let goals = &session.search().goals;
    assert_eq!(goals.iter().filter(|(id, _)| !goals.is_covered(*id)).count(), 1);
    let shares = session.figures().shares;
    let shared: u64 = shares.iter().map(|s| s.executions).sum();
    let all = session.search().totals.executions;
    assert!(shared <= all && shared * 100 > all * 99, "all but rehearsals are somebody's: {shared} of {all}");
}

/// Proposes a few sequences, and then nothing until all of them are back.
struct Patient {
    flying: usize,
}

impl Generator for Patient {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        if self.flying > 0 {
            return Turn::Waiting;
        }
        self.flying = n.min(8);
        out.extend((0..self.flying).map(|_| search.offer(Sequence::empty(), Wanted::default())));
        Turn::Ready
    }
    fn observe(&mut self, _: &Search<'_>, _: &Proposal, _: &Execution, _: Delta) {
        self.flying -= 1;
    }
}

#[test]
fn who_waits_for_results_keeps_the_turn_and_somebody_fills_the_time() {
    let busy = Stub { left: usize::MAX, thinking: 0, thought: 0 };
    let mut portfolio = Portfolio::new(vec![
        Member::in_turn("busy", 0.5, Box::new(busy)),
        Member::in_turn("patient", 0.5, Box::new(Patient { flying: 0 })),
    ]);
    let mut search = Search::new(&FakeLibrary, goals(), Vec::new(), Options::default());
    let mut rng = Rng::new(1);
    // Two batches on their way at a time, as with real workers.
    let mut flying: VecDeque<Vec<Proposal>> = VecDeque::new();
    for _ in 0..4_000 {
        while flying.len() < 2 {
            let mut proposals = Vec::new();
            portfolio.propose(&mut search, &mut rng, 256, &mut proposals);
            assert!(!proposals.is_empty(), "the worker has nothing to do");
            flying.push_back(proposals);
        }
        for proposal in flying.pop_front().unwrap() {
            portfolio.observe(&search, &proposal, &execution(100), Delta { new_goals: 0, pooled: 0 });
        }
    }
    let [busy, patient] = [0, 1].map(|n| portfolio.figures().shares[n].executions);
    // Half of the batches would be the most, and each of them is an eighth of one that fills the time.
    assert!(patient * 20 > busy, "one batch of a turn of many is not a turn: {busy} and {patient}");
}

#[test]
fn the_round_goes_by_costs() {
    // The third thinks for as long as the second runs its sequences a hundred times over.
    let (hopes, thinking) = ([50.0, 0.01, 0.01], [0, 0, 100]);
    let counts = thinking_shares(&[usize::MAX; 3], &hopes, &thinking, &[1, 0, 0], &[100; 3], 12_000);
    assert!(counts[2] > 0 && counts[1] > 30 * counts[2], "{counts:?}");
}
