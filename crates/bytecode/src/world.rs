//! All classes there are, read on demand and kept: the application's and the platform's. Owns the cache and every
//! question that takes more than one class to answer. Does no IO: bytes come from a [`ClassSource`]. Answers never
//! depend on the order of questions or on threads.

mod accessible;
mod hierarchy;
mod index;
mod members;

pub use index::{Provider, ProviderKind};
pub use members::{FieldRef, MethodRef};

use std::borrow::{Borrow, Cow};
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::analysis::ClassFacts;
use crate::class_info::ClassInfo;
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::RawClass;
use crate::read::Outline;
use hierarchy::Supertypes;
use index::{ProviderIndex, SubtypeIndex};

/// Which classes to look among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// The class path under test.
    Application,
    /// The JDK: its exported packages, as far as they are known.
    Platform,
}

impl Scope {
    pub const ALL: [Scope; 2] = [Scope::Application, Scope::Platform];
}

/// Where class bytes come from. Must give the same answers all the time.
pub trait ClassSource: Send + Sync {
    /// The class file of that internal name.
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>>;
    /// Another file of the class path, by its path there. `None` if there is none; asks nothing of sources that have
    /// classes alone.
    fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let _ = path;
        None
    }
    /// Another file beside the classes of a package of the JDK, by its path there.
    fn platform_resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let _ = path;
        None
    }
    /// Whether `resource` knows what there is.
    fn knows_resources(&self) -> bool {
        false
    }
    /// All classes of a scope, in any order. For the platform only those in exported packages, if that is known.
    fn names(&self, scope: Scope) -> Vec<ClassName>;
    /// The platform's classes in packages it keeps to itself, in any order: no code outside can name them, but calls
    /// may end up in them.
    fn internal_names(&self) -> Vec<ClassName> {
        Vec::new()
    }
    /// Whether classes outside may use the package (internal form): false for packages the JDK keeps to itself.
    fn is_exported(&self, package: &str) -> bool {
        let _ = package;
        true
    }
}

/// Why nothing is known about a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldProblem {
    #[error("class {name} is neither on the class path nor in the JDK: add the jar it is in")]
    Missing { name: ClassName },
    #[error("class {name} cannot be read: {problem}")]
    Malformed { name: ClassName, problem: Problem },
}

impl WorldProblem {
    /// The class in question.
    pub fn name(&self) -> &ClassName {
        match self {
            WorldProblem::Missing { name } | WorldProblem::Malformed { name, .. } => name,
        }
    }
}

/// The classes of one run. Shared between threads by reference or `Arc`.
pub struct World {
    source: Arc<dyn ClassSource>,
    classes: Cache<Result<Known, WorldProblem>>,
    outlines: Cache<Option<Arc<Outline>>>,
    supertypes: Cache<Arc<Supertypes>>,
    facts: Cache<Result<Arc<ClassFacts>, WorldProblem>>,
    accessible: Cache<bool>,
    exported: Cache<bool, String>,
    names: PerScope<Arc<[ClassName]>>,
    subtypes: PerScope<SubtypeIndex>,
    providers: PerScope<ProviderIndex>,
}

/// A class with what was malformed in its optional parts.
#[derive(Clone)]
struct Known {
    info: Arc<ClassInfo>,
    problems: Arc<[Problem]>,
}

type PerScope<T> = [OnceLock<T>; 2];

impl World {
    pub fn new(source: Arc<dyn ClassSource>) -> World {
        World {
            source,
            classes: Cache::default(),
            outlines: Cache::default(),
            supertypes: Cache::default(),
            facts: Cache::default(),
            accessible: Cache::default(),
            exported: Cache::default(),
            names: PerScope::default(),
            subtypes: PerScope::default(),
            providers: PerScope::default(),
        }
    }

    /// Where the bytes come from.
    pub fn source(&self) -> Arc<dyn ClassSource> {
        self.source.clone()
    }

    /// The class, read at most once.
    pub fn class(&self, name: &ClassName) -> Result<Arc<ClassInfo>, WorldProblem> {
        self.known(name).map(|known| known.info)
    }

    /// Whether the class is there and readable.
    pub fn contains(&self, name: &ClassName) -> bool {
        self.known(name).is_ok()
    }

    /// What was malformed in optional parts of the class (and is treated as absent).
    pub fn problems(&self, name: &ClassName) -> Result<Arc<[Problem]>, WorldProblem> {
        self.known(name).map(|known| known.problems)
    }

    /// The class file.
    pub fn bytes(&self, name: &ClassName) -> Result<Cow<'_, [u8]>, WorldProblem> {
        self.source.class_bytes(name.internal()).ok_or_else(|| WorldProblem::Missing { name: name.clone() })
    }

    /// What the class's code does, found in one pass over it and kept.
    pub fn facts(&self, name: &ClassName) -> Result<Arc<ClassFacts>, WorldProblem> {
        self.facts.get(name, || {
            let bytes = self.bytes(name)?;
            ClassFacts::read(&bytes)
                .map(Arc::new)
                .map_err(|problem| WorldProblem::Malformed { name: name.clone(), problem })
        })
    }

    /// All classes of a scope, sorted.
    pub fn names(&self, scope: Scope) -> &Arc<[ClassName]> {
        self.names[scope as usize].get_or_init(|| {
            let mut names = self.source.names(scope);
            names.sort();
            names.dedup();
            names.into()
        })
    }

    /// Every class there is, including those that cannot be named, sorted.
    pub fn all_names(&self) -> Vec<ClassName> {
        let mut names = self.source.internal_names();
        names.extend(Scope::ALL.iter().flat_map(|scope| self.names(*scope).iter().cloned()));
        names.sort();
        names.dedup();
        names
    }

    fn known(&self, name: &ClassName) -> Result<Known, WorldProblem> {
        self.classes.get(name, || {
            let bytes = self.bytes(name)?;
            let malformed = |problem| WorldProblem::Malformed { name: name.clone(), problem };
            let (info, problems) = ClassInfo::read(&bytes).map_err(malformed)?;
            Ok(Known { info: Arc::new(info), problems: problems.into() })
        })
    }
}

impl World {
    /// Supertypes, flags and nesting of a class, without reading its members; `None` if it is missing or no class file.
    pub(crate) fn outline(&self, name: &ClassName) -> Option<Arc<Outline>> {
        self.outlines.get(name, || {
            let bytes = self.bytes(name).ok()?;
            let raw = RawClass::parse(&bytes).ok()?;
            Outline::read(&raw).ok().map(|(outline, _)| Arc::new(outline))
        })
    }
}

/// Answers by class (or by something else that has a name), each computed when first asked for.
struct Cache<T, K = ClassName>(RwLock<FxHashMap<K, T>>);

impl<T, K> Default for Cache<T, K> {
    fn default() -> Self {
        Cache(RwLock::default())
    }
}

impl<T: Clone, K: Clone + Eq + Hash> Cache<T, K> {
    /// Two threads may compute the same answer; the first to finish is kept, and answers are equal anyway.
    fn get<Q: Eq + Hash + ToOwned<Owned = K> + ?Sized>(&self, key: &Q, compute: impl FnOnce() -> T) -> T
    where
        K: Borrow<Q>,
    {
        // Nothing in here can leave a half-made map behind, so a lock poisoned by a panicking reader is still good.
        if let Some(found) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return found.clone();
        }
        let computed = compute();
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        map.entry(key.to_owned()).or_insert(computed).clone()
    }
}
