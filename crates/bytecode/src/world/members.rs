//! Members of a class with what it inherits. Owns overriding, resolution and the question which interfaces are
//! functional.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{World, WorldProblem};
use crate::access::Access;
use crate::class_info::{ClassInfo, FieldInfo, MethodInfo};
use crate::names::ClassName;

/// A method of a known class; cheap to clone.
#[derive(Clone)]
pub struct MethodRef {
    /// The class that declares it.
    pub class: Arc<ClassInfo>,
    /// Its place in `class.methods`, which is its place in the class file.
    pub index: usize,
}

/// A field of a known class; cheap to clone.
#[derive(Clone)]
pub struct FieldRef {
    pub class: Arc<ClassInfo>,
    pub index: usize,
}

impl MethodRef {
    pub fn info(&self) -> &MethodInfo {
        // Made by this module from an index into the same, immutable list.
        &self.class.methods[self.index]
    }
    /// The declaring class.
    pub fn owner(&self) -> &ClassName {
        &self.class.name
    }
}

impl FieldRef {
    pub fn info(&self) -> &FieldInfo {
        // Made by this module from an index into the same, immutable list.
        &self.class.fields[self.index]
    }
    pub fn owner(&self) -> &ClassName {
        &self.class.name
    }
}

impl PartialEq for MethodRef {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && self.class.name == other.class.name
    }
}

impl Eq for MethodRef {}

impl fmt::Debug for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.owner(), self.info().name, self.info().raw_descriptor)
    }
}

impl fmt::Debug for FieldRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}:{}", self.owner(), self.info().name, self.info().field_type)
    }
}

impl World {
    /// Declared methods and constructors in class-file order, then inherited methods: superclasses upwards, then
    /// interfaces. What is overridden or hidden is left out, as are class initialisers, inherited private methods and
    /// package-private ones of other packages; of `Object` an interface has the public methods. Bridges and synthetic
    /// methods are in, and say so by their flags. Missing supertypes add nothing.
    pub fn methods_of(&self, name: &ClassName) -> Result<Vec<MethodRef>, WorldProblem> {
        let own = self.class(name)?;
        let supertypes = self.all_supertypes(name);
        let known: Vec<Arc<ClassInfo>> = supertypes.iter().skip(1).filter_map(|n| self.class(n).ok()).collect();
        let mut found = Inherited { world: self, list: Vec::new(), by_key: FxHashMap::default() };
        found.add(&own, |m| !m.is_class_initializer());
        // What an interface inherits from other interfaces is nearer to it than `Object`.
        if own.is_interface() {
            found.add_interfaces(&known);
        }
        for class in self.superclasses(name).iter().filter_map(|n| known.iter().find(|c| c.name == *n)) {
            let same_package = class.name.package() == name.package();
            let visible = |access: Access| match own.is_interface() {
                true => access.is_public(),
                false => !access.is_private() && (same_package || !access.is_package_private()),
            };
            found.add(class, |m| !m.is_class_initializer() && !m.is_constructor() && visible(m.access));
        }
        if !own.is_interface() {
            found.add_interfaces(&known);
        }
        Ok(found.list)
    }

    /// The method a reference means (JVMS 5.4.3.3, 5.4.3.4): superclasses first, then the most specific interface's.
    pub fn resolve_method(&self, owner: &ClassName, name: &str, descriptor: &str) -> Option<MethodRef> {
        let mut chain = vec![owner.clone()];
        chain.extend(self.superclasses(owner));
        for class in chain.iter().filter_map(|n| self.class(n).ok()) {
            if let Some(index) = position(&class, name, descriptor) {
                return Some(MethodRef { class, index });
            }
        }
        let mut best: Option<MethodRef> = None;
        for class in self.all_supertypes(owner).iter().filter_map(|n| self.class(n).ok()) {
            let Some(index) = position(&class, name, descriptor) else { continue };
            let access = class.methods[index].access;
            if !class.is_interface() || access.is_static() || access.is_private() {
                continue;
            }
            let candidate = MethodRef { class, index };
            if best.as_ref().is_none_or(|b| self.is_better(&candidate, b)) {
                best = Some(candidate);
            }
        }
        best
    }

