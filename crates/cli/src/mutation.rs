//! Mutation analysis of one class, between refining and verifying its suite. Owns how the worker is opened with mutants, how long that may take and
//! what the report says of the tests that are delivered in the end; what mutants mean is the engine's business.

use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use engine::mutation::{self, Analysis, Fate, Faulty, Limits, Scores, Wanted, Witness};
use engine::outcome::{Outcome, SuiteTest};
use engine::session::Session;
use engine::target::Target;
use exec::executor::{JvmExecutor, TargetSetup};
use exec::library::{Library, MUTANTS, TargetClass};
use testcase::assertion::TestCase;
use testcase::executor::ExecutorProblem;

use crate::report::mutation::{AliveMutant, MutantCount, MutationReport};
use crate::run::now;

/// Assertions looked for in a test; mutants decide which stay.
pub const CANDIDATES: usize = 24;
/// Assertions that stay when nothing is known of mutants.
const PLAIN: usize = 4;
/// Seconds it takes for a class of any size, and for each mutant, on a quiet machine.
const BASE: f64 = 0.08;
const PER_MUTANT: f64 = 0.000_8;
/// Classes of the JDK need a JVM of their own for it.
const FRESH_JVM: f64 = 0.8;
/// For each mutant so long, at most this share of the budget, for tests that notice what nobody noticed.
const HUNT_PER_MUTANT: f64 = 0.003;
const HUNT_SHARE: f64 = 0.1;
/// Of what is left when the hunt begins, this share is kept for what comes after it.
const SETTLING: f64 = 0.35;
/// All of it never gets more than this share of the budget; of one of less than ten seconds less, because there is more to win by searching, down to the least share.
const SHARE: f64 = 0.2;
const SHARE_PER_SECOND: f64 = 0.02;
const LEAST_SHARE: f64 = 0.08;
/// Runs for such tests, at most.
const MOST_HUNTED: u64 = 200_000;

/// The mutants of a class under test.
pub struct Mutation {
    faulty: Faulty,
    /// The class is one of the JDK.
    platform: bool,
}

impl Mutation {
    pub fn prepare(target: &Target, library: &Library, platform: bool) -> Mutation {
        let plan = library.mutant_plan(platform);
        Mutation { faulty: mutation::prepare(target, &ClassName::new(MUTANTS), &plan), platform }
    }

    /// What of a budget has to be kept for it.
    pub fn reserve(&self, budget: Duration) -> Duration {
        let start = if self.platform { FRESH_JVM } else { 0.0 };
        let (mutants, budget) = (self.faulty.mutants.len() as f64, budget.as_secs_f64());
        let hunt = (HUNT_PER_MUTANT * mutants).min(HUNT_SHARE * budget);
        let expected = start + BASE + PER_MUTANT * mutants + hunt;
        let share = (SHARE_PER_SECOND * budget).clamp(LEAST_SHARE, SHARE);
        // Less than what it takes to begin would be given for nothing.
        Duration::from_secs_f64(expected.min((share * budget).max(start + BASE)).min(SHARE * budget))
    }

    /// Runs the suite against the mutants, adds tests for those that nobody noticed, leaves in all of them the assertions that notice mutants, and takes out tests that others
    /// made superfluous.
    pub fn filter(
        mut self,
        executor: &mut JvmExecutor,
        mut setup: TargetSetup,
        session: &mut Session<'_>,
        outcome: &mut Outcome,
        bounds: &Bounds<'_>,
    ) -> Result<Measured, ExecutorProblem> {
        let plain = setup.clone();
        let classes = std::mem::take(&mut self.faulty.classes).into_iter();
        setup.classes = classes.map(|c| TargetClass { name: c.name, index: c.index, bytes: c.bytes }).collect();
        (setup.probes, setup.sites) = (self.faulty.numbers, 0);
        setup.user_contracts.clear();
        executor.open_target(setup)?;
        let mut expired = || (bounds.interrupted)() || bounds.until.is_some_and(|u| now() >= u);
        let mut tests: Vec<TestCase> = outcome.suite.iter().map(|t| t.test.clone()).collect();
        let mut analysis =
            mutation::analyse(executor, &outcome.operations, &tests, &self.faulty, Wanted::Few, &mut expired)?;
        if !bounds.as_they_are {
            let executions = bounds.max_executions.map_or(MOST_HUNTED, |m| (m / 8).min(MOST_HUNTED));
            // Some of the time is for finding out which tests are superfluous by then.
            let hunt_until = bounds.until.map(|u| u - u.saturating_duration_since(now()).mul_f64(SETTLING));
            let mut hunted_enough = || expired() || hunt_until.is_some_and(|u| now() >= u);
            let mut limits = Limits { executions, expired: &mut hunted_enough };
            let hunted = session.hunt(executor, &self.faulty, &mut analysis, &mut tests, &mut limits);
            let told = |p: ExecutorProblem| format!("the hunt for alive mutants ended early: {}", p.message);
            self.faulty.notes.extend(hunted.err().map(told));
            outcome.operations = session.search().catalog.operations().clone();
        }
        let witnesses = if analysis.reached.iter().all(Vec::is_empty) {
            mutation::without_analysis(&mut tests, PLAIN);
            Vec::new()
        } else if bounds.all_assertions {
            mutation::witnesses(&analysis, tests.len())
        } else {
            mutation::choose(&mut tests, &analysis)
        };
        let is_known = !witnesses.is_empty();
        put_back(outcome, tests, witnesses);
        if is_known && !bounds.as_they_are && !self.platform && !expired() {
            let settled = self.settle(executor, plain, session, outcome, &mut analysis, &mut expired);
            let told = |p: ExecutorProblem| format!("superfluous tests may have stayed: {}", p.message);
            self.faulty.notes.extend(settled.err().map(told));
        }
        Ok(Measured { faulty: self.faulty, analysis })
    }

