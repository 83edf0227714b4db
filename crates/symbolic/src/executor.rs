//! Runs sequences on the symbolic machine. Owns statements and their results, in the shape a JVM's results have; the
//! machine does the work.
//!
//! What the machine has no model of ends a sequence as `Outcome::Unlinkable` with the reason, and is counted: see
//! [`VmExecutor::stops`]. Probes, operands and distances are there if the machine's classes are instrumented: see
//! [`VmExecutor::measuring`]. Contracts of users and classes of equal values are not.

mod contracts;
mod gauge;
mod operation;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use bytecode::names::ClassName;
use testcase::execution::{
    Distance, Execution, Frame, Observation, Operands, Outcome, ProbeHit, ProbeId, Reach, StateHash, Thrown,
    ThrownDetail, Violation,
};
use testcase::executor::{Executor, ExecutorProblem, Observe, Request, Watch};
use testcase::operation::Operations;
use testcase::sequence::Var;
use testcase::types::Type;
use testcase::value::Value;

use crate::expr::Term;
use crate::vm::{Machine, Ref, Run, Stop, Trap, Unstable};
use contracts::Checks;
use gauge::Gauge;
pub use gauge::Measured;
pub use operation::Slot;

/// Frames of a trace that are reported, as by the worker.
const FRAMES: usize = 16;
const LONGEST_MESSAGE: usize = 2_000;

/// A machine behind the same seam as JVMs.
#[derive(Debug)]
pub struct VmExecutor {
    machine: Machine,
    done: VecDeque<Vec<Execution>>,
    stops: BTreeMap<Stop, u64>,
    last_stops: Vec<Option<Stop>>,
    last_places: Vec<Vec<String>>,
    last_unstable: Vec<Unstable>,
    gauge: Option<Gauge>,
    /// The class of hooks and its companions: their frames belong to no user code.
    hooks: Option<ClassName>,
}

/// A sequence that ran.
#[derive(Debug, Default)]
struct Ran {
    /// `None`: to its end.
    ended: Option<Outcome>,
    observations: Vec<Observation>,
    passed_over: Vec<(u16, Thrown)>,
    stop: Option<Stop>,
    operands: Vec<Operands>,
    distances: Vec<Distance>,
    violations: Vec<Violation>,
    steps: u64,
}

impl VmExecutor {
    pub fn new(machine: Machine) -> VmExecutor {
        VmExecutor {
            machine,
            done: VecDeque::new(),
            stops: BTreeMap::new(),
            last_stops: Vec::new(),
            last_places: Vec::new(),
            last_unstable: Vec::new(),
            gauge: None,
            hooks: None,
        }
    }

    /// With classes that are instrumented. The machine is as it is before the first sequence.
    pub fn measuring(mut machine: Machine, measured: &Measured) -> Run<VmExecutor> {
        let gauge = Gauge::new(&mut machine, measured)?;
        let executor = VmExecutor::new(machine);
        Ok(VmExecutor { gauge: Some(gauge), hooks: Some(measured.hooks.clone()), ..executor })
    }

    /// How many sequences ended for reasons that are not behaviour of the program.
    pub fn stops(&self) -> &BTreeMap<Stop, u64> {
        &self.stops
    }

    /// Why sequences of the last batch stopped, if they did; in the order of requests.
    pub fn last_stops(&self) -> &[Option<Stop>] {
        &self.last_stops
    }

    /// Where sequences of the last batch stopped for lack of a model: methods, innermost first; empty for the others.
    pub fn last_places(&self) -> &[Vec<String>] {
        &self.last_places
    }

