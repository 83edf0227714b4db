//! Compiling and running finished tests for real: the warm compiler shared by all jobs, and fresh locked-in JVMs. Owns scratch folders and
//! limits by time; judges nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use exec::compiler::{Compiled, Compiler, CompilerProblem, Sources};
use exec::jdk::Jdk;
use exec::runner::{
    Order, RunReport, RunnerProblem, Surroundings, TestOutcome, TestRun, TestSession, Tests, run_tests,
};
use exec::runtime::Runtime;
use exec::sources::{SourceFile, parse};

use crate::failure::Failure;
use crate::heaps::Heaps;
use crate::plan::Planner;
use crate::run::now;
use crate::verify::culprit::{Fresh, TestName};
use crate::verify::{Bench, Diagnostic, Ran, RanResult, RenderedFile, Runs};

/// A test that takes longer is none that anybody wants.
pub const TEST_LIMIT: Duration = Duration::from_secs(5);
/// However little time is left, a test gets so long; if more is left, this part of it.
const LEAST_TEST_LIMIT: Duration = Duration::from_millis(300);
const TEST_SHARE: u32 = 10;
/// Nothing here waits longer for a JVM.
const PATIENCE: Duration = Duration::from_secs(120);
/// Whatever the budget, a compiler that may still be warming up gets so long, and a JVM that runs tests.
const LEAST_PATIENCE: Duration = Duration::from_secs(4);
const LEAST_RUN: Duration = Duration::from_secs(2);
/// The same for tests that fail, some of which never come back and use up all memory meanwhile.
const LEAST_FAILING_RUN: Duration = Duration::from_millis(450);
/// Reading one source file.
const PARSING: Duration = Duration::from_secs(10);
/// Identity hash codes counted up instead of drawn: what depends on their values shows, and objects still differ.
pub const COUNTED_HASHES: u8 = 3;

/// The warm compiler, started when first needed and again after it died.
#[derive(Debug)]
pub struct SharedCompiler {
    jdk: Jdk,
    jar: PathBuf,
    scratch: PathBuf,
    /// The class path.
    readable: Vec<PathBuf>,
    compiler: Mutex<Option<Compiler>>,
}

impl SharedCompiler {
    /// Starts warming up at once; a compiler that does not start is reported when it is needed.
    pub fn start(jdk: &Jdk, runtime: &Runtime, scratch: &Path, readable: Vec<PathBuf>) -> SharedCompiler {
        let compiler = Compiler::start(jdk, &runtime.worker, scratch, &readable).ok();
        SharedCompiler {
            jdk: jdk.clone(),
            jar: runtime.worker.clone(),
            scratch: scratch.to_path_buf(),
            readable,
            compiler: Mutex::new(compiler),
        }
    }

    /// Lets it go on warming up while `left` remains before it is needed, and tells the planner what that shows.
    pub fn tend(&self, left: Duration, planner: &Planner) {
        // Whoever holds the lock compiles, which warms up as well.
        let Ok(mut slot) = self.compiler.try_lock() else { return };
        let Some(compiler) = slot.as_mut() else { return };
        compiler.tend(left);
        match (compiler.pace(), compiler.first_warm_up()) {
            (Some(pace), _) => planner.saw_pace(pace),
            (None, Some(took)) => planner.saw_warm_up(took),
            (None, None) => {}
        }
    }

    /// Where things are in a source file; why not, in words, if it cannot be told.
    pub fn parse(&self, name: &str, text: &str) -> Result<SourceFile, String> {
        let mut slot = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        let compiler = slot.as_mut().ok_or("there is no compiler")?;
        let files = [(name.to_string(), text.to_string())];
        let mut parsed = parse(compiler, &files, PARSING).map_err(|problem| problem.to_string())?;
        let file = parsed.pop().ok_or("the compiler did not answer")?;
        file.map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())
    }

    pub fn compile(&self, sources: &Sources, limit: Duration) -> Result<Compiled, Failure> {
        let mut slot = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = String::new();
        for _ in 0..2 {
            let compiler = match slot.as_mut() {
                Some(compiler) => compiler,
                None => match Compiler::start(&self.jdk, &self.jar, &self.scratch, &self.readable) {
                    Ok(compiler) => slot.insert(compiler),
                    Err(problem) => {
                        last = problem.to_string();
                        continue;
                    }
                },
            };
            let problem = match compiler.compile(sources, limit) {
                Ok(compiled) => return Ok(compiled),
                Err(problem) => problem,
            };
            *slot = None;
            if let CompilerProblem::TooLong(limit) = problem {
                return Err(Failure::CompilerTooSlow { limit });
            }
            last = problem.to_string();
        }
        Err(Failure::WorkerFailed { message: last, hint: Some("try another JDK with --jdk".to_string()) })
    }
}

