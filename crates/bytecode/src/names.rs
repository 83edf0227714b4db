//! Names and descriptors as the class file spells them. Owns parsing and printing of both; never looks anything up.

use std::fmt;
use std::sync::Arc;

/// A class name in internal form: `java/util/Map$Entry`. Cheap to clone. Never an array, never a primitive.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassName(Arc<str>);

impl ClassName {
    /// From the internal form (`java/util/Map$Entry`).
    pub fn new(internal: impl AsRef<str>) -> Self {
        ClassName(Arc::from(internal.as_ref()))
    }
    /// From the binary form (`java.util.Map$Entry`).
    pub fn from_binary(binary: &str) -> Self {
        ClassName(Arc::from(binary.replace('.', "/")))
    }
    pub fn internal(&self) -> &str {
        &self.0
    }
    /// `java.util.Map$Entry`, as `Class.getName` prints it.
    pub fn binary(&self) -> String {
        self.0.replace('/', ".")
    }
    /// The package in internal form, empty for the unnamed package.
    pub fn package(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(p, _)| p)
    }
    /// The name behind the package: `Map$Entry`.
    pub fn simple_binary(&self) -> &str {
        self.0.rsplit_once('/').map_or(&*self.0, |(_, s)| s)
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for ClassName {
    fn from(internal: &str) -> Self {
        ClassName::new(internal)
    }
}

impl std::borrow::Borrow<str> for ClassName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// The eight primitive types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl Primitive {
    pub const ALL: [Primitive; 8] = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Char,
        Primitive::Short,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];

    pub fn descriptor(self) -> char {
        match self {
            Primitive::Boolean => 'Z',
            Primitive::Byte => 'B',
            Primitive::Char => 'C',
            Primitive::Short => 'S',
            Primitive::Int => 'I',
            Primitive::Long => 'J',
            Primitive::Float => 'F',
            Primitive::Double => 'D',
        }
    }
    pub fn from_descriptor(c: char) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|p| p.descriptor() == c)
    }
    /// The Java keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Primitive::Boolean => "boolean",
            Primitive::Byte => "byte",
            Primitive::Char => "char",
            Primitive::Short => "short",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
        }
    }
    /// Internal name of the box class.
    pub fn box_class(self) -> &'static str {
        match self {
            Primitive::Boolean => "java/lang/Boolean",
            Primitive::Byte => "java/lang/Byte",
            Primitive::Char => "java/lang/Character",
            Primitive::Short => "java/lang/Short",
            Primitive::Int => "java/lang/Integer",
            Primitive::Long => "java/lang/Long",
            Primitive::Float => "java/lang/Float",
            Primitive::Double => "java/lang/Double",
        }
    }
    /// Slots of the operand stack or local variables it takes.
    pub fn width(self) -> u16 {
        if matches!(self, Primitive::Long | Primitive::Double) { 2 } else { 1 }
    }
}

/// An erased type, as descriptors spell it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldType {
    Primitive(Primitive),
    Class(ClassName),
    Array(Box<FieldType>),
}

impl FieldType {
    /// Parses a whole field descriptor (`[Ljava/lang/String;`).
    pub fn parse(descriptor: &str) -> Option<FieldType> {
        let mut rest = descriptor;
        let t = Self::take(&mut rest)?;
        rest.is_empty().then_some(t)
    }

    fn take(rest: &mut &str) -> Option<FieldType> {
        let mut dimensions = 0usize;
        while let Some(r) = rest.strip_prefix('[') {
            *rest = r;
            dimensions += 1;
            if dimensions > 255 {
                return None;
            }
        }
        let c = rest.chars().next()?;
        let mut t = if c == 'L' {
            let end = rest.find(';')?;
            let name = rest.get(1..end)?;
            if name.is_empty() {
                return None;
            }
            let t = FieldType::Class(ClassName::new(name));
            *rest = &rest[end + 1..];
            t
        } else {
            let p = Primitive::from_descriptor(c)?;
            *rest = &rest[1..];
            FieldType::Primitive(p)
        };
        for _ in 0..dimensions {
            t = FieldType::Array(Box::new(t));
        }
        Some(t)
    }

    pub fn width(&self) -> u16 {
        match self {
            FieldType::Primitive(p) => p.width(),
            _ => 1,
        }
    }

    /// The operand of `checkcast`/`anewarray`/`CONSTANT_Class`: internal name, or a descriptor for arrays. `None` for
    /// primitives.
    pub fn class_operand(&self) -> Option<String> {
        match self {
            FieldType::Primitive(_) => None,
            FieldType::Class(n) => Some(n.internal().to_owned()),
            FieldType::Array(_) => Some(self.to_string()),
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldType::Primitive(p) => write!(f, "{}", p.descriptor()),
            FieldType::Class(n) => write!(f, "L{n};"),
            FieldType::Array(e) => write!(f, "[{e}"),
        }
    }
}

/// A parsed method descriptor. `result` is `None` for `void`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodDescriptor {
    pub params: Vec<FieldType>,
    pub result: Option<FieldType>,
}

impl MethodDescriptor {
    pub fn parse(descriptor: &str) -> Option<MethodDescriptor> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut params = Vec::new();
        loop {
            if let Some(r) = rest.strip_prefix(')') {
                rest = r;
                break;
            }
            params.push(FieldType::take(&mut rest)?);
        }
        let result = if rest == "V" { None } else { Some(FieldType::parse(rest)?) };
        Some(MethodDescriptor { params, result })
    }

    /// Slots taken by the parameters, without a receiver.
    pub fn params_width(&self) -> u16 {
        self.params.iter().map(FieldType::width).sum()
    }
}

impl fmt::Display for MethodDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for p in &self.params {
            write!(f, "{p}")?;
        }
        match &self.result {
            Some(r) => write!(f, "){r}"),
            None => f.write_str(")V"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_round_trip() {
        for d in ["()V", "(I[[JLjava/lang/String;)[Ljava/util/Map$Entry;", "(DD)Z"] {
            assert_eq!(MethodDescriptor::parse(d).unwrap().to_string(), d);
        }
    }

    #[test]
    fn bad_descriptors_are_refused() {
        for d in ["", "(", "()", "(V)V", "(L;)V", "(Ljava)V", "()VV", "([)V", "(I)II", "é"] {
            assert_eq!(MethodDescriptor::parse(d), None, "{d}");
        }
    }
}
