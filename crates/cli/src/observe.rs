//! Running somebody's JUnit suite under observation: its class path, its tests, its sources, the JVMs. Owns opening all that and the words for what is wrong with
//! it; what follows from an observation is decided elsewhere.

pub mod columns;
pub mod counts;
pub mod references;
pub mod source_tree;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::instrument::ProbeKind;
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::state::Techniques;
use engine::state::digest::{Digest, Digester};
use exec::compiler::{Compiler, CompilerProblem, Sources};
use exec::runtime::Runtime;
use exec::sources::{SourceFile, parse};
use exec::suite::{SuiteConfig, SuiteProblem, SuiteReport, observe_each};
use testcase::execution::ProbeId;
use testcase::observed::{Needs, TestOutcome};

use crate::args::Observing;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::minimize::words;
use crate::near::near;
use crate::project::Project;
use crate::report::JdkReport;
use crate::scratch::Scratch;
use crate::selection::Target;
use crate::workshop::{absolute, scratch};

use source_tree::SourceTree;

/// Nobody waits longer for a whole suite.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Nor for javac.
const COMPILING: Duration = Duration::from_secs(600);

/// Where suites are observed: the class path without tests, the classes under test, the tools.
pub struct Stage<'a> {
    arguments: &'a Observing,
    interrupt: &'a Interrupt,
    pub project: Project,
    pub targets: Vec<ClassName>,
    runtime: Runtime,
    /// Started when first needed.
    compiler: RefCell<Option<Compiler>>,
    /// Removed when dropped.
    scratch: Scratch,
}

/// A suite that can be run.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Folders and jars of compiled tests; the first holds the classes that count as tests.
    pub compiled: Vec<PathBuf>,
    pub classes: Vec<ClassName>,
}

/// An observed suite with what is needed to read it.
pub struct Observed {
    /// Without runs: these are in the digest.
    pub report: SuiteReport,
    pub digest: Digest,
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Branch,
    /// A method entry or a handler.
    Other,
    Line,
}

impl Observed {
    fn new(report: SuiteReport, digest: Digest) -> Observed {
        let mut kinds = vec![Kind::Line; report.probes as usize];
        for class in &report.classes {
            for (i, probe) in class.probes.iter().enumerate() {
                if let Some(slot) = kinds.get_mut(class.first_probe as usize + i) {
                    *slot = match probe.kind {
                        ProbeKind::BranchTaken | ProbeKind::BranchFallThrough | ProbeKind::SwitchCase { .. } => {
                            Kind::Branch
                        }
                        ProbeKind::MethodEntry | ProbeKind::Handler { .. } | ProbeKind::Infection { .. } => Kind::Other,
                        ProbeKind::Line => Kind::Line,
                    };
                }
            }
        }
        Observed { report, digest, kinds }
    }

    fn kind(&self, probe: ProbeId) -> Kind {
        self.kinds.get(probe.0 as usize).copied().unwrap_or(Kind::Line)
    }

    pub fn is_branch(&self, probe: ProbeId) -> bool {
        self.kind(probe) == Kind::Branch
    }

    /// Lines follow from the rest.
    pub fn counts(&self, probe: ProbeId) -> bool {
        self.kind(probe) != Kind::Line
    }

    /// For the engine: the number of the branch.
    pub fn branch(&self, probe: ProbeId) -> Option<u64> {
        self.is_branch(probe).then_some(u64::from(probe.0))
    }

    pub fn branches(&self) -> usize {
        self.kinds.iter().filter(|k| **k == Kind::Branch).count()
    }
}

