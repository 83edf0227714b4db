//! When the search of a class has to stop so that everything behind it fits into its wall-clock budget, and which tests are verified if it does not. Owns
//! the estimates of what minimising and verifying cost and learns from every class how slow this machine is at them; never looks at the clock itself.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Seconds on a quiet machine with two cores: for a suite of any size, and for each goal it covers.
#[derive(Clone, Copy, Debug)]
struct Cost {
    base: f64,
    per_goal: f64,
}

/// Minimising and finding assertions.
const REFINE: Cost = Cost { base: 0.02, per_goal: 0.000_2 };
/// Compiling and running the suite, with a warm compiler.
const VERIFY: Cost = Cost { base: 0.4, per_goal: 0.000_6 };
/// The same by the statements of a suite that is there.
const SUITE: Cost = Cost { base: 0.4, per_goal: 0.000_4 };
/// A compiler is this long busy with itself at first.
const COMPILER_START: f64 = 0.8;
/// What a warmed-up compiler takes for a suite of forty tests.
const PACE: f64 = 0.25;
/// The compiler that warms up beside a search looks slower than it is afterwards.
const MOST_PACE: f64 = 5.0;
/// However late it is, so many statements are verified.
const LEAST_STATEMENTS: usize = 40;
/// From the start of a worker JVM to its first answer.
const FIRST_ANSWER: f64 = 0.35;
/// The search gets this share of the budget, however slow the rest.
const LEAST_SEARCH: f64 = 0.15;

impl Cost {
    fn of(self, goals: usize) -> f64 {
        self.base + self.per_goal * goals as f64
    }
}

/// How many times slower than a quiet machine this one is.
#[derive(Clone, Copy, Debug)]
struct Slowness {
    refine: f64,
    verify: f64,
    known: Known,
}

/// What the numbers rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// How long a JVM took to start.
    Start,
    /// How long the compiler took for tests of our own making.
    Pace,
    /// How long some class took all the way.
    Class,
}

/// Shared by all jobs of a run.
#[derive(Debug)]
pub struct Planner {
    slowness: Mutex<Slowness>,
}

/// When the phases of a class have to end, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub search_until: Duration,
    pub refine_until: Duration,
}

impl Planner {
    pub fn new() -> Planner {
        Planner { slowness: Mutex::new(Slowness { refine: 1.0, verify: 1.0, known: Known::Start }) }
    }

    /// Divides `budget` for a suite that covers `goals` so far. A compiler that was started `compiler_age` ago may be cold still.
    pub fn plan(&self, budget: Duration, goals: usize, compiler_age: Duration) -> Plan {
        let slow = self.now();
        let total = budget.as_secs_f64();
        // Some of the warming up happens only with the first real suite.
        let cold = match slow.known {
            Known::Class => 0.0,
            Known::Pace => 0.25 * VERIFY.of(goals) * slow.verify,
            Known::Start => {
                let rest = (COMPILER_START * slow.verify - compiler_age.as_secs_f64()).max(0.0);
                rest + VERIFY.of(goals) * slow.verify
            }
        };
        let verify = VERIFY.of(goals) * slow.verify + cold;
        let refine = REFINE.of(goals) * slow.refine;
        // A tenth of slack: estimates are estimates.
        let search = (total - 1.1 * (verify + refine)).max(LEAST_SEARCH * total);
        let rest = total - search;
        let refine_share = (rest * refine / (refine + verify)).max((0.02 * total).min(0.5 * rest));
        Plan {
            search_until: Duration::from_secs_f64(search),
            refine_until: Duration::from_secs_f64(search + refine_share),
        }
    }

    /// How long a fresh worker took to answer for the first time: the only hint there is at first.
    pub fn saw_first_answer(&self, took: Duration) {
        let mut slow = self.lock();
        if slow.known == Known::Start {
            let factor = (took.as_secs_f64() / FIRST_ANSWER).clamp(1.0, 8.0);
            *slow = Slowness { refine: factor, verify: factor, known: Known::Start };
        }
    }

