//! A set of classes compiled among decoys, a run of the command over them, and a run of what it delivered. Owns the
//! order of these; decides not which classes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use exec::jdk::Jdk;
use serde_json::Value;

use crate::decoys::{self, Decoys, Rights};
use crate::outside::{self, Outside};

/// Enough for the few branches of these classes.
const EXECUTIONS: &str = "300";

pub struct Site {
    jdk: Jdk,
    set: &'static str,
    names: Vec<String>,
    decoys: Decoys,
    least: Rights,
    folder: tempfile::TempDir,
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/harm").join(path)
}

/// All files below a folder, in order.
fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

impl Site {
    /// Compiles the whole set; `names` are the targets.
    pub fn new(jdk: &Jdk, set: &'static str, names: &[&str]) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        // What is delivered may run as somebody else.
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let least = Rights::least();
        // Tools on the class path are no targets, but have decoys as well.
        let mut with_decoys = names.clone();
        with_decoys.extend(["CompilerPlugin", "AnnotationProcessor", "CharsetsOnClassPath"].map(String::from));
        let decoys = Decoys::new(&root.join("decoys"), &with_decoys, &least).unwrap();
        let place = root.join("Decoy.java");
        fs::write(&place, decoys.source()).unwrap();
        let classes = root.join("classes");
        let sources = below(&fixture(set).join("src"), ".java");
        for (sources, out) in
            [(vec![place], "base"), (sources, "classes"), (vec![fixture("runner/Watched.java")], "runner")]
        {
            outside::compile(&jdk.home, &sources, &[root.join("base")], &[], &root.join(out)).unwrap().unwrap();
        }
        for file in below(&fixture(set).join("META-INF"), "") {
            let to = classes.join(file.strip_prefix(fixture(set)).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&file, to).unwrap();
        }
        Site { jdk: jdk.clone(), set, names, decoys, least, folder }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn class_path(&self) -> Vec<PathBuf> {
        ["classes", "base"].map(|name| self.folder.path().join(name)).to_vec()
    }

    /// Generates in the decoy working folder, with a secret in the environment.
    pub fn generates_without_harm(&mut self) {
        let temp = self.folder.path().join("temp");
        fs::create_dir_all(&temp).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_testudo"))
            .arg("generate")
            .args(self.names.iter().map(|name| format!("harm.{}.{name}", self.set)))
            .args(["--max-executions", EXECUTIONS, "--jobs", "2", "-c"])
            .arg(std::env::join_paths(self.class_path()).unwrap())
            .arg("--jdk")
            .arg(&self.jdk.home)
            .arg("--out")
            .arg(self.out())
            .env("HOME", self.decoys.home())
            .env("TMPDIR", &temp)
            .env(decoys::SECRET_NAME, decoys::SECRET)
            .current_dir(self.decoys.work())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(self.decoys.touched().unwrap(), Vec::<String>::new(), "JDK {}: {said}", self.jdk.feature);
        assert_eq!(fs::read_dir(&temp).unwrap().count(), 0, "something stayed in {}", temp.display());
        assert!(matches!(output.status.code(), Some(0)), "{:?}: {said}", output.status);
        assert!(!said.contains(decoys::CANARY), "{said}");
        for file in below(&self.out(), "") {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            assert!(!text.contains(decoys::CANARY), "{} tells a secret", file.display());
        }
    }

    /// Compiles what was delivered and runs it without a sandbox: it passes and touches nothing.
    pub fn delivers_without_harm(&mut self) {
        self.decoys.renew(1).unwrap();
        let root = self.folder.path().to_path_buf();
        let junit = exec::runtime::Runtime::install(&root.join("runtime")).unwrap().junit;
        let mut path = self.class_path();
        path.push(junit);
        let tests = self.out().join("tests");
        let sources = below(&tests, ".java");
        assert!(!sources.is_empty(), "no suites");
        outside::compile(&self.jdk.home, &sources, &path, &[], &root.join("compiled")).unwrap().unwrap();
        path.extend(["compiled", "runner"].map(|name| root.join(name)));
        let outside =
            Outside { java: self.jdk.java(), rights: &self.least, class_path: path, answers: root.join("answers") };
        let mut harm = Vec::new();
        for source in &sources {
            let name = source.strip_prefix(&tests).unwrap().to_str().unwrap();
            let name = name.trim_end_matches(".java").replace('/', ".");
            let ran = outside.run(&self.decoys, &name).unwrap();
            let touched = self.decoys.touched().unwrap();
            if !touched.is_empty() {
                self.decoys.renew(1).unwrap();
            }
            let ended = if ran.broken { vec!["its JVM ended".to_owned()] } else { Vec::new() };
            let none = if ran.passed == 0 { vec!["no test passed".to_owned()] } else { Vec::new() };
            for line in [touched, ran.state, ran.failed, ended, none].concat() {
                harm.push(format!("{name}: {line}"));
            }
        }
        assert_eq!(harm, Vec::<String>::new(), "JDK {}", self.jdk.feature);
    }

    pub fn suite(&self, class: &str) -> String {
        fs::read_to_string(self.out().join(format!("tests/harm/{}/{class}Test.java", self.set))).unwrap_or_default()
    }

    /// Covered branches by all.
    pub fn branch_share(&self, class: &str) -> f64 {
        let text = fs::read_to_string(self.out().join("report.json")).unwrap();
        let report: Value = serde_json::from_str(&text).unwrap();
        let name = format!("harm.{}.{class}", self.set);
        let class = report["classes"].as_array().unwrap().iter().find(|c| c["class"] == name.as_str()).unwrap();
        let branch = &class["goals"]["branch"];
        branch["covered"].as_f64().unwrap() / branch["total"].as_f64().unwrap()
    }
}
