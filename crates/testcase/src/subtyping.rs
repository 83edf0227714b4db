//! Whether a value of one type may be used where another is wanted, as javac sees it: subclassing, generic arguments, arrays.
//! Owns the relation and a cache of supertypes; boxing, widening of primitives and choosing types are others' business.

use std::cell::RefCell;
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::signature::{ArgSig, TypeParam, TypeSig};
use rustc_hash::FxHashMap;

use crate::classes::Classes;
use crate::substitution::{Substitution, is_inner_of_generic};
use crate::types::{ClassType, Type, TypeArg};

/// Longer chains of supertypes only occur in malformed (cyclic) hierarchies.
const MAX_DEPTH: usize = 64;

/// The subtype relation over some classes. Keeps what it computed: make one and ask often.
pub struct Subtyping<'c> {
    classes: &'c dyn Classes,
    supers: RefCell<FxHashMap<ClassName, Arc<Supers>>>,
}

/// All supertypes of a class, itself first, in terms of its own type parameters.
#[derive(Debug, Default)]
struct Supers {
    params: Vec<TypeParam>,
    list: Vec<(ClassName, Form)>,
    is_final: bool,
    is_interface: bool,
    known: bool,
}

#[derive(Clone, Debug)]
enum Form {
    /// Reached through a raw type.
    Raw,
    /// Empty for classes that are not generic.
    Args(Vec<ArgSig>),
}

/// Where a raw type does for one with arguments.
#[derive(Clone, Copy)]
enum Raw {
    /// javac warns of it.
    Anywhere,
    /// javac has nothing against it.
    ForWildcards,
    /// Between arguments of types it is an error.
    Never,
}

impl<'c> Subtyping<'c> {
    pub fn new(classes: &'c dyn Classes) -> Subtyping<'c> {
        Subtyping { classes, supers: RefCell::default() }
    }

    pub fn classes(&self) -> &'c dyn Classes {
        self.classes
    }

    /// A value of type `have` may be passed where `want` is declared. Raw types are accepted for parameterised ones (javac warns).
    /// Primitives must be the same.
    pub fn fits(&self, have: &Type, want: &Type) -> bool {
        self.fits_as(have, want, Raw::Anywhere)
    }

    /// As [`fits`](Self::fits), without the unchecked conversion from raw types.
    pub fn fits_checked(&self, have: &Type, want: &Type) -> bool {
        self.fits_as(have, want, Raw::ForWildcards)
    }

    fn fits_as(&self, have: &Type, want: &Type, raw: Raw) -> bool {
        match (have, want) {
            (Type::Void, _) | (_, Type::Void) => false,
            (Type::Primitive(a), Type::Primitive(b)) => a == b,
            (Type::Primitive(_), _) | (_, Type::Primitive(_)) => false,
            (Type::Class(h), Type::Class(w)) => self.class_fits(h, w, raw),
            (Type::Array(_), Type::Class(w)) => {
                matches!(w.name.internal(), "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable")
            }
            (Type::Array(h), Type::Array(w)) => h == w || self.fits_as(h, w, raw),
            (Type::Class(_), Type::Array(_)) => false,
        }
    }

    fn class_fits(&self, have: &ClassType, want: &ClassType, raw: Raw) -> bool {
        if have == want || want.name.internal() == "java/lang/Object" {
            return true;
        }
        let Some(seen) = self.as_super(have, &want.name) else {
            return false;
        };
        if want.args.is_empty() {
            return true;
        }
        if seen.args.is_empty() {
            return match raw {
                Raw::Anywhere => true,
                Raw::ForWildcards => want.args.iter().all(|a| *a == TypeArg::Any),
                Raw::Never => false,
            };
        }
        seen.args.len() == want.args.len() && seen.args.iter().zip(&want.args).all(|(h, w)| self.contains(w, h))
    }

