//! Generic signatures (JVMS 4.7.9.1) as data. Owns the tree; the parser fills it, `testcase` instantiates it.

mod parse;

pub use parse::SignatureProblem;

use crate::names::{ClassName, FieldType, Primitive};

/// A type as a generic signature spells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeSig {
    Primitive(Primitive),
    /// For an inner class of a parameterised outer class, `name` is the full binary name (`Outer$Inner`) and `args` are
    /// those of the innermost part only; `outer_args` are those of all classes around it, outermost first.
    Class {
        name: ClassName,
        args: Vec<ArgSig>,
        outer_args: Vec<ArgSig>,
    },
    Array(Box<TypeSig>),
    Variable(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArgSig {
    Any,
    Exact(TypeSig),
    Extends(TypeSig),
    Super(TypeSig),
}

/// `T extends A & B`. `bounds` is never empty (`java/lang/Object` when none is written).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeParam {
    pub name: String,
    pub bounds: Vec<TypeSig>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassSignature {
    pub type_params: Vec<TypeParam>,
    pub superclass: TypeSig,
    pub interfaces: Vec<TypeSig>,
}

/// `result` is `None` for `void`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodSignature {
    pub type_params: Vec<TypeParam>,
    pub params: Vec<TypeSig>,
    pub result: Option<TypeSig>,
    pub throws: Vec<TypeSig>,
}

impl TypeSig {
    /// The signature of a type without type arguments.
    pub fn of(field_type: &FieldType) -> TypeSig {
        match field_type {
            FieldType::Primitive(p) => TypeSig::Primitive(*p),
            FieldType::Class(name) => TypeSig::Class { name: name.clone(), args: Vec::new(), outer_args: Vec::new() },
            FieldType::Array(element) => TypeSig::Array(Box::new(TypeSig::of(element))),
        }
    }

    /// Whether it is a type variable or an array of one; its meaning is decided elsewhere.
    pub fn is_open(&self) -> bool {
        match self {
            TypeSig::Variable(_) => true,
            TypeSig::Array(element) => element.is_open(),
            TypeSig::Primitive(_) | TypeSig::Class { .. } => false,
        }
    }

    /// Whether the erasure of this can be that type: equal except for type variables, whose bounds are not looked up
    /// here.
    pub fn may_erase_to(&self, erased: &FieldType) -> bool {
        match (self, erased) {
            (TypeSig::Primitive(a), FieldType::Primitive(b)) => a == b,
            (TypeSig::Class { name, .. }, FieldType::Class(erased)) => name == erased,
            (TypeSig::Array(a), FieldType::Array(b)) => a.may_erase_to(b),
            (TypeSig::Variable(_), FieldType::Class(_)) => true,
            _ => false,
        }
    }
}
