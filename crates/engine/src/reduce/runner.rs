//! Runs sequences for the phases after the search, through the same funnel as everybody. Owns batching and the count of what it spent.

use testcase::execution::{Execution, Outcome};
use testcase::executor::{Detail, Executor, ExecutorProblem, Request};
use testcase::sequence::Sequence;

use crate::budget::Budget;
use crate::goal::GoalId;
use crate::search::{Proposal, Search, is_testable};

const BATCH: usize = 256;

pub struct Runner<'a, 'l, 'c> {
    pub search: &'a mut Search<'l>,
    pub executor: &'a mut dyn Executor,
    pub budget: &'a mut Budget<'c>,
    pub spent: u64,
}

impl Runner<'_, '_, '_> {
    /// One execution per sequence, in order.
    pub fn run(&mut self, sequences: &[Sequence], detail: Detail) -> Result<Vec<Execution>, ExecutorProblem> {
        let mut all = Vec::with_capacity(sequences.len());
        for chunk in sequences.chunks(BATCH) {
            let proposals: Vec<Proposal> = chunk.iter().map(|s| self.search.proposal(s.clone())).collect();
            let requests = proposals
                .iter()
                .map(|p| Request { sequence: p.sequence.clone(), detail, cost: p.cost.packed(), fault: None })
                .collect();
            let executions = self.executor.run(self.search.catalog.operations(), requests)?;
            self.spent += chunk.len() as u64;
            for (proposal, execution) in proposals.iter().zip(&executions) {
                self.search.absorb(proposal, execution);
            }
            all.extend(executions);
        }
        Ok(all)
    }

    pub fn expired(&mut self) -> bool {
        (self.budget.expired)()
    }
}

/// The goals a run covered, sorted; `None` if it did not end the way a passing test can: normally, or by an exception of its last statement.
pub fn goals_of(search: &Search<'_>, sequence: &Sequence, execution: &Execution) -> Option<Vec<GoalId>> {
    let last = sequence.len().checked_sub(1)?;
    let returned = match &execution.outcome {
        Outcome::Normal => sequence.len(),
        Outcome::Threw { statement, exception }
            if usize::from(*statement) == last && is_testable(search.library, &exception.class) =>
        {
            last
        }
        _ => return None,
    };
    if !execution.passed_over.is_empty() {
        return None;
    }
    let mut goals: Vec<GoalId> = Vec::new();
    // Of what a statement hit before it threw, that counts of which no better test is known.
    let is_bettered = |g: &GoalId| search.archive.get(*g).is_some_and(|kept| kept.thrown.is_none());
    for hit in &execution.probes {
        let came_back = execution.came_back(hit.statement);
        goals.extend(search.goals.of_probe(hit.probe).iter().filter(|g| came_back || !is_bettered(g)));
    }
    for statement in &sequence.statements()[..returned] {
        if let Some(method) = search.catalog.facts(statement.op).method {
            goals.extend(search.goals.normal_of(method));
        }
    }
    if let Outcome::Threw { exception, .. } = &execution.outcome
        && let Some(method) = search.catalog.facts(sequence.statements()[last].op).method
    {
        goals.extend(search.goals.find_exception(method, &exception.class));
    }
    goals.sort_unstable();
    goals.dedup();
    Some(goals)
}

/// The class of the exception a run ended with.
pub fn thrown_class(execution: &Execution) -> Option<&bytecode::names::ClassName> {
    match &execution.outcome {
        Outcome::Threw { exception, .. } => Some(&exception.class),
        _ => None,
    }
}
