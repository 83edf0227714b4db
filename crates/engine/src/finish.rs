//! The end of a session: confirm what was suspicious, pick and shrink the tests, assert, explain. Owns the order of these steps; each step is a module of
//! its own.

use std::collections::BTreeSet;

use bytecode::names::ClassName;
use testcase::executor::{Detail, Executor, ExecutorProblem};
use testcase::sequence::Sequence;

use crate::budget::Budget;
use crate::goal::{self, GoalId, GoalKind};
use crate::initialiser::{Initialiser, class_of};
use crate::mutation::Witness;
use crate::oracle::regression::Found;
use crate::oracle::suspicion::Wrong;
use crate::oracle::{contracts, regression};
use crate::outcome::{FindingKind, Loss, MethodReport, Outcome, Stats, SuiteTest};
use crate::reason::explain;
use crate::reduce::cover::{ASSERTION, Candidate, choose};
use crate::reduce::runner::{Runner, goals_of, thrown_class};
use crate::reduce::shrink::{Item, shrink, without_idle};
use crate::rehearse::{is_once, unfit};
use crate::search::{Search, is_unanswered};
use crate::session::Session;

/// Every probe, nothing else.
pub(crate) const COVERAGE: Detail = Detail {
    observe: testcase::executor::Observe::Nothing,
    states: false,
    equals_classes: false,
    values: false,
    all_probes: true,
    operands: false,
    exceptions: false,
    contracts: false,
    past_exceptions: false,
    varied: false,
    impatient: false,
    distances: false,
};

/// An exception that nobody declares is shown by so many calls or not at all.
const CALLS_TO_THROW: u32 = 3;
/// Most assertions in a test that gathers calls.
const MOST_RESULTS: usize = 64;

impl Session<'_> {
    /// Turns what the search found into a suite and findings. When the budget runs out the tests are less small, not fewer. The search can go on
    /// afterwards.
    pub fn finish(&mut self, executor: &mut dyn Executor, budget: &mut Budget<'_>) -> Result<Outcome, ExecutorProblem> {
        let mut stats = Stats::default();
        if self.health.is_due_at_last(self.search.totals.executions) {
            self.look_after(executor, budget)?;
        }
        self.rehearse_at_last(executor, budget)?;
        self.credit();
        let initialisers = self.initialisers.clone();
        let own = if self.search.options.exhaustive.keep_all { self.generator.tests(&self.search) } else { Vec::new() };
        let mut runner = Runner { search: &mut self.search, executor, budget, spent: 0 };
        let confirmed = contracts::confirm(&mut runner)?;
        stats.unconfirmed = confirmed.unconfirmed;
        acquit(&mut runner, &confirmed.findings)?;
        let suite = if own.is_empty() {
            suite(&mut runner, &confirmed.findings, &initialisers, &mut stats)?
        } else {
            every_execution(&mut runner, own, &confirmed.findings, &mut stats)?
        };
        stats.reduction_executions = runner.spent;
        let search = &mut self.search;
        // What was lost on the way and nothing else covers.
        let covered: BTreeSet<GoalId> = suite.iter().flat_map(|t| t.goals.iter().copied()).collect();
        search.losses.retain(|goal, _| !covered.contains(goal));
        let reached: Vec<GoalId> = search.losses.keys().copied().filter(|g| search.goals.is_covered(*g)).collect();
        reached.iter().for_each(|goal| search.goals.uncover(*goal));
        let search = &self.search;
        let methods = search
            .goals
            .methods()
            .map(|(id, method)| MethodReport {
                method: method.clone(),
                counts: goal::count(&search.goals, |g| g.method == id),
                reason: explain(search, id),
            })
            .collect();
        Ok(Outcome {
            operations: search.catalog.operations().clone(),
            suite,
            findings: confirmed.findings,
            goals: search.goals.clone(),
            counts: goal::count(&search.goals, |_| true),
            methods,
            totals: search.totals,
            stats,
            losses: search.losses.clone(),
        })
    }
}

