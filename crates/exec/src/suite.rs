//! Observing somebody's test suite: a JVM with our agent runs it by the user's own JUnit, and tells every call between the tests and the
//! classes under test. Owns the configuration, the report and what can go wrong as a whole; judges nothing about the tests.

mod conversation;
mod frameworks;
mod instrumenter;
mod launch;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bytecode::instrument::Probe;
use bytecode::names::ClassName;
use testcase::observed::{Needs, ObservedMember, ObservedSuite, TestRun};

use crate::classpath::ClassPathProblem;
use crate::jdk::Jdk;
use crate::protocol::WireProblem;
use crate::runtime::Runtime;

/// What is observed, and how.
#[derive(Clone, Debug)]
pub struct SuiteConfig {
    pub jdk: Jdk,
    pub runtime: Runtime,
    /// A folder of its own is made in here for each JVM.
    pub scratch: PathBuf,
    /// Tests, classes under test, JUnit, libraries.
    pub classpath: Vec<PathBuf>,
    /// Classes that may hold tests, in the order in which they are to run; those that hold none are passed over. See `ClassPath::names_in`.
    pub tests: Vec<ClassName>,
    /// Classes under test (nested ones have to be named too).
    pub targets: Vec<ClassName>,
    pub needs: Needs,
    /// A test that takes longer loses its JVM.
    pub test_limit: Duration,
    /// For everything together.
    pub total_limit: Duration,
    /// Shuffles the classes, and the methods where the framework allows it. `None`: as given, methods in the framework's own order.
    pub shuffle: Option<u64>,
    /// Where the tests run; they may read it. `None`: an empty folder.
    pub folder: Option<PathBuf>,
    pub heap_mb: u32,
    /// Further JVM flags, such as `--add-opens`, that the suite needs.
    pub flags: Vec<OsString>,
    /// Off only on request.
    pub sandboxed: bool,
    /// Once this is set, the JVM is ended and nothing is reported.
    pub stop: Arc<AtomicBool>,
}

impl SuiteConfig {
    pub fn new(jdk: Jdk, runtime: Runtime, scratch: PathBuf) -> SuiteConfig {
        SuiteConfig {
            jdk,
            runtime,
            scratch,
            classpath: Vec::new(),
            tests: Vec::new(),
            targets: Vec::new(),
            needs: Needs { states: true, ..Needs::default() },
            test_limit: Duration::from_secs(10),
            total_limit: Duration::from_secs(600),
            shuffle: None,
            folder: None,
            heap_mb: 1024,
            flags: Vec::new(),
            sandboxed: true,
            stop: Arc::default(),
        }
    }
}

/// A class under test as it was measured: probe `first_probe + i` is `probes[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredClass {
    pub name: ClassName,
    pub first_probe: u32,
    pub probes: Vec<Probe>,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteReport {
    pub suite: ObservedSuite,
    /// In the order of the targets; the same for every suite observed with the same targets.
    pub classes: Vec<MeasuredClass>,
    /// How many probes there are in all.
    pub probes: u32,
    /// JVMs that had to be replaced.
    pub restarts: u32,
    /// The total limit was reached: tests behind it are missing.
    pub cut_short: bool,
}

/// Why a suite cannot be observed.
#[derive(Debug, thiserror::Error)]
pub enum SuiteProblem {
    #[error(
        "{test} needs {missing}, which is not on the class path: add JUnit (junit-jupiter-engine and its dependencies, or junit-4.13.2 and hamcrest) with -c"
    )]
    NoJUnit { test: ClassName, missing: String },
    #[error(
        "the class path has the JUnit 5 API but nothing that runs it: add junit-jupiter-engine (and junit-platform-engine, opentest4j) with -c"
    )]
    NoEngine,
    #[error("the class under test {class} is not on the class path")]
    NoTarget { class: ClassName },
    #[error("the class under test {class} cannot be read: {detail}")]
    BadTarget { class: ClassName, detail: String },
    #[error(transparent)]
    ClassPath(#[from] ClassPathProblem),
    #[error("the test JVM cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("the test JVM ended before it ran a test; it printed: {output}")]
    Ended { output: String },
    #[error("the test JVM failed: {message}")]
    Failed { message: String },
    #[error("the test JVM answered nonsense: {0}")]
    Wire(#[from] WireProblem),
    #[error("stopped on request")]
    Stopped,
}

/// Takes runs as they end, in order; their calls refer to the members, to which later runs may only add.
pub type Sink<'a> = &'a mut dyn FnMut(&[ObservedMember], TestRun);

/// Runs the suite once, in as many JVMs as its tests wear out.
pub fn observe(config: &SuiteConfig) -> Result<SuiteReport, SuiteProblem> {
    let mut runs = Vec::new();
    let mut report = observe_each(config, &mut |_, run| runs.push(run))?;
    report.suite.runs = runs;
    Ok(report)
}

/// The same for suites whose calls are too many to be kept: the report has no runs.
pub fn observe_each(config: &SuiteConfig, sink: Sink<'_>) -> Result<SuiteReport, SuiteProblem> {
    conversation::run(config, sink)
}
