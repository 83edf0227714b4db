//! Runs sequences on a worker JVM, whatever they do to it. Owns the conversation with the worker: batches in flight, time
//! limits, restarts, quarantine. Never decides what to run.
//!
//! Results come in the order of requests even if workers die in between: the guilty sequence gets its outcome, what was
//! answered is kept, everything else is sent again to a fresh worker.

mod fits;
mod flight;
mod listen;
mod quarantine;
mod recover;
mod say;
mod setup;
mod table;

pub use setup::{ExecutorConfig, Stats, TargetSetup};

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use testcase::execution::{Execution, Outcome, ProbeId};
use testcase::executor::{self, Aspect, Executor, ExecutorProblem, Request};
use testcase::operation::{OpId, Operations};

use crate::dispatch::Visibility;
use crate::library::{Library, Shelf};
use crate::protocol::request;
use crate::protocol::response::{self, ClassTable};
use crate::protocol::writer::Writer;
use crate::sandbox::Attempt;
use crate::triage::Death;
use crate::worker::{Progress, Worker};
use flight::Flight;
use quarantine::Quarantine;
use table::Table;

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
    contract_problems: Vec<String>,
    worker: Option<Link>,
    flights: VecDeque<Flight>,
    next_batch: u32,
    workers_started: u32,
    idle_deaths: u32,
    deadline: Option<Instant>,
    /// What the first JVM took to come up; `None` until it is.
    start_took: Option<Duration>,
    /// It ran something, for whatever target.
    answered: bool,
    /// Sites whose distances are measured.
    watched: Vec<executor::Watch>,
    /// In what other environments differ from the usual one.
    only: Option<Aspect>,
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
    heard: u32,
    since: Instant,
    /// Read at the first quiet tick.
    cpu: Option<Duration>,
}

impl Watch {
    fn new(seen: Progress, heard: u32) -> Watch {
        Watch { seen, heard, since: now(), cpu: None }
    }
}

#[expect(clippy::disallowed_methods, reason = "time limits of child processes are kept here")]
fn now() -> Instant {
    Instant::now()
}

fn problem(message: String, hint: &str) -> ExecutorProblem {
    ExecutorProblem { message, hint: Some(hint.to_owned()) }
}

impl JvmExecutor {
    /// Starts the JVM, so that it warms up while the caller prepares a target.
    pub fn start(config: ExecutorConfig, library: Arc<Library>) -> Result<JvmExecutor, ExecutorProblem> {
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
            contract_problems: Vec::new(),
            worker: None,
            flights: VecDeque::new(),
            next_batch: 1,
            workers_started: 0,
            idle_deaths: 0,
            deadline: None,
            start_took: None,
            answered: false,
            watched: Vec::new(),
            only: None,
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
        self.watched.clear();
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
        classes.into_iter().any(|c| self.library.is_platform(&c.name))
    }

    /// Classes of the JDK that run uninstrumented although they were given, and why.
    pub fn refused_classes(&self) -> &BTreeMap<ClassName, String> {
        &self.refused_classes
    }

    /// What is wrong with the user contracts of the open target, once the worker answered.
    pub fn contract_problems(&self) -> &[String] {
        &self.contract_problems
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
        self.worker.as_ref()?.welcomed.as_ref().map(|w| w.java_version.as_str())
    }

    /// The worker's process, for measurements.
    pub fn worker_pid(&self) -> Option<u32> {
        self.worker.as_ref().map(|link| link.worker.process().pid())
    }

    /// What the worker tried last that reaches outside of it.
    pub fn attempts(&self) -> Vec<Attempt> {
        self.worker.as_ref().map(|link| link.worker.process().attempts()).unwrap_or_default()
    }

    /// How long the deadline is put off: starting the first JVM is not counted against what runs in it. What hangs there is.
    fn grace(&self) -> Duration {
        let most = self.config.start_grace;
        if self.answered { Duration::ZERO } else { self.start_took.map_or(most, |took| took.min(most)) }
    }

    fn past_deadline(&self) -> bool {
        self.deadline.is_some_and(|deadline| now() >= deadline + self.grace())
    }
}

impl Executor for JvmExecutor {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        if self.setup.is_none() {
            return Err(problem("no target is open".to_owned(), "call open_target first"));
        }
        self.writer.clear();
        self.table.extend(operations, &*self.library, &mut self.writer);
        if self.flights.is_empty()
            && let Some(link) = &mut self.worker
        {
            // It had nothing to do until now.
            link.watch = Watch::new(link.worker.progress(), link.worker.process().heard());
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
                return Err(problem("no batch is in flight".to_owned(), "call submit first"));
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
        let unanswered = Outcome::Killed { statement: None, status: None };
        Ok(self.flights.pop_front().map(|f| f.into_results(&unanswered)).unwrap_or_default())
    }

    fn depth(&self) -> usize {
        2
    }

    fn watch(&mut self, sites: &[executor::Watch]) {
        self.watched = sites.to_vec();
        self.writer.clear();
        request::watch(&mut self.writer, sites);
        self.flush();
    }

    fn vary_only(&mut self, aspect: Option<Aspect>) {
        self.only = aspect;
    }

    fn renew(&mut self) -> bool {
        if !self.flights.is_empty() {
            return false;
        }
        if self.worker.take().is_some() {
            *self.stats.deaths.entry(Death::Renewed).or_default() += 1;
        }
        true
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
    if quarantine.holds(&request.sequence, |op| table.is_call(op)) {
        return Some(Outcome::Quarantined);
    }
    if table.unusable.is_empty() {
        return None;
    }
    request.sequence.statements().iter().enumerate().find_map(|(i, s)| {
        let why = table.unusable.get(&s.op)?;
        Some(Outcome::Unlinkable { statement: i as u16, message: Arc::from(why.as_str()) })
    })
}
