//! Long sequences that show a failure become the shortest tests that still show it, on real JVMs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytecode::names::ClassName;
use bytecode::world::World;
use engine::budget::Budget;
use engine::options::Options;
use engine::outcome::Finding;
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::operation::Operations;
use testcase::text::{parse_sequence, print_test};

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(path)
}

fn compiled(jdk: &Jdk, sources: &[&str], folder: &Path) -> PathBuf {
    let classes = folder.join("classes");
    let output = Command::new(jdk.home.join("bin/javac"))
        .args(["-g", "-J-XX:TieredStopAtLevel=1", "-d"])
        .arg(&classes)
        .args(sources.iter().map(|s| fixture(s)))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    classes
}

/// What is found of a class when the search begins with a sequence and makes few others; as text, the operations of the session known.
fn found(jdk: &Jdk, class: &str, sources: &[&str], sequence: &str) -> Vec<(Finding, String)> {
    let folder = tempfile::tempdir().unwrap();
    let paths = [compiled(jdk, sources, folder.path())];
    let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
    let (classpath, problems) = ClassPath::open(&paths, jdk, platform);
    assert!(problems.is_empty(), "{problems:?}");
    let classpath = Arc::new(classpath);
    let world = Arc::new(World::new(classpath.clone()));
    let library = Arc::new(Library::new(classpath, world.clone()));
    let runtime = Runtime::install(folder.path()).unwrap();
    let mut worker = WorkerConfig::new(jdk.clone(), runtime.worker, folder.path().join("workers"));
    worker.readable.extend(paths.iter().cloned());
    worker.compile_level = Some(1);
    let mut jvm = JvmExecutor::start(ExecutorConfig::new(worker), library.clone()).unwrap();
    let class = ClassName::new(class);
    let prepared = target::prepare(&world, &class, class.package(), &library.target_plan()).unwrap();
    let classes = prepared.classes.iter();
    jvm.open_target(TargetSetup {
        probes: prepared.probes,
        sites: prepared.sites,
        classes: classes
            .map(|c| TargetClass { name: c.info.name.clone(), index: c.index, bytes: c.bytes.clone() })
            .collect(),
        user_contracts: Vec::new(),
        fields: prepared.fields.clone(),
        classpath: paths.to_vec(),
    })
    .unwrap();
    let goals = prepared.goals();
    let reaches = prepared.reaches(&world, &goals);
    let own = WorldLibrary::new(&world, &prepared);
    let mut session = Session::new(&own, goals, reaches, Options::default()).unwrap();
    let mut operations = Operations::default();
    let sequence = parse_sequence(sequence, &mut operations).unwrap();
    session.begin_with(&[sequence], &operations);
    session.run(&mut jvm, &mut Budget::executions(2000), &mut |_| {}).unwrap();
    let outcome = session.finish(&mut jvm, &mut Budget::executions(0)).unwrap();
    let text = |f: &Finding| print_test(&f.test, &outcome.operations);
    outcome.findings.iter().map(|f| (f.clone(), text(f))).collect()
}

#[test]
fn thirty_statements_around_a_wrapper_that_does_not_equal_itself_become_four() {
    let sequence = std::fs::read_to_string(fixture("shrink/window.seq")).unwrap();
    assert_eq!(sequence.lines().filter(|l| l.starts_with('v')).count(), 30);
    for jdk in Jdk::all() {
        let sources = ["shrink/src/shrink/Shelf.java", "shrink/src/shrink/Window.java"];
        let found = found(&jdk, "shrink/Window", &sources, &sequence);
        let told: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        insta::assert_snapshot!("window", told.join("\n"));
        assert!(found.iter().all(|(finding, _)| finding.statements_before >= 30), "{found:#?}");
    }
}
