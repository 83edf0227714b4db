//! What a run may vary besides literals: which variable an argument is, how many elements an array literal has, which
//! constant of an enum is meant. Owns the numbers by which inputs choose; the caller says what may stand where.

use std::collections::BTreeMap;
use std::sync::Arc;

use testcase::operation::{Operation, OperationKind};
use testcase::sequence::Var;
use testcase::value::Constant;

use super::input::Literal;
use super::{Slot, Tracer};
use crate::vm::Run;

/// Longer array literals keep their length.
pub const LONGEST: usize = 31;
/// An enum with more constants keeps its constant.
const CONSTANTS: usize = 250;

/// What may be chosen. Nothing, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    arguments: BTreeMap<(u16, u8), Vec<Var>>,
    elements: BTreeMap<u16, Vec<Var>>,
    /// Other constants of the enums whose constants occur.
    pub constants: bool,
}

impl Choices {
    /// Any of these variables can be that argument; they are references, made before the statement, and fit.
    pub fn argument(&mut self, statement: usize, argument: usize, variables: Vec<Var>) {
        self.arguments.insert((statement as u16, argument as u8), variables);
    }

    /// The array literal of that statement can have another length: these are its present elements, then those it can
    /// have in addition. Beyond these the last one is repeated.
    pub fn elements(&mut self, statement: usize, variables: Vec<Var>) {
        self.elements.insert(statement as u16, variables);
    }

    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.elements.is_empty() && !self.constants
    }
}

/// What was offered in a run: the meaning of the numbers that inputs have.
#[derive(Clone, Debug, Default)]
pub(super) struct Offered {
    pub arguments: BTreeMap<(u16, u8), Vec<Var>>,
    pub elements: BTreeMap<u16, Vec<Var>>,
    pub constants: BTreeMap<u16, Vec<Arc<str>>>,
}

impl Offered {
    /// The variable that a number means.
    pub fn variable(&self, statement: u16, argument: u8, number: u64) -> Option<Var> {
        let offered = self.arguments.get(&(statement, argument))?;
        offered.iter().find(|v| u64::from(v.0) == number).or(offered.first()).copied()
    }

    pub fn constant(&self, statement: u16, number: u64) -> Option<&Arc<str>> {
        let offered = self.constants.get(&statement)?;
        offered.get(number as usize).or(offered.first())
    }

    /// The elements of an array literal of another length.
    pub fn resized(&self, statement: u16, present: &[Var], length: usize) -> Vec<Var> {
        let offered = self.elements.get(&statement).map_or(&[][..], Vec::as_slice);
        let element = |at: usize| present.get(at).or(offered.get(at)).or(offered.last()).or(present.last());
        (0..length).map_while(element).copied().collect()
    }
}

impl Tracer {
    /// An argument of a statement, as an input that chooses it if there is something to choose.
    pub(super) fn argument(
        &mut self,
        choices: &Choices,
        offered: &mut Offered,
        operation: &Operation,
        (at, argument): (u16, u8),
        present: Var,
    ) -> Slot {
        let slot = self.slots[present.index()];
        let Some(variables) = choices.arguments.get(&(at, argument)).filter(|_| slot.letter == b'L') else {
            return slot;
        };
        let is_object = argument == 0
            && (operation.has_receiver() || matches!(operation.kind, OperationKind::Construct { inner: true, .. }));
        let fits =
            |v: &&Var| self.slots.get(v.index()).is_some_and(|s| s.letter == b'L' && (s.bits != 0 || !is_object));
        let mut variables: Vec<Var> = variables.iter().filter(fits).copied().collect();
        if !variables.contains(&present) {
            variables.push(present);
            variables.sort_unstable();
        }
        if variables.len() < 2 {
            return slot;
        }
        let values: Vec<(u64, Slot)> = variables.iter().map(|v| (u64::from(v.0), self.slots[v.index()])).collect();
        let literal = Literal { statement: at, character: Some(u16::from(argument)), letter: b'r' };
        let input = self.inputs.input(&mut self.machine.path_mut().terms, literal);
        Arc::make_mut(&mut self.values).set_bits(input, u64::from(present.0));
        let term = self.machine.path().terms.input_term(input);
        let Some(term) = self.machine.chosen_reference(term, &values) else { return slot };
        offered.arguments.insert((at, argument), variables);
        Slot { term: Some(term), ..slot }
    }

    /// Lets an input say how long an array literal is.
    pub(super) fn length_of_literal(&mut self, choices: &Choices, offered: &mut Offered, at: u16, array: Slot) {
        let Some(elements) = choices.elements.get(&at) else { return };
        let length = self.machine.array_length(array.bits);
        if elements.is_empty() || length > LONGEST {
            return;
        }
        let literal = Literal { statement: at, character: None, letter: b'n' };
        let input = self.inputs.input(&mut self.machine.path_mut().terms, literal);
        Arc::make_mut(&mut self.values).set_bits(input, length as u64);
        self.machine.set_length_input(array.bits, input);
        offered.elements.insert(at, elements.clone());
    }

    /// A constant of an enum, as an input that chooses among all of them. `None` if this is no such constant.
    pub(super) fn enum_constant(&mut self, offered: &mut Offered, at: u16, constant: &Constant) -> Run<Option<Slot>> {
        let Constant::Enum { class, name } = constant else { return Ok(None) };
        let all = self.machine.enum_constants(class.internal())?;
        let Some(present) = all.iter().position(|(known, _)| known == name).filter(|_| all.len() <= CONSTANTS) else {
            return Ok(None);
        };
        let literal = Literal { statement: at, character: None, letter: b'e' };
        let input = self.inputs.input(&mut self.machine.path_mut().terms, literal);
        Arc::make_mut(&mut self.values).set_bits(input, present as u64);
        let term = self.machine.path().terms.input_term(input);
        let numbered: Vec<(u64, Slot)> =
            all.iter().enumerate().map(|(i, (_, object))| (i as u64, Slot::new(b'L', u64::from(*object)))).collect();
        let slot = numbered[present].1;
        let term = self.machine.chosen_reference(term, &numbered);
        offered.constants.insert(at, all.into_iter().map(|(name, _)| name).collect());
        Ok(Some(Slot { term, ..slot }))
    }
}
