//! What methods define and use: fields, elements of arrays, types asked for, types required and given; of one method
//! and of everything it may call. Owns these facts and the question whether one call can matter to a later one; knows
//! nothing of sequences.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Act, Body};
use super::callees::Call;
use super::fields::FieldAccess;
use super::targets::{Dispatch, Targets, is_question};
use super::walk::{Acting, walk};
use crate::names::{ClassName, FieldType, Primitive};
use crate::raw::RawClass;
use crate::world::{MethodRef, World};

/// A field by the class that declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field {
    pub class: ClassName,
    pub name: String,
    pub is_static: bool,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class.simple_binary(), self.name)
    }
}

/// The facts. `java/util/List` among the opaque types means: a method of a list is called that is not followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    pub defines: BTreeSet<Field>,
    pub uses: BTreeSet<Field>,
    /// Array types, elements of which are written or read.
    pub stores: BTreeSet<FieldType>,
    pub loads: BTreeSet<FieldType>,
    /// Types cast to, and types tested for by `instanceof` and pattern switches.
    pub casts: BTreeSet<FieldType>,
    pub tests: BTreeSet<FieldType>,
    /// Types whose objects may be changed or read by methods that are not followed.
    pub opaque_defines: BTreeSet<ClassName>,
    pub opaque_uses: BTreeSet<ClassName>,
    /// Reference types that the method itself needs: its receiver first, then its parameters.
    pub requires: Vec<FieldType>,
    /// The reference type it gives; a constructor gives its class.
    pub returns: Option<FieldType>,
}

/// Why one call can matter to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Influence {
    /// Its result fits what the later one needs.
    ReturnArgument,
    /// It writes a field that the later one reads.
    DefineUse,
    /// It writes into arrays of a type that the later one reads from.
    StoreLoad,
}

impl Flow {
    /// The ways in which a call with these facts can matter to a later call with those.
    pub fn influences(&self, later: &Flow, world: &World) -> Vec<Influence> {
        let mut found = Vec::new();
        if let Some(given) = &self.returns
            && later.requires.iter().any(|wanted| world.is_assignable(given, wanted))
        {
            found.push(Influence::ReturnArgument);
        }
        let related = |a: &ClassName, b: &ClassName| {
            // Unknown relations count: one type may be the other.
            world.is_subclass(a, b) != Some(false) || world.is_subclass(b, a) != Some(false)
        };
        let opaque = || self.opaque_defines.iter().any(|a| later.opaque_uses.iter().any(|b| related(a, b)));
        if self.defines.intersection(&later.uses).next().is_some() || opaque() {
            found.push(Influence::DefineUse);
        }
        let same = |a: &FieldType, b: &FieldType| world.is_assignable(a, b) || world.is_assignable(b, a);
        if self.stores.iter().any(|a| later.loads.iter().any(|b| same(a, b))) {
            found.push(Influence::StoreLoad);
        }
        found
    }

    /// Adds what a callee does, but not what it needs and gives.
    fn add(&mut self, other: &Flow) {
        self.defines.extend(other.defines.iter().cloned());
        self.uses.extend(other.uses.iter().cloned());
        self.stores.extend(other.stores.iter().cloned());
        self.loads.extend(other.loads.iter().cloned());
        self.casts.extend(other.casts.iter().cloned());
        self.tests.extend(other.tests.iter().cloned());
        self.opaque_defines.extend(other.opaque_defines.iter().cloned());
        self.opaque_uses.extend(other.opaque_uses.iter().cloned());
    }
}

/// Which calls to go into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Those to classes of the class path; the JDK's objects are opaque.
    Application,
    Everything,
}

type MethodKey = (ClassName, usize);

/// The facts of one world's methods, each found once.
pub struct DataFlow<'w> {
    targets: Targets<'w>,
    follow: Follow,
    direct: FxHashMap<MethodKey, Arc<Direct>>,
    whole: FxHashMap<MethodKey, Arc<Flow>>,
}

struct Direct {
    flow: Flow,
    callees: Vec<MethodRef>,
}

