//! A JVM and a symbolic machine over the same classes, and a search that feeds both. Owns setting them up.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::instrument::Plan;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope, World};
use engine::budget::Budget;
use engine::distance::Guide;
use engine::options::Options;
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{HOOKS, Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use symbolic::executor::{Measured, VmExecutor};
use symbolic::vm::{Limits, Machine};
use testcase::executor::Executor;

use crate::bench::{Differential, Identities, Report};

/// For identity hashes made in another way, of classes of the JDK as well: their archive has hashes with them.
const OTHER_IDENTITIES: [&str; 2] = ["-XX:+UnlockExperimentalVMOptions", "-Xshare:off"];

/// Both executors over one class path.
pub struct Lab {
    classpath: Arc<ClassPath>,
    world: Arc<World>,
    library: Arc<Library>,
    worker: WorkerConfig,
    jvm: JvmExecutor,
    paths: Vec<PathBuf>,
    /// The class path with the worker's classes behind it.
    machine_path: Arc<ClassPath>,
}

/// A class path with some classes as they are when instrumented.
struct Overlay {
    path: Arc<ClassPath>,
    classes: BTreeMap<String, Arc<[u8]>>,
}

impl ClassSource for Overlay {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match self.classes.get(name) {
            Some(bytes) => Some(Cow::Borrowed(&**bytes)),
            None => self.path.class_bytes(name),
        }
    }

    fn resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.path.resource(path)
    }

    fn platform_resource(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.path.platform_resource(path)
    }

    fn knows_resources(&self) -> bool {
        self.path.knows_resources()
    }

    fn names(&self, scope: Scope) -> Vec<ClassName> {
        self.path.names(scope)
    }

    fn internal_names(&self) -> Vec<ClassName> {
        self.path.internal_names()
    }

    fn is_exported(&self, package: &str) -> bool {
        self.path.is_exported(package)
    }
}

impl Lab {
    /// Over folders of classes and jars; `scratch` keeps the worker's files.
    pub fn new(jdk: &Jdk, paths: &[PathBuf], scratch: &Path) -> Lab {
        let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
        let (classpath, problems) = ClassPath::open(paths, jdk, platform.clone());
        assert!(problems.is_empty(), "{problems:?}");
        let classpath = Arc::new(classpath);
        let world = Arc::new(World::new(classpath.clone()));
        let library = Arc::new(Library::new(classpath.clone(), world.clone()));
        let runtime = Runtime::install(scratch).unwrap();
        let all: Vec<PathBuf> = paths.iter().cloned().chain([runtime.worker.clone()]).collect();
        let machine_path = Arc::new(ClassPath::open(&all, jdk, platform).0);
        let mut worker = WorkerConfig::new(jdk.clone(), runtime.worker, scratch.join("workers"));
        worker.readable.extend(paths.iter().cloned());
        worker.compile_level = Some(1);
        let jvm = JvmExecutor::start(ExecutorConfig::new(worker.clone()), library.clone()).unwrap();
        Lab { classpath, world, library, worker, jvm, paths: paths.to_vec(), machine_path }
    }

    /// All classes of the class path's first entry.
    pub fn names(&self) -> Vec<ClassName> {
        self.classpath.names_in(&self.paths[0])
    }

    /// Random sequences for one class on both, compared. `None` if the class cannot be tested; an error if it could not be compared.
    pub fn compare(
        &mut self,
        class: &ClassName,
        executions: u64,
        seed: u64,
    ) -> Result<Option<Report>, Box<dyn std::error::Error>> {
        let world = &*self.world;
        let Ok(prepared) = target::prepare(world, class, class.package(), &self.library.target_plan()) else {
            return Ok(None);
        };
        let setup = || TargetSetup {
            probes: prepared.probes,
            sites: prepared.sites,
            classes: prepared
                .classes
                .iter()
                .map(|c| TargetClass { name: c.info.name.clone(), index: c.index, bytes: c.bytes.clone() })
                .collect(),
            user_contracts: Vec::new(),
            fields: Vec::new(),
            classpath: self.paths.clone(),
        };
        let goals = prepared.goals();
        let watches = Guide::new(&prepared.classes, &goals).watches(|_| true);
        self.jvm.open_target(setup())?;
        self.jvm.watch(&watches);
        // The machine counts steps and tells initialisers by itself, and does nothing that would have to be redirected.
        let plan = Plan { steps: false, init_hooks: false, redirects: Vec::new(), ..self.library.target_plan() };
        let measured = target::prepare(world, class, class.package(), &plan)?;
        let numbers = |p: &target::Target| (p.probes, p.sites);
        assert_eq!(
            numbers(&measured),
            numbers(&prepared),
            "{class}: probes and sites mean something else without redirects"
        );
        let classes = measured.classes.iter().map(|c| (c.info.name.internal().to_owned(), c.bytes.clone())).collect();
        let source = Arc::new(Overlay { path: self.machine_path.clone(), classes });
        let reaches = prepared.reaches(world, &goals);
        let library = WorldLibrary::new(world, &prepared);
        let options = Options { seed, contracts: false, stop_when_covered: None, ..Options::default() };
        let mut session = Session::new(&library, goals, reaches, options)?;
        // As the classes of a JVM's target are new, so are the machine's: which class is initialised first may show.
        let fresh = || -> Result<VmExecutor, Box<dyn std::error::Error>> {
            let booted = Machine::boot(source.clone(), Limits::default());
            let mut machine = booted.map_err(|stop| format!("the machine does not start: {stop:?}"))?;
            for class in prepared.classes.iter().take(1) {
                // The worker begins with it, too. What fails will fail again where it is used.
                let found = machine.find_class(class.info.name.internal());
                if let Ok(Some(id)) = found
                    && machine.initialise(id).is_err()
                {
                    machine.rewind();
                }
                machine.settle();
            }
            let hooks = ClassName::new(HOOKS);
            let measured = Measured { hooks, probes: prepared.probes, sites: prepared.sites };
            let measuring = VmExecutor::measuring(machine, &measured);
            let mut vm = measuring.unwrap_or_else(|trap| panic!("{class}: the hooks do not run: {trap:?}"));
            vm.watch(&watches);
            Ok(vm)
        };
        let mut vm = fresh()?;
        let mut both = Differential::new(&mut self.jvm, &mut vm);
        session.run(&mut both, &mut Budget::executions(executions), &mut |_| {})?;
        for suspect in std::mem::take(&mut both.suspects) {
            // Opened anew, a target has its classes anew, and those of its class path.
            both.jvm.open_target(setup())?;
            both.jvm.watch(&watches);
            let new_jvm = |identities| {
                let mut config = self.worker.clone();
                if let Identities::Other(mode) = identities {
                    config.flags.extend(OTHER_IDENTITIES.map(Into::into));
                    config.flags.push(format!("-XX:hashCode={mode}").into());
                }
                let mut jvm = JvmExecutor::start(ExecutorConfig::new(config), self.library.clone())?;
                jvm.open_target(setup())?;
                jvm.watch(&watches);
                Ok(jvm.run(&suspect.operations, vec![suspect.request.clone()])?.remove(0))
            };
            both.try_again(&suspect, &mut fresh()?, new_jvm)?;
        }
        Ok(Some(both.report))
    }
}
