//! One class from its bytes to its suite: prepare, search, refine, verify. Owns the order of these phases and their deadlines; the policy of each
//! is elsewhere.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::archive::Size;
use engine::budget::Budget;
use engine::outcome::{Outcome, SuiteTest};
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use exec::executor::{JvmExecutor, TargetSetup};
use exec::library::TargetClass;
use exec::triage::Death;
use symbolic::solver::Chain;
use testcase::assertion::TestCase;
use testcase::execution::Thrown;
use testcase::executor::ExecutorProblem;
use testcase::subtyping::Subtyping;
use testcase::suite::{JUnitVersion, Suite};
use testcase::suite_name::SuiteName;

use crate::args::JUnit;
use crate::crew::Crew;
use crate::delivery::Delivery;
use crate::documented;
use crate::failure::Failure;
use crate::flakiness::Flakiness;
use crate::from_tests;
use crate::junit_writer::JUnitWriter;
use crate::jvm_bench::JvmBench;
use crate::log::Level;
use crate::mutation::{self, Bounds, Mutation};
use crate::plan::{Sight, Worth, for_mutants, most_worth, thorough};
use crate::progress::{ClassProgress, Moment};
use crate::report::convergence::Curve;
use crate::report::summary::{self, counted};
use crate::report::why_none::ENDED_EARLY;
use crate::report::{ClassReport, Status, finding, from_outcome};
use crate::run::{ClassOutcome, ClassRunner, now};
use crate::selection::{Target, is_platform, missing_references, preflight};
use crate::span;
use crate::verify::{self, RenderedFile, Verdict};
use crate::workshop::Workshop;

/// How often the screen is told.
const SHOWN_EVERY: Duration = Duration::from_millis(120);

/// How often the compiler is looked after while it warms up.
const TENDED_EVERY: Duration = Duration::from_millis(20);

/// Less than this cannot be kept even on a quiet machine.
const SHORTEST: Duration = Duration::from_millis(1500);

/// So often is a suite made smaller that is too large to be compiled in time.
const SMALLER_SUITES: usize = 3;

/// Once interrupted, verifying what was found takes no longer.
const INTERRUPTED: Duration = Duration::from_secs(4);

/// What runs when the search ends may run so much longer.
const SLACK: Duration = Duration::from_millis(150);

/// What may end a search before its budget does: every goal is covered or cannot be reached.
const NOTHING_LEFT: &str = "nothing left to cover";

/// One job's way of doing classes.
pub struct Pipeline<'w> {
    workshop: &'w Workshop<'w>,
    job: usize,
    /// Kept between classes, so that its JVM stays warm.
    executor: Option<JvmExecutor>,
    /// Those that search with it, likewise.
    others: Vec<JvmExecutor>,
}

impl<'w> Pipeline<'w> {
    pub fn new(workshop: &'w Workshop<'w>, job: usize) -> Pipeline<'w> {
        Pipeline { workshop, job, executor: None, others: Vec::new() }
    }
}

impl ClassRunner for Pipeline<'_> {
    fn run(&mut self, target: &Target, budget: Option<Duration>, progress: &ClassProgress<'_>) -> ClassOutcome {
        let project = self.workshop.project;
        let class = target.class.binary();
        let jdk = format!("the JDK in {}", project.jdk.home.display());
        match preflight(&project.world, target, &jdk, project.jdk.max_class_version()) {
            Err(failure) => return ClassOutcome::failed(class, project.explained(failure)),
            Ok(Some(skip)) => {
                let mut report = ClassReport::new(class, Status::Skipped);
                report.notes.push(skip.0);
                return ClassOutcome { report, files: Vec::new(), delivery: Delivery::default(), failure: None };
            }
            Ok(None) => {}
        }
        self.tested(target, budget, progress).unwrap_or_else(|failure| ClassOutcome::failed(class, failure))
    }
}

fn worker_failed(problem: ExecutorProblem) -> Failure {
    Failure::WorkerFailed { message: problem.message, hint: problem.hint }
}