/// Exceptions that turned out to be nobody's fault are ordinary exceptions of their methods after all.
fn acquit(runner: &mut Runner<'_, '_, '_>, findings: &[crate::outcome::Finding]) -> Result<(), ExecutorProblem> {
    let guilty: Vec<_> = findings
        .iter()
        .filter_map(|f| match &f.kind {
            FindingKind::Exception(class) => Some((f.test.sequence.last()?.op, class.clone())),
            FindingKind::Contract(_) => None,
        })
        .collect();
    let innocent: Vec<(Sequence, u32, bytecode::names::ClassName)> = runner
        .search
        .suspicions
        .iter()
        .filter_map(|(group, suspect)| match &group.wrong {
            Wrong::Exception(class) if !guilty.contains(&(group.last, class.clone())) => {
                Some((suspect.sequence.clone(), suspect.cost, class.clone()))
            }
            _ => None,
        })
        .collect();
    let sequences: Vec<Sequence> = innocent.iter().map(|(s, ..)| s.clone()).collect();
    let executions = runner.run(&sequences, COVERAGE)?;
    for ((sequence, cost, class), execution) in innocent.into_iter().zip(&executions) {
        let Some(op) = sequence.last().map(|s| s.op) else {
            continue;
        };
        let search = &mut *runner.search;
        let (Some(method), Some(thrown)) = (search.catalog.facts(op).method, thrown_class(execution)) else {
            continue;
        };
        if *thrown == class {
            let declared = search.catalog.declares(search.library, op, &class);
            if let Some(goal) = search.goals.exception(method, &class, declared) {
                search.archive.offer(goal, cost, Some(&class), || sequence);
                search.goals.cover(goal);
            }
        }
    }
    Ok(())
}

