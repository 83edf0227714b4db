//! What workers tell about the part of a state that equals compares.

mod support;

use bytecode::instrument::{Plan, instrument};
use bytecode::names::ClassName;
use bytecode::world::ClassSource;
use exec::executor::TargetSetup;
use exec::library::TargetClass;
use support::{Rig, jdks, sequence};
use testcase::execution::StateHash;
use testcase::operation::OpId;

const CLASS: &str = "subjects/Partial";

#[test]
fn what_equals_ignores_is_no_part_of_its_state() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "equals", &[]);
        let new = rig.construct(CLASS, "()V");
        let add = rig.call(CLASS, "add", "(I)V");
        let ignore = rig.call(CLASS, "ignore", "(I)V");
        let numbers: Vec<OpId> = (0..3).map(|n| rig.int(n)).collect();
        let bytes = rig.library.classpath().class_bytes(CLASS).unwrap();
        let done = instrument(&bytes, &Plan { reads: true, ..rig.library.target_plan() }).unwrap();
        let class = TargetClass { name: ClassName::new(CLASS), index: 0, bytes: done.bytes.into() };
        let (probes, sites, fields) = (done.probes.len() as u32, done.sites.len() as u32, done.fields);
        let setup = TargetSetup { probes, sites, classes: vec![class], fields, ..TargetSetup::default() };
        rig.executor.open_target(setup.clone()).unwrap();
        let mut after = |call: OpId, number: usize| -> (StateHash, Option<StateHash>) {
            let run = rig.run_one(sequence(&[(new, &[]), (numbers[number], &[]), (call, &[0, 1])]));
            let last = run.observations.iter().rev().find(|o| o.statement == 2 && o.var.0 == 0).unwrap();
            (last.state.unwrap(), last.equals_state)
        };
        let (one, two) = (after(add, 1), after(add, 2));
        assert!(one.1.is_some() && one.1 != two.1, "JDK {}: {one:?} {two:?}", jdk.feature);
        let (one, two) = (after(ignore, 1), after(ignore, 2));
        assert_ne!(one.0, two.0);
        assert!(one.1.is_some() && one.1 == two.1, "JDK {}: {one:?} {two:?}", jdk.feature);
        rig.executor.open_target(TargetSetup { fields: Vec::new(), ..setup }).unwrap();
        let run = rig.run_one(sequence(&[(new, &[])]));
        assert!(run.observations.iter().all(|o| o.equals_state.is_none()), "only on request");
    }
}
