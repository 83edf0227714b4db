//! The pool: values that finished sequences made, by exact type, for use as inputs of new ones. Owns limits, eviction, index pruning and the
//! choice among values; does not run anything and does not know operations.

use testcase::observed::Needs;
use testcase::sequence::{Sequence, Var};

use crate::catalog::{Catalog, TypeId};
use crate::rng::Rng;
use crate::seen::{Seen, mix};
use crate::state::Technique;

/// Which values count as "made before".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Prune {
    /// An equal object of the same class exists (by `equals`).
    Equals,
    /// An object with an isomorphic heap exists.
    #[default]
    State,
    /// The same calls were made on it.
    WholeSeq,
    /// The same calls changed it.
    ModifyingSeq,
    /// `equals` reads the same of an object of its class.
    MonitorEquals,
    /// Keep everything.
    Nothing,
}

impl Prune {
    /// What a technique takes for the same state was made before.
    pub fn by(technique: Technique) -> Prune {
        match technique {
            Technique::WholeSeq => Prune::WholeSeq,
            Technique::ModifyingSeq => Prune::ModifyingSeq,
            Technique::WholeState => Prune::State,
            Technique::MonitorEquals => Prune::MonitorEquals,
            Technique::PairwiseEquals => Prune::Equals,
        }
    }

    pub fn technique(self) -> Option<Technique> {
        Technique::ALL.into_iter().find(|&t| Prune::by(t) == self)
    }

    /// What has to be observed for it.
    pub fn needs(self) -> Needs {
        self.technique().map(Technique::needs).unwrap_or_default()
    }
}

/// So many times dearer than another.
const UNBEARABLE: f32 = 64.0;

/// What a value is known by, for pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    State(u128),
    EqualsClass { class: u64, number: u64 },
    EqualsReads { class: u64, read: u128 },
    History(u64),
    Unknown,
}

/// A value somebody can reuse.
#[derive(Clone, Debug)]
pub struct Entry {
    pub sequence: Sequence,
    pub var: Var,
    /// How much there is to run: statements and calls of the whole sequence.
    pub cost: u32,
    /// How often it was chosen.
    picks: u32,
}

impl Entry {
    /// Short and seldom used ones are preferred.
    fn weight(&self) -> f32 {
        1.0 / (self.cost.max(1) as f32 * ((self.picks + 1) as f32).sqrt())
    }
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    entries: Vec<Entry>,
    /// Upper bound of the weights in it, for sampling by rejection.
    heaviest: f32,
}

/// Values by exact type.
#[derive(Clone, Debug)]
pub struct Pool {
    buckets: Vec<Bucket>,
    seen: Seen,
    per_type: usize,
    size: usize,
}

impl Pool {
    /// At most `per_type` values are kept of each type.
    pub fn new(per_type: usize) -> Pool {
        Pool { buckets: Vec::new(), seen: Seen::new(18), per_type: per_type.max(1), size: 0 }
    }

