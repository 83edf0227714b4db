//! Remembering answers. Owns what was asked and found in one arena of terms: equal, smaller and larger queries, and
//! models worth trying again. An instance belongs to one arena; with another it would answer wrongly.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::independent::conjuncts;
use super::{Answer, Limit, Query, Solver};
use crate::expr::{Evaluator, Model, Term, Terms};

/// How many answers are kept.
const ENTRIES: usize = 1 << 14;
/// How many models are tried on a new query.
const MODELS: usize = 24;

/// Where answers came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheStatistics {
    pub asked: u64,
    pub same: u64,
    /// A part of the query is known to be unsatisfiable.
    pub subset: u64,
    /// A query that contains this one is known to be satisfiable.
    pub superset: u64,
    pub earlier_model: u64,
    pub passed_on: u64,
}

#[derive(Clone, Debug)]
enum Known {
    Sat(Model),
    Unsat,
}

struct Entry {
    size: usize,
    known: Known,
}

/// Answers from memory what it can, and asks the next solver for the rest.
pub struct Cache<S> {
    next: S,
    entries: Vec<Entry>,
    exact: FxHashMap<Box<[Term]>, u32>,
    /// The entries whose query contains a condition.
    holding: FxHashMap<Term, Vec<u32>>,
    models: VecDeque<Model>,
    evaluator: Evaluator,
    statistics: CacheStatistics,
}

impl<S> Cache<S> {
    pub fn new(next: S) -> Cache<S> {
        Cache {
            next,
            entries: Vec::new(),
            exact: FxHashMap::default(),
            holding: FxHashMap::default(),
            models: VecDeque::new(),
            evaluator: Evaluator::default(),
            statistics: CacheStatistics::default(),
        }
    }

    pub fn next(&self) -> &S {
        &self.next
    }

    /// Forgets all answers and models.
    pub fn forget(&mut self) {
        self.entries.clear();
        self.exact.clear();
        self.holding.clear();
        self.models.clear();
    }

    pub fn statistics(&self) -> CacheStatistics {
        self.statistics
    }

    /// Lets a model be tried on later queries: the inputs of a run that was seen, for example.
    pub fn suggest(&mut self, model: Model) {
        self.models.retain(|known| *known != model);
        self.models.push_front(model);
        self.models.truncate(MODELS);
    }

    fn satisfies(&mut self, terms: &Terms, model: &Model, conditions: &[Term]) -> bool {
        self.evaluator.forget();
        conditions.iter().all(|condition| self.evaluator.holds(terms, model, *condition))
    }

    /// An answer that follows from a query with more or with fewer conditions.
    fn related(&mut self, terms: &Terms, conditions: &[Term]) -> Option<Answer> {
        let mut common: FxHashMap<u32, usize> = FxHashMap::default();
        for condition in conditions {
            for entry in self.holding.get(condition).into_iter().flatten() {
                *common.entry(*entry).or_default() += 1;
            }
        }
        // The oldest that fits, so that the order of the table does not matter.
        let mut subset: Option<u32> = None;
        let mut superset: Option<u32> = None;
        let mut smaller: Vec<u32> = Vec::new();
        for (number, count) in common {
            let entry = &self.entries[number as usize];
            match entry.known {
                Known::Unsat if count == entry.size => subset = Some(subset.map_or(number, |old| old.min(number))),
                Known::Sat(_) if count == conditions.len() => {
                    superset = Some(superset.map_or(number, |old| old.min(number)));
                }
                Known::Sat(_) if count == entry.size => smaller.push(number),
                _ => {}
            }
        }
        if subset.is_some() {
            self.statistics.subset += 1;
            return Some(Answer::Unsat);
        }
        if let Some(number) = superset
            && let Known::Sat(model) = &self.entries[number as usize].known
        {
            self.statistics.superset += 1;
            return Some(Answer::Sat(model.clone()));
        }
        smaller.sort_unstable_by_key(|number| (std::cmp::Reverse(self.entries[*number as usize].size), *number));
        for number in smaller.into_iter().take(MODELS) {
            if let Known::Sat(model) = &self.entries[number as usize].known {
                let model = model.clone();
                if self.satisfies(terms, &model, conditions) {
                    self.statistics.earlier_model += 1;
                    return Some(Answer::Sat(model));
                }
            }
        }
        None
    }

    fn remember(&mut self, conditions: Vec<Term>, answer: &Answer) {
        let known = match answer {
            Answer::Sat(model) => Known::Sat(model.clone()),
            Answer::Unsat => Known::Unsat,
            Answer::Unknown(_) => return,
        };
        if self.entries.len() == ENTRIES {
            self.entries.clear();
            self.exact.clear();
            self.holding.clear();
        }
        let number = self.entries.len() as u32;
        for condition in &conditions {
            self.holding.entry(*condition).or_default().push(number);
        }
        self.entries.push(Entry { size: conditions.len(), known });
        self.exact.insert(conditions.into_boxed_slice(), number);
    }
}

impl<S: Solver> Solver for Cache<S> {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        self.statistics.asked += 1;
        let mut conditions = conjuncts(terms, &query.conditions);
        conditions.sort_unstable();
        if let Some(number) = self.exact.get(conditions.as_slice()) {
            self.statistics.same += 1;
            return match &self.entries[*number as usize].known {
                Known::Sat(model) => Answer::Sat(model.clone()),
                Known::Unsat => Answer::Unsat,
            };
        }
        let mut answer = self.related(terms, &conditions);
        if answer.is_none() {
            for place in 0..self.models.len() {
                let model = self.models[place].clone();
                if self.satisfies(terms, &model, &conditions) {
                    self.statistics.earlier_model += 1;
                    answer = Some(Answer::Sat(model));
                    break;
                }
            }
        }
        let answer = answer.unwrap_or_else(|| {
            self.statistics.passed_on += 1;
            self.next.check(terms, &Query::new(conditions.clone()), limit)
        });
        let answer = match answer {
            Answer::Sat(model) => Answer::Sat(restricted(terms, &conditions, &model)),
            other => other,
        };
        if let Answer::Sat(model) = &answer {
            self.suggest(model.clone());
        }
        self.remember(conditions, &answer);
        answer
    }

    fn work(&self) -> u64 {
        self.next.work()
    }
}

/// The model without inputs that the conditions do not speak of, so that models of independent queries can be joined.
fn restricted(terms: &mut Terms, conditions: &[Term], model: &Model) -> Model {
    let mut part = Model::default();
    for condition in conditions {
        for input in terms.inputs_of(*condition) {
            if let Some(value) = model.get(*input) {
                part.set(*input, value.clone());
            }
        }
    }
    part
}
