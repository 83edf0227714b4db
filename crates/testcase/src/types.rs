//! Types as sequences use them: erased or with concrete type arguments, never with type variables.
//! Owns the representation and its printing in `.seq` form; subtyping over a `World` lives in `subtyping`.

use std::fmt;

use bytecode::names::{ClassName, FieldType, Primitive};

/// The type of a value in a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// Result of an operation that leaves no value.
    Void,
    Primitive(Primitive),
    Class(ClassType),
    Array(Box<Type>),
}

/// A class type. No arguments means the class is not generic, or is used raw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassType {
    pub name: ClassName,
    pub args: Vec<TypeArg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeArg {
    Any,
    Exact(Type),
    Extends(Type),
    Super(Type),
}

impl Type {
    pub fn class(internal: &str) -> Type {
        Type::Class(ClassType { name: ClassName::new(internal), args: Vec::new() })
    }
    pub fn object() -> Type {
        Type::class("java/lang/Object")
    }
    pub fn string() -> Type {
        Type::class("java/lang/String")
    }
    pub fn array(element: Type) -> Type {
        Type::Array(Box::new(element))
    }
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Class(_) | Type::Array(_))
    }
    pub fn class_name(&self) -> Option<&ClassName> {
        match self {
            Type::Class(c) => Some(&c.name),
            _ => None,
        }
    }
    /// Without type arguments; `None` for `Void`.
    pub fn erased(&self) -> Option<FieldType> {
        match self {
            Type::Void => None,
            Type::Primitive(p) => Some(FieldType::Primitive(*p)),
            Type::Class(c) => Some(FieldType::Class(c.name.clone())),
            // An array of void cannot be built: `Void` is never an element type.
            Type::Array(e) => e.erased().map(|e| FieldType::Array(Box::new(e))),
        }
    }
}

impl From<&FieldType> for Type {
    fn from(t: &FieldType) -> Type {
        match t {
            FieldType::Primitive(p) => Type::Primitive(*p),
            FieldType::Class(n) => Type::Class(ClassType { name: n.clone(), args: Vec::new() }),
            FieldType::Array(e) => Type::array(Type::from(&**e)),
        }
    }
}

/// As `.seq` files spell it: `int`, `java/util/List<? extends java/lang/Number>`, `int[][]`, `void`. Names with unusual characters
/// are quoted.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Primitive(p) => f.write_str(p.keyword()),
            Type::Class(c) => c.fmt(f),
            Type::Array(e) => write!(f, "{e}[]"),
        }
    }
}

impl fmt::Display for ClassType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::text::write_name(f, self.name.internal())?;
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "<" } else { ", " })?;
            match arg {
                TypeArg::Any => f.write_str("?")?,
                TypeArg::Exact(t) => t.fmt(f)?,
                TypeArg::Extends(t) => write!(f, "? extends {t}")?,
                TypeArg::Super(t) => write!(f, "? super {t}")?,
            }
        }
        if self.args.is_empty() { Ok(()) } else { f.write_str(">") }
    }
}
