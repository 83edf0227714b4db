//! All classes of a run: jobs side by side, each class's files as soon as it is done, the report, the end. Owns the order of things and
//! the total budget; what happens to one class is behind [`ClassRunner`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::audit;
use crate::delivery::{Delivery, Gone};
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::log::{Level, Log};
use crate::out_dir::OutDir;
use crate::progress::{ClassProgress, Progress};
use crate::report::sarif;
use crate::report::summary::counted;
use crate::report::why_none;
use crate::report::{ClassReport, Report, Status, TogetherReport};
use crate::selection::Target;
use crate::span;
use crate::together::{End, Joint};
use crate::verify::culprit::TestName;

/// What became of one class.
#[derive(Debug)]
pub struct ClassOutcome {
    pub report: ClassReport,
    /// Path relative to the output folder, and content.
    pub files: Vec<(PathBuf, String)>,
    /// The tests in them that pass.
    pub delivery: Delivery,
    /// Why it has no suite, if so.
    pub failure: Option<Failure>,
}

impl ClassOutcome {
    pub fn failed(class: String, failure: Failure) -> ClassOutcome {
        let mut report = ClassReport::new(class, Status::Failed);
        report.notes.push(failure.to_string());
        ClassOutcome { report, files: Vec::new(), delivery: Delivery::default(), failure: Some(failure) }
    }
}

/// Does one class. One per job; may keep a worker JVM between classes.
pub trait ClassRunner {
    /// `budget`: wall clock from now, or `None` if the clock does not steer.
    fn run(&mut self, target: &Target, budget: Option<Duration>, progress: &ClassProgress<'_>) -> ClassOutcome;
}

/// Which findings make the command end with a code of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// None: findings are results like any other.
    Nothing,
    /// Any finding, warnings included.
    Findings,
    /// Findings that are more than warnings.
    Errors,
}

impl FailOn {
    fn applies(self, report: &Report) -> bool {
        let mut findings = report.classes.iter().flat_map(|c| &c.findings);
        match self {
            FailOn::Nothing => false,
            FailOn::Findings => findings.next().is_some(),
            FailOn::Errors => findings.any(|f| f.severity == "error"),
        }
    }
}

/// What holds for the whole run.
pub struct Settings {
    pub budget: Option<Duration>,
    pub total_deadline: Option<Instant>,
    pub jobs: usize,
    pub seed: u64,
    pub fail_on: FailOn,
    /// When the command began.
    pub started: Instant,
}

impl Settings {
    /// Of a total budget, what is kept for running all suites together.
    fn reserve(&self, classes: usize) -> Duration {
        if classes < 2 {
            return Duration::ZERO;
        }
        let total = self.total_deadline.map_or(Duration::ZERO, |d| d.saturating_duration_since(self.started));
        (total / 20).min(Duration::from_secs(30))
    }

    /// How long running the suites of so many classes together may take.
    fn joint_deadline(&self, classes: usize) -> Option<Instant> {
        let rows = u32::try_from(classes.div_ceil(self.jobs.max(1))).unwrap_or(u32::MAX);
        let tenth = self.budget.map(|b| b.saturating_mul(rows) / 10);
        let own = tenth.map(|t| now() + t.clamp(Duration::from_secs(3), Duration::from_secs(120)));
        match (own, self.total_deadline) {
            (Some(own), Some(total)) => Some(own.min(total)),
            (own, total) => own.or(total),
        }
    }
}

pub struct Ended {
    pub report: Report,
    pub code: ExitCode,
    /// The first class's trouble if no class could be tested.
    pub failure: Option<Failure>,
}

/// Where a run happens.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub out: &'a OutDir,
    pub settings: &'a Settings,
    pub log: &'a Log,
    pub progress: &'a Progress,
    pub interrupt: &'a Interrupt,
}

/// What the jobs share.
struct Shared<'a> {
    surroundings: &'a Surroundings<'a>,
    next: AtomicUsize,
    state: Mutex<State>,
}

