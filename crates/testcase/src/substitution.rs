//! Type variables replaced by type arguments. Owns the rules of replacement (no captures are left over); never chooses arguments.

use bytecode::signature::{ArgSig, TypeParam, TypeSig};

use crate::types::{ClassType, Type, TypeArg};

/// What each type variable stands for.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    bindings: Vec<Binding>,
}

#[derive(Clone, Debug)]
struct Binding {
    name: String,
    arg: TypeArg,
    /// What a value of the variable is at least, when the argument does not say.
    bound: Type,
}

impl Substitution {
    /// `params` stand for `args`, one by one.
    pub fn new(params: &[TypeParam], args: &[TypeArg]) -> Substitution {
        let mut s = Substitution::default();
        for (param, arg) in params.iter().zip(args) {
            s.bind(param, arg.clone());
        }
        s
    }

    /// A later binding hides an earlier one of the same name.
    pub fn bind(&mut self, param: &TypeParam, arg: TypeArg) {
        let bound = param.bounds.first().map_or_else(Type::object, |b| self.erase(b));
        self.bindings.push(Binding { name: param.name.clone(), arg, bound });
    }

    pub fn unbind_last(&mut self) {
        self.bindings.pop();
    }

    fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().rev().find(|b| b.name == name)
    }

    /// Without arguments; unknown variables become `Object`.
    fn erase(&self, sig: &TypeSig) -> Type {
        match sig {
            TypeSig::Primitive(p) => Type::Primitive(*p),
            TypeSig::Class { name, .. } => Type::Class(ClassType { name: name.clone(), args: Vec::new() }),
            TypeSig::Array(e) => Type::array(self.erase(e)),
            TypeSig::Variable(v) => self.binding(v).map_or_else(Type::object, |b| b.bound.clone()),
        }
    }

    /// The type of a value that comes out: `? extends X` gives `X`, `?` and `? super X` the bound. `None` if a variable is unknown.
    pub fn result(&self, sig: &TypeSig) -> Option<Type> {
        Some(match sig {
            TypeSig::Primitive(p) => Type::Primitive(*p),
            TypeSig::Array(e) => Type::array(self.result(e)?),
            TypeSig::Class { name, .. } if is_inner_of_generic(sig) => {
                Type::Class(ClassType { name: name.clone(), args: Vec::new() })
            }
            TypeSig::Class { name, args, .. } => {
                let args = args.iter().map(|a| self.argument(a)).collect::<Option<_>>()?;
                Type::Class(ClassType { name: name.clone(), args })
            }
            TypeSig::Variable(v) => {
                let binding = self.binding(v)?;
                match &binding.arg {
                    TypeArg::Exact(t) | TypeArg::Extends(t) => t.clone(),
                    TypeArg::Any | TypeArg::Super(_) => binding.bound.clone(),
                }
            }
        })
    }

    /// The type of a value that goes in. `None` if a variable is unknown or stands for a wildcard that accepts no known type.
    pub fn parameter(&self, sig: &TypeSig) -> Option<Type> {
        match sig {
            TypeSig::Variable(v) => match &self.binding(v)?.arg {
                TypeArg::Exact(t) | TypeArg::Super(t) => Some(t.clone()),
                TypeArg::Any | TypeArg::Extends(_) => None,
            },
            TypeSig::Array(e) => Some(Type::array(self.parameter(e)?)),
            _ if self.mentions_wildcard(sig) => None,
            _ => self.result(sig),
        }
    }

    pub fn argument(&self, arg: &ArgSig) -> Option<TypeArg> {
        Some(match arg {
            ArgSig::Any => TypeArg::Any,
            ArgSig::Exact(TypeSig::Variable(v)) => self.binding(v)?.arg.clone(),
            ArgSig::Exact(t) if self.mentions_wildcard(t) => TypeArg::Extends(self.result(t)?),
            ArgSig::Exact(t) => TypeArg::Exact(self.result(t)?),
            ArgSig::Extends(t) => TypeArg::Extends(self.result(t)?),
            ArgSig::Super(TypeSig::Variable(v)) => match &self.binding(v)?.arg {
                TypeArg::Exact(t) | TypeArg::Super(t) => TypeArg::Super(t.clone()),
                TypeArg::Any | TypeArg::Extends(_) => TypeArg::Any,
            },
            ArgSig::Super(t) if self.mentions_wildcard(t) => TypeArg::Any,
            ArgSig::Super(t) => TypeArg::Super(self.result(t)?),
        })
    }

    /// Whether a variable in it stands for a wildcard.
    pub(crate) fn mentions_wildcard(&self, sig: &TypeSig) -> bool {
        match sig {
            TypeSig::Primitive(_) => false,
            TypeSig::Array(e) => self.mentions_wildcard(e),
            TypeSig::Variable(v) => self.binding(v).is_some_and(|b| !matches!(b.arg, TypeArg::Exact(_))),
            TypeSig::Class { args, .. } => args.iter().any(|a| match a {
                ArgSig::Any => false,
                ArgSig::Exact(t) | ArgSig::Extends(t) | ArgSig::Super(t) => self.mentions_wildcard(t),
            }),
        }
    }
}

/// An inner class of a parameterised outer one is used raw: [`ClassType`] has no place for the outer arguments.
pub fn is_inner_of_generic(sig: &TypeSig) -> bool {
    matches!(sig, TypeSig::Class { outer_args, .. } if !outer_args.is_empty())
}
