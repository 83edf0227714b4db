//! Ways out of the sandbox and ways to harm the brain, one by one, on every JDK: none leads anywhere, and each is seen.

mod support;

use std::path::Path;

use exec::jdk::Jdk;
use exec::sandbox::Kind;
use support::{Rig, jdks, scratch, sequence};
use testcase::execution::{Execution, Outcome};
use testcase::value::{Constant, Value};

const OUTLAW: &str = "subjects/Outlaw";

fn call(rig: &mut Rig, name: &str, descriptor: &str, text: Option<&Path>) -> Execution {
    let op = rig.static_call(OUTLAW, name, descriptor);
    match text {
        Some(text) => {
            let constant = Constant::String(text.to_string_lossy().into_owned().as_str().into());
            let text = rig.constant(constant, "Ljava/lang/String;");
            rig.run_one(sequence(&[(text, &[]), (op, &[0])]))
        }
        None => rig.run_one(sequence(&[(op, &[])])),
    }
}

fn said(run: &Execution) -> String {
    match run.observations.last().and_then(|o| o.value.clone()) {
        Some(Value::String(text)) => text.lossy(),
        other => format!("{other:?} {:?}", run.outcome),
    }
}

fn number(run: &Execution) -> i32 {
    match run.observations.last().and_then(|o| o.value.clone()) {
        Some(Value::Int(number)) => number,
        other => panic!("{other:?} {:?}", run.outcome),
    }
}

fn on_every_jdk(name: &str, check: impl Fn(&mut Rig, &Jdk)) {
    for jdk in jdks() {
        let mut rig = Rig::with(&jdk, name, &[OUTLAW], |config| config.worker.heap_mb = 128);
        check(&mut rig, &jdk);
        assert_eq!(rig.executor.stats().restarts, 0, "on {}", jdk.feature);
    }
}

fn saw(rig: &Rig, kind: Kind, path: Option<&Path>) -> bool {
    rig.executor.attempts().iter().any(|a| a.kind == kind && (path.is_none() || a.path.as_deref() == path))
}

#[test]
fn the_captured_output_is_out_of_reach() {
    let victim = scratch("victim").join("file");
    std::fs::write(&victim, "precious").unwrap();
    on_every_jdk("output", |rig, jdk| {
        let linked = said(&call(rig, "linkOverOutput", "(Ljava/lang/String;)Ljava/lang/String;", Some(&victim)));
        assert!(!linked.contains("done"), "on {}: {linked}", jdk.feature);
        let written = said(&call(rig, "writeBesideOwnFolders", "()Ljava/lang/String;", None));
        assert!(written.ends_with("Exception"), "on {}: {written}", jdk.feature);
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    });
}

#[test]
fn shared_memory_can_be_neither_cut_nor_forged() {
    on_every_jdk("shared", |rig, jdk| {
        for name in ["cutProgress", "forgeCounters"] {
            let said = said(&call(rig, name, "()Ljava/lang/String;", None));
            assert!(said.ends_with("Exception"), "{name} on {}: {said}", jdk.feature);
        }
    });
}

#[test]
fn attributes_stay_as_they_are_outside_and_inside() {
    let file = scratch("attributes").join("file");
    std::fs::write(&file, "").unwrap();
    let before = std::fs::metadata(&file).unwrap();
    on_every_jdk("attributes", |rig, jdk| {
        assert_eq!(said(&call(rig, "ownFileWritten", "()Ljava/lang/String;", None)), "done");
        for name in ["chmod", "chown", "touch", "label"] {
            for path in [file.as_path(), Path::new("own.txt")] {
                let said = said(&call(rig, name, "(Ljava/lang/String;)Ljava/lang/String;", Some(path)));
                assert!(said.ends_with("Exception"), "{name} {} on {}: {said}", path.display(), jdk.feature);
            }
        }
        assert!(saw(rig, Kind::Files, Some(&file)), "{:?}", rig.executor.attempts());
    });
    let after = std::fs::metadata(&file).unwrap();
    assert_eq!((before.permissions(), before.modified().unwrap()), (after.permissions(), after.modified().unwrap()));
}

#[test]
fn other_processes_are_not_seen() {
    on_every_jdk("processes", |rig, jdk| {
        let environment = format!("/proc/{}/environ", std::process::id());
        let read = number(&call(rig, "readAll", "(Ljava/lang/String;)I", Some(Path::new(&environment))));
        assert_eq!(read, -1, "on {}", jdk.feature);
        let own = number(&call(rig, "readAll", "(Ljava/lang/String;)I", Some(Path::new("/proc/self/environ"))));
        assert!(own > 0, "on {}", jdk.feature);
        assert!(number(&call(rig, "processesSeen", "()I", None)) <= 1, "on {}", jdk.feature);
    });
}

#[test]
fn memory_outside_of_the_heap_has_an_end() {
    on_every_jdk("memory", |rig, jdk| {
        let megabytes = number(&call(rig, "nativeMemory", "()I", None));
        // Twice the heap and half a gigabyte, less what the JVM has.
        assert!((300..=768).contains(&megabytes), "{megabytes} on {}", jdk.feature);
    });
}

#[test]
fn what_is_swallowed_is_seen() {
    let file = scratch("swallowed").join("file");
    on_every_jdk("swallowed", |rig, _| {
        assert_eq!(number(&call(rig, "swallow", "(Ljava/lang/String;)I", Some(&file))), 0);
        assert!(saw(rig, Kind::Files, Some(&file)) && !file.exists());
    });
}

#[test]
fn folders_that_are_closed_are_removed() {
    on_every_jdk("closed", |rig, jdk| {
        let run = call(rig, "closedFolder", "()Ljava/lang/String;", None);
        assert_eq!((said(&run).as_str(), &run.outcome), ("done", &Outcome::Normal), "on {}", jdk.feature);
    });
    let left = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exec").join(env!("CARGO_CRATE_NAME"));
    for jdk in jdks() {
        let workers = left.join(format!("closed-{}", jdk.feature)).join("workers");
        assert_eq!(std::fs::read_dir(workers).unwrap().count(), 0);
    }
}
