//! A search from start to end: proposes, runs, learns, until the budget is spent; then reduces, asserts and reports. Owns the loop and what is asked
//! of the executor; every policy of its own lives in the modules it calls.

use std::collections::VecDeque;

use testcase::executor::{Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::observed::{Needs, ObservedSuite};
use testcase::operation::{OperationKind, Operations};
use testcase::sequence::{Sequence, Statement};

use crate::archive::Size;
use crate::budget::Budget;
use crate::catalog::Role;
use crate::generate::register::{UnknownTechnique, technique};
use crate::generate::{Figures, Generator, Turn};
use crate::goal::{self, Count, Goals, MethodId};
use crate::health::Health;
use crate::initialiser::Initialiser;
use crate::library::Library;
use crate::options::Options;
use crate::prices::{BATCH_LOST_WORKER_STEPS, BATCH_STEPS};
use crate::proposal::Ticket;
use crate::record::is_deadly;
use crate::rehearse::{Cast, Rehearsals};
use crate::rng::Rng;
use crate::search::{Proposal, Search};
use crate::state::rebuild::{Rebuilt, rebuild};

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub executions: u64,
    /// What the generator's thinking cost, in executions.
    pub thinking: u64,
    pub calls: u64,
    /// Goals of every kind.
    pub goals: Count,
    /// Branches as coverage tools count them.
    pub branches: Count,
    /// Groups of suspicious executions so far.
    pub suspicions: usize,
    /// What the suite will be made of.
    pub archived: Size,
    /// Of a search by several generators: each with the goals that it covered first.
    pub shares: [Option<(&'static str, u64)>; MOST_SHARES],
}

/// More generators than this are not told apart.
pub const MOST_SHARES: usize = 8;

/// Batches grow from the first to the second size: quick answers at first, less overhead later.
const FIRST_BATCH: usize = 16;
const LARGEST_BATCH: usize = 256;
const SMALLEST_BATCH: usize = 8;

pub struct Session<'l> {
    pub(crate) search: Search<'l>,
    pub(crate) generator: Box<dyn Generator>,
    /// The generator has nothing to propose any more.
    is_exhausted: bool,
    rng: Rng,
    batch: usize,
    batches: u64,
    /// How many sequences of the kind that ran last make a batch of the right length, by their steps.
    affordable: usize,
    /// What the generator's thinking cost so far, in executions.
    thinking: u64,
    pub(crate) rehearsals: Rehearsals,
    pub(crate) health: Health,
    /// Those that were given goals on trust.
    pub(crate) initialisers: Vec<Initialiser>,
}

impl<'l> Session<'l> {
    /// `reaches` lists for each method of `goals` the methods it leads to through calls, itself included; it may be empty.
    pub fn new(
        library: &'l dyn Library,
        goals: Goals,
        reaches: Vec<Vec<MethodId>>,
        options: Options,
    ) -> Result<Session<'l>, UnknownTechnique> {
        let generator = (technique(&options.technique)?.build)(&options);
        let rng = Rng::new(options.seed);
        Ok(Session {
            search: Search::new(library, goals, reaches, options),
            generator,
            is_exhausted: false,
            rng,
            batch: FIRST_BATCH,
            batches: 0,
            affordable: LARGEST_BATCH,
            thinking: 0,
            rehearsals: Rehearsals::default(),
            health: Health::default(),
            initialisers: Vec::new(),
        })
    }

    pub fn search(&self) -> &Search<'l> {
        &self.search
    }

    /// Begins from what existing tests do. Says what of it could not be made again.
    pub fn seed(&mut self, suite: &ObservedSuite) -> Rebuilt {
        let rebuilt = rebuild(suite, &mut self.search);
        self.begin(rebuilt.sequences.clone());
        rebuilt
    }

    /// Begins from these sequences, whose operations are numbered by `operations`.
    pub fn begin_with(&mut self, sequences: &[Sequence], operations: &Operations) {
        let search = &mut self.search;
        let mut begun = Vec::with_capacity(sequences.len());
        for sequence in sequences {
            let statements = sequence.statements().iter().map(|s| {
                let operation = operations.get(s.op).clone();
                let calls = matches!(
                    operation.kind,
                    OperationKind::Construct { .. } | OperationKind::Call { .. } | OperationKind::ReadField { .. }
                );
                let op = search.catalog.add(search.library, operation, if calls { Role::Feed } else { Role::Part });
                Statement { op, args: s.args.clone() }
            });
            let statements: Vec<Statement> = statements.collect();
            begun.push(Sequence::new(statements));
        }
        self.begin(begun);
    }

    fn begin(&mut self, sequences: Vec<Sequence>) {
        self.search.seeds.extend(sequences.iter().cloned());
        self.search.existing.extend(sequences);
    }

    /// What the techniques did so far.
    pub fn figures(&self) -> Figures {
        self.generator.figures()
    }

    /// What the generator's thinking cost, in executions that would have taken as long.
    pub fn thinking(&self) -> u64 {
        self.thinking
    }

    pub fn progress(&self) -> Progress {
        let counts = goal::count(&self.search.goals, |_| true);
        let goals = counts
            .values()
            .fold(Count::default(), |a, b| Count { covered: a.covered + b.covered, total: a.total + b.total });
        let mut shares = [None; MOST_SHARES];
        for (place, share) in shares.iter_mut().zip(self.generator.figures().shares) {
            *place = Some((share.name, share.goals));
        }
        Progress {
            executions: self.search.totals.executions,
            thinking: self.thinking,
            calls: self.search.totals.calls,
            goals,
            branches: goal::branches(&counts),
            suspicions: self.search.suspicions.len(),
            archived: self.search.archive.size(),
            shares,
        }
    }

    /// Searches until the budget is spent, everything is covered (if the options say so) or nothing more can be proposed.
    pub fn run(
        &mut self,
        executor: &mut dyn Executor,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExecutorProblem> {
        let mut flying: VecDeque<Vec<Proposal>> = VecDeque::new();
        let mut submitted = self.search.totals.executions;
        let depth = executor.depth().max(1);
        let (mut dry, mut idle) = (false, false);
        loop {
            while flying.len() < depth && !dry {
                if (budget.expired)() {
                    dry = true;
                    break;
                }
                // Before tests are judged by what a spoilt worker makes of them.
                if self.health.is_due(self.search.totals.executions) {
                    if !flying.is_empty() {
                        break;
                    }
                    self.look_after(executor, budget)?;
                    submitted = self.search.totals.executions;
                }
                let done = self.is_done();
                let due = self.rehearsals.due(self.search.totals.executions, self.search.lucky);
                let cast = if done { Some(Cast::Unproven) } else { due };
                if let Some(cast) = cast {
                    // Results still on their way come first: they may change everything.
                    if !flying.is_empty() {
                        break;
                    }
                    let lost = self.rehearse(executor, budget, cast)?;
                    submitted = self.search.totals.executions;
                    if done && (lost == 0 || self.is_done()) {
                        dry = true;
                        break;
                    }
                    continue;
                }
                if self.search.trials.is_due(self.search.totals.executions) {
                    if !flying.is_empty() {
                        break;
                    }
                    self.try_suspects(executor, budget)?;
                    submitted = self.search.totals.executions;
                }
                let size = self.batch.min(self.affordable).min((budget.at_once)().max(SMALLEST_BATCH));
                let size = (size as u64).min(budget.left(submitted)) as usize;
                let proposals = self.propose(size);
                self.thinking += self.generator.effort();
                if proposals.is_empty() {
                    if self.is_exhausted {
                        continue;
                    }
                    // Results still on their way may give new material, and so may somebody else who has a turn now.
                    dry = flying.is_empty() && std::mem::replace(&mut idle, true);
                    break;
                }
                idle = false;
                submitted += proposals.len() as u64;
                if let Some(sites) = self.generator.watch(&self.search) {
                    executor.watch(&sites);
                }
                let requests = self.requests(&proposals);
                executor.submit(self.search.catalog.operations(), requests)?;
                flying.push_back(proposals);
            }
            let Some(proposals) = flying.pop_front() else {
                if dry {
                    return Ok(());
                }
                continue;
            };
            let executions = executor.collect()?;
            let mut steps = 0;
            for (proposal, execution) in proposals.iter().zip(&executions) {
                steps +=
                    if is_deadly(&execution.outcome) { BATCH_LOST_WORKER_STEPS } else { u64::from(execution.steps) };
                let delta = self.search.absorb(proposal, execution);
                if proposal.ticket == Ticket::SESSION {
                    self.generator.overhear(&self.search, proposal, execution, delta);
                } else {
                    self.generator.observe(&self.search, proposal, execution, delta);
                }
            }
            let each = steps / (executions.len() as u64).max(1);
            self.affordable = ((BATCH_STEPS / each.max(1)) as usize).clamp(SMALLEST_BATCH, LARGEST_BATCH);
            self.batches += 1;
            if self.batches.is_multiple_of(8) {
                self.batch = (self.batch * 2).min(LARGEST_BATCH);
            }
            progress(&self.progress());
        }
    }

    fn is_done(&mut self) -> bool {
        let options = &self.search.options;
        let enough = options.stop_when_covered.is_some_and(|min| self.search.totals.executions >= min);
        // Then every method execution is wanted, not only every goal.
        let enough = enough && !options.exhaustive.keep_all;
        (enough && self.is_complete()) || self.is_exhausted
    }

    /// What is run next: seeds, then what the generator proposes, then contract checks, for which an eighth of the places is set aside.
    fn propose(&mut self, n: usize) -> Vec<Proposal> {
        let seeds = self.search.seeds.len().min(n);
        let seeds: Vec<Sequence> = self.search.seeds.drain(..seeds).collect();
        let mut proposals: Vec<Proposal> = seeds.into_iter().map(|s| self.search.proposal(s)).collect();
        let begun = proposals.len();
        let checks = ((n - begun) / 8).min(self.search.checks.left());
        let rest = n - begun - checks;
        if rest > 0 {
            let turn = self.generator.propose(&mut self.search, &mut self.rng, rest, &mut proposals);
            self.is_exhausted = turn == Turn::Exhausted;
        }
        debug_assert!(proposals.iter().all(|p| p.cost == self.search.cost_of(&p.sequence)));
        // No more than there are proposals, as some wait for a few results at a time; who proposes nothing leaves the time to them.
        let made = proposals.len() - begun;
        let checks = if made == 0 { checks } else { checks.min(made) };
        proposals.extend((0..checks).map_while(|_| self.search.take_check(&mut self.rng)));
        proposals
    }

    /// What has to be observed of every run.
    pub(crate) fn needs(&self) -> Needs {
        self.generator.needs().and(self.search.options.prune.needs())
    }

    fn requests(&mut self, proposals: &[Proposal]) -> Vec<Request> {
        let options = &self.search.options;
        let needs = self.needs();
        let base = Detail {
            observe: Observe::LastStatement,
            states: needs.states,
            equals_classes: needs.equals_classes,
            past_exceptions: options.past_exceptions,
            impatient: true,
            ..Detail::default()
        };
        let contracts = options.contracts;
        proposals
            .iter()
            .map(|proposal| {
                if proposal.detail.only_contracts {
                    let past_exceptions = base.past_exceptions;
                    let detail = Detail { contracts, past_exceptions, impatient: true, ..Detail::default() };
                    return Request {
                        sequence: proposal.sequence.clone(),
                        detail,
                        cost: proposal.cost.packed(),
                        fault: None,
                    };
                }
                let mut detail = base;
                let last = proposal.sequence.last().map(|s| s.op);
                let uncovered = last.and_then(|op| self.search.catalog.facts(op).method).is_some_and(|m| {
                    self.search.reaches[m.index()].iter().any(|&r| self.search.goals.uncovered_in(r) > 0)
                });
                detail.operands = self.rng.chance(if uncovered { 0.25 } else { 0.01 });
                detail.contracts = contracts && self.rng.chance(0.02) && !self.search.is_knotted(&proposal.sequence);
                proposal.detail.add_to(&mut detail);
                Request { sequence: proposal.sequence.clone(), detail, cost: proposal.cost.packed(), fault: None }
            })
            .collect()
    }
}
