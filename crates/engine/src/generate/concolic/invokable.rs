//! What sequences are made of: constructors, methods, field accesses and arrays, with what they need, give, define and use. Owns the list and its numbering;
//! which may follow which is `influence`'s to say.

use bytecode::analysis::dataflow::Field;
use bytecode::analysis::{DataFlow, Flow, Follow};
use bytecode::names::{ClassName, FieldType, Primitive};
use bytecode::world::World;
use testcase::operation::{OpId, OperationKind};
use testcase::types::Type;
use testcase::value::Constant;

use crate::catalog::{Role, TypeId};
use crate::constants::Kind as ConstantKind;
use crate::goal::MethodId;
use crate::search::Search;

/// The eight kinds of invokables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    ArrayConstructor,
    Constructor,
    FieldLoad,
    FieldStore,
    Method,
    StaticFieldLoad,
    StaticFieldStore,
    StaticMethod,
}

/// What a parameter is filled with.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// A number for the solver to choose, perhaps in a box.
    Number { primitive: Primitive, boxed: bool },
    /// A text whose characters the solver chooses; one of these to begin with.
    Text { seeds: Vec<Vec<u16>> },
    /// Something made earlier, one of these constants or lambdas, or null.
    Reference { wanted: Vec<TypeId>, atoms: Vec<OpId>, null: Option<OpId>, receiver: bool },
}

/// A step of a sequence whose arguments are still open.
#[derive(Clone, Debug)]
pub struct Invokable {
    pub op: OpId,
    pub kind: Kind,
    pub params: Vec<Param>,
    /// The reference it gives.
    pub gives: Option<TypeId>,
    pub flow: Flow,
    /// The method under test it calls.
    pub method: Option<MethodId>,
    /// It is a member of the classes under test, not something that only feeds them.
    pub under_test: bool,
}

/// Ways to make one type that are taken in beyond the classes under test.
const MAKERS: usize = 3;
/// Types for which ways are looked for.
const MAX_TYPES: usize = 24;
/// All invokables: pairs of them are tabulated.
const MAX_INVOKABLES: usize = 200;
/// Enum constants, lambdas and the like per parameter.
const ATOMS: usize = 4;
/// Texts to begin with per parameter.
const SEEDS: usize = 12;
const SEEDS_PER_LENGTH: usize = 3;
const LONGEST_SEED: usize = 20;

/// Everything that can be in a sequence for the classes under test, in a fixed order.
pub fn collect(search: &mut Search<'_>, world: &World) -> Vec<Invokable> {
    let mut collector =
        Collector { flows: DataFlow::new(world, Follow::Application), world, found: Vec::new(), wanted: Vec::new() };
    for op in search.targets.clone() {
        collector.take(search, op, true);
    }
    let mut at = 0;
    while at < collector.wanted.len().min(MAX_TYPES) {
        let ty = collector.wanted[at];
        at += 1;
        collector.ways(search, ty);
    }
    collector.found
}

struct Collector<'w> {
    flows: DataFlow<'w>,
    world: &'w World,
    found: Vec<Invokable>,
    /// Types that something needs, in the order in which they came up.
    wanted: Vec<TypeId>,
}

