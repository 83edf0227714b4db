//! What the executor says to its worker: the target, what it owes, batches. Owns the order of messages.

use std::path::PathBuf;

use testcase::execution::ProbeId;
use testcase::executor::ExecutorProblem;

use super::{JvmExecutor, Link, Watch, problem};
use crate::dispatch::Visibility;
use crate::protocol::request;
use crate::protocol::response::ClassTable;
use crate::worker::{Progress, Worker};

impl JvmExecutor {
    pub(super) fn spawn(&mut self) -> Result<(), ExecutorProblem> {
        self.workers_started += 1;
        let worker = Worker::start(&self.config.worker, self.needs_agent(), self.workers_started, self.shelf.clone())
            .map_err(|e| {
            let java = self.config.worker.jdk.java();
            problem(
                format!("the worker JVM {} cannot be started: {e}", java.display()),
                "check that the scratch folder is writable and the JDK complete, or name another with --jdk",
            )
        })?;
        let watch = Watch::new(Progress::default(), 0);
        self.worker = Some(Link { worker, classes: ClassTable::default(), welcomed: None, watch });
        self.writer.clear();
        self.write_open();
        self.flush();
        Ok(())
    }

    /// Everything a worker must know about the target, and the batches it owes.
    pub(super) fn write_open(&mut self) {
        let Some(setup) = &self.setup else { return };
        let text = |paths: &[PathBuf]| paths.iter().map(|p| p.to_string_lossy().into_owned()).collect::<Vec<_>>();
        let contracts: Vec<String> = setup.user_contracts.iter().map(|c| c.internal().to_owned()).collect();
        let classpath = text(&setup.classpath);
        // Classes of the JDK are initialised long before.
        let first: Vec<String> = setup
            .classes
            .iter()
            .filter(|c| !self.library.is_platform(&c.name))
            .take(1)
            .map(|c| c.name.internal().to_owned())
            .collect();
        let open = request::Open {
            probes: setup.probes,
            sites: setup.sites,
            classpath: &classpath,
            user_contracts: &contracts,
            first: &first,
            fields: &setup.fields,
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
        if !self.watched.is_empty() {
            request::watch(&mut self.writer, &self.watched);
        }
        for i in 0..self.flights.len() {
            self.flights[i].start_over();
            self.write_batch(i);
        }
    }

    pub(super) fn write_best(&mut self) {
        let known: Vec<(ProbeId, u32)> =
            self.best.iter().enumerate().filter_map(|(i, c)| c.map(|c| (ProbeId(i as u32), c))).collect();
        if !known.is_empty() {
            request::best(&mut self.writer, known.into_iter());
        }
    }

    pub(super) fn write_batch(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        if flight.is_complete() {
            return;
        }
        flight.number = self.next_batch;
        self.next_batch = self.next_batch.wrapping_add(1).max(1);
        let requests = flight.waiting().iter().map(|&i| &flight.requests[i as usize]);
        request::batch(&mut self.writer, flight.number, requests, self.table.codes(), self.only);
    }

    /// Sends what was written. A worker that cannot be written to is ending: `collect` sees to that.
    pub(super) fn flush(&mut self) {
        let frames = self.writer.take();
        if let Some(link) = &self.worker {
            link.worker.process().send(frames);
        }
    }
}