struct State {
    report: Report,
    failures: Vec<(String, Failure)>,
    /// The output folder gave out: everybody stops.
    broken: Option<Failure>,
    report_written: Option<Instant>,
    delivered: Vec<Done>,
}

/// What a class delivered.
struct Done {
    class: String,
    files: Vec<(PathBuf, String)>,
    delivery: Delivery,
}

/// The report is written at most this often before the end.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Runs all targets. `runner` makes one [`ClassRunner`] per job.
pub fn run_all<'r>(
    surroundings: &Surroundings<'_>,
    targets: &[Target],
    report: Report,
    runner: &(dyn Fn() -> Box<dyn ClassRunner + 'r> + Sync),
    joint: &dyn Joint,
) -> Result<Ended, Failure> {
    let Surroundings { out, settings, interrupt, .. } = *surroundings;
    let state =
        Mutex::new(State { report, failures: Vec::new(), broken: None, report_written: None, delivered: Vec::new() });
    let shared = Shared { surroundings, next: AtomicUsize::new(0), state };
    std::thread::scope(|scope| {
        for _ in 1..settings.jobs.min(targets.len()) {
            scope.spawn(|| work(&shared, targets, runner));
        }
        work(&shared, targets, runner);
    });
    let mut state = shared.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(failure) = state.broken {
        return Err(failure);
    }
    together(surroundings, &mut state, joint)?;
    state.report.interrupted = interrupt.is_set();
    state.report.seconds.total = settings.started.elapsed().as_secs_f64();
    state.report.classes.sort_by(|a, b| a.class.cmp(&b.class));
    out.write(Path::new("report.json"), state.report.to_json().as_bytes())?;
    out.write(Path::new("findings.sarif"), sarif::log(&state.report).as_bytes())?;
    if let Some(message) = audit::mismatch(&state.report, out) {
        let failure = Failure::Internal { message, seed: settings.seed };
        return Ok(Ended { report: state.report, code: failure.exit_code(), failure: Some(failure) });
    }
    state.failures.sort_by(|a, b| a.0.cmp(&b.0));
    let (code, failure) = conclude(&state.report, settings.fail_on, state.failures);
    Ok(Ended { report: state.report, code, failure })
}

/// Runs all suites in one JVM and takes back the tests that do not go together. Whatever goes wrong with that loses no suite.
fn together(surroundings: &Surroundings<'_>, state: &mut State, joint: &dyn Joint) -> Result<(), Failure> {
    let Surroundings { out, settings, log, progress, interrupt } = *surroundings;
    state.delivered.retain(|done| done.delivery.names().next().is_some());
    if state.delivered.len() < 2 {
        return Ok(());
    }
    state.delivered.sort_by(|a, b| a.class.cmp(&b.class));
    let tests: Vec<TestName> = state.delivered.iter().flat_map(|d| d.delivery.names().cloned()).collect();
    let mut told = TogetherReport { tests: tests.len(), ..TogetherReport::default() };
    let deadline = settings.joint_deadline(state.delivered.len());
    if interrupt.is_set() {
        told.note = Some("interrupted".to_string());
    } else if deadline.is_some_and(|d| d.saturating_duration_since(now()) < Duration::from_millis(500)) {
        told.note = Some("the total budget was spent".to_string());
    } else {
        match joint.settle(&tests, deadline) {
            Ok(settled) => {
                told.verified = settled.end == End::Finished;
                told.note = settled.end.trouble().map(str::to_string);
                told.dropped = settled.gone.len();
                for gone in &settled.gone {
                    log.line(Level::Step, &format!("  {} dropped ({:?}): {}", gone.name, gone.reason, gone.detail));
                }
                let undone = take_back(out, state, &settled.gone, joint)?;
                if let Some(undone) = undone {
                    (told.verified, told.note) = (false, Some(undone));
                }
            }
            Err(failure) => told.note = Some(failure.to_string()),
        }
    }
    let mut line = format!("all suites together: {}", counted(told.tests, "test"));
    if told.dropped > 0 {
        line.push_str(&format!(", {} dropped", told.dropped));
    }
    if let Some(note) = &told.note {
        line.push_str(&format!("; not verified: {note}"));
    }
    log.line(Level::Step, &line);
    progress.line(&line);
    state.report.together = Some(told);
    Ok(())
}

