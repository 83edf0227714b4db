//! Generates the classes through which a worker calls operations: one `switch` per group of operations, in the package of
//! the classes whose members they use. Owns how an operation becomes bytecode; never loads or runs any of it.
//!
//! Slots hold boxes, so parameters are unboxed and results boxed. HotSpot compiles no method above 8,000 bytes of
//! bytecode: groups are cut well below that.

mod emit;
mod lambda;

use std::collections::BTreeMap;

use bytecode::access::Access;
use bytecode::assemble::{ClassBuilder, Label};
use bytecode::names::{ClassName, FieldType, MethodDescriptor};
use testcase::operation::{Lambda, OpId, Operation, OperationKind};
use testcase::types::Type;

use crate::protocol::request::DispatcherClass;

/// Package of dispatchers whose operations belong to no application class.
const NEUTRAL_PACKAGE: &str = "testudo/generated";
const DISPATCHER: &str = "testudo/runtime/Dispatcher";
const CALL: &str = "(I[Ljava/lang/Object;[BI)Ljava/lang/Object;";

const MAX_OPERATIONS: usize = 150;
const MAX_CODE: usize = 7_000;

/// What the generator must know about classes.
pub trait Visibility {
    /// Belongs to the JDK: nothing can be defined in its package.
    fn is_platform(&self, class: &ClassName) -> bool;
    /// May be named in code of that package (internal form). An unknown class may: the JVM decides then.
    fn is_accessible(&self, package: &str, class: &ClassName) -> bool;
    /// A generated class that says so before it makes a call which reaches outside.
    fn watched(&self, generated: Vec<u8>) -> Vec<u8>;
}

/// Everything to send for a set of new operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    pub dispatchers: Vec<DispatcherClass>,
    /// Classes of lambdas: name and bytes.
    pub auxiliary: Vec<(String, Vec<u8>)>,
    /// Operations that cannot be called this way, and why.
    pub unusable: Vec<(OpId, String)>,
}

/// Generates dispatchers for operations in the order given. `serial` numbers the classes of a target and is advanced.
pub fn generate<'a>(
    operations: impl Iterator<Item = (OpId, &'a Operation)>,
    visibility: &dyn Visibility,
    serial: &mut u32,
) -> Generated {
    let mut out = Generated::default();
    let mut groups: BTreeMap<String, Vec<(OpId, &Operation)>> = BTreeMap::new();
    for (id, operation) in operations {
        if operation.is_constant() {
            continue;
        }
        let package = package_of(operation, visibility);
        match inaccessible(operation, &package, visibility) {
            Some(class) => {
                let why = format!("{} cannot be named in package {}", class.binary(), package.replace('/', "."));
                out.unusable.push((id, why));
            }
            None => groups.entry(package).or_default().push((id, operation)),
        }
    }
    for (package, operations) in groups {
        for group in cut(&operations) {
            build_group(&package, group, serial, &mut out);
        }
    }
    for class in &mut out.dispatchers {
        class.bytes = visibility.watched(std::mem::take(&mut class.bytes));
    }
    for (_, bytes) in &mut out.auxiliary {
        *bytes = visibility.watched(std::mem::take(bytes));
    }
    out
}

/// Slices of operations whose code fits one compiled method.
fn cut<'s, 'a>(operations: &'s [(OpId, &'a Operation)]) -> Vec<&'s [(OpId, &'a Operation)]> {
    let mut groups = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (i, (_, operation)) in operations.iter().enumerate() {
        let estimate = emit::estimate(operation);
        if i > start && (size + estimate > MAX_CODE || i - start == MAX_OPERATIONS) {
            groups.push(&operations[start..i]);
            (start, size) = (i, 0);
        }
        size += estimate;
    }
    groups.push(&operations[start..]);
    groups
}

fn build_group(package: &str, group: &[(OpId, &Operation)], serial: &mut u32, out: &mut Generated) {
    let mut auxiliary = Vec::new();
    match dispatcher(package, group, serial, &mut auxiliary) {
        Ok(class) => {
            out.dispatchers.push(class);
            out.auxiliary.append(&mut auxiliary);
        }
        // One operation that cannot be built must not take the others with it.
        Err(problem) if group.len() == 1 => out.unusable.push((group[0].0, problem)),
        Err(_) => {
            let (left, right) = group.split_at(group.len() / 2);
            build_group(package, left, serial, out);
            build_group(package, right, serial, out);
        }
    }
}

