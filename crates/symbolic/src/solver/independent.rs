//! Slicing: conditions without common inputs are asked separately. Owns the grouping; the next link sees small queries,
//! which repeat more often.

use std::collections::BTreeMap;

use super::{Answer, Limit, Query, Solver};
use crate::expr::{Model, Term, Terms};

/// Asks the next solver once per group of conditions that share inputs, and joins the models.
pub struct Independent<S> {
    next: S,
}

impl<S> Independent<S> {
    pub fn new(next: S) -> Independent<S> {
        Independent { next }
    }

    pub fn next(&self) -> &S {
        &self.next
    }

    pub fn next_mut(&mut self) -> &mut S {
        &mut self.next
    }
}

impl<S: Solver> Solver for Independent<S> {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        let conditions = conjuncts(terms, &query.conditions);
        if conditions.contains(&Terms::FALSE) {
            return Answer::Unsat;
        }
        let mut model = Model::default();
        let mut unknown = None;
        for group in groups(terms, &conditions) {
            match self.next.check(terms, &Query::new(group), limit) {
                Answer::Sat(part) => model.extend(&part),
                Answer::Unsat => return Answer::Unsat,
                // Another group may still be unsatisfiable.
                Answer::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        unknown.map_or(Answer::Sat(model), Answer::Unknown)
    }

    fn work(&self) -> u64 {
        self.next.work()
    }
}

/// The conditions that have to hold, conjunctions taken apart, without what always holds and without repetition.
pub(super) fn conjuncts(terms: &Terms, conditions: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack: Vec<Term> = conditions.iter().rev().copied().collect();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = stack.pop() {
        let node = terms.node(term);
        if node.op == crate::expr::Op::And {
            stack.extend([node.args[1], node.args[0]]);
        } else if term != Terms::TRUE && seen.insert(term) {
            found.push(term);
        }
    }
    found
}

/// Groups in the order of their first conditions; each condition is in one group.
fn groups(terms: &mut Terms, conditions: &[Term]) -> Vec<Vec<Term>> {
    // Each input points to another of its group, or to itself.
    let mut leader: BTreeMap<u32, u32> = BTreeMap::new();
    fn find(leader: &BTreeMap<u32, u32>, mut input: u32) -> u32 {
        while let Some(&next) = leader.get(&input)
            && next != input
        {
            input = next;
        }
        input
    }
    for condition in conditions {
        let inputs = terms.inputs_of(*condition);
        let Some(first) = inputs.first() else { continue };
        let first = find(&leader, first.0);
        leader.insert(first, first);
        for input in inputs {
            let other = find(&leader, input.0);
            leader.insert(other, first);
            leader.insert(input.0, first);
        }
    }
    let mut places: BTreeMap<Option<u32>, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Term>> = Vec::new();
    for condition in conditions {
        let group = terms.inputs_of(*condition).first().map(|input| find(&leader, input.0));
        let place = *places.entry(group).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(*condition);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Sort;

    #[test]
    fn conditions_that_share_inputs_stay_together() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.input(Sort::INT, name));
        let (ab, cd, b1) = (terms.slt(a, b), terms.slt(c, d), terms.is_zero(b));
        let da = terms.slt(d, a);
        assert_eq!(groups(&mut terms, &[ab, cd, b1]), [vec![ab, b1], vec![cd]]);
        assert_eq!(groups(&mut terms, &[ab, cd, b1, da]), [vec![ab, cd, b1, da]]);
    }
}
