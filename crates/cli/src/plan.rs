//! When the search of a class has to stop so that everything behind it fits into its wall-clock budget, and which tests are verified if it does not. Owns
//! the estimates of what minimising and verifying cost, by what the search has gathered so far, and learns from compiler, JVMs and every class how slow this
//! machine is at them; never looks at the clock itself.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::archive::Size;

/// Of what the archive holds, so much is left in the finished suite.
const KEPT_TESTS: f64 = 0.55;
const KEPT_STATEMENTS: f64 = 0.6;
/// Minimising and finding assertions takes about so many runs for each statement in the archive, and so many seconds for any suite.
const REFINE_RUNS: f64 = 4.0;
const REFINE: f64 = 0.03;
/// However slow the runs, making tests small is not worth more than this share of everything: it ends in time wherever it is, and a longer search covers more.
const MOST_REFINE: f64 = 0.2;
/// What it takes to find out whether a suspicion is true, and of how many that is foreseen: many are about calls that never end.
const SUSPICION: f64 = 0.06;
const MOST_SUSPICIONS: usize = 10;
/// Seconds of a run, before any is known, and the least it takes with all there is around it.
const EXECUTION: f64 = 0.000_15;
const LEAST_EXECUTION: f64 = 0.000_02;
/// So many say nothing yet; what took so long together moves what is taken for ordinary, so far.
const FEW_EXECUTIONS: u64 = 100;
const SAMPLE: Duration = Duration::from_millis(15);
const MEDIAN_STEP: f64 = 1.15;
/// What a warm compiler takes for the suite it warms up with, and how large that suite is.
const PACE: f64 = 0.2;
const PACE_STATEMENTS: f64 = 480.0;
/// Of that pace, what a suite of any size takes.
const COMPILE_BASE: f64 = 0.35;
/// The compiler that warms up beside a search looks slower than it is afterwards.
const BESIDE_SEARCH: f64 = 0.8;
/// Running the suite in JVMs that were started in time: for any suite, and for each test.
const RUN: f64 = 0.1;
const RUN_TEST: f64 = 0.003_5;
/// In a suite of so many tests there usually is one that makes a second attempt necessary.
const SECOND_ATTEMPT: f64 = 400.0;
/// However late it is, so many statements are verified.
const LEAST_STATEMENTS: usize = 40;
/// From the start of a worker JVM to its first answer.
const FIRST_ANSWER: f64 = 0.35;
/// What the first warm-up of a compiler takes beside a search.
const FIRST_WARM_UP: f64 = 1.3;
/// However slow the rest, the search gets so much of a second, and of every doubling of it so much more, up to about a half.
const LEAST_SEARCH: f64 = 0.15;
const MOST_LEAST_SEARCH: f64 = 0.52;
/// How wrong estimates may be.
const SLACK: f64 = 1.05;
/// Mutants mostly take less than is allowed them.
const MUTATION: f64 = 0.6;

/// What a search has shown of its class so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight {
    pub archived: Size,
    /// How many times the least work goes into making tests small; less than 1 is 1.
    pub thorough: f64,
    /// Groups of executions that look wrong.
    pub suspicions: usize,
    /// Thinking counted among them, by what it cost.
    pub executions: u64,
    /// How long these took.
    pub searched: Duration,
    /// Seconds of an ordinary execution; 0 before there are enough.
    pub ordinary: f64,
    /// Executions and time that say nothing of that yet: batches that were waiting together come at once.
    pub gathered: (u64, Duration),
    /// What running the suite against mutants is expected to take.
    pub mutation: Duration,
}

