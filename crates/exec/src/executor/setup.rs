//! What an executor is told and what it tells about itself. Owns plain data only.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use bytecode::instrument::MonitoredField;
use bytecode::names::ClassName;

use crate::library::TargetClass;
use crate::triage::Death;
use crate::worker::WorkerConfig;

/// How an executor works.
#[derive(Clone, Debug)]
pub struct ExecutorConfig {
    pub worker: WorkerConfig,
    /// A sequence that makes no progress for so long loses its worker.
    pub wall_limit: Duration,
    /// A JVM that does not answer the handshake for so long is given up.
    pub start_limit: Duration,
    /// As long as nothing has run, deadlines are put off by what starting the first JVM takes, but no more than this.
    pub start_grace: Duration,
}

impl ExecutorConfig {
    pub fn new(worker: WorkerConfig) -> ExecutorConfig {
        ExecutorConfig {
            worker,
            wall_limit: Duration::from_secs(2),
            start_limit: Duration::from_secs(30),
            start_grace: Duration::ZERO,
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
    /// Fields that the instrumented classes read, by number (`Instrumented::fields`). With any, observations that have a state also have the part of it
    /// that equals methods of these classes compare. The classes then need `Plan::reads` with numbers from 0.
    pub fields: Vec<MonitoredField>,
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
