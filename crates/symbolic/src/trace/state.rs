//! States between statements as values: going back to one, and the same state for other inputs. Owns what belongs to a
//! state besides the heap.

use std::sync::Arc;

use super::{Slot, Tracer};
use crate::expr::{Evaluator, Model};
use crate::vm::{Outdated, PathStep, Snapshot, word};

/// A state after some statements. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    snapshot: Arc<Snapshot>,
    slots: Arc<[Slot]>,
    marks: Arc<[u32]>,
    values: Arc<Model>,
    _alive: Arc<()>,
}

impl State {
    /// Values of the statements so far.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The conditions so far.
    pub fn path(&self) -> &[PathStep] {
        self.snapshot.path()
    }

    /// Values that the inputs have in it.
    pub fn values(&self) -> &Model {
        &self.values
    }

    /// Words that going back to it copies.
    pub fn words(&self) -> usize {
        self.snapshot.words()
    }
}

impl Tracer {
    /// The present state.
    pub fn state(&mut self) -> State {
        State {
            snapshot: Arc::new(self.machine.snapshot()),
            slots: self.slots.as_slice().into(),
            marks: self.marks.as_slice().into(),
            values: self.values.clone(),
            _alive: self.alive.clone(),
        }
    }

    /// Goes to an earlier state.
    pub fn resume(&mut self, state: &State) -> Result<(), Outdated> {
        self.machine.resume(&state.snapshot)?;
        self.slots.clear();
        self.slots.extend_from_slice(&state.slots);
        self.marks.clear();
        self.marks.extend_from_slice(&state.marks);
        self.values = state.values.clone();
        Ok(())
    }

    /// The same state for other values of its inputs (those not named become zero): every word that has a term gets the
    /// term's value. The values must satisfy the state's conditions, else it is no state of the program.
    pub fn revalued(&mut self, state: &State, values: &Model) -> Result<State, Outdated> {
        self.resume(state)?;
        let mut evaluator = Evaluator::default();
        self.machine.revalue(&mut evaluator, values);
        for slot in &mut self.slots {
            if let Some(term) = slot.term {
                let terms = &self.machine.path().terms;
                slot.bits = word(terms.sort(term), evaluator.value(terms, values, term).bits());
            }
        }
        self.values = Arc::new(values.clone());
        Ok(self.state())
    }
}
