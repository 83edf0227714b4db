//! The conversation with the JVMs of a suite, from the first test to the last, over as many JVMs as the tests wear out. Owns what is
//! known so far, time limits and going on after a death; never decides what a test is worth. Runs are handed on when nothing can change them
//! any more, and not kept.

use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytecode::names::ClassName;
use bytecode::world::World;
use rustc_hash::FxHashMap;
use testcase::execution::ProbeId;
use testcase::observed::{ObservedSuite, TestOutcome, TestRun};

use super::frameworks::Frameworks;
use super::instrumenter::Instrumenter;
use super::launch::Jvm;
use super::{Sink, SuiteConfig, SuiteProblem, SuiteReport};
use crate::classpath::{ClassPath, PlatformClasses};
use crate::process::{End, Event};
use crate::protocol::response::{self, ClassTable};
use crate::protocol::suite::{self, Finished, Observe, Started, SuiteEvent};
use crate::protocol::writer::Writer;
use crate::protocol::{WireProblem, kind};

/// What a JVM that keeps its own time limits gets on top before we end it.
const GRACE: Duration = Duration::from_secs(5);
/// Nothing heard outside of tests for so long (and the limit of a test): its fixtures hang.
const SILENCE: Duration = Duration::from_secs(20);

/// How long it takes to notice that somebody wants us to stop.
const TICK: Duration = Duration::from_millis(100);

/// How the work of one JVM ended.
enum Turn {
    Done,
    /// There is more to run, by another JVM.
    Again,
    OutOfTime,
}

struct Conversation<'a> {
    config: &'a SuiteConfig,
    frameworks: Frameworks,
    code: Arc<Mutex<Instrumenter>>,
    wanted: Vec<ClassName>,
    tests: Vec<ClassName>,
    until: Instant,
    /// Without runs.
    suite: ObservedSuite,
    /// The place in the suite's members of each member that was called.
    numbers: FxHashMap<u32, u32>,
    /// Runs that may have to be changed or taken back: the last one, or those of its test if that may have to be run again.
    held: Vec<TestRun>,
    sink: Sink<'a>,
    done: Vec<String>,
    hopeless: Vec<ClassName>,
    generation: u32,
    /// The test that runs.
    current: Option<(Started, TestRun)>,
    /// What runs around tests.
    around: Option<String>,
}

pub fn run(config: &SuiteConfig, sink: Sink<'_>) -> Result<SuiteReport, SuiteProblem> {
    let platform = Arc::new(PlatformClasses::open(&config.jdk)?);
    let (classpath, mut problems) = ClassPath::open(&config.classpath, &config.jdk, platform);
    if !problems.is_empty() {
        return Err(problems.remove(0).into());
    }
    let classpath = Arc::new(classpath);
    let frameworks = Frameworks::find(&classpath, &config.tests)?;
    let world = World::new(classpath);
    let code = Instrumenter::new(&world, &config.targets, config.needs)?;
    let mut tests = config.tests.clone();
    if let Some(seed) = config.shuffle {
        shuffle(&mut tests, seed);
    }
    let mut conversation = Conversation {
        config,
        frameworks,
        wanted: code.wanted(),
        code: Arc::new(Mutex::new(code)),
        tests,
        until: now() + config.total_limit,
        suite: ObservedSuite::default(),
        numbers: FxHashMap::default(),
        held: Vec::new(),
        sink,
        done: Vec::new(),
        hopeless: Vec::new(),
        generation: 0,
        current: None,
        around: None,
    };
    let cut_short = loop {
        match conversation.turn()? {
            Turn::Done => break false,
            Turn::OutOfTime => break true,
            Turn::Again => conversation.generation += 1,
        }
    };
    Ok(conversation.report(cut_short))
}