impl Pipeline<'_> {
    fn tested(
        &mut self,
        target: &Target,
        budget: Option<Duration>,
        progress: &ClassProgress<'_>,
    ) -> Result<ClassOutcome, Failure> {
        let started = now();
        let workshop = self.workshop;
        let world = &*workshop.project.world;
        progress.phase("preparing");
        let mut report = ClassReport::new(target.class.binary(), Status::Tested);
        let missing = missing_references(world, target);
        if !missing.is_empty() {
            report.notes.push(format!("refers to classes that are missing: {}", missing.join(", ")));
        }
        let fresh = self.executor.is_none();
        let mut executor = match self.executor.take() {
            Some(executor) => executor,
            None => self.start_executor(0)?,
        };
        let mut others = std::mem::take(&mut self.others);
        let suite_name = workshop.project.suite_name(&target.class)?;
        let form = Suite::new(suite_name, junit_version(workshop.common.junit));
        let platform = is_platform(world, &target.class);
        report.notes.extend(workshop.project.why_elsewhere(&target.class));
        let library = &workshop.library;
        let options = workshop.options(&target.class);
        for number in others.len() + 1..workshop.workers(&options) {
            others.push(self.start_executor(number)?);
        }
        let deaths_before = deaths(&executor, &others);
        let mut instrumentation = if platform { library.platform_plan() } else { library.target_plan() };
        instrumentation.infections = options.evolve.weak_mutants;
        instrumentation.reads = !platform && options.needs().equals_reads;
        let prepared = target::prepare(world, &target.class, &form.package, &instrumentation)
            .map_err(|p| Failure::Malformed { name: p.name().binary(), cause: p.to_string() })?;
        report.notes.extend(prepared.notes.iter().cloned());
        for worker in std::iter::once(&mut executor).chain(&mut others) {
            worker.open_target(setup(workshop, &prepared)).map_err(worker_failed)?;
        }
        let goals = prepared.goals();
        let reaches = prepared.reaches(world, &goals);
        let solver = workshop.solver.clone();
        let chains = solver.map(|solver| Arc::new(move || solver.chain()) as Arc<dyn Fn() -> Chain + Send + Sync>);
        let library = WorldLibrary::new(world, &prepared).with_chains(chains);
        let mut session = Session::new(&library, goals, reaches, options).map_err(|e| Failure::Usage(e.to_string()))?;
        if let Some(suite) = &workshop.existing {
            report.notes.extend(from_tests::notes(&session.seed(suite)));
        }
        let mutation = workshop.with_mutants().then(|| Mutation::prepare(&prepared, &workshop.library, platform));
        let reserved = budget.and_then(|b| mutation.as_ref().map(|m| m.reserve(b))).unwrap_or_default();
        let end = budget.map(|b| started + b);
        let mut bench = bench(workshop, self.job, suite_name, end);
        report.seconds.prepare = started.elapsed().as_secs_f64();

        let search_started = now();
        // Known better with every test that is found.
        let thorough = budget.map_or(1.0, thorough);
        let sight = Cell::new(Sight { mutation: reserved, thorough, ..Sight::default() });
        let answered: Cell<Option<Instant>> = Cell::new(None);
        let collected: Cell<Option<Instant>> = Cell::new(None);
        let plan = || budget.map(|b| workshop.planner.plan(b, &sight.get()));
        // However slowly the JVM started, something is to be found.
        let search_until = || {
            let least = answered.get()? + budget? * 3 / 20;
            Some(plan()?.search_until).map(|until| least.max(started + until))
        };
        // A sequence that hangs just before the end must not eat what the later phases need.
        // A JVM that starts slowly is waited for: without it there is nothing to deliver. What was begun before the plan changed is waited for as well.
        let deadline = || match collected.get() {
            Some(last) => search_until().map(|until| until.max(last) + SLACK),
            None => end,
        };
        let mut limits = Budget {
            max_executions: workshop.common.max_executions,
            expired: Box::new(|| workshop.interrupt.is_set() || search_until().is_some_and(is_past)),
            at_once: Box::new(|| {
                let left = search_until().map(|until| until.saturating_duration_since(now()));
                left.map_or(usize::MAX, |left| sight.get().at_once(left))
            }),
        };
        let mut shown = search_started;
        let mut tended = search_started;
        let mut curve = Curve::new(&workshop.common.technique);
        let mut show = |p: &engine::session::Progress| {
            let moment = now();
            curve.add(p, moment.duration_since(search_started).as_secs_f64());
            if answered.get().is_none() {
                answered.set(Some(moment));
                if fresh {
                    workshop.planner.saw_first_answer(moment.duration_since(started));
                }
            }
            // The JVM's start is no measure of what runs cost.
            let took = collected.get().map_or(Duration::ZERO, |last| moment.duration_since(last));
            let seen = sight.get();
            let executions = (p.executions + p.thinking).saturating_sub(seen.executions);
            sight.set(Sight { archived: p.archived, suspicions: p.suspicions, ..seen.and(executions, took) });
            collected.set(Some(moment));
            if moment.duration_since(tended) >= TENDED_EVERY {
                tended = moment;
                let left = search_until().map_or(Duration::MAX, |until| until.saturating_duration_since(moment));
                workshop.compiler.tend(left, &workshop.planner);
            }
            if moment.duration_since(shown) >= SHOWN_EVERY {
                shown = moment;
                let (covered, total) = (p.goals.covered as usize, p.goals.total as usize);
                progress.searching(Moment { executions: p.executions, covered, total });
            }
        };
        let mut crew = Crew::new(&mut executor, &mut others, &deadline);
        if let Err(problem) = session.run(&mut crew, &mut limits, &mut show) {
            // What was found so far still makes a suite, on a worker that knows nothing of the trouble.
            report.notes.push(format!("{ENDED_EARLY}: {}", problem.message));
            others.clear();
            executor = self.start_executor(0)?;
            executor.open_target(setup(workshop, &prepared)).map_err(worker_failed)?;
        }
        report.seconds.search = search_started.elapsed().as_secs_f64();
        report.convergence = curve.finish();
        report.tell(session.figures());
        if session.search().goals.is_complete() {
            report.notes.push(NOTHING_LEFT.to_string());
        }
        if let Some(trouble) = workshop.solver.as_ref().and_then(|solver| solver.trouble()) {
            report.notes.push(trouble);
        }
        report.notes.extend(report.explored.as_ref().map(from_tests::told));

        progress.phase("minimising");
        let refine_started = now();
        bench.get_ready();
        let refine_until = plan().map(|p| started + p.refine_until);
        // Shrinking ends in time; finding assertions may take somewhat longer, and what has none by then goes without.
        executor.set_deadline(refine_until.map(|r| r + (budget.unwrap_or_default() / 10).max(SLACK * 2)));
        let mut limits = Budget {
            max_executions: None,
            expired: Box::new(|| workshop.interrupt.is_set() || refine_until.is_some_and(is_past)),
            at_once: Box::new(|| usize::MAX),
        };
        let mut outcome = session.finish(&mut executor, &mut limits).map_err(worker_failed)?;
        report.notes.extend(documented::weigh(&workshop.common.sources, &workshop.compiler, world, &mut outcome));
        report.deaths = deaths_since(&deaths_before, &deaths(&executor, &others));
        let refused = executor.refused_classes().iter();
        report.notes.extend(refused.map(|(class, why)| format!("{} is not measured: {why}", class.binary())));
        report.notes.extend(executor.contract_problems().iter().map(|p| format!("a contract cannot be used: {p}")));
        report.notes.extend(from_outcome::lost(&outcome));
        let mut expired = || workshop.interrupt.is_set() || refine_until.is_some_and(is_past);
        let culprits = match session.diagnose(&mut executor, &mut expired) {
            Ok(culprits) => culprits,
            Err(problem) => {
                report
                    .notes
                    .push(format!("it is not known why some calls differ from run to run: {}", problem.message));
                Vec::new()
            }
        };
        let flakiness = Flakiness::new(world, &outcome.operations, &culprits);
        executor.set_deadline(None);
        report.seconds.refine = refine_started.elapsed().as_secs_f64();
        let mut measured = None;
        let mutating = now();
        let verifying = workshop.planner.verifying(size(&outcome));
        let is_late = end.is_some_and(|e| e.saturating_duration_since(mutating) < verifying * 3 / 4);
        let as_they_are = session.search().options.exhaustive.keep_all;
        let all_assertions = workshop.common.expert.all_assertions;
        if mutation.is_some() && is_late && !as_they_are && !all_assertions {
            // Better tests that nobody has weighed than none.
            report
                .notes
                .push("mutants were not run for want of time; a larger budget chooses assertions better".into());
            mutation::plain(&mut outcome);
        } else if let Some(mutation) = mutation {
            progress.phase("mutating");
            let until = end.map(|e| mutating + for_mutants(e.saturating_duration_since(mutating), verifying, reserved));
            executor.set_deadline(until.map(|u| u + SLACK));
            let interrupted = || workshop.interrupt.is_set();
            let bounds = Bounds {
                until,
                interrupted: &interrupted,
                max_executions: workshop.common.max_executions,
                all_assertions,
                as_they_are,
            };
            let setup = setup(workshop, &prepared);
            match mutation.filter(&mut executor, setup, &mut session, &mut outcome, &bounds) {
                Ok(done) => measured = Some(done),
                Err(problem) => {
                    report.notes.push(format!("mutants could not be run: {}", problem.message));
                    mutation::plain(&mut outcome);
                }
            }
            executor.set_deadline(None);
            report.seconds.mutation = mutating.elapsed().as_secs_f64();
        }
        if workshop.common.max_executions.is_none() {
            // Runs that must repeat exactly start every class on a fresh worker.
            self.executor = Some(executor);
            self.others = others;
        }

        progress.phase("verifying");
        let verify_started = now();
        let mut left_out = Vec::new();
        if let Some(end) = end {
            // A little late is better than fewer tests.
            let left = (end + budget.unwrap_or_default() / 16).saturating_duration_since(verify_started);
            let affordable = workshop.planner.affordable(left, size(&outcome));
            left_out = shortened(&mut outcome, affordable);
        }
        if workshop.interrupt.is_set() {
            bench.deadline = Some(now() + INTERRUPTED);
        }
        let finished = Finished { form: &form, failing: suite_name.failing(), subtyping: library.subtyping() };
        let verdict = self.verify(&finished, &mut outcome, &mut left_out, &mut bench)?;
        report.seconds.compile = bench.compiling.as_secs_f64();
        report.seconds.verify = bench.running.as_secs_f64();
        if let Some(budget) = budget {
            let refine = Duration::from_secs_f64(report.seconds.refine);
            workshop.planner.learn(&sight.get(), size(&outcome), (refine, verify_started.elapsed()));
            report.notes.extend(overrun(budget, started.elapsed()));
        }
        from_outcome::fill(&mut report, world, &outcome, &verdict, &left_out);
        flakiness.tell(world, &outcome, &verdict, &mut report);
        let delivery = Delivery::new(&outcome, &verdict, measured);
        report.mutation = delivery.mutation();
        report.seconds.total = started.elapsed().as_secs_f64();
        self.tell(&outcome, &verdict, &report, progress);
        let place = |f: RenderedFile| (Path::new(if f.failing { "failing" } else { "tests" }).join(f.path), f.text);
        let files: Vec<(PathBuf, String)> = verdict.files.into_iter().map(place).collect();
        report.files = files.iter().map(|(path, _)| path.display().to_string()).collect();
        Ok(ClassOutcome { report, files, delivery, failure: None })
    }

    /// The job's worker of this number; 0 is the one that does everything besides searching.
    fn start_executor(&self, number: usize) -> Result<JvmExecutor, Failure> {
        let config = self.workshop.executor_config(self.job, number);
        JvmExecutor::start(config, self.workshop.library.clone()).map_err(worker_failed)
    }

    /// Where the time went, and what the report has no room for, goes to the log.
    fn tell(&self, outcome: &Outcome, verdict: &Verdict, report: &ClassReport, progress: &ClassProgress<'_>) {
        let say = |level: Level, text: String| {
            if self.workshop.log.line(level, &format!("  {text}")) {
                progress.note(&text);
            }
        };
        let stats = &outcome.stats;
        say(Level::Step, summary::phases(report));
        for note in &report.notes {
            say(Level::Step, note.clone());
        }
        say(
            Level::Detail,
            format!(
                "{} in the archive, {} and {} after {} of reduction; {} left out, {} unconfirmed",
                counted(stats.archived, "sequence"),
                counted(outcome.suite.len(), "test"),
                counted(outcome.findings.len(), "finding"),
                counted(stats.reduction_executions as usize, "execution"),
                stats.lost.iter().sum::<usize>(),
                stats.unconfirmed
            ),
        );
        let totals = &outcome.totals;
        say(
            Level::Detail,
            format!(
                "of {} runs {} ended normally, {} threw, {} failed otherwise",
                totals.executions, totals.normal, totals.threw, totals.fatal
            ),
        );
        for (index, why) in &verdict.weakened {
            say(Level::Step, format!("test {} lost its assertions: {why}", index + 1));
        }
        for test in &verdict.dropped {
            say(Level::Step, format!("{} dropped ({:?}): {}", test.name, test.reason, test.detail));
        }
    }

    /// Compiles and runs passing and failing tests, in this order; what comes back may be delivered. If the compiler is too slow for all of them, there are
    /// fewer.
    fn verify(
        &self,
        finished: &Finished<'_>,
        outcome: &mut Outcome,
        left_out: &mut Vec<SuiteTest>,
        bench: &mut JvmBench<'_>,
    ) -> Result<Verdict, Failure> {
        let stated = |test: &TestCase, thrown: Option<&Thrown>| verify::Stated {
            test: test.clone(),
            thrown: thrown.map(|t| t.class.clone()),
        };
        for _ in 0..SMALLER_SUITES {
            let passing = outcome.suite.iter().map(|t| (stated(&t.test, None), None));
            let failing = outcome.findings.iter();
            let failing = failing
                .map(|f| (stated(&f.test, f.thrown.as_ref()), Some(finding::comment(&self.workshop.project.world, f))));
            let (tests, comments) = passing.chain(failing).unzip();
            let Finished { form, failing, subtyping } = finished;
            let writer = JUnitWriter {
                form: (*form).clone(),
                failing: failing.clone(),
                comments,
                operations: &outcome.operations,
                subtyping,
            };
            match verify::verify(tests, &writer, bench) {
                Err(Failure::CompilerTooSlow { .. }) => {
                    let statements: usize = outcome.suite.iter().map(|t| t.test.sequence.len()).sum();
                    left_out.extend(shortened(outcome, statements / 5));
                }
                Err(failure) => return Err(failure),
                Ok(verdict) => {
                    if self.workshop.project.targets.len() > 1 {
                        bench.hand_over(&self.workshop.gathered())?;
                    }
                    return Ok(verdict);
                }
            }
        }
        left_out.append(&mut outcome.suite);
        outcome.findings.clear();
        Ok(Verdict::default())
    }
}