    /// What sequences of the last batch used that differs from JVM to JVM.
    pub fn last_unstable(&self) -> &[Unstable] {
        &self.last_unstable
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    fn execute(&mut self, operations: &Operations, request: &Request) -> Execution {
        let detail = request.detail;
        if let Some(gauge) = &mut self.gauge {
            let all = detail.all_probes || detail.distances;
            gauge.begin(&mut self.machine, request.cost, all, detail.operands, detail.distances);
        }
        let mut ran = Ran::default();
        self.run_sequence(operations, request, &mut ran);
        let is_unmodelled = matches!(ran.stop, Some(Stop::Unmodelled(_)));
        self.last_places.push(if is_unmodelled { self.machine.stopped_in() } else { Vec::new() });
        self.last_unstable.push(self.machine.unstable());
        self.machine.settle();
        if let Some(stop) = &ran.stop {
            *self.stops.entry(stop.clone()).or_default() += 1;
        }
        self.last_stops.push(ran.stop);
        Execution {
            outcome: ran.ended.unwrap_or(Outcome::Normal),
            probes: self.hits(),
            operands: ran.operands,
            distances: ran.distances,
            observations: ran.observations,
            violations: ran.violations,
            passed_over: ran.passed_over,
            steps: u32::try_from(ran.steps).unwrap_or(u32::MAX),
            dirtied_statics: false,
            reach: Reach::default(),
        }
    }

    fn hits(&mut self) -> Vec<ProbeHit> {
        self.gauge.as_mut().map_or_else(Vec::new, |gauge| std::mem::take(&mut gauge.hits))
    }

    fn scan(&mut self, statement: usize) {
        if let Some(gauge) = &mut self.gauge {
            gauge.scan(&self.machine, statement as u16);
        }
    }

    /// What the hooks recorded while statements ran.
    fn read_gauge(&mut self, request: &Request, ran: &mut Ran) {
        ran.steps = self.machine.steps();
        let Some(gauge) = &self.gauge else { return };
        gauge.stop_looking(&mut self.machine);
        if request.detail.operands {
            ran.operands = gauge.operands(&mut self.machine);
        }
        if request.detail.distances {
            ran.distances = gauge.distances(&self.machine);
        }
    }

    fn run_sequence(&mut self, operations: &Operations, request: &Request, ran: &mut Ran) {
        let statements = request.sequence.statements();
        let detail = request.detail;
        let mut slots: Vec<Slot> = Vec::with_capacity(statements.len());
        let mut missing = vec![false; statements.len()];
        let last = statements.len().saturating_sub(1);
        let mut before: Vec<(Var, Option<StateHash>)> = Vec::new();
        let mut passed_over: Vec<(usize, Ref)> = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            let operation = operations.get(statement.op);
            if statement.args.iter().any(|a| missing[a.index()]) {
                missing[at] = true;
                slots.push(Slot::new(b'V', 0));
                continue;
            }
            let arguments: Vec<Slot> = statement.args.iter().map(|a| slots[a.index()]).collect();
            if at == last && detail.observe != Observe::Nothing {
                for &var in &statement.args {
                    if !operation.is_constant() && before.iter().all(|(v, _)| *v != var) {
                        let state = if detail.states { self.state(slots[var.index()]) } else { None };
                        before.push((var, state));
                    }
                }
            }
            match self.machine.perform(operation, &arguments) {
                Ok(slot) => slots.push(slot),
                Err(trap) => {
                    self.scan(at);
                    let thrown = if let Trap::Throw(exception) = &trap { Some(*exception) } else { None };
                    let details = detail.exceptions && !detail.past_exceptions;
                    let (outcome, stop) = self.ended_aside(at, trap, details);
                    match (outcome, thrown) {
                        (Outcome::Threw { .. }, Some(exception)) if detail.past_exceptions => {
                            passed_over.push((at, exception));
                            missing[at] = true;
                            slots.push(Slot::new(b'V', 0));
                            continue;
                        }
                        (outcome, _) => {
                            (ran.ended, ran.stop) = (Some(outcome), stop);
                            return self.read_gauge(request, ran);
                        }
                    }
                }
            }
            if !operation.is_constant() {
                self.scan(at);
            }
            if detail.observe == Observe::Everything && at != last {
                let seen = self.look(request, &slots, at, at, None);
                ran.observations.push(seen);
            }
        }
        self.read_gauge(request, ran);
        let looked: Vec<usize> = match detail.observe {
            _ if statements.is_empty() => Vec::new(),
            Observe::Nothing => Vec::new(),
            Observe::Everything => (0..=last).filter(|var| !missing[*var]).collect(),
            Observe::LastStatement if missing[last] => Vec::new(),
            Observe::LastStatement => [last].into_iter().chain(before.iter().map(|(v, _)| v.index())).collect(),
        };
        for var in looked {
            let state_before = before.iter().find(|(v, _)| v.index() == var).map(|(_, s)| *s);
            let seen = self.look(request, &slots, last, var, state_before);
            ran.observations.push(seen);
        }
        if detail.contracts && !missing.last().is_none_or(|missing| *missing) {
            let mut variables = vec![Var(last as u16)];
            for var in &statements[last].args {
                if !variables.contains(var) {
                    variables.push(*var);
                }
            }
            match Checks::new(self, last as u16).run(&variables, &slots) {
                Ok(violations) => ran.violations = violations,
                Err(stop) => {
                    let (outcome, stop) = self.ended(last as u16, Trap::Stop(stop), false);
                    (ran.ended, ran.stop) = (Some(outcome), stop);
                }
            }
        }
        // Last of all: computing a message may run code that changes what it looks at.
        for (at, exception) in passed_over {
            match self.ended_aside(at, Trap::Throw(exception), detail.exceptions) {
                (Outcome::Threw { exception, .. }, _) => ran.passed_over.push((at as u16, exception)),
                (outcome, stop) => return (ran.ended, ran.stop) = (Some(outcome), stop),
            }
        }
    }

