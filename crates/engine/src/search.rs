//! The state of a search and the one funnel through which every execution passes: goals, archive, pool, constants, records, costs and suspicions
//! are updated in `absorb` and nowhere else. Never proposes and never runs.

use std::collections::BTreeMap;

use bytecode::names::{ClassName, Primitive};
use rustc_hash::FxHashMap;
use testcase::cost::Cost;
use testcase::execution::{Execution, Observation, Outcome, Reach, Thrown};
use testcase::operation::{OpId, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::Value;

use crate::archive::Archive;
use crate::catalog::{Catalog, Role, TypeId};
use crate::checks::Checks;
use crate::constants::{Constants, as_constant};
use crate::costs::Costs;
use crate::disturbance::{Disturbance, Trials};
use crate::goal::{GoalId, Goals, MethodId};
use crate::library::Library;
use crate::options::Options;
use crate::oracle::peek;
use crate::oracle::suspicion::Suspicions;
use crate::oracle::unsteady::Unsteady;
use crate::outcome::Loss;
use crate::pool::{Identity, Pool, Prune};
use crate::prices::DEAR_STEPS;
pub use crate::proposal::Proposal;
use crate::proposal::{Ticket, Tickets, Wanted};
use crate::record::{Records, fatal_name, guilty, is_deadly, operands};
use crate::rng::Rng;
use crate::seen::mix;
use crate::state::histories::Histories;
use crate::supply::Supplies;

/// What an execution brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Goals covered for the first time.
    pub new_goals: u32,
    /// Values taken into the pool.
    pub pooled: u32,
}

/// Sums over the whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub executions: u64,
    /// Constructor and method calls that ran.
    pub calls: u64,
    pub normal: u64,
    pub threw: u64,
    pub fatal: u64,
    /// Those that covered a goal which was never covered before.
    pub gains: u64,
}

/// Sequences that just succeeded with something new, for extension.
const FRESH: usize = 32;
/// How much less attractive a value is that contains itself.
const KNOT: u32 = 16;
/// So often per operation that made one is such a value gone on with at once, as some code looks out for it; and once more per so many executions.
const KNOTS: u64 = 12;
const KNOT_EVERY: u64 = 200;
/// How often an object is given to itself where it could be, and after how many overflows of the stack that is halved.
const KNOT_CHANCE: f32 = 0.1;
const KNOT_PATIENCE: f32 = 16.0;

pub struct Search<'l> {
    pub library: &'l dyn Library,
    pub catalog: Catalog,
    pub goals: Goals,
    pub archive: Archive,
    pub pool: Pool,
    pub constants: Constants,
    pub supplies: Supplies,
    pub records: Records,
    pub costs: Costs,
    pub suspicions: Suspicions,
    /// Goals that only tests reached which cannot be kept, and why.
    pub losses: BTreeMap<GoalId, Loss>,
    /// Goals that only code which reaches outside was seen to cover: what it reached, and by which method called.
    pub beyond: BTreeMap<GoalId, (Reach, Option<MethodId>)>,
    pub totals: Totals,
    pub options: Options,
    /// Target operations, in a fixed order.
    pub targets: Vec<OpId>,
    /// Calls that show what is in a container.
    pub(crate) peeks: Vec<OpId>,
    /// Target methods each method reaches through calls, itself included.
    pub reaches: Vec<Vec<MethodId>>,
    /// Objects that were given to themselves and gone on with, by the operation that did it.
    knots: FxHashMap<OpId, u64>,
    /// Runs with such objects that overflowed the stack.
    knot_overflows: u32,
    /// Raised whenever a goal is covered or made.
    pub generation: u64,
    /// Calls that do not do the same twice.
    pub unsteady: Unsteady,
    /// A test was kept lately that calls one of them.
    pub lucky: bool,
    /// A test was refused lately because it calls one of them, although it is cheaper than the one there.
    pub refused: bool,
    /// Calls that change what others may see, and whether others notice.
    pub trials: Trials,
    /// What else there is to find in each method, besides goals; empty if nothing is.
    pub wanted: Vec<u32>,
    fresh: Vec<Proposal>,
    fresh_next: usize,
    pub checks: Checks,
    /// Sequences that the session runs next, whatever the technique: what existing tests do, and what was cleared of a suspicion.
    pub seeds: Vec<Sequence>,
    /// What existing tests do, for techniques that build upon it.
    pub existing: Vec<Sequence>,
    tickets: Tickets,
    /// For pruning by the calls that made a value.
    histories: Option<Histories>,
    casts: FxHashMap<(TypeId, ClassName), Option<OpId>>,
    /// Chance for the pool's evictions only, so that they do not disturb the generators' draws.
    rng: Rng,
}

