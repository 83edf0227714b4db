//! Choosing type arguments: concrete types for the type parameters of classes and methods, within their bounds.
//! Owns the choice; which candidates are promising is the caller's knowledge, what members exist `members`'.

use bytecode::class_info::ClassInfo;
use bytecode::names::ClassName;
use bytecode::signature::{ArgSig, TypeParam, TypeSig};

use crate::substitution::Substitution;
use crate::subtyping::Subtyping;
use crate::types::{ClassType, Type, TypeArg};

/// Tried after the caller's candidates. Strings and integers are comparable and easy to read; the enum serves `T extends Enum<T>`.
const USUAL: [&str; 4] = ["java/lang/String", "java/lang/Integer", "java/lang/Object", "java/lang/Thread$State"];

/// How many combinations are tried before giving up on more choices.
const MAX_TRIES: usize = 400;

/// The few best choices of type arguments for a class, best first: at most `limit`, at least one (raw if nothing fits).
/// A class that is not generic gives itself.
pub fn instantiate_class(
    subtyping: &Subtyping<'_>,
    class: &ClassName,
    candidates: &[Type],
    limit: usize,
) -> Vec<ClassType> {
    instantiate(subtyping, class, &[], candidates, limit)
}

/// The same for a class whose objects are to be a `wanted`: for a `Map<String, Integer>` a `HashMap` is a `HashMap<String, Integer>`. What that says nothing about is chosen
/// among the candidates; if nothing fits, everything is.
pub fn instantiate_as(
    subtyping: &Subtyping<'_>,
    class: &ClassName,
    wanted: &ClassType,
    candidates: &[Type],
    limit: usize,
) -> Vec<ClassType> {
    let given = subtyping.arguments_as(class, wanted);
    if given.iter().all(Option::is_none) {
        return instantiate_class(subtyping, class, candidates, limit);
    }
    let fitting = instantiate(subtyping, class, &given, candidates, limit);
    let is_raw = fitting.iter().all(|choice| choice.args.is_empty());
    if is_raw { instantiate_class(subtyping, class, candidates, limit) } else { fitting }
}

/// `given` has the arguments that are known already, by the place of their parameter; it may be shorter.
fn instantiate(
    subtyping: &Subtyping<'_>,
    class: &ClassName,
    given: &[Option<Type>],
    candidates: &[Type],
    limit: usize,
) -> Vec<ClassType> {
    let raw = ClassType { name: class.clone(), args: Vec::new() };
    let Some(info) = subtyping.classes().class(class) else {
        return vec![raw];
    };
    let params = type_params(&info);
    if params.is_empty() || is_inside_generic(subtyping, &info) {
        return vec![raw];
    }
    let choices = choose(subtyping, params, &Substitution::default(), given, candidates, limit);
    if choices.is_empty() {
        return vec![raw];
    }
    choices.into_iter().map(|args| ClassType { name: class.clone(), args }).collect()
}

/// The type parameters of a class.
pub fn type_params(info: &ClassInfo) -> &[TypeParam] {
    info.signature.as_ref().map_or(&[], |s| &s.type_params)
}

/// An inner class of a generic class (at any depth) has no type arguments we could write.
pub fn is_inside_generic(subtyping: &Subtyping<'_>, info: &ClassInfo) -> bool {
    if !info.is_inner() {
        return false;
    }
    let outer = info.nesting.as_ref().and_then(|n| n.outer.as_ref()).and_then(|o| subtyping.classes().class(o));
    // A class is never its own outer class in a readable file; a longer circle is cut by the name getting shorter.
    outer.is_some_and(|o| {
        !type_params(&o).is_empty()
            || (o.name.internal().len() < info.name.internal().len() && is_inside_generic(subtyping, &o))
    })
}

