//! Runs compiled test classes in a fresh, uninstrumented, sandboxed JVM. Owns that JVM and its time limit; judges nothing.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::jdk::Jdk;
use crate::process::{Event, Launch, Process};
pub use crate::protocol::helper::{TestOutcome, TestRun};
use crate::protocol::writer::Writer;
use crate::protocol::{WireProblem, helper, kind, response};
use crate::worker::{common_flags, environment, policy};

/// Why the runs could not be finished. What was run before is in the report.
#[derive(Debug, thiserror::Error)]
pub enum RunnerProblem {
    #[error("the test JVM cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("the test JVM ended in the middle of its work; it printed: {output}")]
    Ended { output: String },
    #[error("the test JVM failed: {message}")]
    Failed { message: String },
    #[error("the tests took longer than {0:?}")]
    TooLong(Duration),
    #[error("the test JVM answered nonsense: {0}")]
    Wire(#[from] WireProblem),
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Tests {
    /// Test classes, by binary or internal name.
    pub classes: Vec<String>,
    /// Tests, classes under test, JUnit.
    pub classpath: Vec<PathBuf>,
    /// How often everything is run, each time in another order.
    pub rounds: u32,
    pub seed: u64,
    pub test_limit: Duration,
    /// For everything together.
    pub total_limit: Duration,
    /// `-XX:hashCode` mode of the JVM: identity hashes differ between modes, which unmasks tests that depend on them.
    pub hash_mode: Option<u8>,
    pub heap_mb: u32,
    /// Off only on request.
    pub sandboxed: bool,
}

/// What was seen, in order.
#[derive(Debug, Default)]
pub struct RunReport {
    pub runs: Vec<TestRun>,
    /// `None`: everything was run.
    pub problem: Option<RunnerProblem>,
}

/// Starts a JVM, runs the tests, ends the JVM.
pub fn run_tests(jdk: &Jdk, worker_jar: &Path, scratch: &Path, serial: u32, tests: &Tests) -> RunReport {
    let mut report = RunReport::default();
    report.problem = drive(jdk, worker_jar, scratch, serial, tests, &mut report.runs).err();
    report
}

fn drive(
    jdk: &Jdk,
    worker_jar: &Path,
    scratch: &Path,
    serial: u32,
    tests: &Tests,
    runs: &mut Vec<TestRun>,
) -> Result<(), RunnerProblem> {
    let until = now() + tests.total_limit;
    fs::create_dir_all(scratch)?;
    let folder = Folder(scratch.canonicalize()?.join(format!("runner-{}-{serial}", std::process::id())));
    for inner in ["work", "tmp"] {
        fs::create_dir_all(folder.0.join(inner))?;
    }
    let mut policy = policy(jdk, worker_jar, &folder.0);
    policy.readable.extend(tests.classpath.iter().cloned());
    let launch = Launch {
        program: jdk.java(),
        args: arguments(worker_jar, &folder.0, tests)?,
        env: environment(&folder.0),
        folder: folder.0.join("work"),
        output: folder.0.join("output.txt"),
        sandbox: tests.sandboxed.then_some(policy),
    };
    let process = Process::start(launch, Box::new(|_, _| None))?;
    let mut writer = Writer::default();
    let limit_ms = u64::try_from(tests.test_limit.as_millis()).unwrap_or(u64::MAX);
    helper::run(&mut writer, &tests.classes, tests.rounds, tests.seed, limit_ms);
    // If the JVM is gone, its end is the next event.
    process.send(writer.take());
    loop {
        match process.next(until.saturating_duration_since(now())) {
            Some(Event::Frame { kind: kind::RAN, payload }) => runs.push(helper::ran(&payload)?),
            Some(Event::Frame { kind: kind::DONE, .. }) => return Ok(()),
            Some(Event::Frame { kind: kind::FAILED, payload }) => {
                return Err(RunnerProblem::Failed { message: response::text(&payload)? });
            }
            Some(Event::Frame { kind, .. }) => {
                return Err(WireProblem::Unexpected { found: kind, expected: "RAN or DONE" }.into());
            }
            Some(Event::Ended(_)) => {
                return Err(RunnerProblem::Ended { output: process.output_tail() });
            }
            None => return Err(RunnerProblem::TooLong(tests.total_limit)),
        }
    }
}

/// Removed when the run is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn arguments(worker_jar: &Path, folder: &Path, tests: &Tests) -> io::Result<Vec<OsString>> {
    let mut args = common_flags(folder, tests.heap_mb);
    args.push("-XX:TieredStopAtLevel=1".into());
    if let Some(mode) = tests.hash_mode {
        args.extend(["-XX:+UnlockExperimentalVMOptions".into(), format!("-XX:hashCode={mode}").into()]);
    }
    let entries = tests.classpath.iter().map(PathBuf::as_path).chain([worker_jar]);
    let classpath = std::env::join_paths(entries).map_err(io::Error::other)?;
    args.extend(["-cp".into(), classpath, "testudo.runtime.Runner".into()]);
    Ok(args)
}

#[expect(clippy::disallowed_methods, reason = "time limits of child processes are kept here")]
fn now() -> Instant {
    Instant::now()
}
