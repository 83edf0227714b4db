//! Class literals: which classes are given to code that wants to be told one. Owns the choice; how a literal is written is `testcase`'s.

use bytecode::class_info::ClassInfo;
use bytecode::names::{ClassName, FieldType, Primitive};
use bytecode::world::Scope;
use testcase::classes::{is_accessible, is_erasure_accessible};
use testcase::operation::Operation;
use testcase::types::{ClassType, Type, TypeArg};
use testcase::value::Constant;

use super::WorldLibrary;
use crate::library::Offer;

/// What a class literal may stand for as well.
pub const STANDS_FOR: [&str; 3] =
    ["java/lang/reflect/Type", "java/lang/reflect/AnnotatedElement", "java/lang/reflect/GenericDeclaration"];

/// Subclasses whose literals are tried for a class with a bound.
const MAX_SUBCLASSES: usize = 2;
/// Literals tried for an unknown class: usual ones, then those that the code names itself.
const MAX_LITERALS: usize = 21;

/// A class nobody knows anything of.
pub fn any() -> ClassType {
    ClassType { name: "java/lang/Class".into(), args: vec![TypeArg::Any] }
}

/// Literals for a parameter `wanted`, a `Class` with or without argument: the class itself, usual ones, and those that the code under test asks about.
pub fn of(library: &WorldLibrary<'_>, wanted: &ClassType) -> Vec<Offer> {
    let mut literals: Vec<FieldType> = wanted.args.iter().flat_map(|arg| named_by(library, arg)).collect();
    if literals.is_empty() {
        let class = |name: &str| FieldType::Class(name.into());
        let usual = [
            class("java/lang/String"),
            class("java/lang/Integer"),
            FieldType::Primitive(Primitive::Int),
            class("java/lang/Object"),
        ];
        literals = std::iter::once(FieldType::Class(library.classes[0].clone())).chain(usual).collect();
        let is_usable = |t: &FieldType| is_erasure_accessible(library.world, &library.package, t);
        for literal in library.classes.iter().flat_map(|class| named_in(library, class)).filter(is_usable) {
            if literals.len() < MAX_LITERALS && !literals.contains(&literal) {
                literals.push(literal);
            }
        }
    }
    literals
        .into_iter()
        .filter(|t| is_erasure_accessible(library.world, &library.package, t))
        .map(|t| Offer::bare(Operation::constant(Constant::Class(t), Type::Class(wanted.clone()))))
        .collect()
}

/// Those in the code of a class.
fn named_in(library: &WorldLibrary<'_>, class: &ClassName) -> Vec<FieldType> {
    library.world.constants_reachable_from(class, 0).classes
}

/// The classes that `Class<arg>` may stand for: with `? extends`, some that extend it, too, and those alone if it is generic: the literal of a generic class is of its raw type, which javac does not take for it.
fn named_by(library: &WorldLibrary<'_>, arg: &TypeArg) -> Vec<FieldType> {
    let (TypeArg::Exact(of) | TypeArg::Extends(of) | TypeArg::Super(of)) = arg else { return Vec::new() };
    let itself: Vec<FieldType> = of.erased().into_iter().collect();
    let (TypeArg::Extends(Type::Class(of)), Some(FieldType::Class(name))) = (arg, itself.first()) else {
        return itself;
    };
    let is_usable = |class: &ClassName| {
        let is_concrete = |info: &ClassInfo| info.is_enum() || !info.is_abstract();
        is_accessible(library.world, &library.package, class)
            && library.world.class(class).is_ok_and(|info| is_concrete(&info))
    };
    let usual = (name.internal() == "java/lang/Enum").then(|| ClassName::new("java/lang/Thread$State"));
    let below = library.world.implementors(name, Scope::Application).into_iter().filter(is_usable).take(MAX_SUBCLASSES);
    let below: Vec<FieldType> = below.chain(usual).map(FieldType::Class).collect();
    if of.args.is_empty() || below.is_empty() { itself.into_iter().chain(below).collect() } else { below }
}
