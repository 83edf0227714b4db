//! What code in a package may name. Owns Java's access rules as far as separate source files see them, nested classes
//! included.

use super::World;
use crate::access::Access;
use crate::class_info::NestingKind;
use crate::names::ClassName;
use crate::read::Outline;

impl World {
    /// Whether source code in `package` (internal form) may name the class: every class around it counts, and local,
    /// anonymous, synthetic and missing classes have no name to use. What is public is accessible from other packages
    /// if its module exports it.
    pub fn is_accessible_from(&self, package: &str, class: &ClassName) -> bool {
        // A nested class is in the package of the classes around it.
        if class.package() == package {
            self.can_be_named(class, |_| true)
        } else {
            self.is_accessible_everywhere(class)
        }
    }

    /// Whether source code in every package may name the class.
    pub fn is_accessible_everywhere(&self, class: &ClassName) -> bool {
        self.accessible.get(class, || {
            let package = class.package();
            self.can_be_named(class, |info| info.access.is_public())
                && self.exported.get(package, || self.source.is_exported(package))
        })
    }

    /// Whether the class has a name in source code and it and all classes around it are `visible`.
    fn can_be_named(&self, class: &ClassName, visible: impl Fn(&Outline) -> bool) -> bool {
        let mut current = class.clone();
        // Nesting is finite in sane classes; a hostile one may nest in itself.
        for _ in 0..64 {
            let Some(info) = self.outline(&current) else { return false };
            let hidden = Access::PRIVATE | Access::SYNTHETIC | Access::MODULE;
            if info.access.has(hidden) || !visible(&info) {
                return false;
            }
            match &info.nesting {
                None => return true,
                Some(nesting) => match (nesting.kind, &nesting.outer) {
                    (NestingKind::Member, Some(outer)) => current = outer.clone(),
                    _ => return false,
                },
            }
        }
        false
    }

    /// Whether source code in `package` may use a member of `declaring` through the class `via` (equal or below it).
    /// `subclass` is the class that code itself is in, if it extends something: it sees protected members it inherits.
    pub fn is_member_accessible_from(
        &self,
        package: &str,
        subclass: Option<&ClassName>,
        via: &ClassName,
        declaring: &ClassName,
        access: Access,
    ) -> bool {
        if access.is_private() || access.is_synthetic() || !self.is_accessible_from(package, via) {
            return false;
        }
        access.is_public()
            || declaring.package() == package
            || (access.is_protected() && subclass.is_some_and(|s| self.is_subclass(s, declaring) == Some(true)))
    }
}
