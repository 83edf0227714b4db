//! Does the worker still do what it did? Code under test can spoil a JVM for everything that runs in it later: a lock that is never given back, files left open, a default that nobody
//! restores. Of several workers one is looked at each time, and all are replaced. Owns which tests are run once more to find out, how often, and what makes a worker spoilt; never judges a test by it.

use rustc_hash::FxHashMap;
use testcase::execution::Execution;
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::sequence::Sequence;

use crate::budget::Budget;
use crate::finish::COVERAGE;
use crate::goal::GoalId;
use crate::reduce::runner::goals_of;
use crate::rehearse::is_once;
use crate::search::{Proposal, Search, is_unanswered};
use crate::session::Session;

/// Executions between two looks.
const EVERY: u64 = 20_000;
/// After so many a worker may have been spoilt.
const LONG_SEARCH: u64 = 5_000;
/// Tests run each time, spread over the archive.
const SAMPLE: usize = 12;
/// So many of them that do something else, and more than a third, are no coincidence.
const FEW: usize = 4;
const PART: usize = 3;

/// When to look again.
#[derive(Clone, Copy, Debug)]
pub struct Health {
    due: u64,
    /// A fresh worker did not help.
    given_up: bool,
}

impl Default for Health {
    fn default() -> Self {
        Health { due: EVERY, given_up: false }
    }
}

impl Health {
    pub fn is_due(&self, executions: u64) -> bool {
        !self.given_up && executions >= self.due
    }

    /// Is a last look worth it, before everything depends on it?
    pub fn is_due_at_last(&self, executions: u64) -> bool {
        !self.given_up && executions >= LONG_SEARCH
    }
}

impl Session<'_> {
    /// Runs tests that were seen to do the same twice; if many of them do something else now, the worker is replaced. Nothing may be on its way.
    pub(crate) fn look_after(
        &mut self,
        executor: &mut dyn Executor,
        budget: &Budget<'_>,
    ) -> Result<(), ExecutorProblem> {
        let sample = sample(&self.search);
        self.health.due = self.search.totals.executions + EVERY;
        if sample.len() < FEW || budget.left(self.search.totals.executions) < 2 * sample.len() as u64 {
            return Ok(());
        }
        let executions = self.run_again(executor, &sample)?;
        if !is_spoilt(&self.search, &sample, &executions) || !executor.renew() {
            return Ok(());
        }
        let executions = self.run_again(executor, &sample)?;
        // If they still do, it is the tests: what they did twice has nothing to do with the worker.
        self.health.given_up = is_spoilt(&self.search, &sample, &executions);
        Ok(())
    }

    fn run_again(
        &mut self,
        executor: &mut dyn Executor,
        sample: &[(Sequence, Vec<GoalId>)],
    ) -> Result<Vec<Execution>, ExecutorProblem> {
        let proposals: Vec<Proposal> = sample.iter().map(|(s, _)| self.search.proposal(s.clone())).collect();
        let requests = proposals
            .iter()
            .map(|p| Request { sequence: p.sequence.clone(), detail: COVERAGE, cost: p.cost.packed(), fault: None })
            .collect();
        let executions = executor.run(self.search.catalog.operations(), requests)?;
        for (proposal, execution) in proposals.iter().zip(&executions) {
            self.search.absorb(proposal, execution);
        }
        Ok(executions)
    }
}

/// Tests that always did the same, each with the goals it is kept for that every run of it shows.
fn sample(search: &Search<'_>) -> Vec<(Sequence, Vec<GoalId>)> {
    let mut steady: Vec<(Sequence, Vec<GoalId>)> = Vec::new();
    let mut places: FxHashMap<&Sequence, usize> = FxHashMap::default();
    for (goal, kept) in search.archive.iter() {
        if !kept.proven || is_once(search, goal) || search.unsteady.is_shaky(kept.sequence.statements()) {
            continue;
        }
        let place = *places.entry(&kept.sequence).or_insert_with(|| {
            steady.push((kept.sequence.clone(), Vec::new()));
            steady.len() - 1
        });
        steady[place].1.push(goal);
    }
    let step = steady.len().div_ceil(SAMPLE).max(1);
    steady.into_iter().step_by(step).collect()
}

/// Whether too many of these tests no longer reach any goal they are kept for.
fn is_spoilt(search: &Search<'_>, sample: &[(Sequence, Vec<GoalId>)], executions: &[Execution]) -> bool {
    let answered = sample.iter().zip(executions).filter(|(_, execution)| !is_unanswered(execution));
    let strayed = answered.clone().filter(|((sequence, goals), execution)| {
        let again = goals_of(search, sequence, execution).unwrap_or_default();
        !goals.iter().any(|goal| again.binary_search(goal).is_ok())
    });
    let strayed = strayed.count();
    strayed >= FEW && strayed * PART > answered.count()
}
