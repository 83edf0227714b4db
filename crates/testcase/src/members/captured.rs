//! Generic methods given types nobody knows. Owns when javac allows that and what comes of it; never chooses arguments that have a name.

use bytecode::class_info::MethodInfo;
use bytecode::signature::{ArgSig, MethodSignature, TypeSig};

use super::parameters;
use crate::substitution::Substitution;
use crate::types::{Type, TypeArg};

/// `<T> R<T> m(C<T>)` takes a `C<?>` as well and gives an `R<?>`, because javac finds a name for what it captures: parameters and result of that. Not for the JDK's
/// containers and functions, of which a `C<?>` says nothing new.
pub fn of(method: &MethodInfo, signature: &MethodSignature, around: &Substitution) -> Option<(Vec<Type>, Type)> {
    let [variable] = signature.type_params.as_slice() else { return None };
    let is_free =
        matches!(variable.bounds.as_slice(), [TypeSig::Class { name, .. }] if name.internal() == "java/lang/Object");
    let is_it = |arg: &ArgSig| matches!(arg, ArgSig::Exact(TypeSig::Variable(v)) if *v == variable.name);
    let mut substitution = around.clone();
    substitution.bind(variable, TypeArg::Any);
    // Anywhere else it would have to be the same unknown type, as would the class's own variables that have no name.
    let is_other = |arg: &ArgSig| match arg {
        ArgSig::Any => true,
        ArgSig::Exact(t) | ArgSig::Extends(t) | ArgSig::Super(t) => !substitution.mentions_wildcard(t),
    };
    let is_taking = |sig: &TypeSig| match sig {
        TypeSig::Class { name, args, .. } => {
            let is_known = name.internal() == "java/lang/Class" || !name.internal().starts_with("java/");
            is_known && args.iter().filter(|a| is_it(a)).count() == 1 && args.iter().all(|a| is_it(a) || is_other(a))
        }
        _ => false,
    };
    let taking = signature.params.iter().position(is_taking).filter(|_| is_free)?;
    let params = parameters(method, &signature.params, |at, sig| {
        if at == taking { substitution.result(sig) } else { substitution.parameter(sig) }
    })?;
    let value = signature.result.as_ref().map_or(Some(Type::Void), |sig| substitution.result(sig))?;
    Some((params, value))
}
