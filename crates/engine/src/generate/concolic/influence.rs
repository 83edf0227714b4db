//! Which invokable can matter to which later one, found once. Owns the table and the rules that candidate sequences obey: influence, executability, the data-flow check
//! and the order of independent neighbours. Looks at code, never at runs.

use bytecode::analysis::Influence as Pair;
use bytecode::names::FieldType;
use bytecode::world::World;

use super::invokable::{Invokable, Param};
use crate::search::Search;

/// A set of invokables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set([u64; 4]);

impl Set {
    pub fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }
    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] & 1 << (at % 64) != 0
    }
    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
    pub fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// Rules that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Every invokable has to be linked with the method under test.
    pub dataflow: bool,
    /// Of neighbours that do not matter to each other, one order only.
    pub partial_order: bool,
    /// Arguments may be null.
    pub nulls: bool,
}

/// Answers for all pairs.
#[derive(Clone, Debug)]
pub struct Influence {
    /// Later ones that each can matter to.
    later: Vec<Set>,
    /// Later ones that can take its result.
    feeds: Vec<Set>,
    /// Linked by static fields, in either order.
    linked: Vec<Set>,
    /// Whose order makes no difference.
    independent: Vec<Set>,
    /// For each reference parameter: who can fill it.
    fillers: Vec<Vec<(Set, bool)>>,
    /// References that each takes.
    slots: Vec<usize>,
}

impl Influence {
    pub fn of(invokables: &[Invokable], search: &Search<'_>, world: &World) -> Influence {
        let n = invokables.len();
        let mut table = Influence {
            later: vec![Set::default(); n],
            feeds: vec![Set::default(); n],
            linked: vec![Set::default(); n],
            independent: vec![Set::default(); n],
            fillers: Vec::with_capacity(n),
            slots: Vec::with_capacity(n),
        };
        for (at, invokable) in invokables.iter().enumerate() {
            let mut fillers = Vec::new();
            for param in &invokable.params {
                let Param::Reference { wanted, atoms, receiver, .. } = param else { continue };
                let mut from = Set::default();
                for (maker, other) in invokables.iter().enumerate() {
                    let fits = |given| wanted.iter().any(|&w| search.catalog.fits(given, w));
                    if other.gives.is_some_and(fits) {
                        from.insert(maker);
                        table.feeds[maker].insert(at);
                    }
                }
                fillers.push((from, *receiver && atoms.is_empty()));
            }
            table.slots.push(fillers.iter().filter(|(from, _)| !from.is_empty()).count());
            table.fillers.push(fillers);
        }
        let matters = |a: usize, b: usize| {
            let pairs = invokables[a].flow.influences(&invokables[b].flow, world);
            // Who can take whose result is known better here: parameters of general types are narrowed.
            pairs.iter().any(|p| *p != Pair::ReturnArgument)
        };
        for a in 0..n {
            for b in 0..n {
                if table.feeds[a].contains(b) || matters(a, b) {
                    table.later[a].insert(b);
                }
            }
        }
        for a in 0..n {
            for b in 0..n {
                let (x, y) = (&invokables[a].flow, &invokables[b].flow);
                let mut shared = x.defines.intersection(&y.uses).chain(y.defines.intersection(&x.uses));
                if shared.any(|f| f.is_static) {
                    table.linked[a].insert(b);
                }
                let related = |s: &FieldType, t: &FieldType| world.is_assignable(s, t) || world.is_assignable(t, s);
                let overwrites = x.defines.intersection(&y.defines).next().is_some()
                    || x.stores.iter().any(|s| y.stores.iter().any(|t| related(s, t)));
                if !table.later[a].contains(b) && !table.later[b].contains(a) && !overwrites {
                    table.independent[a].insert(b);
                }
            }
        }
        table
    }

    /// Can the first matter to the second?
    pub fn matters(&self, first: usize, second: usize) -> bool {
        self.later[first].contains(second)
    }

    /// Can the second take the result of the first?
    pub fn feeds(&self, first: usize, second: usize) -> bool {
        self.feeds[first].contains(second)
    }

    /// Most references that a call takes.
    pub fn most_slots(&self) -> usize {
        self.slots.iter().copied().max().unwrap_or(0)
    }

    /// May these two be neighbours in this order? Of two that could as well be the other way round, the one with the lower number comes first.
    pub fn may_follow(&self, first: usize, second: usize, rules: Rules) -> bool {
        !rules.partial_order || first <= second || !self.independent[first].contains(second)
    }

    /// Is there a receiver for everything that needs one, and if null is not allowed, something for every reference?
    pub fn is_executable(&self, sequence: &[u16], rules: Rules) -> bool {
        let mut made = Set::default();
        for &at in sequence {
            if !self.can_be_called(usize::from(at), &made, rules) {
                return false;
            }
            made.insert(usize::from(at));
        }
        true
    }

    /// Can it be called behind these?
    pub fn can_be_called(&self, at: usize, made: &Set, rules: Rules) -> bool {
        self.fillers[at].iter().all(|(from, receiver)| {
            let needed = *receiver || !rules.nulls && !from.is_empty();
            !needed || from.meets(made)
        })
    }

    /// Can all of them be linked with each other? A reference parameter links with one other, static fields with all that share them.
    pub fn is_linked(&self, sequence: &[u16]) -> bool {
        let n = sequence.len();
        let mut group: Vec<usize> = (0..n).collect();
        fn root(group: &[usize], mut at: usize) -> usize {
            while group[at] != at {
                at = group[at];
            }
            at
        }
        /// Joins two groups; says whether they were two.
        fn join(group: &mut [usize], a: usize, b: usize) -> bool {
            let (a, b) = (root(group, a), root(group, b));
            group[a] = b;
            a != b
        }
        let mut by_statics = n;
        for (i, &a) in sequence.iter().enumerate() {
            for (j, &b) in sequence.iter().enumerate().skip(i + 1) {
                if self.linked[usize::from(a)].contains(usize::from(b)) {
                    by_statics -= usize::from(join(&mut group, i, j));
                }
            }
        }
        let (mut groups, mut slots) = (by_statics, 0);
        for (j, &b) in sequence.iter().enumerate() {
            for (from, _) in &self.fillers[usize::from(b)] {
                let mut any = false;
                for i in (0..j).filter(|&i| from.contains(usize::from(sequence[i]))) {
                    any = true;
                    groups -= usize::from(join(&mut group, i, j));
                }
                slots += usize::from(any);
            }
        }
        // All links at once must do, and every parameter can make one of them only.
        groups == 1 && slots + 1 >= by_statics
    }

    /// Those from which one of the goals can be influenced through at most this many later calls: entry `r` is for `r` calls, the goal's own included.
    pub fn chains(&self, goals: &Set, calls: usize) -> Vec<Set> {
        let mut chains = vec![Set::default()];
        let mut reached = *goals;
        for _ in 0..calls {
            let mut next = Set::default();
            for (at, later) in self.later.iter().enumerate() {
                if later.meets(&reached) {
                    next.insert(at);
                }
            }
            chains.push(next);
            reached.add(&next);
        }
        chains
    }

    pub fn len(&self) -> usize {
        self.later.len()
    }

    pub fn is_empty(&self) -> bool {
        self.later.is_empty()
    }
}
