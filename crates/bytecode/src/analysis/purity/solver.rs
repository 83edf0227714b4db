//! The summaries of all methods that matter to a question: callees first, and again where a callee turned out to do
//! more. Owns the order and the store; what one method does is `method`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::MethodPurity;
use super::known::known;
use super::method::{Prepared, analyse, known_set};
use super::store::{Line, closed};
use super::summary::Summary;
use crate::access::Access;
use crate::analysis::body::Body;
use crate::analysis::callees::Call;
use crate::analysis::fields::FieldAccess;
use crate::analysis::targets::{Dispatch, Targets};
use crate::instruction::{Instructions, opcode as op};
use crate::names::{ClassName, FieldType};
use crate::raw::RawClass;
use crate::world::{MethodRef, World};

/// Purity of the methods of one world; every answer is kept. The same questions give the same answers in any order.
pub struct Purity<'w> {
    targets: Targets<'w>,
    numbers: FxHashMap<(ClassName, usize, Option<ClassName>), u32>,
    entries: Vec<Entry>,
    /// To be analysed again, because a callee does more than was known.
    again: BTreeSet<u32>,
    /// Met while analysing, and not analysed themselves yet.
    met: Vec<u32>,
    prepared: FxHashMap<(ClassName, usize), Option<Arc<Prepared>>>,
    /// By class: its static fields that hold empty arrays for ever.
    empties: FxHashMap<ClassName, Arc<FxHashSet<String>>>,
    /// Summaries from an earlier run, by name.
    remembered: BTreeMap<String, Summary>,
    /// How many more analyses of methods there may be.
    left: u64,
}

struct Entry {
    method: MethodRef,
    /// The receiver's class, if it is known exactly.
    exact: Option<ClassName>,
    state: State,
    summary: Arc<Summary>,
    dependents: BTreeSet<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Its callees are being analysed.
    Begun,
    Done,
}

impl<'w> Purity<'w> {
    pub fn new(world: &'w World) -> Purity<'w> {
        Purity {
            targets: Targets::new(world),
            numbers: FxHashMap::default(),
            entries: Vec::new(),
            again: BTreeSet::new(),
            met: Vec::new(),
            prepared: FxHashMap::default(),
            empties: FxHashMap::default(),
            remembered: BTreeMap::new(),
            left: u64::MAX,
        }
    }

    /// With a limited number of analyses of methods: a question that would take more gets no verdict, nor does any
    /// after it.
    pub fn limited(self, analyses: u64) -> Purity<'w> {
        Purity { left: analyses, ..self }
    }

    /// The verdict on a method, if the limit allows it.
    pub fn verdict_within_limit(&mut self, method: &MethodRef, exact: Option<&ClassName>) -> Option<MethodPurity> {
        let verdict = self.verdict(method, exact);
        // An interrupted analysis may claim too much.
        (self.left > 0).then_some(verdict)
    }

    /// The verdict on a method, for receivers of exactly this class or, without one, of any class that has the method.
    pub fn verdict(&mut self, method: &MethodRef, exact: Option<&ClassName>) -> MethodPurity {
        let summary = self.summary(method, exact);
        let m = method.info();
        let receiver = (!m.access.is_static()).then_some(false);
        let fixed = |t: &FieldType| matches!(t, FieldType::Primitive(_)) || known_set(t).is_some();
        let fixed: Vec<bool> = receiver.into_iter().chain(m.descriptor.params.iter().map(fixed)).collect();
        summary.verdict(&fixed, m.is_constructor())
    }

    /// What the method does, in the form that can be kept and remembered.
    pub fn summary(&mut self, method: &MethodRef, exact: Option<&ClassName>) -> Arc<Summary> {
        let number = self.number(method, exact);
        self.solve(number);
        self.entries[number as usize].summary.clone()
    }

    /// How many methods were analysed so far; one counts again for each class of receivers.
    pub fn analysed(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn world(&self) -> &'w World {
        self.targets.world()
    }