fn dispatcher(
    package: &str,
    group: &[(OpId, &Operation)],
    serial: &mut u32,
    auxiliary: &mut Vec<(String, Vec<u8>)>,
) -> Result<DispatcherClass, String> {
    let mut next_name = |what: &str| {
        *serial += 1;
        let slash = if package.is_empty() { "" } else { "/" };
        format!("{package}{slash}Testudo${what}{serial}")
    };
    let name = next_name("Calls");
    let mut lambdas = Vec::with_capacity(group.len());
    for (_, operation) in group {
        let OperationKind::Lambda(lambda) = &operation.kind else {
            lambdas.push(None);
            continue;
        };
        let name = next_name("Lambda");
        auxiliary.push((name.clone(), lambda::class(&name, lambda)?));
        lambdas.push(Some(name));
    }
    let mut class = ClassBuilder::new(&name, Access::PUBLIC | Access::FINAL | Access::SYNTHETIC);
    class.superclass(DISPATCHER).default_constructor(Access::PUBLIC);
    let emitted = class.method(Access::PUBLIC, "call", CALL, |code| {
        let cases: Vec<Label> = group.iter().map(|_| code.label()).collect();
        let default = code.label();
        code.load("I", 1);
        code.table_switch(0, &cases, default);
        for (((_, operation), case), lambda) in group.iter().zip(&cases).zip(&lambdas) {
            code.bind(*case);
            emit::operation(code, operation, lambda.as_deref())?;
        }
        code.bind(default);
        code.push_null();
        code.return_value("Ljava/lang/Object;");
        Ok(())
    });
    emitted.map_err(|e: emit::Malformed| e.to_string())?;
    let bytes = class.finish().map_err(|e| e.to_string())?;
    Ok(DispatcherClass { name, bytes, operations: group.iter().map(|(id, _)| id.0).collect() })
}

/// The package whose members the operation uses; the neutral one if only JDK classes are named.
fn package_of(operation: &Operation, visibility: &dyn Visibility) -> String {
    let mut candidates: Vec<&ClassName> = Vec::new();
    let taken: Vec<Type> = match &operation.kind {
        OperationKind::Lambda(lambda) => taken_by(lambda).iter().map(Type::from).collect(),
        _ => Vec::new(),
    };
    match &operation.kind {
        OperationKind::Construct { class, .. } => candidates.push(class),
        OperationKind::Call { owner, .. }
        | OperationKind::ReadField { owner, .. }
        | OperationKind::WriteField { owner, .. } => candidates.push(owner),
        OperationKind::Lambda(lambda) => {
            candidates.push(&lambda.interface);
            candidates.extend(taken.iter().filter_map(innermost));
            match &lambda.body {
                testcase::operation::LambdaBody::Reference { owner, .. } => candidates.push(owner),
                testcase::operation::LambdaBody::Constant(testcase::value::Constant::Enum { class, .. }) => {
                    candidates.push(class);
                }
                _ => {}
            }
        }
        _ => candidates.extend(operation.params.iter().chain([&operation.result]).filter_map(innermost)),
    }
    let application = candidates.into_iter().find(|c| !visibility.is_platform(c));
    application.map_or(NEUTRAL_PACKAGE, ClassName::package).to_owned()
}

/// What a lambda casts its parameters to.
fn taken_by(lambda: &Lambda) -> Vec<FieldType> {
    MethodDescriptor::parse(&lambda.exact).map(|d| d.params).unwrap_or_default()
}

fn innermost(ty: &Type) -> Option<&ClassName> {
    match ty {
        Type::Array(element) => innermost(element),
        other => other.class_name(),
    }
}

/// The first class named by the operation's code that its package must not name.
fn inaccessible(operation: &Operation, package: &str, visibility: &dyn Visibility) -> Option<ClassName> {
    let mut named: Vec<FieldType> = Vec::new();
    let class = |name: &ClassName| FieldType::Class(name.clone());
    let erased = operation.params.iter().chain([&operation.result]).filter_map(Type::erased);
    match &operation.kind {
        OperationKind::Construct { class: owner, descriptor, .. } => {
            named.push(class(owner));
            named.extend(MethodDescriptor::parse(descriptor).map(|d| d.params).unwrap_or_default());
        }
        OperationKind::Call { owner, descriptor, .. } => {
            named.push(class(owner));
            named.extend(MethodDescriptor::parse(descriptor).map(|d| d.params).unwrap_or_default());
        }
        OperationKind::ReadField { owner, .. } => named.push(class(owner)),
        OperationKind::WriteField { owner, field_type, .. } => named.extend([class(owner), field_type.clone()]),
        OperationKind::Lambda(lambda) => {
            named.push(class(&lambda.interface));
            named.extend(taken_by(lambda));
        }
        _ => named.extend(erased),
    }
    let mut names = named.into_iter().filter_map(|mut t| {
        while let FieldType::Array(element) = t {
            t = *element;
        }
        match t {
            FieldType::Class(name) => Some(name),
            _ => None,
        }
    });
    names.find(|name| !visibility.is_accessible(package, name))
}
