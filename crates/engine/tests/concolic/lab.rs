//! A search by `concolic` without a JVM: the symbolic machine stands in for one and tells which branches its runs took. Owns setting it up and what came of it.

use std::path::Path;
use std::time::Duration;

use bytecode::instrument::{Plan, ProbeKind};
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::generate::Generator;
use engine::generate::concolic::candidates::Candidates;
use engine::generate::concolic::explorer::Work;
use engine::generate::concolic::influence::{Influence, Rules};
use engine::generate::concolic::{Concolic, invokable};
use engine::goal::{self, Count};
use engine::library::Library;
use engine::options::Options;
use engine::rng::Rng;
use engine::search::Search;
use engine::target::{self, Target};
use engine::world_library::WorldLibrary;
use rustc_hash::FxHashMap;
use symbolic::executor::VmExecutor;
use symbolic::vm::Way;
use testcase::execution::{Execution, Outcome, ProbeHit, ProbeId};
use testcase::executor::{Detail, Executor, Request};
use testcase::operation::OperationKind;
use testcase::text::print_sequence;

use super::source;

/// What came of a search.
#[derive(Debug)]
pub struct Report {
    /// Proposed sequences, one per line, statements separated by semicolons, and how each ended.
    pub tests: Vec<String>,
    /// Tests that covered a branch nobody had covered.
    pub adding: usize,
    pub branches: Count,
    pub work: Work,
    pub tree: (usize, usize),
    pub notes: Vec<String>,
    /// Until the first proposal could be made, and from then on, without what the stand-in for a JVM took.
    pub prepared: Duration,
    pub explored: Duration,
}

/// Compiled classes to search.
pub struct Lab {
    world: World,
    /// For those who measure.
    pub clock: fn() -> Duration,
}

impl Lab {
    pub fn new(folder: &Path) -> Lab {
        Lab { world: source::world(folder), clock: || Duration::ZERO }
    }

    /// Searches until nothing is left, or this many sequences were run.
    pub fn run(&self, class: &str, options: Options, most: usize) -> Report {
        let name = ClassName::new(class);
        // The stand-in tells of branches, not of lines.
        let plan = Plan { lines: false, ..Plan::everything(ClassName::new("testudo/runtime/Hooks")) };
        let prepared = target::prepare(&self.world, &name, name.package(), &plan).unwrap();
        let library = WorldLibrary::new(&self.world, &prepared);
        let goals = prepared.goals();
        let reaches = prepared.reaches(&self.world, &goals);
        let mut search = Search::new(&library, goals, reaches, options.clone());
        let mut generator = Concolic::new(&options);
        let mut jvm = StandIn::new(&library, &prepared);
        let mut rng = Rng::new(options.seed);
        let (mut tests, mut adding) = (Vec::new(), 0);
        let start = (self.clock)();
        generator.propose(&mut search, &mut rng, 0, &mut Vec::new());
        let prepared = (self.clock)() - start;
        let mut explored = Duration::ZERO;
        while tests.len() < most {
            let mut proposals = Vec::new();
            let start = (self.clock)();
            generator.propose(&mut search, &mut rng, 16, &mut proposals);
            explored += (self.clock)() - start;
            if proposals.is_empty() {
                break;
            }
            for proposal in proposals {
                let execution = jvm.run(&search, &proposal.sequence);
                let before = branches(&search).covered;
                let delta = search.absorb(&proposal, &execution);
                generator.observe(&search, &proposal, &execution, delta);
                adding += usize::from(branches(&search).covered > before);
                let text = print_sequence(&proposal.sequence, search.catalog.operations());
                let ended = match &execution.outcome {
                    Outcome::Normal => String::new(),
                    Outcome::Threw { exception, .. } => format!(" -> {}", exception.class.simple_binary()),
                    other => format!(" -> {other:?}"),
                };
                tests.push(format!("{}{ended}", text.trim_end().replace('\n', "; ")));
            }
        }
        let tree = generator.tree_size();
        let (branches, work, notes) = (branches(&search), generator.work(), generator.figures().notes);
        Report { tests, adding, branches, work, tree, notes, prepared, explored }
    }
}

