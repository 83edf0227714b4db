//! Exploration of symbolic states, from classes to tests: which sequences come of a small class, that settings do what they say, that runs repeat. Sequences are run on
//! a symbolic machine of their own, without symbols.

#[path = "../../symbolic/tests/machine/source.rs"]
mod source;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytecode::instrument::Plan;
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::budget::Budget;
use engine::generate::Explored;
use engine::options::{Comparison, Exhaustive, Options, SymbolicStates};
use engine::session::Session;
use engine::target;
use engine::world_library::WorldLibrary;
use source::{Source, jdks, run};
use symbolic::executor::VmExecutor;
use symbolic::vm::{Limits, Machine};
use testcase::execution::{Execution, Outcome, ProbeId};
use testcase::executor::{Executor, ExecutorProblem, Request};
use testcase::operation::Operations;
use testcase::text::print_sequence;

static COMPILED: OnceLock<PathBuf> = OnceLock::new();

fn compiled(home: &Path) -> &'static Path {
    COMPILED.get_or_init(|| {
        let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/subjects/src/subjects");
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbolic-states");
        let files = ["UniqueStack", "BankAccount", "BinarySearchTree", "HeapArray", "BinomialHeap"];
        let files = files.map(|name| subjects.join(format!("{name}.java")).display().to_string());
        let folder = out.display().to_string();
        let arguments: Vec<&str> = ["-d", &folder].into_iter().chain(files.iter().map(String::as_str)).collect();
        run(home, "javac", &arguments);
        out
    })
}

/// Runs sequences on a machine and remembers them.
struct Recorder {
    machine: VmExecutor,
    sequences: Vec<String>,
}

impl Executor for Recorder {
    fn submit(&mut self, operations: &Operations, batch: Vec<Request>) -> Result<(), ExecutorProblem> {
        self.sequences.extend(batch.iter().map(|request| print_sequence(&request.sequence, operations)));
        self.machine.submit(operations, batch)
    }

    fn collect(&mut self) -> Result<Vec<Execution>, ExecutorProblem> {
        let executions = self.machine.collect()?;
        for execution in &executions {
            assert!(!matches!(execution.outcome, Outcome::Unlinkable { .. }), "{:?}", execution.outcome);
        }
        Ok(executions)
    }

    fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.machine.set_best(best);
    }
}

struct Explorer {
    explored: Explored,
    sequences: Vec<String>,
    /// What would be delivered if everything were.
    tests: Vec<String>,
}

fn explore(class: &str, exhaustive: Exhaustive, symbolic_states: SymbolicStates) -> Explorer {
    let home = &jdks()[0];
    let source = Arc::new(Source::open(home, compiled(home)));
    let world = World::new(source.clone());
    let name = ClassName::new(format!("subjects/{class}"));
    let prepared =
        target::prepare(&world, &name, "subjects", &Plan::everything(ClassName::new("testudo/Hooks"))).unwrap();
    let goals = prepared.goals();
    let reaches = prepared.reaches(&world, &goals);
    let library = WorldLibrary::new(&world, &prepared);
    let options = Options {
        technique: "symbolic-states".to_owned(),
        contracts: false,
        stop_when_covered: None,
        exhaustive: Exhaustive { keep_all: true, ..exhaustive },
        symbolic_states,
        ..Options::default()
    };
    let mut session = Session::new(&library, goals, reaches, options).unwrap();
    let machine = Machine::boot(source, Limits::default()).unwrap();
    let mut recorder = Recorder { machine: VmExecutor::new(machine), sequences: Vec::new() };
    session.run(&mut recorder, &mut Budget::executions(1_000_000), &mut |_| {}).unwrap();
    let explored = session.figures().explored.unwrap();
    // Others are tests run again at the end.
    let mut sequences = std::mem::take(&mut recorder.sequences);
    sequences.truncate(explored.executions);
    let outcome = session.finish(&mut recorder, &mut Budget::executions(1_000_000)).unwrap();
    let suite = outcome.suite.iter().map(|test| print_sequence(&test.test.sequence, &outcome.operations));
    let mut tests: Vec<String> = suite.collect();
    tests.sort();
    Explorer { explored, sequences, tests }
}

fn iterations(iterations: u32) -> Exhaustive {
    Exhaustive { iterations, ..Exhaustive::default() }
}

#[test]
fn every_path_becomes_a_sequence_with_numbers_that_take_it() {
    let explored = explore("UniqueStack", iterations(2), SymbolicStates::default());
    insta::assert_snapshot!(explored.sequences.join("\n"));
    assert_eq!((explored.explored.states, explored.explored.iterations, explored.explored.complete), (3, 2, true));
    assert_eq!(explored.explored.executions, 11);
}

#[test]
fn tests_are_paths_that_no_other_test_takes_on_its_way() {
    let explored = explore("UniqueStack", iterations(2), SymbolicStates::default());
    insta::assert_snapshot!(explored.tests.join("\n"));
}

#[test]
fn runs_repeat() {
    let first = explore("BinomialHeap", iterations(2), SymbolicStates::default());
    let second = explore("BinomialHeap", iterations(2), SymbolicStates::default());
    assert_eq!(first.sequences, second.sequences);
    assert_eq!(first.explored.states, 3);
}

#[test]
fn boxed_numbers_are_left_open_too() {
    let explored = explore("HeapArray", iterations(3), SymbolicStates::default());
    assert!(explored.sequences.iter().any(|s| s.matches("HeapArray.insert").count() == 3), "{:?}", explored.sequences);
}

#[test]
fn settings_bound_the_work() {
    let all = explore("BinarySearchTree", iterations(3), SymbolicStates::default());
    let states = |settings: SymbolicStates| explore("BinarySearchTree", iterations(3), settings);
    let half = states(SymbolicStates { share: 0.5, ..SymbolicStates::default() });
    assert!(half.sequences.len() < all.sequences.len() && !half.explored.complete);
    let favoured = states(SymbolicStates { favour_uncovered: true, ..SymbolicStates::default() });
    let sorted = |explorer: &Explorer| {
        let mut sequences = explorer.sequences.clone();
        sequences.sort();
        sequences
    };
    assert_eq!(sorted(&favoured).len(), sorted(&all).len());
    let concrete = states(SymbolicStates { concrete: vec![0], ..SymbolicStates::default() });
    assert!(!concrete.explored.complete && concrete.explored.states != all.explored.states);
    let structure = states(SymbolicStates { comparison: Comparison::Structure, ..SymbolicStates::default() });
    assert!(structure.explored.states <= all.explored.states);
    let few = Exhaustive { max_states: 4, ..iterations(3) };
    let few = explore("BinarySearchTree", few, SymbolicStates::default());
    assert_eq!((few.explored.states, few.explored.complete), (4, false));
}
