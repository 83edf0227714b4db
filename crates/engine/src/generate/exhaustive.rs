//! Bounded-exhaustive generation: every method with every argument list on every state, breadth first. Owns the order of the work: values for arguments, what
//! existing tests did, objects to begin with, then iteration after iteration; what counts as a new state is the classifier's to say.

mod existing;
mod graph;
mod values;

use std::collections::VecDeque;

use smallvec::SmallVec;
use testcase::execution::{Execution, Observation, Outcome};
use testcase::observed::Needs;
use testcase::operation::{OpId, Operation, OperationKind};
use testcase::sequence::{Sequence, Var};
use testcase::value::{Constant, Value};

use self::existing::{Candidate, Recalled, Walk};
use self::graph::{End, Graph};
use self::values::{List, Values};
use super::scratch::Scratch;
use super::{Explored, Figures, Generator, Turn};
use crate::catalog::{Role, TypeId};
use crate::options::Options;
use crate::proposal::{Pending, Wanted};
use crate::rng::Rng;
use crate::search::{Delta, Proposal, Search, is_unanswered};
use crate::state::classifier::{ExecutionId, Origin, Part, Sight, StateClassifier, StateId, for_technique};

/// Rounds of making values out of other values.
const ROUNDS: u32 = 4;

/// What a proposal is for.
#[derive(Clone, Debug)]
enum Task {
    /// A value for arguments, by an operation that is not under test.
    Make { made_by: SmallVec<[ExecutionId; 2]> },
    /// A method execution.
    Execute { execution: ExecutionId, from: Option<usize>, op: OpId, list: List },
    /// The first statements of a sequence from existing tests.
    Retrace { seed: usize },
    /// An argument as an existing test passed it.
    Recall { list: usize, place: usize, var: Var },
    /// A state from an existing test, without what has nothing to do with it.
    Recollect { candidate: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Seeds,
    Recalling,
    Values(u32),
    Roots,
    Iteration(u32),
    Done,
}

pub struct Exhaustive {
    receiver: Box<dyn StateClassifier>,
    arguments: Box<dyn StateClassifier>,
    settings: crate::options::Exhaustive,
    stage: Stage,
    values: Values,
    graph: Graph,
    /// Target operations with a receiver, and their argument lists.
    lists: Vec<(OpId, Vec<List>)>,
    /// Where the current iteration is: state, operation, list; it ends before `until`.
    cursor: (usize, usize, usize),
    until: usize,
    queue: VecDeque<(Task, Sequence)>,
    pending: Pending<(Task, Sequence)>,
    walks: Vec<Walk>,
    recalled: Vec<Recalled>,
    candidates: Vec<Candidate>,
    /// For the stage after the current one.
    later: Vec<(Task, Sequence)>,
    /// Iterations begun.
    iterations: u32,
    /// There was no room for a state.
    refused: bool,
    scratch: Scratch,
}

impl Exhaustive {
    pub fn new(options: &Options) -> Exhaustive {
        let settings = options.exhaustive;
        Exhaustive {
            receiver: for_technique(settings.techniques.receiver),
            arguments: for_technique(settings.techniques.arguments),
            settings,
            stage: Stage::Start,
            values: Values::default(),
            graph: Graph::default(),
            lists: Vec::new(),
            cursor: (0, 0, 0),
            until: 0,
            queue: VecDeque::new(),
            pending: Pending::default(),
            walks: Vec::new(),
            recalled: Vec::new(),
            candidates: Vec::new(),
            later: Vec::new(),
            iterations: 0,
            refused: false,
            scratch: Scratch::default(),
        }
    }
}

impl Generator for Exhaustive {
    fn propose(&mut self, search: &mut Search<'_>, _: &mut Rng, n: usize, out: &mut Vec<Proposal>) -> Turn {
        let from = out.len();
        while out.len() < from + n {
            let next = self.queue.pop_front().or_else(|| self.next_execution(search));
            let Some((task, sequence)) = next else {
                // The next stage builds upon all results of this one.
                if !self.pending.is_empty() {
                    return Turn::of_steps(out.len() > from, true);
                }
                if self.stage == Stage::Done {
                    return Turn::Exhausted;
                }
                self.advance(search);
                continue;
            };
            if sequence.is_empty() || sequence.len() > search.options.max_length {
                continue;
            }
            let proposal = search.offer(sequence.clone(), Wanted::default());
            self.pending.insert(proposal.ticket, (task, sequence));
            out.push(proposal);
        }
        Turn::Ready
    }

