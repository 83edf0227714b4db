//! The subcommands: from parsed arguments to an exit code. Owns what is printed before and after a run; never looks into a class.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use exec::sandbox::layers;

use crate::args::{Common, Generate};
use crate::doctor;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::from_tests;
use crate::interrupt::Interrupt;
use crate::log::{Level, Log};
use crate::out_dir::OutDir;
use crate::pipeline::Pipeline;
use crate::progress::Progress;
use crate::project::Project;
use crate::report::{JdkReport, Options, Report, SCHEMA, SandboxReport, Seconds, finding, summary};
use crate::run::{ClassRunner, Ended, Settings, Surroundings, now, run_all};
use crate::screen;
use crate::solver::External;
use crate::workshop::Workshop;

const DEFAULT_BUDGET: Duration = Duration::from_secs(10);

pub fn generate(arguments: &Generate, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let common = &arguments.common;
    check_technique(common)?;
    let started = now();
    let project = Project::open(common.jdk.as_deref(), &arguments.targets, &arguments.classpath)?;
    let ended = run(&project, common, started, interrupt)?;
    if ended.failure.is_none() || ended.report.classes.len() > 1 {
        let findings = screen::layout(&finding::list(&ended.report.classes));
        let closing = screen::one_line(&closing_line(&ended, common));
        screen::print(&format!("{}{findings}{closing}\n", summary::table(&ended.report)));
    }
    match ended.failure {
        Some(failure) => Err(failure),
        None => Ok(ended.code),
    }
}

/// Before anything is opened or written.
pub fn check_technique(common: &Common) -> Result<(), Failure> {
    engine::generate::register::technique(&common.technique).map(|_| ()).map_err(|e| Failure::Usage(e.to_string()))
}

/// Everything between an opened project and a finished report.
pub fn run(
    project: &Project,
    common: &Common,
    started: std::time::Instant,
    interrupt: &Interrupt,
) -> Result<Ended, Failure> {
    if common.expert.require_sandbox {
        doctor::require_sandbox()?;
    }
    // Seen to work before anything is written.
    let solver = common.expert.solver.as_deref().map(External::start).transpose()?;
    let out = OutDir::open(&common.out)?;
    let notice = out.notice().map(str::to_string);
    let log = Log::new(out.append_only("testudo.log")?, common.verbose);
    let progress = Progress::new(project.targets.len());
    log.line(Level::Step, &format!("testudo {} with {}", env!("CARGO_PKG_VERSION"), project.jdk.home.display()));
    let sandbox = sandbox(common);
    for warning in project.warnings.iter().chain(&sandbox.warnings).chain(&notice) {
        log.line(Level::Step, &format!("warning: {warning}"));
        progress.line(&format!("warning: {warning}"));
    }
    // With a number of executions the clock has no say unless it was asked for, too.
    let budget = common.budget.or(common.max_executions.is_none().then_some(DEFAULT_BUDGET));
    let mut workshop = Workshop::open(project, common, budget, &log, interrupt)?;
    workshop.solver = solver;
    if let Some(tests) = &common.exploring.from_tests {
        log.line(Level::Step, &format!("running the tests in {}", tests.display()));
        let existing = from_tests::observed(&workshop, tests)?;
        for note in &existing.notes {
            log.line(Level::Step, &format!("existing tests: {note}"));
        }
        workshop.existing = Some(existing);
    }
    let settings = Settings {
        budget,
        total_deadline: common.total_budget.map(|t| started + t),
        jobs: usize::from(common.jobs),
        seed: common.seed,
        fail_on: common.fail_on,
        started,
    };
    let report = Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        jdk: JdkReport { home: project.jdk.home.display().to_string(), version: project.jdk.feature },
        options: options(common, budget),
        sandbox,
        classes: Vec::new(),
        interrupted: false,
        together: None,
        seconds: Seconds::default(),
    };
    let jobs = AtomicUsize::new(0);
    let make = || Box::new(Pipeline::new(&workshop, jobs.fetch_add(1, Ordering::SeqCst))) as Box<dyn ClassRunner + '_>;
    let surroundings = Surroundings { out: &out, settings: &settings, log: &log, progress: &progress, interrupt };
    run_all(&surroundings, &project.targets, report, &make, &workshop)
}

fn options(common: &Common, budget: Option<Duration>) -> Options {
    Options {
        technique: common.technique.clone(),
        seed: common.seed,
        budget_seconds: budget.map(|b| b.as_secs_f64()),
        total_budget_seconds: common.total_budget.map(|b| b.as_secs_f64()),
        max_executions: common.max_executions,
        junit: common.junit.number(),
        prune: common.expert.prune.name().to_string(),
        max_length: common.expert.max_length,
        null_ratio: common.expert.null_ratio,
        past_exceptions: common.expert.past_exceptions,
    }
}

fn sandbox(common: &Common) -> SandboxReport {
    if common.expert.no_sandbox {
        let warning = "the sandbox is off: code under test runs with this user's rights, may write files, use the network and start programs";
        return SandboxReport { active: false, warnings: vec![warning.to_string()] };
    }
    let layers = layers();
    SandboxReport {
        active: layers.iter().any(|layer| matches!(layer.name, "files" | "calls") && layer.missing.is_none()),
        warnings: doctor::warning(&layers).into_iter().collect(),
    }
}

/// Where everything is.
pub fn closing_line(ended: &Ended, common: &Common) -> String {
    let tests: usize = ended.report.classes.iter().map(|c| c.tests).sum();
    let findings: usize = ended.report.classes.iter().map(|c| c.findings.len()).sum();
    let folder: PathBuf = common.out.clone();
    let mut line = format!("{} in {}", summary::counted(tests, "verified test"), folder.join("tests").display());
    if findings > 0 {
        line.push_str(&format!(", {} in {}", summary::counted(findings, "finding"), folder.join("failing").display()));
    }
    line.push_str(&format!("; details in {}", folder.join("report.json").display()));
    line
}
