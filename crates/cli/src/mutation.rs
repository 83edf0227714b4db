//! Mutation analysis of one class, between refining and verifying its suite. Owns how the worker is opened with mutants, how long that may take and
//! what the report says; what mutants mean is the engine's business.

use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use engine::mutation::{self, Analysis, Fate, Faulty, Scores};
use engine::outcome::Outcome;
use engine::target::Target;
use exec::executor::{JvmExecutor, TargetSetup};
use exec::library::{Library, MUTANTS, TargetClass};
use testcase::assertion::TestCase;
use testcase::executor::ExecutorProblem;

use crate::report::mutation::{AliveMutant, MutantCount, MutationReport};
use crate::run::now;

/// Assertions looked for in a test; mutants decide which stay.
pub const CANDIDATES: usize = 12;
/// Assertions that stay when nothing is known of mutants.
const PLAIN: usize = 4;
/// Seconds it takes for a class of any size, and for each mutant, on a quiet machine.
const BASE: f64 = 0.08;
const PER_MUTANT: f64 = 0.000_5;
/// Classes of the JDK need a JVM of their own for it.
const FRESH_JVM: f64 = 0.8;
/// It never gets more than this share of the budget.
const SHARE: f64 = 0.2;

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
        let expected = start + BASE + PER_MUTANT * self.faulty.mutants.len() as f64;
        Duration::from_secs_f64(expected.min(SHARE * budget.as_secs_f64()))
    }

    /// Runs the suite against the mutants and leaves in it the assertions that notice them. The executor knows only mutants afterwards.
    pub fn filter(
        &self,
        executor: &mut JvmExecutor,
        mut setup: TargetSetup,
        outcome: &mut Outcome,
        until: Option<Instant>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<MutationReport, ExecutorProblem> {
        let classes = self.faulty.classes.iter();
        setup.classes =
            classes.map(|c| TargetClass { name: c.name.clone(), index: c.index, bytes: c.bytes.clone() }).collect();
        (setup.probes, setup.sites) = (self.faulty.numbers, 0);
        setup.user_contracts.clear();
        executor.open_target(setup)?;
        let mut expired = || interrupted() || until.is_some_and(|u| now() >= u);
        let mut tests: Vec<TestCase> = outcome.suite.iter().map(|t| t.test.clone()).collect();
        let analysis = mutation::analyse(executor, &outcome.operations, &tests, &self.faulty, &mut expired)?;
        if analysis.reached.iter().all(Vec::is_empty) {
            mutation::without_analysis(&mut tests, PLAIN);
        } else {
            mutation::choose(&mut tests, &analysis);
        }
        put_back(outcome, tests);
        Ok(self.report(&analysis))
    }

    fn report(&self, analysis: &Analysis) -> MutationReport {
        let scores = Scores::of(&self.faulty, analysis);
        let fates = self.faulty.mutants.iter().zip(&analysis.fates);
        let alive =
            fates.filter(|(_, fate)| matches!(fate, Fate::Survived | Fate::Unreached)).map(|(m, fate)| AliveMutant {
                class: m.class.binary(),
                method: m.method.to_string(),
                descriptor: m.descriptor.to_string(),
                line: m.line,
                operator: m.operator.name().to_owned(),
                common: m.operator.is_common(),
                description: m.words.clone(),
                reached: *fate == Fate::Survived,
            });
        MutationReport {
            common: MutantCount::from(scores.common),
            all: MutantCount::from(scores.all),
            unmeasured: scores.unmeasured,
            executions: analysis.executions,
            alive: alive.collect(),
            notes: self.faulty.notes.clone(),
        }
    }
}

/// Without mutants each test keeps the assertions that say most.
pub fn plain(outcome: &mut Outcome) {
    let mut tests: Vec<TestCase> = outcome.suite.iter().map(|t| t.test.clone()).collect();
    mutation::without_analysis(&mut tests, PLAIN);
    put_back(outcome, tests);
}

fn put_back(outcome: &mut Outcome, tests: Vec<TestCase>) {
    for (kept, test) in outcome.suite.iter_mut().zip(tests) {
        kept.test = test;
    }
}
