//! A worker ready to run operations of small Java classes, on any JDK. Owns the set-up; expects nothing by itself.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use bytecode::instrument::{Plan, instrument};
use bytecode::names::{ClassName, FieldType, MethodDescriptor};
use bytecode::world::{ClassSource, World};
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::execution::Execution;
use testcase::executor::{Detail, Executor, Request};
use testcase::operation::{OpId, Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::Constant;

/// Every JDK of this machine; at least one, or the test fails.
pub fn jdks() -> Vec<Jdk> {
    let all = Jdk::all();
    assert!(!all.is_empty(), "no JDK found");
    all
}

/// The Java classes of `tests/java`, compiled once per test binary for the oldest JDK here.
pub fn subjects() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("subjects");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/subjects");
        let mut files: Vec<PathBuf> = std::fs::read_dir(sources).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let oldest = jdks().into_iter().min_by_key(|j| j.feature).unwrap();
        let output = Command::new(oldest.home.join("bin/javac"))
            .args(["-g", "-XDignore.symbol.file", "-J-XX:TieredStopAtLevel=1", "-d"])
            .arg(&out)
            .args(files)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        out
    })
}

/// A fresh folder, named after the test binary and `name`.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exec").join(env!("CARGO_CRATE_NAME")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn worker_config(jdk: &Jdk, name: &str) -> WorkerConfig {
    let folder = scratch(&format!("{name}-{}", jdk.feature));
    let runtime = Runtime::install(&folder).unwrap();
    let mut config = WorkerConfig::new(jdk.clone(), runtime.worker, folder.join("workers"));
    config.readable.push(subjects().to_owned());
    config
}

pub fn library(jdk: &Jdk) -> Arc<Library> {
    let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
    let (classpath, problems) = ClassPath::open(&[subjects().to_owned()], jdk, platform);
    assert!(problems.is_empty(), "{problems:?}");
    let classpath = Arc::new(classpath);
    let world = Arc::new(World::new(classpath.clone()));
    Arc::new(Library::new(classpath, world))
}

/// Instruments these classes as a target.
pub fn target(library: &Library, classes: &[&str]) -> TargetSetup {
    let mut setup = TargetSetup { classpath: vec![subjects().to_owned()], ..TargetSetup::default() };
    for (index, name) in classes.iter().enumerate() {
        let bytes = library.classpath().class_bytes(name).unwrap_or_else(|| panic!("no class {name}"));
        let plan = Plan {
            kin: library.kin(&bytes),
            first_probe: setup.probes,
            first_site: setup.sites,
            class_index: index as u32,
            ..library.target_plan()
        };
        let done = instrument(&bytes, &plan).unwrap();
        setup.probes += done.probes.len() as u32;
        setup.sites += done.sites.len() as u32;
        setup.classes.push(TargetClass { name: ClassName::new(name), index: index as u32, bytes: done.bytes.into() });
    }
    setup
}

/// An executor, its operations, and short ways to make more.
pub struct Rig {
    pub executor: JvmExecutor,
    pub operations: Operations,
    pub library: Arc<Library>,
    pub probes: u32,
}

impl Rig {
    pub fn new(jdk: &Jdk, name: &str, classes: &[&str]) -> Rig {
        Rig::with(jdk, name, classes, |_| {})
    }

    pub fn with(jdk: &Jdk, name: &str, classes: &[&str], change: impl FnOnce(&mut ExecutorConfig)) -> Rig {
        let library = library(jdk);
        let mut config = ExecutorConfig::new(worker_config(jdk, name));
        change(&mut config);
        let mut executor = JvmExecutor::start(config, library.clone()).unwrap();
        let setup = target(&library, classes);
        let probes = setup.probes;
        executor.open_target(setup).unwrap();
        Rig { executor, operations: Operations::default(), library, probes }
    }

    pub fn constant(&mut self, value: Constant, ty: &str) -> OpId {
        self.operations.intern(Operation::constant(value, type_of(ty)))
    }

    pub fn int(&mut self, value: i32) -> OpId {
        self.constant(Constant::Int(value), "I")
    }

    pub fn construct(&mut self, class: &str, descriptor: &str) -> OpId {
        let params = params(descriptor);
        let kind = OperationKind::Construct {
            class: ClassName::new(class),
            descriptor: descriptor.into(),
            varargs: false,
            inner: false,
        };
        self.operations.intern(Operation { kind, params, result: Type::class(class) })
    }

    /// An instance method of a class.
    pub fn call(&mut self, owner: &str, name: &str, descriptor: &str) -> OpId {
        self.any_call(owner, name, descriptor, false, false)
    }

    pub fn static_call(&mut self, owner: &str, name: &str, descriptor: &str) -> OpId {
        self.any_call(owner, name, descriptor, true, false)
    }

    pub fn any_call(&mut self, owner: &str, name: &str, descriptor: &str, is_static: bool, interface: bool) -> OpId {
        let mut all = if is_static { Vec::new() } else { vec![Type::class(owner)] };
        all.extend(params(descriptor));
        let result = MethodDescriptor::parse(descriptor).unwrap().result;
        let kind = OperationKind::Call {
            owner: ClassName::new(owner),
            name: name.into(),
            descriptor: descriptor.into(),
            is_static,
            owner_is_interface: interface,
            varargs: false,
        };
        let result = result.as_ref().map_or(Type::Void, Type::from);
        self.operations.intern(Operation { kind, params: all, result })
    }

    pub fn other(&mut self, kind: OperationKind, params: &[&str], result: &str) -> OpId {
        let params = params.iter().map(|t| type_of(t)).collect();
        let result = if result == "V" { Type::Void } else { type_of(result) };
        self.operations.intern(Operation { kind, params, result })
    }

    pub fn run(&mut self, requests: Vec<Request>) -> Vec<Execution> {
        self.executor.run(&self.operations, requests).unwrap()
    }

    /// Runs one sequence with everything reported.
    pub fn run_one(&mut self, sequence: Sequence) -> Execution {
        let mut results = self.run(vec![Request { sequence, detail: full(), cost: 1, fault: None }]);
        assert_eq!(results.len(), 1);
        results.remove(0)
    }
}

pub fn full() -> Detail {
    Detail {
        observe: testcase::executor::Observe::Everything,
        states: true,
        values: true,
        all_probes: true,
        operands: true,
        exceptions: true,
        ..Detail::default()
    }
}

pub fn type_of(descriptor: &str) -> Type {
    Type::from(&FieldType::parse(descriptor).unwrap())
}

fn params(descriptor: &str) -> Vec<Type> {
    MethodDescriptor::parse(descriptor).unwrap().params.iter().map(Type::from).collect()
}

/// `[(op, [args…]), …]`
pub fn sequence(statements: &[(OpId, &[u16])]) -> Sequence {
    let statements: Vec<Statement> = statements
        .iter()
        .map(|(op, args)| Statement { op: *op, args: args.iter().map(|a| Var(*a)).collect() })
        .collect();
    Sequence::new(statements)
}

pub fn plain(sequence: Sequence) -> Request {
    Request { sequence, detail: Detail::default(), cost: 1, fault: None }
}