/// One suite's way through compiler and JVMs.
pub struct JvmBench<'a> {
    pub compiler: &'a SharedCompiler,
    pub jdk: &'a Jdk,
    pub runtime: &'a Runtime,
    /// What the tests need, JUnit included.
    pub classpath: Vec<PathBuf>,
    /// A folder of its own.
    pub scratch: PathBuf,
    pub seed: u64,
    pub heaps: Heaps,
    pub sandboxed: bool,
    /// When it should be done; `None` if the clock does not steer.
    pub deadline: Option<Instant>,
    /// Where the time went.
    pub compiling: Duration,
    pub running: Duration,
    /// Of the classes compiled last, those whose tests fail.
    failing: BTreeSet<String>,
    /// JVMs that wait for their first tests, each with its surroundings.
    waiting: Vec<(Surroundings, TestSession)>,
    /// What another attempt would take, as far as is known.
    attempt: [Duration; 2],
    serial: u32,
}

impl<'a> JvmBench<'a> {
    pub fn new(
        compiler: &'a SharedCompiler,
        jdk: &'a Jdk,
        runtime: &'a Runtime,
        classpath: Vec<PathBuf>,
        scratch: PathBuf,
    ) -> JvmBench<'a> {
        JvmBench {
            compiler,
            jdk,
            runtime,
            classpath,
            scratch,
            seed: 0,
            heaps: Heaps::new(512, 1),
            sandboxed: true,
            deadline: None,
            compiling: Duration::ZERO,
            running: Duration::ZERO,
            failing: BTreeSet::new(),
            waiting: Vec::new(),
            attempt: [Duration::from_millis(100), Duration::from_millis(300)],
            serial: 0,
        }
    }

    fn classes(&self) -> PathBuf {
        self.scratch.join("classes")
    }

    /// Starts the JVMs that the tests will first run in, so that they are up when there is something to run. What goes wrong shows when they are needed.
    pub fn get_ready(&mut self) {
        if fs::create_dir_all(self.classes()).is_err() {
            return;
        }
        self.serial += 1;
        for (surroundings, folder) in KINDS {
            let tests = self.tests(exact(&[]), surroundings);
            let folder = self.scratch.join(folder);
            let session = TestSession::start(self.jdk, &self.runtime.worker, &folder, self.serial, &tests);
            self.waiting.extend(session.map(|session| (surroundings, session)));
        }
    }

    /// Moves the classes compiled last to a folder that outlives this.
    pub fn hand_over(&self, to: &Path) -> Result<(), Failure> {
        let classes = self.classes();
        if classes.exists() { merge(&classes, to).map_err(|e| Failure::writing(to, &e)) } else { Ok(()) }
    }

    fn fail(&self, error: &std::io::Error) -> Failure {
        Failure::writing(&self.scratch, error)
    }

    fn left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(now()))
    }

    /// In the surroundings that are not the usual ones, identity hash codes are counted, too.
    fn tests(&self, order: Order, surroundings: Surroundings) -> Tests {
        let mut classpath = vec![self.classes()];
        classpath.extend(self.classpath.iter().cloned());
        Tests {
            order,
            classpath,
            surroundings,
            test_limit: self.left().map_or(TEST_LIMIT, |left| (left / TEST_SHARE).clamp(LEAST_TEST_LIMIT, TEST_LIMIT)),
            total_limit: self.left().map_or(PATIENCE, |left| (left * 6 / 5).clamp(LEAST_RUN, PATIENCE)),
            hash_mode: (surroundings == Surroundings::Other).then_some(COUNTED_HASHES),
            heap_mb: self.heaps.of(surroundings),
            sandboxed: self.sandboxed,
            watch_reads: true,
        }
    }

    /// How long to wait for a JVM: a little more than is left is better than a suite thrown away, but not much.
    fn patience(&self) -> Duration {
        self.left().map_or(PATIENCE, |left| (left * 3 / 2).clamp(LEAST_PATIENCE, PATIENCE))
    }

    /// Rounds per JVM: as many as there is time for, at least one.
    fn rounds(&self) -> u32 {
        match self.left() {
            Some(left) if left < Duration::from_millis(300) => 1,
            Some(left) if left < Duration::from_millis(900) => 2,
            Some(left) if left < Duration::from_millis(2_500) => 3,
            _ => 4,
        }
    }
}

