//! The runtime's own tests, written in Java: compiled and run by every JDK of this machine. Owns how they are started; what they check is theirs.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{jdks, scratch};

fn java_files(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            java_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "java") {
            into.push(path);
        }
    }
}

fn report(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_runtime_passes_its_own_tests_on_every_jdk() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let mut files = Vec::new();
    for folder in ["src", "junit/src", "test"] {
        java_files(&runtime.join(folder), &mut files);
    }
    for jdk in jdks() {
        if !jdk.has_javac || jdk.feature < exec::jdk::OLDEST {
            continue;
        }
        let out = scratch(&format!("runtime-{}", jdk.feature));
        let compiled = Command::new(jdk.home.join("bin/javac"))
            .args(["-source", "8", "-target", "8", "-Xlint:-options", "-nowarn"])
            .args(["-XDignore.symbol.file", "-encoding", "UTF-8", "-proc:none"])
            .args(["-J-XX:TieredStopAtLevel=1", "-d"])
            .arg(&out)
            .args(&files)
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", report(&compiled));
        let ran = Command::new(jdk.home.join("bin/java"))
            .args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"])
            .args(["--add-exports", "java.base/jdk.internal.access=ALL-UNNAMED"])
            .args(["--add-exports", "java.base/jdk.internal.reflect=ALL-UNNAMED", "-cp"])
            .arg(&out)
            .arg("testudo.runtime.AllTests")
            .output()
            .unwrap();
        assert!(ran.status.success(), "JDK {}: {}", jdk.version, report(&ran));
    }
}