    /// How long the compiler now takes for a suite of forty tests: a better hint, until the first class is done.
    pub fn saw_pace(&self, took: Duration) {
        let mut slow = self.lock();
        if slow.known <= Known::Pace {
            slow.verify = (took.as_secs_f64() / PACE).clamp(0.7, MOST_PACE);
            slow.known = Known::Pace;
        }
    }

    /// What a class with so many statements in its suite really took. Rises quickly and falls slowly: overrunning is worse than idling.
    pub fn learn(&self, goals: usize, statements: usize, refine: Duration, verify: Duration) {
        let expected = VERIFY.of(goals).max(SUITE.of(statements));
        let seen = (refine.as_secs_f64() / REFINE.of(goals), verify.as_secs_f64() / expected);
        let mut slow = self.lock();
        *slow = if slow.known == Known::Class {
            Slowness { refine: blend(slow.refine, seen.0), verify: blend(slow.verify, seen.1), known: Known::Class }
        } else {
            Slowness { refine: seen.0, verify: seen.1, known: Known::Class }
        };
    }

    /// How many statements can be verified in the time that is left.
    pub fn affordable(&self, left: Duration) -> usize {
        let slow = self.now();
        let spare = left.as_secs_f64() / slow.verify.max(0.1) - SUITE.base;
        ((spare / SUITE.per_goal).max(0.0) as usize).max(LEAST_STATEMENTS)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Slowness> {
        self.slowness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A poisoned lock only means that a job panicked: the numbers are still numbers.
    fn now(&self) -> Slowness {
        *self.lock()
    }
}

/// A test as far as the plan cares: its statements, and what it covers.
#[derive(Clone, Debug)]
pub struct Worth<G> {
    pub statements: usize,
    pub goals: Vec<G>,
}

/// Which tests to verify if there is room for so many statements only: again and again the one that covers most new goals per statement. The first is always
/// among them.
pub fn most_worth<G: Ord + Copy>(tests: &[Worth<G>], mut room: usize) -> Vec<bool> {
    if tests.iter().map(|t| t.statements).sum::<usize>() <= room {
        return vec![true; tests.len()];
    }
    let mut kept = vec![false; tests.len()];
    let mut covered: BTreeSet<G> = BTreeSet::new();
    loop {
        let gain = |t: &Worth<G>| t.goals.iter().filter(|g| !covered.contains(*g)).count();
        let open = tests.iter().enumerate().filter(|(i, t)| !kept[*i] && t.statements <= room);
        // The earlier of equals, by comparing fractions crosswise.
        let best = open.map(|(i, t)| (gain(t), t.statements.max(1), i)).filter(|b| b.0 > 0);
        let Some((_, _, at)) = best.reduce(|a, b| if b.0 * a.1 > a.0 * b.1 { b } else { a }) else {
            break;
        };
        kept[at] = true;
        room -= tests[at].statements;
        covered.extend(&tests[at].goals);
    }
    if let (false, Some(first)) = (kept.contains(&true), kept.first_mut()) {
        *first = true;
    }
    kept
}

fn blend(old: f64, seen: f64) -> f64 {
    if seen > old { 0.3 * old + 0.7 * seen } else { 0.75 * old + 0.25 * seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WARM: Duration = Duration::from_secs(60);

    fn check(planner: &Planner, budget: u64, goals: usize, age: Duration) -> Plan {
        let budget = Duration::from_millis(budget);
        let plan = planner.plan(budget, goals, age);
        assert!(plan.search_until < plan.refine_until && plan.refine_until < budget, "{plan:?} of {budget:?}");
        assert!(plan.search_until.as_secs_f64() >= 0.149 * budget.as_secs_f64(), "{plan:?} of {budget:?}");
        plan
    }

    #[test]
    fn the_reserve_follows_what_was_measured() {
        let planner = Planner::new();
        let cold = check(&planner, 2_000, 100, Duration::ZERO);
        assert!(check(&planner, 2_000, 100, WARM).search_until > cold.search_until);
        for _ in 0..20 {
            planner.learn(100, 100, Duration::from_millis(20), Duration::from_millis(250));
        }
        let quick = check(&planner, 2_000, 100, WARM);
        assert!(quick.search_until > Duration::from_millis(1_600), "{quick:?}");
        planner.learn(100, 100, Duration::from_millis(30), Duration::from_millis(900));
        assert!(check(&planner, 2_000, 100, WARM).search_until < quick.search_until);
    }

    #[test]
    fn a_larger_suite_and_a_slower_machine_get_a_larger_reserve() {
        let planner = Planner::new();
        let small = check(&planner, 10_000, 10, WARM);
        let large = check(&planner, 10_000, 2_000, WARM);
        assert!(large.search_until < small.search_until);
        planner.saw_first_answer(Duration::from_secs(1));
        assert!(check(&planner, 10_000, 10, WARM).search_until < small.search_until);
        planner.learn(10, 20, Duration::from_millis(20), Duration::from_millis(300));
        let measured = check(&planner, 10_000, 10, WARM);
        planner.saw_first_answer(Duration::from_secs(9));
        assert_eq!(check(&planner, 10_000, 10, WARM), measured, "guesses do not replace measurements");
    }

    #[test]
    fn extremes_keep_their_order() {
        let planner = Planner::new();
        for budget in [1, 50, 500, 10_000, 3_600_000] {
            check(&planner, budget, 0, Duration::ZERO);
            check(&planner, budget, 1_000_000, Duration::ZERO);
        }
        planner.learn(1, 1, Duration::from_secs(500), Duration::from_secs(500));
        check(&planner, 1_000, 10, WARM);
    }

    #[test]
    fn the_compilers_pace_replaces_the_first_guess_and_yields_to_a_class() {
        let planner = Planner::new();
        let guessed = check(&planner, 3_000, 100, WARM);
        planner.saw_pace(Duration::from_millis(600));
        let slow = check(&planner, 3_000, 100, WARM);
        planner.saw_pace(Duration::from_millis(100));
        let quick = check(&planner, 3_000, 100, WARM);
        assert!(slow.search_until < guessed.search_until && guessed.search_until < quick.search_until);
        planner.learn(100, 100, Duration::from_millis(20), Duration::from_millis(450));
        let measured = check(&planner, 3_000, 100, WARM);
        planner.saw_pace(Duration::from_millis(900));
        assert_eq!(check(&planner, 3_000, 100, WARM), measured);
    }

    #[test]
    fn what_is_affordable_follows_the_time_left_and_is_never_nothing() {
        let planner = Planner::new();
        let much = planner.affordable(Duration::from_secs(5));
        assert!(much > planner.affordable(Duration::from_secs(1)));
        assert_eq!(planner.affordable(Duration::ZERO), LEAST_STATEMENTS);
        planner.learn(100, 100, Duration::from_millis(20), Duration::from_secs(2));
        assert!(planner.affordable(Duration::from_secs(5)) < much);
    }

    /// Statements and goals per test; which are kept.
    fn check_kept(tests: &[(usize, &[u32])], room: usize, expected: &[bool]) {
        let tests: Vec<_> = tests.iter().map(|(n, g)| Worth { statements: *n, goals: g.to_vec() }).collect();
        assert_eq!(most_worth(&tests, room), expected);
    }

    #[test]
    fn the_most_goals_per_statement_are_kept() {
        check_kept(&[(5, &[1]), (5, &[2])], 10, &[true, true]);
        check_kept(&[(5, &[1]), (5, &[2, 3]), (2, &[4])], 8, &[false, true, true]);
        // Covered already by a better one.
        check_kept(&[(3, &[1, 2]), (1, &[2]), (2, &[1, 2, 3]), (9, &[7])], 6, &[false, false, true, false]);
        check_kept(&[(50, &[1]), (60, &[2])], 10, &[true, false]);
        check_kept(&[], 10, &[]);
    }
}
