//! Where operations come from: everything a test in a given package can do with a class. Owns which members count and how a
//! call to them is spelled in the class file; which are worth calling is the engine's business.

mod captured;
mod field;
mod functional;

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::names::{ClassName, FieldType};
use bytecode::signature::{ArgSig, TypeParam, TypeSig};
use rustc_hash::FxHashSet;

use crate::classes::{is_accessible, is_erasure_accessible, is_member_accessible, is_type_accessible};
use crate::generic::{choose, is_inside_generic, type_params};
use crate::operation::{Operation, OperationKind};
use crate::substitution::Substitution;
use crate::subtyping::Subtyping;
use crate::types::{ClassType, Type};

pub use functional::{FunctionalShape, functional_shape};

/// The member behind an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberRef {
    /// The class that declares it.
    pub class: ClassName,
    pub name: Arc<str>,
    /// Method descriptor, or the field's.
    pub descriptor: Arc<str>,
    pub throws: Vec<ClassName>,
    pub deprecated: bool,
}

/// Which operations to make.
#[derive(Clone, Debug)]
pub struct MemberOptions {
    /// Types to try for type parameters of methods, best first.
    pub candidates: Vec<Type>,
    /// What the results of generic methods should be, if they can.
    pub wanted: Option<ClassType>,
    /// Instantiations per generic method.
    pub method_choices: usize,
    pub constructors: bool,
    pub methods: bool,
    pub fields: bool,
    /// Static members and enum constants.
    pub statics: bool,
}

impl Default for MemberOptions {
    fn default() -> Self {
        MemberOptions {
            candidates: Vec::new(),
            wanted: None,
            method_choices: 2,
            constructors: true,
            methods: true,
            fields: true,
            statics: true,
        }
    }
}

/// Everything a test in `package` (internal form) can do with the class: constructors, methods, fields, enum constants, in the order of declaration,
/// the class's own before inherited ones. Nothing if the class itself cannot be named there.
pub fn operations_of(
    subtyping: &Subtyping<'_>,
    class: &ClassType,
    package: &str,
    options: &MemberOptions,
) -> Vec<(Operation, MemberRef)> {
    let classes = subtyping.classes();
    let Some(info) = classes.class(&class.name) else {
        return Vec::new();
    };
    if !is_accessible(classes, package, &class.name) {
        return Vec::new();
    }
    let mut collector = Collector { subtyping, class, info: &info, package, options, out: Vec::new() };
    collector.run();
    collector.out
}

struct Collector<'a, 'c> {
    subtyping: &'a Subtyping<'c>,
    class: &'a ClassType,
    info: &'a ClassInfo,
    package: &'a str,
    options: &'a MemberOptions,
    out: Vec<(Operation, MemberRef)>,
}

impl Collector<'_, '_> {
    fn run(&mut self) {
        if self.options.constructors
            && !self.info.is_abstract()
            && !self.info.is_interface()
            && !self.info.access.is_enum()
        {
            for method in self.info.methods.iter().filter(|m| m.is_constructor()) {
                self.constructor(method);
            }
        }
        let supertypes = self.supertypes();
        if self.options.methods {
            let mut overridden = FxHashSet::default();
            for (declaring, seen_as) in &supertypes {
                self.methods(declaring, seen_as, &mut overridden);
            }
        }
        let mut hidden = FxHashSet::default();
        for (declaring, seen_as) in &supertypes {
            for field in &declaring.fields {
                if hidden.insert(field.name.clone()) {
                    self.field(declaring, seen_as, field);
                }
            }
        }
    }

    /// The class, its superclasses, then all interfaces, each with its type arguments.
    fn supertypes(&self) -> Vec<(Arc<ClassInfo>, ClassType)> {
        let known = self.subtyping.supertypes(&self.class.name).into_iter().filter_map(|name| {
            let info = self.subtyping.classes().class(&name)?;
            let seen_as = self.subtyping.as_super(self.class, &name)?;
            Some((info, seen_as))
        });
        let (interfaces, mut list): (Vec<_>, Vec<_>) =
            known.partition(|(i, _)| i.is_interface() && i.name != self.class.name);
        list.extend(interfaces);
        list
    }

    fn constructor(&mut self, method: &MethodInfo) {
        if method.access.is_synthetic() || !is_member_accessible(self.package, &self.info.name, method.access) {
            return;
        }
        let kind = OperationKind::Construct {
            class: self.class.name.clone(),
            descriptor: Arc::from(&*method.raw_descriptor),
            varargs: method.is_varargs(),
            inner: self.info.is_inner(),
        };
        let result = Type::Class(self.class.clone());
        let around = self.class_substitution(self.info, self.class);
        self.instantiate(self.info, method, around, kind, None, Some(result));
    }