    /// How a statement ended, while nothing is measured: an exception's own methods are asked for its message.
    fn ended_aside(&mut self, at: usize, trap: Trap, details: bool) -> (Outcome, Option<Stop>) {
        let paused = self.gauge.as_ref().map(|gauge| gauge.pause(&mut self.machine));
        let ended = self.ended(at as u16, trap, details);
        if let (Some(gauge), Some(paused)) = (&self.gauge, paused) {
            gauge.go_on(&mut self.machine, paused);
        }
        ended
    }

    /// The first variable that holds the same object, if there is one before this.
    fn first(slots: &[Slot], var: usize) -> Option<Var> {
        let same = |s: &Slot| s.letter == b'L' && s.bits == slots[var].bits;
        slots[..var].iter().position(same).map(|first| Var(first as u16))
    }

    fn state(&mut self, slot: Slot) -> Option<StateHash> {
        let hash = match slot.letter {
            b'V' => self.machine.state_hash(0),
            b'L' => self.machine.state_hash(slot.bits as Ref),
            letter => self.machine.boxed_hash(letter, slot.bits),
        };
        hash.ok().map(StateHash)
    }

    fn look(
        &mut self,
        request: &Request,
        slots: &[Slot],
        statement: usize,
        var: usize,
        before: Option<Option<StateHash>>,
    ) -> Observation {
        let detail = request.detail;
        let slot = slots[var];
        let reference = slot.letter == b'L';
        let object = if reference { slot.bits as Ref } else { 0 };
        let state = if detail.states { self.state(slot) } else { None };
        let is_something = !(reference && object == 0) && slot.letter != b'V';
        let value = match slot.letter {
            b'V' => Some(Value::Null),
            b'L' => self.machine.telling(object, detail.values),
            letter => Some(Machine::primitive(letter, slot.bits)),
        };
        let changed = match (detail.states, before) {
            (true, Some(Some(before))) => state.map(|now| now != before),
            _ => None,
        };
        Observation {
            statement: statement as u16,
            var: Var(var as u16),
            class: (reference && object != 0).then(|| self.machine.run_time_class(object)),
            state: state.filter(|_| is_something),
            equals_class: None,
            equals_state: None,
            same_as: (detail.values && object != 0 && value.is_none()).then(|| VmExecutor::first(slots, var)).flatten(),
            value,
            changed,
        }
    }