    /// Accepts a summary of an earlier run.
    pub(super) fn take(&mut self, name: String, summary: Summary) {
        self.remembered.insert(name, summary);
    }

    /// What can be kept for later runs.
    pub(super) fn lines(&self) -> Vec<Line> {
        let world = self.targets.world();
        let mut callees: Vec<Vec<Option<u32>>> = vec![Vec::new(); self.entries.len()];
        let keeps = |entry: &Entry| {
            let classes = std::iter::once(entry.method.owner()).chain(&entry.exact);
            entry.state == State::Done && classes.into_iter().all(|c| !world.is_application(c))
        };
        for (at, entry) in self.entries.iter().enumerate() {
            let number = keeps(entry).then_some(at as u32);
            for &caller in &entry.dependents {
                callees[caller as usize].push(number);
            }
        }
        let (mut lines, mut numbers) = (Vec::new(), Vec::new());
        for ((at, entry), callees) in self.entries.iter().enumerate().zip(callees) {
            if keeps(entry) {
                let key = (entry.method.owner().clone(), entry.method.index);
                let prepared = self.prepared.get(&key).and_then(Option::as_deref);
                let virtuals = prepared.map(Prepared::virtuals).unwrap_or_default();
                let name = name_of(&entry.method, entry.exact.as_ref());
                lines.push((Line { name, summary: (*entry.summary).clone(), callees: Vec::new(), virtuals }, callees));
                numbers.push(at as u32);
            }
        }
        closed(lines, &numbers)
    }

    fn number(&mut self, method: &MethodRef, exact: Option<&ClassName>) -> u32 {
        let exact = exact.filter(|_| !method.info().access.is_static());
        let key = (method.owner().clone(), method.index, exact.cloned());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        // Far below 2³² methods fit into memory.
        let number = self.entries.len() as u32;
        let (mut state, mut summary) = (State::New, Summary::default());
        let m = method.info();
        let is_native = m.access.has(Access::NATIVE);
        if let Some(written_down) = known(method.owner().internal(), &m.name, &m.raw_descriptor, is_native) {
            (state, summary) = (State::Done, written_down);
        } else if let Some(earlier) = self.remembered.get(&name_of(method, exact)) {
            (state, summary) = (State::Done, earlier.clone());
        }
        self.entries.push(Entry {
            method: method.clone(),
            exact: exact.cloned(),
            state,
            summary: Arc::new(summary),
            dependents: BTreeSet::new(),
        });
        self.numbers.insert(key, number);
        number
    }

    /// Analyses a method and everything it needs, until nothing changes any more.
    fn solve(&mut self, number: u32) {
        let mut stack = vec![number];
        loop {
            while let Some(&top) = stack.last().filter(|_| self.left > 0) {
                match self.entries[top as usize].state {
                    State::New => {
                        self.entries[top as usize].state = State::Begun;
                        let method = self.entries[top as usize].method.clone();
                        let Some(prepared) = self.prepared(&method) else { continue };
                        for callee in prepared.methods() {
                            let callee = self.number(callee, None);
                            if self.entries[callee as usize].state == State::New {
                                stack.push(callee);
                            }
                        }
                    }
                    State::Begun => {
                        stack.pop();
                        self.analyse(top);
                        self.entries[top as usize].state = State::Done;
                        stack.append(&mut self.met);
                    }
                    State::Done => {
                        stack.pop();
                    }
                }
            }
            if self.left == 0 {
                return;
            }
            // The youngest first: they are the deepest.
            let Some(next) = self.again.pop_last() else { break };
            self.analyse(next);
            stack.append(&mut self.met);
        }
    }

    fn analyse(&mut self, number: u32) {
        self.left -= 1;
        let entry = &self.entries[number as usize];
        let (method, exact) = (entry.method.clone(), entry.exact.clone());
        let found = analyse(self, number, &method, exact.as_ref());
        let entry = &mut self.entries[number as usize];
        let mut summary = (*entry.summary).clone();
        if summary.join(&found) {
            entry.summary = Arc::new(summary);
            self.again.extend(entry.dependents.iter().copied());
        }
    }

