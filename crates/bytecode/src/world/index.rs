//! Looking downwards: which classes are below a type, which members make values of it. Owns both indexes, each built
//! once per scope when first asked for; every answer is in a fixed order.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::hierarchy::OBJECT;
use super::{Scope, World};
use crate::access::Access;
use crate::names::ClassName;
use crate::raw::RawClass;
use crate::read::Outline;

/// A way to get a value of some type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Provider {
    pub kind: ProviderKind,
    /// The class that declares the member.
    pub class: ClassName,
    /// Its index in that class's `methods`, or `fields` for a static field.
    pub index: usize,
    /// The class of the value, as declared: the type asked for or one below it.
    pub gives: ClassName,
}

/// Simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProviderKind {
    Constructor,
    StaticField,
    StaticMethod,
    /// An instance method of a builder or factory (`Builder.build()`), not one that turns a value into another.
    BuilderMethod,
}

/// For each type the classes of the scope below it.
pub(super) struct SubtypeIndex {
    below: FxHashMap<ClassName, Vec<ClassName>>,
}

/// The members of the scope that give something.
#[derive(Default)]
pub(super) struct ProviderIndex {
    by_result: FxHashMap<ClassName, Vec<Entry>>,
    /// The keys of `by_result`, sorted.
    results: Vec<ClassName>,
    /// For each type the results below it, sorted; they may be of another scope.
    results_below: FxHashMap<ClassName, Vec<ClassName>>,
}

#[derive(Clone)]
struct Entry {
    provider: Provider,
    /// Needed to use it: parameters, the receiver of a builder method included.
    inputs: usize,
    /// The member and every class around it are public.
    public: bool,
    access: Access,
}

impl World {
    /// Classes and interfaces of the scope below `name` (itself not included), concrete and abstract, sorted. For
    /// `java/lang/Object` that is every other class of the scope.
    pub fn implementors(&self, name: &ClassName, scope: Scope) -> Vec<ClassName> {
        if name.internal() == OBJECT {
            return self.names(scope).iter().filter(|n| *n != name).cloned().collect();
        }
        self.subtype_index(scope).below.get(name).cloned().unwrap_or_default()
    }

    /// Public ways in the scope to get a `name` or something below it: constructors of concrete classes, static fields,
    /// static methods, methods of builders. Exact type first, then by kind, then by how little they need.
    pub fn providers(&self, name: &ClassName, scope: Scope) -> Vec<Provider> {
        self.providers_where(name, scope, |entry| entry.public)
    }

    /// Like [`World::providers`], with everything that source code in `package` may use.
    pub fn providers_for(&self, name: &ClassName, scope: Scope, package: &str) -> Vec<Provider> {
        self.providers_where(name, scope, |entry| {
            let class = &entry.provider.class;
            entry.public
                || (class.package() == package
                    && self.is_member_accessible_from(package, None, class, class, entry.access))
        })
    }

    fn providers_where(&self, name: &ClassName, scope: Scope, usable: impl Fn(&Entry) -> bool) -> Vec<Provider> {
        let index = self.provider_index(scope);
        let below: &[ClassName] = match name.internal() {
            OBJECT => &index.results,
            _ => index.results_below.get(name).map_or(&[], Vec::as_slice),
        };
        let mut found: Vec<&Entry> = Vec::new();
        for result in std::iter::once(name).chain(below.iter().filter(|n| *n != name)) {
            found.extend(index.by_result.get(result).into_iter().flatten().filter(|e| usable(e)));
        }
        found.sort_by_cached_key(|e| (Reverse(e.provider.gives == *name), e.provider.kind, e.inputs));
        found.into_iter().map(|e| e.provider.clone()).collect()
    }

    fn subtype_index(&self, scope: Scope) -> &SubtypeIndex {
        self.subtypes[scope as usize].get_or_init(|| {
            let mut below: FxHashMap<ClassName, Vec<ClassName>> = FxHashMap::default();
            // Names are sorted, so every list comes out sorted.
            for name in self.names(scope).iter() {
                for supertype in self.all_supertypes(name).iter().skip(1).filter(|s| s.internal() != OBJECT) {
                    below.entry(supertype.clone()).or_default().push(name.clone());
                }
            }
            SubtypeIndex { below }
        })
    }

