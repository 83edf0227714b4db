//! From an observed suite back to sequences: the calls its tests made, with plain values as constants and objects as what observed calls gave. Owns what can
//! be rebuilt and the reasons where something cannot; decides nothing about its use.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::names::{ClassName, MethodDescriptor};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use testcase::observed::{CallEnd, ObservedCall, ObservedMember, ObservedSuite, ObservedValue, TestRun};
use testcase::operation::{OpId, Operation, OperationKind};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::{Constant, Value};

use crate::catalog::{Catalog, Role, TypeId};
use crate::constants::{Kind, as_constant};
use crate::generate::scratch::Scratch;
use crate::library::Library;
use crate::search::Search;

/// Sequences that do what observed tests did.
#[derive(Clone, Debug, Default)]
pub struct Rebuilt {
    /// Each once, in the order of the tests.
    pub sequences: Vec<Sequence>,
    /// Calls that are in them, and calls observed.
    pub calls: usize,
    pub observed: usize,
    /// Why calls were left out, and how many.
    pub missed: BTreeMap<Missed, usize>,
}

/// Why a call cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Missed {
    #[error("{} cannot be called from a test", said(.0))]
    Member(ObservedMember),
    #[error("nothing observed made its {}", .0.binary())]
    Object(ClassName),
    #[error("its {} does not fit by its static type", .0.binary())]
    Type(ClassName),
    #[error("a value is too long to be known whole")]
    Value,
    #[error("the test is too long")]
    Length,
    #[error("it did not come back")]
    Open,
}

fn said(member: &ObservedMember) -> String {
    format!("{}.{}{}", member.class.binary(), member.name, member.descriptor)
}

pub fn rebuild(suite: &ObservedSuite, search: &mut Search<'_>) -> Rebuilt {
    let mut by_member = ByMember::default();
    for &op in &search.targets {
        if let Some(m) = &search.catalog.facts(op).member {
            by_member.entry((m.class.clone(), m.name.clone(), m.descriptor.clone())).or_default().push(op);
        }
    }
    let own = own_members(suite, search);
    add_helpers(suite, &own, search, &mut by_member);
    let operations: Vec<Vec<OpId>> = suite
        .members
        .iter()
        .map(|m| by_member.get(&(m.class.clone(), m.name.clone(), m.descriptor.clone())).cloned().unwrap_or_default())
        .collect();
    let raw: Vec<Vec<OpId>> = operations.iter().map(|ops| raw(search, ops).into_iter().collect()).collect();
    let mut rebuilt = Rebuilt::default();
    let mut known: FxHashSet<Sequence> = FxHashSet::default();
    let max_length = search.options.max_length;
    let mut maker = Maker {
        library: search.library,
        catalog: &mut search.catalog,
        scratch: Scratch::default(),
        objects: FxHashMap::default(),
        max_length,
    };
    // A generic class has a constructor for each choice of type arguments; the test's own choice shows in how far its calls fit.
    let choices = operations.iter().map(Vec::len).max().unwrap_or(0).clamp(1, MAX_CHOICES);
    for run in &suite.runs {
        let mut best: Option<Attempt> = None;
        for choice in 0..choices {
            let attempt = maker.run(suite, run, &own, &operations, choice);
            let done = attempt.missed.is_empty();
            if best.as_ref().is_none_or(|b| attempt.calls > b.calls) {
                best = Some(attempt);
            }
            if done {
                break;
            }
        }
        // Type arguments nobody thought of: without any, everything fits.
        if best.as_ref().is_some_and(|b| !b.missed.is_empty()) && raw.iter().any(|ops| !ops.is_empty()) {
            let attempt = maker.run(suite, run, &own, &raw, 0);
            best = best.filter(|b| b.calls >= attempt.calls).or(Some(attempt));
        }
        let Some(attempt) = best else { continue };
        rebuilt.observed += run.calls.iter().filter(|c| own.get(c.member as usize) == Some(&true)).count();
        rebuilt.calls += attempt.calls;
        for missed in attempt.missed {
            *rebuilt.missed.entry(missed).or_default() += 1;
        }
        rebuilt.sequences.extend(attempt.sequences.into_iter().filter(|s| known.insert(s.clone())));
    }
    for op in rebuilt.sequences.iter().flat_map(|s| s.statements()).map(|s| s.op) {
        let is_target = search.catalog.facts(op).role == Role::Target;
        if is_target && raw.iter().any(|ops| ops.contains(&op)) && !search.targets.contains(&op) {
            search.targets.push(op);
        }
    }
    rebuilt
}

type ByMember = FxHashMap<(ClassName, Arc<str>, Arc<str>), Vec<OpId>>;

