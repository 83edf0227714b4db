//! When the search of a class has to stop so that everything behind it fits into its wall-clock budget. Owns the estimates of what minimising and verifying
//! cost and learns from every class how slow this machine is at them; never looks at the clock itself.

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
const VERIFY: Cost = Cost { base: 0.35, per_goal: 0.001 };
/// A compiler is this long busy with itself at first.
const COMPILER_START: f64 = 0.8;
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
    /// Some class went all the way: the numbers are measured, not guessed.
    measured: bool,
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
        Planner { slowness: Mutex::new(Slowness { refine: 1.0, verify: 1.0, measured: false }) }
    }

    /// Divides `budget` for a suite that covers `goals` so far. A compiler that was started `compiler_age` ago may be cold still.
    pub fn plan(&self, budget: Duration, goals: usize, compiler_age: Duration) -> Plan {
        let slow = self.now();
        let total = budget.as_secs_f64();
        let cold = if slow.measured {
            0.0
        } else {
            // Some of the warming up happens only with the first real suite.
            let rest = (COMPILER_START * slow.verify - compiler_age.as_secs_f64()).max(0.0);
            rest + VERIFY.of(goals) * slow.verify
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

    /// How long a fresh worker took to answer for the first time: the only hint there is before the first class is done.
    pub fn saw_first_answer(&self, took: Duration) {
        let mut slow = self.slowness.lock().unwrap_or_else(PoisonError::into_inner);
        if !slow.measured {
            let factor = (took.as_secs_f64() / FIRST_ANSWER).clamp(1.0, 8.0);
            *slow = Slowness { refine: factor, verify: factor, measured: false };
        }
    }

    /// What a class really took. Rises quickly and falls slowly: overrunning is worse than idling.
    pub fn learn(&self, goals: usize, refine: Duration, verify: Duration) {
        let seen = (refine.as_secs_f64() / REFINE.of(goals), verify.as_secs_f64() / VERIFY.of(goals));
        let mut slow = self.slowness.lock().unwrap_or_else(PoisonError::into_inner);
        *slow = if slow.measured {
            Slowness { refine: blend(slow.refine, seen.0), verify: blend(slow.verify, seen.1), measured: true }
        } else {
            Slowness { refine: seen.0, verify: seen.1, measured: true }
        };
    }

    /// A poisoned lock only means that a job panicked: the numbers are still numbers.
    fn now(&self) -> Slowness {
        *self.slowness.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            planner.learn(100, Duration::from_millis(20), Duration::from_millis(250));
        }
        let quick = check(&planner, 2_000, 100, WARM);
        assert!(quick.search_until > Duration::from_millis(1_600), "{quick:?}");
        planner.learn(100, Duration::from_millis(30), Duration::from_millis(900));
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
        planner.learn(10, Duration::from_millis(20), Duration::from_millis(300));
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
        planner.learn(1, Duration::from_secs(500), Duration::from_secs(500));
        check(&planner, 1_000, 10, WARM);
    }
}
