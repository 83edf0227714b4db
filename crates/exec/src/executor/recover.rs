//! What happens when a worker is no more: blame, quarantine, a fresh worker. Owns the end of workers.

use testcase::execution::Outcome;
use testcase::executor::ExecutorProblem;

use super::{JvmExecutor, Link, problem};
use crate::triage::{Cause, Death, triage};

/// Deaths in a row without any result before the executor gives up.
const MAX_IDLE_DEATHS: u32 = 3;

/// Which sequence a worker's end is blamed on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guilty {
    /// The one it was running, as its progress words say.
    Running,
    /// The one whose answer was due: nonsense stood in its place.
    Due,
}

impl JvmExecutor {
    /// Gives up whatever is running.
    pub(super) fn abandon(&mut self) {
        if self.flights.iter().any(|f| !f.is_complete()) {
            self.worker = None;
            *self.stats.deaths.entry(Death::Deadline).or_default() += 1;
        }
    }

    pub(super) fn never_started(&mut self) -> Result<(), ExecutorProblem> {
        let Some(link) = self.worker.take() else {
            return Ok(());
        };
        let said = link.worker.process().output_tail();
        self.idle_deaths += 1;
        if self.idle_deaths < MAX_IDLE_DEATHS {
            return self.restart(Some(link));
        }
        let said = if said.is_empty() { "it printed nothing".to_owned() } else { format!("it printed:\n{said}") };
        Err(problem(
            format!("the worker JVM {} ends before it answers; {said}", self.config.worker.jdk.java().display()),
            "try another JDK with --jdk, or give it more memory",
        ))
    }

    /// Settles the guilty sequence, if one can be named, and goes on with a fresh worker.
    pub(super) fn died(&mut self, cause: &Cause, who: Guilty) -> Result<(), ExecutorProblem> {
        let Some(link) = &self.worker else {
            return Ok(());
        };
        let progress = link.worker.progress();
        let later: Vec<u32> = self.flights.iter().skip_while(|f| f.is_complete()).skip(1).map(|f| f.number).collect();
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
                    // It ran the whole batch, and this answer never came.
                    guilty = guilty.or_else(|| flight.next());
                }
                Guilty::Running if later.contains(&progress.batch) => guilty = flight.next(),
                Guilty::Running => {}
            }
            let (death, outcome) = triage(cause, statement);
            *self.stats.deaths.entry(death).or_default() += 1;
            if let Some(index) = guilty {
                let request = &flight.requests[index as usize];
                // What a fault does is not the sequence's doing.
                if request.fault.is_none() {
                    let sequence = request.sequence.clone();
                    self.quarantine.add(sequence, statement.map(usize::from), death, |op| self.table.is_call(op));
                }
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
                    format!("the worker JVM died {MAX_IDLE_DEATHS} times without running anything ({cause:?})\n{said}"),
                    "look at the JVM's message above; another JDK (--jdk) or more memory may help",
                ));
            }
        }
        self.restart(None)
    }

    pub(super) fn restart(&mut self, old: Option<Link>) -> Result<(), ExecutorProblem> {
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
                if self.quarantine.holds(&flight.requests[index as usize].sequence, |op| self.table.is_call(op)) {
                    flight.settle(index, Outcome::Quarantined);
                }
            }
        }
    }
}