    /// Whether the argument `want` contains `have` (JLS 4.5.1).
    fn contains(&self, want: &TypeArg, have: &TypeArg) -> bool {
        match (want, have) {
            (TypeArg::Any, _) => true,
            (TypeArg::Exact(w), TypeArg::Exact(h)) => w == h,
            (TypeArg::Exact(_), _) => false,
            (TypeArg::Extends(w), TypeArg::Exact(h) | TypeArg::Extends(h)) => self.fits_as(h, w, Raw::Never),
            (TypeArg::Extends(w), TypeArg::Any | TypeArg::Super(_)) => *w == Type::object(),
            (TypeArg::Super(w), TypeArg::Exact(h) | TypeArg::Super(h)) => self.fits_as(w, h, Raw::Never),
            (TypeArg::Super(_), _) => false,
        }
    }

    /// `have` seen as its supertype `want`: `ArrayList<String>` as `Collection` is `Collection<String>`. `None` if it is no supertype
    /// (or a class on the way is missing). Without arguments where a raw type is on the way.
    pub fn as_super(&self, have: &ClassType, want: &ClassName) -> Option<ClassType> {
        if have.name == *want {
            return Some(have.clone());
        }
        let supers = self.supers(&have.name, 0);
        let Some((_, form)) = supers.list.iter().find(|(n, _)| n == want) else {
            let raw = || ClassType { name: want.clone(), args: Vec::new() };
            return (want.internal() == "java/lang/Object").then(raw);
        };
        let args = match form {
            Form::Raw => Vec::new(),
            Form::Args(_) if supers.params.len() != have.args.len() => Vec::new(),
            Form::Args(args) => {
                let substitution = Substitution::new(&supers.params, &have.args);
                args.iter().map(|a| substitution.argument(a)).collect::<Option<_>>().unwrap_or_default()
            }
        };
        Some(ClassType { name: want.clone(), args })
    }

    /// What the type parameters of `class` stand for if its objects are to be a `want`, as far as that says it: of `HashMap` and `Map<String, ?>` the first is `String`.
    /// Nothing is known of any where the class is no subclass, or not by way of its parameters.
    pub fn arguments_as(&self, class: &ClassName, want: &ClassType) -> Vec<Option<Type>> {
        let supers = self.supers(class, 0);
        let mut known = vec![None; supers.params.len()];
        let Some((_, Form::Args(args))) = supers.list.iter().find(|(n, _)| *n == want.name) else {
            return known;
        };
        for (arg, wanted) in args.iter().zip(&want.args) {
            let (ArgSig::Exact(TypeSig::Variable(name)), TypeArg::Exact(t) | TypeArg::Extends(t) | TypeArg::Super(t)) =
                (arg, wanted)
            else {
                continue;
            };
            if let Some(place) = supers.params.iter().position(|p| p.name == *name) {
                known[place].get_or_insert_with(|| t.clone());
            }
        }
        known
    }

    /// Erased subclassing; `false` if a class on the way is missing.
    pub fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> bool {
        sub == sup || sup.internal() == "java/lang/Object" || self.supers(sub, 0).list.iter().any(|(n, _)| n == sup)
    }

    /// Names of all supertypes, the class first, superclasses and interfaces mixed in a fixed order.
    pub fn supertypes(&self, class: &ClassName) -> Vec<ClassName> {
        self.supers(class, 0).list.iter().map(|(n, _)| n.clone()).collect()
    }

    /// Whether javac accepts a cast from `have` to `want`: some object may be both. Type arguments are not looked at.
    pub fn cast_is_plausible(&self, have: &Type, want: &Type) -> bool {
        match (have, want) {
            (Type::Class(h), Type::Class(w)) => {
                if self.is_subclass(&h.name, &w.name) || self.is_subclass(&w.name, &h.name) {
                    return true;
                }
                let (a, b) = (self.supers(&h.name, 0), self.supers(&w.name, 0));
                !a.known || !b.known || (a.is_interface && !b.is_final) || (b.is_interface && !a.is_final)
            }
            (Type::Array(h), Type::Array(w)) => h == w || self.cast_is_plausible(h, w),
            (Type::Class(_), Type::Array(_)) => self.fits(want, have),
            (Type::Array(_), Type::Class(_)) => self.fits(have, want),
            (Type::Primitive(a), Type::Primitive(b)) => a == b,
            _ => false,
        }
    }