/// Where this class's suite is compiled and run.
fn bench<'w>(workshop: &'w Workshop<'_>, job: usize, name: &SuiteName, end: Option<Instant>) -> JvmBench<'w> {
    let scratch = workshop.scratch(&format!("suite-{job}-{}", name.passing()));
    let jdk = &workshop.project.jdk;
    let classpath = workshop.test_classpath.clone();
    let mut bench = JvmBench::new(&workshop.compiler, jdk, &workshop.runtime, classpath, scratch);
    bench.seed = workshop.common.seed;
    bench.heaps = workshop.heaps();
    bench.sandboxed = !workshop.common.expert.no_sandbox;
    bench.deadline = end;
    bench
}

/// What verification needs besides the tests.
struct Finished<'a> {
    form: &'a Suite,
    /// Name of the class for tests that fail.
    failing: String,
    subtyping: &'a Subtyping<'a>,
}

fn setup(workshop: &Workshop<'_>, prepared: &target::Target) -> TargetSetup {
    let classes = prepared.classes.iter();
    TargetSetup {
        probes: prepared.probes,
        sites: prepared.sites,
        classes: classes
            .map(|c| TargetClass { name: c.info.name.clone(), index: c.index, bytes: c.bytes.clone() })
            .collect(),
        user_contracts: workshop.contracts.clone(),
        fields: prepared.fields.clone(),
        classpath: workshop.project.classpath.paths(),
    }
}