    /// What tests in their final form notice, and then which of them are needed.
    fn settle(
        &self,
        executor: &mut JvmExecutor,
        plain: TargetSetup,
        session: &mut Session<'_>,
        outcome: &mut Outcome,
        analysis: &mut Analysis,
        expired: &mut dyn FnMut() -> bool,
    ) -> Result<(), ExecutorProblem> {
        let tests: Vec<TestCase> = outcome.suite.iter().map(|t| t.test.clone()).collect();
        let all = Wanted::All(analysis);
        let again = mutation::analyse(executor, &outcome.operations, &tests, &self.faulty, all, expired)?;
        analysis.executions += again.executions;
        let later = mutation::witnesses(&again, tests.len());
        let earlier = outcome.suite.iter_mut().map(|t| std::mem::take(&mut t.witness)).collect();
        let witnesses = mutation::settle::both(earlier, later);
        outcome.suite.iter_mut().zip(witnesses).for_each(|(test, witness)| test.witness = witness);
        if expired() {
            return Ok(());
        }
        executor.open_target(plain)?;
        session.settle(executor, &mut outcome.suite, expired)
    }
}

/// How far to go.
pub struct Bounds<'a> {
    pub until: Option<Instant>,
    pub interrupted: &'a dyn Fn() -> bool,
    /// Of the search, if it was counted by steps.
    pub max_executions: Option<u64>,
    /// Assertions that notice nothing stay, too.
    pub all_assertions: bool,
    /// No tests are to be added.
    pub as_they_are: bool,
}

/// What is known of the mutants of a class, whichever tests are delivered.
#[derive(Clone, Debug)]
pub struct Measured {
    faulty: Faulty,
    analysis: Analysis,
}

impl Measured {
    /// What these tests do to the mutants.
    pub fn report<'a>(&self, delivered: impl Iterator<Item = &'a Witness>) -> MutationReport {
        let fates = mutation::fates(&self.faulty, &self.analysis, delivered);
        let scores = Scores::of(&self.faulty, &fates);
        let of_mutants = self.faulty.mutants.iter().zip(&fates);
        let alive = of_mutants.filter(|(_, fate)| matches!(fate, Fate::Survived | Fate::Unreached)).map(|(m, fate)| {
            AliveMutant {
                class: m.class.binary(),
                method: m.method.to_string(),
                descriptor: m.descriptor.to_string(),
                line: m.line,
                operator: m.operator.name().to_owned(),
                common: m.operator.is_common(),
                description: m.words.clone(),
                reached: *fate == Fate::Survived,
            }
        });
        MutationReport {
            common: MutantCount::from(scores.common),
            all: MutantCount::from(scores.all),
            unmeasured: scores.unmeasured,
            executions: self.analysis.executions,
            alive: alive.collect(),
            notes: self.faulty.notes.clone(),
        }
    }
}

/// Without mutants each test keeps the assertions that say most.
pub fn plain(outcome: &mut Outcome) {
    let mut tests: Vec<TestCase> = outcome.suite.iter().map(|t| t.test.clone()).collect();
    mutation::without_analysis(&mut tests, PLAIN);
    put_back(outcome, tests, Vec::new());
}

/// The tests of the suite as they are now, and those behind them that are new.
fn put_back(outcome: &mut Outcome, tests: Vec<TestCase>, witnesses: Vec<Witness>) {
    let mut witnesses = witnesses.into_iter();
    for (place, test) in tests.into_iter().enumerate() {
        let witness = witnesses.next().unwrap_or_default();
        match outcome.suite.get_mut(place) {
            Some(kept) => (kept.test, kept.witness) = (test, witness),
            None => outcome.suite.push(SuiteTest { test, goals: Vec::new(), witness }),
        }
    }
}
