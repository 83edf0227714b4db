//! Runs sequences on a worker JVM, whatever they do to it. Owns the conversation with the worker: batches in flight, time
//! limits, restarts, quarantine. Never decides what to run.
//!
//! Results come in the order of requests even if workers die in between: the guilty sequence gets its outcome, what was
//! answered is kept, everything else is sent again to a fresh worker.

mod flight;
mod quarantine;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use testcase::execution::{Execution, Outcome, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::{OpId, Operations};
use testcase::value::Value;

use crate::dispatch::Visibility;
use crate::library::{Library, Shelf, TargetClass};
use crate::process::Event;
use crate::protocol::response::{self, ClassTable, Results};
use crate::protocol::writer::Writer;
use crate::protocol::{kind, request};
use crate::triage::{Cause, Death, triage};
use crate::worker::{Progress, Worker, WorkerConfig};
use flight::Flight;
use quarantine::Quarantine;
use table::Table;

/// How an executor works.
#[derive(Clone, Debug)]
pub struct ExecutorConfig {
    pub worker: WorkerConfig,
    /// A sequence that makes no progress for so long loses its worker.
    pub wall_limit: Duration,
    /// A JVM that does not answer the handshake for so long is given up.
    pub start_limit: Duration,
}

impl ExecutorConfig {
    pub fn new(worker: WorkerConfig) -> ExecutorConfig {
        ExecutorConfig {
            worker,
            wall_limit: Duration::from_secs(2),
            start_limit: Duration::from_secs(30),
        }
    }
}

/// A target to be tested: its instrumented classes and what they report.
#[derive(Clone, Debug, Default)]
pub struct TargetSetup {
    /// How many probes and sites the instrumented classes have together.
    pub probes: u32,
    pub sites: u32,
    pub classes: Vec<TargetClass>,
    pub user_contracts: Vec<ClassName>,
    /// For resources; class bytes come from the library.
    pub classpath: Vec<PathBuf>,
}

/// What an executor has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sequences with a result from a worker.
    pub executions: u64,
    /// Calls (statements that are no constants) of sequences that ended normally.
    pub calls: u64,
    pub restarts: u64,
    pub deaths: BTreeMap<Death, u64>,
}

/// Deaths in a row without any result before the executor gives up.
const MAX_IDLE_DEATHS: u32 = 3;
/// How often a silent worker is looked at.
const TICK: Duration = Duration::from_millis(20);
/// Under heavy load a runnable thread may starve: only this many limits end it then.
const STARVING_FACTOR: u32 = 5;

/// Runs sequences on one worker JVM at a time.
#[derive(Debug)]
pub struct JvmExecutor {
    config: ExecutorConfig,
    library: Arc<Library>,
    shelf: Arc<Shelf>,
    setup: Option<TargetSetup>,
    table: Table,
    quarantine: Quarantine,
    /// Cheapest cost known per probe, as the worker knows it.
    best: Vec<Option<u32>>,
    /// Classes of the JDK whose code could not be replaced, and why.
    refused_classes: BTreeMap<ClassName, String>,
    worker: Option<Link>,
    flights: VecDeque<Flight>,
    next_batch: u32,
    workers_started: u32,
    idle_deaths: u32,
    deadline: Option<Instant>,
    writer: Writer,
    stats: Stats,
}

/// A worker and what only holds for its lifetime.
#[derive(Debug)]
struct Link {
    worker: Worker,
    classes: ClassTable,
    welcomed: Option<response::Welcome>,
    watch: Watch,
}

/// When the worker last moved, by wall clock and by its CPU time.
#[derive(Debug)]
struct Watch {
    seen: Progress,
    since: Instant,
    /// Read at the first quiet tick.
    cpu: Option<Duration>,
}

impl Watch {
    fn new(seen: Progress) -> Watch {
        Watch {
            seen,
            since: now(),
            cpu: None,
        }
    }
}

/// Which sequence a worker's end is blamed on.
#[derive(Clone, Copy, Debug)]
enum Guilty {
    /// The one it was running, as its progress words say.
    Running,
    /// The one whose answer was due: nonsense stood in its place.
    Due,
}

#[expect(
    clippy::disallowed_methods,
    reason = "time limits of child processes are kept here"
)]
fn now() -> Instant {
    Instant::now()
}

fn problem(message: String, hint: &str) -> ExecutorProblem {
    ExecutorProblem {
        message,
        hint: Some(hint.to_owned()),
    }
}

