//! What the end-to-end tests share: JDKs, compiled fixtures, and a run of the command. Owns no expectation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::jars;

/// Every JDK of 17 or later on this machine, at least one.
pub fn jdks() -> Vec<exec::jdk::Jdk> {
    let found = exec::jdk::Jdk::all();
    assert!(!found.is_empty(), "these tests need a JDK");
    found
}

pub fn any_jdk() -> exec::jdk::Jdk {
    jdks().remove(0)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![repository().join("fixtures").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compiles with the JDK's javac into `out`.
pub fn javac(jdk: &exec::jdk::Jdk, files: &[PathBuf], classpath: &[&Path], out: &Path) {
    fs::create_dir_all(out).unwrap();
    let classpath = std::env::join_paths(classpath.iter().copied().chain([out])).unwrap();
    let output = Command::new(jdk.home.join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-d"])
        .arg(out)
        .arg("-cp")
        .arg(classpath)
        .args(files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Real JUnit 5 with all its engines, and JUnit 4.
pub fn junit() -> Vec<PathBuf> {
    [
        "org.junit.platform:junit-platform-console-standalone:1.11.4",
        "junit:junit:4.13.2",
        "org.hamcrest:hamcrest-core:1.3",
    ]
    .map(jars::jar)
    .to_vec()
}

/// Compiles Java text to class files; each text is `(file name, source)`.
pub fn compile_text<S: AsRef<str>>(jdk: &exec::jdk::Jdk, texts: &[(S, S)], folder: &Path) -> PathBuf {
    let source = folder.join("source");
    let files: Vec<PathBuf> = texts
        .iter()
        .map(|(name, text)| {
            let path = source.join(name.as_ref());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text.as_ref()).unwrap();
            path
        })
        .collect();
    let classes = folder.join("classes");
    javac(jdk, &files, &[], &classes);
    classes
}

/// A class whose search never ends by itself: no square is 3.
pub fn endless(name: &str) -> (String, String) {
    let body = "public static int square(int x) { if (x * x == 3) { return 1; } return x > 5 ? 2 : 3; }";
    (format!("p/{name}.java"), format!("package p; public class {name} {{ {body} }}"))
}

pub fn testudo() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testudo"));
    command.stdin(Stdio::null());
    command
}

pub struct Run {
    pub output: Output,
    pub out: PathBuf,
}

impl Run {
    /// `testudo generate … --out <folder>/out`.
    pub fn generate(jdk: &exec::jdk::Jdk, folder: &Path, args: &[&str]) -> Run {
        let out = folder.join("out");
        let output =
            testudo().arg("generate").args(args).arg("--jdk").arg(&jdk.home).arg("--out").arg(&out).output().unwrap();
        Run { output, out }
    }

    pub fn code(&self) -> i32 {
        self.output.status.code().unwrap_or(-1)
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    #[track_caller]
    pub fn succeeded(self) -> Run {
        assert_eq!(self.code(), 0, "{}\n{}", self.stderr(), String::from_utf8_lossy(&self.output.stdout));
        self
    }

    pub fn report(&self) -> Value {
        let text = fs::read_to_string(self.out.join("report.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[track_caller]
    /// A file of the output folder.
    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.out.join(file)).unwrap()
    }

    pub fn class(&self, name: &str) -> Value {
        let report = self.report();
        let classes = report["classes"].as_array().unwrap();
        classes.iter().find(|c| c["class"] == name).unwrap_or_else(|| panic!("no {name} in {report:#}")).clone()
    }

    /// Path relative to the output folder → content, of `tests/` and `failing/`.
    pub fn suites(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.out.join("tests"), self.out.join("failing")];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&self.out).unwrap().to_str().unwrap().to_string();
                    found.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        found
    }
}
