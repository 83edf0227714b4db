//! `report.json` as types: what a run did, class by class, method by method. Owns the shape of the file, documented in
//! `docs/book/report.md`; computes nothing. Everything that depends on the clock sits in `seconds` objects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use engine::generate::Share;

use crate::flakiness::Cause;
use crate::screen;

pub mod blame;
pub mod convergence;
mod figures;
pub mod finding;
pub mod from_outcome;
pub mod infeasible;
pub mod mutation;
pub mod sarif;
pub mod summary;
pub mod why_none;

/// Raised when a field changes meaning or goes away; new fields may come without.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    pub version: String,
    pub jdk: JdkReport,
    pub options: Options,
    pub sandbox: SandboxReport,
    /// All suites in one JVM; absent where there is no more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<TogetherReport>,
    /// In order of class name.
    pub classes: Vec<ClassReport>,
    /// True if the run was interrupted, so that classes may be missing or cut short.
    pub interrupted: bool,
    /// Wall clock of the whole command.
    pub seconds: Seconds,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JdkReport {
    pub home: String,
    /// Feature version: 17, 25, …
    pub version: u16,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    pub technique: String,
    pub seed: u64,
    /// `None`: the clock did not steer.
    pub budget_seconds: Option<f64>,
    pub total_budget_seconds: Option<f64>,
    pub max_executions: Option<u64>,
    pub junit: u8,
    pub prune: String,
    pub max_length: u16,
    pub null_ratio: f64,
    pub past_exceptions: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SandboxReport {
    pub active: bool,
    /// What the kernel could not offer, or why it is off.
    pub warnings: Vec<String>,
}

/// The suites of all classes, run together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TogetherReport {
    /// Tests that were run together.
    pub tests: usize,
    /// Those of them that had to go; each class lists its own.
    pub dropped: usize,
    /// All that are left were seen to pass together.
    pub verified: bool,
    /// Why not.
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Seconds {
    pub total: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Searched, and the suite (perhaps empty, then `notes` say why) was verified.
    Tested,
    /// Not worth or not possible to test; `notes` say why.
    Skipped,
    /// Something went wrong; `notes` say what.
    Failed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassReport {
    /// Binary name: `com.acme.Foo$Bar`.
    pub class: String,
    pub status: Status,
    pub notes: Vec<String>,
    /// By kind: `branch`, `line`, `method`, …
    pub goals: BTreeMap<String, GoalCount>,
    /// Delivered tests (in `tests/`).
    pub tests: usize,
    pub statements: usize,
    pub assertions: usize,
    pub findings: Vec<FindingReport>,
    /// Tests found but not delivered.
    pub dropped: Vec<Dropped>,
    /// Methods whose results are not the same every time, the worst first; nothing is asserted of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsteady: Vec<UnsteadyReport>,
    pub methods: Vec<MethodReport>,
    /// Goals that no test can reach, in the order of methods and lines; they are among the `goals` all the same, as coverage tools count them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub infeasible: Vec<infeasible::InfeasibleReport>,
    /// Absent if mutants were not asked for, or there was nothing to run against them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<mutation::MutationReport>,
    /// How far an exploration of states got; absent for techniques that do not explore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<ExploredReport>,
    /// What was solved for branches that stayed open; absent if nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverReport>,
    /// How the search went; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convergence: Option<convergence::Convergence>,
    /// What breeding tests took; absent for techniques that breed none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evolved: Option<EvolvedReport>,
    /// Empty if only one technique was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<ShareReport>,
    /// Paths relative to the output folder.
    pub files: Vec<String>,
    /// Sequences run, and calls made by them.
    pub executions: u64,
    pub calls: u64,
    /// Worker JVMs that had to be replaced, by cause.
    pub deaths: BTreeMap<String, u64>,
    pub seconds: PhaseSeconds,
}

impl ClassReport {
    pub fn new(class: String, status: Status) -> ClassReport {
        ClassReport {
            class,
            status,
            notes: Vec::new(),
            goals: BTreeMap::new(),
            tests: 0,
            statements: 0,
            assertions: 0,
            findings: Vec::new(),
            dropped: Vec::new(),
            unsteady: Vec::new(),
            methods: Vec::new(),
            infeasible: Vec::new(),
            mutation: None,
            explored: None,
            solver: None,
            convergence: None,
            evolved: None,
            shares: Vec::new(),
            files: Vec::new(),
            executions: 0,
            calls: 0,
            deaths: BTreeMap::new(),
            seconds: PhaseSeconds::default(),
        }
    }
}

/// How sides of branches were solved for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverReport {
    /// Goals tried for, each as often as it was.
    pub tries: u64,
    /// Runs on the symbolic machine.
    pub runs: u64,
    /// Questions to the solver; those without an answer are in neither of the next two.
    pub questions: u64,
    pub satisfiable: u64,
    pub unsatisfiable: u64,
    /// Sequences that were run on a JVM for it, and goals they were the first to cover there.
    pub proposed: u64,
    pub goals: u64,
    /// Runs that ended for want of a model, by what there is no model of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unmodelled: BTreeMap<String, u64>,
}

impl From<&engine::generate::stuck::Solved> for SolverReport {
    fn from(solved: &engine::generate::stuck::Solved) -> SolverReport {
        SolverReport {
            tries: solved.tries,
            runs: solved.runs,
            questions: solved.questions,
            satisfiable: solved.satisfiable,
            unsatisfiable: solved.unsatisfiable,
            proposed: solved.proposed,
            goals: solved.goals,
            unmodelled: solved.unmodelled.clone(),
        }
    }
}

/// What `exhaustive` has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExploredReport {
    /// Different states of objects under test.
    pub states: usize,
    /// Different method executions, those of existing tests not included.
    pub executions: usize,
    /// Iterations that are complete.
    pub iterations: u32,
    /// No new states were left, or all iterations asked for are done and no state was left out.
    pub complete: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalCount {
    pub total: usize,
    pub covered: usize,
}

impl GoalCount {
    /// `None` if there is nothing to cover.
    pub fn percent(self) -> Option<f64> {
        (self.total > 0).then(|| 100.0 * self.covered as f64 / self.total as f64)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingReport {
    /// Name of the contract: `equals-hash-code`, `null-pointer`, …
    pub contract: String,
    /// In words.
    pub description: String,
    /// The call after which it showed.
    pub method: String,
    /// `error` or `warning`.
    pub severity: String,
    /// How sure it is that this is a bug: `high`, `medium` or `warning`.
    pub confidence: String,
    /// Reasons for this confidence, in words; those that speak for a bug first.
    #[serde(default)]
    pub why: Vec<String>,
    /// The failing test, `Class.method`.
    pub test: String,
    /// Statements of the failing test.
    #[serde(default)]
    pub statements: usize,
    /// Statements of the first sequence that showed it, before it was made small.
    #[serde(default)]
    pub statements_before: u32,
    /// Where to look in the sources, if the class files tell.
    pub location: Option<Location>,
    /// What was thrown and from where, down to the call of the test; empty if nothing was.
    pub trace: Vec<String>,
    /// Other sequences that showed the same.
    pub alike: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Relative to the root of the sources: `com/acme/Foo.java`.
    pub file: String,
    pub line: Option<u32>,
    /// `com.acme.Foo.bar(int)` or, if the class as a whole is meant, its name.
    pub member: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    pub test: String,
    pub reason: DropReason,
    /// The compiler's or the JVM's own words.
    pub detail: String,
    /// For one that was not the same every time: what it depends on, if that could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// And the method to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

/// A method that does not do the same every time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsteadyReport {
    /// `com.acme.Clock.now()`.
    pub method: String,
    /// What it depends on, if that could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Tests in which it was seen to.
    pub times: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// javac refused it.
    DidNotCompile,
    /// It failed in some runs and passed in others.
    Flaky,
    /// It failed in every run outside the worker.
    Failed,
    /// It did not do the same for another user, language, time zone or with other identity hash codes.
    EnvironmentDependent,
    /// It wrote files, used the network, started a program, changed the JVM as a whole or looked at the machine, whatever came of it.
    ReachesOutside,
    /// After it, tests of this or of other classes fail.
    Disturbs,
    /// It fails after tests of other classes, and nobody could say which.
    OrderDependent,
    /// It took too long outside the worker.
    TimedOut,
    /// A failing test that passed, or failed for another reason than stated.
    NotReproduced,
    /// It cannot be written in Java (a literal too long, a type out of reach).
    NotWritable,
    /// The time was up before it could be verified.
    NotVerified,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MethodReport {
    /// `push(int)`.
    pub name: String,
    /// The class it is declared in, binary name.
    pub class: String,
    pub descriptor: String,
    pub line: Option<u16>,
    pub goals: GoalCount,
    /// Why not all of it is covered; absent if it is.
    pub why_not: Option<String>,
}

/// What one of several techniques did that took turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareReport {
    pub technique: String,
    pub executions: u64,
    /// What its thinking cost, in executions.
    pub thinking: u64,
    /// Goals that it was the first to cover.
    pub goals: u64,
}

impl From<Share> for ShareReport {
    fn from(Share { name, executions, thinking, goals }: Share) -> ShareReport {
        ShareReport { technique: name.to_string(), executions, thinking, goals }
    }
}

/// Evolution in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvolvedReport {
    /// Times that a population was renewed.
    pub generations: u64,
    /// Tests whose distances to goals were measured.
    pub evaluations: u64,
    /// Those of them that were made from others.
    pub bred: u64,
}

/// Wall clock by phase.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PhaseSeconds {
    /// Reading, analysing, instrumenting, starting a worker.
    pub prepare: f64,
    pub search: f64,
    /// Minimising the suite and finding assertions.
    pub refine: f64,
    /// Running the suite against mutants.
    #[serde(default)]
    pub mutation: f64,
    pub compile: f64,
    /// Running the suite in fresh JVMs.
    pub verify: f64,
    pub total: f64,
}

impl Report {
    pub fn to_json(&self) -> String {
        // These types hold no map with other than string keys, and every number is finite: this cannot fail.
        let mut text = serde_json::to_string_pretty(self).expect("report types serialise");
        text.push('\n');
        screen::json(&text)
    }
}
