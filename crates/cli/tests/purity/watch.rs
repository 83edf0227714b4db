//! Runs random calls in a real JVM and compares what they did to receivers and arguments with what purity analysis says. Owns the comparing;
//! used by the test beside it and by the example that measures libraries.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use bytecode::analysis::{Effect, Purity};
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::execution::{Execution, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::{OperationKind, Operations};
use testcase::sequence::Sequence;

/// A class path, and a JVM to run its classes in.
pub struct Lab {
    pub world: Arc<World>,
    library: Arc<Library>,
    executor: JvmExecutor,
    classpath: Vec<PathBuf>,
    _folder: tempfile::TempDir,
}

impl Lab {
    pub fn new(jdk: &Jdk, paths: &[PathBuf]) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        let platform = Arc::new(PlatformClasses::open(jdk).unwrap());
        let (classpath, problems) = ClassPath::open(paths, jdk, platform);
        assert!(problems.is_empty(), "{problems:?}");
        let classpath = Arc::new(classpath);
        let world = Arc::new(World::new(classpath.clone()));
        let library = Arc::new(Library::new(classpath, world.clone()));
        let runtime = Runtime::install(folder.path()).unwrap();
        let mut worker = WorkerConfig::new(jdk.clone(), runtime.worker, folder.path().join("workers"));
        worker.readable.extend(paths.iter().cloned());
        worker.compile_level = Some(1);
        let executor = JvmExecutor::start(ExecutorConfig::new(worker), library.clone()).unwrap();
        Lab { world, library, executor, classpath: paths.to_vec(), _folder: folder }
    }

    /// Calls the methods of a class at random so many times, and hears of every call. Says why not, if the class cannot be a target.
    pub fn run(&mut self, class: &ClassName, executions: u64, heard: &mut dyn FnMut(&Heard<'_>)) -> Result<(), String> {
        let world = &*self.world;
        let platform = !world.is_application(class);
        let package = if platform { "testudo/purity" } else { class.package() };
        let plan = if platform { self.library.platform_plan() } else { self.library.target_plan() };
        let prepared = target::prepare(world, class, package, &plan).map_err(|p| p.to_string())?;
        let classes = prepared
            .classes
            .iter()
            .map(|c| TargetClass { name: c.info.name.clone(), index: c.index, bytes: c.bytes.clone() })
            .collect();
        let setup = TargetSetup {
            probes: prepared.probes,
            sites: prepared.sites,
            classes,
            user_contracts: Vec::new(),
            fields: prepared.fields.clone(),
            classpath: self.classpath.clone(),
        };
        self.executor.open_target(setup).map_err(|p| p.to_string())?;
        let goals = prepared.goals();
        let reaches = prepared.reaches(world, &goals);
        let library = WorldLibrary::new(world, &prepared);
        let options = Options { contracts: false, stop_when_covered: None, ..Options::default() };
        let mut session = Session::new(&library, goals, reaches, options).map_err(|e| e.to_string())?;
        let mut watching = Watching { inner: &mut self.executor, flights: VecDeque::new(), heard };
        let ran = session.run(&mut watching, &mut Budget::executions(executions), &mut |_| {});
        ran.map(|_| ()).map_err(|p| p.to_string())
    }
}

/// The last call of a sequence that ran.
pub struct Heard<'h> {
    pub kind: &'h OperationKind,
    /// By argument (the receiver first): the variable, its run-time class, and whether its state differs from before.
    pub arguments: Vec<(u16, Option<ClassName>, Option<bool>)>,
}

/// Hands everything through, and listens.
struct Watching<'w> {
    inner: &'w mut JvmExecutor,
    flights: VecDeque<(Operations, Vec<Sequence>)>,
    heard: &'w mut dyn FnMut(&Heard<'_>),
}

impl Executor for Watching<'_> {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.flights.push_back((operations.clone(), batch.iter().map(|r| r.sequence.clone()).collect()));
        self.inner.submit(operations, batch)
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        let executions = self.inner.collect()?;
        let Some((operations, sequences)) = self.flights.pop_front() else { return Ok(executions) };
        for (sequence, execution) in sequences.iter().zip(&executions) {
            let Some(last) = sequence.last() else { continue };
            let at = sequence.len() as u16 - 1;
            let arguments = last.args.iter().map(|var| {
                let seen = execution.observations.iter().find(|o| o.statement == at && o.var == *var);
                (var.0, seen.and_then(|o| o.class.clone()), seen.and_then(|o| o.changed))
            });
            (self.heard)(&Heard { kind: &operations.get(last.op).kind, arguments: arguments.collect() });
        }
        Ok(executions)
    }

    fn depth(&self) -> usize {
        self.inner.depth()
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.inner.set_best(best);
    }
}

