//! Tests in the archive are run again while there is still time to find others in their stead. Owns when that happens and what a test must do
//! to stay; never decides which test is the better one.

use rustc_hash::FxHashMap;
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::sequence::Sequence;

use crate::archive::Kept;
use crate::budget::Budget;
use crate::goal::GoalId;
use crate::outcome::Loss;
use crate::reduce::runner::goals_of;
use crate::search::{Proposal, Search, is_unanswered};
use crate::session::Session;

/// The first rehearsal comes after so many executions, each further one when the search is so many times as old.
const FIRST: u64 = 1_000;
const TIMES: u64 = 2;
/// Tests that may have been lucky do not wait for that, but come together for so many executions.
const SOON: u64 = 500;
/// Sequences per batch.
const BATCH: usize = 64;
/// New tests are looked for at the end in so many rounds of so many executions.
const ROUNDS: usize = 3;
const ROUND: u64 = 600;

/// When the next rehearsal of all is due, and the next of tests that may have been lucky, in executions.
#[derive(Clone, Copy, Debug)]
pub struct Rehearsals {
    due: u64,
    soon: u64,
}

/// Who takes part in a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// Every test that was seen once, and every one that calls what does not always do the same.
    All,
    /// Every test that was seen once.
    Unproven,
    /// Those of them that call what does not always do the same.
    Lucky,
}

impl Default for Rehearsals {
    fn default() -> Self {
        Rehearsals { due: FIRST, soon: FIRST }
    }
}

impl Rehearsals {
    /// `lucky`: a test was kept that may have been.
    pub fn due(self, executions: u64, lucky: bool) -> Option<Cast> {
        let is_soon = lucky && executions >= self.soon;
        if executions >= self.due { Some(Cast::All) } else { is_soon.then_some(Cast::Lucky) }
    }
}

impl Session<'_> {
    /// Runs tests of the archive again. Gives the number of goals that lost theirs; whoever runs sequences
    /// then looks out for all of them again.
    pub(crate) fn rehearse(
        &mut self,
        executor: &mut dyn Executor,
        budget: &mut Budget<'_>,
        cast: Cast,
    ) -> Result<usize, ExecutorProblem> {
        self.search.lucky = false;
        let open = doubtful(&self.search, cast);
        let needs = self.needs();
        // Everything that can make a test unfit, in another environment than before.
        let detail = Detail {
            observe: Observe::Everything,
            states: needs.states,
            equals_classes: needs.equals_classes,
            all_probes: true,
            varied: true,
            ..Detail::default()
        };
        let mut lost = 0;
        for chunk in open.chunks(BATCH) {
            if (budget.expired)() || budget.left(self.search.totals.executions) < chunk.len() as u64 {
                break;
            }
            let proposals: Vec<Proposal> = chunk.iter().map(|(s, _)| self.search.proposal(s.clone())).collect();
            let requests = proposals
                .iter()
                .map(|p| Request { sequence: p.sequence.clone(), detail, cost: p.cost.packed(), fault: None })
                .collect();
            let executions = executor.run(self.search.catalog.operations(), requests)?;
            for ((proposal, execution), (sequence, goals)) in proposals.iter().zip(&executions).zip(chunk) {
                self.search.absorb(proposal, execution);
                lost += judge(&mut self.search, sequence, goals, execution);
            }
        }
        // The worker tells only of what reaches a probe more cheaply than anything before, also than what was refused.
        let refused = std::mem::take(&mut self.search.refused);
        if lost > 0 || refused {
            executor.set_best(&best(&self.search));
        }
        let executions = self.search.totals.executions;
        if cast != Cast::Lucky {
            self.rehearsals.due = executions.saturating_mul(TIMES).max(FIRST);
        }
        self.rehearsals.soon = executions + SOON;
        Ok(lost)
    }

    /// The last rehearsal. Goals that lose their test now get a short search of their own, if there is time.
    pub(crate) fn rehearse_at_last(
        &mut self,
        executor: &mut dyn Executor,
        budget: &mut Budget<'_>,
    ) -> Result<(), ExecutorProblem> {
        for round in 0..ROUNDS {
            let cast = if round == 0 { Cast::All } else { Cast::Unproven };
            if self.rehearse(executor, budget, cast)? == 0 || (budget.expired)() {
                return Ok(());
            }
            let until = self.search.totals.executions + ROUND;
            let Budget { expired, at_once, .. } = budget;
            let mut limits =
                Budget { max_executions: Some(until), expired: Box::new(expired), at_once: Box::new(&*at_once) };
            self.run(executor, &mut limits, &mut |_| {})?;
        }
        Ok(())
    }
}

