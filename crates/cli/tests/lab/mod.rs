//! A class path, a JVM to run its classes in, and targets opened in it: for tests and examples that drive parts of the engine by themselves. Owns the setting up;
//! decides nothing.

#![allow(dead_code, reason = "each user needs its own part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytecode::instrument::Plan;
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::target::{self, Target};
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;

pub struct Lab {
    pub world: Arc<World>,
    pub executor: JvmExecutor,
    library: Arc<Library>,
    classpath: Vec<PathBuf>,
    _folder: tempfile::TempDir,
}

impl Lab {
    pub fn new(jdk: &Jdk, paths: &[PathBuf]) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        Lab::within(jdk, paths.to_vec(), folder)
    }

    /// Over classes compiled from these sources.
    pub fn of_sources(jdk: &Jdk, sources: &[PathBuf]) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        let output = Command::new(jdk.home.join("bin/javac"))
            .args(["-g", "-J-XX:TieredStopAtLevel=1", "-d"])
            .arg(&classes)
            .args(sources)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Lab::within(jdk, vec![classes], folder)
    }

    fn within(jdk: &Jdk, classpath: Vec<PathBuf>, folder: tempfile::TempDir) -> Lab {
        let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
        let (opened, problems) = ClassPath::open(&classpath, jdk, platform);
        assert!(problems.is_empty(), "{problems:?}");
        let opened = Arc::new(opened);
        let world = Arc::new(World::new(opened.clone()));
        let library = Arc::new(Library::new(opened, world.clone()));
        let runtime = Runtime::install(folder.path()).unwrap();
        let mut worker = WorkerConfig::new(jdk.clone(), runtime.worker, folder.path().join("workers"));
        worker.readable.extend(classpath.iter().cloned());
        worker.compile_level = Some(1);
        let executor = JvmExecutor::start(ExecutorConfig::new(worker), library.clone()).unwrap();
        Lab { world, executor, library, classpath, _folder: folder }
    }

    /// Makes a class the target of the JVM.
    pub fn open(&mut self, class: &ClassName) -> Result<Target, String> {
        self.open_with(class, false)
    }

    /// The same, with weak mutants among its goals or without.
    pub fn open_with(&mut self, class: &ClassName, infections: bool) -> Result<Target, String> {
        let platform = !self.world.is_application(class);
        let package = if platform { "testudo/lab" } else { class.package() };
        let plan = if platform { self.library.platform_plan() } else { self.library.target_plan() };
        let plan = Plan { infections, ..plan };
        let prepared = target::prepare(&self.world, class, package, &plan).map_err(|p| p.to_string())?;
        let of = |c: &target::PreparedClass| TargetClass {
            name: c.info.name.clone(),
            index: c.index,
            bytes: c.bytes.clone(),
        };
        let setup = TargetSetup {
            probes: prepared.probes,
            sites: prepared.sites,
            classes: prepared.classes.iter().map(of).collect(),
            user_contracts: Vec::new(),
            fields: prepared.fields.clone(),
            classpath: self.classpath.clone(),
        };
        self.executor.open_target(setup).map_err(|p| p.to_string())?;
        Ok(prepared)
    }
}

/// Java sources that belong to the tests.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(path)
}