    fn provider_index(&self, scope: Scope) -> &ProviderIndex {
        self.providers[scope as usize].get_or_init(|| {
            let mut index = ProviderIndex::default();
            for name in self.names(scope).iter() {
                let Ok(bytes) = self.bytes(name) else { continue };
                let Ok(raw) = RawClass::parse(&bytes) else { continue };
                let outline =
                    self.outlines.get(name, || Outline::read(&raw).ok().map(|(outline, _)| Arc::new(outline)));
                let Some(outline) = outline else { continue };
                let public = self.is_accessible_everywhere(name);
                if public || scope == Scope::Application {
                    index.add_class(&raw, &outline, public, scope);
                }
            }
            index.results = index.by_result.keys().cloned().collect();
            index.results.sort();
            for result in &index.results {
                for supertype in self.all_supertypes(result).iter().skip(1).filter(|s| s.internal() != OBJECT) {
                    index.results_below.entry(supertype.clone()).or_default().push(result.clone());
                }
            }
            index
        })
    }
}

/// A member that gives something.
struct Member {
    kind: ProviderKind,
    index: usize,
    inputs: usize,
    access: Access,
}

impl ProviderIndex {
    fn add_class(&mut self, raw: &RawClass<'_>, class: &Outline, public: bool, scope: Scope) {
        let usable = |access: Access| {
            let hidden = access.is_private() || access.is_synthetic();
            !hidden && (scope == Scope::Application || access.is_public())
        };
        for (at, field) in raw.fields.iter().enumerate().filter(|(_, f)| f.access.is_static() && usable(f.access)) {
            if let Some(gives) = class_in(&field.descriptor.lossy()) {
                let member = Member { kind: ProviderKind::StaticField, index: at, inputs: 0, access: field.access };
                self.add(class, public, gives, member);
            }
        }
        for (at, method) in raw.methods.iter().enumerate().filter(|(_, m)| usable(m.access)) {
            let (name, descriptor) = (method.name.lossy(), method.descriptor.lossy());
            let Some((params, result)) = descriptor.split_once(')') else { continue };
            let inputs = count_params(params);
            if name == "<init>" {
                if !class.access.is_abstract() && !class.access.is_enum() {
                    let own = class.name.internal();
                    let member = Member { kind: ProviderKind::Constructor, index: at, inputs, access: method.access };
                    self.add(class, public, own, member);
                }
                continue;
            }
            let Some(gives) = class_in(result) else { continue };
            if method.access.is_static() {
                let member = Member { kind: ProviderKind::StaticMethod, index: at, inputs, access: method.access };
                self.add(class, public, gives, member);
            } else if !method.access.has(Access::BRIDGE) && builds(class, &name, gives) {
                let member =
                    Member { kind: ProviderKind::BuilderMethod, index: at, inputs: inputs + 1, access: method.access };
                self.add(class, public, gives, member);
            }
        }
    }

    fn add(&mut self, class: &Outline, class_is_public: bool, gives: &str, member: Member) {
        let Member { kind, index, inputs, access } = member;
        let public = class_is_public && access.is_public();
        let push = |list: &mut Vec<Entry>, gives: ClassName| {
            let provider = Provider { kind, class: class.name.clone(), index, gives };
            list.push(Entry { provider, inputs, public, access });
        };
        match self.by_result.get_mut(gives) {
            // No list is ever empty: one is made with its first entry.
            Some(list) => {
                let gives = list[0].provider.gives.clone();
                push(list, gives);
            }
            None => {
                let gives = ClassName::new(gives);
                let mut list = Vec::new();
                push(&mut list, gives.clone());
                self.by_result.insert(gives, list);
            }
        }
    }
}

/// The class a descriptor names, if it is neither array nor primitive.
fn class_in(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Parameters in the part of a method descriptor before the closing parenthesis.
fn count_params(params: &str) -> usize {
    let mut count = 0;
    let mut rest = params.strip_prefix('(').unwrap_or(params);
    while let Some(first) = rest.bytes().next() {
        rest = match first {
            b'L' => rest.split_once(';').map_or("", |(_, behind)| behind),
            _ => rest.get(1..).unwrap_or(""),
        };
        count += usize::from(first != b'[');
    }
    count
}

/// Whether an instance method makes its result, rather than returning a part of the receiver or the receiver itself.
fn builds(class: &Outline, method: &str, gives: &str) -> bool {
    let is_given = |name: &ClassName| name.internal() == gives;
    let fluent = is_given(&class.name) || class.superclass.iter().chain(&class.interfaces).any(is_given);
    if fluent || matches!(gives, OBJECT | "java/lang/String") {
        return false;
    }
    let starts_with_word =
        |word: &str| method.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()));
    let simple = class.name.simple_binary();
    let maker = simple.ends_with("Builder") || simple.ends_with("Factory");
    ["build", "create", "make", "new"].into_iter().any(starts_with_word) || (maker && !starts_with_word("get"))
}
