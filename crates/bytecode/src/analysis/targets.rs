//! Which methods a call may end up in, by the class hierarchy alone. Owns the index of subclasses and the answers;
//! where too many methods are possible, or any class may add one, the answer is "open".

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::callees::{Call, CallKind};
use crate::names::{ClassName, FieldType};
use crate::world::{MethodRef, World};

/// With more possible methods than this the answer is "open".
const MOST_TARGETS: usize = 12;
/// A type with more subclasses than this is not searched.
const MOST_CLASSES: usize = 400;

/// Where a call may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// One of these; nothing at all if no class has such a method.
    Closed(Arc<[MethodRef]>),
    /// Anywhere: too many classes have such a method, or a lambda may be behind it, or the method is unknown.
    Open,
}

/// Answers for one world, kept.
pub struct Targets<'w> {
    world: &'w World,
    /// Direct subclasses and subinterfaces.
    below: FxHashMap<ClassName, Vec<ClassName>>,
    virtuals: FxHashMap<(ClassName, String, String), Dispatch>,
    selected: FxHashMap<(ClassName, String, String), Option<MethodRef>>,
    functional: FxHashMap<ClassName, bool>,
}

impl<'w> Targets<'w> {
    pub fn new(world: &'w World) -> Targets<'w> {
        let mut below: FxHashMap<ClassName, Vec<ClassName>> = FxHashMap::default();
        for name in world.all_names() {
            let Some(outline) = world.outline(&name) else { continue };
            for above in outline.superclass.iter().chain(&outline.interfaces) {
                below.entry(above.clone()).or_default().push(name.clone());
            }
        }
        Targets {
            world,
            below,
            virtuals: FxHashMap::default(),
            selected: FxHashMap::default(),
            functional: FxHashMap::default(),
        }
    }

    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Where a call may go if the class of the receiver is unknown.
    pub fn of(&mut self, call: &Call) -> Dispatch {
        let FieldType::Class(owner) = &call.owner else {
            // Arrays have the methods of `Object`, and a `clone` of their own.
            let object = ClassName::new("java/lang/Object");
            return match self.world.resolve_method(&object, &call.name, &call.descriptor) {
                Some(method) => Dispatch::Closed([method].into()),
                None => Dispatch::Open,
            };
        };
        let Some(resolved) = self.world.resolve_method(owner, &call.name, &call.descriptor) else {
            return Dispatch::Open;
        };
        let m = resolved.info();
        let fixed = m.access.is_static()
            || m.access.is_private()
            || m.is_constructor()
            || m.access.is_final()
            || call.kind == CallKind::Special
            || self.world.outline(owner).is_some_and(|o| o.access.is_final() && !o.access.is_interface());
        if fixed {
            return Dispatch::Closed([resolved].into());
        }
        let key = (owner.clone(), call.name.clone(), call.descriptor.clone());
        if let Some(known) = self.virtuals.get(&key) {
            return known.clone();
        }
        let found = if m.access.is_abstract() && self.is_functional(owner) {
            Dispatch::Open
        } else {
            self.below(owner, &call.name, &call.descriptor)
        };
        self.virtuals.insert(key, found.clone());
        found
    }

    /// The method that an object of exactly this class runs.
    pub fn exactly(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Option<MethodRef> {
        let key = (class.clone(), name.to_owned(), descriptor.to_owned());
        if let Some(known) = self.selected.get(&key) {
            return known.clone();
        }
        let found = self.select(class, name, descriptor);
        self.selected.insert(key, found.clone());
        found
    }

    fn select(&self, class: &ClassName, name: &str, descriptor: &str) -> Option<MethodRef> {
        let mut chain = vec![class.clone()];
        chain.extend(self.world.superclasses(class));
        for class in chain.iter().filter_map(|n| self.world.class(n).ok()) {
            let position = class.methods.iter().position(|m| {
                m.name == name && m.raw_descriptor == descriptor && !m.access.is_static() && !m.access.is_private()
            });
            if let Some(index) = position {
                return Some(MethodRef { class, index });
            }
        }
        self.world.resolve_method(class, name, descriptor).filter(|m| m.class.is_interface())
    }

    /// The methods that objects of the class, or of one below it, run.
    fn below(&mut self, owner: &ClassName, name: &str, descriptor: &str) -> Dispatch {
        let mut seen: FxHashSet<ClassName> = FxHashSet::default();
        let mut queue = vec![owner.clone()];
        let mut found: Vec<MethodRef> = Vec::new();
        while let Some(class) = queue.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            if seen.len() > MOST_CLASSES {
                return Dispatch::Open;
            }
            queue.extend(self.below.get(&class).into_iter().flatten().cloned());
            let instantiable = self.world.outline(&class).is_some_and(|o| !o.access.is_abstract());
            if !instantiable {
                continue;
            }
            match self.exactly(&class, name, descriptor) {
                Some(method) if !found.contains(&method) => found.push(method),
                Some(_) => {}
                None => return Dispatch::Open,
            }
            if found.len() > MOST_TARGETS {
                return Dispatch::Open;
            }
        }
        found.sort_by(|a, b| (a.owner(), a.index).cmp(&(b.owner(), b.index)));
        Dispatch::Closed(found.into())
    }

    /// Whether a lambda may stand behind the type.
    fn is_functional(&mut self, class: &ClassName) -> bool {
        if let Some(known) = self.functional.get(class) {
            return *known;
        }
        let functional = self.world.functional_method(class).is_some();
        self.functional.insert(class.clone(), functional);
        functional
    }
}

/// Methods that by convention change nothing visible, whichever class implements them.
pub fn is_question(name: &str, descriptor: &str) -> bool {
    match name {
        "equals" => descriptor == "(Ljava/lang/Object;)Z",
        "hashCode" => descriptor == "()I",
        "toString" => descriptor == "()Ljava/lang/String;",
        "compareTo" => {
            descriptor.starts_with("(L") && descriptor.ends_with(";)I") && descriptor.matches(';').count() == 1
        }
        "compare" => descriptor == "(Ljava/lang/Object;Ljava/lang/Object;)I",
        _ => false,
    }
}
