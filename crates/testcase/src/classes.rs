//! Where this crate learns about classes, and which of them a test in a given package may name.
//! Owns the narrow view (a look-up by name); never reads bytes and never caches.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, NestingKind};
use bytecode::names::{ClassName, FieldType};
use bytecode::world::World;

use crate::types::{Type, TypeArg};

/// Looks classes up. A class that is missing or malformed is `None`: nothing is known about it then.
pub trait Classes {
    fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>>;
}

impl Classes for World {
    fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>> {
        World::class(self, name).ok()
    }
}

impl Classes for BTreeMap<ClassName, Arc<ClassInfo>> {
    fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>> {
        self.get(name).cloned()
    }
}

/// Deeper nesting of classes than this only occurs in malformed files.
const MAX_NESTING: usize = 64;

/// Packages that platform modules keep to themselves.
fn is_hidden(package: &str) -> bool {
    ["sun", "jdk/internal", "com/sun"].iter().any(|p| package == *p || package.starts_with(&format!("{p}/")))
}

/// Whether code in `package` (internal form) may name the class in source: it and all classes around it are accessible, and it is
/// neither local nor anonymous.
pub fn is_accessible(classes: &dyn Classes, package: &str, class: &ClassName) -> bool {
    let mut name = class.clone();
    for _ in 0..MAX_NESTING {
        let Some(info) = classes.class(&name) else {
            return false;
        };
        let same_package = name.package() == package;
        if info.access.has(Access::SYNTHETIC) {
            return false;
        }
        let Some(nesting) = &info.nesting else {
            return same_package || (info.access.is_public() && !is_hidden(name.package()));
        };
        let visible = !info.access.is_private() && (info.access.is_public() || same_package);
        match (&nesting.outer, nesting.kind) {
            (Some(outer), NestingKind::Member) if visible => name = outer.clone(),
            _ => return false,
        }
    }
    false
}

/// Whether a member with these flags, declared in `declaring`, may be used from `package` by code that is no subclass.
pub fn is_member_accessible(package: &str, declaring: &ClassName, access: Access) -> bool {
    access.is_public() || (!access.is_private() && declaring.package() == package)
}

/// [`is_accessible`] for what an erased type is made of; primitives are.
pub fn is_erasure_accessible(classes: &dyn Classes, package: &str, t: &FieldType) -> bool {
    match t {
        FieldType::Primitive(_) => true,
        FieldType::Class(name) => is_accessible(classes, package, name),
        FieldType::Array(e) => is_erasure_accessible(classes, package, e),
    }
}

/// [`is_accessible`] for everything a type mentions, its arguments included.
pub fn is_type_accessible(classes: &dyn Classes, package: &str, t: &Type) -> bool {
    match t {
        Type::Void | Type::Primitive(_) => true,
        Type::Array(e) => is_type_accessible(classes, package, e),
        Type::Class(c) => {
            is_accessible(classes, package, &c.name)
                && c.args.iter().all(|a| match a {
                    TypeArg::Any => true,
                    TypeArg::Exact(t) | TypeArg::Extends(t) | TypeArg::Super(t) => {
                        is_type_accessible(classes, package, t)
                    }
                })
        }
    }
}