impl JvmExecutor {
    /// Starts the JVM, so that it warms up while the caller prepares a target.
    pub fn start(
        config: ExecutorConfig,
        library: Arc<Library>,
    ) -> Result<JvmExecutor, ExecutorProblem> {
        let shelf = Arc::new(Shelf::new(library.clone()));
        let mut executor = JvmExecutor {
            config,
            library,
            shelf,
            setup: None,
            table: Table::default(),
            quarantine: Quarantine::default(),
            best: Vec::new(),
            refused_classes: BTreeMap::new(),
            worker: None,
            flights: VecDeque::new(),
            next_batch: 1,
            workers_started: 0,
            idle_deaths: 0,
            deadline: None,
            writer: Writer::default(),
            stats: Stats::default(),
        };
        executor.spawn()?;
        Ok(executor)
    }

    /// Forgets the previous target. Its batches must have been collected; the worker stays if it is well.
    pub fn open_target(&mut self, setup: TargetSetup) -> Result<(), ExecutorProblem> {
        if self.flights.drain(..).any(|f| !f.is_complete()) {
            // Results nobody waits for must not be taken for the new target's.
            self.worker = None;
        }
        let platform_before = self.needs_agent();
        self.shelf.set_target(&setup.classes);
        self.refused_classes.clear();
        self.table = Table::default();
        self.quarantine = Quarantine::default();
        self.best = vec![None; setup.probes as usize];
        self.setup = Some(setup);
        if self.worker.is_none() || platform_before || self.needs_agent() {
            // Replaced code of the JDK stays for the life of a JVM.
            self.worker = None;
            return self.spawn();
        }
        self.writer.clear();
        self.write_open();
        self.flush();
        Ok(())
    }

    /// Classes of the JDK are under test.
    fn needs_agent(&self) -> bool {
        let classes = self.setup.iter().flat_map(|s| &s.classes);
        classes
            .into_iter()
            .any(|c| self.library.is_platform(&c.name))
    }

    /// Classes of the JDK that run uninstrumented although they were given, and why.
    pub fn refused_classes(&self) -> &BTreeMap<ClassName, String> {
        &self.refused_classes
    }

    /// After this moment `collect` answers at once; what did not run by then counts as killed.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Operations that are not run any more, and why.
    pub fn quarantined_operations(&self) -> &BTreeMap<OpId, String> {
        self.quarantine.operations()
    }

    /// Operations that cannot be called (a class in the way is missing or not accessible), and why.
    pub fn unusable_operations(&self) -> &BTreeMap<OpId, String> {
        &self.table.unusable
    }

    /// `java.version` of the worker, once it answered.
    pub fn java_version(&self) -> Option<&str> {
        self.worker
            .as_ref()?
            .welcomed
            .as_ref()
            .map(|w| w.java_version.as_str())
    }

    /// The worker's process, for measurements.
    pub fn worker_pid(&self) -> Option<u32> {
        self.worker.as_ref().map(|link| link.worker.process().pid())
    }

    fn spawn(&mut self) -> Result<(), ExecutorProblem> {
        self.workers_started += 1;
        let worker = Worker::start(
            &self.config.worker,
            self.needs_agent(),
            self.workers_started,
            self.shelf.clone(),
        )
        .map_err(|e| {
            let java = self.config.worker.jdk.java();
            problem(
                format!("the worker JVM {} cannot be started: {e}", java.display()),
                "check that the scratch folder is writable and the JDK complete, or name another with --jdk",
            )
        })?;
        let watch = Watch::new(Progress::default());
        self.worker = Some(Link {
            worker,
            classes: ClassTable::default(),
            welcomed: None,
            watch,
        });
        self.writer.clear();
        self.write_open();
        self.flush();
        Ok(())
    }

