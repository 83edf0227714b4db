//! What all classes of a run share: the project, the embedded runtime on disk, the compiler, the plan of time, the options. Owns the scratch
//! folder, which goes when it is dropped; holds nothing of a single class.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytecode::names::ClassName;
use engine::generate::register::technique;
use engine::options::{Comparison, Evolve, Exhaustive, Gp, Options, Style, SymbolicStates};
use engine::pool::Prune;
use engine::state::Techniques;
use exec::executor::ExecutorConfig;
use exec::library::Library;
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::observed::ObservedSuite;

use crate::args::{Common, CompareStates, EvolveStyle, Prune as PruneArg};
use crate::failure::Failure;
use crate::heaps::Heaps;
use crate::interrupt::Interrupt;
use crate::jvm_bench::SharedCompiler;
use crate::log::Log;
use crate::mutation::CANDIDATES;
use crate::plan::Planner;
use crate::project::Project;
use crate::scratch::Scratch;
use crate::solver::External;

/// Searches up to so long do better in a JVM with its quick compiler only: the other one pays after a second or two of its own work.
const SHORT_BUDGET: Duration = Duration::from_secs(15);
const SHORT_EXECUTIONS: u64 = 50_000;

/// So much later than the budget says may a JVM come up.
const START_GRACE: Duration = Duration::from_secs(5);

/// However long the search, no sequence is worth more.
const LONGEST_PATIENCE: Duration = Duration::from_millis(250);
/// However short, what a JVM that has just started takes for ordinary sequences is less.
const SHORTEST_PATIENCE: Duration = Duration::from_millis(30);

/// A smaller budget is needed whole for finding tests.
const LEAST_BUDGET: Duration = Duration::from_secs(2);

/// A folder of this run, removed when dropped, and the Java runtime in it.
pub fn scratch() -> Result<(Scratch, Runtime), Failure> {
    let folder = Scratch::make().map_err(|e| Failure::writing(std::env::temp_dir(), &e))?;
    let runtime = Runtime::install(&folder.path().join("runtime")).map_err(|e| Failure::writing(folder.path(), &e))?;
    Ok((folder, runtime))
}

pub struct Workshop<'a> {
    pub project: &'a Project,
    pub common: &'a Common,
    /// Wall clock per class, if the clock steers.
    budget: Option<Duration>,
    pub log: &'a Log,
    pub interrupt: &'a Interrupt,
    pub library: Arc<Library>,
    pub runtime: Runtime,
    pub compiler: SharedCompiler,
    pub planner: Planner,
    pub contracts: Vec<ClassName>,
    /// Class path of the finished tests: the project's, and the stand-in JUnit if it brings none.
    pub test_classpath: Vec<PathBuf>,
    /// Another solver than our own.
    pub solver: Option<Arc<External>>,
    /// What existing tests do, to begin from.
    pub existing: Option<ObservedSuite>,
    /// Removed when dropped.
    scratch: Scratch,
}