    pub fn len(&self) -> usize {
        self.size
    }
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }
    pub fn count(&self, exact: TypeId) -> usize {
        self.buckets.get(exact.index()).map_or(0, |b| b.entries.len())
    }

    /// Is this value worth keeping, as far as pruning can tell? Remembers it.
    pub fn is_new(&mut self, exact: TypeId, identity: Identity) -> bool {
        let seed = mix(0x9E37, u64::from(exact.0));
        match identity {
            Identity::State(hash) => self.seen.insert(mix(mix(seed, hash as u64), (hash >> 64) as u64)),
            Identity::EqualsClass { class, number } => self.seen.insert(mix(mix(mix(seed, 77), class), number)),
            Identity::EqualsReads { class, read } => {
                self.seen.insert(mix(mix(mix(mix(seed, 78), class), read as u64), (read >> 64) as u64))
            }
            Identity::History(history) => self.seen.insert(mix(mix(seed, 79), history)),
            Identity::Unknown => true,
        }
    }

    /// Keeps a value. In a full bucket the least attractive of a few takes its leave.
    pub fn insert(&mut self, exact: TypeId, sequence: Sequence, var: Var, cost: u32, rng: &mut Rng) {
        if self.buckets.len() <= exact.index() {
            self.buckets.resize(exact.index() + 1, Bucket::default());
        }
        let entry = Entry { sequence, var, cost, picks: 0 };
        let bucket = &mut self.buckets[exact.index()];
        bucket.heaviest = bucket.heaviest.max(entry.weight());
        if bucket.entries.len() < self.per_type {
            bucket.entries.push(entry);
            self.size += 1;
            return;
        }
        let mut worst = rng.below(bucket.entries.len());
        for _ in 0..3 {
            let other = rng.below(bucket.entries.len());
            if bucket.entries[other].weight() < bucket.entries[worst].weight() {
                worst = other;
            }
        }
        bucket.entries[worst] = entry;
    }

    /// A value that fits where `wanted` is asked for. Types are chosen evenly, values of a type by weight.
    pub fn choose(&mut self, catalog: &Catalog, wanted: TypeId, rng: &mut Rng) -> Option<&Entry> {
        let from = catalog.fitting(wanted);
        if from.is_empty() {
            return None;
        }
        let start = rng.below(from.len());
        let stocked = (0..4)
            .map(|_| from[rng.below(from.len())])
            .find(|&t| self.count(t) > 0)
            .or_else(|| (0..from.len()).map(|i| from[(start + i) % from.len()]).find(|&t| self.count(t) > 0))?;
        self.choose_exact(stocked, rng)
    }

    /// A value of exactly this type.
    pub fn choose_exact(&mut self, exact: TypeId, rng: &mut Rng) -> Option<&Entry> {
        let bucket = self.buckets.get_mut(exact.index())?;
        if bucket.entries.is_empty() {
            return None;
        }
        let mut at = rng.below(bucket.entries.len());
        let mut weight = bucket.entries[at].weight();
        for _ in 0..6 {
            if rng.unit() * bucket.heaviest <= weight {
                break;
            }
            // Values that cost thousands of times as much as others are not taken for want of patience.
            let other = rng.below(bucket.entries.len());
            let others = bucket.entries[other].weight();
            if others * UNBEARABLE > weight {
                (at, weight) = (other, others);
            }
        }
        let entry = &mut bucket.entries[at];
        entry.picks += 1;
        Some(entry)
    }

    /// Does any value fit?
    pub fn provides(&self, catalog: &Catalog, wanted: TypeId) -> bool {
        catalog.fitting(wanted).iter().any(|&t| self.count(t) > 0)
    }

    /// All values of exactly this type.
    pub fn entries(&self, exact: TypeId) -> impl Iterator<Item = &Entry> {
        self.buckets.get(exact.index()).into_iter().flat_map(|b| &b.entries)
    }

    /// The cheapest value of exactly this type.
    pub fn cheapest(&self, exact: TypeId) -> Option<&Entry> {
        self.buckets.get(exact.index())?.entries.iter().min_by_key(|e| e.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_never_grows_over_its_limit() {
        let mut rng = Rng::new(1);
        let mut pool = Pool::new(8);
        for i in 0..100 {
            pool.insert(TypeId(2), Sequence::empty(), Var(0), 1 + i, &mut rng);
        }
        assert_eq!(pool.len(), 8);
        assert_eq!(pool.count(TypeId(2)), 8);
    }

    #[test]
    fn cheap_values_are_chosen_more_often() {
        let mut rng = Rng::new(1);
        let mut pool = Pool::new(8);
        pool.insert(TypeId(0), Sequence::empty(), Var(0), 10, &mut rng);
        pool.insert(TypeId(0), Sequence::empty(), Var(1), 1000, &mut rng);
        let cheap = (0..1000).filter(|_| pool.choose_exact(TypeId(0), &mut rng).unwrap().var == Var(0)).count();
        assert!(cheap > 600, "{cheap}");
    }

    #[test]
    fn values_that_take_for_ever_are_hardly_ever_chosen() {
        let mut rng = Rng::new(1);
        let mut pool = Pool::new(16);
        for i in 0..16 {
            let dear = i % 2 == 1;
            let cost = if dear { 100_000 } else { 20 + i };
            pool.insert(TypeId(0), Sequence::empty(), Var(u16::from(dear)), cost, &mut rng);
        }
        // One that is much cheaper than all others makes the rest look alike.
        pool.insert(TypeId(0), Sequence::empty(), Var(0), 1, &mut rng);
        let dear = (0..1000).filter(|_| pool.choose_exact(TypeId(0), &mut rng).unwrap().var == Var(1)).count();
        assert!(dear < 30, "{dear}");
    }

    #[test]
    fn pruning_remembers_states_per_type() {
        let mut pool = Pool::new(8);
        assert!(pool.is_new(TypeId(1), Identity::State(7)));
        assert!(!pool.is_new(TypeId(1), Identity::State(7)));
        assert!(pool.is_new(TypeId(2), Identity::State(7)));
        assert!(pool.is_new(TypeId(1), Identity::EqualsClass { class: 1, number: 7 }));
        let read = Identity::EqualsReads { class: 1, read: 7 };
        assert!(pool.is_new(TypeId(1), read) && !pool.is_new(TypeId(1), read));
        assert!(pool.is_new(TypeId(1), Identity::History(7)) && !pool.is_new(TypeId(1), Identity::History(7)));
        assert!(pool.is_new(TypeId(1), Identity::Unknown) && pool.is_new(TypeId(1), Identity::Unknown));
    }
}
