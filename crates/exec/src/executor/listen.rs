//! What the executor hears from its worker, and what silence means. Owns the dispatch of messages and the wall clock.

use std::time::Duration;

use bytecode::names::ClassName;
use testcase::execution::{Execution, Outcome};
use testcase::executor::{ExecutorProblem, Request};
use testcase::operation::OpId;
use testcase::value::Value;

use super::fits::{Bounds, misfit};
use super::recover::Guilty;
use super::table::Table;
use super::{JvmExecutor, Watch, now, problem};
use crate::process::Event;
use crate::protocol::response::{self, Results};
use crate::protocol::{WireProblem, kind};
use crate::triage::{Cause, Death};

/// How often a silent worker is looked at.
const TICK: Duration = Duration::from_millis(20);
/// Under heavy load a runnable thread may starve: only this many limits end it then.
const STARVING_FACTOR: u32 = 5;
/// More equals-classes than a worker ever numbers.
const CLASSES_PER_WORKER: u64 = 1 << 32;

impl JvmExecutor {
    /// Waits for something to happen and deals with it.
    pub(super) fn step(&mut self) -> Result<(), ExecutorProblem> {
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
                    Some(message) if end.status.is_none_or(|s| s.success()) => Cause::Protocol { message },
                    _ => Cause::Ended { status: end.status, crash_report },
                };
                self.died(&cause, Guilty::Running)
            }
            None => self.tick(),
        }
    }

    fn frame(&mut self, frame: u8, payload: &[u8]) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return Ok(());
        };
        let outcome = match frame {
            kind::WELCOME => match response::welcome(payload) {
                Ok(welcome) => {
                    link.welcomed = Some(welcome);
                    self.start_took.get_or_insert(now() - link.watch.since);
                    link.watch.since = now();
                    Ok(())
                }
                Err(e) => {
                    return Err(problem(format!("the worker does not fit: {e}"), "reinstall the tool"));
                }
            },
            kind::OPENED => response::opened(payload).map(|problems| self.contract_problems = problems),
            kind::DISPATCHED => response::dispatched(payload).map(|refused| {
                self.table.unusable.extend(refused.into_iter().map(|(op, why)| (OpId(op), why)));
            }),
            kind::REDEFINED => response::redefined(payload).map(|refused| {
                self.refused_classes.extend(refused.into_iter().map(|(class, why)| (ClassName::new(class), why)));
            }),
            kind::RESULTS => return self.results(payload),
            kind::FAILED => {
                let message = response::text(payload).unwrap_or_else(|e| e.to_string());
                return self.died(&Cause::Protocol { message }, Guilty::Running);
            }
            found => Err(WireProblem::Unexpected { found, expected: "an answer" }),
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(e) => self.died(&Cause::Protocol { message: e.to_string() }, Guilty::Running),
        }
    }

    fn results(&mut self, payload: &[u8]) -> Result<(), ExecutorProblem> {
        let Some(link) = &mut self.worker else {
            return Ok(());
        };
        let mut results = match Results::new(payload) {
            Ok(results) => results,
            Err(e) => {
                return self.died(&Cause::Protocol { message: e.to_string() }, Guilty::Due);
            }
        };
        let Some(flight) = self.flights.iter_mut().find(|f| f.number == results.batch && !f.is_complete()) else {
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
                    return self.died(&Cause::Protocol { message: e.to_string() }, Guilty::Due);
                }
            };
            let request = &flight.requests[index as usize];
            let bounds = Bounds {
                statements: request.sequence.len(),
                probes: self.setup.as_ref().map_or(0, |setup| setup.probes),
                sites: self.setup.as_ref().map_or(0, |setup| setup.sites),
                equals_classes: CLASSES_PER_WORKER,
            };
            if let Some(what) = misfit(&execution, &bounds) {
                let message = format!("{what} does not fit its sequence");
                return self.died(&Cause::Protocol { message }, Guilty::Due);
            }
            unbox(&mut execution, request, &self.table);
            for class in execution.observations.iter_mut().filter_map(|o| o.equals_class.as_mut()) {
                // A new worker counts from zero again, with representatives of its own.
                *class += self.stats.restarts * CLASSES_PER_WORKER;
            }
            for hit in execution.probes.iter().filter(|hit| execution.came_back(hit.statement)) {
                if let Some(best) = self.best.get_mut(hit.probe.0 as usize) {
                    *best = Some(best.map_or(request.cost, |b| b.min(request.cost)));
                }
            }
            self.stats.executions += 1;
            self.answered = true;
            if execution.outcome == Outcome::Normal {
                let statements = request.sequence.statements();
                self.stats.calls += statements.iter().filter(|s| self.table.is_call(s.op)).count() as u64;
            }
            // Threads of this sequence would disturb the next ones; a class it spoilt would fail them.
            let death = match execution.outcome {
                Outcome::ThreadsLeft { .. } => Some(Death::ThreadsLeft),
                _ if results.spoilt => Some(Death::Spoilt),
                _ => None,
            };
            let guilty = death.map(|death| {
                let last = request.sequence.len().checked_sub(1);
                (death, request.fault.is_none().then(|| request.sequence.clone()), last)
            });
            if death.is_none() {
                self.quarantine.saw(&request.sequence, &execution);
            }
            flight.answer(execution);
            self.idle_deaths = 0;
            if let Some((death, sequence, last)) = guilty {
                // What a fault does is not the sequence's doing.
                if let Some(sequence) = sequence {
                    self.quarantine.add(sequence, last, death, |op| self.table.is_call(op));
                }
                *self.stats.deaths.entry(death).or_default() += 1;
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
        let heard = process.heard();
        // While it waits for a class, it waits for us.
        if seen != watch.seen || heard != watch.heard || heard % 2 == 1 {
            *watch = Watch::new(seen, heard);
            return Ok(());
        }
        let cpu_then = *watch.cpu.get_or_insert_with(|| process.cpu_time());
        // Outside a sequence only our own code runs: opening a target, defining dispatchers.
        let at_work = seen.sequence > 0 && self.flights.iter().any(|f| f.number == seen.batch);
        let limit = if at_work { self.config.wall_limit } else { self.config.start_limit };
        let quiet = now() - watch.since;
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
