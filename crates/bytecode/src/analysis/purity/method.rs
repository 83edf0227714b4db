//! One method: what each of its instructions does to the graph. Owns that effect; the solver knows where calls go and
//! what callees do.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::convention::{self, Convention};
use super::graph::Graph;
use super::solver::Purity;
use super::summary::{Exact, FIRST_SITE, FIXED, FRESH, GLOBAL, MOST_PARAMS, Summary, THROWN, bit, bits, param};
use crate::analysis::body::{Act, Body, Dynamic, Invoke};
use crate::analysis::callees::CallKind;
use crate::analysis::walk::{Acting, walk};
use crate::names::{ClassName, FieldType};
use crate::world::MethodRef;

/// Where a call goes if the class of its receiver is not known.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    Methods(Arc<[MethodRef]>),
    Open(Option<Convention>),
}

/// A body with what does not depend on the caller.
pub(super) struct Prepared {
    pub body: Body,
    /// By act: the bit for the objects it makes.
    sites: Vec<u8>,
    /// By act, for calls.
    callees: Vec<Option<Callee>>,
    /// By act: reads a static field that holds an empty array for ever.
    empties: Vec<bool>,
}

impl Prepared {
    pub fn new(body: Body, solver: &mut Purity<'_>) -> Prepared {
        let mut sites = vec![FRESH; body.acts.len()];
        let mut next = FIRST_SITE;
        // Places that make objects themselves come first: their classes are known.
        for own in [true, false] {
            for (at, act) in body.acts.iter().enumerate() {
                let makes = match act {
                    Act::New(_) | Act::NewArray(_) => own,
                    Act::Invoke(_) | Act::Dynamic(_) => !own,
                    _ => false,
                };
                if makes && next < 64 {
                    sites[at] = next;
                    next += 1;
                }
            }
        }
        let callees = body
            .acts
            .iter()
            .map(|act| match act {
                Act::Invoke(invoke) => Some(match solver.dispatch(&invoke.call) {
                    Some(methods) => Callee::Methods(methods),
                    None => Callee::Open(convention::of(&invoke.call)),
                }),
                _ => None,
            })
            .collect();
        let empties = body
            .acts
            .iter()
            .map(|act| matches!(act, Act::Read { field, kind: FieldType::Array(_) } if field.is_static && solver.is_empty_array(field)))
            .collect();
        Prepared { body, sites, callees, empties }
    }

    /// Methods that are called whatever the receivers are.
    pub fn methods(&self) -> impl Iterator<Item = &MethodRef> {
        self.callees.iter().flatten().flat_map(|callee| match callee {
            Callee::Methods(methods) => &methods[..],
            Callee::Open(_) => &[],
        })
    }
}

impl Prepared {
    /// The calls that a subclass may redirect: `java/util/Vector.size()I`.
    pub fn virtuals(&self) -> BTreeSet<String> {
        let calls = self.body.acts.iter().zip(&self.callees).filter_map(|pair| match pair {
            (Act::Invoke(invoke), Some(Callee::Methods(_))) => Some(&invoke.call),
            _ => None,
        });
        calls
            .filter(|call| matches!(call.kind, CallKind::Virtual | CallKind::Interface))
            .filter_map(|call| call.class().map(|class| format!("{class}.{}{}", call.name, call.descriptor)))
            .collect()
    }
}

/// The set for values whose type says everything: strings and boxes never change, classes are shared by all code.
pub(super) fn known_set(t: &FieldType) -> Option<u64> {
    let FieldType::Class(name) = t else { return None };
    match name.internal() {
        "java/lang/String"
        | "java/lang/Boolean"
        | "java/lang/Byte"
        | "java/lang/Character"
        | "java/lang/Short"
        | "java/lang/Integer"
        | "java/lang/Long"
        | "java/lang/Float"
        | "java/lang/Double" => Some(bit(FIXED)),
        "java/lang/Class" => Some(bit(GLOBAL)),
        _ => None,
    }
}

/// An array of primitive values.
fn is_leaf(t: &FieldType) -> bool {
    matches!(t, FieldType::Array(element) if matches!(**element, FieldType::Primitive(_)))
}

/// Caches of strings, which are invisible.
fn is_hidden_cache(class: &ClassName, field: &str) -> bool {
    class.internal() == "java/lang/String" && matches!(field, "hash" | "hashIsZero")
}