    fn observe(&mut self, search: &Search<'_>, proposal: &Proposal, execution: &Execution, _: Delta) {
        let Some((task, sequence)) = self.pending.take(proposal.ticket) else { return };
        if is_unanswered(execution) {
            return;
        }
        match task {
            Task::Make { made_by } => {
                if let Some(seen) = result(&sequence, execution) {
                    let class = self.arguments.classify(&Sight::observation(seen)).id();
                    self.values.made(search, &sequence, seen.var, class, made_by.clone());
                    let class = self.receiver.classify(&Sight::observation(seen)).id();
                    self.reach(search, &sequence, seen.var, class, false, made_by);
                }
            }
            Task::Execute { execution: id, from, op, list } => {
                self.executed(search, &sequence, execution, id, from, op, list);
            }
            Task::Retrace { seed } => self.retraced(search, seed, &sequence, execution),
            Task::Recall { list, place, var } => {
                if let Some(seen) = observed(&sequence, execution, var) {
                    let class = self.arguments.classify(&Sight::observation(seen)).id();
                    let value = self.values.made(search, &sequence, var, class, SmallVec::new());
                    self.recalled[list].values[place] = Some(value);
                }
            }
            Task::Recollect { candidate } => self.recollected(search, candidate, &sequence, execution),
        }
    }

    fn needs(&self) -> Needs {
        self.receiver.needs().and(self.arguments.needs())
    }

    fn figures(&self) -> Figures {
        let iterations = match self.stage {
            Stage::Iteration(n) => n - 1,
            Stage::Done => self.iterations,
            _ => 0,
        };
        let explored = Explored {
            iterations,
            states: self.graph.states.len(),
            executions: self.graph.executed(),
            complete: self.is_over() && !self.refused,
        };
        Figures { explored: Some(explored), ..Figures::default() }
    }

    fn tests(&self, search: &Search<'_>) -> Vec<Sequence> {
        self.graph.tests(search, &self.values)
    }
}

impl Exhaustive {
    fn is_over(&self) -> bool {
        self.stage == Stage::Done && self.pending.is_empty() && self.queue.is_empty()
    }

    /// Everything of the current stage is done: prepares the next one.
    fn advance(&mut self, search: &mut Search<'_>) {
        let stage = self.stage;
        self.stage = match stage {
            Stage::Start => {
                self.start(search);
                Stage::Seeds
            }
            Stage::Seeds => {
                self.recall(search);
                Stage::Recalling
            }
            Stage::Recalling => {
                if self.recalled.is_empty() {
                    self.want_values(search);
                }
                Stage::Values(0)
            }
            Stage::Values(round) if round < ROUNDS && self.make_values(search) => Stage::Values(round + 1),
            Stage::Values(_) => {
                self.roots(search);
                Stage::Roots
            }
            Stage::Roots => {
                self.collect_lists(search);
                self.iteration(1)
            }
            Stage::Iteration(n) => self.iteration(n + 1),
            Stage::Done => Stage::Done,
        };
    }

    /// Existing tests, statement by statement.
    fn start(&mut self, search: &mut Search<'_>) {
        for sequence in search.existing.clone() {
            let seed = self.walks.len();
            for i in 0..sequence.len() {
                if !search.catalog.facts(sequence.statements()[i].op).constant {
                    self.queue.push_back((Task::Retrace { seed }, Sequence::new(&sequence.statements()[..=i])));
                }
            }
            let classes = vec![None; sequence.len()];
            self.walks.push(Walk { classes, executions: SmallVec::new() });
        }
    }

    fn want_values(&mut self, search: &mut Search<'_>) {
        for op in called(search) {
            for ty in search.catalog.facts(op).params.clone() {
                self.values.want(search, ty, &mut *self.arguments);
            }
        }
    }

    /// Values for types that have none; false if there is nothing left to try.
    fn make_values(&mut self, search: &mut Search<'_>) -> bool {
        let tasks = self.values.ways(search, &mut *self.arguments);
        for (op, list) in &tasks {
            let facts = search.catalog.facts(*op);
            let under_test = facts.role == Role::Target && !facts.needs_object && is_call(search, *op);
            if under_test {
                self.execute(search, None, *op, list.clone());
            } else {
                self.scratch.clear();
                self.values.call(search, &mut self.scratch, *op, None, list);
                let made_by = list.iter().flat_map(|&v| self.values.get(v).executions.clone()).collect();
                self.queue.push_back((Task::Make { made_by }, self.scratch.sequence()));
            }
        }
        !tasks.is_empty()
    }

    /// Constructors and static methods.
    fn roots(&mut self, search: &mut Search<'_>) {
        for op in called(search) {
            if !search.catalog.facts(op).needs_object {
                for list in self.lists_of(search, op) {
                    self.execute(search, None, op, list);
                }
            }
        }
    }