impl Conversation<'_> {
    fn code(&self) -> MutexGuard<'_, Instrumenter> {
        self.code.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&mut self) -> Result<Turn, SuiteProblem> {
        let probes = self.code().probes;
        let jvm = Jvm::start(self.config, self.frameworks, self.generation, &self.code)?;
        let mut writer = Writer::default();
        let observe = Observe {
            needs: self.config.needs,
            probes,
            generation: self.generation,
            limit_ms: u64::try_from(self.config.test_limit.as_millis()).unwrap_or(u64::MAX),
            frameworks: self.frameworks.bits,
            shuffle: self.config.shuffle,
            tests: &self.tests,
            done: &self.done,
            targets: &self.config.targets,
            wanted: &self.wanted,
            hopeless: &self.hopeless,
        };
        suite::observe(&mut writer, &observe);
        // If the JVM is gone, its end is the next event.
        jvm.process.send(writer.take());
        let mut classes = ClassTable::default();
        let done_before = self.done.len();
        let mut heard = now();
        let mut ended_test = false;
        loop {
            let limit = if self.current.is_some() { GRACE } else { SILENCE } + self.config.test_limit;
            let until = (heard + limit).min(self.until);
            let event = jvm.process.next(until.saturating_duration_since(now()).min(TICK));
            if self.config.stop.load(Ordering::Relaxed) {
                return Err(SuiteProblem::Stopped);
            }
            let Some(event) = event else {
                if now() < until {
                    continue;
                }
                if now() >= self.until {
                    self.close(TestOutcome::TimedOut);
                    return Ok(Turn::OutOfTime);
                }
                if !self.close(TestOutcome::TimedOut) {
                    return self.outside(&jvm, "does not end", done_before);
                }
                return Ok(Turn::Again);
            };
            heard = now();
            jvm.process.trim_output();
            match event {
                Event::Frame { kind, payload } => match self.frame(kind, &payload, &mut classes)? {
                    Progress::Done => return Ok(Turn::Done),
                    Progress::Tests => {}
                    Progress::Last => ended_test = true,
                },
                Event::Ended(end) => {
                    let how = died(&end);
                    if ended_test {
                        if let Some(TestRun { outcome: TestOutcome::Died { how: known }, .. }) = self.held.last_mut()
                            && end.status.is_some_and(|s| s.code().is_some_and(|c| c != ENDED_TEST))
                        {
                            *known = Arc::from(how.as_str());
                        }
                        return Ok(Turn::Again);
                    }
                    if self.close(TestOutcome::Died { how: Arc::from(how.as_str()) }) {
                        return Ok(Turn::Again);
                    }
                    return self.outside(&jvm, &format!("ended the JVM ({how})"), done_before);
                }
            }
        }
    }

    /// The JVM is lost to something that is no test: leaves it out, and what is in it.
    fn outside(&mut self, jvm: &Jvm, what: &str, done_before: usize) -> Result<Turn, SuiteProblem> {
        if let Some(around) = self.around.take() {
            self.note(format!("{around} {what} outside of its tests; what is left of it was not run"));
            self.done.push(around);
            return Ok(Turn::Again);
        }
        if self.done.len() > done_before {
            return Ok(Turn::Again);
        }
        Err(SuiteProblem::Ended { output: jvm.process.output_tail() })
    }

    fn frame(&mut self, kind: u8, payload: &[u8], classes: &mut ClassTable) -> Result<Progress, SuiteProblem> {
        match kind {
            kind::STARTED => {
                self.close(TestOutcome::TimedOut);
                let started = suite::started(payload)?;
                let run = TestRun {
                    method: started.method.clone(),
                    class: started.class.clone(),
                    display: started.display.clone(),
                    outcome: TestOutcome::TimedOut,
                    calls: Vec::new(),
                    unrecorded: 0,
                    assertions: Vec::new(),
                    probes: Vec::new(),
                    micros: 0,
                };
                self.done.push(started.unit.clone());
                self.current = Some((started, run));
            }
            kind::EVENTS => self.events(payload, classes)?,
            kind::FINISHED => return self.finished(payload),
            kind::OUTSIDE => self.suite.outside_probes.extend(suite::probes(payload)?),
            kind::NOTE => self.note(response::text(payload)?),
            kind::AROUND => self.around = Some(response::text(payload)?),
            kind::OBSERVED => return Ok(Progress::Done),
            kind::FAILED => return Err(SuiteProblem::Failed { message: response::text(payload)? }),
            found => return Err(WireProblem::Unexpected { found, expected: "news of a suite" }.into()),
        }
        Ok(Progress::Tests)
    }

    fn events(&mut self, payload: &[u8], classes: &mut ClassTable) -> Result<(), SuiteProblem> {
        let Some((_, run)) = &mut self.current else {
            return Err(WireProblem::Unexpected { found: kind::EVENTS, expected: "the start of a test" }.into());
        };
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        suite::events(payload, classes, &code.members, |event| match event {
            SuiteEvent::Call(call) => run.calls.push(call),
            SuiteEvent::Assertion { member, arguments } => {
                let after = run.calls.len() as u32;
                run.assertions.push(suite::assertion(&code.members[member as usize], after, arguments));
            }
        })?;
        Ok(())
    }

    fn finished(&mut self, payload: &[u8]) -> Result<Progress, SuiteProblem> {
        let Some((started, mut run)) = self.current.take() else {
            return Err(WireProblem::Unexpected { found: kind::FINISHED, expected: "the start of a test" }.into());
        };
        match suite::finished(payload)? {
            Finished::EqualsHung(class) => {
                self.note(format!(
                    "equals of {} does not end; its objects are compared by their states",
                    class.binary()
                ));
                self.hopeless.push(class);
                // It is run again, by the next JVM.
                self.done.retain(|unit| *unit != started.unit);
                self.held.retain(|known| !is_same_test(known, &run));
                Ok(Progress::Last)
            }
            Finished::Test { outcome, micros, unrecorded, probes } => {
                let last = matches!(outcome, TestOutcome::TimedOut | TestOutcome::Died { .. });
                run.outcome = outcome;
                run.micros = micros;
                run.unrecorded = unrecorded;
                run.probes = probes;
                self.hold(run);
                Ok(if last { Progress::Last } else { Progress::Tests })
            }
        }
    }

    /// Ends the test that runs, if one does.
    fn close(&mut self, outcome: TestOutcome) -> bool {
        let Some((_, mut run)) = self.current.take() else {
            return false;
        };
        run.outcome = outcome;
        self.hold(run);
        true
    }

    fn hold(&mut self, run: TestRun) {
        // An equals that hangs takes a test's runs back.
        let may_be_repeated = self.config.needs.equals_reads || self.config.needs.equals_classes;
        if !may_be_repeated || self.held.last().is_some_and(|last| !is_same_test(last, &run)) {
            self.release();
        }
        self.held.push(run);
    }

    fn release(&mut self) {
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        for mut run in self.held.drain(..) {
            // Members in the order of their first call, without those nobody called.
            for call in &mut run.calls {
                let known = &mut self.suite.members;
                call.member = *self.numbers.entry(call.member).or_insert_with_key(|member| {
                    known.push(code.members[*member as usize].clone());
                    known.len() as u32 - 1
                });
            }
            (self.sink)(&self.suite.members, run);
        }
    }

    fn note(&mut self, text: String) {
        if !self.suite.notes.contains(&text) {
            self.suite.notes.push(text);
        }
    }

    fn report(mut self, cut_short: bool) -> SuiteReport {
        self.release();
        let mut code = self.code();
        let (measured, probes) = (std::mem::take(&mut code.measured), code.probes);
        let notes = std::mem::take(&mut code.notes);
        drop(code);
        for text in notes {
            self.note(text);
        }
        let mut suite = self.suite;
        suite.outside_probes.sort_unstable();
        suite.outside_probes.dedup();
        suite.outside_probes.retain(|ProbeId(probe)| *probe < probes);
        SuiteReport { suite, classes: measured, probes, restarts: self.generation, cut_short }
    }
}

fn is_same_test(a: &TestRun, b: &TestRun) -> bool {
    a.method == b.method && a.class == b.class
}

enum Progress {
    Done,
    Tests,
    /// The JVM ends now, and says nothing more.
    Last,
}

/// With this status a JVM ends after a test that cost it its life and was told.
const ENDED_TEST: i32 = 71;

fn died(end: &End) -> String {
    let Some(status) = end.status else {
        return "nobody knows how".to_owned();
    };
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit with status {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => status.to_string(),
    }
}

/// Fisher and Yates, with a generator good enough for orders.
fn shuffle(tests: &mut [ClassName], seed: u64) {
    let mut state = seed;
    for i in (1..tests.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        tests.swap(i, ((z ^ (z >> 31)) % (i as u64 + 1)) as usize);
    }
}

#[expect(clippy::disallowed_methods, reason = "time limits of child processes are kept here")]
fn now() -> Instant {
    Instant::now()
}