    /// Everything a worker must know about the target, and the batches it owes.
    fn write_open(&mut self) {
        let Some(setup) = &self.setup else { return };
        let text = |paths: &[PathBuf]| {
            paths
                .iter()
                .map(|p| p.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        let contracts: Vec<String> = setup
            .user_contracts
            .iter()
            .map(|c| c.internal().to_owned())
            .collect();
        let classpath = text(&setup.classpath);
        let open = request::Open {
            probes: setup.probes,
            sites: setup.sites,
            classpath: &classpath,
            user_contracts: &contracts,
        };
        request::open(&mut self.writer, &open);
        let platform: Vec<(&str, &[u8])> = setup
            .classes
            .iter()
            .filter(|c| self.library.is_platform(&c.name))
            .map(|c| (c.name.internal(), &*c.bytes))
            .collect();
        if !platform.is_empty() {
            request::redefine(&mut self.writer, platform.into_iter());
        }
        self.writer.raw(self.table.said());
        self.write_best();
        for i in 0..self.flights.len() {
            self.flights[i].start_over();
            self.write_batch(i);
        }
    }

    fn write_best(&mut self) {
        let known: Vec<(ProbeId, u32)> = self
            .best
            .iter()
            .enumerate()
            .filter_map(|(i, c)| c.map(|c| (ProbeId(i as u32), c)))
            .collect();
        if !known.is_empty() {
            request::best(&mut self.writer, known.into_iter());
        }
    }

    fn write_batch(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        if flight.is_complete() {
            return;
        }
        flight.number = self.next_batch;
        self.next_batch = self.next_batch.wrapping_add(1).max(1);
        let requests = flight
            .waiting()
            .iter()
            .map(|&i| &flight.requests[i as usize]);
        request::batch(
            &mut self.writer,
            flight.number,
            requests,
            self.table.codes(),
        );
    }

    /// Sends what was written. A worker that cannot be written to is ending: `collect` sees to that.
    fn flush(&mut self) {
        if let Some(link) = &self.worker {
            let _ = link.worker.process().send(self.writer.bytes());
        }
        self.writer.clear();
    }

    fn past_deadline(&self) -> bool {
        self.deadline.is_some_and(|deadline| now() >= deadline)
    }

    /// Gives up whatever is running.
    fn abandon(&mut self) {
        if self.flights.iter().any(|f| !f.is_complete()) {
            self.worker = None;
            *self.stats.deaths.entry(Death::Deadline).or_default() += 1;
        }
    }

    /// Waits for something to happen and deals with it.
    fn step(&mut self) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return self.restart(None);
        };
        match link.worker.next(TICK) {
            Some(Event::Frame { kind, payload }) => self.frame(kind, &payload),
            Some(Event::Ended(end)) => {
                if link.welcomed.is_none() {
                    return self.never_started();
                }
                let crash_report = link.worker.crash_report();
                let cause = match end.broken {
                    // A frame cut short by the JVM's own end is no protocol error.
                    Some(message) if end.status.is_none_or(|s| s.success()) => {
                        Cause::Protocol { message }
                    }
                    _ => Cause::Ended {
                        status: end.status,
                        crash_report,
                    },
                };
                self.died(&cause, Guilty::Running)
            }
            None => self.tick(),
        }
    }

    fn never_started(&mut self) -> Result<(), ExecutorProblem> {
        let Some(link) = self.worker.take() else {
            return Ok(());
        };
        let said = link.worker.process().output_tail();
        self.idle_deaths += 1;
        if self.idle_deaths < MAX_IDLE_DEATHS {
            return self.restart(Some(link));
        }
        let said = if said.is_empty() {
            "it printed nothing".to_owned()
        } else {
            format!("it printed:\n{said}")
        };
        Err(problem(
            format!(
                "the worker JVM {} ends before it answers; {said}",
                self.config.worker.jdk.java().display()
            ),
            "try another JDK with --jdk, or give it more memory",
        ))
    }