impl<'a> Workshop<'a> {
    pub fn open(
        project: &'a Project,
        common: &'a Common,
        budget: Option<Duration>,
        log: &'a Log,
        interrupt: &'a Interrupt,
    ) -> Result<Workshop<'a>, Failure> {
        let (scratch, runtime) = scratch()?;
        let mut test_classpath = absolute(&project.classpath.paths());
        let compiler = SharedCompiler::start(&project.jdk, &runtime, scratch.path(), test_classpath.clone());
        if !project.has_junit(common.junit) {
            test_classpath.push(runtime.junit.clone());
        }
        Ok(Workshop {
            library: Arc::new(Library::new(project.classpath.clone(), project.world.clone())),
            contracts: contracts(project, &common.contracts)?,
            project,
            common,
            budget,
            log,
            interrupt,
            runtime,
            compiler,
            planner: Planner::new(),
            test_classpath,
            solver: None,
            existing: None,
            scratch,
        })
    }

    /// A folder name nobody else uses.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// The heaps of JVMs that verify.
    pub fn heaps(&self) -> Heaps {
        Heaps::new(self.common.expert.worker_memory, u32::from(self.common.jobs))
    }

    /// How a job's worker of this number works.
    pub fn executor_config(&self, job: usize, number: usize) -> ExecutorConfig {
        let scratch = self.scratch(&format!("workers-{job}-{number}"));
        let mut worker = WorkerConfig::new(self.project.jdk.clone(), self.runtime.worker.clone(), scratch);
        worker.heap_mb = self.common.expert.worker_memory;
        worker.readable = absolute(&self.project.classpath.paths());
        worker.sandboxed = !self.common.expert.no_sandbox;
        let quick = match self.common.max_executions {
            Some(executions) => executions <= SHORT_EXECUTIONS,
            None => self.budget.is_some_and(|b| b <= SHORT_BUDGET),
        };
        if quick {
            worker.compile_level = Some(1);
        }
        // Where the clock decides anyway, it may tell what is slow.
        worker.timed = self.budget.is_some() && self.common.max_executions.is_none();
        let mut config = ExecutorConfig::new(worker);
        config.start_grace = START_GRACE;
        if let (Some(budget), None) = (self.budget, self.common.max_executions) {
            // Where one sequence hangs, others do; all of them together must not cost the budget.
            config.wall_limit = config.wall_limit.min((budget / 25).max(Duration::from_millis(250)));
            config.worker.patience = Some((budget / 100).clamp(SHORTEST_PATIENCE, LONGEST_PATIENCE));
        }
        config
    }

    /// How many JVMs search one class. Each has its own numbers for objects that are equal, which cannot be compared.
    pub fn workers(&self, options: &Options) -> usize {
        if options.needs().equals_classes { 1 } else { usize::from(self.common.workers) }
    }

    /// Whether assertions are chosen by the mutants they notice.
    pub fn with_mutants(&self) -> bool {
        !self.common.expert.no_mutation && self.budget.is_none_or(|b| b >= LEAST_BUDGET)
    }

    /// The engine's options for one class. Its seed depends on the run's seed and the class alone, so that neither order nor company matter.
    pub fn options(&self, class: &ClassName) -> Options {
        let expert = &self.common.expert;
        let exploring = &self.common.exploring;
        let evolving = &self.common.evolving;
        let defaults = Options::default();
        let mut options = Options {
            seed: class_seed(self.common.seed, class),
            technique: self.common.technique.clone(),
            prune: match expert.prune {
                PruneArg::Equals => Prune::Equals,
                PruneArg::State => Prune::State,
                PruneArg::MonitorEquals => Prune::MonitorEquals,
                PruneArg::ModifyingSeq => Prune::ModifyingSeq,
                PruneArg::WholeSeq => Prune::WholeSeq,
                PruneArg::None => Prune::Nothing,
            },
            max_length: usize::from(expert.max_length),
            null_ratio: expert.null_ratio as f32,
            solver: !expert.no_solver,
            past_exceptions: expert.past_exceptions,
            max_assertions: if self.with_mutants() { CANDIDATES } else { defaults.max_assertions },
            // Every method execution is wanted then, not only every goal.
            stop_when_covered: if exploring.keep_all { None } else { defaults.stop_when_covered },
            evolve: Evolve {
                style: match evolving.style {
                    EvolveStyle::ManyObjective => Style::ManyObjective,
                    EvolveStyle::Gp => Style::Gp,
                },
                population: evolving.population.map_or(defaults.evolve.population, usize::from),
                local_search: !evolving.no_local_search,
                ..defaults.evolve
            },
            gp: Gp {
                population: evolving.population.map_or(defaults.gp.population, usize::from),
                generations: evolving.generations.unwrap_or(defaults.gp.generations),
                purity: !evolving.no_purity,
                ..defaults.gp
            },
            exhaustive: Exhaustive {
                techniques: Techniques::both(exploring.state_technique),
                iterations: exploring.iterations,
                max_states: exploring.max_states,
                keep_all: exploring.keep_all,
                ..defaults.exhaustive
            },
            concolic: self.common.concolic.settings(),
            symbolic_states: SymbolicStates {
                comparison: match self.common.symbolic_states.compare_states {
                    CompareStates::Implication => Comparison::Implication,
                    CompareStates::Merging => Comparison::Merging,
                    CompareStates::Equality => Comparison::Equality,
                    CompareStates::Structure => Comparison::Structure,
                },
                share: self.common.symbolic_states.call_share as f32,
                favour_uncovered: self.common.symbolic_states.favour_uncovered,
                concrete: self.common.symbolic_states.concrete_parameters.clone(),
                max_paths: self.common.symbolic_states.max_paths,
                ..defaults.symbolic_states
            },
            ..defaults
        };
        // Whoever names a technique that there is not was told so long ago.
        let looks_for_mutants = technique(&options.technique).is_ok_and(|t| (t.weak_mutants)(&options));
        options.evolve.weak_mutants = looks_for_mutants && !evolving.no_weak_mutants;
        options
    }
}

pub fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|p| std::path::absolute(p).unwrap_or_else(|_| p.clone())).collect()
}

/// The user's contract classes; each must be there.
fn contracts(project: &Project, names: &[String]) -> Result<Vec<ClassName>, Failure> {
    names
        .iter()
        .map(|name| {
            let class = ClassName::from_binary(name);
            match project.world.class(&class) {
                Ok(_) => Ok(class),
                Err(_) => Err(Failure::NoSuchClass { name: name.clone(), near: Vec::new(), absent: Vec::new() }),
            }
        })
        .collect()
}

/// FNV-1a over the name, mixed with the run's seed.
fn class_seed(seed: u64, class: &ClassName) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    class.internal().bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_its_own_seed_in_every_run() {
        let (a, b) = (ClassName::new("p/A"), ClassName::new("p/B"));
        assert_eq!(class_seed(7, &a), class_seed(7, &a));
        assert_ne!(class_seed(7, &a), class_seed(7, &b));
        assert_ne!(class_seed(7, &a), class_seed(8, &a));
    }
}
