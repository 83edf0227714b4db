//! Sequences run with their literals as inputs: the conditions on them that each statement evaluated, the states in
//! between, and other literals that take another path. Owns the connection between literals and inputs; the caller
//! chooses the path and the references.
//!
//! A [`Tracer`] belongs to one machine and one arena of terms. Literals at the same place of a sequence are the same
//! input in every run, so equal paths have equal terms and the solver can reuse its answers. Terms and states stay
//! valid as long as a [`Trace`] or a [`State`] is alive; when none is, the next run may discard them.

mod choice;
mod explore;
mod flip;
mod graph;
mod input;
mod state;

use std::sync::Arc;

use bytecode::names::ClassName;
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::Sequence;

pub use crate::executor::Slot;
use crate::expr::{InputId, Model, Term, Terms};
use crate::solver::Chain;
use crate::vm::{Machine, Outdated, PathStep, Representation, Run, Site, Stop, Trap};
pub use choice::Choices;
use choice::Offered;
pub use explore::{Explored, Explorer, replaced};
pub use flip::{Flip, Replacement};
pub use graph::{Field, Object};
pub use input::{Inputs, Literal};
pub use state::State;

/// Beyond this many terms, the arena is not kept for later runs.
const TERMS: usize = 2_000_000;

/// Runs sequences and single calls with inputs.
pub struct Tracer {
    machine: Machine,
    chain: Chain,
    inputs: Inputs,
    /// Values of the inputs of the present run.
    values: Arc<Model>,
    slots: Vec<Slot>,
    lengths: bool,
    patience: u64,
    last_weight: u64,
    /// Where the conditions of each statement end.
    marks: Vec<u32>,
    arena: u32,
    alive: Arc<()>,
}

/// What to do in addition to running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Keep the state after every statement.
    pub states: bool,
    /// Let lengths of strings be inputs, too, not only their characters: more paths, most of which differ only in how
    /// often loops run.
    pub lengths: bool,
}

/// A condition that a run evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Of sort `Bool`.
    pub term: Term,
    pub taken: bool,
    pub site: Site,
    /// The statement that was running.
    pub statement: u16,
}

/// How a run of a sequence ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Normal,
    Threw {
        statement: u16,
        class: ClassName,
    },
    /// The machine could not or should not go on.
    Stopped {
        statement: u16,
        stop: Stop,
    },
}

/// A run of a sequence.
#[derive(Clone, Debug)]
pub struct Trace {
    pub end: End,
    pub steps: Vec<Step>,
    /// On request: the state after each statement that ended normally.
    pub states: Vec<State>,
    /// Values that the inputs had.
    pub values: Arc<Model>,
    /// Bytecode instructions executed.
    pub instructions: u64,
    offered: Offered,
    _alive: Arc<()>,
}

/// How a single call ended.
#[derive(Clone, Debug)]
pub enum CallEnd {
    Value(Slot),
    Threw(ClassName),
    Stopped(Stop),
}

/// A call on a state.
#[derive(Clone, Debug)]
pub struct Called {
    pub end: CallEnd,
    /// The conditions of this call alone.
    pub steps: Vec<Step>,
    pub instructions: u64,
}

impl std::fmt::Debug for Tracer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracer")
            .field("machine", &self.machine)
            .field("terms", &self.machine.path().terms.len())
            .finish()
    }
}

impl Tracer {
    pub fn new(mut machine: Machine) -> Tracer {
        machine.set_symbolic(true);
        machine.path_mut().representation = Representation::Reasoning;
        machine.rewind();
        Tracer {
            machine,
            chain: Chain::default(),
            inputs: Inputs::default(),
            values: Arc::default(),
            slots: Vec::new(),
            lengths: false,
            patience: u64::MAX,
            last_weight: 0,
            marks: Vec::new(),
            arena: 0,
            alive: Arc::new(()),
        }
    }

    /// With another solver than the usual chain.
    pub fn with_solver(machine: Machine, chain: Chain) -> Tracer {
        Tracer { chain, ..Tracer::new(machine) }
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.machine.path_mut().terms
    }

    /// The solver and the arena it works on.
    pub fn solver(&mut self) -> (&mut Chain, &mut Terms) {
        (&mut self.chain, &mut self.machine.path_mut().terms)
    }

    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The number of the present arena: terms of another one mean nothing.
    pub fn arena(&self) -> u32 {
        self.arena
    }

    /// What array accesses at terms mean from now on; reasoning is what a tracer begins with.
    pub fn set_representation(&mut self, representation: Representation) {
        self.machine.path_mut().representation = representation;
    }

    /// Limits the work for each question from now on: roughly conflicts times the weight of the question.
    pub fn set_patience(&mut self, patience: u64) {
        self.patience = patience;
    }

    /// Instructions of initialisers since this tracer's machine was made: no run counts them.
    pub fn initialising(&self) -> u64 {
        self.machine.initialising()
    }

    /// The weight of the last question.
    pub fn last_weight(&self) -> u64 {
        self.last_weight
    }

    /// Class, name and descriptor of the method of a site.
    pub fn place(&self, site: Site) -> (Arc<str>, Arc<str>, Arc<str>) {
        self.machine.method_place(site.method)
    }

    /// Runs a sequence from the beginning, with its literals as inputs.
    pub fn run(&mut self, operations: &Operations, sequence: &Sequence, wish: Wish) -> Trace {
        self.run_choosing(operations, sequence, wish, &Choices::default())
    }

