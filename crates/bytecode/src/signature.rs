//! Generic signatures (JVMS 4.7.9.1) as data. Owns the tree; the parser fills it, `testcase` instantiates it.

use crate::names::{ClassName, Primitive};

/// A type as a generic signature spells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeSig {
    Primitive(Primitive),
    /// For an inner class of a parameterised outer class, `name` is the full binary name (`Outer$Inner`) and `args` are those of
    /// the innermost part only; `outer_args` are the outer class's.
    Class { name: ClassName, args: Vec<ArgSig>, outer_args: Vec<ArgSig> },
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
