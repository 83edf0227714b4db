//! Runs of tests reduced to numbers, one after the other, so that a suite of any size can be compared in little memory. Owns what is kept of a run; draws no
//! conclusions from it.

use std::sync::Arc;

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use testcase::execution::{ProbeId, StateHash};
use testcase::observed::{CallEnd, ObservedAssertion, ObservedMember, ObservedSuite, TestMethod, TestOutcome, TestRun};

use super::Techniques;
use super::classifier::ExecutionId;
use super::executions::{CallKeys, Executions, Fallbacks};

/// What is kept of a suite. Numbers mean the same in all suites that one [`Digester`] read.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    /// What members' numbers mean.
    pub members: Vec<ObservedMember>,
    /// In the order in which they ran.
    pub runs: Vec<RunDigest>,
    /// Probes hit outside of any test.
    pub outside_probes: Vec<ProbeId>,
}

/// What is kept of a run. Lists are sorted and hold nothing twice.
#[derive(Clone, Debug)]
pub struct RunDigest {
    pub method: TestMethod,
    /// The class it ran as.
    pub class: ClassName,
    pub outcome: TestOutcome,
    /// How many calls were recorded, and how many events were not.
    pub calls: usize,
    pub unrecorded: u64,
    pub members: Box<[u32]>,
    pub executions: Box<[u32]>,
    /// Argument lists.
    pub lists: Box<[u32]>,
    pub states: Box<[u32]>,
    pub assertions: Box<[u32]>,
    /// Members and the classes of what they threw.
    pub thrown: Box<[(u32, ClassName)]>,
    pub probes: Box<[ProbeId]>,
}

/// An assertion method, and after which method execution it was called with what.
type AssertionKey = (u32, Option<ExecutionId>, [u64; 2]);

/// Reads runs as they come.
pub struct Digester {
    executions: Executions,
    /// Whether calls are compared at all.
    compares: bool,
    assertion_methods: Vec<(ClassName, Arc<str>)>,
    method_numbers: FxHashMap<(ClassName, Arc<str>), u32>,
    assertions: FxHashMap<AssertionKey, u32>,
    /// The method of each assertion.
    method_of: Vec<u32>,
    runs: Vec<RunDigest>,
}

impl Digester {
    /// Without techniques, nothing but members, exceptions, outcomes and probes is kept.
    pub fn new(techniques: Option<Techniques>) -> Digester {
        Digester {
            executions: Executions::new(techniques.unwrap_or_default()),
            compares: techniques.is_some(),
            assertion_methods: Vec::new(),
            method_numbers: FxHashMap::default(),
            assertions: FxHashMap::default(),
            method_of: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The next run of the suite that is being read; its calls refer to `members`, to which later runs may only add.
    pub fn add(&mut self, members: &[ObservedMember], run: TestRun) {
        let numbers = self.executions.numbers(members);
        let known = |call: u32| numbers.get(call as usize).copied();
        let called = sorted(run.calls.iter().filter_map(|call| known(call.member)).collect());
        let threw = run.calls.iter().filter_map(|call| match &call.end {
            CallEnd::Threw(class) => Some((known(call.member)?, class.clone())),
            CallEnd::Returned(_) | CallEnd::Open => None,
        });
        let thrown = sorted(threw.collect());
        let calls = if self.compares { self.executions.run(members, &run) } else { Vec::new() };
        let assertions = if self.compares { self.assertions(&run.assertions, &calls) } else { Vec::new() };
        self.runs.push(RunDigest {
            method: run.method,
            class: run.class,
            outcome: run.outcome,
            calls: run.calls.len(),
            unrecorded: run.unrecorded,
            members: called,
            executions: sorted(calls.iter().map(|call| call.execution.0).collect()),
            lists: sorted(calls.iter().map(|call| call.arguments).collect()),
            states: sorted(calls.iter().flat_map(|call| call.states.iter().map(|state| state.0)).collect()),
            assertions: sorted(assertions),
            thrown,
            probes: run.probes.into_boxed_slice(),
        });
    }

    /// The suite is read; another may follow.
    pub fn finish(&mut self, outside_probes: Vec<ProbeId>) -> Digest {
        self.executions.next_suite();
        let members = self.executions.members().to_vec();
        Digest { members, runs: std::mem::take(&mut self.runs), outside_probes }
    }

    /// A suite that is there as a whole.
    pub fn digest(&mut self, suite: &ObservedSuite) -> Digest {
        for run in &suite.runs {
            self.add(&suite.members, run.clone());
        }
        self.finish(suite.outside_probes.clone())
    }

    /// Different method executions so far, of all suites.
    pub fn executions(&self) -> usize {
        self.executions.count()
    }

    /// Where the techniques had to make do with whole states.
    pub fn fallbacks(&self) -> &Fallbacks {
        self.executions.fallbacks()
    }

    /// The member that a method execution is of.
    pub fn member_of(&self, execution: u32) -> Option<&ObservedMember> {
        self.executions.member_of(ExecutionId(execution))
    }

    /// Class and name of the method of an assertion.
    pub fn assertion_method(&self, assertion: u32) -> Option<(&ClassName, &Arc<str>)> {
        let method = *self.method_of.get(assertion as usize)?;
        self.assertion_methods.get(method as usize).map(|(class, name)| (class, name))
    }

    fn assertions(&mut self, made: &[ObservedAssertion], calls: &[CallKeys]) -> Vec<u32> {
        let mut found = Vec::with_capacity(made.len());
        for assertion in made {
            let after = (assertion.after as usize).checked_sub(1).and_then(|i| calls.get(i)).map(|c| c.execution);
            let method = self.assertion_number(&assertion.class, &assertion.name);
            let next = self.method_of.len() as u32;
            let number = *self.assertions.entry((method, after, halves(assertion.arguments))).or_insert(next);
            if number == next {
                self.method_of.push(method);
            }
            found.push(number);
        }
        found
    }

    fn assertion_number(&mut self, class: &ClassName, name: &Arc<str>) -> u32 {
        let methods = &mut self.assertion_methods;
        *self.method_numbers.entry((class.clone(), name.clone())).or_insert_with_key(|method| {
            methods.push(method.clone());
            methods.len() as u32 - 1
        })
    }
}

/// A hash as a key that needs no alignment of its own.
pub(super) fn halves(hash: StateHash) -> [u64; 2] {
    [hash.0 as u64, (hash.0 >> 64) as u64]
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
    list.sort_unstable();
    list.dedup();
    list.into_boxed_slice()
}

#[cfg(test)]
mod tests;
