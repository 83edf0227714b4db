//! Dividing a class's wall-clock budget among its phases. Owns the estimates of what the later phases cost and learns them from
//! class to class; never looks at the clock itself.

use std::sync::Mutex;
use std::time::Duration;

/// What the phases behind the search took, per class.
#[derive(Clone, Copy, Debug)]
struct Costs {
    /// Minimising and finding assertions.
    refine: f64,
    /// Compiling and running the suite.
    verify: f64,
}

/// Learns from every class; shared by all jobs.
#[derive(Debug)]
pub struct Planner {
    /// `None` until the first class ended.
    known: Mutex<Option<Costs>>,
}

/// When each phase of one class has to end, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub search_until: Duration,
    pub refine_until: Duration,
    pub end: Duration,
}

/// The first class's verification pays for a cold compiler.
const FIRST_VERIFY: f64 = 2.2;
const FIRST_REFINE: f64 = 0.3;

impl Planner {
    pub fn new() -> Planner {
        Planner { known: Mutex::new(None) }
    }

    /// Divides `budget`. A larger budget finds larger suites, so the reserve grows with it a little.
    pub fn plan(&self, budget: Duration) -> Plan {
        let total = budget.as_secs_f64();
        // A poisoned lock only means that a job panicked: the numbers are still numbers.
        let known = *self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let costs = known.unwrap_or(Costs { refine: FIRST_REFINE, verify: FIRST_VERIFY });
        // However slow the rest was, the search gets two fifths; however quick, the rest keeps a tenth.
        let verify = (costs.verify * 1.25 + 0.02 * total).clamp(0.08 * total, 0.45 * total);
        let refine = (costs.refine * 1.25 + 0.02 * total).clamp(0.03 * total, 0.15 * total);
        Plan {
            search_until: Duration::from_secs_f64(total - verify - refine),
            refine_until: Duration::from_secs_f64(total - verify),
            end: budget,
        }
    }

    /// What a class really took. Recent classes count more.
    pub fn learn(&self, refine: Duration, verify: Duration) {
        let seen = Costs { refine: refine.as_secs_f64(), verify: verify.as_secs_f64() };
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *known = Some(match *known {
            None => seen,
            // Rises quickly and falls slowly: overrunning is worse than idling.
            Some(old) => Costs { refine: blend(old.refine, seen.refine), verify: blend(old.verify, seen.verify) },
        });
    }
}

fn blend(old: f64, seen: f64) -> f64 {
    if seen > old { 0.3 * old + 0.7 * seen } else { 0.75 * old + 0.25 * seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(planner: &Planner, budget: u64) -> Plan {
        let plan = planner.plan(Duration::from_millis(budget));
        assert!(plan.search_until < plan.refine_until && plan.refine_until < plan.end, "{plan:?}");
        assert!(plan.search_until.as_secs_f64() >= 0.39 * plan.end.as_secs_f64(), "{plan:?}");
        plan
    }

    #[test]
    fn the_search_gets_more_once_the_rest_is_known_to_be_quick() {
        let planner = Planner::new();
        let cold = check(&planner, 2_000);
        for _ in 0..20 {
            planner.learn(Duration::from_millis(30), Duration::from_millis(150));
        }
        let warm = check(&planner, 2_000);
        assert!(warm.search_until > cold.search_until);
        planner.learn(Duration::from_millis(30), Duration::from_millis(900));
        assert!(check(&planner, 2_000).search_until < warm.search_until);
    }

    #[test]
    fn extremes_keep_their_order() {
        let planner = Planner::new();
        for budget in [1, 50, 500, 10_000, 3_600_000] {
            check(&planner, budget);
        }
        planner.learn(Duration::from_secs(500), Duration::from_secs(500));
        check(&planner, 1_000);
    }
}
