//! Which method javac would choose: overloads and conversions. Owns deciding where an argument needs a cast; writes no code.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::names::{ClassName, FieldType, Primitive};

use crate::subtyping::Subtyping;
use crate::types::Type;

/// What javac knows about the type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StaticType {
    Null,
    Known(Type),
    /// A lambda or method reference: any functional interface.
    Lambda,
}

/// The method that a call means, with the class that declares it.
pub fn find_method<R>(
    subtyping: &Subtyping<'_>,
    owner: &ClassName,
    name: &str,
    descriptor: &str,
    look: impl FnOnce(&ClassInfo, &MethodInfo) -> R,
) -> Option<R> {
    let info = subtyping.supertypes(owner).iter().find_map(|class| {
        let info: Arc<ClassInfo> = subtyping.classes().class(class)?;
        info.method(name, descriptor).is_some().then_some(info)
    })?;
    let method = info.method(name, descriptor)?;
    Some(look(&info, method))
}

/// Whether the method has type parameters of its own, so that javac infers its result from where it is used.
pub fn is_generic_method(subtyping: &Subtyping<'_>, owner: &ClassName, name: &str, descriptor: &str) -> bool {
    find_method(subtyping, owner, name, descriptor, |_, m| {
        m.signature.as_ref().is_some_and(|s| !s.type_params.is_empty())
    })
    .unwrap_or(false)
}

/// Another method (or constructor) of the same name.
#[derive(Clone, Debug)]
pub struct Rival {
    pub params: Vec<FieldType>,
    pub varargs: bool,
}

/// The other methods called `name` that a receiver of class `class` has.
pub fn rivals(subtyping: &Subtyping<'_>, class: &ClassName, name: &str, params: &[FieldType]) -> Vec<Rival> {
    let mut found: Vec<Rival> = Vec::new();
    let mut replaced: Vec<Vec<FieldType>> = vec![params.to_vec()];
    let classes = if name == "<init>" { vec![class.clone()] } else { subtyping.supertypes(class) };
    for class in &classes {
        let Some(info) = subtyping.classes().class(class) else {
            continue;
        };
        for m in info.methods.iter().filter(|m| m.name == name && !m.access.is_private()) {
            if replaced.contains(&m.descriptor.params) {
                continue;
            }
            replaced.push(m.descriptor.params.clone());
            if !m.access.is_synthetic() {
                found.push(Rival { params: m.descriptor.params.clone(), varargs: m.is_varargs() });
            }
        }
    }
    found
}

impl Rival {
    /// Whether javac could choose it for these arguments without spreading them over a variable-arity parameter.
    pub fn accepts(&self, arguments: &[StaticType], subtyping: &Subtyping<'_>) -> bool {
        self.params.len() == arguments.len()
            && self.params.iter().zip(arguments).all(|(p, a)| converts(a, p, subtyping))
    }

    /// Whether it could compete with a call whose last argument is spread out.
    pub fn may_accept_spread(&self, arguments: usize) -> bool {
        self.varargs || self.params.len() == arguments
    }
}

/// Loose invocation: subclassing, widening, boxing, unboxing.
fn converts(from: &StaticType, to: &FieldType, subtyping: &Subtyping<'_>) -> bool {
    let from = match from {
        StaticType::Null => return !matches!(to, FieldType::Primitive(_)),
        StaticType::Lambda => {
            return match to {
                FieldType::Class(n) => subtyping.classes().class(n).is_none_or(|c| c.is_interface()),
                _ => false,
            };
        }
        StaticType::Known(t) => t,
    };
    let erased = |t: &Type| t.erased().map_or(Type::Void, |e| Type::from(&e));
    match (from, to) {
        (Type::Primitive(a), FieldType::Primitive(b)) => widens(*a, *b),
        (Type::Primitive(a), to) => subtyping.fits(&Type::class(a.box_class()), &Type::from(to)),
        (from, FieldType::Primitive(b)) => {
            let unboxed =
                Primitive::ALL.into_iter().find(|p| from.class_name().is_some_and(|n| n.internal() == p.box_class()));
            unboxed.is_some_and(|a| widens(a, *b))
        }
        (from, to) => subtyping.fits(&erased(from), &Type::from(to)),
    }
}

/// `from` is `to` or widens to it.
fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    let rank = |p| match p {
        Boolean => None,
        Byte => Some(0),
        Short | Char => Some(1),
        Int => Some(2),
        Long => Some(3),
        Float => Some(4),
        Double => Some(5),
    };
    from == to || (to != Char && matches!((rank(from), rank(to)), (Some(a), Some(b)) if a < b))
}
