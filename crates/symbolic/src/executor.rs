//! Runs sequences on the symbolic machine. Owns statements and what is reported of them, in the shape a JVM's results have; the machine does the work.
//!
//! What the machine has no model of ends a sequence as `Outcome::Unlinkable` with the reason, and is counted: see [`VmExecutor::stops`].

mod operation;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use bytecode::names::ClassName;
use testcase::execution::{Execution, Frame, Observation, Outcome, ProbeId, StateHash, Thrown, ThrownDetail};
use testcase::executor::{Executor, ExecutorProblem, Observe, Request};
use testcase::operation::Operations;
use testcase::sequence::Var;
use testcase::types::Type;
use testcase::value::Value;

use crate::expr::Term;
use crate::vm::{Machine, Ref, Stop, Trap};
pub use operation::Slot;

/// Frames of a trace that are reported, as by the worker.
const FRAMES: usize = 16;
const LONGEST_MESSAGE: usize = 1_000;

/// A machine behind the seam that JVMs are behind.
#[derive(Debug)]
pub struct VmExecutor {
    machine: Machine,
    done: VecDeque<Vec<Execution>>,
    stops: BTreeMap<Stop, u64>,
    last_stops: Vec<Option<Stop>>,
    last_places: Vec<Vec<String>>,
    last_unstable: Vec<bool>,
}

/// A sequence that ran, with its conditions on inputs.
#[derive(Debug)]
struct Ran {
    outcome: Outcome,
    observations: Vec<Observation>,
    passed_over: Vec<(u16, Thrown)>,
    stop: Option<Stop>,
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
        }
    }

    /// How often sequences ended for reasons that are no behaviour of the program.
    pub fn stops(&self) -> &BTreeMap<Stop, u64> {
        &self.stops
    }

    /// Why sequences of the last batch stopped, if they did; in the order of requests.
    pub fn last_stops(&self) -> &[Option<Stop>] {
        &self.last_stops
    }

    /// Where sequences of the last batch stopped for want of a model: methods, innermost first; empty for the others.
    pub fn last_places(&self) -> &[Vec<String>] {
        &self.last_places
    }

    /// Which sequences of the last batch used what no two JVMs agree on.
    pub fn last_unstable(&self) -> &[bool] {
        &self.last_unstable
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    fn execute(&mut self, operations: &Operations, request: &Request) -> Execution {
        let ran = self.run_sequence(operations, request);
        let is_unmodelled = matches!(ran.stop, Some(Stop::Unmodelled(_)));
        self.last_places.push(if is_unmodelled { self.machine.stopped_in() } else { Vec::new() });
        let steps = u32::try_from(self.machine.steps()).unwrap_or(u32::MAX);
        self.last_unstable.push(self.machine.is_unstable());
        self.machine.settle();
        if let Some(stop) = &ran.stop {
            *self.stops.entry(stop.clone()).or_default() += 1;
        }
        self.last_stops.push(ran.stop);
        Execution {
            outcome: ran.outcome,
            probes: Vec::new(),
            operands: Vec::new(),
            distances: Vec::new(),
            observations: ran.observations,
            violations: Vec::new(),
            passed_over: ran.passed_over,
            steps,
            dirtied_statics: false,
            outside: false,
        }
    }

    fn run_sequence(&mut self, operations: &Operations, request: &Request) -> Ran {
        let statements = request.sequence.statements();
        let detail = request.detail;
        let mut slots: Vec<Slot> = Vec::with_capacity(statements.len());
        let mut missing = vec![false; statements.len()];
        let mut passed_over = Vec::new();
        let mut observations = Vec::new();
        let last = statements.len().saturating_sub(1);
        let mut before: Vec<(Var, Option<StateHash>)> = Vec::new();
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
                    let (outcome, stop) = self.ended(at as u16, trap, detail.exceptions);
                    match outcome {
                        Outcome::Threw { exception, .. } if detail.past_exceptions => {
                            passed_over.push((at as u16, exception));
                            missing[at] = true;
                            slots.push(Slot::new(b'V', 0));
                            continue;
                        }
                        outcome => return Ran { outcome, observations, passed_over, stop },
                    }
                }
            }
            if detail.observe == Observe::Everything && at != last {
                observations.push(self.look(request, &slots, at, at, None));
            }
        }
        let looked: Vec<usize> = match detail.observe {
            _ if statements.is_empty() => Vec::new(),
            Observe::Nothing => Vec::new(),
            Observe::Everything => (0..=last).filter(|var| !missing[*var]).collect(),
            Observe::LastStatement if missing[last] => Vec::new(),
            Observe::LastStatement => [last].into_iter().chain(before.iter().map(|(v, _)| v.index())).collect(),
        };
        for var in looked {
            let state_before = before.iter().find(|(v, _)| v.index() == var).map(|(_, s)| *s);
            observations.push(self.look(request, &slots, last, var, state_before));
        }
        Ran { outcome: Outcome::Normal, observations, passed_over, stop: None }
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

    fn detail(&mut self, exception: Ref) -> Result<ThrownDetail, Box<Stop>> {
        let text = |name: &str| ClassName::new(name);
        let trace = self.machine.stack_trace(exception);
        let frames = trace.into_iter().take(FRAMES);
        let frames = frames
            .map(|(method, line)| {
                let (class, name) = self.machine.class_and_name(method);
                Frame { class: text(&class), method: Arc::from(name), line }
            })
            .collect();
        let message = self.machine.told_message(exception)?.map(|m| {
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

    fn set_best(&mut self, _: &[(ProbeId, u32)]) {
        // Probes are not counted here.
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
