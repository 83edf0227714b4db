//! All paths of one call: a run, then a run for every condition that can be inverted, and so on. Owns the order of
//! runs; the caller decides what to do with the end of a path.

use bytecode::names::ClassName;

use super::condition::{Asker, Condition};
use super::vocabulary::{Role, Vocabulary};
use super::zone::Change;
use crate::executor::Slot;
use crate::expr::{Evaluator, InputId, Model, Term};
use crate::vm::{Machine, Run, Snapshot, Stop, Trap, word};

/// Numbers for a call, as inputs, in the order in which they are asked for.
#[derive(Debug)]
pub struct Arguments<'a> {
    vocabulary: &'a mut Vocabulary,
    model: &'a Model,
    inputs: Vec<InputId>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(vocabulary: &'a mut Vocabulary, model: &'a Model) -> Arguments<'a> {
        Arguments { vocabulary, model, inputs: Vec::new() }
    }

    /// The next number, of a primitive type.
    pub fn next(&mut self, machine: &mut Machine, letter: u8) -> Slot {
        let terms = &mut machine.path_mut().terms;
        let number = self.inputs.len() as u32;
        let input = self.vocabulary.input(terms, Role::Argument(number), letter);
        self.inputs.push(input);
        let term = terms.input_term(input);
        let bits = word(terms.sort(term), self.model.bits(input));
        Slot { bits, letter, term: Some(term) }
    }
}

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Value,
    Threw(ClassName),
    /// The machine could not or should not go on.
    Stopped(Stop),
}

/// One path of a call; the machine is where it ended.
#[derive(Debug)]
pub(super) struct Path {
    pub end: End,
    pub value: Option<Slot>,
    /// The arguments asked for.
    pub inputs: Vec<InputId>,
    /// Conditions that do not follow from others.
    pub conditions: Vec<Term>,
    /// Which of the initial conditions allow them, and both together.
    pub live: Vec<(usize, Condition)>,
}

/// What to call, given the receiver if there is one.
pub type Call<'c> = dyn FnMut(&mut Machine, &mut Arguments<'_>) -> Run<Slot> + 'c;

/// Where all paths of a call begin.
pub(super) struct Begin<'b> {
    pub snapshot: Option<&'b Snapshot>,
    /// At least one of them holds.
    pub conditions: &'b [Condition],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PathLimits {
    pub paths: usize,
    /// Conditions of a path that are inverted.
    pub conditions: usize,
    /// Conditions that the solver is asked to invert.
    pub questions: u64,
}

/// Runs every path and shows it. False if there were too many, or too many questions.
pub(super) fn each_path(
    machine: &mut Machine,
    asker: &mut Asker,
    vocabulary: &mut Vocabulary,
    begin: &Begin<'_>,
    limits: PathLimits,
    call: &mut Call<'_>,
    show: &mut dyn FnMut(&mut Machine, &mut Asker, &mut Vocabulary, Path),
) -> bool {
    let mut evaluator = Evaluator::default();
    let first = begin.conditions.iter().find_map(|condition| {
        let terms = &mut machine.path_mut().terms;
        asker.values(terms, vocabulary, condition)
    });
    let mut work: Vec<(Model, usize)> = first.into_iter().map(|model| (model, 0)).collect();
    let mut runs = 0;
    let mut questions = 0;
    let mut complete = true;
    while let Some((model, bound)) = work.pop() {
        if runs == limits.paths {
            return false;
        }
        runs += 1;
        match begin.snapshot {
            Some(snapshot) if machine.resume(snapshot).is_err() => return false,
            Some(_) => {
                evaluator.forget();
                machine.revalue(&mut evaluator, &model);
            }
            None => machine.rewind(),
        }
        let mut arguments = Arguments::new(vocabulary, &model);
        let ran = call(machine, &mut arguments);
        let inputs = arguments.inputs;
        let (end, value) = match ran {
            Ok(slot) => (End::Value, Some(slot)),
            Err(Trap::Throw(exception)) => (End::Threw(machine.run_time_class(exception)), None),
            Err(Trap::Stop(stop)) => (End::Stopped(*stop), None),
        };
        let steps = std::mem::take(&mut machine.path_mut().steps);
        let mut live: Vec<(usize, Condition)> = begin.conditions.iter().cloned().enumerate().collect();
        for (_, condition) in &mut live {
            inputs.iter().for_each(|input| condition.speak_of(vocabulary, *input));
        }
        let terms = &mut machine.path_mut().terms;
        let mut conditions = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let other = terms.not(step.term);
            let (holds, other) = if step.taken { (step.term, other) } else { (other, step.term) };
            if at >= bound && at < limits.conditions {
                let turned = live.iter().find_map(|(_, condition)| {
                    let mut turned = condition.clone();
                    if turned.assume(terms, vocabulary, other) == Change::Empty {
                        return None;
                    }
                    if !turned.rest().is_empty() {
                        if questions == limits.questions {
                            complete = false;
                            return None;
                        }
                        questions += 1;
                    }
                    asker.values(terms, vocabulary, &turned)
                });
                work.extend(turned.map(|model| (model, at + 1)));
            }
            let mut matters = false;
            live.retain_mut(|(_, condition)| match condition.assume(terms, vocabulary, holds) {
                Change::Empty => false,
                change => {
                    matters |= change == Change::Narrowed;
                    true
                }
            });
            if matters {
                conditions.push(holds);
            }
        }
        if !live.is_empty() {
            show(machine, asker, vocabulary, Path { end, value, inputs, conditions, live });
        }
    }
    complete
}