/// Which members are of the classes under test or above them; others only make what is passed.
fn own_members(suite: &ObservedSuite, search: &Search<'_>) -> Vec<bool> {
    let mut classes: Vec<&ClassName> =
        search.targets.iter().filter_map(|&op| Some(&search.catalog.facts(op).member.as_ref()?.class)).collect();
    classes.sort();
    classes.dedup();
    suite.members.iter().map(|m| classes.iter().any(|c| search.library.is_subclass(c, &m.class))).collect()
}

/// Objects to pass may be of classes that are not under test: adds the ways to make them that the tests go.
fn add_helpers(suite: &ObservedSuite, own: &[bool], search: &mut Search<'_>, by_member: &mut ByMember) {
    let others = suite.members.iter().zip(own).filter(|(_, own)| !**own).map(|(m, _)| &m.class);
    let others: FxHashSet<&ClassName> = others.filter(|c| search.library.nameable(c)).collect();
    let mut others: Vec<&ClassName> = others.into_iter().collect();
    others.sort();
    for class in others {
        let ty = search.catalog.type_id(&Type::class(class.internal()));
        search.prepare_supply(ty);
        let Some(supply) = search.supplies.get(ty) else { continue };
        for &op in supply.leaves.iter().chain(&supply.makers) {
            if let Some(m) = search.catalog.facts(op).member.as_ref().filter(|m| m.class == *class) {
                let ops = by_member.entry((m.class.clone(), m.name.clone(), m.descriptor.clone())).or_default();
                if !ops.contains(&op) {
                    ops.push(op);
                }
            }
        }
    }
}

/// The same member without type arguments.
fn raw(search: &mut Search<'_>, ops: &[OpId]) -> Option<OpId> {
    let &typed = ops.first()?;
    let kind = search.catalog.operation(typed).kind.clone();
    let (mut params, descriptor) = match &kind {
        OperationKind::Construct { descriptor, .. } => (Vec::new(), descriptor),
        OperationKind::Call { owner, descriptor, is_static, .. } => {
            let receiver = (!is_static).then(|| Type::class(owner.internal()));
            (receiver.into_iter().collect(), descriptor)
        }
        _ => return None,
    };
    let descriptor = MethodDescriptor::parse(descriptor)?;
    params.extend(descriptor.params.iter().map(Type::from));
    let result = match &kind {
        OperationKind::Construct { class, .. } => Type::class(class.internal()),
        _ => descriptor.result.as_ref().map_or(Type::Void, Type::from),
    };
    let facts = search.catalog.facts(typed);
    let (member, method, role) = (facts.member.as_deref().cloned(), facts.method, facts.role);
    let op = search.catalog.add(search.library, Operation { kind, params, result }, role);
    if op != typed {
        search.catalog.describe(op, member, method, &[]);
    }
    Some(op)
}

/// Choices of type arguments tried for a test.
const MAX_CHOICES: usize = 8;

/// One test, made again with one choice of type arguments.
#[derive(Default)]
struct Attempt {
    sequences: Vec<Sequence>,
    calls: usize,
    missed: Vec<Missed>,
}

struct Maker<'a> {
    library: &'a dyn Library,
    catalog: &'a mut Catalog,
    scratch: Scratch,
    objects: FxHashMap<u32, (Var, TypeId)>,
    max_length: usize,
}

