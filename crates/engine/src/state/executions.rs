//! Method executions of observed tests, and which of them are equivalent. Owns their keys (member, class of the receiver, classes of the arguments) and follows
//! objects through a test for the techniques that ask for it. Draws no conclusions about tests.

use std::collections::BTreeMap;

use bytecode::names::ClassName;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::execution::StateHash;
use testcase::observed::{CallEnd, Fallback, ObservedCall, ObservedMember, ObservedSuite, ObservedValue, TestRun};

use super::classifier::{ExecutionId, Origin, Part, Sight, StateClassifier, StateId, for_technique};
use super::digest::halves;
use super::{Technique, Techniques};

/// What one call amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct CallKeys {
    /// Member as numbered by [`Executions`], over all suites read.
    pub member: u32,
    pub execution: ExecutionId,
    /// Member and arguments, whatever the receiver.
    pub arguments: u32,
    /// Classes of objects it showed: its receiver, or the object it made.
    pub states: SmallVec<[StateId; 2]>,
    pub thrown: Option<ClassName>,
}

/// How often a value of a class could not be told apart as the technique means to, and why.
pub type Fallbacks = BTreeMap<(ClassName, Fallback), u64>;

type Key = SmallVec<[u32; 8]>;

/// Reads runs of tests, one after the other. Equivalent method executions get the same number, in all suites read.
pub struct Executions {
    techniques: Techniques,
    receiver: Box<dyn StateClassifier>,
    /// None if it is the receiver's.
    arguments: Option<Box<dyn StateClassifier>>,
    members: Vec<ObservedMember>,
    member_numbers: FxHashMap<ObservedMember, u32>,
    /// Of the members of the current suite, as that lists them.
    numbers: Vec<u32>,
    executions: FxHashMap<Key, ExecutionId>,
    joint: FxHashMap<(u32, [u64; 2]), ExecutionId>,
    lists: FxHashMap<Key, u32>,
    /// Calls by the classes that the arguments' technique gives to all operands: the steps of histories of arguments.
    argument_calls: FxHashMap<Key, ExecutionId>,
    /// The member of each execution.
    member_of: Vec<u32>,
    epoch: u32,
    fallbacks: Fallbacks,
    /// Objects of the current run.
    objects: FxHashMap<u32, Followed>,
}

/// An object whose history is known.
#[derive(Clone, Copy, Debug)]
struct Followed {
    receiver: StateId,
    argument: StateId,
    /// As it has to be found next, if that is known.
    state: Option<StateHash>,
}

/// A value of a call with its classes.
struct Operand<'a> {
    sight: Sight<'a>,
    object: Option<u32>,
    receiver: Option<StateId>,
    argument: Option<StateId>,
}

impl Executions {
    pub fn new(techniques: Techniques) -> Executions {
        let arguments = (techniques.arguments != techniques.receiver).then(|| for_technique(techniques.arguments));
        Executions {
            techniques,
            receiver: for_technique(techniques.receiver),
            arguments,
            members: Vec::new(),
            member_numbers: FxHashMap::default(),
            numbers: Vec::new(),
            executions: FxHashMap::default(),
            joint: FxHashMap::default(),
            lists: FxHashMap::default(),
            argument_calls: FxHashMap::default(),
            member_of: Vec::new(),
            epoch: 0,
            fallbacks: Fallbacks::new(),
            objects: FxHashMap::default(),
        }
    }

    /// How many classes of equivalent method executions there are so far.
    pub fn count(&self) -> usize {
        self.member_of.len()
    }

    pub fn fallbacks(&self) -> &Fallbacks {
        &self.fallbacks
    }

    /// The member that such an execution is of.
    pub fn member_of(&self, execution: ExecutionId) -> Option<&ObservedMember> {
        self.members.get(*self.member_of.get(execution.0 as usize)? as usize)
    }

    /// All runs of a suite, in order: one list of calls per run. Equals-classes of different suites are matched by state.
    pub fn read(&mut self, suite: &ObservedSuite) -> Vec<Vec<CallKeys>> {
        let runs = suite.runs.iter().map(|run| self.run(&suite.members, run)).collect();
        self.next_suite();
        runs
    }