fn suite(
    runner: &mut Runner<'_, '_, '_>,
    findings: &[crate::outcome::Finding],
    initialisers: &[Initialiser],
    stats: &mut Stats,
) -> Result<Vec<SuiteTest>, ExecutorProblem> {
    let archived = runner.search.archive.tests();
    stats.archived = archived.len();
    let sequences: Vec<Sequence> = archived.iter().map(|a| without_idle(runner.search, &a.kept.sequence)).collect();
    let executions = runner.run(&sequences, COVERAGE)?;
    let mut candidates = Vec::new();
    let mut kept: Vec<(Sequence, Option<ClassName>)> = Vec::new();
    let mut once: Vec<Vec<GoalId>> = Vec::new();
    for ((archived, sequence), execution) in archived.into_iter().zip(sequences).zip(&executions) {
        let archived_goals = archived.goals.clone();
        // What cannot be run again for want of time is taken at its word; verification comes later anyway.
        let (mut goals, thrown) = if is_unanswered(execution) {
            (archived.goals, archived.kept.thrown)
        } else {
            let goals = goals_of(runner.search, &sequence, execution);
            // Looked at closely, it may turn out to change what others see.
            if let Some(why) = unfit(runner.search, &sequence, execution, goals.is_some()) {
                stats.lose(why);
                runner.search.losses.extend(archived_goals.into_iter().map(|g| (g, why)));
                continue;
            }
            (goals.unwrap_or_default(), thrown_class(execution).cloned())
        };
        let gone = archived_goals.iter().filter(|g| goals.binary_search(g).is_err() && !is_once(runner.search, **g));
        let gone: Vec<GoalId> = gone.copied().collect();
        runner.search.losses.extend(gone.into_iter().map(|g| (g, Loss::Unstable)));
        let lost = initialised(runner.search, &archived_goals, &goals);
        goals.extend(&lost);
        goals.sort();
        once.push(lost);
        let cost = runner.search.cost_of(&sequence);
        candidates.push(Candidate { cost: cost.packed(), weight: cost.reading() + ASSERTION, goals });
        kept.push((sequence, thrown));
    }
    let chosen = choose(&candidates);
    // Assertions come first: whatever there is no time to make small can be delivered as it is.
    let large: Vec<regression::Draft> = chosen
        .iter()
        .map(|chosen| {
            let (sequence, thrown) = kept[chosen.index].clone();
            regression::Draft { sequence, thrown, goals: chosen.own.clone() }
        })
        .collect();
    let early = regression::assert_early(runner, &large)?;
    let mut items: Vec<Item<'_>> = chosen
        .iter()
        .map(|chosen| {
            let (sequence, thrown) = kept[chosen.index].clone();
            // What an initialiser did cannot be seen again, so its test stays as it is.
            let initialises = chosen.own.iter().any(|g| once[chosen.index].contains(g));
            Item {
                sequence,
                thrown,
                holds: Box::new(move |s, q, e| {
                    !initialises && covers(goals_of(s, q, e), &chosen.own) && unfit(s, q, e, true).is_none()
                }),
            }
        })
        .collect();
    shrink(runner, &mut items, COVERAGE)?;
    let mut drafts: Vec<regression::Draft> = Vec::new();
    let mut made_of: Vec<Vec<usize>> = Vec::new();
    for (number, (item, chosen)) in items.into_iter().zip(&chosen).enumerate() {
        match drafts.iter().position(|d| d.sequence == item.sequence) {
            Some(same) => {
                drafts[same].goals.extend(&chosen.own);
                made_of[same].push(number);
            }
            None => {
                made_of.push(vec![number]);
                drafts.push(regression::Draft {
                    sequence: item.sequence,
                    thrown: item.thrown,
                    goals: chosen.own.clone(),
                });
            }
        }
    }
    let late = regression::assert_all(runner, &drafts)?;
    let mut tests: Vec<SuiteTest> = Vec::new();
    for (draft, found) in in_time(drafts, late, &large, &early, &made_of) {
        match found {
            Found::Fit(mut a) => {
                // Initialisers do not run again, but will in the JVM of the test.
                a.goals.extend(draft.goals.iter().filter(|g| once.iter().any(|o| o.contains(g))));
                let classes: BTreeSet<&ClassName> = a.goals.iter().map(|g| class_of(runner.search, *g)).collect();
                let ran = initialisers.iter().filter(|i| classes.contains(&i.class));
                let ran: Vec<GoalId> = ran.flat_map(|i| i.goals.iter().copied()).collect();
                a.goals.extend(ran);
                a.goals.sort();
                a.goals.dedup();
                tests.push(SuiteTest { test: a.test, goals: a.goals, witness: Witness::default() });
            }
            Found::Unfit | Found::Hurried => {
                let why = if matches!(found, Found::Hurried) { Loss::Unasserted } else { Loss::Unstable };
                stats.lose(why);
                runner.search.losses.extend(draft.goals.iter().map(|g| (*g, why)));
            }
        }
    }
    // Without time to make tests small nobody knows how long they have to be.
    if !runner.expired() {
        forget_far_fetched(runner.search, &mut tests);
    }
    Ok(last_choice(runner, tests, findings))
}

/// Small tests that could not be run in time are replaced by the large ones they were made of, which had been run
/// before. `made_of` has the numbers of those for each small one.
fn in_time(
    small: Vec<regression::Draft>,
    late: Vec<Found>,
    large: &[regression::Draft],
    early: &[Found],
    made_of: &[Vec<usize>],
) -> Vec<(regression::Draft, Found)> {
    let mut all = Vec::new();
    for ((draft, found), made_of) in small.into_iter().zip(late).zip(made_of) {
        match found {
            Found::Hurried => all.extend(made_of.iter().map(|&n| (large[n].clone(), early[n].clone()))),
            found => all.push((draft, found)),
        }
    }
    all
}

/// What nobody declares is worth a few calls to show: nobody reads more for the sake of a cast that fails somewhere. Longer tests stay if they show something else; exceptions that are
/// left without a test count as not covered.
fn forget_far_fetched(search: &mut Search<'_>, tests: &mut [SuiteTest]) {
    let is_undeclared = |search: &Search<'_>, g: GoalId| search.goals.goal(g).kind == GoalKind::UndeclaredException;
    let mut forgotten: BTreeSet<GoalId> = BTreeSet::new();
    for test in tests.iter_mut().filter(|t| search.cost_of(&t.test.sequence).calls > CALLS_TO_THROW) {
        forgotten.extend(test.goals.iter().copied().filter(|g| is_undeclared(search, *g)));
        test.goals.retain(|g| !is_undeclared(search, *g));
    }
    for goal in tests.iter().flat_map(|t| &t.goals) {
        forgotten.remove(goal);
    }
    forgotten.iter().for_each(|goal| search.goals.uncover(*goal));
}