impl Maker<'_> {
    fn run(
        &mut self,
        suite: &ObservedSuite,
        run: &TestRun,
        own: &[bool],
        operations: &[Vec<OpId>],
        choice: usize,
    ) -> Attempt {
        self.scratch.clear();
        self.objects.clear();
        let mut attempt = Attempt::default();
        let mut grown = false;
        for call in &run.calls {
            let (Some(member), Some(ops)) =
                (suite.members.get(call.member as usize), operations.get(call.member as usize))
            else {
                continue;
            };
            let is_own = own.get(call.member as usize) == Some(&true);
            let statement = match self.statement(member, ops, call, choice) {
                Ok(statement) => statement,
                Err(missed) => {
                    // If what it would have made is passed, that call says so.
                    attempt.missed.extend(is_own.then_some(missed));
                    continue;
                }
            };
            attempt.calls += usize::from(is_own);
            let op = statement.op;
            match &call.end {
                CallEnd::Threw(_) => {
                    // Nothing comes behind a statement that throws, so it ends a sequence of its own.
                    let statements: Vec<Statement> =
                        self.scratch.statements().iter().cloned().chain([statement]).collect();
                    attempt.sequences.push(Sequence::new(statements));
                }
                CallEnd::Returned(result) => {
                    let var = self.scratch.push(self.catalog, statement);
                    grown = true;
                    if let Some(ObservedValue::Object(object)) = result {
                        let ty = self.catalog.facts(op).result;
                        self.objects.entry(object.object).or_insert((var, ty));
                    }
                }
                CallEnd::Open => {}
            }
        }
        if grown {
            attempt.sequences.push(self.scratch.sequence());
        }
        attempt
    }

    /// The call as a statement; what its arguments need is put into the scratch.
    fn statement(
        &mut self,
        member: &ObservedMember,
        ops: &[OpId],
        call: &ObservedCall,
        choice: usize,
    ) -> Result<Statement, Missed> {
        if call.end == CallEnd::Open {
            return Err(Missed::Open);
        }
        let mut problem = Missed::Member(member.clone());
        for i in 0..ops.len() {
            let op = ops[(i + choice) % ops.len()];
            match self.arguments(op, call) {
                Ok(args) if self.scratch.len() < self.max_length => return Ok(Statement { op, args }),
                Ok(_) => return Err(Missed::Length),
                Err(missed) => problem = missed,
            }
        }
        Err(problem)
    }

    fn arguments(&mut self, op: OpId, call: &ObservedCall) -> Result<SmallVec<[Var; 4]>, Missed> {
        let params = self.catalog.facts(op).params.clone();
        let values = || call.receiver.iter().chain(&call.arguments);
        if values().count() != params.len() {
            return Err(Missed::Value);
        }
        // Objects first: if one is missing, no constant was put down for nothing.
        for (value, &param) in values().zip(&params) {
            if let ObservedValue::Object(object) = value {
                self.object(object.object, &object.class, param)?;
            }
        }
        let mut args = SmallVec::new();
        for (value, &param) in values().zip(&params) {
            args.push(match value {
                ObservedValue::Object(object) => self.object(object.object, &object.class, param)?,
                ObservedValue::Plain(value) => {
                    let op = self.constant(value, param)?;
                    self.scratch.push_leaf(self.catalog, op)
                }
            });
        }
        Ok(args)
    }

    fn object(&mut self, object: u32, class: &ClassName, param: TypeId) -> Result<Var, Missed> {
        if class.internal() == "java/lang/Object" && !self.objects.contains_key(&object) {
            // It has nothing inside: any new one is like it.
            let kind = OperationKind::Construct {
                class: class.clone(),
                descriptor: "()V".into(),
                varargs: false,
                inner: false,
            };
            let make = Operation { kind, params: Vec::new(), result: Type::object() };
            let op = self.catalog.add(self.library, make, Role::Feed);
            let var = self.scratch.push(self.catalog, Statement::new(op, &[]));
            self.objects.insert(object, (var, self.catalog.facts(op).result));
        }
        let &(var, ty) = self.objects.get(&object).ok_or_else(|| Missed::Object(class.clone()))?;
        if self.catalog.fits(ty, param) {
            return Ok(var);
        }
        let cast = self.library.cast_type(self.catalog.ty(ty), class).ok_or_else(|| Missed::Type(class.clone()))?;
        let op = self.catalog.cast(self.library, ty, &cast);
        let to = self.catalog.facts(op).result;
        if !self.catalog.fits(to, param) {
            return Err(Missed::Type(class.clone()));
        }
        let var = self.scratch.push(self.catalog, Statement::new(op, &[var]));
        self.objects.insert(object, (var, to));
        Ok(var)
    }

    fn constant(&mut self, value: &Value, param: TypeId) -> Result<OpId, Missed> {
        let wanted = self.catalog.ty(param).clone();
        let (constant, ty) = match (value, &wanted) {
            (Value::Null, Type::Class(_) | Type::Array(_)) => (Constant::Null, wanted.clone()),
            (Value::Enum { class, name }, _) => {
                (Constant::Enum { class: class.clone(), name: name.clone() }, Type::class(class.internal()))
            }
            (Value::Class(of), Type::Class(class)) if class.name.internal() == "java/lang/Class" => {
                (Constant::Class(of.clone()), wanted.clone())
            }
            _ => {
                let constant = as_constant(value).ok_or(Missed::Value)?;
                let kind = Kind::of_constant(&constant).ok_or(Missed::Value)?;
                let ty = match &wanted {
                    Type::Primitive(p) => Type::Primitive(*p),
                    _ => kind.boxed(),
                };
                if matches!(wanted, Type::Primitive(_)) && Kind::of_type(&wanted) != Some(kind) {
                    return Err(Missed::Value);
                }
                (constant, ty)
            }
        };
        let op = self.catalog.constant(self.library, constant, ty);
        if self.catalog.fits(self.catalog.facts(op).result, param) { Ok(op) } else { Err(Missed::Value) }
    }
}