/// Up to `limit` lists of arguments for `params`, each within all bounds. `around` knows the variables of enclosing declarations, `given` the arguments that are known already, by
/// place; it may be shorter. The first list takes the first fitting candidate everywhere; the next ones differ in the first parameter where possible.
pub(crate) fn choose(
    subtyping: &Subtyping<'_>,
    params: &[TypeParam],
    around: &Substitution,
    given: &[Option<Type>],
    candidates: &[Type],
    limit: usize,
) -> Vec<Vec<TypeArg>> {
    let mut pool: Vec<Type> = Vec::new();
    let usual = USUAL.iter().map(|n| Type::class(n));
    for t in candidates.iter().cloned().chain(usual).chain(bound_types(params)) {
        if t.is_reference() && !pool.contains(&t) {
            pool.push(t);
        }
    }
    let mut search = Search { subtyping, params, given, pool: &pool, tries: 0, found: Vec::new(), limit };
    let mut substitution = around.clone();
    for first in 0..pool.len() {
        if search.found.len() >= limit || search.tries >= MAX_TRIES {
            break;
        }
        search.descend(&mut substitution, &mut Vec::new(), Some(first));
    }
    search.found
}

/// Bounds that are classes without arguments can serve as arguments themselves.
fn bound_types(params: &[TypeParam]) -> impl Iterator<Item = Type> + '_ {
    params.iter().flat_map(|p| &p.bounds).filter_map(|b| match b {
        TypeSig::Class { name, args, outer_args } if args.is_empty() && outer_args.is_empty() => {
            Some(Type::Class(ClassType { name: name.clone(), args: Vec::new() }))
        }
        TypeSig::Class { .. } => Substitution::default().result(b),
        _ => None,
    })
}

struct Search<'s, 'c> {
    subtyping: &'s Subtyping<'c>,
    params: &'s [TypeParam],
    given: &'s [Option<Type>],
    pool: &'s [Type],
    tries: usize,
    found: Vec<Vec<TypeArg>>,
    limit: usize,
}

impl Search<'_, '_> {
    /// Chooses for the parameter `chosen.len()` and on; one list per call at most. `only`: the candidate for this parameter.
    fn descend(&mut self, substitution: &mut Substitution, chosen: &mut Vec<TypeArg>, only: Option<usize>) -> bool {
        let Some(param) = self.params.get(chosen.len()) else {
            self.tries += 1;
            let fits = self.all_within_bounds(substitution, chosen) && !self.found.contains(chosen);
            if fits && self.found.len() < self.limit {
                self.found.push(chosen.clone());
            }
            return fits;
        };
        // A bound that mentions parameters chosen already (`B extends List<A>`) is itself the likeliest argument.
        let dependent = param.bounds.first().filter(|b| only.is_none() && mentions_variable(b));
        let dependent = dependent.and_then(|b| substitution.result(b)).filter(Type::is_reference);
        let (pool, given) = (self.pool, self.given);
        let usual = only.map_or(pool, |i| &pool[i..=i]);
        let (dependent, usual) = match given.get(chosen.len()) {
            Some(Some(known)) => (None, std::slice::from_ref(known)),
            _ => (dependent, usual),
        };
        for t in dependent.iter().chain(usual) {
            if self.tries >= MAX_TRIES {
                return false;
            }
            let arg = TypeArg::Exact(t.clone());
            substitution.bind(param, arg.clone());
            chosen.push(arg);
            let done = self.descend(substitution, chosen, None);
            chosen.pop();
            substitution.unbind_last();
            if done {
                return true;
            }
        }
        false
    }

    fn all_within_bounds(&self, substitution: &Substitution, chosen: &[TypeArg]) -> bool {
        self.params.iter().zip(chosen).all(|(param, arg)| {
            let TypeArg::Exact(t) = arg else {
                return false;
            };
            param.bounds.iter().all(|b| match substitution.result(b) {
                Some(bound) => self.subtyping.fits_checked(t, &bound),
                None => false,
            })
        })
    }
}

fn mentions_variable(sig: &TypeSig) -> bool {
    match sig {
        TypeSig::Primitive(_) => false,
        TypeSig::Variable(_) => true,
        TypeSig::Array(e) => mentions_variable(e),
        TypeSig::Class { args, .. } => args.iter().any(|a| match a {
            ArgSig::Any => false,
            ArgSig::Exact(t) | ArgSig::Extends(t) | ArgSig::Super(t) => mentions_variable(t),
        }),
    }
}
