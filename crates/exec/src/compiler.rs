//! A warm javac in a helper JVM. Owns its life, its warming up and the questions put to it; never looks at the sources.

mod parse;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::jdk::Jdk;
use crate::process::{Event, Launch, Process};
pub use crate::protocol::helper::Diagnostic;
use crate::protocol::writer::Writer;
use crate::protocol::{WireProblem, helper, kind, response};
use crate::worker::{environment, policy};

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
    writer: Writer,
    /// When the last answer came; it may be looked at much later.
    answered: Arc<Mutex<Option<Instant>>>,
    /// When the warm-up that is under way was begun.
    warming: Option<Instant>,
    /// Warm-ups that were begun.
    warm_ups: u32,
    /// How long the first warm-up took, and the last suite-like one.
    first: Option<Duration>,
    pace: Option<Duration>,
    /// The last warm-up was accepted.
    warmed: bool,
    /// What came instead of an answer while nobody waited for one.
    trouble: Option<Event>,
    /// Compilations so far: each has an output folder of its own.
    compilations: u32,
    /// Goes after the process.
    folder: Folder,
}

/// Enough for suites of thousands of tests.
const HEAP_MB: u32 = 1024;
/// The first warm-up has few tests, so that a real suite can follow soon; later ones are as large as many a suite.
const FIRST_TESTS: usize = 4;
const LATER_TESTS: usize = 40;
/// More of them make nothing faster.
const WARM_UPS: u32 = 6;

impl Compiler {
    /// Starts the JVM and returns; it warms up in the background by compiling a small class. It can read what is in the scratch folder and what is named
    /// here: class paths have nothing else.
    pub fn start(
        jdk: &Jdk,
        worker_jar: &Path,
        scratch: &Path,
        readable: &[PathBuf],
    ) -> Result<Compiler, CompilerProblem> {
        let folder = Folder::make_free(scratch, "compiler")?;
        for inner in [folder.path().join("out"), folder.path().join("none")] {
            fs::create_dir(inner)?;
        }
        let mut policy = policy(jdk, worker_jar, &folder, HEAP_MB);
        policy.readable.extend(readable.iter().cloned());
        policy.readable.push(scratch.canonicalize()?);
        policy.writable.push(folder.path().join("out"));
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(folder.temporary());
        let mut args: Vec<OsString> = [
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-XX:+ErrorFileToStdout",
            "-Duser.language=en",
            "-Dfile.encoding=UTF-8",
        ]
        .map(OsString::from)
        .to_vec();
        args.push(format!("-Xmx{HEAP_MB}m").into());
        args.extend([temporary, "-cp".into(), worker_jar.into(), "testudo.runtime.Compiler".into()]);
        let launch = Launch {
            program: jdk.java(),
            args,
            env: environment(&folder),
            folder: folder.work(),
            output: folder.output(),
            sandbox: Some(policy),
        };
        let answered = Arc::new(Mutex::new(None));
        let heard = answered.clone();
        let note = move |_: u8, _: &[u8]| {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(now());
            None
        };
        let process = Process::start(launch, Box::new(note))?;
        let writer = Writer::default();
        let mut compiler = Compiler {
            process,
            folder,
            compilations: 0,
            writer,
            answered,
            warming: None,
            warm_ups: 0,
            first: None,
            pace: None,
            warmed: false,
            trouble: None,
        };
        compiler.warm_up(FIRST_TESTS);
        Ok(compiler)
    }

    /// Goes on warming up, if the last warm-up is done and `left` is enough for another. Never waits. To be called now and then while there is other work.
    pub fn tend(&mut self, left: Duration) {
        let Some(begun) = self.warming else { return };
        if self.trouble.is_some() {
            return;
        }
        match self.process.next(Duration::ZERO) {
            None => return,
            Some(Event::Frame { kind: kind::COMPILED, payload }) => {
                self.warmed = helper::compiled(&payload).is_ok_and(|(ok, _)| ok);
            }
            trouble => {
                self.trouble = trouble;
                return;
            }
        }
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or_else(now);
        let took = answered.saturating_duration_since(begun);
        self.warming = None;
        if self.warm_ups > 1 {
            self.pace = Some(took);
        } else {
            self.first = Some(took);
        }
        if self.warm_ups < WARM_UPS && left > took * 2 {
            self.warm_up(LATER_TESTS);
        }
    }

