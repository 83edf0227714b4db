//! Exploration of symbolic states: every method with numbers left open, on every state, every path, breadth first. Owns the order of the work and the tests made of
//! it; states and paths are `symbolic::state`'s. Everything found is proposed as an ordinary sequence and run on a JVM like any other.

mod recipe;

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use symbolic::executor::Slot;
use symbolic::state::{Settings, Space, StateId, Tags, Visit};
use testcase::execution::{Execution, Outcome};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};

use self::recipe::{Recipe, recipes};
use super::effort::Effort;
use super::scratch::Scratch;
use super::{Explored, Figures, Generator, Turn};
use crate::catalog::TypeId;
use crate::options::Options;
use crate::prices::{STATE_PATH_NANOS, STATE_QUESTION_NANOS};
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_testable, is_unanswered};

/// Questions to the solver that a method may ask for further paths: to begin with, for one call, and for each new state that comes of it. Texts made of numbers have
/// hundreds of paths, all of them dear, that lead nowhere.
const CREDIT: u64 = 48;
const CREDIT_PER_CALL: u64 = 24;
const CREDIT_PER_STATE: u64 = 12;

/// Runs before the first state, at most.
const WARMING: usize = 400;

/// A method with ways to its arguments.
#[derive(Clone, Debug)]
struct Plan {
    op: OpId,
    /// The first operand is the state's object.
    on_object: bool,
    args: Vec<Recipe>,
    credit: u64,
}

/// A path, as a sequence.
#[derive(Clone, Debug)]
struct Test {
    sequence: Sequence,
    /// Numbers of the paths it takes, its own last.
    paths: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Roots,
    Iteration(u32),
    Done,
}

/// Arguments of one call: type letter and bits.
type Numbers = Vec<(u8, u64)>;

pub struct SymbolicStates {
    settings: crate::options::SymbolicStates,
    limits: crate::options::Exhaustive,
    stage: Stage,
    space: Option<Space>,
    plans: Vec<Plan>,
    /// Where the current iteration is: state and plan; it ends before `until`.
    cursor: (usize, usize),
    from: usize,
    until: usize,
    /// Calls of the iteration that had to wait for more promising ones.
    postponed: VecDeque<(usize, usize)>,
    queue: VecDeque<Test>,
    pending: Pending<Test>,
    /// If all are to be delivered.
    kept: Vec<Test>,
    iterations: u32,
    /// A call had too many paths.
    cut: bool,
    /// Paths and questions that were accounted for.
    charged: (u64, u64),
    effort: Effort,
    scratch: Scratch,
}

impl SymbolicStates {
    pub fn new(options: &Options) -> SymbolicStates {
        SymbolicStates {
            settings: options.symbolic_states.clone(),
            limits: options.exhaustive,
            stage: Stage::Start,
            space: None,
            plans: Vec::new(),
            cursor: (0, 0),
            from: 0,
            until: 0,
            postponed: VecDeque::new(),
            queue: VecDeque::new(),
            pending: Pending::default(),
            kept: Vec::new(),
            iterations: 0,
            cut: false,
            charged: (0, 0),
            effort: Effort::default(),
            scratch: Scratch::default(),
        }
    }
}

impl Generator for SymbolicStates {
    fn propose(&mut self, search: &mut Search<'_>, rng: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let from = out.len();
        while out.len() < from + n {
            let Some(test) = self.queue.pop_front() else {
                if self.stage == Stage::Done {
                    let made = out.len() > from;
                    return if made || !self.pending.is_empty() { Turn::of_steps(made, true) } else { Turn::Exhausted };
                }
                self.work(search, rng);
                continue;
            };
            if test.sequence.is_empty() || test.sequence.len() > search.options.max_length {
                continue;
            }
            let proposal = search.offer(test.sequence.clone(), Wanted::default());
            self.pending.insert(proposal.ticket, test);
            out.push(proposal);
        }
        Turn::Ready
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let Some(test) = self.pending.take(proposal.ticket) else { return };
        let last = test.sequence.len() - 1;
        let can_be_shown = match &execution.outcome {
            Outcome::Normal => true,
            Outcome::Threw { statement, exception } => {
                usize::from(*statement) == last && is_testable(search.library, &exception.class)
            }
            _ => false,
        };
        if self.limits.keep_all && can_be_shown && execution.reach.is_empty() && !is_unanswered(execution) {
            self.kept.push(test);
        }
    }