/// The generator's own tests, all of them and as they are; only assertions are added. What is delivered as failing is left out.
fn every_execution(
    runner: &mut Runner<'_, '_, '_>,
    own: Vec<Sequence>,
    findings: &[crate::outcome::Finding],
    stats: &mut Stats,
) -> Result<Vec<SuiteTest>, ExecutorProblem> {
    stats.archived = own.len();
    let own: Vec<Sequence> = own.into_iter().filter(|s| !findings.iter().any(|f| f.test.sequence == *s)).collect();
    let executions = runner.run(&own, COVERAGE)?;
    let mut drafts: Vec<regression::Draft> = Vec::new();
    for (sequence, execution) in own.into_iter().zip(&executions) {
        // What cannot be run again for want of time is taken at its word; verification comes later anyway.
        let goals =
            if is_unanswered(execution) { Some(Vec::new()) } else { goals_of(runner.search, &sequence, execution) };
        match goals {
            Some(goals) => drafts.push(regression::Draft { sequence, thrown: thrown_class(execution).cloned(), goals }),
            None => stats.lose(Loss::Unstable),
        }
    }
    // A test holds many calls that change nothing, for the sake of their results.
    let usual = std::mem::replace(&mut runner.search.options.max_assertions, MOST_RESULTS);
    let asserted = regression::assert_as_they_are(runner, &drafts);
    runner.search.options.max_assertions = usual;
    let asserted = asserted?;
    let mut tests = Vec::new();
    for found in asserted {
        match found {
            Found::Fit(a) => tests.push(SuiteTest { test: a.test, goals: a.goals, witness: Witness::default() }),
            Found::Unfit => stats.lose(Loss::Unstable),
            Found::Hurried => stats.lose(Loss::Unasserted),
        }
    }
    Ok(tests)
}

/// Goals of initialisers, and of what only they call, that a second run cannot show: a class is initialised once per JVM.
fn initialised(search: &Search<'_>, archived: &[GoalId], again: &[GoalId]) -> Vec<GoalId> {
    archived.iter().copied().filter(|g| again.binary_search(g).is_err() && is_once(search, *g)).collect()
}

fn covers(goals: Option<Vec<GoalId>>, own: &[GoalId]) -> bool {
    goals.is_some_and(|goals| own.iter().all(|g| goals.binary_search(g).is_ok()))
}

/// Once more without superfluous tests, now that all are in their final form; then in the order of methods. What is delivered as failing is not delivered
/// as passing, unless nothing else covers the code it runs.
fn last_choice(
    runner: &Runner<'_, '_, '_>,
    tests: Vec<SuiteTest>,
    findings: &[crate::outcome::Finding],
) -> Vec<SuiteTest> {
    let search = &*runner.search;
    let is_exception =
        |g: &GoalId| matches!(search.goals.goal(*g).kind, GoalKind::DeclaredException | GoalKind::UndeclaredException);
    let candidates: Vec<Candidate> = tests
        .iter()
        .map(|t| {
            let failing = findings.iter().any(|f| f.test.sequence == t.test.sequence);
            let goals = t.goals.iter().copied().filter(|g| !failing || !is_exception(g)).collect();
            let cost = search.cost_of(&t.test.sequence);
            Candidate { cost: cost.packed(), weight: cost.reading() + ASSERTION, goals }
        })
        .collect();
    let mut order: Vec<_> = choose(&candidates)
        .into_iter()
        .map(|c| {
            // The method it answers for; observers called at its end do not matter.
            let method = c.own.iter().map(|g| search.goals.goal(*g).method).min();
            (method, candidates[c.index].cost, c.index)
        })
        .collect();
    order.sort();
    order.into_iter().map(|(_, _, i)| tests[i].clone()).collect()
}
