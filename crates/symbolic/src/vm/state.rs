//! States of a machine: the baseline every run starts from, going back to it, snapshots and resuming them. Owns when
//! initialised classes become part of the baseline; the heap does the copying.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::class::{ClassId, init};
use super::heap::{Delta, Ref};
use super::machine::Machine;
use super::path::PathStep;
use super::unstable::Unstable;
use crate::expr::{Evaluator, Model, Sort};

/// A state between calls. Resuming costs what the state has beyond the baseline.
#[derive(Clone, Debug)]
pub struct Snapshot {
    epoch: u32,
    delta: Arc<Delta>,
    path: Arc<[PathStep]>,
    strings: FxHashMap<Arc<[u16]>, Ref>,
    steps: u64,
}

impl Snapshot {
    /// The conditions of the run up to it.
    pub fn path(&self) -> &[PathStep] {
        &self.path
    }

    /// Words that resuming copies.
    pub fn words(&self) -> usize {
        self.delta.words()
    }
}

/// A snapshot of an earlier baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot belongs to an earlier baseline: take snapshots after the last call of `settle`")]
pub struct Outdated;

/// A term's value as slots and words have it.
pub(crate) fn word(sort: Sort, bits: u64) -> u64 {
    if sort == Sort::INT { bits as i32 as i64 as u64 } else { bits }
}

impl Machine {
    /// Makes the present state the one every run starts from.
    pub(super) fn fix_baseline(&mut self) {
        self.newly_initialised.clear();
        let interned = std::mem::take(&mut self.run_strings);
        self.strings.extend(interned);
        self.heap.set_baseline();
        self.epoch += 1;
        self.steps = 0;
    }

    /// Goes back to the baseline.
    pub fn rewind(&mut self) {
        self.heap.restore();
        self.run_strings.clear();
        self.frames.clear();
        self.monitors.clear();
        (self.pc, self.sp, self.base, self.nesting, self.steps) = (0, 0, 0, 0, 0);
        self.path.steps.clear();
        self.unstable = Unstable::default();
    }

    /// Goes back to the baseline and makes what the last run initialised part of it, as a JVM initialises classes once.
    /// Snapshots become outdated if there was anything.
    pub fn settle(&mut self) {
        let fresh = std::mem::take(&mut self.newly_initialised);
        self.rewind();
        let symbolic = std::mem::replace(&mut self.symbolic, false);
        let mut failed: Vec<ClassId> = Vec::new();
        for class in fresh {
            let state = self.state_of(class);
            if self.heap.get(state) != init::NEW {
                continue;
            }
            // The state of the run may have been what stopped it.
            self.stillborn.remove(&class);
            match self.initialise(class) {
                Ok(()) => {
                    self.fix_baseline();
                    // Those that depended on it may work now.
                    for class in failed.drain(..) {
                        self.stillborn.remove(&class);
                    }
                }
                // It worked only after earlier steps of the run; each run has to do it again.
                Err(_) => {
                    failed.push(class);
                    self.rewind();
                }
            }
            self.newly_initialised.clear();
        }
        self.symbolic = symbolic;
        self.unstable = Unstable::default();
    }

    /// Begins with an empty arena of terms, between runs: nothing on the stack is in use, but what was left there must
    /// not be taken for terms of the new one.
    pub(crate) fn renew_terms(&mut self) {
        self.path.renew();
        self.terms_stack.fill(None);
        self.native_term = None;
    }

    /// The present state, between calls.
    pub fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            epoch: self.epoch,
            delta: Arc::new(self.heap.delta()),
            path: self.path.steps.as_slice().into(),
            strings: self.run_strings.clone(),
            steps: self.steps,
        }
    }

    /// Goes to an earlier state.
    pub fn resume(&mut self, snapshot: &Snapshot) -> Result<(), Outdated> {
        if snapshot.epoch != self.epoch {
            return Err(Outdated);
        }
        self.rewind();
        self.heap.resume(&snapshot.delta);
        self.path.steps.extend_from_slice(&snapshot.path);
        self.run_strings.clone_from(&snapshot.strings);
        self.steps = snapshot.steps;
        Ok(())
    }

    /// Gives every word that has a term the value the term has for these inputs.
    pub(crate) fn revalue(&mut self, evaluator: &mut Evaluator, values: &Model) {
        for (at, term) in self.heap.termed_words() {
            let terms = &self.path.terms;
            let bits = evaluator.value(terms, values, term).bits();
            self.heap.set(at, word(terms.sort(term), bits));
        }
    }
}