impl Bench for JvmBench<'_> {
    fn compile(&mut self, files: &[RenderedFile]) -> Result<Vec<Diagnostic>, Failure> {
        let started = now();
        let classes = self.classes();
        // The folder itself stays: JVMs that wait may read this one and no other.
        empty(&classes).map_err(|e| self.fail(&e))?;
        self.failing = files.iter().filter(|f| f.failing).map(|f| binary(f.path.trim_end_matches(".java"))).collect();
        let sources = Sources {
            files: files.iter().map(|f| (f.path.clone(), f.text.clone())).collect(),
            classpath: self.classpath.clone(),
            output: classes,
            release: None,
        };
        let compiled = self.compiler.compile(&sources, self.patience())?;
        self.attempt[0] = started.elapsed();
        self.compiling += self.attempt[0];
        let errors = compiled.diagnostics.into_iter().filter(|d| d.is_error);
        let mut errors: Vec<Diagnostic> =
            errors.map(|d| Diagnostic { path: d.file, line: d.line, message: d.message }).collect();
        if !compiled.ok && errors.is_empty() {
            let message = "javac refused it without saying why".to_string();
            errors.push(Diagnostic { path: String::new(), line: 0, message });
        }
        Ok(errors)
    }

    fn run(&mut self, classes: &[String]) -> Result<Runs, Failure> {
        let started = now();
        self.serial += 1;
        let mut sessions: [Option<TestSession>; 2] = [None, None];
        for (surroundings, session) in std::mem::take(&mut self.waiting) {
            sessions[usize::from(surroundings != Surroundings::Usual)] = Some(session);
        }
        let rounds = self.rounds();
        // Tests that fail come last: some of them hang, and nobody can stop them.
        let (failing, passing): (Vec<String>, Vec<String>) =
            classes.iter().cloned().partition(|c| self.failing.contains(c));
        let kinds = [passing, failing].into_iter().filter(|classes| !classes.is_empty()).collect::<Vec<_>>();
        let jobs = KINDS.map(|(surroundings, folder)| {
            let seed = if surroundings == Surroundings::Usual { self.seed } else { self.seed ^ 0x9e37_79b9 };
            let tests = self.tests(exact(&[]), surroundings);
            (tests, self.scratch.join(folder), seed)
        });
        let (jdk, jar, serial, deadline) = (self.jdk, &self.runtime.worker, self.serial, self.deadline);
        let run = |(tests, folder, seed): &(Tests, PathBuf, u64), waiting: Option<TestSession>| {
            let mut report = RunReport::default();
            let session = waiting.map_or_else(|| TestSession::start(jdk, jar, folder, serial, tests), Ok);
            let ran = session.and_then(|mut session| {
                let session = &mut session;
                session.allow(tests.total_limit);
                let ran = kinds.iter().try_for_each(|classes| {
                    // What is wrong the first time only is wrong all the same: no third round, which would ask for it once more.
                    let is_failing = classes.iter().any(|c| self.failing.contains(c));
                    let rounds = if is_failing { rounds.min(2) } else { rounds };
                    if let Some(deadline) = deadline.filter(|_| is_failing && !report.runs.is_empty()) {
                        let left = deadline.saturating_duration_since(now());
                        session.allow((left * 6 / 5).clamp(LEAST_FAILING_RUN, PATIENCE));
                    }
                    let order = Order::Shuffled { classes: classes.clone(), rounds, seed: *seed };
                    session.run(&order, &mut report.runs)
                });
                report.touched = session.touched();
                ran
            });
            report.problem = ran.err();
            report
        };
        let [usual, other] = sessions;
        let reports: [RunReport; 2] = std::thread::scope(|scope| {
            let other = scope.spawn(|| run(&jobs[1], other));
            let one = run(&jobs[0], usual);
            // The closure does not panic: it only talks to a child process.
            [one, other.join().unwrap_or_default()]
        });
        self.attempt[1] = started.elapsed();
        self.running += self.attempt[1];
        let mut runs = Runs::default();
        for (jvm, report) in reports.into_iter().enumerate() {
            runs.died |= ended(report.problem)?;
            runs.jvms += 1;
            runs.touched.extend(report.touched);
            runs.runs.extend(report.runs.into_iter().map(|run| Ran {
                jvm,
                class: binary(&run.class),
                method: run.method.clone(),
                result: result(run),
            }));
        }
        Ok(runs)
    }

    fn touched_by(&mut self, tests: &[TestName]) -> Result<Vec<String>, Failure> {
        self.serial += 1;
        let tests = self.tests(exact(tests), Surroundings::Other);
        let folder = self.scratch.join("traces");
        let report = run_tests(self.jdk, &self.runtime.worker, &folder, self.serial, &tests);
        ended(report.problem)?;
        Ok(report.touched)
    }

    fn fresh(&mut self) -> Result<Box<dyn Fresh + '_>, Failure> {
        self.serial += 1;
        let tests = self.tests(exact(&[]), Surroundings::Usual);
        let folder = self.scratch.join("fresh");
        Ok(Box::new(FreshJvm::start(self.jdk, self.runtime, &folder, self.serial, &tests)?))
    }

    fn hurry(&self) -> bool {
        self.left().is_some_and(|left| left < self.attempt.iter().sum())
    }
}