fn junit_version(version: JUnit) -> JUnitVersion {
    match version {
        JUnit::Four => JUnitVersion::Four,
        JUnit::Five => JUnitVersion::Five,
    }
}

fn deaths(first: &JvmExecutor, others: &[JvmExecutor]) -> BTreeMap<Death, u64> {
    let mut all = first.stats().deaths.clone();
    for (death, n) in others.iter().flat_map(|worker| &worker.stats().deaths) {
        *all.entry(*death).or_default() += n;
    }
    all
}

fn deaths_since(before: &BTreeMap<Death, u64>, now: &BTreeMap<Death, u64>) -> BTreeMap<String, u64> {
    let new = now.iter().map(|(death, n)| (*death, n - before.get(death).copied().unwrap_or(0)));
    // Being stopped at the end of the time is no death of the code's making.
    new.filter(|(death, n)| *n > 0 && *death != Death::Deadline)
        .map(|(death, n)| (death_name(death).to_string(), n))
        .collect()
}

fn death_name(death: Death) -> &'static str {
    match death {
        Death::Exited => "exited",
        Death::Killed => "killed",
        Death::Crashed => "crashed",
        Death::WallClock => "hung",
        Death::Protocol => "protocol",
        Death::ThreadsLeft => "threads-left",
        Death::Spoilt => "initialiser-cut-short",
        Death::Deadline => "deadline",
        Death::Renewed => "replaced",
    }
}