    /// How long this JVM takes for a suite of some forty tests now; `None` if it never did one.
    pub fn pace(&self) -> Option<Duration> {
        self.pace
    }

    /// How long the first warm-up took, which starts the compiler as well.
    pub fn first_warm_up(&self) -> Option<Duration> {
        self.first
    }

    /// Did the last warm-up compile without errors?
    pub fn warmed(&self) -> bool {
        self.warmed
    }

    fn warm_up(&mut self, tests: usize) {
        self.warm_ups += 1;
        self.warming = Some(now());
        // Its output stays in the compiler's folder: nobody wants it.
        self.ask(&warm_up(tests));
    }

    /// Compiles; `limit` counts from now. After a problem the compiler is of no further use.
    pub fn compile(&mut self, sources: &Sources, limit: Duration) -> Result<Compiled, CompilerProblem> {
        let until = now() + limit;
        let produced = self.ask(sources);
        if self.warming.take().is_some() {
            self.answer(until, limit)?;
        }
        let compiled = self.answer(until, limit)?;
        deliver(&produced, &sources.output)?;
        Ok(compiled)
    }

    /// Gives the folder in which the classes will be: one of the compiler's own, the only ones it can write.
    fn ask(&mut self, sources: &Sources) -> PathBuf {
        self.compilations += 1;
        let produced = self.folder.path().join("out").join(self.compilations.to_string());
        let text = |p: &Path| p.to_string_lossy().into_owned();
        let classpath: Vec<String> = sources.classpath.iter().map(|p| text(p)).collect();
        self.writer.clear();
        let release = sources.release.unwrap_or(0);
        helper::compile(&mut self.writer, &sources.files, &classpath, &text(&produced), release);
        // If the JVM is gone, its end is the next event.
        self.process.send(self.writer.take());
        produced
    }

    fn answer(&mut self, until: Instant, limit: Duration) -> Result<Compiled, CompilerProblem> {
        let trouble = self.trouble.take();
        match trouble.or_else(|| self.process.next(until.saturating_duration_since(now()))) {
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

/// Moves what was compiled to where it is wanted. Links are moved as links.
fn deliver(from: &Path, to: &Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(from) else {
        // Nothing was compiled.
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() && target.is_dir() {
            deliver(&entry.path(), &target)?;
        } else {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}

/// A source like those of suites: what javac loads and compiles of itself for it, it will not have to later.
fn warm_up(tests: usize) -> Sources {
    let mut source = String::from(WARM_HEAD);
    for test in 0..tests {
        source.push_str(&WARM_TEST.replace('#', &test.to_string()));
    }
    source.push_str("}\n");
    let files = vec![("warm/WarmTest.java".to_owned(), source)];
    Sources { files, classpath: Vec::new(), output: PathBuf::new(), release: None }
}

const WARM_HEAD: &str = "package warm;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.*;
import java.util.function.*;

class WarmTest {
    @Retention(RetentionPolicy.RUNTIME) @interface Test {}
    interface Block { void run() throws Throwable; }
    static void assertEquals(Object a, Object b) { if (!Objects.equals(a, b)) throw new AssertionError(a + \" is not \" + b); }
    static void assertEquals(int a, int b) { if (a != b) throw new AssertionError(a + \" is not \" + b); }
    static void assertTrue(boolean a) { if (!a) throw new AssertionError(); }
    static <T extends Throwable> T assertThrows(Class<T> type, Block block) {
        try { block.run(); } catch (Throwable t) { return type.cast(t); }
        throw new AssertionError();
    }
";

const WARM_TEST: &str = "
    @Test
    void test#ReturnsSomething() throws Exception {
        ArrayList<Object> list = new ArrayList<>();
        list.add(\"abc#\");
        list.add(#);
        Map<String, List<Integer>> map = new TreeMap<>();
        map.computeIfAbsent(\"a#\", k -> new LinkedList<>()).add(1);
        int[] array = {1, 2, #};
        Function<Object, String> function = Object::toString;
        boolean contains = list.contains((Object) array[2]);
        assertTrue(contains);
        assertEquals(2, list.size());
        assertEquals(\"[1]\", function.apply(map.get(\"a#\")));
        IndexOutOfBoundsException thrown = assertThrows(IndexOutOfBoundsException.class, () -> list.get(7));
        assertEquals(IndexOutOfBoundsException.class, thrown.getClass());
    }
";
