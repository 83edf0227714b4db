//! Bounded-exhaustive exploration in real JVMs: how many states there are within a bound is known, and none may be missing or counted twice.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::World;
use engine::budget::Budget;
use engine::generate::Explored;
use engine::options::{Exhaustive, Options};
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};

use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::observed::{
    CallEnd, ObservedCall, ObservedMember, ObservedObject, ObservedSuite, ObservedValue, TestMethod, TestOutcome,
    TestRun,
};
use testcase::value::Value;

/// A compiled class of the subjects, and a JVM to run it in.
struct Lab {
    world: Arc<World>,
    library: Arc<Library>,
    executor: JvmExecutor,
    classes: PathBuf,
    _folder: tempfile::TempDir,
}

impl Lab {
    fn new(jdk: &Jdk, class: &str) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures/subjects/src/subjects")
            .join(format!("{class}.java"));
        let output = Command::new(jdk.home.join("bin/javac"))
            .args(["-g", "-J-XX:TieredStopAtLevel=1", "-d"])
            .arg(&classes)
            .arg(source)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
        let (classpath, problems) = ClassPath::open(std::slice::from_ref(&classes), jdk, platform);
        assert!(problems.is_empty(), "{problems:?}");
        let classpath = Arc::new(classpath);
        let world = Arc::new(World::new(classpath.clone()));
        let library = Arc::new(Library::new(classpath, world.clone()));
        let runtime = Runtime::install(folder.path()).unwrap();
        let mut worker = WorkerConfig::new(jdk.clone(), runtime.worker, folder.path().join("workers"));
        worker.readable.push(classes.clone());
        worker.compile_level = Some(1);
        let executor = JvmExecutor::start(ExecutorConfig::new(worker), library.clone()).unwrap();
        Lab { world, library, executor, classes, _folder: folder }
    }

    fn explore(&mut self, class: &str, suite: &ObservedSuite, settings: Exhaustive) -> Explored {
        let world = &*self.world;
        let name = ClassName::new(format!("subjects/{class}"));
        let prepared = target::prepare(world, &name, "subjects", &self.library.target_plan()).unwrap();
        let setup = TargetSetup {
            probes: prepared.probes,
            sites: prepared.sites,
            classes: prepared
                .classes
                .iter()
                .map(|c| TargetClass { name: c.info.name.clone(), index: c.index, bytes: c.bytes.clone() })
                .collect(),
            user_contracts: Vec::new(),
            fields: prepared.fields.clone(),
            classpath: vec![self.classes.clone()],
        };
        self.executor.open_target(setup).unwrap();
        let goals = prepared.goals();
        let reaches = prepared.reaches(world, &goals);
        let library = WorldLibrary::new(world, &prepared);
        let options = Options {
            technique: "exhaustive".to_owned(),
            contracts: false,
            exhaustive: Exhaustive { keep_all: true, ..settings },
            ..Options::default()
        };
        let mut session = Session::new(&library, goals, reaches, options).unwrap();
        let rebuilt = session.seed(suite);
        assert!(rebuilt.missed.is_empty(), "{:?}", rebuilt.missed);
        session.run(&mut self.executor, &mut Budget::executions(10_000_000), &mut |_| {}).unwrap();
        session.figures().explored.unwrap()
    }
}

/// Tests that make an object and call one method with these arguments, each test with another list.
fn tests(class: &str, calls: &[(&str, &str, Vec<ObservedValue>)]) -> ObservedSuite {
    let object = || {
        ObservedValue::Object(ObservedObject {
            object: 1,
            class: ClassName::new(format!("subjects/{class}")),
            state: None,
            equals_state: None,
            equals_class: None,
            fallback: None,
        })
    };
    let mut members = vec![member(class, "<init>", "()V")];
    let mut runs = Vec::new();
    for (name, descriptor, arguments) in calls {
        let called = member(class, name, descriptor);
        let at = members.iter().position(|m| *m == called).unwrap_or_else(|| {
            members.push(called);
            members.len() - 1
        });
        let call = |member: usize, receiver, arguments, result| ObservedCall {
            member: member as u32,
            receiver,
            arguments,
            joint: None,
            end: CallEnd::Returned(result),
            written: Vec::new(),
        };
        runs.push(TestRun {
            method: TestMethod { class: "T".into(), name: (*name).into(), descriptor: "()V".into() },
            class: "T".into(),
            display: String::new(),
            outcome: TestOutcome::Passed,
            calls: vec![call(0, None, Vec::new(), Some(object())), call(at, Some(object()), arguments.clone(), None)],
            unrecorded: 0,
            assertions: Vec::new(),
            probes: Vec::new(),
            micros: 0,
        });
    }
    ObservedSuite { members, runs, ..ObservedSuite::default() }
}

fn member(class: &str, name: &str, descriptor: &str) -> ObservedMember {
    ObservedMember {
        class: ClassName::new(format!("subjects/{class}")),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static: false,
    }
}

fn pushes(of: std::ops::RangeInclusive<i32>) -> ObservedSuite {
    let calls: Vec<_> = of.map(|n| ("push", "(I)V", vec![ObservedValue::Plain(Value::Int(n))])).collect();
    tests("UniqueStack", &calls)
}

/// The tests put one element on the stack; each iteration can put one more.
fn settings(length: u32) -> Exhaustive {
    Exhaustive { iterations: length - 1, max_states: 100_000, ..Exhaustive::default() }
}

/// A map with these keys put and removed, each key mapped to the same value.
fn maps(keys: i32) -> ObservedSuite {
    let boxed = |n| ObservedValue::Plain(Value::Boxed(Box::new(Value::Int(n))));
    let (put, remove) =
        ("(Ljava/lang/Comparable;Ljava/lang/Object;)Ljava/lang/Object;", "(Ljava/lang/Comparable;)Ljava/lang/Object;");
    let calls: Vec<_> = (1..=keys)
        .flat_map(|key| [("put", put, vec![boxed(key), boxed(0)]), ("remove", remove, vec![boxed(key)])])
        .collect();
    tests("TreeMap", &calls)
}

#[test]
fn a_balanced_tree_has_as_many_states_as_it_can_be_arranged_in() {
    let jdk = Jdk::all().remove(0);
    let mut lab = Lab::new(&jdk, "TreeMap");
    let mut states = Vec::new();
    for keys in 1..=6 {
        let explored = lab.explore("TreeMap", &maps(keys), settings(keys as u32));
        assert!(explored.complete);
        states.push(explored.states);
    }
    // As many calls as keys. By hand up to 4 keys: no key, one, two in two shapes, three in one, four in four; the others are known from the literature.
    assert_eq!(states, [2, 5, 11, 25, 72, 185]);
}

#[test]
fn a_stack_of_six_distinct_ints_has_1957_states() {
    for jdk in Jdk::all() {
        let mut lab = Lab::new(&jdk, "UniqueStack");
        let mut states = Vec::new();
        for length in 2..=6 {
            let explored = lab.explore("UniqueStack", &pushes(1..=length), settings(length as u32));
            assert!(explored.complete);
            states.push(explored.states);
        }
        // All ways to arrange some of n things: the sum of n!/(n-k)! over k.
        assert_eq!(states, [5, 16, 65, 326, 1957], "JDK {}", jdk.feature);
    }
}
