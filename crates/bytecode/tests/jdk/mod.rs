//! The JDKs of this machine, for tests. Owns finding and running them; never decides what a test expects.
#![allow(dead_code, reason = "every test binary uses its own part")]

pub mod source;

use std::path::{Path, PathBuf};
use std::process::Command;

/// All JDKs found (each has `lib/modules` and `bin/java`), sorted by path. At least one, or the test fails.
pub fn jdks() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Ok(entries) = std::fs::read_dir("/usr/lib/jvm") {
        homes.extend(entries.flatten().map(|e| e.path()));
    }
    let mut homes: Vec<PathBuf> = homes
        .into_iter()
        .filter(|h| h.join("lib/modules").is_file() && h.join("bin/javac").is_file())
        .filter_map(|h| h.canonicalize().ok())
        .collect();
    homes.sort();
    homes.dedup();
    assert!(!homes.is_empty(), "no JDK found: set JAVA_HOME");
    homes
}

/// Runs a tool of the JDK and gives its standard output; standard error is part of the panic if it fails.
pub fn run(jdk: &Path, tool: &str, args: &[&str]) -> String {
    let output = Command::new(jdk.join("bin").join(tool)).args(args).output().expect("the tool starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{tool} of {} failed:\n{text}\n{}",
        jdk.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// A fresh folder under the target directory.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the scratch folder can be made");
    folder
}

/// Whether to take everything instead of a sample (`TESTUDO_FULL=1`).
pub fn full() -> bool {
    std::env::var_os("TESTUDO_FULL").is_some_and(|v| v == "1")
}
