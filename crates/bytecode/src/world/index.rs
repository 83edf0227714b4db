//! Looking downwards: who is below a type, who makes values of it. Owns both indexes, each built once per scope when first asked
//! for; every answer is in a fixed order.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::hierarchy::OBJECT;
use super::{Scope, World};
use crate::access::Access;
use crate::class_info::{ClassInfo, MethodInfo};
use crate::names::{ClassName, FieldType};

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

    /// Public ways in the scope to get a `name` or something below it: constructors of concrete classes, static fields, static
    /// methods, methods of builders. Exact type first, then by kind, then by how little they need.
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
                let Ok(class) = self.class(name) else { continue };
                let public = self.is_accessible_everywhere(name);
                if public || scope == Scope::Application {
                    self.add_providers(&class, public, scope, &mut index);
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

    fn add_providers(&self, class: &Arc<ClassInfo>, public: bool, scope: Scope, index: &mut ProviderIndex) {
        let mut add = |kind, at, gives: &ClassName, inputs, access: Access| {
            let public = public && access.is_public();
            if access.is_private() || access.is_synthetic() || (!public && scope == Scope::Platform) {
                return;
            }
            let provider = Provider { kind, class: class.name.clone(), index: at, gives: gives.clone() };
            let entry = Entry { provider, inputs, public, access };
            index.by_result.entry(gives.clone()).or_default().push(entry);
        };
        for (at, field) in class.fields.iter().enumerate() {
            if let (true, FieldType::Class(gives)) = (field.access.is_static(), &field.field_type) {
                add(ProviderKind::StaticField, at, gives, 0, field.access);
            }
        }
        for (at, method) in class.methods.iter().enumerate() {
            let inputs = method.descriptor.params.len();
            if method.is_constructor() {
                if !class.is_abstract() && !class.access.is_enum() {
                    add(ProviderKind::Constructor, at, &class.name, inputs, method.access);
                }
                continue;
            }
            let Some(FieldType::Class(gives)) = &method.descriptor.result else { continue };
            if method.access.is_static() {
                if !method.is_class_initializer() {
                    add(ProviderKind::StaticMethod, at, gives, inputs, method.access);
                }
            } else if builds(class, method, gives) {
                add(ProviderKind::BuilderMethod, at, gives, inputs + 1, method.access);
            }
        }
    }
}

/// Whether an instance method makes its result rather than showing a part of the receiver or going on with it.
fn builds(class: &ClassInfo, method: &MethodInfo, gives: &ClassName) -> bool {
    let name = method.name.as_str();
    let fluent = *gives == class.name || class.superclass.as_ref() == Some(gives) || class.interfaces.contains(gives);
    if fluent || method.is_bridge() || matches!(gives.internal(), OBJECT | "java/lang/String") {
        return false;
    }
    let starts_with_word =
        |word: &str| name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()));
    let simple = class.name.simple_binary();
    let maker = simple.ends_with("Builder") || simple.ends_with("Factory");
    ["build", "create", "make", "new"].into_iter().any(starts_with_word) || (maker && !starts_with_word("get"))
}
