//! Questions that are too hard to be asked in passing. Owns which of them wait and in what order: those about what is nearest to something uncovered first, then the lightest.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use symbolic::expr::Term;
use symbolic::vm::Site;

use super::call::Call;
use super::inputs::Values;
use super::state::State;
use super::tree::Open;

/// Questions that wait, at most; and about one side of one place.
const MOST: usize = 400;
const PER_SIDE: u32 = 4;
/// Longer conditions are not kept.
const LONGEST: usize = 600;

/// A way that somebody would like to go.
#[derive(Clone, Debug)]
pub struct Question {
    pub state: Arc<State>,
    pub call: Call,
    pub wanted: Vec<(Term, bool)>,
    /// Values with which the condition was met.
    pub met: Values,
    pub open: Open,
    /// How many such questions led to it, itself included.
    pub hard: u32,
}

#[derive(Debug, Default)]
pub struct Deferred {
    waiting: BTreeMap<(u32, u64, u64), Question>,
    /// How many were ever taken in, by side.
    sides: FxHashMap<(Site, bool), u32>,
    age: u64,
}

impl Deferred {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Keeps a question, unless there were enough of its kind.
    pub fn add(&mut self, distance: u32, weight: u64, question: impl FnOnce() -> Question, open: Open, length: usize) {
        let count = self.sides.entry((open.site, open.side)).or_default();
        if *count >= PER_SIDE || length > LONGEST {
            return;
        }
        *count += 1;
        self.age += 1;
        self.waiting.insert((distance, weight, self.age), question());
        if self.waiting.len() > MOST {
            self.waiting.pop_last();
        }
    }

    pub fn next(&mut self) -> Option<Question> {
        let (_, question) = self.waiting.pop_first()?;
        if let Some(count) = self.sides.get_mut(&(question.open.site, question.open.side)) {
            *count -= 1;
        }
        Some(question)
    }
}
