//! What the rest of the tool wants to know about a class without touching its bytes: members, types, relations. Owns
//! plain data only. The reader fills it; it does not change afterwards.

use crate::access::Access;
use crate::names::{ClassName, FieldType, MethodDescriptor};
use crate::signature::{ClassSignature, MethodSignature, TypeSig};

/// A class, interface, enum, record or annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    pub name: ClassName,
    /// Class-file major and minor version.
    pub version: (u16, u16),
    /// Flags of the class; for a nested class those of its `InnerClasses` entry (so `private`, `static`, `protected`
    /// are right).
    pub access: Access,
    pub superclass: Option<ClassName>,
    pub interfaces: Vec<ClassName>,
    pub signature: Option<ClassSignature>,
    pub fields: Vec<FieldInfo>,
    pub methods: Vec<MethodInfo>,
    /// Set for member, local and anonymous classes.
    pub nesting: Option<Nesting>,
    /// Member classes declared directly inside, as `InnerClasses` lists them.
    pub members: Vec<ClassName>,
    pub nest_host: Option<ClassName>,
    pub nest_members: Vec<ClassName>,
    /// `None`: not sealed.
    pub permitted: Option<Vec<ClassName>>,
    /// `None`: not a record.
    pub record: Option<Vec<RecordComponent>>,
    pub annotations: Vec<Annotation>,
    pub source_file: Option<String>,
    pub deprecated: bool,
}

impl ClassInfo {
    pub fn is_interface(&self) -> bool {
        self.access.is_interface()
    }
    pub fn is_enum(&self) -> bool {
        self.access.is_enum() && self.superclass.as_ref().is_some_and(|s| s.internal() == "java/lang/Enum")
    }
    pub fn is_abstract(&self) -> bool {
        self.access.is_abstract()
    }
    /// An inner (non-static) member class: its constructors take the outer instance first.
    pub fn is_inner(&self) -> bool {
        matches!(&self.nesting, Some(n) if n.kind == NestingKind::Member)
            && !self.access.is_static()
            && !self.is_interface()
            && !self.access.is_enum()
            && self.record.is_none()
    }
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&MethodInfo> {
        self.methods.iter().find(|m| m.name == name && m.raw_descriptor == descriptor)
    }
}

/// How a nested class sits in its outer class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nesting {
    pub kind: NestingKind,
    /// Known for member classes and, through `EnclosingMethod`, for local and anonymous ones.
    pub outer: Option<ClassName>,
    /// The name in the source; `None` for anonymous classes.
    pub simple_name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestingKind {
    Member,
    Local,
    Anonymous,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    pub name: String,
    pub access: Access,
    pub field_type: FieldType,
    pub signature: Option<TypeSig>,
    pub constant: Option<ConstantValue>,
    pub annotations: Vec<Annotation>,
    pub deprecated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodInfo {
    pub name: String,
    pub access: Access,
    pub descriptor: MethodDescriptor,
    /// The descriptor as spelled in the class file.
    pub raw_descriptor: String,
    /// Present only if it fits the descriptor (same number of parameters, synthetic ones accounted for).
    pub signature: Option<MethodSignature>,
    /// Declared exceptions (`Exceptions` attribute).
    pub throws: Vec<ClassName>,
    /// From `MethodParameters`, else from `LocalVariableTable`; empty if unknown, otherwise one per descriptor
    /// parameter.
    pub param_names: Vec<String>,
    pub annotations: Vec<Annotation>,
    /// One list per descriptor parameter, or empty.
    pub param_annotations: Vec<Vec<Annotation>>,
    pub deprecated: bool,
    pub has_code: bool,
    /// First and last source line, if known.
    pub lines: Option<(u16, u16)>,
}

impl MethodInfo {
    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
    pub fn is_class_initializer(&self) -> bool {
        self.name == "<clinit>"
    }
    pub fn is_bridge(&self) -> bool {
        self.access.has(Access::BRIDGE)
    }
    pub fn is_varargs(&self) -> bool {
        self.access.has(Access::VARARGS)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordComponent {
    pub name: String,
    pub field_type: FieldType,
    pub signature: Option<TypeSig>,
}

/// A run-time visible or invisible annotation, by name; values only as far as they are needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    pub class: ClassName,
}

/// A compile-time constant. Floats are kept as bits so that every NaN survives. Strings are UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstantValue {
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(Vec<u16>),
    Class(FieldType),
}
