//! Which tests stay once all of them are in their final form: what was added for the sake of mutants often covers what earlier tests were written for. Owns that last choice; no goal and no
//! mutant is given up for it.

use rustc_hash::FxHashSet;
use testcase::executor::{Detail, Executor, ExecutorProblem, Request};
use testcase::sequence::Sequence;

use super::witness::Witness;
use crate::finish::COVERAGE;
use crate::goal::GoalId;
use crate::outcome::SuiteTest;
use crate::reduce::cover::{ASSERTION, Candidate, choose};
use crate::reduce::runner::goals_of;
use crate::session::Session;

/// Sequences run at a time.
const BATCH: usize = 256;

impl Session<'_> {
    /// Takes out the tests that the others make superfluous. Each must say which mutants it notices; the executor must be open with the classes that show goals.
    pub fn settle(
        &mut self,
        executor: &mut dyn Executor,
        suite: &mut Vec<SuiteTest>,
        expired: &mut dyn FnMut() -> bool,
    ) -> Result<(), ExecutorProblem> {
        let sequences: Vec<&Sequence> = suite.iter().map(|t| &t.test.sequence).collect();
        let mut seen: Vec<Vec<GoalId>> = Vec::with_capacity(suite.len());
        for chunk in sequences.chunks(BATCH) {
            if expired() {
                return Ok(());
            }
            let first = self.goals_in(executor, chunk, COVERAGE)?;
            let second = self.goals_in(executor, chunk, Detail { varied: true, ..COVERAGE })?;
            let both = first.into_iter().zip(second).map(|(mut first, second)| {
                first.retain(|goal| second.binary_search(goal).is_ok());
                first
            });
            seen.extend(both);
        }
        for (test, seen) in suite.iter_mut().zip(seen) {
            // Goals that were lost stay lost. Earlier ones stay, too: what an initialiser does is seen once.
            test.goals.extend(seen.into_iter().filter(|g| self.search.goals.is_covered(*g)));
            test.goals.sort_unstable();
            test.goals.dedup();
        }
        let candidates: Vec<Candidate> = suite
            .iter()
            .map(|t| {
                let cost = self.search.cost_of(&t.test.sequence);
                let weight = cost.reading() + ASSERTION * t.test.assertions.len().max(1) as u32;
                Candidate { cost: cost.packed(), weight, goals: shown(t, self.search.goals.len()) }
            })
            .collect();
        let mut kept = vec![false; suite.len()];
        choose(&candidates).into_iter().for_each(|chosen| kept[chosen.index] = true);
        let mut kept = kept.into_iter();
        suite.retain(|_| kept.next() != Some(false));
        Ok(())
    }

    /// What one run of each of these covers, sorted; nothing if it is not one that a test can rely on.
    fn goals_in(
        &self,
        executor: &mut dyn Executor,
        sequences: &[&Sequence],
        detail: Detail,
    ) -> Result<Vec<Vec<GoalId>>, ExecutorProblem> {
        let request = |s: &&Sequence| Request { sequence: (*s).clone(), detail, cost: 0, fault: None };
        let requests = sequences.iter().map(request).collect();
        let executions = executor.run(self.search.catalog.operations(), requests)?;
        let goals = sequences.iter().zip(&executions).map(|(sequence, execution)| {
            let goals = goals_of(&self.search, sequence, execution).filter(|_| execution.reach.is_empty());
            goals.unwrap_or_default()
        });
        Ok(goals.collect())
    }
}

/// Goals, and behind the last of all goals the mutants.
fn shown(test: &SuiteTest, goals: usize) -> Vec<GoalId> {
    let mutants = test.witness.kills.iter().map(|(mutant, _)| GoalId(goals as u32 + mutant));
    let mut shown: Vec<GoalId> = test.goals.iter().copied().chain(mutants).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// What tests notice by an earlier and a later look at them. Of a mutant that was looked at again only the later look counts.
pub fn both(earlier: Vec<Witness>, later: Vec<Witness>) -> Vec<Witness> {
    let again: FxHashSet<u32> = later.iter().flat_map(|w| w.kills.iter().map(|(mutant, _)| *mutant)).collect();
    let mut all = earlier;
    for (witness, later) in all.iter_mut().zip(later) {
        witness.kills.retain(|(mutant, _)| !again.contains(mutant));
        witness.kills.extend(later.kills);
    }
    all
}
