//! A warm javac in a helper JVM. Owns its life and the questions put to it; never looks at the sources.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::jdk::Jdk;
use crate::process::{Event, Launch, Process};
pub use crate::protocol::helper::Diagnostic;
use crate::protocol::writer::Writer;
use crate::protocol::{WireProblem, helper, kind, response};
use crate::worker::environment;

/// Why nothing was compiled. Errors in the sources are no problem of the compiler: see [`Compiled`].
#[derive(Debug, thiserror::Error)]
pub enum CompilerProblem {
    #[error("the compiler JVM cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("the compiler JVM ended; it printed: {output}")]
    Ended { output: String },
    #[error("the compiler JVM failed: {message}")]
    Failed { message: String },
    #[error("compiling took longer than {0:?}")]
    TooLong(Duration),
    #[error("the compiler JVM answered nonsense: {0}")]
    Wire(#[from] WireProblem),
}

/// What is to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// File name (`a/b/CTest.java`) and text.
    pub files: Vec<(String, String)>,
    pub classpath: Vec<PathBuf>,
    /// Where class files go; must exist.
    pub output: PathBuf,
    /// Language level; `None`: the JDK's own.
    pub release: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    pub ok: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// A compiler JVM; the first compilation is slow, later ones take some 50 ms.
#[derive(Debug)]
pub struct Compiler {
    process: Process,
    folder: PathBuf,
    writer: Writer,
    /// The answer to the warm-up came.
    warm: bool,
}

impl Compiler {
    /// Starts the JVM and returns; it warms up in the background by compiling a small class.
    pub fn start(jdk: &Jdk, worker_jar: &Path, scratch: &Path) -> Result<Compiler, CompilerProblem> {
        fs::create_dir_all(scratch)?;
        let folder = scratch.canonicalize()?.join(format!("compiler-{}", std::process::id()));
        for inner in ["work", "tmp", "warm"] {
            fs::create_dir_all(folder.join(inner))?;
        }
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(folder.join("tmp"));
        let mut args: Vec<OsString> = [
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xmx1g",
            "-Duser.language=en",
            "-Dfile.encoding=UTF-8",
        ]
        .map(OsString::from)
        .to_vec();
        args.extend([temporary, "-cp".into(), worker_jar.into(), "testudo.runtime.Compiler".into()]);
        let launch = Launch {
            program: jdk.java(),
            args,
            env: environment(&folder),
            folder: folder.join("work"),
            output: folder.join("output.txt"),
            sandbox: None,
        };
        let process = Process::start(launch, Box::new(|_, _| None))?;
        let mut compiler = Compiler { process, folder, writer: Writer::default(), warm: false };
        compiler.ask(&warm_up(&compiler.folder.join("warm")));
        Ok(compiler)
    }

    /// Compiles; `limit` counts from now. After a problem the compiler is of no further use.
    pub fn compile(&mut self, sources: &Sources, limit: Duration) -> Result<Compiled, CompilerProblem> {
        let until = now() + limit;
        self.ask(sources);
        if !self.warm {
            self.answer(until, limit)?;
            self.warm = true;
        }
        self.answer(until, limit)
    }

    fn ask(&mut self, sources: &Sources) {
        let text = |p: &Path| p.to_string_lossy().into_owned();
        let classpath: Vec<String> = sources.classpath.iter().map(|p| text(p)).collect();
        self.writer.clear();
        let release = sources.release.unwrap_or(0);
        helper::compile(&mut self.writer, &sources.files, &classpath, &text(&sources.output), release);
        // If the JVM is gone, its end is the next event.
        self.process.send(self.writer.take());
    }

    fn answer(&mut self, until: Instant, limit: Duration) -> Result<Compiled, CompilerProblem> {
        match self.process.next(until.saturating_duration_since(now())) {
            Some(Event::Frame { kind: kind::COMPILED, payload }) => {
                let (ok, diagnostics) = helper::compiled(&payload)?;
                Ok(Compiled { ok, diagnostics })
            }
            Some(Event::Frame { kind: kind::FAILED, payload }) => {
                Err(CompilerProblem::Failed { message: response::text(&payload)? })
            }
            Some(Event::Frame { kind, .. }) => {
                Err(WireProblem::Unexpected { found: kind, expected: "COMPILED" }.into())
            }
            Some(Event::Ended(_)) => Err(CompilerProblem::Ended { output: self.process.output_tail() }),
            None => Err(CompilerProblem::TooLong(limit)),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "time limits of child processes are kept here")]
fn now() -> Instant {
    Instant::now()
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.process.kill();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn warm_up(output: &Path) -> Sources {
    let body = "int i = \"abc\".length(); java.util.List<String> l = new java.util.ArrayList<>(); l.add(\"\" + i);";
    let source = format!("class Warm {{ void run() throws Exception {{ {body} }} }}");
    let files = vec![("Warm.java".to_owned(), source)];
    Sources { files, classpath: Vec::new(), output: output.to_owned(), release: None }
}
