//! Runs compiled test classes in a fresh, uninstrumented, sandboxed JVM. Owns that JVM and its time limit; judges nothing.

mod decoys;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use testcase::execution::Reach;

use crate::folder::Folder;
use crate::jdk::Jdk;
use crate::process::{Event, Launch, Process};
pub use crate::protocol::helper::{TestOutcome, TestRun};
use crate::protocol::writer::Writer;
use crate::protocol::{WireProblem, helper, kind, response};
use crate::sandbox::Attempt;
use crate::worker::{common_flags, environment, policy};
use decoys::Decoys;

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

/// Which tests, and in which order.
#[derive(Clone, Debug)]
pub enum Order {
    /// All tests of these classes (by binary or internal name), so many times, each time in another order.
    Shuffled { classes: Vec<String>, rounds: u32, seed: u64 },
    /// These tests (class, method), as often as they are named.
    Exact {
        tests: Vec<(String, String)>,
        /// End at the first that does not pass.
        stop: bool,
    },
}

/// What a test may see of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// As in the workers; with an empty working folder, and no file that may be written.
    Usual,
    /// Another user, home, language, time zone, encoding and compiler, and a screen as far as flags tell: what shows there depends on the machine. Working folder and
    /// home have what a project and a home have, and may be written to.
    Other,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Tests {
    pub order: Order,
    /// Tests, classes under test, JUnit.
    pub classpath: Vec<PathBuf>,
    pub surroundings: Surroundings,
    pub test_limit: Duration,
    /// For everything together.
    pub total_limit: Duration,
    /// `-XX:hashCode` mode of the JVM: identity hashes differ between modes, which unmasks tests that depend on them.
    pub hash_mode: Option<u8>,
    pub heap_mb: u32,
    /// Off only on request.
    pub sandboxed: bool,
    /// Note what depends on files of this machine, and on files in the working folder that no test made.
    pub watch_reads: bool,
}

/// What was seen, in order.
#[derive(Debug, Default)]
pub struct RunReport {
    pub runs: Vec<TestRun>,
    /// `None`: everything was run.
    pub problem: Option<RunnerProblem>,
    /// What the tests changed in the folders they ran in, in words.
    pub touched: Vec<String>,
}

/// Starts a JVM, runs the tests, ends the JVM.
pub fn run_tests(jdk: &Jdk, worker_jar: &Path, scratch: &Path, serial: u32, tests: &Tests) -> RunReport {
    let mut report = RunReport::default();
    match TestSession::start(jdk, worker_jar, scratch, serial, tests) {
        Ok(mut session) => {
            report.problem = session.run(&tests.order, &mut report.runs).err();
            report.touched = session.touched();
        }
        Err(problem) => report.problem = Some(problem),
    }
    report
}

/// A JVM that has run some tests and can run more: what they left behind stays.
#[derive(Debug)]
pub struct TestSession {
    process: Process,
    until: Instant,
    total_limit: Duration,
    limit_ms: u64,
    decoys: Decoys,
    /// What finalizers, threads and the like did when no test was running, in words.
    later: Vec<String>,
    /// Goes after the process.
    _folder: Folder,
}

impl TestSession {
    /// Starts the JVM for these tests without running them yet; `total_limit` counts from now.
    pub fn start(
        jdk: &Jdk,
        worker_jar: &Path,
        scratch: &Path,
        serial: u32,
        tests: &Tests,
    ) -> Result<TestSession, RunnerProblem> {
        let until = now() + tests.total_limit;
        let folder = Folder::make(scratch, "runner", serial)?;
        let mut policy = policy(jdk, worker_jar, &folder, tests.heap_mb);
        let mut env = environment(&folder);
        let decoys = match tests.surroundings {
            Surroundings::Usual => {
                policy.readable.append(&mut policy.writable);
                Decoys::none(&folder.work())
            }
            Surroundings::Other => {
                let home = folder.path().join(HOME);
                fs::create_dir(&home)?;
                env.iter_mut().filter(|(key, _)| *key == "HOME").for_each(|(_, value)| *value = home.clone().into());
                policy.writable.push(home.clone());
                Decoys::set_out(&folder.work(), &home)?
            }
        };
        policy.readable.extend(tests.classpath.iter().cloned());
        policy.watch_reads = tests.watch_reads;
        let launch = Launch {
            program: jdk.java(),
            args: arguments(jdk.feature, worker_jar, &folder, tests)?,
            env,
            folder: folder.work(),
            output: folder.output(),
            sandbox: tests.sandboxed.then_some(policy),
        };
        let process = Process::start(launch, Box::new(|_, _| None))?;
        let limit_ms = u64::try_from(tests.test_limit.as_millis()).unwrap_or(u64::MAX);
        Ok(TestSession {
            process,
            until,
            total_limit: tests.total_limit,
            limit_ms,
            decoys,
            later: Vec::new(),
            _folder: folder,
        })
    }

