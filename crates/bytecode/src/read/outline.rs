//! The little of a class that hierarchy, access and indexes need: flags, supertypes, nesting. Owns reading it, members
//! aside, so that going over thousands of classes stays cheap.

use super::{cursor_over, name_of};
use crate::access::Access;
use crate::class_info::{Nesting, NestingKind};
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{RawAttribute, RawClass};

/// Flags a class itself can have; the JVM ignores others (`private` and `static` of a nested class are in
/// `InnerClasses`).
const CLASS_FLAGS: u16 = Access::PUBLIC
    | Access::FINAL
    | Access::SUPER
    | Access::INTERFACE
    | Access::ABSTRACT
    | Access::SYNTHETIC
    | Access::ANNOTATION
    | Access::ENUM
    | Access::MODULE;

/// The fields of `ClassInfo` of the same names.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub name: ClassName,
    pub access: Access,
    pub superclass: Option<ClassName>,
    pub interfaces: Vec<ClassName>,
    pub nesting: Option<Nesting>,
    pub members: Vec<ClassName>,
}

impl Outline {
    /// The list names what was malformed about nesting, which is then as if absent.
    pub fn read(raw: &RawClass<'_>) -> Result<(Outline, Vec<Problem>), Problem> {
        let mut interfaces = Vec::with_capacity(raw.interfaces.len());
        for &index in &raw.interfaces {
            interfaces.push(name_of(raw.pool.class(index)?));
        }
        let mut outline = Outline {
            name: name_of(raw.name()),
            access: Access(raw.access.0 & CLASS_FLAGS),
            superclass: raw.super_name().map(name_of),
            interfaces,
            nesting: None,
            members: Vec::new(),
        };
        let mut problems = Vec::new();
        let mut enclosing = None;
        for attribute in raw.attributes.iter(&raw.pool) {
            let result = match attribute.name.bytes() {
                b"InnerClasses" => outline.inner_classes(raw, &attribute),
                b"EnclosingMethod" => enclosing_class(raw, &attribute).map(|class| enclosing = Some(class)),
                _ => Ok(()),
            };
            problems.extend(result.err());
        }
        if let (Some(outer), Some(nesting)) = (enclosing, &mut outline.nesting) {
            nesting.outer.get_or_insert(outer);
        }
        Ok((outline, problems))
    }

    /// Finds this class's own entry, which has its true flags, and its member classes.
    fn inner_classes(&mut self, raw: &RawClass<'_>, attribute: &RawAttribute<'_>) -> Result<(), Problem> {
        let mut cursor = cursor_over(raw, attribute);
        let count = cursor.u2("the inner classes")?;
        let own = raw.name();
        for _ in 0..count {
            let inner = raw.pool.class(cursor.u2("an inner class")?)?;
            let outer = raw.pool.optional_class(cursor.u2("an outer class")?)?;
            let name = match cursor.u2("an inner class's name")? {
                0 => None,
                index => Some(raw.pool.text(index)?),
            };
            let access = cursor.u2("an inner class's flags")?;
            if inner == own {
                let kind = match (name, outer) {
                    (None, _) => NestingKind::Anonymous,
                    (_, None) => NestingKind::Local,
                    _ => NestingKind::Member,
                };
                self.access = Access(access);
                let simple_name = name.map(|n| n.lossy().into_owned());
                self.nesting = Some(Nesting { kind, outer: outer.map(name_of), simple_name });
            } else if outer == Some(own) && name.is_some() {
                self.members.push(name_of(inner));
            }
        }
        Ok(())
    }
}

fn enclosing_class(raw: &RawClass<'_>, attribute: &RawAttribute<'_>) -> Result<ClassName, Problem> {
    let index = cursor_over(raw, attribute).u2("the enclosing class")?;
    raw.pool.class(index).map(name_of)
}