    fn collect_lists(&mut self, search: &Search<'_>) {
        let ops: Vec<OpId> = called(search).into_iter().filter(|&op| search.catalog.facts(op).needs_object).collect();
        self.lists = ops.into_iter().map(|op| (op, self.lists_of(search, op))).collect();
    }

    /// What existing tests passed to the operation; without such tests, combinations of what there is.
    fn lists_of(&self, search: &Search<'_>, op: OpId) -> Vec<List> {
        let mut lists: Vec<List> = Vec::new();
        let same = |a: &List, b: &List| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.values.get(a).class == self.values.get(b).class)
        };
        for recalled in self.recalled.iter().filter(|r| r.op == op) {
            if let Some(list) = recalled.values.iter().copied().collect::<Option<List>>()
                && !lists.iter().any(|l| same(l, &list))
            {
                lists.push(list);
            }
        }
        if self.recalled.is_empty() {
            let facts = search.catalog.facts(op);
            let params = &facts.params[usize::from(facts.needs_object)..];
            lists = self.values.lists(params, self.settings.max_lists);
        }
        lists
    }

    fn iteration(&mut self, n: u32) -> Stage {
        let from = self.until;
        self.until = self.graph.states.len();
        self.cursor = (from, 0, 0);
        if n > self.settings.iterations || from == self.until {
            return Stage::Done;
        }
        self.iterations = n;
        Stage::Iteration(n)
    }

    /// The next method execution of the iteration that nobody asked for yet.
    fn next_execution(&mut self, search: &Search<'_>) -> Option<(Task, Sequence)> {
        if !matches!(self.stage, Stage::Iteration(_)) {
            return None;
        }
        while self.cursor.0 < self.until {
            let (state, op_at, list_at) = self.cursor;
            let Some((op, lists)) = self.lists.get(op_at) else {
                self.cursor = (state + 1, 0, 0);
                continue;
            };
            let op = *op;
            let fits = list_at > 0
                || search.catalog.fits(self.graph.states[state].ty, search.catalog.facts(op).params[0])
                    && !search.records.op(op).is_harmful();
            let Some(list) = lists.get(list_at).filter(|_| fits).cloned() else {
                self.cursor = (state, op_at + 1, 0);
                continue;
            };
            self.cursor.2 += 1;
            self.execute(search, Some(state), op, list);
            if let Some(next) = self.queue.pop_front() {
                return Some(next);
            }
        }
        None
    }

    /// Queues a method execution, unless an equivalent one was asked for before.
    fn execute(&mut self, search: &Search<'_>, from: Option<usize>, op: OpId, list: List) {
        let receiver = from.map(|state| self.graph.states[state].class);
        // Values without a class were never seen to be made and are in no list.
        let classes = list.iter().filter_map(|&v| self.values.get(v).class);
        let execution = self.graph.execution(search, op, receiver, classes);
        if !self.graph.begin(execution) {
            return;
        }
        self.scratch.clear();
        let mut var = None;
        if let Some(state) = from {
            let reached = &self.graph.states[state];
            self.scratch.concat(&search.catalog, &reached.sequence);
            var = Some(reached.var);
        }
        self.values.call(search, &mut self.scratch, op, var, &list);
        self.queue.push_back((Task::Execute { execution, from, op, list }, self.scratch.sequence()));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one task")]
    fn executed(
        &mut self,
        search: &Search<'_>,
        sequence: &Sequence,
        execution: &Execution,
        id: ExecutionId,
        from: Option<usize>,
        op: OpId,
        list: List,
    ) {
        let last = sequence.len() - 1;
        match &execution.outcome {
            Outcome::Normal if execution.reach.is_empty() => {}
            Outcome::Threw { statement, exception }
                if usize::from(*statement) == last
                    && execution.reach.is_empty()
                    && crate::search::is_testable(search.library, &exception.class) =>
            {
                self.graph.edge(id, from, op, list, End::Threw);
                return;
            }
            _ => {
                self.graph.edge(id, from, op, list, End::Fatal);
                return;
            }
        }
        let made_by: SmallVec<[ExecutionId; 2]> =
            list.iter().flat_map(|&v| self.values.get(v).executions.clone()).chain([id]).collect();
        let args = &sequence.statements()[last].args;
        let mut preserved = true;
        let mut reached: SmallVec<[(Var, StateId); 2]> = SmallVec::new();
        let mut receiver_state = None;
        for seen in observations(sequence, execution).filter(|o| o.var.index() != last) {
            let Some(place) = args.iter().position(|a| *a == seen.var) else { continue };
            let is_receiver = place == 0 && from.is_some();
            let written = seen.changed.unwrap_or(is_receiver);
            let before = from.filter(|_| is_receiver).map(|state| self.graph.states[state].class);
            if is_receiver {
                receiver_state = seen.state;
            } else if !written {
                continue;
            }
            let origin = Origin { call: id, part: Part::Operand(place.min(255) as u8), before, written };
            let class = self.receiver.classify(&Sight::observation(seen).from(origin)).id();
            if before != Some(class) {
                preserved = false;
                reached.push((seen.var, class));
            }
        }
        if let Some(seen) = result(sequence, execution) {
            let origin = Origin { call: id, part: Part::Result, before: None, written: true };
            // A method that gives back its receiver makes nothing new.
            if receiver_state.is_none() || seen.state != receiver_state {
                let class = self.receiver.classify(&Sight::observation(seen).from(origin)).id();
                reached.push((seen.var, class));
            }
            if from.is_none() {
                let class = self.arguments.classify(&Sight::observation(seen).from(origin)).id();
                self.values.made(search, sequence, seen.var, class, made_by);
            }
        }
        self.graph.edge(id, from, op, list, if preserved { End::Preserved } else { End::Changed });
        for (var, class) in reached {
            self.reach(search, sequence, var, class, true, SmallVec::new());
        }
    }

    /// Takes a state in if it is new, methods can be called on it and there is room.
    fn reach(
        &mut self,
        search: &Search<'_>,
        sequence: &Sequence,
        var: Var,
        class: StateId,
        by_edge: bool,
        inside: SmallVec<[ExecutionId; 2]>,
    ) {
        let ty = type_of(search, sequence, var);
        if self.graph.knows(class, ty) || !self.is_receiver(search, ty) {
            return;
        }
        if self.graph.states.len() >= self.settings.max_states {
            self.refused = true;
            return;
        }
        self.graph.reach(sequence, var, ty, class, by_edge, inside);
    }

    /// Can a method under test be called on values of this type?
    fn is_receiver(&self, search: &Search<'_>, ty: TypeId) -> bool {
        search.targets.iter().any(|&op| {
            let facts = search.catalog.facts(op);
            facts.needs_object && search.catalog.fits(ty, facts.params[0]) && is_call(search, op)
        })
    }
}