    fn frame(&mut self, frame: u8, payload: &[u8]) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return Ok(());
        };
        let outcome = match frame {
            kind::WELCOME => match response::welcome(payload) {
                Ok(welcome) => {
                    link.welcomed = Some(welcome);
                    link.watch.since = now();
                    Ok(())
                }
                Err(e) => {
                    return Err(problem(
                        format!("the worker does not fit: {e}"),
                        "reinstall the tool",
                    ));
                }
            },
            kind::OPENED => Ok(()),
            kind::DISPATCHED => response::dispatched(payload).map(|refused| {
                self.table
                    .unusable
                    .extend(refused.into_iter().map(|(op, why)| (OpId(op), why)));
            }),
            kind::REDEFINED => response::redefined(payload).map(|refused| {
                self.refused_classes.extend(
                    refused
                        .into_iter()
                        .map(|(class, why)| (ClassName::new(class), why)),
                );
            }),
            kind::RESULTS => return self.results(payload),
            kind::FAILED => {
                let message = response::text(payload).unwrap_or_else(|e| e.to_string());
                return self.died(&Cause::Protocol { message }, Guilty::Running);
            }
            found => Err(crate::protocol::WireProblem::Unexpected {
                found,
                expected: "an answer",
            }),
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(e) => self.died(
                &Cause::Protocol {
                    message: e.to_string(),
                },
                Guilty::Running,
            ),
        }
    }

    fn results(&mut self, payload: &[u8]) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return Ok(());
        };
        let mut results = match Results::new(payload) {
            Ok(results) => results,
            Err(e) => {
                return self.died(
                    &Cause::Protocol {
                        message: e.to_string(),
                    },
                    Guilty::Due,
                );
            }
        };
        let Some(flight) = self
            .flights
            .iter_mut()
            .find(|f| f.number == results.batch && !f.is_complete())
        else {
            let message = format!("results of batch {}, which is not running", results.batch);
            return self.died(&Cause::Protocol { message }, Guilty::Due);
        };
        while let Some(result) = results.next(&mut link.classes) {
            let (mut execution, index) = match (result, flight.next()) {
                (Ok(execution), Some(index)) => (execution, index),
                (Ok(_), None) => {
                    let message = "more results than sequences".to_owned();
                    return self.died(&Cause::Protocol { message }, Guilty::Due);
                }
                (Err(e), _) => {
                    return self.died(
                        &Cause::Protocol {
                            message: e.to_string(),
                        },
                        Guilty::Due,
                    );
                }
            };
            let request = &flight.requests[index as usize];
            unbox(&mut execution, request, &self.table);
            for hit in &execution.probes {
                if let Some(best) = self.best.get_mut(hit.probe.0 as usize) {
                    *best = Some(best.map_or(request.cost, |b| b.min(request.cost)));
                }
            }
            self.stats.executions += 1;
            if execution.outcome == Outcome::Normal {
                let statements = request.sequence.statements();
                self.stats.calls += statements
                    .iter()
                    .filter(|s| self.table.is_call(s.op))
                    .count() as u64;
            }
            let threads = matches!(execution.outcome, Outcome::ThreadsLeft { .. });
            let guilty = threads.then(|| {
                (
                    request.sequence.clone(),
                    request.sequence.last().map(|s| s.op),
                )
            });
            flight.answer(execution);
            self.idle_deaths = 0;
            if let Some((sequence, op)) = guilty {
                // Threads of this sequence would disturb the next ones.
                self.quarantine.add(sequence, op, Death::ThreadsLeft);
                *self.stats.deaths.entry(Death::ThreadsLeft).or_default() += 1;
                return self.restart(None);
            }
        }
        Ok(())
    }

    /// Nothing was heard for a tick: is the worker stuck?
    fn tick(&mut self) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return Ok(());
        };
        let process = link.worker.process();
        process.trim_output();
        let watch = &mut link.watch;
        if link.welcomed.is_none() {
            if now() - watch.since > self.config.start_limit {
                return self.never_started();
            }
            return Ok(());
        }
        let seen = link.worker.progress();
        if seen != watch.seen {
            *watch = Watch::new(seen);
            return Ok(());
        }
        let cpu_then = *watch.cpu.get_or_insert_with(|| process.cpu_time());
        let (limit, quiet) = (self.config.wall_limit, now() - watch.since);
        if quiet < limit {
            return Ok(());
        }
        // CPU time tells an endless loop from a starving process; threads that all sleep wait for something that will not come.
        let used = process.cpu_time().saturating_sub(cpu_then);
        if used >= limit / 2 || !process.is_busy() || quiet >= limit * STARVING_FACTOR {
            return self.died(&Cause::WallClock, Guilty::Running);
        }
        Ok(())
    }

    /// Settles the guilty sequence, if one can be named, and goes on with a fresh worker.
    fn died(&mut self, cause: &Cause, who: Guilty) -> Result<(), ExecutorProblem> {
        let Some(link) = &self.worker else {
            return Ok(());
        };
        let progress = link.worker.progress();
        let running = self.flights.iter_mut().find(|f| !f.is_complete());
        let mut guilty = None;
        if let Some(flight) = running {
            let mut statement = None;
            match who {
                Guilty::Due => guilty = flight.next(),
                Guilty::Running if progress.batch == flight.number => {
                    let position = (progress.sequence as usize).checked_sub(1);
                    guilty = position.and_then(|p| flight.at(p));
                    statement = guilty.and_then(|_| u16::try_from(progress.statement).ok());
                }
                Guilty::Running => {}
            }
            let (death, outcome) = triage(cause, statement);
            *self.stats.deaths.entry(death).or_default() += 1;
            if let Some(index) = guilty {
                let sequence = flight.requests[index as usize].sequence.clone();
                let op = statement
                    .and_then(|s| sequence.statements().get(usize::from(s)))
                    .map(|s| s.op);
                self.quarantine.add(sequence, op, death);
                flight.settle(index, outcome);
            }
        }
        if guilty.is_some() {
            self.idle_deaths = 0;
        } else {
            self.idle_deaths += 1;
            if self.idle_deaths >= MAX_IDLE_DEATHS {
                let said = link.worker.process().output_tail();
                return Err(problem(
                    format!(
                        "the worker JVM died {MAX_IDLE_DEATHS} times without running anything ({cause:?})\n{said}"
                    ),
                    "look at the JVM's message above; another JDK (--jdk) or more memory may help",
                ));
            }
        }
        self.restart(None)
    }

    fn restart(&mut self, old: Option<Link>) -> Result<(), ExecutorProblem> {
        drop(old.or_else(|| self.worker.take()));
        self.stats.restarts += 1;
        self.drop_quarantined();
        self.spawn()
    }

    /// What was locked up meanwhile is not sent again.
    fn drop_quarantined(&mut self) {
        for flight in &mut self.flights {
            flight.start_over();
            let held: Vec<u32> = flight.waiting().to_vec();
            for index in held {
                if self
                    .quarantine
                    .holds(&flight.requests[index as usize].sequence)
                {
                    flight.settle(index, Outcome::Quarantined);
                }
            }
        }
    }
}