    /// The same, with more inputs: these choices.
    pub fn run_choosing(
        &mut self,
        operations: &Operations,
        sequence: &Sequence,
        wish: Wish,
        choices: &Choices,
    ) -> Trace {
        self.begin();
        self.lengths = wish.lengths;
        let mut offered = Offered::default();
        let mut states = Vec::new();
        let mut end = End::Normal;
        for (at, statement) in sequence.statements().iter().enumerate() {
            let operation = operations.get(statement.op);
            let place = |i: usize| (at as u16, i as u8);
            let present = statement.args.iter().enumerate();
            let arguments: Vec<Slot> =
                present.map(|(i, a)| self.argument(choices, &mut offered, operation, place(i), *a)).collect();
            let constant = match &operation.kind {
                OperationKind::Constant(constant) if choices.constants => {
                    self.enum_constant(&mut offered, at as u16, constant)
                }
                _ => Ok(None),
            };
            let ran = match constant {
                Ok(Some(slot)) => Ok(slot),
                Ok(None) => self.perform(at as u16, operation, &arguments),
                Err(trap) => Err(trap),
            };
            if let (Ok(array), OperationKind::ArrayLiteral { .. }) = (&ran, &operation.kind) {
                self.length_of_literal(choices, &mut offered, at as u16, *array);
            }
            self.marks.push(self.machine.path().steps.len() as u32);
            match ran {
                Ok(slot) => self.slots.push(slot),
                Err(trap) => {
                    end = match self.ended(trap) {
                        CallEnd::Threw(class) => End::Threw { statement: at as u16, class },
                        CallEnd::Stopped(stop) => End::Stopped { statement: at as u16, stop },
                        CallEnd::Value(_) => End::Normal,
                    };
                    break;
                }
            }
            if wish.states {
                states.push(self.state());
            }
        }
        Trace {
            end,
            steps: self.steps_from(0),
            states,
            values: self.values.clone(),
            instructions: self.machine.steps(),
            offered,
            _alive: self.alive.clone(),
        }
    }

    /// Goes to the empty state. What earlier runs initialised becomes part of it, if no state or trace is alive.
    pub fn begin(&mut self) {
        if Arc::strong_count(&self.alive) == 1 {
            self.machine.settle();
            if self.terms().len() > TERMS {
                self.machine.renew_terms();
                self.arena += 1;
                self.chain.forget();
                self.inputs = Inputs::default();
            }
        } else {
            self.machine.rewind();
        }
        self.slots.clear();
        self.marks.clear();
        self.values = Arc::default();
    }

    /// One more statement on a state. Afterwards the machine is behind it: [`Tracer::state`] keeps that.
    pub fn call(&mut self, state: &State, operation: &Operation, arguments: &[Slot]) -> Result<Called, Outdated> {
        // Inputs made for this call still have their values.
        let given = self.values.clone();
        self.resume(state)?;
        for term in arguments.iter().filter_map(|a| a.term) {
            for &input in self.machine.path_mut().terms.inputs_of(term) {
                if let (Some(value), None) = (given.get(input), self.values.get(input)) {
                    Arc::make_mut(&mut self.values).set(input, value.clone());
                }
            }
        }
        let (first, before) = (self.machine.path().steps.len(), self.machine.steps());
        let ran = self.perform(self.slots.len() as u16, operation, arguments);
        self.marks.push(self.machine.path().steps.len() as u32);
        let end = match ran {
            Ok(slot) => {
                self.slots.push(slot);
                CallEnd::Value(slot)
            }
            Err(trap) => self.ended(trap),
        };
        Ok(Called { end, steps: self.steps_from(first), instructions: self.machine.steps() - before })
    }

    /// A new input with the value it has now; its slot can be an argument. `letter` is a primitive's descriptor.
    pub fn fresh(&mut self, letter: u8, bits: u64, name: &str) -> (InputId, Slot) {
        let (id, term) = input::fresh(&mut self.machine.path_mut().terms, letter, name);
        self.set_value(id, letter, bits);
        (id, Slot { bits, letter, term: Some(term) })
    }

    /// The slot of an input with another value.
    pub fn valued(&mut self, input: InputId, letter: u8, bits: u64) -> Slot {
        let term = input::as_slot(&mut self.machine.path_mut().terms, input, letter);
        self.set_value(input, letter, bits);
        Slot { bits, letter, term: Some(term) }
    }

    /// The conditions of the present path from one on.
    fn steps_from(&self, first: usize) -> Vec<Step> {
        let mut statement = self.marks.partition_point(|m| (*m as usize) <= first);
        let steps = self.machine.path().steps.iter().enumerate().skip(first);
        steps
            .map(|(at, &PathStep { term, taken, site })| {
                while self.marks.get(statement).is_some_and(|m| *m as usize <= at) {
                    statement += 1;
                }
                Step { term, taken, site, statement: statement as u16 }
            })
            .collect()
    }

    fn set_value(&mut self, input: InputId, letter: u8, bits: u64) {
        Arc::make_mut(&mut self.values).set_bits(input, input::input_bits(letter, bits));
    }

    /// Does one statement; a literal becomes an input first.
    fn perform(&mut self, at: u16, operation: &Operation, arguments: &[Slot]) -> Run<Slot> {
        let OperationKind::Constant(constant) = &operation.kind else {
            return self.machine.perform(operation, arguments);
        };
        let (values, inputs) = (Arc::make_mut(&mut self.values), &mut self.inputs);
        match inputs.literal(&mut self.machine, values, at, constant, self.lengths)? {
            Some(slot) => {
                // A number may stand for its box.
                let to = operation.result.erased().map_or("V".into(), |t| t.to_string());
                self.machine.fit(&to, slot)
            }
            None => self.machine.perform(operation, arguments),
        }
    }

    fn ended(&mut self, trap: Trap) -> CallEnd {
        match trap {
            Trap::Throw(exception) => CallEnd::Threw(self.machine.run_time_class(exception)),
            Trap::Stop(stop) => CallEnd::Stopped(*stop),
        }
    }
}