impl<'a> Stage<'a> {
    /// `tests`: compiled suites. Classes in them are no targets unless named.
    pub fn open(arguments: &'a Observing, tests: &[&Path], interrupt: &'a Interrupt) -> Result<Stage<'a>, Failure> {
        for path in tests {
            fs::metadata(path)
                .map_err(|e| Failure::UnreadableInput { path: path.to_path_buf(), cause: e.to_string() })?;
        }
        let mut classpath = arguments.classpath.clone();
        classpath.extend(tests.iter().map(|p| p.display().to_string()));
        let mut project = Project::open(arguments.jdk.as_deref(), &arguments.target, &classpath)?;
        let of_tests: BTreeSet<ClassName> = tests.iter().flat_map(|p| project.classpath.names_in(p)).collect();
        project.targets.retain(|t: &Target| t.named || !of_tests.contains(&t.class));
        if project.targets.is_empty() {
            let what = format!("{} means classes of the tests only", arguments.target.join(" "));
            return Err(Failure::EmptyTarget { what });
        }
        let mut targets: Vec<ClassName> = project.targets.iter().flat_map(|t| t.classes.clone()).collect();
        targets.sort();
        targets.dedup();
        let (scratch, runtime) = scratch()?;
        Ok(Stage { arguments, interrupt, project, targets, runtime, compiler: RefCell::new(None), scratch })
    }

    pub fn test_limit(&self) -> Duration {
        self.arguments.test_limit
    }

    pub fn jdk_report(&self) -> JdkReport {
        JdkReport { home: self.project.jdk.home.display().to_string(), version: self.project.jdk.feature }
    }

    pub fn techniques(&self) -> Techniques {
        let receiver = self.arguments.technique;
        Techniques { receiver, arguments: self.arguments.arguments.unwrap_or(receiver) }
    }

    /// A suite as the user names it: compiled, or sources that are compiled here, into a folder of this name.
    pub fn suite(&self, tests: &Path, name: &str) -> Result<Suite, Failure> {
        let classes = self.project.classpath.names_in(tests);
        if classes.is_empty() {
            if is_sources(tests) {
                return self.compile_whole(&SourceTree::read(tests)?, name);
            }
            return Err(Failure::NoTests {
                what: format!("there are no compiled classes in {}", tests.display()),
                hint: "name the folder or jar of the compiled tests with --tests, such as target/test-classes"
                    .to_string(),
            });
        }
        Ok(Suite { compiled: vec![tests.to_path_buf()], classes })
    }

    /// Compiles Java texts into a folder of their own; javac's messages if it refuses. `behind`: compiled tests that stay on the class path,
    /// for their resources.
    pub fn compile(
        &self,
        files: &BTreeMap<String, String>,
        folder: &str,
        behind: &[PathBuf],
    ) -> Result<Result<Suite, Vec<String>>, Failure> {
        let output = self.scratch.path().join(folder);
        let fail = |e: std::io::Error| Failure::writing(&output, &e);
        if output.exists() {
            fs::remove_dir_all(&output).map_err(fail)?;
        }
        fs::create_dir_all(&output).map_err(fail)?;
        let sources = Sources {
            files: files.iter().map(|(path, text)| (path.clone(), text.clone())).collect(),
            classpath: self.classpath(behind),
            output: output.clone(),
            release: None,
        };
        let compiled = self.with_compiler(|compiler| compiler.compile(&sources, COMPILING))?;
        if !compiled.ok {
            let errors = compiled.diagnostics.iter().filter(|d| d.is_error);
            let mut messages: Vec<String> = errors
                .map(|d| {
                    let message = d.message.replace('\n', " ");
                    if d.file.is_empty() { message } else { format!("{}:{}: {message}", d.file, d.line) }
                })
                .collect();
            if messages.is_empty() {
                messages.push("javac refused it without saying why".to_string());
            }
            return Ok(Err(messages));
        }
        let classes = class_names(&output);
        let compiled = std::iter::once(output).chain(behind.iter().cloned()).collect();
        Ok(Ok(Suite { compiled, classes }))
    }

    fn with_compiler<T>(&self, work: impl FnOnce(&mut Compiler) -> Result<T, CompilerProblem>) -> Result<T, Failure> {
        if self.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        let mut slot = self.compiler.borrow_mut();
        let compiler = match slot.take() {
            Some(compiler) => Ok(compiler),
            None => Compiler::start(
                &self.project.jdk,
                &self.runtime.worker,
                self.scratch.path(),
                &absolute(&self.project.classpath.paths()),
            ),
        };
        // After a problem it is of no further use and not put back.
        let done = compiler.and_then(|mut compiler| {
            let done = work(&mut compiler)?;
            *slot = Some(compiler);
            Ok(done)
        });
        done.map_err(|problem| Failure::WorkerFailed {
            message: problem.to_string(),
            hint: Some("try another JDK with --jdk".to_string()),
        })
    }

    /// Where things are in the sources.
    pub fn parse(&self, tree: &SourceTree) -> Result<Vec<SourceFile>, Failure> {
        let files: Vec<(String, String)> = tree.compiled().map(|(p, t)| (p.clone(), t.clone())).collect();
        let parsed = self.with_compiler(|compiler| parse(compiler, &files, COMPILING))?;
        let mut sources = Vec::with_capacity(parsed.len());
        let mut messages = Vec::new();
        for file in parsed {
            match file {
                Ok(file) => sources.push(file),
                Err(errors) => messages.extend(errors.iter().map(ToString::to_string)),
            }
        }
        if messages.is_empty() { Ok(sources) } else { Err(Failure::SuiteRefused { messages }) }
    }

    /// The class file of a test.
    pub fn class_bytes(&self, suite: &Suite, class: &ClassName) -> Option<Cow<'_, [u8]>> {
        let file = format!("{}.class", class.internal());
        let compiled = suite.compiled.iter().find_map(|folder| fs::read(folder.join(&file)).ok());
        compiled.map(Cow::Owned).or_else(|| self.project.classpath.application_bytes(class.internal()))
    }

    /// The sources as they are; a suite that does not compile ends the command.
    pub fn compile_whole(&self, tree: &SourceTree, name: &str) -> Result<Suite, Failure> {
        let files: BTreeMap<String, String> = tree.compiled().map(|(p, t)| (p.clone(), t.clone())).collect();
        match self.compile(&files, name, &[])? {
            Ok(suite) => Ok(suite),
            Err(messages) if !has_junit(&self.project.world) && messages.iter().any(|m| names_junit(m)) => {
                let missing = "there is no JUnit on the class path, and the tests use more of it than Testudo brings";
                Err(Failure::NoJUnit { missing: missing.to_string() })
            }
            Err(messages) => Err(Failure::SuiteRefused { messages }),
        }
    }

    /// Runs the suite; what is kept of it is the digester's decision.
    pub fn observe(&self, suite: &Suite, needs: Needs, digester: &mut Digester) -> Result<Observed, Failure> {
        let project = &self.project;
        let scratch = self.scratch.path().join("suite");
        let mut config = SuiteConfig::new(project.jdk.clone(), self.runtime.clone(), scratch);
        config.classpath = self.classpath(&suite.compiled);
        config.tests = suite.classes.clone();
        config.targets = self.targets.clone();
        config.needs = needs;
        config.test_limit = self.arguments.test_limit;
        config.total_limit = PATIENCE;
        config.folder = std::env::current_dir().ok();
        config.heap_mb = self.arguments.worker_memory;
        config.sandboxed = !self.arguments.no_sandbox;
        config.flags = self.arguments.jvm_arg.iter().map(Into::into).collect();
        config.stop = self.interrupt.flag();
        let report = observe_each(&config, &mut |members, run| digester.add(members, run))
            .map_err(|p| trouble(p, &self.targets))?;
        let digest = digester.finish(report.suite.outside_probes.clone());
        Ok(Observed::new(report, digest))
    }

    /// Whether there is anything to say about this suite. `from`: where it was found.
    pub fn check(&self, observed: &Observed, from: &Path) -> Result<(), Failure> {
        let suite = &observed.digest;
        let from = from.display();
        if suite.runs.is_empty() {
            return Err(Failure::NoTests {
                what: format!("there is no test in {from}"),
                hint: "tests are recognised by the JUnit on the class path: is it the one they were written for?"
                    .to_string(),
            });
        }
        if suite.runs.iter().all(|run| run.calls == 0) {
            let names: Vec<String> = self.project.targets.iter().map(|t| t.class.binary()).collect();
            let what = format!("none of the tests in {from} uses {}", names.join(" or "));
            let failed = suite.runs.iter().find_map(|run| match &run.outcome {
                TestOutcome::Failed { class, message, .. } => {
                    let message = message.as_deref().unwrap_or_default();
                    Some(format!("{} fails with {} {message}", words::name(&run.method), class.binary()))
                }
                TestOutcome::Died { how } => Some(format!("{} ended its JVM: {how}", words::name(&run.method))),
                TestOutcome::Passed | TestOutcome::Skipped { .. } | TestOutcome::TimedOut => None,
            });
            let hint =
                failed.unwrap_or_else(|| "name the classes that the tests are meant for with --target".to_string());
            return Err(Failure::NoTests { what, hint });
        }
        Ok(())
    }

    /// Behind `first`: the user's, and our stand-in if there is no JUnit.
    fn classpath(&self, first: &[PathBuf]) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in first.iter().cloned().chain(self.project.classpath.paths()) {
            let path = std::path::absolute(&path).unwrap_or(path);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if !has_junit(&self.project.world) {
            paths.push(self.runtime.junit.clone());
        }
        paths
    }
}