impl<'l> Search<'l> {
    /// `reaches` may be empty: then a method reaches itself alone.
    pub fn new(
        library: &'l dyn Library,
        goals: Goals,
        mut reaches: Vec<Vec<MethodId>>,
        options: Options,
    ) -> Search<'l> {
        for at in reaches.len()..goals.method_count() {
            reaches.push(vec![MethodId(at as u32)]);
        }
        let mut search = Search {
            library,
            catalog: Catalog::default(),
            archive: Archive::default(),
            pool: Pool::new(options.pool_per_type),
            constants: Constants::new(&library.constants()),
            supplies: Supplies::default(),
            records: Records::default(),
            costs: Costs::default(),
            suspicions: Suspicions::default(),
            losses: BTreeMap::new(),
            beyond: BTreeMap::new(),
            totals: Totals::default(),
            targets: Vec::new(),
            peeks: Vec::new(),
            reaches,
            knots: FxHashMap::default(),
            knot_overflows: 0,
            generation: 0,
            unsteady: Unsteady::default(),
            lucky: false,
            refused: false,
            trials: Trials::default(),
            wanted: Vec::new(),
            fresh: Vec::new(),
            fresh_next: 0,
            checks: Checks::default(),
            seeds: Vec::new(),
            existing: Vec::new(),
            tickets: Tickets::default(),
            histories: match options.prune {
                Prune::WholeSeq => Some(Histories::new(false)),
                Prune::ModifyingSeq => Some(Histories::new(true)),
                Prune::Equals | Prune::State | Prune::MonitorEquals | Prune::Nothing => None,
            },
            casts: FxHashMap::default(),
            rng: Rng::new(options.seed ^ 0x5EED),
            goals,
            options,
        };
        for offer in library.targets() {
            let op = search.catalog.add(library, offer.operation, Role::Target);
            let method = offer.member.as_ref().and_then(|m| search.goals.find_method(&m.class, &m.name, &m.descriptor));
            let hints: Vec<TypeId> = offer.hints.iter().map(|t| search.catalog.want(library, t)).collect();
            search.catalog.describe(op, offer.member, method, &hints);
            let goals = &search.goals;
            let also = offer.also.iter().filter_map(|(c, n, d)| goals.find_method(c, n, d));
            search.catalog.leads_to(op, also);
            if let Some(method) = method {
                search.goals.expect_normal(method);
            }
            if !search.targets.contains(&op) {
                search.targets.push(op);
            }
        }
        search.peeks = peek::prepare(&mut search.catalog, library, &search.targets);
        search
    }

    /// The ways to a type are found at its first need.
    pub fn prepare_supply(&mut self, wanted: TypeId) {
        self.supplies.prepare(&mut self.catalog, &self.goals, self.library, wanted);
    }

    pub fn cost_of(&self, sequence: &Sequence) -> Cost {
        self.prefix_cost(sequence, sequence.len())
    }

    fn prefix_cost(&self, sequence: &Sequence, len: usize) -> Cost {
        sequence.statements()[..len].iter().fold(Cost::default(), |sum, s| sum.plus(self.catalog.facts(s.op).cost))
    }

    /// Of the session itself.
    pub fn proposal(&self, sequence: Sequence) -> Proposal {
        let cost = self.cost_of(&sequence);
        Proposal::of_session(sequence, cost)
    }

    /// Of a generator, which gets the result back by the ticket.
    pub fn offer(&mut self, sequence: Sequence, detail: Wanted) -> Proposal {
        let cost = self.cost_of(&sequence);
        Proposal { sequence, cost, detail, ticket: self.ticket() }
    }

    pub fn ticket(&mut self) -> Ticket {
        self.tickets.hand_out()
    }

    /// Sequences that lately showed something new.
    pub fn fresh(&self) -> &[Proposal] {
        &self.fresh
    }

    /// Learns from one execution, whoever asked for it.
    pub fn absorb(&mut self, proposal: &Proposal, execution: &Execution) -> Delta {
        let mut delta = Delta::default();
        if is_unanswered(execution) {
            return delta;
        }
        let statements = proposal.sequence.statements();
        let Some(last) = statements.last() else {
            return delta;
        };
        let last_index = statements.len() - 1;
        self.totals.executions += 1;
        self.totals.calls += u64::from(proposal.cost.calls);
        self.records.op_mut(last.op).tried += 1;
        self.costs.learn(&self.catalog, &proposal.sequence, execution);
        let stays_inside = execution.reach.is_empty();
        if !stays_inside {
            self.reached_outside(proposal, execution);
        }
        let disturbance = self.disturbance(&proposal.sequence, execution);
        if disturbance != Disturbance::None
            && let Some(method) = self.catalog.facts(last.op).method
        {
            self.records.method_mut(method).disturbing += 1;
        }
        if let Disturbance::Suspected(suspects) = disturbance {
            self.trials.accuse(&suspects, proposal, execution);
        }

        for hit in &execution.probes {
            for i in 0..self.goals.of_probe(hit.probe).len() {
                let goal = self.goals.of_probe(hit.probe)[i];
                self.reach(goal, usize::from(hit.statement), proposal, execution, &mut delta);
            }
        }
        if execution.dirtied_statics && statements[..last_index].iter().all(|s| s.args.is_empty()) {
            self.records.op_mut(last.op).dirtied += 1;
        }
        match &execution.outcome {
            Outcome::Normal => {
                self.totals.normal += 1;
                let record = self.records.op_mut(last.op);
                record.normal += 1;
                let op = last.op;
                if let Some(method) = self.catalog.facts(op).method {
                    let record = self.records.method_mut(method);
                    record.calls += 1;
                    record.normal += 1;
                    if let Some(goal) = self.goals.normal_of(method) {
                        self.reach(goal, last_index, proposal, execution, &mut delta);
                    }
                }
                if stays_inside && execution.passed_over.is_empty() && !self.is_check(&proposal.sequence) {
                    self.keep_values(proposal, execution, &mut delta);
                }
            }
            Outcome::Threw { statement, exception } => {
                self.totals.threw += 1;
                self.threw(usize::from(*statement), exception, proposal, execution, &mut delta);
            }
            other => {
                self.totals.fatal += 1;
                if matches!(other, Outcome::StackOverflow { .. }) && self.is_knotted(&proposal.sequence) {
                    self.knot_overflows += 1;
                }
                // The guilty statement, or the last one: earlier ones have run before.
                let op = guilty(other).and_then(|i| statements.get(i)).map_or(last.op, |s| s.op);
                let record = self.records.op_mut(op);
                record.fatal += 1;
                record.deadly += u32::from(is_deadly(other));
                if let Outcome::Unlinkable { .. } = other {
                    self.records.op_mut(op).unusable = true;
                }
                if let Some(method) = self.catalog.facts(op).method {
                    let record = self.records.method_mut(method);
                    record.calls += 1;
                    if let Some(name) = fatal_name(other) {
                        *record.fatal.entry(name).or_default() += 1;
                    }
                    if let Outcome::Unlinkable { message, .. } = other {
                        record.unlinkable = Some(message.to_string());
                    }
                }
            }
        }
        for (statement, thrown) in &execution.passed_over {
            self.threw(usize::from(*statement), thrown, proposal, execution, &mut delta);
        }
        for operands in &execution.operands {
            self.constants.learn_operands(&operands.left, &operands.right);
        }
        if self.options.contracts && stays_inside && !execution.violations.is_empty() {
            self.suspicions.violations(&self.catalog, proposal, &execution.violations);
        }
        if delta.new_goals > 0 {
            self.generation += 1;
            self.totals.gains += 1;
        }
        if delta.new_goals > 0 || delta.pooled > 0 {
            self.records.op_mut(last.op).fruitless = 0;
            let extensible = statements.len() < self.options.max_length
                && execution.steps < DEAR_STEPS as u32
                && execution.outcome == Outcome::Normal;
            if extensible && (!self.is_knotted(&proposal.sequence) || self.may_knot(last)) {
                self.freshen(proposal);
            }
        } else {
            let record = self.records.op_mut(last.op);
            record.fruitless = record.fruitless.saturating_add(1);
        }
        delta
    }

    /// No test can be made of it. Remembers what it would have covered.
    fn reached_outside(&mut self, proposal: &Proposal, execution: &Execution) {
        let statements = proposal.sequence.statements();
        let at = execution.reach.statement.map_or(statements.len() - 1, usize::from);
        let Some(guilty) = statements.get(at) else { return };
        self.records.op_mut(guilty.op).reached_out += 1;
        let method = self.catalog.facts(guilty.op).method;
        for hit in &execution.probes {
            for &goal in self.goals.of_probe(hit.probe) {
                // What came before it can be had without it.
                if usize::from(hit.statement) >= at && !self.goals.is_covered(goal) {
                    self.beyond.entry(goal).or_insert_with(|| (execution.reach.clone(), method));
                }
            }
        }
    }

    fn freshen(&mut self, proposal: &Proposal) {
        if self.fresh.len() < FRESH {
            self.fresh.push(proposal.clone());
        } else {
            self.fresh[self.fresh_next % FRESH] = proposal.clone();
            self.fresh_next += 1;
        }
    }

    /// An exception left a statement.
    fn threw(
        &mut self,
        statement: usize,
        exception: &Thrown,
        proposal: &Proposal,
        execution: &Execution,
        delta: &mut Delta,
    ) {
        let Some(op) = proposal.sequence.statements().get(statement).map(|s| s.op) else {
            return;
        };
        self.records.op_mut(op).threw += 1;
        let Some(method) = self.catalog.facts(op).method else {
            return;
        };
        let record = self.records.method_mut(method);
        record.calls += 1;
        *record.thrown.entry(exception.class.clone()).or_default() += 1;
        let counts = self.options.contracts && execution.reach.is_empty();
        if counts && self.suspicions.exception(&self.catalog, proposal, statement, exception) {
            return;
        }
        if is_testable(self.library, &exception.class) {
            let declared = self.catalog.declares(self.library, op, &exception.class);
            if let Some(goal) = self.goals.exception(method, &exception.class, declared) {
                self.reach(goal, statement, proposal, execution, delta);
            }
        } else if let Some(detail) = &exception.detail {
            // Errors of linking name the class that is missing or broken.
            let record = self.records.method_mut(method);
            record.broken.get_or_insert_with(|| {
                let message = detail.message.as_deref().unwrap_or("no message");
                let cause = detail.cause.as_ref().map(|c| format!(", caused by {}", c.binary())).unwrap_or_default();
                format!("{}: {message}{cause}", exception.class.binary())
            });
        }
    }

    /// Is a value used that is not of the type its variable has? Unchecked casts bring that about; the JVM does not mind, but javac puts casts of its own where
    /// such a value is used, and they fail.
    pub fn is_polluted(&self, sequence: &Sequence, execution: &Execution) -> bool {
        let statements = sequence.statements();
        let used = |var: Var| statements.iter().any(|s| s.args.contains(&var));
        execution.observations.iter().any(|o| {
            let op = statements.get(o.var.index()).map(|s| s.op);
            op.is_some_and(|op| self.misfits(self.catalog.facts(op).result, o)) && used(o.var)
        })
    }

    /// Is the value seen not of its static type?
    pub fn misfits(&self, ty: TypeId, seen: &Observation) -> bool {
        seen.class.as_ref().is_some_and(|class| self.is_misfit(ty, class))
    }

    fn is_misfit(&self, ty: TypeId, class: &ClassName) -> bool {
        let Type::Class(declared) = self.catalog.ty(ty) else {
            return false;
        };
        // Of a class that was made up as we went, for a lambda or the like, nobody knows more than that it is neither a string nor a number.
        let name = declared.name.internal();
        let is_plain = || name == "java/lang/String" || Primitive::ALL.iter().any(|p| p.box_class() == name);
        declared.name != *class && self.library.below(class, &declared.name).map_or_else(is_plain, |is_below| !is_below)
    }

    /// A goal was reached by a statement: the sequence up to there may be the cheapest way to it.
    fn reach(&mut self, goal: GoalId, statement: usize, proposal: &Proposal, execution: &Execution, delta: &mut Delta) {
        let sequence = &proposal.sequence;
        // Most of what runs hit is long known, and cheaper: that is told first.
        if execution.passed_over.is_empty() && self.goals.is_covered(goal) {
            let cost = self.prefix_cost(sequence, (statement + 1).min(sequence.len()));
            let throws = !execution.came_back(statement as u16);
            if !self.archive.wants(goal, cost.packed(), throws) {
                return;
            }
        }
        if !is_expressible(self.library, statement, &execution.outcome) || self.disturbs(sequence, execution) {
            return;
        }
        if self.is_polluted(sequence, execution) {
            return;
        }
        // A test that was seen to do the same twice does not give way to one that may have been lucky.
        let is_shaky = self.unsteady.is_shaky(&sequence.statements()[..(statement + 1).min(sequence.len())]);
        if is_shaky && self.archive.get(goal).is_some_and(|kept| kept.proven) {
            self.refused = true;
            return;
        }
        let thrown = match &execution.outcome {
            Outcome::Threw { statement: at, exception } if usize::from(*at) == statement => Some(&exception.class),
            _ => execution.passed_over.iter().find(|(s, _)| usize::from(*s) == statement).map(|(_, t)| &t.class),
        };
        let passed: Vec<usize> =
            execution.passed_over.iter().map(|(s, _)| usize::from(*s)).filter(|&s| s < statement).collect();
        let is_kept = if passed.is_empty() {
            let len = (statement + 1).min(sequence.len());
            let cost = if len == sequence.len() { proposal.cost } else { self.prefix_cost(sequence, len) };
            self.archive.offer(goal, cost.packed(), thrown, || prefix(sequence, len))
        } else {
            // What threw and was passed over has no place in a test, nor has what needed its value.
            let mut keep = vec![false; sequence.len()];
            for (i, k) in keep.iter_mut().enumerate() {
                *k = i <= statement && !passed.contains(&i);
            }
            let cut = sequence.keep(&keep).sequence;
            if cut.last().map(|s| s.op) != sequence.statements().get(statement).map(|s| s.op) {
                return;
            }
            let cost = self.cost_of(&cut).packed();
            self.archive.offer(goal, cost, thrown, || cut)
        };
        self.lucky |= is_kept && is_shaky;
        if self.archive.get(goal).is_some() && self.goals.cover(goal) {
            let was_lost = self.losses.remove(&goal).is_some();
            if was_lost {
                // Chance gives and takes: that is no progress, but there is something else to look for now.
                self.generation += 1;
            } else {
                delta.new_goals += 1;
            }
        }
    }

    /// The test kept for a goal is no good: the goal is open again.
    pub fn lose(&mut self, goal: GoalId, why: Loss) {
        self.archive.remove(goal);
        self.goals.uncover(goal);
        self.losses.insert(goal, why);
        self.generation += 1;
    }

    /// Was an object given to itself? Walks over such an object tend to overflow the stack, which costs as much as hundreds of ordinary runs.
    pub(crate) fn is_knotted(&self, sequence: &Sequence) -> bool {
        sequence.statements().iter().any(|s| self.is_knot(s))
    }

    fn is_knot(&self, statement: &Statement) -> bool {
        match statement.args.split_first() {
            Some((receiver, rest)) => rest.contains(receiver) && self.catalog.facts(statement.op).receiver,
            None => false,
        }
    }

    /// Is this a knot just made, by an operation that has not made many yet?
    fn may_knot(&mut self, last: &Statement) -> bool {
        if !self.is_knot(last) {
            return false;
        }
        let overflows = 1.0 + self.knot_overflows as f32 / KNOT_PATIENCE;
        let more = (self.totals.executions / KNOT_EVERY) as f32 / overflows;
        let made = self.knots.entry(last.op).or_default();
        let may = *made < KNOTS + more as u64;
        *made += u64::from(may);
        may
    }

    /// How often an object should be given to itself where it could be: the more overflows that brought, the seldomer.
    pub fn knot_chance(&self) -> f32 {
        KNOT_CHANCE * KNOT_PATIENCE / (KNOT_PATIENCE + self.knot_overflows as f32)
    }

    /// Puts what the last statement made or changed into the pool, if it is new.
    fn keep_values(&mut self, proposal: &Proposal, execution: &Execution, delta: &mut Delta) {
        let last = proposal.sequence.len() - 1;
        let op = proposal.sequence.statements()[last].op;
        // Where the clock has no say, steps are the part of run time that is the same on every machine.
        let mut weight = proposal.cost.statements + proposal.cost.calls + execution.steps / 64;
        if self.is_knotted(&proposal.sequence) {
            weight = weight.saturating_mul(KNOT);
        }
        if let Some(histories) = &mut self.histories {
            histories.look(&self.catalog, &proposal.sequence, execution);
        }
        let mut changed = None;
        let mut touched = 0;
        for observation in execution.observations.iter().filter(|o| usize::from(o.statement) == last) {
            if observation.var.index() == last {
                self.keep_result(op, weight, proposal, observation, delta);
                continue;
            }
            if let Some(c) = observation.changed {
                changed = Some(changed.unwrap_or(false) | c);
                if c {
                    let args = &proposal.sequence.statements()[last].args;
                    touched |= operands(args, |arg| arg == observation.var);
                }
            }
            let worth = match self.options.prune {
                Prune::Nothing => observation.changed != Some(false),
                Prune::WholeSeq => true,
                Prune::Equals | Prune::State | Prune::ModifyingSeq | Prune::MonitorEquals => {
                    observation.changed == Some(true)
                }
            };
            if worth && observation.value.is_none() {
                let made = proposal.sequence.statements()[observation.var.index()].op;
                let ty = self.catalog.facts(made).result;
                self.keep(ty, weight, &proposal.sequence, observation.var, observation, delta);
            }
        }
        if let Some(changed) = changed {
            let record = self.records.op_mut(op);
            record.observed += 1;
            record.changed += u32::from(changed);
            record.touched |= touched;
        }
        if delta.pooled > 0 && self.options.contracts {
            self.want_check(op, &proposal.sequence);
        }
    }

    fn keep_result(
        &mut self,
        op: OpId,
        weight: u32,
        proposal: &Proposal,
        observation: &Observation,
        delta: &mut Delta,
    ) {
        let ty = self.catalog.facts(op).result;
        match &observation.value {
            Some(Value::Null | Value::Enum { .. } | Value::Class(_)) => return,
            Some(value) if as_constant(value).is_some() => {
                if !gives_identity(self.catalog.operation(op).kind.name()) {
                    self.constants.learn_result(value);
                }
                return;
            }
            Some(Value::LongString { .. } | Value::LongArray { .. }) => return,
            _ => {}
        }
        if observation.class.is_none() && observation.state.is_none() && observation.value.is_none() {
            return;
        }
        self.keep(ty, weight, &proposal.sequence, observation.var, observation, delta);
        let Some(class) = &observation.class else {
            return;
        };
        let known = self.casts.get(&(ty, class.clone())).copied();
        let cast = match known {
            Some(cast) => cast,
            None => {
                let cast = self.find_cast(ty, class);
                self.casts.insert((ty, class.clone()), cast);
                cast
            }
        };
        if let Some(cast) = cast {
            let sequence = proposal.sequence.append(cast, &[observation.var]);
            let to = self.catalog.facts(cast).result;
            let var = Var(sequence.len() as u16 - 1);
            self.keep(to, weight, &sequence, var, observation, delta);
        }
    }

    fn find_cast(&mut self, declared: TypeId, class: &ClassName) -> Option<OpId> {
        if self.is_misfit(declared, class) {
            return None;
        }
        let to = self.library.cast_type(self.catalog.ty(declared), class)?;
        Some(self.catalog.cast(self.library, declared, &to))
    }

    fn keep(&mut self, ty: TypeId, weight: u32, sequence: &Sequence, var: Var, seen: &Observation, delta: &mut Delta) {
        if sequence.len() >= self.options.max_length || !matches!(self.catalog.ty(ty), Type::Class(_) | Type::Array(_))
        {
            return;
        }
        let identity = match (self.options.prune, seen.state, seen.equals_class, &seen.class) {
            (Prune::Equals, _, Some(number), Some(class)) => Identity::EqualsClass { class: hash_name(class), number },
            (Prune::MonitorEquals, _, _, Some(class)) if seen.equals_state.is_some() => {
                let read = seen.equals_state.map_or(0, |s| s.0);
                Identity::EqualsReads { class: hash_name(class), read }
            }
            (Prune::WholeSeq | Prune::ModifyingSeq, ..) => {
                let history = self.histories.as_ref().and_then(|h| h.of(seen.var.index()));
                history.map_or(Identity::Unknown, Identity::History)
            }
            (Prune::Equals | Prune::State | Prune::MonitorEquals, Some(state), _, _) => Identity::State(state.0),
            _ => Identity::Unknown,
        };
        if self.pool.is_new(ty, identity) && !self.misfits(ty, seen) {
            self.pool.insert(ty, sequence.clone(), var, weight, &mut self.rng);
            delta.pooled += 1;
        }
    }
}