impl Sight {
    /// The same with so many executions more, after so much more time. What is ordinary is about the median over moments: a few slow sequences, which hardly
    /// ever become tests, do not move it.
    pub fn and(self, executions: u64, took: Duration) -> Sight {
        let gathered = (self.gathered.0 + executions, self.gathered.1 + took);
        let (executions, searched) = (self.executions + executions, self.searched + took);
        if gathered.1 < SAMPLE || executions < FEW_EXECUTIONS {
            return Sight { executions, searched, gathered, ..self };
        }
        let each = (gathered.1.as_secs_f64() / gathered.0.max(1) as f64).max(LEAST_EXECUTION);
        let ordinary = match self.ordinary {
            0.0 => each,
            known if each > known => (known * MEDIAN_STEP).min(each),
            known => (known / MEDIAN_STEP).max(each),
        };
        Sight { executions, searched, ordinary, gathered: (0, Duration::ZERO), ..self }
    }

    /// Executions that may be begun at once with so much time left: several such batches may be on their way, and others may be slower than those before.
    pub fn at_once(&self, left: Duration) -> usize {
        if self.executions == 0 {
            return usize::MAX;
        }
        let each = self.searched.as_secs_f64() / self.executions as f64;
        (left.as_secs_f64() / 4.0 / each.max(1e-9)) as usize
    }
}

/// A suite, finished or foreseen.
#[derive(Clone, Copy, Debug)]
struct Suite {
    tests: f64,
    statements: f64,
}

impl Suite {
    fn foreseen(archived: Size) -> Suite {
        Suite { tests: KEPT_TESTS * archived.tests as f64, statements: KEPT_STATEMENTS * archived.statements as f64 }
    }

    /// Compiling and running it once and, the larger it is, perhaps again; on a machine whose warm compiler has this pace.
    fn verify(self, pace: f64) -> f64 {
        let compile = pace * (COMPILE_BASE + self.statements / PACE_STATEMENTS);
        let run = (RUN + RUN_TEST * self.tests) * pace / PACE;
        (compile + run) * self.attempts()
    }

    fn attempts(self) -> f64 {
        1.0 + (self.tests / SECOND_ATTEMPT).min(1.0)
    }
}

/// How slow this machine is.
#[derive(Clone, Copy, Debug)]
struct Slowness {
    /// What the compiler takes for a suite like that it warms up with.
    pace: f64,
    /// How many times longer than foreseen the classes so far took.
    refine: f64,
    verify: f64,
    known: Known,
}