/// A folder of Java sources that nobody compiled.
pub fn is_sources(path: &Path) -> bool {
    let ending = |path: &Path, ending: &str| path.extension().is_some_and(|e| e == ending);
    let mut folders = vec![path.to_path_buf()];
    let mut sources = false;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // Links may lead in circles.
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                folders.push(path);
            } else if ending(&path, "class") {
                return false;
            } else {
                sources |= ending(&path, "java");
            }
        }
    }
    sources
}

/// Whether it is JUnit that javac misses.
fn names_junit(message: &str) -> bool {
    ["org.junit", "junit.framework"].iter().any(|package| message.contains(package))
}

/// Whether the class path brings any JUnit.
pub fn has_junit(world: &World) -> bool {
    ["org/junit/jupiter/api/Test", "org/junit/Test", "junit/framework/TestCase"]
        .iter()
        .any(|name| world.class(&ClassName::new(name)).is_ok())
}

/// A suite that cannot be run, in the user's words.
pub fn trouble(problem: SuiteProblem, targets: &[ClassName]) -> Failure {
    let message = problem.to_string();
    match problem {
        SuiteProblem::NoJUnit { .. } | SuiteProblem::NoEngine => Failure::NoJUnit { missing: message },
        SuiteProblem::NoTarget { class } => {
            let name = class.binary();
            let names: Vec<String> = targets.iter().map(ClassName::binary).collect();
            let near = near(&name, names.iter().map(String::as_str));
            Failure::NoSuchClass { name, near, absent: Vec::new() }
        }
        SuiteProblem::Stopped => Failure::Interrupted,
        SuiteProblem::BadTarget { class, detail } => Failure::Malformed { name: class.binary(), cause: detail },
        SuiteProblem::ClassPath(_)
        | SuiteProblem::Start(_)
        | SuiteProblem::Ended { .. }
        | SuiteProblem::Failed { .. }
        | SuiteProblem::Wire(_) => {
            let hint = Some("try another JDK with --jdk, or more memory with --worker-memory".to_string());
            Failure::WorkerFailed { message, hint }
        }
    }
}

/// The classes in a folder that javac just wrote.
fn class_names(folder: &Path) -> Vec<ClassName> {
    fn walk(folder: &Path, prefix: &str, into: &mut Vec<ClassName>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{prefix}{name}/"), into);
            } else if let Some(class) = name.strip_suffix(".class") {
                into.push(ClassName::new(format!("{prefix}{class}")));
            }
        }
    }
    let mut names = Vec::new();
    walk(folder, "", &mut names);
    names.sort();
    names
}
