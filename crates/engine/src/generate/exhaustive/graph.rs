//! States reached and the method executions between them. Owns their numbering and the choice of tests: one for every method execution that is not on the
//! way to another, calls that change nothing gathered in one. Runs nothing.

use std::sync::Arc;

use bytecode::names::ClassName;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use testcase::operation::OpId;
use testcase::sequence::{Sequence, Var};

use super::super::scratch::Scratch;
use super::values::{List, Values};
use crate::catalog::TypeId;
use crate::search::Search;
use crate::state::classifier::{ExecutionId, StateId};

/// An object in a state nobody else is in, and how to get it there.
#[derive(Clone, Debug)]
pub struct Reached {
    pub sequence: Sequence,
    pub var: Var,
    pub ty: TypeId,
    pub class: StateId,
    /// The method execution that led here first.
    edge: Option<usize>,
    /// Method executions of the whole sequence besides those on the way from state to state.
    inside: SmallVec<[ExecutionId; 2]>,
}

/// What a method execution came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing changed: others can follow in the same test.
    Preserved,
    /// Something changed or was made.
    Changed,
    Threw,
    /// No test can show it.
    Fatal,
}

#[derive(Clone, Debug)]
struct Edge {
    execution: ExecutionId,
    from: Option<usize>,
    op: OpId,
    list: List,
    end: End,
}

#[derive(Default)]
pub struct Graph {
    pub states: Vec<Reached>,
    edges: Vec<Edge>,
    known: FxHashSet<(StateId, TypeId)>,
    executions: FxHashMap<SmallVec<[u32; 8]>, ExecutionId>,
    done: FxHashSet<ExecutionId>,
    members: FxHashMap<(ClassName, Arc<str>, Arc<str>), u32>,
    members_of: FxHashMap<OpId, u32>,
}

impl Graph {
    /// The number of a method execution.
    pub fn execution(
        &mut self,
        search: &Search<'_>,
        op: OpId,
        receiver: Option<StateId>,
        arguments: impl Iterator<Item = StateId>,
    ) -> ExecutionId {
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        // One member may be called by several operations.
        let members = &mut self.members;
        key.push(*self.members_of.entry(op).or_insert_with(|| match &search.catalog.facts(op).member {
            Some(m) => {
                let next = members.len() as u32;
                *members.entry((m.class.clone(), m.name.clone(), m.descriptor.clone())).or_insert(next)
            }
            None => op.0 | 1 << 31,
        }));
        key.push(receiver.map_or(u32::MAX, |r| r.0));
        key.extend(arguments.map(|a| a.0));
        let next = ExecutionId(self.executions.len() as u32);
        *self.executions.entry(key).or_insert(next)
    }

    /// True if it was not asked for before.
    pub fn begin(&mut self, execution: ExecutionId) -> bool {
        self.done.insert(execution)
    }

    pub fn edge(&mut self, execution: ExecutionId, from: Option<usize>, op: OpId, list: List, end: End) {
        self.edges.push(Edge { execution, from, op, list, end });
    }

    pub fn executed(&self) -> usize {
        self.edges.len()
    }

    pub fn knows(&self, class: StateId, ty: TypeId) -> bool {
        self.known.contains(&(class, ty))
    }

    /// Takes a state in if it is new; the last edge led to it.
    pub fn reach(
        &mut self,
        sequence: &Sequence,
        var: Var,
        ty: TypeId,
        class: StateId,
        by_edge: bool,
        inside: SmallVec<[ExecutionId; 2]>,
    ) -> bool {
        if !self.known.insert((class, ty)) {
            return false;
        }
        let edge = if by_edge { self.edges.len().checked_sub(1) } else { None };
        self.states.push(Reached { sequence: sequence.clone(), var, ty, class, edge, inside });
        true
    }

    /// Method executions on the way to a state.
    fn path(&self, state: usize, values: &Values, out: &mut Vec<ExecutionId>) {
        let mut at = Some(state);
        while let Some(state) = at {
            let reached = &self.states[state];
            out.extend(&reached.inside);
            at = None;
            if let Some(edge) = reached.edge.map(|e| &self.edges[e]) {
                out.push(edge.execution);
                out.extend(edge.list.iter().flat_map(|&v| &values.get(v).executions));
                at = edge.from;
            }
        }
    }

