//! The shape of a functional interface: its single abstract method with types filled in. Owns recognising it; makes no lambdas.

use std::sync::Arc;

use bytecode::class_info::MethodInfo;
use bytecode::names::ClassName;
use bytecode::signature::TypeSig;

use crate::substitution::Substitution;
use crate::subtyping::Subtyping;
use crate::types::{ClassType, Type, TypeArg};

/// What a lambda for an interface takes and gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionalShape {
    pub interface: ClassType,
    pub method: Arc<str>,
    /// Erased descriptor as the declaring interface spells it.
    pub descriptor: Arc<str>,
    /// The same with the erased types that a lambda's parameters have: those of the type arguments, and what is below `? super`.
    pub exact: Arc<str>,
    pub params: Vec<Type>,
    pub result: Type,
    pub throws: Vec<ClassName>,
}

/// Methods every object has, which an interface may redeclare without becoming less functional.
fn is_objects_own(method: &MethodInfo) -> bool {
    matches!(
        (&*method.name, &*method.raw_descriptor),
        ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
    )
}

/// Whether two interfaces mean the same method: parameters alike but for type variables, which one of them may have filled in.
fn is_respelled(a: &MethodInfo, b: &MethodInfo) -> bool {
    let is_open = |m: &MethodInfo, at: usize| {
        m.signature.as_ref().is_some_and(|s| s.params.get(at).is_some_and(TypeSig::is_open))
    };
    let (x, y) = (&a.descriptor.params, &b.descriptor.params);
    let is_alike = |at: usize| x[at] == y[at] || is_open(a, at) || is_open(b, at);
    a.name == b.name && x.len() == y.len() && (0..x.len()).all(is_alike)
}

/// The language's rule for the parameters of a lambda whose interface has a wildcard.
fn without_super(arg: &TypeArg) -> TypeArg {
    match arg {
        TypeArg::Super(ty) => TypeArg::Exact(ty.clone()),
        other => other.clone(),
    }
}

/// `None` if the type is no functional interface, or its method is generic itself (no lambda can stand for that).
pub fn functional_shape(subtyping: &Subtyping<'_>, interface: &ClassType) -> Option<FunctionalShape> {
    let classes = subtyping.classes();
    let mut implemented: Vec<MethodInfo> = Vec::new();
    let mut found: Option<(ClassName, MethodInfo)> = None;
    for name in subtyping.supertypes(&interface.name) {
        let info = classes.class(&name)?;
        if !info.is_interface() {
            if name.internal() == "java/lang/Object" {
                continue;
            }
            return None;
        }
        for m in info.methods.iter().filter(|m| !m.access.is_static() && !m.access.is_private() && !is_objects_own(m)) {
            if !m.access.is_abstract() {
                implemented.push(m.clone());
                continue;
            }
            match &found {
                // A redeclaration above of what was found below, or of something a default method below implements.
                Some((_, f)) if is_respelled(f, m) => {}
                _ if implemented.iter().any(|i| is_respelled(i, m)) => {}
                Some(_) => return None,
                None => found = Some((name.clone(), m.clone())),
            }
        }
    }
    let (declaring, method) = found?;
    let seen_as = subtyping.as_super(interface, &declaring)?;
    let declaring = classes.class(&declaring)?;
    let erased = || {
        let params = method.descriptor.params.iter().map(Type::from).collect();
        (params, method.descriptor.result.as_ref().map_or(Type::Void, Type::from))
    };
    let type_params = crate::generic::type_params(&declaring);
    let mut exact = method.descriptor.clone();
    let (params, result) = match &method.signature {
        Some(s) if !s.type_params.is_empty() => return None,
        Some(s) if type_params.len() == seen_as.args.len() => {
            let substitution = Substitution::new(type_params, &seen_as.args);
            // A lambda's parameters are values that come out, its result one that goes in.
            let params: Option<Vec<Type>> = s.params.iter().map(|p| substitution.result(p)).collect();
            let args: Vec<TypeArg> = seen_as.args.iter().map(without_super).collect();
            let exactly = Substitution::new(crate::generic::type_params(&declaring), &args);
            for (erased, param) in exact.params.iter_mut().zip(&s.params) {
                if let Some(ty) = exactly.result(param).and_then(|t| t.erased()) {
                    *erased = ty;
                }
            }
            let result = s
                .result
                .as_ref()
                .map_or(Some(Type::Void), |r| substitution.parameter(r).or_else(|| substitution.result(r)));
            params.zip(result).unwrap_or_else(erased)
        }
        _ => erased(),
    };
    Some(FunctionalShape {
        interface: interface.clone(),
        method: Arc::from(&*method.name),
        descriptor: Arc::from(&*method.raw_descriptor),
        exact: Arc::from(exact.to_string()),
        params,
        result,
        throws: method.throws.clone(),
    })
}