/// Says why, if some of them had to stay after all: nothing is written that was not compiled.
fn take_back(out: &OutDir, state: &mut State, gone: &[Gone], joint: &dyn Joint) -> Result<Option<String>, Failure> {
    let mut undone = None;
    for done in &state.delivered {
        let Some(report) = state.report.classes.iter_mut().find(|c| c.class == done.class) else {
            continue;
        };
        let before = report.clone();
        let source = |(file, text): &(usize, String)| (done.files[*file].0.clone(), text.clone());
        // Tidying may take too much away; then all imports stay.
        let mut accepted = Err("without them it does not compile".to_string());
        for tidy in [true, false] {
            *report = before.clone();
            let changed = done.delivery.take_back(gone, report, &done.files, tidy);
            let sources: Vec<_> = changed.iter().filter(|(_, text)| !text.is_empty()).map(source).collect();
            match if sources.is_empty() { Ok(true) } else { joint.compiles(&sources) } {
                Ok(true) => accepted = Ok(changed),
                Ok(false) => continue,
                Err(failure) => accepted = Err(failure.to_string()),
            }
            break;
        }
        match accepted {
            Ok(changed) => {
                for (file, text) in changed {
                    let path = &done.files[file].0;
                    if text.is_empty() { out.remove(path)? } else { out.write(path, text.as_bytes())? }
                }
            }
            Err(why) => {
                *report = before;
                undone = Some(format!("tests of {} that break others are still there: {why}", done.class));
                report.notes.extend(undone.clone());
            }
        }
    }
    Ok(undone)
}

fn conclude(report: &Report, fail_on: FailOn, failures: Vec<(String, Failure)>) -> (ExitCode, Option<Failure>) {
    let delivered = report.classes.iter().any(|c| c.tests > 0 || !c.findings.is_empty());
    let all_failed = failures.len() == report.classes.len();
    if report.interrupted {
        return (ExitCode::Interrupted, None);
    }
    let internal = failures.iter().position(|(_, f)| f.exit_code() == ExitCode::Internal);
    let mut failures = failures;
    match internal {
        Some(position) => (ExitCode::Internal, Some(failures.swap_remove(position).1)),
        None if fail_on.applies(report) => (ExitCode::Findings, None),
        None if delivered || report.classes.is_empty() => (ExitCode::Success, None),
        None if all_failed => (failures[0].1.exit_code(), Some(failures.swap_remove(0).1)),
        None => {
            let why = why_none::main_reason(&report.classes);
            (ExitCode::NothingDelivered, Some(Failure::NothingDelivered { classes: report.classes.len(), why }))
        }
    }
}

fn work<'r>(shared: &Shared<'_>, targets: &[Target], make: &(dyn Fn() -> Box<dyn ClassRunner + 'r> + Sync)) {
    let mut runner: Option<Box<dyn ClassRunner + 'r>> = None;
    loop {
        let index = shared.next.fetch_add(1, Ordering::SeqCst);
        let Some(target) = targets.get(index) else {
            return;
        };
        if shared.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).broken.is_some() {
            return;
        }
        let outcome = one(shared, (index, targets.len()), target, &mut runner, make);
        deliver(shared, outcome);
    }
}