impl Executor for JvmExecutor {
    fn submit(
        &mut self,
        operations: &Operations,
        batch: Vec<Request>,
    ) -> Result<(), ExecutorProblem> {
        if self.setup.is_none() {
            return Err(problem(
                "no target is open".to_owned(),
                "call open_target first",
            ));
        }
        self.writer.clear();
        self.table
            .extend(operations, &*self.library, &mut self.writer);
        if self.flights.is_empty()
            && let Some(link) = &mut self.worker
        {
            // It had nothing to do until now.
            link.watch = Watch::new(link.worker.progress());
        }
        let (quarantine, table) = (&self.quarantine, &self.table);
        let flight = Flight::new(batch, |request| refuse(request, quarantine, table));
        self.flights.push_back(flight);
        if self.past_deadline() {
            return Ok(());
        }
        if self.worker.is_none() {
            return self.restart(None);
        }
        self.write_batch(self.flights.len() - 1);
        self.flush();
        Ok(())
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        loop {
            let Some(front) = self.flights.front() else {
                return Err(problem(
                    "no batch is in flight".to_owned(),
                    "call submit first",
                ));
            };
            if front.is_complete() {
                break;
            }
            if self.past_deadline() {
                self.abandon();
                break;
            }
            self.step()?;
        }
        // The loop ended at a front flight.
        let unanswered = Outcome::Killed {
            statement: None,
            status: None,
        };
        Ok(self
            .flights
            .pop_front()
            .map(|f| f.into_results(&unanswered))
            .unwrap_or_default())
    }

    fn depth(&self) -> usize {
        2
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.best.fill(None);
        for &(probe, cost) in best {
            if let Some(slot) = self.best.get_mut(probe.0 as usize) {
                *slot = Some(cost);
            }
        }
        self.writer.clear();
        request::best(&mut self.writer, best.iter().copied());
        self.flush();
    }
}

fn refuse(request: &Request, quarantine: &Quarantine, table: &Table) -> Option<Outcome> {
    if quarantine.holds(&request.sequence) {
        return Some(Outcome::Quarantined);
    }
    if table.unusable.is_empty() {
        return None;
    }
    request
        .sequence
        .statements()
        .iter()
        .enumerate()
        .find_map(|(i, s)| {
            let why = table.unusable.get(&s.op)?;
            Some(Outcome::Unlinkable {
                statement: i as u16,
                message: Arc::from(why.as_str()),
            })
        })
}

/// Slots hold boxes; where the operation leaves a primitive, that is what the variable is.
fn unbox(execution: &mut Execution, request: &Request, table: &Table) {
    let statements = request.sequence.statements();
    for observation in &mut execution.observations {
        let Some(statement) = statements.get(observation.var.index()) else {
            continue;
        };
        if !table.is_primitive(statement.op) {
            continue;
        }
        observation.class = None;
        if let Some(Value::Boxed(inner)) = &mut observation.value {
            observation.value = Some(std::mem::replace(&mut **inner, Value::Null));
        }
    }
}