/// The surroundings that a suite is run in, with a folder for each.
const KINDS: [(Surroundings, &str); 2] = [(Surroundings::Usual, "plain"), (Surroundings::Other, "counted")];

/// Makes the folder, or removes what is in it.
fn empty(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// Moves all files below one folder to the same places below another.
fn merge(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() { merge(&entry.path(), &target)? } else { fs::rename(entry.path(), target)? }
    }
    Ok(())
}

/// A JVM that stays for more tests.
pub struct FreshJvm(TestSession);

impl FreshJvm {
    /// Runs nothing yet.
    pub fn start(jdk: &Jdk, runtime: &Runtime, folder: &Path, serial: u32, tests: &Tests) -> Result<FreshJvm, Failure> {
        let session = TestSession::start(jdk, &runtime.worker, folder, serial, tests);
        session.map(FreshJvm).map_err(|problem| unusable(&problem))
    }
}

impl Fresh for FreshJvm {
    fn run(&mut self, tests: &[TestName]) -> Result<Vec<RanResult>, Failure> {
        let mut runs = Vec::new();
        let problem = self.0.run(&exact(tests), &mut runs).err();
        ended(problem)?;
        Ok(runs.into_iter().map(result).collect())
    }
}

/// These tests as they are named.
pub fn exact(tests: &[TestName]) -> Order {
    Order::Exact { tests: tests.iter().map(|t| (t.class.clone(), t.method.clone())).collect(), stop: false }
}

/// Whether the JVM ended in the middle of its work; an error if there is no use in going on with JVMs.
pub fn ended(problem: Option<RunnerProblem>) -> Result<bool, Failure> {
    match problem {
        None | Some(RunnerProblem::TooLong(_)) => Ok(false),
        Some(RunnerProblem::Ended { .. } | RunnerProblem::Wire(_)) => Ok(true),
        Some(problem @ (RunnerProblem::Start(_) | RunnerProblem::Failed { .. })) => Err(unusable(&problem)),
    }
}

fn unusable(problem: &RunnerProblem) -> Failure {
    Failure::WorkerFailed { message: problem.to_string(), hint: Some("try another JDK with --jdk".to_string()) }
}

/// What it reached outside counts before what it said.
pub fn result(run: TestRun) -> RanResult {
    if !run.reach.is_empty() {
        return RanResult::Reached(run.reach.to_string());
    }
    match run.outcome {
        TestOutcome::Passed => RanResult::Passed,
        TestOutcome::Failed { exception, message, frame } => {
            RanResult::Failed { exception: binary(&exception), message, frame }
        }
        TestOutcome::TimedOut { .. } => RanResult::TimedOut,
    }
}

/// The wire has internal names.
fn binary(internal: &str) -> String {
    internal.replace('/', ".")
}

impl Drop for JvmBench<'_> {
    fn drop(&mut self) {
        self.waiting.clear();
        // The whole scratch folder goes at the end of the run anyway.
        let _ = fs::remove_dir_all(&self.scratch);
    }
}