    fn supers(&self, class: &ClassName, depth: usize) -> Arc<Supers> {
        if let Some(s) = self.supers.borrow().get(class) {
            return s.clone();
        }
        let computed = Arc::new(self.compute_supers(class, depth));
        // What a cycle cut short is not kept for others.
        if depth < MAX_DEPTH / 2 {
            self.supers.borrow_mut().insert(class.clone(), computed.clone());
        }
        computed
    }

    fn compute_supers(&self, class: &ClassName, depth: usize) -> Supers {
        let mut supers = Supers::default();
        let Some(info) = self.classes.class(class).filter(|_| depth < MAX_DEPTH) else {
            supers.list.push((class.clone(), Form::Raw));
            return supers;
        };
        supers.known = true;
        supers.is_final = info.access.is_final();
        supers.is_interface = info.is_interface();
        let raw = |name: &ClassName| TypeSig::Class { name: name.clone(), args: Vec::new(), outer_args: Vec::new() };
        let direct: Vec<TypeSig> = match &info.signature {
            Some(s) => {
                supers.params = s.type_params.clone();
                std::iter::once(&s.superclass).chain(&s.interfaces).cloned().collect()
            }
            None => info.superclass.iter().chain(&info.interfaces).map(raw).collect(),
        };
        let own = supers.params.iter().map(|p| ArgSig::Exact(TypeSig::Variable(p.name.clone()))).collect();
        supers.list.push((class.clone(), Form::Args(own)));
        for sig in &direct {
            let TypeSig::Class { name, args, .. } = sig else {
                continue;
            };
            let above = self.supers(name, depth + 1);
            let is_raw = above.params.len() != args.len() || is_inner_of_generic(sig);
            for (n, form) in &above.list {
                if supers.list.iter().any(|(seen, _)| seen == n) {
                    continue;
                }
                let form = match form {
                    Form::Args(a) if a.is_empty() => Form::Args(Vec::new()),
                    Form::Args(a) if !is_raw => {
                        Form::Args(a.iter().map(|a| rewrite_arg(a, &above.params, args)).collect())
                    }
                    // The supertype of a raw type may still be fixed (`Foo extends Base` with `Base<T> implements Comparable<Base>`): javac erases it.
                    _ => Form::Raw,
                };
                supers.list.push((n.clone(), form));
            }
        }
        supers
    }
}

/// Replaces the variables `params` by `args` inside a signature.
fn rewrite(sig: &TypeSig, params: &[TypeParam], args: &[ArgSig]) -> TypeSig {
    match sig {
        TypeSig::Primitive(_) => sig.clone(),
        TypeSig::Array(e) => TypeSig::Array(Box::new(rewrite(e, params, args))),
        TypeSig::Class { name, args: inner, outer_args } => TypeSig::Class {
            name: name.clone(),
            args: inner.iter().map(|a| rewrite_arg(a, params, args)).collect(),
            outer_args: outer_args.iter().map(|a| rewrite_arg(a, params, args)).collect(),
        },
        TypeSig::Variable(v) => match params.iter().position(|p| p.name == *v).and_then(|i| args.get(i)) {
            // Supertypes are never written with wildcards at the top, so the other forms do not occur in well-formed files.
            Some(ArgSig::Exact(t) | ArgSig::Extends(t) | ArgSig::Super(t)) => t.clone(),
            Some(ArgSig::Any) | None => sig.clone(),
        },
    }
}

fn rewrite_arg(arg: &ArgSig, params: &[TypeParam], args: &[ArgSig]) -> ArgSig {
    match arg {
        ArgSig::Any => ArgSig::Any,
        ArgSig::Exact(t) => ArgSig::Exact(rewrite(t, params, args)),
        ArgSig::Extends(t) => ArgSig::Extends(rewrite(t, params, args)),
        ArgSig::Super(t) => ArgSig::Super(rewrite(t, params, args)),
    }
}
