//! Runs random calls in a real JVM and compares what they did to receivers and arguments with what purity analysis says. Owns the comparing;
//! used by the test beside it and by the example that measures libraries.

#[path = "../lab/mod.rs"]
mod lab;

use std::collections::{BTreeMap, VecDeque};

use bytecode::analysis::{Effect, Purity};
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::budget::Budget;
use engine::options::Options;
use engine::session::Session;
use engine::world_library::WorldLibrary;
use exec::executor::JvmExecutor;
use testcase::execution::{Execution, Outcome, ProbeId};
use testcase::executor::{Detail, Executor, ExecutorProblem, Observe, Request};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, Statement};
use testcase::types::Type;

pub use lab::Lab;

/// Runs in which an object is only looked at, to see whether it changes by itself.
const CONTROLS: usize = 300;

/// Calls the methods of a class at random so many times, and tells a tally of every call. Says why not, if the class cannot be a target.
pub fn watch(
    lab: &mut Lab,
    class: &ClassName,
    executions: u64,
    purity: &mut Purity<'_>,
    tally: &mut Tally,
) -> Result<(), String> {
    let prepared = lab.open(class)?;
    let world = lab.world.clone();
    let goals = prepared.goals();
    let reaches = prepared.reaches(&world, &goals);
    let library = WorldLibrary::new(&world, &prepared);
    let options = Options { contracts: false, stop_when_covered: None, ..Options::default() };
    let mut session = Session::new(&library, goals, reaches, options).map_err(|e| e.to_string())?;
    let mut doubts = Vec::new();
    let mut heard = |heard: &Heard<'_>| {
        let wrong = tally.hear(&world, purity, heard);
        doubts.extend(wrong.into_iter().map(|at| (heard.sequence.clone(), at)));
    };
    let mut watching = Watching { inner: &mut lab.executor, flights: VecDeque::new(), heard: &mut heard };
    let ran = session.run(&mut watching, &mut Budget::executions(executions), &mut |_| {});
    // The worker knows all operations of the search by their numbers.
    let mut operations = session.search().catalog.operations().clone();
    for (sequence, wrong) in doubts {
        if changes_by_itself(&mut lab.executor, &mut operations, &sequence, wrong.argument)? {
            tally.acquit(&wrong);
        }
    }
    ran.map(|_| ()).map_err(|p| p.to_string())
}

/// Does the object differ at times although nobody but another thread can have changed it? In place of the last call it is only asked for its class.
fn changes_by_itself(
    executor: &mut JvmExecutor,
    operations: &mut Operations,
    sequence: &Sequence,
    argument: usize,
) -> Result<bool, String> {
    let Some(last) = sequence.last() else { return Ok(false) };
    let var = last.args[argument];
    let looked_at = operations.get(sequence.statements()[var.index()].op).result.clone();
    let look = operations.intern(Operation {
        kind: OperationKind::Call {
            owner: "java/lang/Object".into(),
            name: "getClass".into(),
            descriptor: "()Ljava/lang/Class;".into(),
            is_static: false,
            owner_is_interface: false,
            varargs: false,
        },
        params: vec![looked_at],
        result: Type::class("java/lang/Class"),
    });
    let mut statements = sequence.statements()[..sequence.len() - 1].to_vec();
    statements.push(Statement::new(look, &[var]));
    let detail = Detail { observe: Observe::LastStatement, states: true, ..Detail::default() };
    let request = Request { sequence: Sequence::new(statements), detail, cost: 0, fault: None };
    for _ in 0..CONTROLS / 20 {
        let ran = executor.run(operations, vec![request.clone(); 20]).map_err(|p| p.to_string())?;
        let changed = |e: &Execution| e.observations.iter().any(|o| o.var == var && o.changed == Some(true));
        // Threads that are at work may change it at any time.
        let threads = |e: &Execution| matches!(e.outcome, Outcome::ThreadsLeft { .. } | Outcome::Quarantined);
        if ran.iter().any(|e| changed(e) || threads(e)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The last call of a sequence that ran.
pub struct Heard<'h> {
    pub sequence: &'h Sequence,
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
            let (kind, arguments) = (&operations.get(last.op).kind, arguments.collect());
            (self.heard)(&Heard { sequence, kind, arguments });
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
    /// Changed against a claim, but also when nobody called anything: by other threads.
    pub restless: Vec<String>,
}

/// An argument that changed against a claim.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The method, as in the tally, and which of its arguments.
    method: (String, String),
    argument: usize,
    what: String,
}

impl Tally {
    pub fn hear(&mut self, world: &World, purity: &mut Purity<'_>, heard: &Heard<'_>) -> Vec<Wrong> {
        let (owner, name, descriptor, is_static) = match heard.kind {
            OperationKind::Call { owner, name, descriptor, is_static, .. } => (owner, &**name, descriptor, *is_static),
            OperationKind::Construct { class, descriptor, .. } => (class, "<init>", descriptor, true),
            _ => return Vec::new(),
        };
        if heard.arguments.iter().all(|(_, _, changed)| changed.is_none()) {
            return Vec::new();
        }
        let exact = if is_static { None } else { heard.arguments[0].1.clone() };
        let holder = exact.as_ref().unwrap_or(owner);
        let Some(method) = world.resolve_method(holder, name, descriptor) else { return Vec::new() };
        let verdict = purity.verdict(&method, exact.as_ref());
        // A constructor's own object is no argument of the statement.
        let params = &verdict.params[usize::from(name == "<init>")..];
        if params.len() != heard.arguments.len() {
            return Vec::new();
        }
        let mut wrong = Vec::new();
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
            let what = format!("{}.{label} parameter {at}", holder.binary());
            if self.restless.contains(&what) {
                continue;
            }
            row.changed += 1;
            if claim.strict != Effect::ReadWrite && !self.wrong.contains(&what) {
                self.wrong.push(what.clone());
                wrong.push(Wrong { method: (holder.binary(), label.clone()), argument: at, what });
            } else if claim.effect != Effect::ReadWrite
                && claim.strict == Effect::ReadWrite
                && !self.unconventional.contains(&what)
            {
                self.unconventional.push(what);
            }
        }
        wrong
    }

    /// It was somebody else's doing.
    pub fn acquit(&mut self, wrong: &Wrong) {
        self.wrong.retain(|w| *w != wrong.what);
        self.restless.push(wrong.what.clone());
        if let Some(rows) = self.methods.get_mut(&wrong.method) {
            rows[wrong.argument].changed = 0;
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