    /// What is read from here on belongs to another suite.
    pub fn next_suite(&mut self) {
        self.epoch += 1;
        self.numbers.clear();
    }

    /// Members of all suites, by number.
    pub fn members(&self) -> &[ObservedMember] {
        &self.members
    }

    /// The numbers of the current suite's members, to which there may only be added.
    pub fn numbers(&mut self, members: &[ObservedMember]) -> &[u32] {
        for member in members.iter().skip(self.numbers.len()) {
            let number = self.number(member);
            self.numbers.push(number);
        }
        &self.numbers
    }

    fn number(&mut self, member: &ObservedMember) -> u32 {
        *self.member_numbers.entry(member.clone()).or_insert_with(|| {
            self.members.push(member.clone());
            self.members.len() as u32 - 1
        })
    }

    /// The next run of the current suite.
    pub fn run(&mut self, members: &[ObservedMember], run: &TestRun) -> Vec<CallKeys> {
        self.objects.clear();
        self.numbers(members);
        // A call of a member that nobody listed cannot be told from others: it is left out, as if not recorded.
        run.calls.iter().filter_map(|call| Some(self.call(*self.numbers.get(call.member as usize)?, call))).collect()
    }

    fn call(&mut self, member: u32, call: &ObservedCall) -> CallKeys {
        let has_receiver = call.receiver.is_some();
        let mut operands: SmallVec<[Operand<'_>; 4]> = SmallVec::new();
        for (i, value) in call.receiver.iter().chain(&call.arguments).enumerate() {
            let operand = self.operand(value, has_receiver && i == 0);
            operands.push(operand);
        }
        let mut key: Key = SmallVec::new();
        key.push(member);
        for operand in operands.iter().skip(usize::from(has_receiver)) {
            key.extend(operand.argument.map(|id| id.0));
        }
        let next = self.lists.len() as u32;
        let arguments = *self.lists.entry(key.clone()).or_insert(next);
        let execution = self.execution(member, call, key, &operands);
        let mut states: SmallVec<[StateId; 2]> = SmallVec::new();
        if let Some(receiver) = operands.first().filter(|_| has_receiver).and_then(|o| o.receiver) {
            states.push(receiver);
        }
        self.follow(member, execution, call, &operands);
        let made = match &call.end {
            CallEnd::Returned(Some(value @ ObservedValue::Object(_))) if !has_receiver => Some(value),
            _ => None,
        };
        if let Some(value) = made
            && let Some(state) = self.operand(value, true).receiver
        {
            states.push(state);
        }
        let thrown = match &call.end {
            CallEnd::Threw(class) => Some(class.clone()),
            CallEnd::Returned(_) | CallEnd::Open => None,
        };
        CallKeys { member, execution, arguments, states, thrown }
    }

    /// Classes of a value as it is now. Techniques that follow history need both, the others only the one asked for.
    fn operand<'a>(&mut self, value: &'a ObservedValue, as_receiver: bool) -> Operand<'a> {
        let sight = Sight { epoch: self.epoch, ..Sight::observed(value) };
        let object = match value {
            ObservedValue::Object(object) => Some(object.object),
            ObservedValue::Plain(_) => None,
        };
        let known = object.and_then(|o| self.objects.get(&o)).copied();
        // What changed behind the back of its history begins anew.
        let known = known.filter(|k| k.state.is_none() || sight.state.is_none() || k.state == sight.state);
        let follow = object.is_some();
        let mut classify = |classifier: &mut dyn StateClassifier, asked: bool, known: Option<StateId>| {
            let historic = classifier.follows_history();
            if !(asked || historic && follow) {
                return None;
            }
            if let Some(known) = known.filter(|_| historic) {
                return Some(known);
            }
            if asked && let (Some(reason), Some(class)) = (classifier.fallback(&sight), sight.class) {
                *self.fallbacks.entry((class.clone(), reason)).or_default() += 1;
            }
            Some(classifier.classify(&sight).id())
        };
        let (receiver, argument) = match &mut self.arguments {
            Some(arguments) => (
                classify(&mut *self.receiver, as_receiver, known.map(|k| k.receiver)),
                classify(&mut **arguments, !as_receiver, known.map(|k| k.argument)),
            ),
            None => {
                let class = classify(&mut *self.receiver, true, known.map(|k| k.receiver));
                (class, class)
            }
        };
        Operand { sight, object, receiver, argument }
    }

    fn execution(&mut self, member: u32, call: &ObservedCall, mut key: Key, operands: &[Operand<'_>]) -> ExecutionId {
        let next = ExecutionId(self.member_of.len() as u32);
        let id = match call.joint {
            Some(joint) if self.techniques == Techniques::both(Technique::WholeState) => {
                *self.joint.entry((member, halves(joint))).or_insert(next)
            }
            _ => {
                key.extend(operands.first().filter(|_| call.receiver.is_some()).and_then(|o| o.receiver).map(|r| r.0));
                let same =
                    |i: usize| operands[..i].iter().position(|o| o.object.is_some() && o.object == operands[i].object);
                if (1..operands.len()).any(|i| same(i).is_some()) {
                    key.extend((0..operands.len()).map(|i| same(i).map_or(0, |at| at as u32 + 1)));
                }
                *self.executions.entry(key).or_insert(next)
            }
        };
        if id == next {
            self.member_of.push(member);
        }
        id
    }

    /// What the call did to the histories of the objects that took part.
    fn follow(&mut self, member: u32, execution: ExecutionId, call: &ObservedCall, operands: &[Operand<'_>]) {
        let historic = self.receiver.follows_history() || self.arguments.as_ref().is_some_and(|a| a.follows_history());
        if !historic || call.end == CallEnd::Open {
            return;
        }
        let mut argument_call = execution;
        if self.arguments.is_some() {
            let mut key: Key = SmallVec::from_slice(&[member]);
            key.extend(operands.iter().filter_map(|o| o.argument).map(|id| id.0));
            let next = ExecutionId(self.argument_calls.len() as u32);
            argument_call = *self.argument_calls.entry(key).or_insert(next);
        }
        for (i, operand) in operands.iter().enumerate() {
            let Some(object) = operand.object else { continue };
            if operands[..i].iter().any(|o| o.object == Some(object)) {
                continue;
            }
            let written = call.written.get(i).copied().unwrap_or(true);
            let part = Part::Operand(i.min(255) as u8);
            let state = if written { None } else { operand.sight.state };
            let receiver = Origin { call: execution, part, before: operand.receiver, written };
            let argument = Origin { call: argument_call, before: operand.argument, ..receiver };
            self.remember(object, &operand.sight, receiver, argument, state);
        }
        if let CallEnd::Returned(Some(ObservedValue::Object(result))) = &call.end
            && !self.objects.contains_key(&result.object)
        {
            let origin = Origin { call: execution, part: Part::Result, before: None, written: true };
            let argument = Origin { call: argument_call, ..origin };
            self.remember(result.object, &Sight::object(result), origin, argument, result.state);
        }
    }

    fn remember(
        &mut self,
        object: u32,
        sight: &Sight<'_>,
        receiver: Origin,
        argument: Origin,
        state: Option<StateHash>,
    ) {
        let after = |classifier: &mut dyn StateClassifier, origin: Origin| {
            // Classes of the other techniques are found at the next sight.
            if classifier.follows_history() { classifier.classify(&sight.from(origin)).id() } else { StateId(u32::MAX) }
        };
        let receiver_class = after(&mut *self.receiver, receiver);
        let argument_class = match &mut self.arguments {
            Some(arguments) => after(&mut **arguments, argument),
            None => receiver_class,
        };
        self.objects.insert(object, Followed { receiver: receiver_class, argument: argument_class, state });
    }
}

#[cfg(test)]
mod tests;