impl<'w> DataFlow<'w> {
    pub fn new(world: &'w World, follow: Follow) -> DataFlow<'w> {
        DataFlow { targets: Targets::new(world), follow, direct: FxHashMap::default(), whole: FxHashMap::default() }
    }

    /// What the method itself does.
    pub fn direct(&mut self, method: &MethodRef) -> Flow {
        self.read(method).flow.clone()
    }

    /// What the method and everything it may call do.
    pub fn whole(&mut self, method: &MethodRef) -> Arc<Flow> {
        let key = (method.owner().clone(), method.index);
        if let Some(known) = self.whole.get(&key) {
            return known.clone();
        }
        let first = self.read(method);
        let mut flow = first.flow.clone();
        let mut seen: FxHashSet<MethodKey> = FxHashSet::from_iter([key.clone()]);
        let mut queue: VecDeque<MethodRef> = first.callees.iter().cloned().collect();
        while let Some(callee) = queue.pop_front() {
            let at = (callee.owner().clone(), callee.index);
            if !seen.insert(at.clone()) {
                continue;
            }
            // A finished answer includes everything it depends on.
            if let Some(known) = self.whole.get(&at) {
                flow.add(known);
                continue;
            }
            let next = self.read(&callee);
            flow.add(&next.flow);
            queue.extend(next.callees.iter().cloned());
        }
        let flow = Arc::new(flow);
        self.whole.insert(key, flow.clone());
        flow
    }

    fn read(&mut self, method: &MethodRef) -> Arc<Direct> {
        let key = (method.owner().clone(), method.index);
        if let Some(known) = self.direct.get(&key) {
            return known.clone();
        }
        let mut direct = Direct { flow: signature(method), callees: Vec::new() };
        if method.info().is_constructor() {
            // Whatever it does not write is zero or null afterwards.
            let fields = method.class.fields.iter().filter(|f| !f.access.is_static());
            let own = fields.map(|f| Field { class: method.owner().clone(), name: f.name.clone(), is_static: false });
            direct.flow.defines.extend(own);
        }
        match self.body(method) {
            Some(body) => self.collect(&body, method, &mut direct),
            // Native, abstract or unreadable: it may do anything to its own object.
            None => {
                direct.flow.opaque_defines.insert(method.owner().clone());
                direct.flow.opaque_uses.insert(method.owner().clone());
            }
        }
        let direct = Arc::new(direct);
        self.direct.insert(key, direct.clone());
        direct
    }

    fn body(&self, method: &MethodRef) -> Option<Body> {
        let bytes = self.targets.world().bytes(method.owner()).ok()?;
        let raw = RawClass::parse(&bytes).ok()?;
        let code = raw.code(raw.methods.get(method.index)?).ok()??;
        Body::read(&raw, &code).ok()
    }

    fn collect(&mut self, body: &Body, method: &MethodRef, direct: &mut Direct) {
        for act in &body.acts {
            match act {
                Act::Read { field, .. } => {
                    direct.flow.uses.insert(self.field(field));
                }
                Act::Write { field, .. } => {
                    direct.flow.defines.insert(self.field(field));
                }
                Act::Cast(to) => {
                    direct.flow.casts.insert(to.clone());
                }
                Act::Test(to) => {
                    direct.flow.tests.insert(to.clone());
                }
                Act::Invoke(invoke) => self.call(&invoke.call, direct),
                Act::Dynamic(dynamic) => {
                    if dynamic.factory.internal() == "java/lang/runtime/SwitchBootstraps" {
                        direct.flow.tests.extend(dynamic.classes.iter().cloned());
                    }
                    for handle in &dynamic.handles {
                        self.call(handle, direct);
                    }
                }
                _ => {}
            }
        }
        let mut arrays = Arrays { types: Vec::new(), loads: BTreeSet::new(), stores: BTreeSet::new() };
        let entry = arrays.entry(method);
        if walk(body, &entry, &mut arrays).is_err() {
            arrays.all(body);
        }
        direct.flow.loads.extend(arrays.loads);
        direct.flow.stores.extend(arrays.stores);
    }

    /// The field with the class that declares it.
    fn field(&self, access: &FieldAccess) -> Field {
        let found = self.targets.world().resolve_field(&access.owner, &access.name, &access.descriptor);
        let class = found.map_or_else(|| access.owner.clone(), |f| f.owner().clone());
        Field { class, name: access.name.clone(), is_static: access.is_static }
    }

    fn call(&mut self, call: &Call, direct: &mut Direct) {
        let world = self.targets.world();
        let follow = self.follow;
        let followed = |class: &ClassName| follow == Follow::Everything || world.is_application(class);
        let dispatch = self.targets.of(call);
        let mut opaque = matches!(dispatch, Dispatch::Open);
        if let Dispatch::Closed(methods) = dispatch {
            for method in methods.iter() {
                if followed(method.owner()) {
                    direct.callees.push(method.clone());
                } else {
                    opaque = true;
                }
            }
        }
        if let (true, Some(class)) = (opaque, call.class()) {
            // Nothing is known of a bare `Object`, and every object has its constructor.
            let bare = class.internal() == "java/lang/Object";
            if is_question(&call.name, &call.descriptor) {
                direct.flow.opaque_uses.insert(class.clone());
            } else if !bare {
                direct.flow.opaque_defines.insert(class.clone());
                direct.flow.opaque_uses.insert(class.clone());
            }
        }
    }
}

/// What the method's descriptor says.
fn signature(method: &MethodRef) -> Flow {
    let m = method.info();
    let own = FieldType::Class(method.owner().clone());
    let receiver = (!m.access.is_static() && !m.is_constructor()).then(|| own.clone());
    let is_reference = |t: &&FieldType| !matches!(t, FieldType::Primitive(_));
    let params = m.descriptor.params.iter().filter(is_reference).cloned();
    let returns = match m.is_constructor() {
        true => Some(own),
        false => m.descriptor.result.clone().filter(|t| is_reference(&t)),
    };
    Flow { requires: receiver.into_iter().chain(params).collect(), returns, ..Flow::default() }
}

/// Which arrays a word may hold: a bit per array type of the method.
struct Arrays {
    types: Vec<FieldType>,
    loads: BTreeSet<FieldType>,
    stores: BTreeSet<FieldType>,
}

/// Stands for all array types beyond the 63rd.
const OTHER: u64 = 1 << 63;

impl Arrays {
    fn set(&mut self, t: &FieldType) -> u64 {
        if !matches!(t, FieldType::Array(_)) {
            return 0;
        }
        let at = self.types.iter().position(|known| known == t).unwrap_or_else(|| {
            self.types.push(t.clone());
            self.types.len() - 1
        });
        if at < 63 { 1 << at } else { OTHER }
    }

