//! The JDKs of this machine and small Java classes compiled with them, for tests. Owns finding and compiling; never decides what
//! a test expects.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope, World};
use testcase::subtyping::Subtyping;
use testcase::suite::{JUnitVersion, Suite};
use testcase::suite_name::SuiteName;

/// All JDKs found, sorted by path. At least one, or the test fails.
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

/// An empty suite for a class; those of the JDK, whose packages are closed, get one of ours.
pub fn suite_for(subtyping: &Subtyping<'_>, target: &str, junit: JUnitVersion) -> Suite {
    let target = ClassName::new(target);
    let ours = if target.package().starts_with("java/") { "testudo/" } else { "" };
    Suite::new(&SuiteName::of(subtyping.classes(), &target, &format!("{ours}{}", target.package())), junit)
}

/// A fresh folder under the target directory.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the scratch folder can be made");
    folder
}

/// Runs a tool of the JDK; its output is part of the panic if it fails.
pub fn run(jdk: &Path, tool: &str, args: &[&str]) -> String {
    let output = Command::new(jdk.join("bin").join(tool)).args(args).output().expect("the tool starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} of {} failed:\n{text}\n{errors}", jdk.display());
    text
}

/// Compiles files of `tests/java` into a fresh folder.
pub fn compile(jdk: &Path, name: &str, files: &[&str]) -> PathBuf {
    let out = scratch(name);
    let sources: Vec<String> = files.iter().map(|f| format!("{}/tests/java/{f}", env!("CARGO_MANIFEST_DIR"))).collect();
    let mut args = vec!["-nowarn", "-parameters", "-d", out.to_str().expect("a plain path")];
    args.extend(sources.iter().map(String::as_str));
    run(jdk, "javac", &args);
    out
}

struct Source {
    classes: PathBuf,
    platform: Jimage<Vec<u8>>,
}

impl ClassSource for Source {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match std::fs::read(self.classes.join(format!("{name}.class"))) {
            Ok(bytes) => Some(Cow::Owned(bytes)),
            Err(_) => self.platform.class_bytes(name).ok().flatten(),
        }
    }
    fn names(&self, _: Scope) -> Vec<ClassName> {
        Vec::new()
    }
}

/// The classes of a folder over those of the JDK.
pub fn world(jdk: &Path, classes: &Path) -> World {
    let image = std::fs::read(jdk.join("lib/modules")).expect("the image can be read");
    let platform = Jimage::open(image).expect("a JDK image");
    World::new(Arc::new(Source { classes: classes.to_owned(), platform }))
}

/// Folders or jars with the JUnit API: our stand-in, or what `TESTUDO_JUNIT` names.
pub fn junit_api(jdk: &Path) -> String {
    if let Ok(path) = std::env::var("TESTUDO_JUNIT") {
        return path;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/junit/src");
    let mut files = Vec::new();
    collect_java(&sources, &mut files);
    assert!(!files.is_empty(), "no JUnit stand-in at {}", sources.display());
    let out = scratch(&format!("junit-api-{}", std::process::id()));
    let mut args = vec!["-nowarn".to_owned(), "-d".to_owned(), out.display().to_string()];
    args.extend(files.iter().map(|f| f.display().to_string()));
    run(jdk, "javac", &args.iter().map(String::as_str).collect::<Vec<_>>());
    out.display().to_string()
}

fn collect_java(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect_java(&path, files);
        } else if path.extension().is_some_and(|e| e == "java") {
            files.push(path);
        }
    }
}