    fn methods(&mut self, declaring: &ClassInfo, seen_as: &ClassType, overridden: &mut FxHashSet<(String, String)>) {
        let is_object = declaring.name.internal() == "java/lang/Object";
        let own = declaring.name == self.class.name;
        for method in &declaring.methods {
            if method.is_constructor() || method.is_class_initializer() || method.access.is_private() {
                continue;
            }
            let parameters: String = method.descriptor.params.iter().map(ToString::to_string).collect();
            let key = (method.name.clone(), parameters);
            if method.access.is_synthetic() || method.is_bridge() {
                if overrides_something(self.subtyping, declaring, method) {
                    overridden.insert(key);
                }
                continue;
            }
            let is_static = method.access.is_static();
            let not_inherited = is_static && declaring.is_interface() && !own;
            // A package-private method of another package's superclass is neither inherited nor overridden.
            let reachable = is_member_accessible(self.package, &declaring.name, method.access);
            if not_inherited || !overridden.insert(key) || is_object || !reachable {
                continue;
            }
            if is_static && !self.options.statics || is_finalizer(method) {
                continue;
            }
            self.method(declaring, seen_as, method);
        }
    }

    fn method(&mut self, declaring: &ClassInfo, seen_as: &ClassType, method: &MethodInfo) {
        let is_static = method.access.is_static();
        let (owner, owner_is_interface) =
            if is_static && is_accessible(self.subtyping.classes(), self.package, &declaring.name) {
                (declaring.name.clone(), declaring.is_interface())
            } else {
                (self.class.name.clone(), self.info.is_interface())
            };
        let kind = OperationKind::Call {
            owner,
            name: Arc::from(&*method.name),
            descriptor: Arc::from(&*method.raw_descriptor),
            is_static,
            owner_is_interface,
            varargs: method.is_varargs(),
        };
        let receiver = (!is_static).then(|| Type::Class(self.class.clone()));
        let around =
            if is_static { Some(Substitution::default()) } else { self.class_substitution(declaring, seen_as) };
        self.instantiate(declaring, method, around, kind, receiver, None);
    }

    /// What the declaring class's variables stand for; `None` if it is used raw.
    fn class_substitution(&self, declaring: &ClassInfo, seen_as: &ClassType) -> Option<Substitution> {
        let params = type_params(declaring);
        if params.len() != seen_as.args.len() || is_inside_generic(self.subtyping, declaring) {
            return None;
        }
        Some(Substitution::new(params, &seen_as.args))
    }

    /// Adds the operation for each choice of the method's own type arguments, or once with erased types.
    fn instantiate(
        &mut self,
        declaring: &ClassInfo,
        method: &MethodInfo,
        around: Option<Substitution>,
        kind: OperationKind,
        receiver: Option<Type>,
        result: Option<Type>,
    ) {
        let classes = self.subtyping.classes();
        let nameable = |t: &FieldType| is_erasure_accessible(classes, self.package, t);
        if !method.descriptor.params.iter().all(nameable) {
            return;
        }
        let mut made: Vec<(Vec<Type>, Type)> = Vec::new();
        if let (Some(signature), Some(around)) = (&method.signature, around) {
            let choices = match signature.type_params.as_slice() {
                [] => vec![Vec::new()],
                params => {
                    let given = self.given(params, signature.result.as_ref());
                    let most = self.options.method_choices;
                    let choices =
                        |given: &[_]| choose(self.subtyping, params, &around, given, &self.options.candidates, most);
                    // What is wanted may be out of bounds.
                    let fitting = choices(&given);
                    if fitting.is_empty() && given.iter().any(Option::is_some) { choices(&[]) } else { fitting }
                }
            };
            for choice in choices {
                let mut substitution = around.clone();
                for (param, arg) in signature.type_params.iter().zip(choice) {
                    substitution.bind(param, arg);
                }
                let params = parameters(method, &signature.params, |_, sig| substitution.parameter(sig));
                let value = match &signature.result {
                    None => Some(Type::Void),
                    Some(sig) => substitution.result(sig),
                };
                if let (Some(params), Some(value)) = (params, value) {
                    made.push((params, value));
                }
            }
            made.extend(captured::of(method, signature, &around));
            made.retain(|(params, _)| params.iter().all(|p| is_type_accessible(classes, self.package, p)));
            made.dedup();
        }
        let mut receiver = receiver;
        if made.is_empty() {
            // To javac, what is erased belongs to the raw class: nothing can be added to a `List<?>`, but anything to a `List`.
            if let (Some(Type::Class(class)), Some(_)) = (&mut receiver, &method.signature) {
                class.args.clear();
            }
            let params = method.descriptor.params.iter().map(Type::from).collect();
            made.push((params, method.descriptor.result.as_ref().map_or(Type::Void, Type::from)));
        }
        let member = member_ref(declaring, &method.name, &method.raw_descriptor, &method.throws, method.deprecated);
        for (params, value) in made {
            let operation = Operation {
                kind: kind.clone(),
                params: receiver.iter().cloned().chain(params).collect(),
                result: self.nameable_result(result.clone().unwrap_or(value)),
            };
            self.out.push((operation, member.clone()));
        }
    }