fn one<'r>(
    shared: &Shared<'_>,
    (index, count): (usize, usize),
    target: &Target,
    runner: &mut Option<Box<dyn ClassRunner + 'r>>,
    make: &(dyn Fn() -> Box<dyn ClassRunner + 'r> + Sync),
) -> ClassOutcome {
    let class = target.class.binary();
    let skipped = |why: &str| {
        let mut report = ClassReport::new(class.clone(), Status::Skipped);
        report.notes.push(why.to_string());
        ClassOutcome { report, files: Vec::new(), delivery: Delivery::default(), failure: None }
    };
    if shared.surroundings.interrupt.is_set() {
        return skipped("not begun: interrupted");
    }
    let started = now();
    let settings = shared.surroundings.settings;
    let budget = match budget_now(settings, started, (count - index, count)) {
        // The first classes pay for opening everything.
        Ok(budget) if index < settings.jobs => budget.map(|b| b.saturating_sub(settings.started.elapsed()).max(b / 2)),
        Ok(budget) => budget,
        Err(why) => return skipped(why),
    };
    shared.surroundings.log.line(Level::Detail, &format!("{class}: begins"));
    let progress = shared.surroundings.progress.class(&class, budget);
    let result = catch_unwind(AssertUnwindSafe(|| runner.get_or_insert_with(make).run(target, budget, &progress)));
    let mut outcome = result.unwrap_or_else(|panic| {
        // Whatever state it was in, it is not used again.
        *runner = None;
        let message = panic_text(panic.as_ref());
        ClassOutcome::failed(class.clone(), Failure::Internal { message, seed: shared.surroundings.settings.seed })
    });
    outcome.report.seconds.total = started.elapsed().as_secs_f64();
    let line = outcome_line(&outcome.report);
    shared.surroundings.log.line(Level::Step, &format!("{class}: {line}"));
    // The trouble of a single class is what the command ends with.
    progress.finish((count > 1 || outcome.failure.is_none()).then_some(line.as_str()));
    outcome
}

/// This class's share of the time, with so many classes left of so many.
fn budget_now(
    settings: &Settings,
    now: Instant,
    (left, count): (usize, usize),
) -> Result<Option<Duration>, &'static str> {
    let Some(deadline) = settings.total_deadline else {
        return Ok(settings.budget);
    };
    let remaining = (deadline - settings.reserve(count)).saturating_duration_since(now);
    if remaining < Duration::from_millis(200) {
        return Err("not begun: the total budget was spent");
    }
    let rows = left.div_ceil(settings.jobs.max(1)).max(1);
    let share = remaining / u32::try_from(rows).unwrap_or(u32::MAX);
    Ok(Some(settings.budget.map_or(share, |b| b.min(share))))
}

fn deliver(shared: &Shared<'_>, outcome: ClassOutcome) {
    let written =
        outcome.files.iter().try_for_each(|(path, text)| shared.surroundings.out.write(path, text.as_bytes()));
    let mut state = shared.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(failure) = outcome.failure {
        state.failures.push((outcome.report.class.clone(), failure));
    }
    state.delivered.push(Done {
        class: outcome.report.class.clone(),
        files: outcome.files,
        delivery: outcome.delivery,
    });
    state.report.classes.push(outcome.report);
    let mut result = written;
    if result.is_ok() && state.report_written.is_none_or(|t| t.elapsed() >= REPORT_INTERVAL) {
        state.report.seconds.total = shared.surroundings.settings.started.elapsed().as_secs_f64();
        result = shared.surroundings.out.write(Path::new("report.json"), state.report.to_json().as_bytes());
        state.report_written = Some(now());
    }
    if let Err(failure) = result {
        state.broken.get_or_insert(failure);
    }
}

/// One line on a class for people.
fn outcome_line(report: &ClassReport) -> String {
    if report.status != Status::Tested {
        return report.notes.first().cloned().unwrap_or_default();
    }
    let branches = report.goals.get("branch").copied().unwrap_or_default();
    let mut line = counted(report.tests, "test");
    if branches.total > 0 {
        line.push_str(&format!(", {}/{} branches", branches.covered, branches.total));
    }
    if !report.findings.is_empty() {
        line.push_str(&format!(", {}", counted(report.findings.len(), "finding")));
    }
    line.push_str(&format!(
        ", {} executions, {}",
        report.executions,
        span::show(Duration::from_secs_f64(report.seconds.total))
    ));
    line
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string()))
        .unwrap_or_else(|| "a panic without a message".to_string())
}

#[expect(clippy::disallowed_methods, reason = "the command line may look at the clock")]
pub fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests;