    fn ended(&mut self, statement: u16, trap: Trap, details: bool) -> (Outcome, Option<Stop>) {
        match trap {
            Trap::Throw(exception) => {
                let class = self.machine.run_time_class(exception);
                match class.internal() {
                    "java/lang/StackOverflowError" => return (Outcome::StackOverflow { statement }, None),
                    "java/lang/OutOfMemoryError" => return (Outcome::OutOfMemory { statement }, None),
                    _ => {}
                }
                let detail = match details.then(|| self.detail(exception)).transpose() {
                    Ok(detail) => detail.map(Arc::new),
                    // Part of the result is missing: no result.
                    Err(stop) => return self.ended(statement, Trap::Stop(stop), details),
                };
                if self.is_linkage(exception) {
                    let text = self.machine.told_message(exception).ok().flatten();
                    let message = text.map_or(class.binary().to_string(), |t| format!("{}: {t}", class.binary()));
                    return (Outcome::Unlinkable { statement, message: message.into() }, None);
                }
                (Outcome::Threw { statement, exception: Thrown { class, detail } }, None)
            }
            Trap::Stop(stop) => {
                let outcome = match &*stop {
                    Stop::Steps => Outcome::StepLimit { statement },
                    Stop::Depth => Outcome::StackOverflow { statement },
                    Stop::Memory => Outcome::OutOfMemory { statement },
                    Stop::Exit(status) => Outcome::Exit { statement, status: *status },
                    Stop::Unmodelled(_) | Stop::Malformed(_) => {
                        let message = format!("the symbolic machine has no model of: {stop}");
                        Outcome::Unlinkable { statement, message: message.into() }
                    }
                };
                (outcome, Some(*stop))
            }
        }
    }

    /// Whether it was the statement itself that could not be linked to what it calls, and not the code it called.
    fn is_linkage(&mut self, exception: Ref) -> bool {
        let class = self.machine.run_time_class(exception);
        let linkage = "java/lang/LinkageError";
        let is_one = class.internal() == linkage || self.machine.superclasses(exception).iter().any(|s| s == linkage);
        if !is_one || class.internal() == "java/lang/ExceptionInInitializerError" {
            return false;
        }
        let message = self.machine.told_message(exception).ok().flatten();
        let is_repeated = message.is_some_and(|m| m.starts_with("Could not initialize class"));
        !is_repeated && self.machine.stack_trace(exception).is_empty()
    }

    fn detail(&mut self, exception: Ref) -> Result<ThrownDetail, Box<Stop>> {
        let text = |name: &str| ClassName::new(name);
        let trace = self.machine.stack_trace(exception);
        let frames = trace.into_iter().map(|(method, line)| {
            let (class, name) = self.machine.class_and_name(method);
            Frame { class: text(&class), method: Arc::from(name), line }
        });
        let mut frames: Vec<Frame> = frames.collect();
        let is_hook = |f: &Frame| self.hooks.as_ref().is_some_and(|h| f.class.package() == h.package());
        // The message of such an exception is made from the code that failed, which was a hook's.
        let of_hook = frames.first().is_some_and(is_hook)
            && self.machine.run_time_class(exception).internal() == "java/lang/NullPointerException";
        frames.retain(|f| !is_hook(f));
        frames.truncate(FRAMES);
        let message = self.machine.told_message(exception)?.filter(|_| !of_hook).map(|m| {
            let cut: String = m.chars().take(LONGEST_MESSAGE).collect();
            Arc::from(cut)
        });
        let cause = self.machine.cause(exception).map(|c| self.machine.run_time_class(c));
        let supers = self.machine.superclasses(exception).iter().map(|s| text(s)).collect();
        Ok(ThrownDetail { message, frames, cause, supers })
    }
}

impl Executor for VmExecutor {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.last_stops.clear();
        self.last_places.clear();
        self.last_unstable.clear();
        let results = batch.iter().map(|request| self.execute(operations, request)).collect();
        self.done.push_back(results);
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        self.done.pop_front().ok_or_else(|| ExecutorProblem {
            message: "no batch is in flight".to_owned(),
            hint: Some("call submit first".to_owned()),
        })
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        if let Some(gauge) = &mut self.gauge {
            gauge.set_best(best);
        }
    }

    fn watch(&mut self, sites: &[Watch]) {
        if let Some(gauge) = &self.gauge {
            // Arrays of numbers and strings are made; in the rare case that this fails, sites stay unwatched.
            let _ = gauge.watch(&mut self.machine, sites);
        }
    }
}

/// Whether an operation leaves a primitive.
fn letter_of(result: &Type) -> u8 {
    match result {
        Type::Void => b'V',
        Type::Primitive(p) => p.descriptor() as u8,
        _ => b'L',
    }
}

/// The term of a value, if inputs reach it.
pub type OptionalTerm = Option<Term>;