impl Slowness {
    /// What verifying a suite takes. Some of the warming up happens only with the first real suite. (The rest goes on beside the search, and would not be over
    /// sooner without it.)
    fn verifying(&self, suite: Suite) -> f64 {
        let cold = match self.known {
            Known::Class => 0.0,
            Known::Pace => 0.5 * self.pace,
            Known::Start => 1.5 * self.pace,
        };
        SLACK * (suite.verify(self.pace) * self.verify + cold)
    }
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
        let slowness = Slowness { pace: PACE, refine: 1.0, verify: 1.0, known: Known::Start };
        Planner { slowness: Mutex::new(slowness) }
    }

    /// Divides `budget`.
    pub fn plan(&self, budget: Duration, sight: &Sight) -> Plan {
        let slow = self.now();
        let total = budget.as_secs_f64();
        let suite = Suite::foreseen(sight.archived);
        let verify = slow.verifying(suite);
        let refine = (SLACK * refine(sight) * slow.refine).min(MOST_REFINE * total);
        let mutation = MUTATION * sight.mutation.as_secs_f64();
        let least = (LEAST_SEARCH * (1.0 + total.log2())).clamp(LEAST_SEARCH, MOST_LEAST_SEARCH);
        let search = (total - verify - refine - mutation).max(least * total);
        // What is missing or too much is shared by all that comes behind.
        let share = (total - search) / (verify + refine + mutation);
        let refined = search + (share * refine).max((0.02 * total).min(0.3 * (total - search)));
        Plan { search_until: Duration::from_secs_f64(search), refine_until: Duration::from_secs_f64(refined) }
    }

    /// How long a fresh worker took to answer for the first time: the only hint there is at first.
    pub fn saw_first_answer(&self, took: Duration) {
        let mut slow = self.lock();
        if slow.known == Known::Start {
            slow.pace = PACE * (took.as_secs_f64() / FIRST_ANSWER).clamp(1.0, 8.0);
        }
    }

    /// How long the first warm-up of the compiler took: a better hint.
    pub fn saw_warm_up(&self, took: Duration) {
        let mut slow = self.lock();
        if slow.known == Known::Start {
            slow.pace = PACE * (took.as_secs_f64() / FIRST_WARM_UP).clamp(0.7, 8.0);
        }
    }

    /// How long the compiler now takes for the suite it warms up with: a better hint still, and the newer the better.
    pub fn saw_pace(&self, took: Duration) {
        let mut slow = self.lock();
        if slow.known <= Known::Pace {
            slow.pace = (BESIDE_SEARCH * took.as_secs_f64()).clamp(0.5 * PACE, 8.0 * PACE);
            slow.known = Known::Pace;
        }
    }

    /// What a class really took for its suite of so many tests and statements. Rises quickly and falls slowly: overrunning is worse than idling.
    pub fn learn(&self, sight: &Sight, finished: Size, took: (Duration, Duration)) {
        let suite = Suite { tests: finished.tests as f64, statements: finished.statements as f64 };
        let mut slow = self.lock();
        let seen = (took.0.as_secs_f64() / refine(sight), took.1.as_secs_f64() / suite.verify(slow.pace));
        let seen = (seen.0.clamp(0.3, 10.0), seen.1.clamp(0.3, 10.0));
        (slow.refine, slow.verify) = match slow.known {
            Known::Class => (blend(slow.refine, seen.0), blend(slow.verify, seen.1)),
            _ => seen,
        };
        slow.known = Known::Class;
    }

    /// What verifying a finished suite will take.
    pub fn verifying(&self, finished: Size) -> Duration {
        let suite = Suite { tests: finished.tests as f64, statements: finished.statements as f64 };
        Duration::from_secs_f64(self.now().verifying(suite))
    }

    /// How many statements of a finished suite can be verified in the time that is left.
    pub fn affordable(&self, left: Duration, finished: Size) -> usize {
        let slow = self.now();
        let tests_each = finished.tests as f64 / finished.statements.max(1) as f64;
        let takes =
            |statements: f64| Suite { tests: statements * tests_each, statements }.verify(slow.pace) * slow.verify;
        let left = left.as_secs_f64();
        let (mut least, mut most) = (LEAST_STATEMENTS as f64, 1e6);
        for _ in 0..32 {
            let middle = 0.5 * (least + most);
            if takes(middle) > left { most = middle } else { least = middle }
        }
        least as usize
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Slowness> {
        self.slowness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A poisoned lock only means that a job panicked: the numbers are still numbers.
    fn now(&self) -> Slowness {
        *self.lock()
    }
}

/// What minimising takes if its runs take as long as the ordinary ones of the search.
fn refine(sight: &Sight) -> f64 {
    let each = if sight.ordinary > 0.0 { sight.ordinary } else { EXECUTION };
    REFINE
        + SUSPICION * sight.suspicions.min(MOST_SUSPICIONS) as f64
        + REFINE_RUNS * sight.thorough.max(1.0) * sight.archived.statements as f64 * each
}

/// With more time than this for a class tests are made smaller, up to this many times the least work.
const IN_NO_HURRY: f64 = 5.0;
const MOST_THOROUGH: f64 = 2.0;

/// How thoroughly tests are made small within a budget: there is more to win by searching while it is short.
pub fn thorough(budget: Duration) -> f64 {
    (budget.as_secs_f64() / IN_NO_HURRY).clamp(1.0, MOST_THOROUGH)
}

/// How long mutants may take of what is left if verifying takes so long: what nobody else needs. If that is little, most of what was reserved for them, since a little late is better
/// than assertions at random, but not so much that many tests would be left out; and a small share at any rate.
pub fn for_mutants(left: Duration, verifying: Duration, reserved: Duration) -> Duration {
    let spare = left.saturating_sub(verifying);
    let tight = left.saturating_sub(verifying * 3 / 4);
    spare.max(tight.min(reserved * 3 / 5)).max(reserved / 4)
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
mod tests;
