//! Which tests stay once all of them are in their final form: what was added for the sake of mutants often covers what earlier tests were written for. Owns that last choice; no goal and no
//! mutant is given up for it.

use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::sequence::Sequence;

use super::witness::Witness;
use crate::finish::COVERAGE;
use crate::goal::GoalId;
use crate::outcome::SuiteTest;
use crate::reduce::cover::{Candidate, choose};
use crate::reduce::runner::goals_of;
use crate::session::Session;

/// Sequences run at a time.
const BATCH: usize = 256;
/// What an assertion weighs, as [`testcase::cost::Cost::reading`] counts.
const ASSERTION: u32 = 2;

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
            let request = |s: &&Sequence| Request { sequence: (*s).clone(), detail: COVERAGE, cost: 0, fault: None };
            let executions = executor.run(self.search.catalog.operations(), chunk.iter().map(request).collect())?;
            let goals = chunk.iter().zip(&executions).map(|(s, e)| goals_of(&self.search, s, e).unwrap_or_default());
            seen.extend(goals);
        }
        for (test, seen) in suite.iter_mut().zip(seen) {
            // What only an initialiser did is not seen again.
            test.goals.extend(seen.into_iter().filter(|g| self.search.goals.is_covered(*g)));
            test.goals.sort_unstable();
            test.goals.dedup();
        }
        let candidates: Vec<Candidate> = suite
            .iter()
            .map(|t| {
                let cost = self.search.cost_of(&t.test.sequence);
                let weight = cost.reading() + ASSERTION * t.test.assertions.len() as u32;
                Candidate { cost: cost.packed(), weight, goals: shown(t, self.search.goals.len()) }
            })
            .collect();
        let mut kept = vec![false; suite.len()];
        choose(&candidates).into_iter().for_each(|chosen| kept[chosen.index] = true);
        let mut kept = kept.into_iter();
        suite.retain(|_| kept.next() != Some(false));
        Ok(())
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

/// What tests notice by an earlier and a later look at them.
pub fn both(earlier: Vec<Witness>, later: Vec<Witness>) -> Vec<Witness> {
    let mut all = earlier;
    for (witness, later) in all.iter_mut().zip(later) {
        let new = later.kills.into_iter().filter(|(m, _)| !witness.kills.iter().any(|(known, _)| known == m));
        let new: Vec<_> = new.collect();
        witness.kills.extend(new);
    }
    all
}