    /// What is known of a callee by now; the caller is analysed again if that becomes more.
    pub(super) fn callee(&mut self, caller: u32, method: &MethodRef, exact: Option<&ClassName>) -> Arc<Summary> {
        let number = self.number(method, exact);
        let entry = &mut self.entries[number as usize];
        entry.dependents.insert(caller);
        if entry.state == State::New {
            self.met.push(number);
        }
        entry.summary.clone()
    }

    /// The methods a call may end up in; nothing if that is open.
    pub(super) fn dispatch(&mut self, call: &Call) -> Option<Arc<[MethodRef]>> {
        match self.targets.of(call) {
            Dispatch::Closed(methods) if !methods.is_empty() => Some(methods),
            _ => None,
        }
    }

    pub(super) fn exactly(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Option<MethodRef> {
        self.targets.exactly(class, name, descriptor)
    }

    pub(super) fn prepared(&mut self, method: &MethodRef) -> Option<Arc<Prepared>> {
        let key = (method.owner().clone(), method.index);
        if let Some(known) = self.prepared.get(&key) {
            return known.clone();
        }
        let body = self.body(method);
        let prepared = body.map(|body| Arc::new(Prepared::new(body, self)));
        self.prepared.insert(key, prepared.clone());
        prepared
    }

    fn body(&self, method: &MethodRef) -> Option<Body> {
        let bytes = self.targets.world().bytes(method.owner()).ok()?;
        let raw = RawClass::parse(&bytes).ok()?;
        let code = raw.code(raw.methods.get(method.index)?).ok()??;
        Body::read(&raw, &code).ok()
    }

    /// Whether a static field is filled once, with an array of length zero, which cannot be changed.
    pub(super) fn is_empty_array(&mut self, field: &FieldAccess) -> bool {
        let world = self.targets.world();
        let Some(found) = world.resolve_field(&field.owner, &field.name, &field.descriptor) else { return false };
        if !found.info().access.is_final() {
            return false;
        }
        let class = found.owner().clone();
        let known = self.empties.get(&class).cloned().unwrap_or_else(|| {
            let read = world.bytes(&class).ok().map(|bytes| empty_arrays(&bytes)).unwrap_or_default();
            let read = Arc::new(read);
            self.empties.insert(class, read.clone());
            read
        });
        known.contains(&field.name)
    }
}

/// Static fields that the class initialiser fills with `new T[0]`, and with nothing else.
fn empty_arrays(bytes: &[u8]) -> FxHashSet<String> {
    let read = || {
        let raw = RawClass::parse(bytes).ok()?;
        let method = raw.methods.iter().find(|m| m.name == "<clinit>")?;
        let code = raw.code(method).ok()??;
        let (mut empty, mut other) = (FxHashSet::default(), FxHashSet::default());
        let mut last = [0u8; 2];
        for i in Instructions::new(code.code, code.code_start) {
            let i = i.ok()?;
            if i.opcode == op::PUTSTATIC {
                let name = raw.pool.member(i.constant()?).ok()?.name.lossy().into_owned();
                let is_empty = last[0] == op::ICONST_0 && matches!(last[1], op::NEWARRAY | op::ANEWARRAY);
                if is_empty {
                    empty.insert(name)
                } else {
                    other.insert(name)
                };
            }
            last = [last[1], i.opcode];
        }
        empty.retain(|name| !other.contains(name));
        Some(empty)
    };
    read().unwrap_or_default()
}

/// A method's name in caches: its class, name and descriptor, and the receiver's class if that is known.
fn name_of(method: &MethodRef, exact: Option<&ClassName>) -> String {
    let m = method.info();
    let exact = exact.map_or("", ClassName::internal);
    format!("{}.{}{} {exact}", method.owner(), m.name, m.raw_descriptor)
}