/// It never ran because time was up: nothing can be learnt from it, and nobody is to blame.
pub fn is_unanswered(execution: &Execution) -> bool {
    matches!(execution.outcome, Outcome::Killed { statement: None, status: None })
}

/// Can a test show what this statement did, given how the run ended? Only if it came back, or threw something a test can expect.
fn is_expressible(library: &dyn Library, statement: usize, outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Normal => true,
        Outcome::Threw { statement: at, exception } => {
            statement < usize::from(*at) || (statement == usize::from(*at) && is_testable(library, &exception.class))
        }
        other => guilty(other).is_some_and(|at| statement < at),
    }
}

/// Errors of the machine and of linking depend on where a test runs.
pub fn is_testable(library: &dyn Library, class: &ClassName) -> bool {
    let name = class.internal();
    if matches!(name, "java/lang/StackOverflowError" | "java/lang/OutOfMemoryError" | "java/lang/ThreadDeath") {
        return false;
    }
    !["java/lang/VirtualMachineError", "java/lang/LinkageError"]
        .iter()
        .any(|sup| library.is_subclass(class, &ClassName::new(sup)))
}

fn prefix(sequence: &Sequence, len: usize) -> Sequence {
    if len == sequence.len() { sequence.clone() } else { Sequence::new(&sequence.statements()[..len]) }
}

/// Results of these differ from run to run.
fn gives_identity(name: Option<&str>) -> bool {
    matches!(name, Some("hashCode" | "identityHashCode" | "nanoTime" | "currentTimeMillis" | "getId"))
}

fn hash_name(class: &ClassName) -> u64 {
    class.internal().bytes().fold(1, |h, b| mix(h, u64::from(b)))
}

/// The member name of an operation, if it has one.
pub trait MemberName {
    fn name(&self) -> Option<&str>;
}

impl MemberName for OperationKind {
    fn name(&self) -> Option<&str> {
        match self {
            OperationKind::Call { name, .. }
            | OperationKind::ReadField { name, .. }
            | OperationKind::WriteField { name, .. } => Some(name),
            _ => None,
        }
    }
}