/// Each test that has to take part, with the goals it is kept for, in the order of its first goal.
fn doubtful(search: &Search<'_>, cast: Cast) -> Vec<(Sequence, Vec<GoalId>)> {
    let mut all: Vec<(Sequence, Vec<GoalId>)> = Vec::new();
    let mut places: FxHashMap<&Sequence, usize> = FxHashMap::default();
    let is_shaky = |kept: &Kept| search.unsteady.is_shaky(kept.sequence.statements());
    let takes_part = |kept: &Kept| match cast {
        Cast::All => !kept.proven || is_shaky(kept),
        Cast::Unproven => !kept.proven,
        Cast::Lucky => !kept.proven && is_shaky(kept),
    };
    for (goal, kept) in search.archive.iter().filter(|(_, kept)| takes_part(kept)) {
        let place = *places.entry(&kept.sequence).or_insert_with(|| {
            all.push((kept.sequence.clone(), Vec::new()));
            all.len() - 1
        });
        all[place].1.push(goal);
    }
    all
}

/// Keeps a test for the goals it covered again. Gives the number of those it lost.
fn judge(search: &mut Search<'_>, sequence: &Sequence, goals: &[GoalId], execution: &Execution) -> usize {
    if is_unanswered(execution) {
        return 0;
    }
    let again = goals_of(search, sequence, execution);
    // What was seen to be fit stays so; it is only asked whether it does the same again.
    let was_proven = goals.iter().any(|g| search.archive.get(*g).is_some_and(|k| k.proven && k.sequence == *sequence));
    let whole = match was_proven {
        true => again.is_none().then_some(Loss::Unstable),
        false => unfit(search, sequence, execution, again.is_some()),
    };
    if whole.is_some() {
        search.archive.ban(sequence.clone());
    }
    let again = again.unwrap_or_default();
    let (mut lost, mut unstable) = (0, false);
    for &goal in goals {
        // A cheaper test may have come in between.
        if search.archive.get(goal).is_none_or(|kept| kept.sequence != *sequence) {
            continue;
        }
        let gone =
            whole.or_else(|| (again.binary_search(&goal).is_err() && !is_once(search, goal)).then_some(Loss::Unstable));
        match gone {
            Some(why) => {
                search.lose(goal, why);
                lost += 1;
                unstable |= why == Loss::Unstable;
            }
            None => search.archive.prove(goal),
        }
    }
    // What did not come back may have been kept from it by something else.
    if unstable && matches!(execution.outcome, Outcome::Normal | Outcome::Threw { .. }) {
        search.unsteady.suspect(sequence);
        search.lucky = true;
    }
    lost
}

/// Why no test can be made of this sequence, judged by a run of it.
pub fn unfit(search: &Search<'_>, sequence: &Sequence, execution: &Execution, ended_well: bool) -> Option<Loss> {
    if search.disturbs(sequence, execution) {
        Some(Loss::Disturbing)
    } else if search.is_polluted(sequence, execution) {
        Some(Loss::Misfit)
    } else {
        (!ended_well).then_some(Loss::Unstable)
    }
}

/// Goals of initialisers, and of what only they call, show once per JVM.
pub fn is_once(search: &Search<'_>, goal: GoalId) -> bool {
    let method = search.goals.method(search.goals.goal(goal).method);
    &*method.name == "<clinit>" || !method.callable
}

/// How cheaply each probe is hit by what is in the archive; probes with an open goal are left out.
pub(crate) fn best(search: &Search<'_>) -> Vec<(testcase::execution::ProbeId, u32)> {
    let cost = |goal: &GoalId| search.archive.get(*goal).map(|kept| kept.cost);
    let all = |goals: &[GoalId]| goals.iter().map(cost).collect::<Option<Vec<u32>>>()?.into_iter().max();
    search.goals.probes().filter_map(|(probe, goals)| Some((probe, all(goals)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_may_have_been_lucky_are_run_again_sooner_than_others() {
        let rehearsals = Rehearsals { due: 8_000, soon: 4_500 };
        let due = |executions, lucky| rehearsals.due(executions, lucky);
        assert_eq!([due(4_499, true), due(4_500, true), due(8_000, true)], [None, Some(Cast::Lucky), Some(Cast::All)]);
        assert_eq!([due(4_500, false), due(7_999, false), due(8_000, false)], [None, None, Some(Cast::All)]);
    }
}