impl Lab {
    /// Candidate sequences of a length for a method, by the names of what is called.
    pub fn candidates(&self, class: &str, method: &str, length: usize, rules: Rules) -> Vec<String> {
        let name = ClassName::new(class);
        let plan = Plan::everything(ClassName::new("testudo/runtime/Hooks"));
        let prepared = target::prepare(&self.world, &name, name.package(), &plan).unwrap();
        let library = WorldLibrary::new(&self.world, &prepared);
        let goals = prepared.goals();
        let reaches = prepared.reaches(&self.world, &goals);
        let mut search = Search::new(&library, goals, reaches, Options::default());
        let invokables = invokable::collect(&mut search, &self.world);
        let influence = Influence::of(&invokables, &search, &self.world);
        let named = |at: usize| match &search.catalog.operation(invokables[at].op).kind {
            OperationKind::Call { name, .. } => name.to_string(),
            OperationKind::Construct { .. } => "new".to_owned(),
            other => format!("{other:?}"),
        };
        let under_test = (0..invokables.len()).find(|&at| named(at) == method).unwrap();
        let mut candidates = Candidates::new(rules, under_test as u16, length);
        let mut found = Vec::new();
        while let Some(sequence) = candidates.next(&influence) {
            found.push(sequence.iter().map(|&at| named(usize::from(at))).collect::<Vec<_>>().join(" "));
        }
        found
    }
}

fn branches(search: &Search<'_>) -> Count {
    goal::branches(&goal::count(&search.goals, |_| true))
}

/// The machine as an executor that reports probes, each at its first hit.
struct StandIn {
    vm: VmExecutor,
    probes: FxHashMap<(String, String, String, u32, Way), ProbeId>,
}

impl StandIn {
    fn new(library: &dyn Library, target: &Target) -> StandIn {
        let mut machine = library.machine().unwrap();
        machine.set_symbolic(true);
        machine.set_watching(true);
        let mut probes = FxHashMap::default();
        for class in &target.classes {
            for (number, probe) in class.probes.iter().enumerate() {
                let method = &class.info.methods[usize::from(probe.method)];
                let way = match &probe.kind {
                    ProbeKind::MethodEntry => Way::Entry,
                    ProbeKind::BranchTaken => Way::Taken,
                    ProbeKind::BranchFallThrough => Way::NotTaken,
                    _ => continue,
                };
                let pc = if way == Way::Entry { 0 } else { probe.pc };
                let key = (
                    class.info.name.internal().to_owned(),
                    method.name.clone(),
                    method.raw_descriptor.clone(),
                    pc,
                    way,
                );
                probes.insert(key, ProbeId(class.first_probe + number as u32));
            }
        }
        StandIn { vm: VmExecutor::new(machine), probes }
    }

    fn run(&mut self, search: &Search<'_>, sequence: &testcase::sequence::Sequence) -> Execution {
        let cost = search.cost_of(sequence).packed();
        let request = Request { sequence: sequence.clone(), detail: Detail::default(), cost, fault: None };
        self.vm.submit(search.catalog.operations(), vec![request]).unwrap();
        let mut execution = self.vm.collect().unwrap().remove(0);
        let machine = self.vm.machine();
        let statement = sequence.len() as u16 - 1;
        for outcome in machine.take_outcomes() {
            let (class, name, descriptor) = machine.method_parts(outcome.method);
            let key = (class.to_owned(), name.to_owned(), descriptor.to_owned(), u32::from(outcome.pc), outcome.way);
            if let Some(&probe) = self.probes.get(&key) {
                execution.probes.push(ProbeHit { statement, probe });
            }
        }
        execution
    }
}
