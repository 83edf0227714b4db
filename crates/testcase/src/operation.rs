//! Operations (what a statement may do) and the append-only table that numbers them.
//! Owns identity of operations; never knows which are worth calling.

use std::sync::Arc;

use bytecode::names::{ClassName, FieldType};
use rustc_hash::FxHashMap;

use crate::types::Type;
use crate::value::Constant;

/// Number of an operation in an [`Operations`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub u32);

impl OpId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One thing a statement may do, fully instantiated: no type variables are left in `params` and `result`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    pub kind: OperationKind,
    /// What it takes, receiver (or array, or outer instance) first.
    pub params: Vec<Type>,
    /// What it leaves; `Void` for nothing.
    pub result: Type,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// Takes nothing.
    Constant(Constant),
    /// `new C(..)`. For an inner class the outer instance is the first parameter (as in the descriptor) and `inner` is set:
    /// Java source writes `outer.new C(..)`.
    Construct { class: ClassName, descriptor: Arc<str>, varargs: bool, inner: bool },
    /// A method call. `owner` is the class through which it is called (an accessible one), `declaring_interface` says whether
    /// `owner` is an interface. Instance methods take the receiver first.
    Call {
        owner: ClassName,
        name: Arc<str>,
        descriptor: Arc<str>,
        is_static: bool,
        owner_is_interface: bool,
        varargs: bool,
    },
    /// Instance fields take the receiver.
    ReadField { owner: ClassName, name: Arc<str>, field_type: FieldType, is_static: bool },
    /// Takes the receiver (if not static), then the value.
    WriteField { owner: ClassName, name: Arc<str>, field_type: FieldType, is_static: bool },
    /// `new E[l0][l1]…` with given lengths and `dimensions ≥ lengths.len()` in the result type. Takes nothing.
    NewArray { lengths: Vec<u32> },
    /// `new E[] {a, b, …}`. Takes the elements.
    ArrayLiteral { length: u32 },
    /// `array[index] = value`. Takes array and value.
    StoreElement { index: u32 },
    /// `array[index]`. Takes the array.
    LoadElement { index: u32 },
    /// An object of a functional interface made by us. Takes nothing.
    Lambda(Lambda),
    /// `(T) value`: the run-time type is known to be a subtype of the result type. Takes the value.
    Cast,
}

/// A lambda whose body we choose. `method` is the interface's single abstract method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lambda {
    pub interface: ClassName,
    pub method: Arc<str>,
    /// Erased descriptor of the interface method.
    pub descriptor: Arc<str>,
    /// The same with the erased parameter types that the interface has by its type arguments: a lambda casts what it is given to these, as javac's do.
    pub exact: Arc<str>,
    pub body: LambdaBody,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LambdaBody {
    /// `(a, b) -> {}`
    Nothing,
    /// `(a, b) -> constant` (boxed as the result type asks). The constant fits the instantiated result type.
    Constant(Constant),
    /// `(a, b) -> b`: the n-th parameter; its instantiated type fits the result.
    Parameter(u16),
    /// A method reference to a static method or an instance method of the first parameter, erased descriptor; printed as `Owner::name`.
    Reference { owner: ClassName, name: Arc<str>, descriptor: Arc<str>, is_static: bool, owner_is_interface: bool },
}

/// Append-only table of operations. Equal operations get the same number.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    list: Vec<Arc<Operation>>,
    index: FxHashMap<Arc<Operation>, OpId>,
}

impl Operations {
    pub fn intern(&mut self, operation: Operation) -> OpId {
        if let Some(&id) = self.index.get(&operation) {
            return id;
        }
        let id = OpId(self.list.len() as u32);
        let operation = Arc::new(operation);
        self.list.push(operation.clone());
        self.index.insert(operation, id);
        id
    }
    /// Panics if the number is not from this table.
    pub fn get(&self, id: OpId) -> &Operation {
        &self.list[id.index()]
    }
    pub fn len(&self) -> usize {
        self.list.len()
    }
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = (OpId, &Operation)> {
        self.list.iter().enumerate().map(|(i, o)| (OpId(i as u32), &**o))
    }
}

impl Operation {
    pub fn constant(value: Constant, ty: Type) -> Operation {
        Operation { kind: OperationKind::Constant(value), params: Vec::new(), result: ty }
    }
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, OperationKind::Constant(_))
    }
    /// Has a receiver as first parameter (instance call or instance field access).
    pub fn has_receiver(&self) -> bool {
        match &self.kind {
            OperationKind::Call { is_static, .. }
            | OperationKind::ReadField { is_static, .. }
            | OperationKind::WriteField { is_static, .. } => !is_static,
            _ => false,
        }
    }
}
