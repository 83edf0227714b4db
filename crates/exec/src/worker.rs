//! A worker JVM: command line, folders, progress words. Owns how a JVM is started for user code; what is said to it is the
//! executor's business.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::folder::Folder;
use crate::jdk::Jdk;
use crate::process::{Event, Launch, Process};
use crate::protocol::request::{Hello, Served, class, hello};
use crate::protocol::writer::Writer;
use crate::protocol::{kind, response};
use crate::sandbox::Policy;

/// Gives class bytes to a worker. Called from the thread that reads the worker's answers.
pub trait ClassServer: Send + Sync {
    /// `name` is in internal form.
    fn class(&self, name: &str) -> Served;
}

/// How workers are started.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    pub jdk: Jdk,
    /// The runtime's worker jar.
    pub jar: PathBuf,
    /// A folder of their own is made in here for each worker.
    pub scratch: PathBuf,
    pub heap_mb: u32,
    /// `-XX:TieredStopAtLevel`: 1 is better for workers that use less than a CPU second.
    pub compile_level: Option<u8>,
    /// Further JVM flags.
    pub flags: Vec<OsString>,
    /// Steps (method entries and backward jumps) a sequence may take.
    pub step_limit: u64,
    /// Slow sequences count the steps that would have taken as long: code of the JDK counts none. What is learnt from steps is then not the same on every machine.
    pub timed: bool,
    /// How long an impatient sequence may take before it is stopped, without the loss of the worker where that is possible.
    pub patience: Option<Duration>,
    /// May be read by user code: class-path entries.
    pub readable: Vec<PathBuf>,
    /// Off only for tests and on request.
    pub sandboxed: bool,
}

impl WorkerConfig {
    pub fn new(jdk: Jdk, jar: PathBuf, scratch: PathBuf) -> WorkerConfig {
        WorkerConfig {
            jdk,
            jar,
            scratch,
            heap_mb: 512,
            compile_level: None,
            flags: Vec::new(),
            step_limit: 1_000_000,
            timed: false,
            patience: None,
            readable: Vec::new(),
            sandboxed: true,
        }
    }
}

/// Where a worker was when it last moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    pub batch: u32,
    /// Counts from 1; 0 is "between batches".
    pub sequence: u32,
    pub statement: u32,
    pub generation: u32,
}

/// How a JVM's report about its own crash begins.
const CRASH: &str = "# A fatal error has been detected";

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    process: Process,
    /// Goes after the process.
    folder: Folder,
}

impl Worker {
    /// Starts the JVM and sends the handshake; its answer is the first event.
    /// With `agent`, the code of JDK classes can be replaced, which costs some start-up time.
    pub fn start(config: &WorkerConfig, agent: bool, serial: u32, server: Arc<dyn ClassServer>) -> io::Result<Worker> {
        let folder = Folder::make(&config.scratch, "worker", serial)?;
        let mut writer = Writer::default();
        let answer = move |frame: u8, payload: &[u8]| {
            if frame != kind::NEED_CLASS {
                return None;
            }
            // An unreadable request is left to the executor, which ends the worker for it.
            let name = response::text(payload).ok()?;
            writer.clear();
            class(&mut writer, &server.class(&name));
            Some(writer.take())
        };
        let mut policy = policy(&config.jdk, &config.jar, &folder, config.heap_mb);
        policy.readable.extend(config.readable.iter().cloned());
        let process = Process::start(
            Launch {
                program: config.jdk.java(),
                args: arguments(config, agent, &folder),
                env: environment(&folder),
                folder: folder.work(),
                output: folder.output(),
                sandbox: config.sandboxed.then_some(policy),
            },
            Box::new(answer),
        )?;
        let worker = Worker { process, folder };
        let mut first = Writer::default();
        let scratch = worker.folder.path().to_string_lossy();
        hello(
            &mut first,
            &Hello {
                step_limit: config.step_limit,
                scratch: &scratch,
                progress: true,
                timed: config.timed,
                patience: config.patience.map_or(0, |p| p.as_millis() as u64),
            },
        );
        // If the JVM is gone already, its end is the next event.
        worker.process.send(first.take());
        Ok(worker)
    }

    pub fn process(&self) -> &Process {
        &self.process
    }

    pub fn next(&self, timeout: Duration) -> Option<Event> {
        self.process.next(timeout)
    }

    pub fn progress(&self) -> Progress {
        let [batch, sequence, statement, generation] = self.process.progress();
        Progress { batch, sequence, statement, generation }
    }

    /// The JVM's own crash report, if it wrote one.
    pub fn crash_report(&self) -> Option<String> {
        let output = self.process.output();
        let report = &output[output.rfind(CRASH)?..];
        Some(report.chars().take(4096).collect())
    }
}

/// What every JVM running user code may touch.
pub(crate) fn policy(jdk: &Jdk, jar: &Path, folder: &Folder, heap_mb: u32) -> Policy {
    Policy {
        jdk: jdk.home.clone(),
        readable: vec![jar.to_owned()],
        writable: folder.writable(),
        heap_mb: Some(heap_mb),
        root: Some(folder.root()),
        ..Policy::default()
    }
}

/// The same for every JVM running user code: nothing of the caller's environment but the library path.
pub(crate) fn environment(folder: &Folder) -> Vec<(&'static str, OsString)> {
    let mut env: Vec<(&'static str, OsString)> = vec![
        ("HOME", folder.work().into()),
        ("TMPDIR", folder.temporary().into()),
        ("LANG", "C.UTF-8".into()),
        ("LC_ALL", "C.UTF-8".into()),
        ("TZ", "UTC".into()),
        ("PATH", "/usr/bin:/bin".into()),
    ];
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        env.push(("LD_LIBRARY_PATH", libraries));
    }
    env
}

/// Flags that keep a JVM running user code small, quiet and the same everywhere.
pub(crate) fn common_flags(folder: &Folder, heap_mb: u32) -> Vec<OsString> {
    let path = |flag: &str, at: PathBuf| {
        let mut flag = OsString::from(flag);
        flag.push(at);
        flag
    };
    let mut flags: Vec<OsString> = [
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Xshare:auto",
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:-CreateCoredumpOnCrash",
        // A file would be in a folder that the code under test writes, too.
        "-XX:+ErrorFileToStdout",
        "-ea",
        "-Djava.awt.headless=true",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8",
        "-Duser.name=tester",
    ]
    .map(OsString::from)
    .to_vec();
    flags.push(format!("-Xmx{heap_mb}m").into());
    flags.push(path("-Djava.io.tmpdir=", folder.temporary()));
    flags.push(path("-Duser.home=", folder.work()));
    flags
}

fn arguments(config: &WorkerConfig, agent: bool, folder: &Folder) -> Vec<OsString> {
    let mut args = common_flags(folder, config.heap_mb);
    if let Some(level) = config.compile_level {
        args.push(format!("-XX:TieredStopAtLevel={level}").into());
    }
    if agent {
        // The boot loader then holds the only copy of the hooks, where JDK classes see them.
        for flag in ["-javaagent:", "-Xbootclasspath/a:"] {
            let mut flag = OsString::from(flag);
            flag.push(&config.jar);
            args.push(flag);
        }
        args.extend(["--add-exports".into(), "java.base/jdk.internal.misc=ALL-UNNAMED".into()]);
    }
    args.extend(config.flags.iter().cloned());
    args.extend(["-jar".into(), config.jar.clone().into()]);
    args
}