/// What was seen of one parameter of a method, for receivers of one class.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub calls: u64,
    pub changed: u64,
    pub effect: Option<Effect>,
    pub strict: Option<Effect>,
}

/// Everything seen so far.
#[derive(Default)]
pub struct Tally {
    /// By method (class of the receiver, name, descriptor), then by parameter.
    pub methods: BTreeMap<(String, String), Vec<Seen>>,
    pub calls: u64,
    /// Changed although nothing was claimed that may change it.
    pub wrong: Vec<String>,
    /// The same, where the claim relied on conventions.
    pub unconventional: Vec<String>,
}

impl Tally {
    pub fn hear(&mut self, world: &World, purity: &mut Purity<'_>, heard: &Heard<'_>) {
        let (owner, name, descriptor, is_static) = match heard.kind {
            OperationKind::Call { owner, name, descriptor, is_static, .. } => (owner, &**name, descriptor, *is_static),
            OperationKind::Construct { class, descriptor, .. } => (class, "<init>", descriptor, true),
            _ => return,
        };
        if heard.arguments.iter().all(|(_, _, changed)| changed.is_none()) {
            return;
        }
        let exact = if is_static { None } else { heard.arguments[0].1.clone() };
        let holder = exact.as_ref().unwrap_or(owner);
        let Some(method) = world.resolve_method(holder, name, descriptor) else { return };
        let verdict = purity.verdict(&method, exact.as_ref());
        // A constructor's own object is no argument of the statement.
        let params = &verdict.params[usize::from(name == "<init>")..];
        if params.len() != heard.arguments.len() {
            return;
        }
        self.calls += 1;
        let label = format!("{name}{descriptor}");
        let rows = self.methods.entry((holder.binary(), label.clone())).or_default();
        rows.resize(params.len(), Seen::default());
        let changed = |at: usize| heard.arguments[at].2 == Some(true);
        for (at, claim) in params.iter().enumerate() {
            let Some(is_changed) = heard.arguments[at].2 else { continue };
            let row = &mut rows[at];
            (row.effect, row.strict) = (Some(claim.effect), Some(claim.strict));
            row.calls += 1;
            // What is changed through another argument, of which that was said, is no news: the two may share objects.
            let shared = |other: usize| other != at && params[other].strict == Effect::ReadWrite && changed(other);
            if !is_changed || (0..params.len()).any(shared) {
                continue;
            }
            row.changed += 1;
            let what = format!("{}.{label} parameter {at}", holder.binary());
            if claim.strict != Effect::ReadWrite && !self.wrong.contains(&what) {
                self.wrong.push(what);
            } else if claim.effect != Effect::ReadWrite
                && claim.strict == Effect::ReadWrite
                && !self.unconventional.contains(&what)
            {
                self.unconventional.push(what);
            }
        }
    }

    /// Of the methods seen often enough: claimed to change nothing and seen to change nothing, claimed, seen; and how many there are.
    pub fn agreement(&self, least: u64, relying_on_conventions: bool) -> (usize, usize, usize, usize) {
        let (mut both, mut claimed, mut seen, mut all) = (0, 0, 0, 0);
        for rows in self.methods.values() {
            let rows: Vec<&Seen> = rows.iter().filter(|row| row.calls > 0).collect();
            if rows.is_empty() || rows.iter().any(|row| row.calls < least) {
                continue;
            }
            let claim = |row: &Seen| if relying_on_conventions { row.effect } else { row.strict };
            let harmless = rows.iter().all(|row| claim(row) != Some(Effect::ReadWrite));
            let unchanged = rows.iter().all(|row| row.changed == 0);
            all += 1;
            claimed += usize::from(harmless);
            seen += usize::from(unchanged);
            both += usize::from(harmless && unchanged);
        }
        (both, claimed, seen, all)
    }
}