    fn effort(&mut self) -> u64 {
        let counts = self.space.as_ref().map(|space| space.counts()).unwrap_or_default();
        let (paths, questions) = (counts.paths - self.charged.0, counts.asked.solver - self.charged.1);
        self.charged = (counts.paths, counts.asked.solver);
        self.effort.spend(paths * STATE_PATH_NANOS + questions * STATE_QUESTION_NANOS);
        self.effort.take()
    }

    fn figures(&self) -> Figures {
        let iterations = match self.stage {
            Stage::Iteration(n) => n - 1,
            Stage::Done => self.iterations,
            _ => 0,
        };
        let counts = self.space.as_ref().map(|space| space.counts()).unwrap_or_default();
        let explored = Explored {
            iterations,
            states: self.space.as_ref().map_or(0, Space::len),
            executions: counts.paths as usize,
            complete: self.is_over() && !self.cut && counts.refused == 0 && self.settings.is_complete(),
        };
        Figures { explored: Some(explored), ..Figures::default() }
    }

    fn tests(&self, _: &Search<'_>) -> Vec<Sequence> {
        // A path on the way of another test needs no test of its own.
        let passed: FxHashSet<u32> =
            self.kept.iter().flat_map(|test| test.paths.iter().rev().skip(1).copied()).collect();
        let ends = self.kept.iter().filter(|test| test.paths.last().is_none_or(|path| !passed.contains(path)));
        ends.map(|test| test.sequence.clone()).collect()
    }
}

impl SymbolicStates {
    fn is_over(&self) -> bool {
        self.stage == Stage::Done && self.pending.is_empty() && self.queue.is_empty()
    }

    /// Explores one call, or goes on to the next stage if there is none left.
    fn work(&mut self, search: &mut Search<'_>, rng: &mut Rng) {
        match self.stage {
            Stage::Start => self.start(search),
            Stage::Roots => match self.next_root() {
                Some(plan) => self.explore(search, None, plan),
                None => self.iteration(1),
            },
            Stage::Iteration(n) => match self.next_call(search, rng) {
                Some((state, plan)) => self.explore(search, Some(StateId(state as u32)), plan),
                None => self.iteration(n + 1),
            },
            Stage::Done => {}
        }
    }

    /// A machine, what can be called, and what existing tests did, which is run as it is.
    fn start(&mut self, search: &mut Search<'_>) {
        for sequence in search.existing.clone() {
            self.queue.push_back(Test { sequence, paths: Vec::new() });
        }
        let settings = Settings {
            comparison: self.settings.comparison,
            states: self.limits.max_states,
            paths: self.settings.max_paths,
            ..Settings::default()
        };
        self.space =
            search.library.machine().map(|machine| Space::new(machine, settings).with_solver(search.library.chain()));
        self.stage = if self.space.is_some() { Stage::Roots } else { Stage::Done };
        self.plans = plans(search, &self.settings);
        self.warm(search);
    }