    fn entry(&mut self, method: &MethodRef) -> Vec<u64> {
        let m = method.info();
        let mut locals = Vec::new();
        if !m.access.is_static() {
            locals.push(0);
        }
        for param in &m.descriptor.params {
            locals.push(self.set(param));
            locals.extend((1..param.width()).map(|_| 0));
        }
        locals
    }

    /// The array types a set means; what the instruction itself says if the set says nothing.
    fn types(&self, set: u64, element: Option<Primitive>) -> Vec<FieldType> {
        let mut found: Vec<FieldType> =
            (0..self.types.len().min(63)).filter(|n| set & 1 << n != 0).map(|n| self.types[n].clone()).collect();
        if found.is_empty() || set & OTHER != 0 {
            found.push(array_of(element));
        }
        found
    }

    /// For code that cannot be walked over: what the instructions alone say.
    fn all(&mut self, body: &Body) {
        for act in &body.acts {
            match act {
                Act::ArrayLoad(element) => self.loads.insert(array_of(*element)),
                Act::ArrayStore(element) => self.stores.insert(array_of(*element)),
                _ => false,
            };
        }
    }
}

fn array_of(element: Option<Primitive>) -> FieldType {
    let object = || FieldType::Class(ClassName::new("java/lang/Object"));
    FieldType::Array(Box::new(element.map_or_else(object, FieldType::Primitive)))
}

impl Acting for Arrays {
    fn act(&mut self, _: usize, act: &Act, arguments: &[u64]) -> u64 {
        match act {
            Act::NewArray(t) | Act::Read { kind: t, .. } | Act::Cast(t) => self.set(t),
            Act::Invoke(invoke) if invoke.call.name == "clone" => self.set(&invoke.call.owner),
            Act::Invoke(invoke) => invoke.descriptor.result.as_ref().map_or(0, |t| self.set(t)),
            Act::Dynamic(dynamic) => dynamic.descriptor.result.as_ref().map_or(0, |t| self.set(t)),
            Act::ArrayLoad(element) => {
                let types = self.types(arguments[0], *element);
                let mut result = 0;
                for t in types {
                    if let FieldType::Array(element) = &t {
                        result |= self.set(element);
                    }
                    self.loads.insert(t);
                }
                result
            }
            Act::ArrayStore(element) => {
                self.stores.extend(self.types(arguments[0], *element));
                0
            }
            _ => 0,
        }
    }

    fn caught(&self) -> u64 {
        0
    }
}