    /// What the type parameters of a method have to be for its result to be what is wanted, as far as that says it.
    fn given(&self, params: &[TypeParam], result: Option<&TypeSig>) -> Vec<Option<Type>> {
        let mut given = vec![None; params.len()];
        let (Some(wanted), Some(TypeSig::Class { name, args, .. })) = (&self.options.wanted, result) else {
            return given;
        };
        for (arg, known) in args.iter().zip(self.subtyping.arguments_as(name, wanted)) {
            let ArgSig::Exact(TypeSig::Variable(variable)) = arg else { continue };
            if let Some(place) = params.iter().position(|p| p.name == *variable) {
                given[place] = given[place].take().or(known);
            }
        }
        given
    }

    /// The type itself, or the nearest thing to it that the test can name: without arguments, a superclass, `Object`.
    fn nameable_result(&self, t: Type) -> Type {
        let classes = self.subtyping.classes();
        if is_type_accessible(classes, self.package, &t) {
            return t;
        }
        let Type::Class(c) = &t else {
            return Type::object();
        };
        for name in self.subtyping.supertypes(&c.name) {
            let is_marker =
                matches!(name.internal(), "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable");
            if is_marker || !is_accessible(classes, self.package, &name) {
                continue;
            }
            if let Some(seen_as) = self.subtyping.as_super(c, &name).map(Type::Class) {
                let nameable = is_type_accessible(classes, self.package, &seen_as);
                return if nameable { seen_as } else { Type::Class(ClassType { name, args: Vec::new() }) };
            }
        }
        Type::object()
    }
}

fn member_ref(
    declaring: &ClassInfo,
    name: &str,
    descriptor: &str,
    throws: &[ClassName],
    deprecated: bool,
) -> MemberRef {
    MemberRef {
        class: declaring.name.clone(),
        name: Arc::from(name),
        descriptor: Arc::from(descriptor),
        throws: throws.to_vec(),
        deprecated,
    }
}

/// Called by the collector alone and gone from newer platforms.
fn is_finalizer(method: &MethodInfo) -> bool {
    method.name == "finalize" && method.raw_descriptor == "()V"
}

/// Instantiated parameters; those that the signature leaves out (an outer instance) come first, erased.
fn parameters(
    method: &MethodInfo,
    sigs: &[TypeSig],
    instantiated: impl Fn(usize, &TypeSig) -> Option<Type>,
) -> Option<Vec<Type>> {
    let erased = &method.descriptor.params;
    let extra = erased.len().checked_sub(sigs.len())?;
    let mut params: Vec<Type> = erased[..extra].iter().map(Type::from).collect();
    for (at, sig) in sigs.iter().enumerate() {
        params.push(instantiated(at, sig)?);
    }
    Some(params)
}

/// A bridge that stands for a method of the same class with narrower types overrides what is above it. One without such a method only makes a
/// member of an inaccessible superclass visible: the member above is still the one called.
fn overrides_something(subtyping: &Subtyping<'_>, declaring: &ClassInfo, bridge: &MethodInfo) -> bool {
    declaring.methods.iter().any(|m| {
        let narrower = |a: &FieldType, b: &FieldType| a == b || subtyping.fits(&Type::from(a), &Type::from(b));
        let result = match (&m.descriptor.result, &bridge.descriptor.result) {
            (None, None) => true,
            (Some(a), Some(b)) => narrower(a, b),
            _ => false,
        };
        m.name == bridge.name
            && !m.access.is_synthetic()
            && m.descriptor.params.len() == bridge.descriptor.params.len()
            && m.raw_descriptor != bridge.raw_descriptor
            && result
            && m.descriptor.params.iter().zip(&bridge.descriptor.params).all(|(a, b)| narrower(a, b))
    })
}