    /// Tests that together have every method execution once it can be shown, each ending in one that no other has. In the order in which they were found.
    pub fn tests(&self, search: &Search<'_>, values: &Values) -> Vec<Sequence> {
        let plans = self.plans();
        // Arguments may be made by method executions that are of interest themselves.
        let all: Vec<Vec<ExecutionId>> = plans
            .iter()
            .map(|plan| {
                let mut all = Vec::new();
                if let Some(state) = plan.from {
                    self.path(state, values, &mut all);
                }
                for &edge in &plan.edges {
                    all.push(self.edges[edge].execution);
                    all.extend(self.edges[edge].list.iter().flat_map(|&v| &values.get(v).executions));
                }
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        let mut counts: FxHashMap<ExecutionId, u32> = FxHashMap::default();
        for &execution in all.iter().flatten() {
            *counts.entry(execution).or_default() += 1;
        }
        let mut tests = Vec::new();
        let mut scratch = Scratch::default();
        for (plan, all) in plans.iter().zip(&all) {
            // What others have as well is no end for a test: cut back to something of its own.
            let own = plan.edges.iter().rposition(|&e| counts[&self.edges[e].execution] == 1);
            let Some(own) = own else {
                all.iter().for_each(|e| *counts.entry(*e).or_default() -= 1);
                continue;
            };
            scratch.clear();
            let mut receiver = None;
            if let Some(state) = plan.from {
                let reached = &self.states[state];
                scratch.concat(&search.catalog, &reached.sequence);
                receiver = Some(reached.var);
            }
            for &edge in &plan.edges[..=own] {
                let edge = &self.edges[edge];
                values.call(search, &mut scratch, edge.op, receiver, &edge.list);
            }
            tests.push(scratch.sequence());
        }
        tests
    }

    fn plans(&self) -> Vec<Plan> {
        let mut out_of: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        let mut roots: Vec<usize> = Vec::new();
        for (at, edge) in self.edges.iter().enumerate() {
            match edge.from {
                Some(state) => out_of[state].push(at),
                None => roots.push(at),
            }
        }
        // A method execution on the way to a state from which a test goes on needs no test of its own. Later states are reached from earlier ones.
        let mut passed = vec![false; self.edges.len()];
        let mut of_state: Vec<Vec<Plan>> = Vec::new();
        for state in (0..self.states.len()).rev() {
            let plans = self.plans_from(Some(state), &out_of[state], &passed);
            if let Some(edge) = self.states[state].edge.filter(|_| !plans.is_empty()) {
                passed[edge] = true;
            }
            // A state may hang on another that has no tests itself.
            if let Some(edge) = self.states[state].edge
                && out_of[state].iter().any(|&e| passed[e])
            {
                passed[edge] = true;
            }
            of_state.push(plans);
        }
        let mut plans = self.plans_from(None, &roots, &passed);
        plans.extend(of_state.into_iter().rev().flatten());
        plans
    }

    fn plans_from(&self, from: Option<usize>, edges: &[usize], passed: &[bool]) -> Vec<Plan> {
        let wanted = |&e: &usize| !passed[e] && self.edges[e].end != End::Fatal;
        let (same, others): (Vec<usize>, Vec<usize>) =
            edges.iter().copied().filter(wanted).partition(|&e| from.is_some() && self.edges[e].end == End::Preserved);
        let mut plans: Vec<Plan> = Vec::new();
        if !same.is_empty() {
            plans.push(Plan { from, edges: same });
        }
        for edge in others {
            match plans.first_mut() {
                // The calls that change nothing may go before any other.
                Some(first)
                    if from.is_some() && self.edges[first.edges[first.edges.len() - 1]].end == End::Preserved =>
                {
                    first.edges.push(edge);
                }
                _ => plans.push(Plan { from, edges: vec![edge] }),
            }
        }
        plans
    }
}

/// A test to be: from a state, these method executions.
struct Plan {
    from: Option<usize>,
    edges: Vec<usize>,
}