    /// Lets every method run once, so that classes are initialised before the first state.
    fn warm(&mut self, search: &Search<'_>) {
        let Some(space) = &mut self.space else { return };
        let operations = search.catalog.operations();
        let mut left = WARMING;
        for root in self.plans.iter().filter(|plan| !plan.on_object) {
            let ty = search.catalog.facts(root.op).result;
            for plan in self.plans.iter().filter(|plan| plan.on_object) {
                if left > 0 && search.catalog.fits(ty, search.catalog.facts(plan.op).params[0]) {
                    left -= 1;
                    space.warm(&mut |machine, arguments| {
                        let object = root.call(operations, machine, None, arguments)?;
                        plan.call(operations, machine, Some(object), arguments).map(|_| ())
                    });
                }
            }
            space.warm(&mut |machine, arguments| root.call(operations, machine, None, arguments).map(|_| ()));
        }
    }

    fn next_root(&mut self) -> Option<usize> {
        let at = self.cursor.1;
        let next = (at..self.plans.len()).find(|&plan| !self.plans[plan].on_object)?;
        self.cursor.1 = next + 1;
        Some(next)
    }

    fn iteration(&mut self, n: u32) {
        self.from = self.until;
        self.until = self.space.as_ref().map_or(0, Space::len);
        self.cursor = (self.from, 0);
        self.stage =
            if n > self.limits.iterations || self.from == self.until { Stage::Done } else { Stage::Iteration(n) };
        if self.stage != Stage::Done {
            self.iterations = n;
        }
    }

    /// The next state and method of the iteration.
    fn next_call(&mut self, search: &Search<'_>, rng: &mut Rng) -> Option<(usize, usize)> {
        let space = self.space.as_ref()?;
        while self.cursor.0 < self.until {
            let (state, at) = self.cursor;
            let Some(plan) = self.plans.get(at) else {
                self.cursor = (state + 1, 0);
                continue;
            };
            self.cursor.1 += 1;
            let ty = TypeId(space.tag(StateId(state as u32)));
            let fits = plan.on_object && search.catalog.fits(ty, search.catalog.facts(plan.op).params[0]);
            if !fits || search.records.op(plan.op).is_harmful() {
                continue;
            }
            if self.settings.share < 1.0 && !rng.chance(self.settings.share) {
                continue;
            }
            if self.settings.favour_uncovered && !leads_to_uncovered(search, plan.op) {
                self.postponed.push_back((state, at));
                continue;
            }
            return Some((state, at));
        }
        self.postponed.pop_front()
    }

    /// Goes every path of a call and makes a sequence of each.
    fn explore(&mut self, search: &mut Search<'_>, from: Option<StateId>, plan: usize) {
        let Some(space) = &mut self.space else { return };
        let op = self.plans[plan].op;
        let result = search.catalog.facts(op).result;
        let tags = Tags {
            receiver: from.map(|state| space.tag(state)),
            result: is_receiver(search, result).then_some(result.0),
        };
        let called = &self.plans[plan];
        let operations = search.catalog.operations();
        let mut found: Vec<(Vec<Visit>, Vec<Numbers>)> = Vec::new();
        let (asked, states) = (space.counts().asked.solver, space.len());
        let explored = space.explore(
            from,
            plan as u32,
            tags,
            called.credit.min(CREDIT_PER_CALL),
            &mut |machine, object, arguments| called.call(operations, machine, object, arguments),
            &mut |path| found.push((path.trail.to_vec(), path.values)),
        );
        let used = space.counts().asked.solver - asked;
        let earned = (space.len() - states) as u64 * CREDIT_PER_STATE;
        let credit = &mut self.plans[plan].credit;
        *credit = credit.saturating_sub(used) + earned;
        self.cut |= !explored.complete;
        for (trail, values) in found {
            let sequence = self.sequence(search, &trail, values);
            let paths = trail.iter().map(|visit| visit.path).collect();
            self.queue.push_back(Test { sequence, paths });
        }
    }

