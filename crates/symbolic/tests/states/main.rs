//! Symbolic states of compiled classes: how many there are within a number of calls, and that the numbers found for a
//! path go that path.

#[path = "../machine/source.rs"]
mod source;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytecode::names::ClassName;
use source::{Source, jdks, run};
use symbolic::executor::Slot;
use symbolic::state::{Arguments, Comparison, End, Settings, Space, StateId, Tags};
use symbolic::vm::{Limits, Machine, Run, Trap};

static COMPILED: OnceLock<PathBuf> = OnceLock::new();

fn compiled(home: &Path) -> &'static Path {
    COMPILED.get_or_init(|| compile(home))
}

fn compile(home: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("states");
    let mut arguments = vec!["-d".to_owned(), out.display().to_string()];
    arguments.push(root.join("tests/java/KeyTree.java").display().to_string());
    for subject in ["UniqueStack", "BinarySearchTree", "TreeMap", "BinomialHeap", "IntStack"] {
        let file = root.join(format!("../../fixtures/subjects/src/subjects/{subject}.java"));
        arguments.push(file.display().to_string());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run(home, "javac", &arguments);
    out
}

struct Subject {
    class: String,
    /// Name and descriptor.
    methods: Vec<(&'static str, &'static str)>,
}

impl Subject {
    fn construct(&self, machine: &mut Machine) -> Run<Slot> {
        let class = machine.known_class(&self.class)?;
        machine.initialise(class)?;
        let object = machine.allocate(class)?;
        let constructor = machine.known_method(&self.class, "<init>", "()V")?;
        machine.call(constructor, &[u64::from(object)])?;
        Ok(Slot::new(b'L', u64::from(object)))
    }

    fn call(&self, machine: &mut Machine, method: usize, on: Slot, arguments: &mut Arguments<'_>) -> Run<Slot> {
        let (name, descriptor) = self.methods[method];
        let method = machine.known_method(&self.class, name, descriptor)?;
        let (mut values, mut terms) = (vec![on.bits], vec![None]);
        for letter in descriptor[1..].bytes().take_while(|b| *b != b')') {
            let argument = arguments.next(machine, letter);
            values.push(argument.bits);
            terms.push(argument.term);
        }
        machine.call_with(method, &values, &terms)?;
        Ok(Slot::new(b'V', 0))
    }
}

/// Arguments of one call: type letter and bits.
type Numbers = Vec<(u8, u64)>;

/// An exploration, with the test of every path.
struct Explored {
    /// Numbers of states after each iteration.
    states: Vec<usize>,
    tests: Vec<(Vec<u32>, Vec<Numbers>, End)>,
}

fn boot() -> Machine {
    let home = &jdks()[0];
    Machine::boot(Arc::new(Source::open(home, compiled(home))), Limits::default()).unwrap()
}

fn explore(subject: &Subject, comparison: Comparison, iterations: u32) -> Explored {
    let mut space = Space::new(boot(), Settings { comparison, ..Settings::default() });
    for method in 0..subject.methods.len() {
        space.warm(&mut |machine, arguments| {
            let object = subject.construct(machine)?;
            subject.call(machine, method, object, arguments).map(|_| ())
        });
    }
    let tags = Tags { receiver: None, result: Some(0) };
    space.explore(None, 0, tags, u64::MAX, &mut |machine, _, _| subject.construct(machine), &mut |_| {});
    let mut explored = Explored { states: vec![space.len()], tests: Vec::new() };
    let mut from = 0;
    for _ in 0..iterations {
        let until = space.len();
        for state in from..until {
            for method in 0..subject.methods.len() {
                let done = space.explore(
                    Some(StateId(state as u32)),
                    1 + method as u32,
                    Tags { receiver: Some(0), result: None },
                    u64::MAX,
                    &mut |machine, on, arguments| subject.call(machine, method, on.unwrap(), arguments),
                    &mut |found| {
                        let trail = found.trail.iter().map(|visit| visit.label).collect();
                        explored.tests.push((trail, found.values, found.end.clone()));
                    },
                );
                assert!(done.complete);
            }
        }
        from = until;
        explored.states.push(space.len());
    }
    assert_eq!((space.counts().lost, space.counts().stopped), (0, 0));
    explored
}

/// Runs every test with its numbers and nothing else: it must end as it was said to.
fn replay(subject: &Subject, explored: &Explored) {
    let mut machine = boot();
    for (trail, values, end) in &explored.tests {
        let mut object = Slot::new(b'L', 0);
        let mut ended = End::Value;
        for (label, numbers) in trail.iter().zip(values) {
            assert_eq!(ended, End::Value, "only the last call of a test throws");
            if *label == 0 {
                object = subject.construct(&mut machine).unwrap();
                continue;
            }
            let (name, descriptor) = subject.methods[*label as usize - 1];
            let method = machine.known_method(&subject.class, name, descriptor).unwrap();
            let arguments = [object.bits].into_iter().chain(numbers.iter().map(|(_, bits)| *bits as i32 as i64 as u64));
            ended = match machine.call(method, &arguments.collect::<Vec<_>>()) {
                Ok(_) => End::Value,
                Err(Trap::Throw(_)) => End::Threw(ClassName::new("")),
                Err(trap) => panic!("{}", machine.describe(&trap)),
            };
        }
        assert_eq!(matches!(ended, End::Threw(_)), matches!(end, End::Threw(_)), "{trail:?} {values:?}");
        machine.settle();
    }
}

fn check(class: &str, methods: &[(&'static str, &'static str)], comparison: Comparison, states: &[usize]) {
    let subject = Subject { class: class.to_owned(), methods: methods.to_vec() };
    let explored = explore(&subject, comparison, states.len() as u32 - 1);
    assert_eq!(explored.states, states, "{class} {comparison:?}");
    replay(&subject, &explored);
}

#[test]
fn a_stack_of_distinct_numbers_has_one_state_per_size() {
    let states: Vec<usize> = (1..=31).collect();
    check("subjects/UniqueStack", &[("push", "(I)V"), ("pop", "()V")], Comparison::Merging, &states);
}

#[test]
fn a_tree_has_a_state_per_shape() {
    let methods = [("put", "(I)V"), ("remove", "(I)V")];
    check("KeyTree", &methods, Comparison::Merging, &[1, 2, 4, 5, 9, 16, 28, 59]);
    check("KeyTree", &methods, Comparison::Implication, &[1, 2, 4, 5, 9, 19, 31]);
    check("KeyTree", &methods, Comparison::Structure, &[1, 2, 4, 5, 9, 16, 28]);
}

#[test]
fn calls_that_throw_end_tests() {
    let methods = [("insert", "(I)Z"), ("remove", "(I)Z"), ("min", "()I")];
    let subject = Subject { class: "subjects/BinarySearchTree".to_owned(), methods: methods.to_vec() };
    let explored = explore(&subject, Comparison::Merging, 4);
    let threw = explored.tests.iter().filter(|(_, _, end)| matches!(end, End::Threw(_)));
    assert_eq!(threw.count(), 1);
    replay(&subject, &explored);
}