    /// The system call of one of these kinds that came last, and the file it named. Empty if only the JVM saw it.
    fn tried_last(&self, kinds: u8) -> String {
        let last = self.process.attempts().into_iter().rfind(|attempt| attempt.kind.bit() & kinds != 0);
        last.map_or(String::new(), |Attempt { call, path, .. }| match path {
            Some(path) => format!("{call} {}", path.display()),
            None => call.to_owned(),
        })
    }

    /// Gives it so long from now on, for when it was started before it was needed.
    pub fn allow(&mut self, limit: Duration) {
        (self.until, self.total_limit) = (now() + limit, limit);
    }

    /// What the tests changed, removed or added so far in the folders they ran in, and what they had reached outside
    /// when they were over, in words; empty if nothing.
    pub fn touched(&self) -> Vec<String> {
        self.decoys.touched().into_iter().chain(self.later.iter().cloned()).collect()
    }

    /// Adds to `runs` what it sees, whole or up to the problem.
    pub fn run(&mut self, order: &Order, runs: &mut Vec<TestRun>) -> Result<(), RunnerProblem> {
        let mut writer = Writer::default();
        match order {
            Order::Shuffled { classes, rounds, seed } => {
                helper::run(&mut writer, classes, *rounds, *seed, self.limit_ms);
            }
            Order::Exact { tests, stop } => helper::run_in_order(&mut writer, tests, *stop, self.limit_ms),
        }
        // If the JVM is gone, its end is the next event.
        self.process.send(writer.take());
        loop {
            match self.process.next(self.until.saturating_duration_since(now())) {
                Some(Event::Frame { kind: kind::RAN, payload }) => {
                    let mut ran = helper::ran(&payload)?;
                    if ran.reach.by.is_none() && !ran.reach.is_empty() {
                        let Reach { kinds, statement, .. } = ran.reach;
                        ran.reach = Reach::told(kinds.0, statement, &self.tried_last(kinds.0));
                    }
                    runs.push(ran);
                }
                Some(Event::Frame { kind: kind::DONE, payload }) => {
                    let kinds = helper::done(&payload)?;
                    if !kinds.is_empty() {
                        self.later.push(format!("{} when no test was running", kinds));
                    }
                    return Ok(());
                }
                Some(Event::Frame { kind: kind::FAILED, payload }) => {
                    return Err(RunnerProblem::Failed { message: response::text(&payload)? });
                }
                Some(Event::Frame { kind, .. }) => {
                    return Err(WireProblem::Unexpected { found: kind, expected: "RAN or DONE" }.into());
                }
                Some(Event::Ended(_)) => {
                    return Err(RunnerProblem::Ended { output: self.process.output_tail() });
                }
                None => return Err(RunnerProblem::TooLong(self.total_limit)),
            }
        }
    }
}

/// The home of those that do not run in the usual surroundings.
const HOME: &str = "somebody";

/// A place as unlike the usual one as flags can make it.
const OTHER: [&str; 4] =
    ["-Duser.language=fr", "-Duser.country=FR", "-Duser.timezone=Asia/Kolkata", "-Duser.name=somebody"];

fn arguments(feature: u16, worker_jar: &Path, folder: &Folder, tests: &Tests) -> io::Result<Vec<OsString>> {
    let mut args = match tests.surroundings {
        Surroundings::Usual => common_flags(folder, tests.heap_mb),
        Surroundings::Other => {
            let usual = common_flags(folder, tests.heap_mb);
            let flags = usual.into_iter().filter(|flag| {
                let flag = flag.to_string_lossy();
                !["-Djava.awt.headless=", "-Duser.", "-Dfile.encoding="].iter().any(|own| flag.starts_with(own))
            });
            // From 18 on, nothing but UTF-8 is promised to work.
            let encoding = (feature < 18).then(|| "-Dfile.encoding=ISO-8859-1".into());
            let mut home = OsString::from("-Duser.home=");
            home.push(folder.path().join(HOME));
            // One more than there are: it shows in pools, and in what code asks.
            let processors = std::thread::available_parallelism().map_or(1, usize::from) + 1;
            let processors = format!("-XX:ActiveProcessorCount={processors}").into();
            flags.chain(OTHER.map(OsString::from)).chain([home, processors]).chain(encoding).collect()
        }
    };
    // The quickest for short runs; but it shows in system properties.
    if tests.surroundings == Surroundings::Usual {
        args.push("-XX:TieredStopAtLevel=1".into());
    }
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