/// Constructors and methods under test that can be called.
fn called(search: &Search<'_>) -> Vec<OpId> {
    search.targets.iter().copied().filter(|&op| is_call(search, op) && !search.records.op(op).unusable).collect()
}

fn is_call(search: &Search<'_>, op: OpId) -> bool {
    matches!(search.catalog.operation(op).kind, OperationKind::Construct { .. } | OperationKind::Call { .. })
}

fn type_of(search: &Search<'_>, sequence: &Sequence, var: Var) -> TypeId {
    search.catalog.facts(sequence.statements()[var.index()].op).result
}

/// What was seen after the last statement.
fn observations<'e>(sequence: &Sequence, execution: &'e Execution) -> impl Iterator<Item = &'e Observation> {
    let last = sequence.len() - 1;
    execution.observations.iter().filter(move |o| usize::from(o.statement) == last)
}

fn observed<'e>(sequence: &Sequence, execution: &'e Execution, var: Var) -> Option<&'e Observation> {
    if execution.outcome != Outcome::Normal {
        return None;
    }
    observations(sequence, execution).find(|o| o.var == var)
}

/// The object the last statement made.
fn result<'e>(sequence: &Sequence, execution: &'e Execution) -> Option<&'e Observation> {
    let seen = observed(sequence, execution, sequence.last_var()?)?;
    seen.value.as_ref().is_none_or(|v| !crate::state::classifier::is_whole(v)).then_some(seen)
}

/// The value of a constant operation, as an observation would show it.
fn constant_value(operation: &Operation) -> Option<Value> {
    let OperationKind::Constant(constant) = &operation.kind else { return None };
    let value = match constant {
        Constant::Null => return Some(Value::Null),
        Constant::Boolean(b) => Value::Boolean(*b),
        Constant::Byte(n) => Value::Byte(*n),
        Constant::Char(n) => Value::Char(*n),
        Constant::Short(n) => Value::Short(*n),
        Constant::Int(n) => Value::Int(*n),
        Constant::Long(n) => Value::Long(*n),
        Constant::Float(n) => Value::Float(*n),
        Constant::Double(n) => Value::Double(*n),
        Constant::String(s) => return Some(Value::String(s.clone())),
        Constant::Class(of) => return Some(Value::Class(of.clone())),
        Constant::Enum { class, name } => {
            return Some(Value::Enum { class: class.clone(), name: name.clone() });
        }
    };
    Some(if operation.result.is_reference() { Value::Boxed(Box::new(value)) } else { value })
}