    /// The field a reference means (JVMS 5.4.3.2): the class, its interfaces, its superclass.
    pub fn resolve_field(&self, owner: &ClassName, name: &str, descriptor: &str) -> Option<FieldRef> {
        let mut chain = vec![owner.clone()];
        chain.extend(self.superclasses(owner));
        for name_in_chain in &chain {
            let Ok(class) = self.class(name_in_chain) else { continue };
            let interfaces = class.interfaces.iter().flat_map(|i| self.all_supertypes(i).to_vec());
            for candidate in std::iter::once(class.name.clone()).chain(interfaces) {
                let Ok(class) = self.class(&candidate) else { continue };
                let found = class.fields.iter().position(|f| f.name == name && f.field_type.to_string() == descriptor);
                if let Some(index) = found {
                    return Some(FieldRef { class, index });
                }
            }
        }
        None
    }

    /// The one abstract method of a functional interface. Defaults, statics and what `Object` implements do not count;
    /// a method declared again with other type arguments counts once. `None` for anything else, sealed and incomplete
    /// interfaces included.
    pub fn functional_method(&self, interface: &ClassName) -> Option<MethodRef> {
        let info = self.class(interface).ok()?;
        if !info.is_interface() || info.permitted.is_some() || !self.hierarchy_is_complete(interface) {
            return None;
        }
        let mut candidates: Vec<MethodRef> = Vec::new();
        for method in self.methods_of(interface).ok()? {
            let m = method.info();
            if !m.access.is_abstract() || !method.class.is_interface() || is_object_method(m) {
                continue;
            }
            if candidates.iter().any(|c| self.respells(c, &method)) {
                continue;
            }
            candidates.retain(|c| !self.respells(&method, c));
            candidates.push(method);
        }
        match candidates.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// Whether `sub` declares the method of `sup`'s interface again, with type variables replaced.
    fn respells(&self, sub: &MethodRef, sup: &MethodRef) -> bool {
        let (a, b) = (sub.info(), sup.info());
        if a.name != b.name
            || a.descriptor.params.len() != b.descriptor.params.len()
            || sub.owner() == sup.owner()
            || self.is_subclass(sub.owner(), sup.owner()) != Some(true)
        {
            return false;
        }
        a.descriptor.params.iter().zip(&b.descriptor.params).enumerate().all(|(i, (x, y))| {
            let generic = || b.signature.as_ref().is_some_and(|s| s.params[i].is_open());
            x == y || (generic() && self.is_assignable(x, y))
        })
    }

    /// Which of two interface methods wins: the one of the more specific interface, else the one with a body.
    fn is_better(&self, new: &MethodRef, old: &MethodRef) -> bool {
        if self.is_subclass(new.owner(), old.owner()) == Some(true) {
            return true;
        }
        self.is_subclass(old.owner(), new.owner()) != Some(true)
            && old.info().access.is_abstract()
            && !new.info().access.is_abstract()
    }
}

fn position(class: &ClassInfo, name: &str, descriptor: &str) -> Option<usize> {
    class.methods.iter().position(|m| m.name == name && m.raw_descriptor == descriptor)
}

/// A method that every object has, so that declaring it abstract in an interface asks for nothing.
fn is_object_method(m: &MethodInfo) -> bool {
    matches!(
        (m.name.as_str(), m.raw_descriptor.as_str()),
        ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
    )
}

/// Methods gathered from the class upwards.
struct Inherited<'w> {
    world: &'w World,
    list: Vec<MethodRef>,
    by_key: FxHashMap<(String, String), usize>,
}

impl Inherited<'_> {
    fn add_interfaces(&mut self, known: &[Arc<ClassInfo>]) {
        for class in known.iter().filter(|c| c.is_interface()) {
            self.add(class, |m| !m.access.is_static() && !m.access.is_private());
        }
    }

    fn add(&mut self, class: &Arc<ClassInfo>, wanted: impl Fn(&MethodInfo) -> bool) {
        for (index, method) in class.methods.iter().enumerate().filter(|(_, m)| wanted(m)) {
            let new = MethodRef { class: class.clone(), index };
            let key = (method.name.clone(), method.raw_descriptor.clone());
            match self.by_key.get(&key) {
                None => {
                    self.by_key.insert(key, self.list.len());
                    self.list.push(new);
                }
                Some(&at) => {
                    // Only among interface methods can the later one be the right one.
                    let old = &self.list[at];
                    let both_interfaces = old.class.is_interface() && class.is_interface();
                    if both_interfaces && self.world.is_better(&new, old) {
                        self.list[at] = new;
                    }
                }
            }
        }
    }
}