    /// The calls of a trail with their numbers.
    fn sequence(&mut self, search: &mut Search<'_>, trail: &[Visit], values: Vec<Numbers>) -> Sequence {
        self.scratch.clear();
        let mut object: Option<Var> = None;
        for (visit, values) in trail.iter().zip(values) {
            let plan = &self.plans[visit.label as usize];
            let mut values = values.into_iter();
            let receiver = object.filter(|_| plan.on_object);
            let args = plan.args.iter().map(|arg| arg.write(search, &mut self.scratch, &mut values));
            let args = receiver.into_iter().chain(args.collect::<Vec<_>>()).collect();
            let result = self.scratch.push(&search.catalog, Statement { op: plan.op, args });
            if visit.result || object.is_none() {
                object = Some(result);
            }
        }
        self.scratch.sequence()
    }
}

impl Plan {
    fn call(
        &self,
        operations: &testcase::operation::Operations,
        machine: &mut symbolic::vm::Machine,
        object: Option<Slot>,
        arguments: &mut symbolic::state::Arguments<'_>,
    ) -> symbolic::vm::Run<Slot> {
        let mut args: Vec<Slot> = object.into_iter().filter(|_| self.on_object).collect();
        for arg in &self.args {
            args.push(arg.make(operations, machine, arguments)?);
        }
        machine.perform(operations.get(self.op), &args)
    }
}

/// Everything that can be called under test, with every list of ways to its arguments up to a number of lists.
fn plans(search: &mut Search<'_>, settings: &crate::options::SymbolicStates) -> Vec<Plan> {
    let calls = |search: &Search<'_>, op: OpId| {
        let kind = &search.catalog.operation(op).kind;
        matches!(kind, OperationKind::Construct { .. } | OperationKind::Call { .. }) && !search.records.op(op).unusable
    };
    let ops: Vec<OpId> = search.targets.iter().copied().filter(|&op| calls(search, op)).collect();
    let mut plans = Vec::new();
    for op in ops {
        let facts = search.catalog.facts(op);
        let on_object = facts.needs_object;
        let params: Vec<TypeId> = facts.params[usize::from(on_object)..].to_vec();
        let choices: Vec<Vec<Recipe>> = params
            .iter()
            .enumerate()
            .map(|(place, &param)| recipes(search, param, settings.concrete.contains(&place)))
            .collect();
        let lists = lists(&choices, settings.max_lists);
        plans.extend(lists.into_iter().map(|args| Plan { op, on_object, args, credit: CREDIT }));
    }
    plans
}

/// Choices for all places, those nearest to the first ones first.
fn lists(choices: &[Vec<Recipe>], most: usize) -> Vec<Vec<Recipe>> {
    let furthest: usize = choices.iter().map(|c| c.len().saturating_sub(1)).sum();
    let mut found = Vec::new();
    let mut at = vec![0; choices.len()];
    for distance in 0..=furthest {
        combine(choices, distance, 0, &mut at, &mut found, most);
    }
    found
}

fn combine(
    choices: &[Vec<Recipe>],
    left: usize,
    place: usize,
    at: &mut Vec<usize>,
    found: &mut Vec<Vec<Recipe>>,
    most: usize,
) {
    if found.len() >= most {
        return;
    }
    let Some(here) = choices.get(place) else {
        if left == 0 {
            found.push(at.iter().zip(choices).map(|(&i, c)| c[i].clone()).collect());
        }
        return;
    };
    for i in 0..here.len().min(left + 1) {
        at[place] = i;
        combine(choices, left - i, place + 1, at, found, most);
    }
}

/// Can a method under test be called on values of this type?
fn is_receiver(search: &Search<'_>, ty: TypeId) -> bool {
    search.targets.iter().any(|&op| {
        let facts = search.catalog.facts(op);
        facts.needs_object && search.catalog.fits(ty, facts.params[0])
    })
}

/// Is something uncovered in what an operation runs?
fn leads_to_uncovered(search: &Search<'_>, op: OpId) -> bool {
    search.catalog.facts(op).method.is_none_or(|method| {
        search.reaches[method.index()].iter().any(|&reached| search.goals.uncovered_in(reached) > 0)
    })
}
