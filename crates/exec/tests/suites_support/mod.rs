//! Suites ready to be observed: compiled against real JUnit, which is fetched once. Owns the set-up; expects nothing by itself.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bytecode::names::ClassName;
use exec::jdk::Jdk;
use exec::runtime::Runtime;
use exec::suite::{SuiteConfig, SuiteProblem, SuiteReport, observe};
use testcase::observed::{CallEnd, ObservedCall, ObservedValue, TestRun};

mod jars;
pub use jars::jar;

/// Every JDK of this machine; at least one, or the test fails.
pub fn jdks() -> Vec<Jdk> {
    let all = Jdk::all();
    assert!(!all.is_empty(), "no JDK found");
    all
}

/// Everything JUnit 5 has, without JUnit 4.
pub const JUPITER: &[&str] = &["org.junit.platform:junit-platform-console-standalone:1.11.4"];
pub const JUNIT4: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"];

pub struct Lab {
    jdk: Jdk,
    folder: PathBuf,
    runtime: Runtime,
    /// Compiled tests first, then libraries.
    pub classpath: Vec<PathBuf>,
}

impl Lab {
    /// Compiles the suites of these folders against the libraries they need.
    pub fn new(jdk: &Jdk, name: &str, suites: &[&str]) -> Lab {
        let mut jars = Vec::new();
        for suite in suites {
            jars.extend(match *suite {
                "junit5" => JUPITER.iter().map(|j| jar(j)).collect::<Vec<_>>(),
                "junit4" => JUNIT4.iter().map(|j| jar(j)).collect(),
                _ => Vec::new(),
            });
        }
        Lab::with(jdk, name, suites, jars)
    }

    pub fn with(jdk: &Jdk, name: &str, suites: &[&str], jars: Vec<PathBuf>) -> Lab {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exec-suites").join(format!(
            "{}-{name}-{}",
            env!("CARGO_CRATE_NAME"),
            jdk.feature
        ));
        let _ = std::fs::remove_dir_all(&folder);
        let out = folder.join("classes");
        std::fs::create_dir_all(&out).unwrap();
        let runtime = Runtime::install(&folder).unwrap();
        let mut files = Vec::new();
        for part in suites.iter().copied().chain(["target"]) {
            let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(part);
            files.extend(std::fs::read_dir(sources).unwrap().map(|e| e.unwrap().path()));
        }
        files.sort();
        let mut compile_path = jars.clone();
        if jars.is_empty() {
            compile_path.push(runtime.junit.clone());
        }
        let output = Command::new(jdk.home.join("bin/javac"))
            .args(["-g", "-nowarn", "-J-XX:TieredStopAtLevel=1", "-cp"])
            .arg(std::env::join_paths(&compile_path).unwrap())
            .arg("-d")
            .arg(&out)
            .args(files)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let classpath = std::iter::once(out).chain(jars).collect();
        Lab { jdk: jdk.clone(), folder, runtime, classpath }
    }

    pub fn try_observe(
        &self,
        tests: &[&str],
        targets: &[&str],
        change: impl FnOnce(&mut SuiteConfig),
    ) -> Result<SuiteReport, SuiteProblem> {
        let mut config = self.config(tests, targets);
        change(&mut config);
        observe(&config)
    }

    fn config(&self, tests: &[&str], targets: &[&str]) -> SuiteConfig {
        let scratch = self.folder.join("scratch");
        let mut config = SuiteConfig::new(self.jdk.clone(), self.runtime.clone(), scratch);
        config.classpath = self.classpath.clone();
        config.tests = tests.iter().map(ClassName::new).collect();
        config.targets = targets.iter().map(ClassName::new).collect();
        config.total_limit = Duration::from_secs(120);
        config
    }

    /// Observed as the caller likes.
    pub fn observe_by(
        &self,
        tests: &[&str],
        targets: &[&str],
        observe: impl FnOnce(&SuiteConfig) -> Result<SuiteReport, SuiteProblem>,
    ) -> SuiteReport {
        observe(&self.config(tests, targets)).unwrap_or_else(|problem| panic!("{problem}"))
    }

    pub fn observe(&self, tests: &[&str], targets: &[&str], change: impl FnOnce(&mut SuiteConfig)) -> SuiteReport {
        self.try_observe(tests, targets, change).unwrap_or_else(|problem| panic!("{problem}"))
    }
}

/// A report in short: a line per test, with its calls by name and how they ended.
pub fn outline(report: &SuiteReport) -> String {
    let mut text = String::new();
    for run in &report.suite.runs {
        let _ = writeln!(text, "{}", run_outline(report, run));
    }
    for note in &report.suite.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn run_outline(report: &SuiteReport, run: &TestRun) -> String {
    let outcome = format!("{:?}", run.outcome);
    // A class that JUnit could not begin with is never expected: say what it met.
    let whole = &*run.method.name == "initializationError";
    let outcome = if whole { &outcome } else { outcome.split([' ', '(']).next().unwrap_or_default() };
    let mut calls: Vec<String> = run.calls.iter().map(|call| call_outline(report, call)).collect();
    for assertion in run.assertions.iter().rev() {
        calls.insert(assertion.after as usize, format!("!{}", assertion.name));
    }
    let inherited = if run.class == run.method.class { String::new() } else { format!(" as {}", run.class) };
    format!("{}.{}{inherited} [{}] {outcome}: {}", run.method.class, run.method.name, run.display, calls.join(" "))
}

fn call_outline(report: &SuiteReport, call: &ObservedCall) -> String {
    let member = &report.suite.members[call.member as usize];
    let mut text = String::new();
    if let Some(receiver) = &call.receiver {
        let _ = write!(text, "{}.", value(receiver));
    }
    let arguments: Vec<String> = call.arguments.iter().map(value).collect();
    let _ = write!(text, "{}({})", member.name, arguments.join(","));
    match &call.end {
        CallEnd::Returned(None) => {}
        CallEnd::Returned(Some(result)) => {
            let _ = write!(text, "={}", value(result));
        }
        CallEnd::Threw(class) => {
            let _ = write!(text, "!{}", class.simple_binary());
        }
        CallEnd::Open => text.push_str("..."),
    }
    if call.written.iter().any(|w| *w) {
        text.push('*');
    }
    text
}

pub fn value(value: &ObservedValue) -> String {
    match value {
        ObservedValue::Object(object) => format!("#{}", object.object),
        ObservedValue::Plain(plain) => format!("{plain:?}"),
    }
}
