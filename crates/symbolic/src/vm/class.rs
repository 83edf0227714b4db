//! Classes, methods and fields as the machine uses them. Owns plain data; loading fills it, running changes only caches
//! in it.

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::names::Primitive;
use rustc_hash::FxHashMap;

use super::heap::Ref;
use super::symbols::Sym;

/// Number of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Number of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId(pub u32);

/// A method's name and descriptor.
pub type Signature = (Sym, Sym);

/// The state of initialisation; kept in the heap, in the first word of a class's statics, so that going back to an
/// earlier state undoes it.
pub mod init {
    pub const NEW: u64 = 0;
    pub const RUNNING: u64 = 1;
    pub const DONE: u64 = 2;
    pub const FAILED: u64 = 3;
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A class or interface from a class file, or made by the machine for a lambda.
    Object,
    Array {
        element: ClassId,
    },
    Primitive(Primitive),
    Void,
}

/// A class, an array class or a primitive type.
#[derive(Clone, Debug)]
pub struct Class {
    /// Internal name; a descriptor for arrays, the keyword for primitives.
    pub name: Sym,
    pub kind: Kind,
    pub access: Access,
    pub superclass: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    /// All classes and interfaces it is assignable to, itself included; sorted.
    pub supertypes: Vec<ClassId>,
    pub bytes: Arc<[u8]>,
    pub pool: Vec<PoolConstant>,
    pub bootstraps: Vec<Bootstrap>,
    pub methods: Vec<MethodId>,
    pub declared: FxHashMap<Signature, MethodId>,
    pub fields: Vec<Field>,
    /// Words of an instance.
    pub instance_words: u32,
    pub vtable: Vec<MethodId>,
    /// Slots of the vtable by signature.
    pub virtual_slots: FxHashMap<Signature, u16>,
    /// What interface calls were found to mean for this class.
    pub interface_cache: FxHashMap<MethodId, MethodId>,
    /// The `java.lang.Class` object; 0 before it exists.
    pub mirror: Ref,
    /// The object that holds the initialisation state and static fields; 0 for arrays and primitives.
    pub statics: Ref,
    /// Array class with this as its element, once made.
    pub array: Option<ClassId>,
    pub nest: Nest,
    /// From the application and not the JDK.
    pub is_application: bool,
    /// Made by the machine for a lambda; hidden classes have no name that stays.
    pub is_hidden: bool,
    pub source_file: Option<Sym>,
    pub is_record: bool,
}

/// What inner-class attributes say.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// Declaring class and simple name, as `InnerClasses` gives them; a name of `None` is an anonymous class.
    pub outer: Option<Sym>,
    pub simple: Option<Sym>,
    pub is_inner: bool,
    pub flags: Option<u16>,
    /// `EnclosingMethod`: class, and method if there is one.
    pub enclosing: Option<(Sym, Option<Signature>)>,
}

/// A field with its place.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Sym,
    pub descriptor: Sym,
    pub access: Access,
    /// Slot in the instance, or slot in the statics object.
    pub slot: u32,
    /// Pool index of the initial value; 0 for none.
    pub constant: u16,
}

/// How the machine calls a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Code not yet translated.
    Code,
    /// Code starting at this instruction.
    Ready(u32),
    Abstract,
    /// A method modelled by the machine: number in the table of natives.
    Native(u16),
    /// A native method without a model.
    Missing,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub class: ClassId,
    pub name: Sym,
    pub descriptor: Sym,
    pub access: Access,
    pub body: Body,
    pub max_stack: u16,
    pub max_locals: u16,
    /// Slots of the arguments, receiver included.
    pub arguments: u16,
    /// Slots and kind of the result.
    pub result: Slot,
    /// `NOT_VIRTUAL`, or its slot in the vtable.
    pub slot: u16,
    pub handlers: Arc<[Handler]>,
    /// Sorted by instruction: pc of the class file and line.
    pub lines: Arc<[(u32, u16)]>,
    /// Where the translated code ends.
    pub end: u32,
    /// Among the methods of its class file.
    pub index: u16,
}

pub const NOT_VIRTUAL: u16 = u16::MAX;

/// What a value is to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Void,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Slot {
    pub fn of(descriptor: &str) -> Slot {
        match descriptor.as_bytes().first() {
            Some(b'V') => Slot::Void,
            Some(b'J') => Slot::Long,
            Some(b'F') => Slot::Float,
            Some(b'D') => Slot::Double,
            Some(b'L' | b'[') => Slot::Reference,
            _ => Slot::Int,
        }
    }

    pub fn width(self) -> u32 {
        match self {
            Slot::Void => 0,
            Slot::Long | Slot::Double => 2,
            _ => 1,
        }
    }
}

/// A row of the exception table, in instruction numbers.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// Pool index of the class; 0 catches everything.
    pub catch: u16,
}

/// A constant of the pool, as far as code refers to it.
#[derive(Clone, Debug)]
pub enum PoolConstant {
    None,
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(Sym),
    String(Arc<[u16]>),
    Member { class: Sym, name: Sym, descriptor: Sym },
    Handle(Handle),
    MethodType(Sym),
    Dynamic { bootstrap: u16, name: Sym, descriptor: Sym },
}

/// A method handle as the pool writes it.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    pub kind: u8,
    pub class: Sym,
    pub name: Sym,
    pub descriptor: Sym,
}

#[derive(Clone, Debug)]
pub struct Bootstrap {
    pub method: Option<Handle>,
    /// Pool indices.
    pub arguments: Vec<u16>,
}

impl Class {
    pub fn is_interface(&self) -> bool {
        self.access.is_interface()
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array { .. })
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self.kind, Kind::Primitive(_) | Kind::Void)
    }
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access.is_static()
    }
}
