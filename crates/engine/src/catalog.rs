//! All operations and types of a search, numbered, with what the hot path needs to know of each. Owns the operation table and the
//! subtype relation between numbered types; never decides what to call.

use bytecode::names::{ClassName, Primitive};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use testcase::cost::Cost;
use testcase::operation::{LambdaBody, OpId, Operation, OperationKind, Operations};
use testcase::types::Type;
use testcase::value::Constant;

use crate::goal::MethodId;
use crate::library::{Library, Member, Nullness};

/// Number of a type in a [`Catalog`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl TypeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why an operation is in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A member of a class under test: worth calling for its own sake.
    Target,
    /// Only called to feed others.
    Feed,
    /// Constants, arrays, lambdas, casts: parts of a sequence that run no code of others.
    Part,
}

/// What the search knows of an operation without looking at its text.
#[derive(Clone, Debug)]
pub struct OpFacts {
    pub params: SmallVec<[TypeId; 4]>,
    pub result: TypeId,
    pub role: Role,
    /// The method under test it calls directly.
    pub method: Option<MethodId>,
    pub receiver: bool,
    /// The first operand must be an object: a receiver, or what an inner object is inside of (Java source has no way to leave that null).
    pub needs_object: bool,
    /// A constant: takes nothing, equal ones can be shared within a sequence.
    pub constant: bool,
    /// Brings a null into the sequence by itself.
    pub null: bool,
    /// What one statement of it adds to a sequence's cost.
    pub cost: Cost,
    /// Better choices for parameters of general type.
    pub hints: SmallVec<[TypeId; 2]>,
    /// Methods under test it may run by dispatch.
    pub also: SmallVec<[MethodId; 2]>,
    pub member: Option<Box<Member>>,
}

#[derive(Clone, Debug)]
struct TypeFacts {
    ty: Type,
    /// Some operation takes it.
    wanted: bool,
    /// Some operation gives it.
    produced: bool,
    /// If wanted: produced types whose values fit.
    from: Vec<TypeId>,
}

#[derive(Debug)]
pub struct Catalog {
    operations: Operations,
    facts: Vec<OpFacts>,
    types: Vec<TypeFacts>,
    type_index: FxHashMap<Type, TypeId>,
    void: TypeId,
}

impl Default for Catalog {
    fn default() -> Self {
        let mut catalog = Catalog {
            operations: Operations::default(),
            facts: Vec::new(),
            types: Vec::new(),
            type_index: FxHashMap::default(),
            void: TypeId(0),
        };
        catalog.void = catalog.type_id(&Type::Void);
        catalog
    }
}

