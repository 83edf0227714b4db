//! Mutants in a worker: a sequence runs with the one it names, the next without; static state is put back, endless loops end, class initialisers run
//! as they are.

mod support;

use bytecode::instrument::{Plan, instrument, schemata};
use bytecode::mutate::Site;
use bytecode::names::ClassName;
use bytecode::world::ClassSource;
use exec::executor::TargetSetup;
use exec::library::{MUTANTS, TargetClass};
use support::{Rig, full, jdks, sequence, subjects};
use testcase::execution::{Execution, Outcome};
use testcase::executor::{Fault, Request};
use testcase::sequence::Sequence;
use testcase::value::Value;

const CLASSES: [&str; 2] = ["subjects/Counter", "subjects/Counter$Setup"];

/// The class opened with all its mutants, and what they are.
fn rig(jdk: &exec::jdk::Jdk) -> (Rig, Vec<Site>) {
    let mut rig = Rig::new(jdk, "mutants", &CLASSES);
    let mut setup = TargetSetup { classpath: vec![subjects().to_owned()], ..TargetSetup::default() };
    let (mut next, mut sites) = (1, Vec::new());
    for (index, name) in CLASSES.iter().enumerate() {
        let index = index as u32;
        let bytes = rig.library.classpath().class_bytes(name).unwrap();
        let made = schemata(&bytes, &ClassName::new(MUTANTS), &[], next).unwrap();
        next = made.next;
        sites.extend(made.sites);
        let plan = Plan { class_index: index, ..rig.library.mutant_plan(false) };
        let bytes = instrument(&made.bytes, &plan).unwrap().bytes.into();
        setup.classes.push(TargetClass { name: ClassName::new(*name), index, bytes });
    }
    setup.probes = next;
    rig.executor.open_target(setup).unwrap();
    (rig, sites)
}

fn find(sites: &[Site], words: &str, nth: usize) -> u32 {
    let all = sites.iter().filter(|s| !s.initialiser).flat_map(Site::numbered);
    all.filter(|(_, m)| m.words == words).nth(nth).unwrap_or_else(|| panic!("{words} in {sites:#?}")).0
}

fn with(sequence: &Sequence, mutant: u32) -> Request {
    Request { sequence: sequence.clone(), detail: full(), cost: 1, fault: Some(Fault { mutant, steps: 5_000 }) }
}

fn without(sequence: &Sequence) -> Request {
    Request { sequence: sequence.clone(), detail: full(), cost: 1, fault: None }
}

fn last(execution: &Execution) -> &Value {
    assert_eq!(execution.outcome, Outcome::Normal);
    execution.observations.last().unwrap().value.as_ref().unwrap()
}

#[test]
fn a_sequence_runs_with_the_mutant_it_names_and_the_next_without() {
    for jdk in jdks() {
        let (mut rig, sites) = rig(&jdk);
        let new = rig.construct("subjects/Counter", "()V");
        let (up, three) = (rig.call("subjects/Counter", "up", "(I)I"), rig.int(3));
        let instances = rig.static_call("subjects/Counter", "instances", "()I");
        let base = rig.call("subjects/Counter", "base", "()I");
        let counts = sequence(&[(new, &[]), (three, &[]), (up, &[0, 1])]);
        let statics = sequence(&[(new, &[]), (instances, &[])]);
        let initialises = sequence(&[(new, &[]), (base, &[0])]);
        let boundary = find(&sites, "replaced < by <=", 0);
        let endless = find(&sites, "changed the increment from 1 to -1", 0);
        let unwritten = find(&sites, "removed the assignment to instances", 0);
        let thrice = find(&sites, "replaced * by /", 0);
        let results = rig.run(vec![
            without(&counts),
            with(&counts, boundary),
            without(&counts),
            with(&counts, endless),
            without(&counts),
            without(&statics),
            with(&statics, unwritten),
            without(&statics),
            // The initialiser behind this runs as it is, whatever is switched on.
            with(&initialises, thrice),
            without(&initialises),
        ]);
        assert_eq!(*last(&results[0]), Value::Int(3));
        assert_eq!(*last(&results[1]), Value::Int(4));
        assert_eq!(*last(&results[2]), Value::Int(3));
        assert_eq!(results[3].outcome, Outcome::StepLimit { statement: 2 });
        assert!(results[3].steps <= 5_000, "{}", results[3].steps);
        assert_eq!(*last(&results[4]), Value::Int(3));
        assert_eq!(*last(&results[5]), Value::Int(1));
        assert_eq!(*last(&results[6]), Value::Int(0));
        assert_eq!(*last(&results[7]), Value::Int(1));
        assert_eq!(*last(&results[8]), Value::Int(3));
        assert_eq!(*last(&results[9]), Value::Int(3));
        // A mutant says where it would make a difference.
        let announced = |execution: &Execution, mutant: u32| execution.probes.iter().any(|p| p.probe.0 == mutant);
        assert!(announced(&results[0], boundary));
        assert!(!announced(&results[5], boundary));
        assert!(announced(&results[5], unwritten));
    }
}
