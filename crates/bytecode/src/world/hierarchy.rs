//! Supertypes and assignability. Owns walking upwards; says so when a missing class makes an answer uncertain.

use std::collections::VecDeque;
use std::sync::Arc;

use super::World;
use crate::names::{ClassName, FieldType};

/// Everything a class is.
pub(super) struct Supertypes {
    /// Itself first, then breadth-first: superclass before interfaces, interfaces as declared.
    pub all: Arc<[ClassName]>,
    /// No class on the way is missing or no class file.
    pub complete: bool,
}

pub(super) const OBJECT: &str = "java/lang/Object";

impl World {
    /// Whether `sub` is `sup` or below it. `None`: a class on the way is missing and nothing else decides.
    pub fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> Option<bool> {
        if sub == sup || sup.internal() == OBJECT {
            return Some(true);
        }
        let supertypes = self.supertypes_of(sub);
        if supertypes.all.contains(sup) {
            Some(true)
        } else if supertypes.complete {
            Some(false)
        } else {
            None
        }
    }

    /// The superclass, its superclass, … up to `java/lang/Object` or the first that is missing (which is still named).
    pub fn superclasses(&self, name: &ClassName) -> Vec<ClassName> {
        let mut chain = Vec::new();
        let mut current = name.clone();
        while let Some(info) = self.outline(&current) {
            match &info.superclass {
                // A hostile class may be its own ancestor.
                Some(superclass) if superclass != name && !chain.contains(superclass) => {
                    chain.push(superclass.clone());
                    current = superclass.clone();
                }
                _ => break,
            }
        }
        chain
    }

    /// The class itself, then all its superclasses and interfaces, breadth-first, each once. Missing ones are named
    /// too.
    pub fn all_supertypes(&self, name: &ClassName) -> Arc<[ClassName]> {
        self.supertypes_of(name).all.clone()
    }

    /// Whether every supertype of the class is there.
    pub fn hierarchy_is_complete(&self, name: &ClassName) -> bool {
        self.supertypes_of(name).complete
    }

    /// Whether a value of type `from` is known to fit a variable of type `to`, without conversion: primitives only
    /// themselves, arrays covariant.
    pub fn is_assignable(&self, from: &FieldType, to: &FieldType) -> bool {
        match (from, to) {
            (FieldType::Primitive(a), FieldType::Primitive(b)) => a == b,
            (FieldType::Class(sub), FieldType::Class(sup)) => self.is_subclass(sub, sup) == Some(true),
            (FieldType::Array(a), FieldType::Array(b)) => self.is_assignable(a, b),
            (FieldType::Array(_), FieldType::Class(sup)) => {
                matches!(sup.internal(), OBJECT | "java/lang/Cloneable" | "java/io/Serializable")
            }
            _ => false,
        }
    }

    pub(super) fn supertypes_of(&self, name: &ClassName) -> Arc<Supertypes> {
        self.supertypes.get(name, || {
            let mut all = vec![name.clone()];
            let mut queue = VecDeque::from([name.clone()]);
            let mut complete = true;
            while let Some(next) = queue.pop_front() {
                let Some(info) = self.outline(&next) else {
                    complete = false;
                    continue;
                };
                for supertype in info.superclass.iter().chain(&info.interfaces) {
                    if !all.contains(supertype) {
                        all.push(supertype.clone());
                        queue.push_back(supertype.clone());
                    }
                }
            }
            Arc::new(Supertypes { all: all.into(), complete })
        })
    }
}