/// Analyses a method with what is known of its callees by now. `key` is its number, `exact` the receiver's class if
/// that is known.
pub(super) fn analyse(solver: &mut Purity<'_>, key: u32, method: &MethodRef, exact: Option<&ClassName>) -> Summary {
    let m = method.info();
    let receiver = usize::from(!m.access.is_static());
    let params = receiver + m.descriptor.params.len();
    let Some(prepared) = solver.prepared(method) else { return Summary::worst(params) };
    let mut graph = Graph::new(params, m.is_constructor());
    let mut entry = Vec::new();
    if receiver == 1 {
        entry.push(bit(param(0)));
        if let Some(class) = exact {
            graph.exact[usize::from(param(0))] = Exact::Class(class.clone());
        }
    }
    for (index, t) in m.descriptor.params.iter().enumerate() {
        entry.push(match t {
            FieldType::Primitive(_) => 0,
            t => known_set(t).unwrap_or(bit(param(index + receiver))),
        });
        entry.extend((1..t.width()).map(|_| 0));
        if is_leaf(t) && index + receiver + 1 < MOST_PARAMS {
            graph.leaf(param(index + receiver));
        }
    }
    let mut run = Run { graph, prepared: &prepared, solver, key };
    loop {
        run.graph.changed = false;
        if walk(&prepared.body, &entry, &mut run).is_err() {
            return Summary::worst(params);
        }
        if !run.graph.changed {
            return run.graph.summary();
        }
    }
}

struct Run<'r, 'w> {
    graph: Graph,
    prepared: &'r Prepared,
    solver: &'r mut Purity<'w>,
    key: u32,
}

impl Run<'_, '_> {
    fn invoke(&mut self, index: usize, invoke: &Invoke, words: &[u64]) -> u64 {
        let is_static = invoke.call.kind == CallKind::Static;
        let mut arguments: Vec<u64> = Vec::with_capacity(words.len());
        let mut at = 0;
        if !is_static {
            arguments.push(words.first().copied().unwrap_or(0));
            at = 1;
        }
        for t in &invoke.descriptor.params {
            arguments.push(words.get(at).copied().unwrap_or(0));
            at += usize::from(t.width());
        }
        let result = self.call(index, invoke, &arguments, is_static);
        match &invoke.descriptor.result {
            None | Some(FieldType::Primitive(_)) => 0,
            Some(t) => known_set(t).unwrap_or(result),
        }
    }

    fn call(&mut self, index: usize, invoke: &Invoke, arguments: &[u64], is_static: bool) -> u64 {
        let site = self.prepared.sites[index];
        let classes = if is_static { None } else { self.classes(arguments[0]) };
        if !is_static && arguments[0] == 0 {
            // Null, or not known to be anything yet.
            return 0;
        }
        if matches!(invoke.call.kind, CallKind::Virtual | CallKind::Interface)
            && let Some(classes) = &classes
        {
            let mut result = 0;
            let mut all_found = true;
            for class in classes {
                let found = self.solver.exactly(class, &invoke.call.name, &invoke.call.descriptor);
                match found {
                    Some(method) => result |= self.callee(index, &method, Some(class), arguments),
                    None => all_found = false,
                }
            }
            if all_found {
                return result;
            }
        }
        match &self.prepared.callees[index] {
            Some(Callee::Methods(methods)) => {
                // Called without selection, as constructors are: the receiver's class is passed on if there is only
                // one.
                let class = match classes.as_deref() {
                    Some([class]) if invoke.call.kind == CallKind::Special => Some(class),
                    _ => None,
                };
                let mut result = 0;
                for method in methods.iter() {
                    result |= self.callee(index, method, class, arguments);
                }
                result
            }
            Some(Callee::Open(Some(convention))) => self.conventional(*convention, arguments, site),
            _ => self.graph.anything(arguments),
        }
    }

    fn callee(&mut self, index: usize, method: &MethodRef, class: Option<&ClassName>, arguments: &[u64]) -> u64 {
        let summary = self.solver.callee(self.key, method, class);
        let once = !self.prepared.body.repeats[index];
        self.graph.call(&summary, arguments, self.prepared.sites[index], once)
    }

