//! Serves class bytes to workers: the target's classes as its caller prepared them, the rest of the class path with
//! step counting, redirections and initialiser hooks. Owns the memory of what was instrumented, shared by all workers.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use bytecode::instrument::{Plan, Reaches, Redirect, instrument, names_classes_of};
use bytecode::names::ClassName;
use bytecode::world::World;
use rustc_hash::FxHashMap;

use crate::classpath::ClassPath;
use crate::dispatch::Visibility;
use crate::protocol::request::Served;
use crate::worker::ClassServer;

/// The class whose members instrumented code calls.
pub const HOOKS: &str = "testudo/runtime/Hooks";

/// The class that code with mutants asks which of them is on.
pub const MUTANTS: &str = "testudo/runtime/Mutants";

/// Class indices below this belong to the target's own classes; those of other classes start here.
pub const FIRST_FREE_INDEX: u32 = 4096;

/// The class path of a run, ready to be served.
pub struct Library {
    classpath: Arc<ClassPath>,
    world: Arc<World>,
    redirects: Vec<Redirect>,
    reaches: Arc<Reaches>,
    served: Mutex<FxHashMap<String, Served>>,
}

impl Library {
    /// `world` must be over `classpath`.
    pub fn new(classpath: Arc<ClassPath>, world: Arc<World>) -> Library {
        let redirects = Redirect::defaults(&ClassName::new(HOOKS));
        Library { classpath, world, redirects, reaches: Reaches::standard(), served: Mutex::default() }
    }

    pub fn classpath(&self) -> &Arc<ClassPath> {
        &self.classpath
    }

    /// What target classes are to be instrumented with; the caller numbers probes, sites and the class.
    pub fn target_plan(&self) -> Plan {
        Plan { reaches: Some(self.reaches.clone()), ..Plan::everything(ClassName::new(HOOKS)) }
    }

    /// For a target that is a class of the JDK: its initialiser has run already, and the JDK may do what others must not.
    pub fn platform_plan(&self) -> Plan {
        Plan { init_hooks: false, redirects: Vec::new(), reaches: None, ..self.target_plan() }
    }

    /// For target classes that hold their mutants already; the caller numbers the class.
    pub fn mutant_plan(&self, platform: bool) -> Plan {
        let plan = if platform { self.platform_plan() } else { self.target_plan() };
        Plan { edges: false, lines: false, operands: false, ..plan }
    }

    /// Classes named in these bytes that inherit calls which reach outside.
    pub fn kin(&self, class: &[u8]) -> Vec<(ClassName, ClassName)> {
        self.reaches.kin(&self.world, class)
    }

    fn other_class(&self, name: &str) -> Served {
        // Instrumenting happens under the lock: two workers asking for one class do the work once.
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = served.get(name) {
            return known.clone();
        }
        let index = FIRST_FREE_INDEX + served.len() as u32;
        let made = self.instrumented(name, index);
        if matches!(made, Served::NotFound { .. }) {
            // Code under test may ask for any number of names that do not exist.
            return made;
        }
        served.insert(name.to_owned(), made.clone());
        made
    }

    fn instrumented(&self, name: &str, index: u32) -> Served {
        let Some(bytes) = self.classpath.application_bytes(name) else {
            let message = format!("class {} is not on the class path", name.replace('/', "."));
            return Served::NotFound { message };
        };
        let hooks = ClassName::new(HOOKS);
        if names_classes_of(&bytes, hooks.package()) {
            return Served::Broken { message: "it names classes of Testudo's own".to_owned() };
        }
        let plan = Plan {
            steps: true,
            init_hooks: true,
            redirects: self.redirects.clone(),
            reaches: Some(self.reaches.clone()),
            kin: self.kin(&bytes),
            class_index: index,
            ..Plan::nothing(hooks)
        };
        match instrument(&bytes, &plan) {
            Ok(done) => Served::Class { index, bytes: done.bytes.into() },
            Err(problem) => Served::Broken { message: problem.to_string() },
        }
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("classpath", &self.classpath.paths()).finish_non_exhaustive()
    }
}

impl Visibility for Library {
    fn watched(&self, generated: Vec<u8>) -> Vec<u8> {
        let plan = Plan {
            reaches: Some(self.reaches.clone()),
            kin: self.kin(&generated),
            ..Plan::nothing(ClassName::new(HOOKS))
        };
        // Our own classes can be read; one that could not would run as it is, and the kernel would see what it does.
        instrument(&generated, &plan).map_or(generated, |done| done.bytes)
    }

    fn is_platform(&self, class: &ClassName) -> bool {
        self.classpath.platform().has_package(class.package())
    }

    fn is_accessible(&self, package: &str, class: &ClassName) -> bool {
        !self.world.contains(class) || self.world.is_accessible_from(package, class)
    }
}

/// A class under test, instrumented by whoever opened the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetClass {
    pub name: ClassName,
    /// As in the plan it was instrumented with; below [`FIRST_FREE_INDEX`].
    pub index: u32,
    pub bytes: Arc<[u8]>,
}

/// What one worker may ask for: the classes of its target, then the library.
#[derive(Debug)]
pub struct Shelf {
    library: Arc<Library>,
    target: RwLock<FxHashMap<ClassName, Served>>,
}

impl Shelf {
    pub fn new(library: Arc<Library>) -> Shelf {
        Shelf { library, target: RwLock::default() }
    }

    pub fn set_target(&self, classes: &[TargetClass]) {
        let served = |c: &TargetClass| Served::Class { index: c.index, bytes: c.bytes.clone() };
        let classes = classes.iter().map(|c| (c.name.clone(), served(c))).collect();
        *self.target.write().unwrap_or_else(PoisonError::into_inner) = classes;
    }
}

impl ClassServer for Shelf {
    fn class(&self, name: &str) -> Served {
        let target = self.target.read().unwrap_or_else(PoisonError::into_inner);
        match target.get(name) {
            Some(served) => served.clone(),
            None => self.library.other_class(name),
        }
    }
}