fn size(outcome: &Outcome) -> Size {
    let tests = outcome.suite.len() + outcome.findings.len();
    Size { tests, statements: outcome.suite.iter().map(|t| t.test.sequence.len()).sum() }
}

/// Takes out the tests there is no time to verify, those with the least to lose first.
fn shortened(outcome: &mut Outcome, statements: usize) -> Vec<SuiteTest> {
    let findings: usize = outcome.findings.iter().map(|f| f.test.sequence.len()).sum();
    let worth: Vec<_> =
        outcome.suite.iter().map(|t| Worth { statements: t.test.sequence.len(), goals: t.goals.clone() }).collect();
    let kept = most_worth(&worth, statements.saturating_sub(findings).max(statements / 2));
    let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(&mut outcome.suite).into_iter().zip(kept).partition(|(_, k)| *k);
    outcome.suite = stay.into_iter().map(|(test, _)| test).collect();
    go.into_iter().map(|(test, _)| test).collect()
}

/// A word to the user if the budget was not kept.
fn overrun(budget: Duration, took: Duration) -> Option<String> {
    let slack = (budget / 10).max(Duration::from_millis(100));
    (took > budget + slack).then(|| {
        let why = if budget < SHORTEST {
            "because starting JVMs and compiling alone takes more than a second"
        } else {
            "because finishing what was found took longer than foreseen"
        };
        format!("took {} instead of {}, {why}", span::show(took), span::show(budget))
    })
}

fn is_past(moment: Instant) -> bool {
    now() >= moment
}