    /// The classes of the objects in a set, if all of them are known.
    fn classes(&self, set: u64) -> Option<Vec<ClassName>> {
        let mut classes: Vec<ClassName> = Vec::new();
        for n in bits(set) {
            match &self.graph.exact[usize::from(n)] {
                Exact::Class(class) if !classes.contains(class) => classes.push(class.clone()),
                Exact::Class(_) => {}
                _ => return None,
            }
        }
        (!classes.is_empty()).then_some(classes)
    }

    fn conventional(&mut self, convention: Convention, arguments: &[u64], site: u8) -> u64 {
        let given = arguments.iter().fold(0, |all, a| all | a);
        let everything = given | self.graph.reach(given);
        self.graph.ask(everything);
        match convention {
            Convention::Question => 0,
            Convention::Part => self.graph.reach(arguments[0]),
            Convention::View => {
                self.graph.made(site, &Exact::Unknown);
                self.graph.link(bit(site), everything);
                bit(site)
            }
            Convention::Advance => {
                self.graph.write(arguments[0]);
                self.graph.reach(arguments[0])
            }
        }
    }

    fn dynamic(&mut self, index: usize, dynamic: &Dynamic, words: &[u64]) -> u64 {
        let given = words.iter().fold(0, |all, a| all | a);
        let site = self.prepared.sites[index];
        match dynamic.factory.internal() {
            "java/lang/invoke/LambdaMetafactory" => {
                self.graph.made(site, &Exact::Unknown);
                self.graph.link(bit(site), given);
                bit(site)
            }
            "java/lang/invoke/StringConcatFactory" | "java/lang/runtime/ObjectMethods" => {
                let everything = given | self.graph.reach(given);
                self.graph.ask(everything);
                bit(FIXED)
            }
            "java/lang/runtime/SwitchBootstraps" => 0,
            _ => self.graph.anything(words),
        }
    }
}

impl Acting for Run<'_, '_> {
    fn act(&mut self, index: usize, act: &Act, words: &[u64]) -> u64 {
        self.graph.begin(index);
        match act {
            Act::Constant { literal: true } => bit(FIXED),
            Act::Constant { literal: false } => bit(GLOBAL),
            Act::New(class) => {
                let t = FieldType::Class(class.clone());
                if let Some(set) = known_set(&t) {
                    return set;
                }
                let site = self.prepared.sites[index];
                self.graph.made(site, &Exact::Class(class.clone()));
                bit(site)
            }
            Act::NewArray(t) => {
                let site = self.prepared.sites[index];
                self.graph.made(site, &Exact::Unknown);
                if is_leaf(t) && site != FRESH {
                    self.graph.leaf(site);
                }
                bit(site)
            }
            Act::Read { kind: FieldType::Primitive(_), .. } => 0,
            Act::Read { field, kind } => match known_set(kind) {
                Some(set) => set,
                None if self.prepared.empties[index] => bit(FIXED),
                None if field.is_static => self.graph.load(bit(GLOBAL)),
                None => self.graph.load(words[0]),
            },
            Act::Write { field, kind } => {
                let is_reference = !matches!(kind, FieldType::Primitive(_));
                let (base, value) = match field.is_static {
                    true => (bit(GLOBAL), words[0]),
                    false => (words[0], words[1]),
                };
                if !is_hidden_cache(&field.owner, &field.name) {
                    self.graph.write(base);
                    if is_reference {
                        self.graph.link(base, value);
                    }
                }
                0
            }
            Act::ArrayLoad(None) => self.graph.load(words[0]),
            Act::ArrayLoad(Some(_)) => 0,
            Act::ArrayStore(element) => {
                self.graph.write(words[0]);
                if element.is_none() {
                    self.graph.link(words[0], words[2]);
                }
                0
            }
            Act::Cast(to) => match known_set(to) {
                Some(set) if words[0] != 0 => set,
                _ => words[0],
            },
            Act::Test(_) => 0,
            Act::Invoke(invoke) => self.invoke(index, invoke, words),
            Act::Dynamic(dynamic) => self.dynamic(index, dynamic, words),
            Act::Return => {
                self.graph.give(words[0]);
                0
            }
            Act::Throw => {
                self.graph.throw(words[0]);
                0
            }
        }
    }

    fn caught(&self) -> u64 {
        // What the JVM throws by itself is new.
        self.graph.thrown | bit(THROWN)
    }
}