impl Catalog {
    pub fn operations(&self) -> &Operations {
        &self.operations
    }
    pub fn operation(&self, op: OpId) -> &Operation {
        self.operations.get(op)
    }
    #[inline]
    pub fn facts(&self, op: OpId) -> &OpFacts {
        &self.facts[op.index()]
    }
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()].ty
    }
    pub fn void(&self) -> TypeId {
        self.void
    }
    pub fn type_count(&self) -> usize {
        self.types.len()
    }
    /// Produced types whose values fit where `wanted` is asked for. Empty for types nobody asked for.
    #[inline]
    pub fn fitting(&self, wanted: TypeId) -> &[TypeId] {
        &self.types[wanted.index()].from
    }
    #[inline]
    pub fn fits(&self, value: TypeId, wanted: TypeId) -> bool {
        value == wanted || self.types[wanted.index()].from.contains(&value)
    }
    pub fn primitive(&self, id: TypeId) -> Option<Primitive> {
        match self.ty(id) {
            Type::Primitive(p) => Some(*p),
            _ => None,
        }
    }

    /// The number of a type, new or old, without saying that anybody wants or makes it.
    pub fn type_id(&mut self, ty: &Type) -> TypeId {
        if let Some(&id) = self.type_index.get(ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(TypeFacts { ty: ty.clone(), wanted: false, produced: false, from: Vec::new() });
        self.type_index.insert(ty.clone(), id);
        id
    }

    /// The number of a type some operation takes: from now on `fitting` answers for it.
    pub fn want(&mut self, library: &dyn Library, ty: &Type) -> TypeId {
        let id = self.type_id(ty);
        if !self.types[id.index()].wanted {
            self.types[id.index()].wanted = true;
            let from: Vec<TypeId> = (0..self.types.len() as u32)
                .map(TypeId)
                .filter(|&t| self.types[t.index()].produced && fits(library, self.ty(t), ty))
                .collect();
            self.types[id.index()].from = from;
        }
        id
    }

    fn produce(&mut self, library: &dyn Library, ty: &Type) -> TypeId {
        let id = self.type_id(ty);
        if !self.types[id.index()].produced {
            self.types[id.index()].produced = true;
            if *ty != Type::Void {
                for wanted in 0..self.types.len() {
                    if self.types[wanted].wanted && fits(library, ty, &self.types[wanted].ty) {
                        self.types[wanted].from.push(id);
                    }
                }
            }
        }
        id
    }

    /// Takes an operation in; an equal one keeps its number. A target stays a target.
    pub fn add(&mut self, library: &dyn Library, operation: Operation, role: Role) -> OpId {
        let before = self.operations.len();
        let mut cost = Cost::default();
        cost.add(&operation);
        let op = self.operations.intern(operation);
        if op.index() < before {
            if role == Role::Target {
                self.facts[op.index()].role = Role::Target;
            }
            return op;
        }
        let operation = self.operations.get(op).clone();
        let params = operation.params.iter().map(|p| self.want(library, p)).collect();
        let result = self.produce(library, &operation.result);
        let null = match &operation.kind {
            OperationKind::Constant(Constant::Null) => true,
            OperationKind::Lambda(lambda) => {
                matches!(lambda.body, LambdaBody::Constant(Constant::Null))
            }
            OperationKind::NewArray { lengths } => {
                lengths.iter().all(|&l| l > 0) && new_array_leaves_nulls(&operation.result, lengths.len())
            }
            _ => false,
        };
        self.facts.push(OpFacts {
            params,
            result,
            role,
            method: None,
            receiver: operation.has_receiver(),
            needs_object: operation.has_receiver()
                || matches!(operation.kind, OperationKind::Construct { inner: true, .. }),
            constant: operation.is_constant(),
            null,
            cost,
            hints: SmallVec::new(),
            also: SmallVec::new(),
            member: None,
        });
        op
    }

    /// Says which member an operation leads to, whether it is under test, and which types suit its general parameters.
    pub fn describe(&mut self, op: OpId, member: Option<Member>, method: Option<MethodId>, hints: &[TypeId]) {
        let facts = &mut self.facts[op.index()];
        facts.member = member.map(Box::new);
        facts.method = method.or(facts.method);
        facts.hints = SmallVec::from_slice(hints);
    }

    /// Notes methods under test that an operation may run by dispatch.
    pub fn leads_to(&mut self, op: OpId, methods: impl Iterator<Item = MethodId>) {
        self.facts[op.index()].also = methods.collect();
    }

    /// What the member behind an operation says of null as this operand. Receivers are never null.
    pub fn nullness(&self, op: OpId, operand: usize) -> Nullness {
        let facts = self.facts(op);
        let said = facts.member.as_ref().map_or(&[][..], |m| &m.nullness);
        let at = if facts.receiver { operand.checked_sub(1) } else { Some(operand) };
        at.and_then(|i| said.get(i)).copied().unwrap_or_default()
    }

    /// A constant of the given type.
    pub fn constant(&mut self, library: &dyn Library, value: Constant, ty: Type) -> OpId {
        self.add(library, Operation::constant(value, ty), Role::Part)
    }

    /// `(T) value`
    pub fn cast(&mut self, library: &dyn Library, from: TypeId, to: &Type) -> OpId {
        let from = self.ty(from).clone();
        let operation = Operation { kind: OperationKind::Cast, params: vec![from], result: to.clone() };
        self.add(library, operation, Role::Part)
    }

    /// The class whose exceptions `op` declares to throw include `class` or one above it.
    pub fn declares(&self, library: &dyn Library, op: OpId, class: &ClassName) -> bool {
        self.facts(op).member.as_ref().is_some_and(|m| m.throws.iter().any(|t| library.is_subclass(class, t)))
    }
}

/// Primitives fit themselves alone; everything else is the library's to say.
fn fits(library: &dyn Library, value: &Type, wanted: &Type) -> bool {
    value == wanted || (value.is_reference() && wanted.is_reference() && library.fits(value, wanted))
}

fn new_array_leaves_nulls(result: &Type, lengths: usize) -> bool {
    let mut ty = result;
    for _ in 0..lengths {
        match ty {
            Type::Array(element) => ty = element,
            _ => return false,
        }
    }
    ty.is_reference()
}