impl Collector<'_> {
    fn take(&mut self, search: &mut Search<'_>, op: OpId, under_test: bool) {
        let full = self.found.len() >= MAX_INVOKABLES;
        if full || self.found.iter().any(|i| i.op == op) || search.records.op(op).unusable {
            return;
        }
        let Some(kind) = kind_of(&search.catalog.operation(op).kind) else { return };
        let flow = self.flow(search, op);
        let general: Vec<bool> = (0..search.catalog.facts(op).params.len())
            .map(|i| is_general(search.catalog.ty(search.catalog.facts(op).params[i])))
            .collect();
        // What is declared as anything is tried as a number, and as what the code looks for.
        let hints: Vec<TypeId> = search.catalog.facts(op).hints.to_vec();
        let asks = !flow.casts.is_empty() || !flow.tests.is_empty();
        let variants = if general.contains(&true) && asks && !hints.is_empty() { 2 } else { 1 };
        for variant in 0..variants {
            let params = self.params(search, op, &general, if variant == 1 { &hints } else { &[] });
            let facts = search.catalog.facts(op);
            let result = search.catalog.ty(facts.result);
            let gives = (result.is_reference() && ConstantKind::of_type(result).is_none()).then_some(facts.result);
            let method = facts.method;
            let flow = flow.clone();
            self.found.push(Invokable { op, kind, params, gives, flow, method, under_test });
        }
    }

    fn params(&mut self, search: &mut Search<'_>, op: OpId, general: &[bool], hints: &[TypeId]) -> Vec<Param> {
        let facts = search.catalog.facts(op);
        let (types, needs_object) = (facts.params.clone(), facts.needs_object);
        types
            .iter()
            .enumerate()
            .map(|(i, &ty)| {
                let receiver = needs_object && i == 0;
                match search.catalog.ty(ty) {
                    Type::Primitive(p) => return Param::Number { primitive: *p, boxed: false },
                    declared if !receiver => {
                        let kind = ConstantKind::of_type(declared);
                        if let Some(primitive) = kind.and_then(ConstantKind::primitive) {
                            return Param::Number { primitive, boxed: true };
                        }
                        if kind == Some(ConstantKind::STRING) {
                            return Param::Text { seeds: seeds(search) };
                        }
                    }
                    _ => {}
                }
                if general[i] && !receiver {
                    let number = ConstantKind::of(Primitive::Int).boxed();
                    if hints.is_empty() && search.library.fits(&number, search.catalog.ty(ty)) {
                        return Param::Number { primitive: Primitive::Int, boxed: true };
                    }
                    if !hints.is_empty() {
                        return self.reference(search, hints.to_vec(), ty, receiver);
                    }
                }
                self.reference(search, vec![ty], ty, receiver)
            })
            .collect()
    }

    fn reference(&mut self, search: &mut Search<'_>, wanted: Vec<TypeId>, declared: TypeId, receiver: bool) -> Param {
        let mut atoms = Vec::new();
        for &ty in &wanted {
            if !self.wanted.contains(&ty) {
                self.wanted.push(ty);
            }
            search.prepare_supply(ty);
            if let Some(supply) = search.supplies.get(ty) {
                let parts = supply.leaves.iter().copied();
                atoms.extend(parts.filter(|&l| search.catalog.facts(l).role == Role::Part).take(ATOMS));
            }
        }
        search.prepare_supply(declared);
        let null = search.supplies.get(declared).and_then(|s| s.null).filter(|_| !receiver);
        Param::Reference { wanted, atoms, null, receiver }
    }

    /// Ways to make a type that nothing under test gives.
    fn ways(&mut self, search: &mut Search<'_>, ty: TypeId) {
        search.prepare_supply(ty);
        let Some(supply) = search.supplies.get(ty) else { return };
        let literals = supply.literals.clone();
        let makers: Vec<OpId> = supply.leaves.iter().chain(&supply.makers).copied().collect();
        for op in literals {
            self.take(search, op, false);
        }
        let given = makers.iter().filter(|&&op| self.found.iter().any(|i| i.op == op)).count();
        let others = makers.into_iter().filter(|&op| search.catalog.facts(op).role == Role::Feed);
        let others: Vec<OpId> = others.take(if given > 0 { 0 } else { MAKERS }).collect();
        for op in others {
            self.take(search, op, false);
        }
    }

    fn flow(&mut self, search: &Search<'_>, op: OpId) -> Flow {
        let operation = search.catalog.operation(op);
        let reference = |t: &Type| t.erased().filter(|t| !matches!(t, FieldType::Primitive(_)));
        let requires: Vec<FieldType> = operation.params.iter().filter_map(reference).collect();
        let bare = Flow { requires, returns: reference(&operation.result), ..Flow::default() };
        let member =
            |owner: &ClassName, name: &str, descriptor: &str| self.world.resolve_method(owner, name, descriptor);
        let found = match &operation.kind {
            OperationKind::Construct { class, descriptor, .. } => member(class, "<init>", descriptor),
            OperationKind::Call { owner, name, descriptor, .. } => member(owner, name, descriptor),
            OperationKind::ReadField { owner, name, field_type, is_static } => {
                let field = self.field(owner, name, field_type, *is_static);
                return Flow { uses: [field].into(), ..bare };
            }
            OperationKind::WriteField { owner, name, field_type, is_static } => {
                let field = self.field(owner, name, field_type, *is_static);
                return Flow { defines: [field].into(), ..bare };
            }
            OperationKind::ArrayLiteral { .. } | OperationKind::NewArray { .. } => {
                let stores = bare.returns.iter().cloned().collect();
                return Flow { stores, ..bare };
            }
            _ => None,
        };
        match found {
            Some(method) => {
                Flow { requires: bare.requires, returns: bare.returns, ..(*self.flows.whole(&method)).clone() }
            }
            None => bare,
        }
    }

    fn field(&self, owner: &ClassName, name: &str, kind: &FieldType, is_static: bool) -> Field {
        let found = self.world.resolve_field(owner, name, &kind.to_string());
        let class = found.map_or_else(|| owner.clone(), |f| f.owner().clone());
        Field { class, name: name.to_owned(), is_static }
    }
}

fn kind_of(kind: &OperationKind) -> Option<Kind> {
    Some(match kind {
        OperationKind::Construct { .. } => Kind::Constructor,
        OperationKind::Call { is_static: true, .. } => Kind::StaticMethod,
        OperationKind::Call { .. } => Kind::Method,
        OperationKind::ReadField { is_static: true, .. } => Kind::StaticFieldLoad,
        OperationKind::ReadField { .. } => Kind::FieldLoad,
        OperationKind::WriteField { is_static: true, .. } => Kind::StaticFieldStore,
        OperationKind::WriteField { .. } => Kind::FieldStore,
        OperationKind::ArrayLiteral { .. } | OperationKind::NewArray { .. } => Kind::ArrayConstructor,
        _ => return None,
    })
}

/// Is nearly everything of this type?
fn is_general(ty: &Type) -> bool {
    let general = ["java/lang/Object", "java/lang/Comparable", "java/io/Serializable", "java/lang/Number"];
    ty.class_name().is_some_and(|c| general.contains(&c.internal()))
}

/// Plain texts of several lengths, and texts of the code itself.
fn seeds(search: &Search<'_>) -> Vec<Vec<u16>> {
    let plain = ["a", "", "abc", "1.5", "-12", "a b"].map(|s| s.encode_utf16().collect::<Vec<u16>>());
    let mut found: Vec<Vec<u16>> = plain.into();
    for constant in search.library.constants() {
        let Constant::String(text) = constant else { continue };
        let units = text.units();
        let fits = units.len() <= LONGEST_SEED && units.iter().all(|u| *u < 256) && !found.iter().any(|f| f == units);
        // The characters can be chosen: lengths count for more.
        let alike = found.iter().filter(|f| f.len() == units.len()).count();
        if fits && alike < SEEDS_PER_LENGTH && found.len() < SEEDS {
            found.push(units.to_vec());
        }
    }
    found
}
