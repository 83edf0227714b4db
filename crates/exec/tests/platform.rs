//! Classes of the JDK under test: their code is replaced in the running JVM and reports like any other.

mod support;

use bytecode::instrument::{Plan, instrument};
use bytecode::names::ClassName;
use bytecode::world::ClassSource;
use exec::executor::TargetSetup;
use exec::library::TargetClass;
use support::{Rig, jdks, sequence};
use testcase::execution::Outcome;
use testcase::value::Value;

#[test]
fn jdk_classes_report_probes_and_ordinary_targets_work_afterwards() {
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "platform", &["subjects/Stack"]);
        let name = "java/util/BitSet";
        let bytes = rig.library.classpath().class_bytes(name).unwrap().into_owned();
        let done = instrument(&bytes, &Plan { ..rig.library.platform_plan() }).unwrap();
        let class = TargetClass { name: ClassName::new(name), index: 0, bytes: done.bytes.into() };
        rig.executor
            .open_target(TargetSetup {
                probes: done.probes.len() as u32,
                sites: done.sites.len() as u32,
                classes: vec![class],
                ..TargetSetup::default()
            })
            .unwrap();
        let new = rig.construct(name, "()V");
        let five = rig.int(5);
        let set = rig.call(name, "set", "(I)V");
        let count = rig.call(name, "cardinality", "()I");
        let run = rig.run_one(sequence(&[(new, &[]), (five, &[]), (set, &[0, 1]), (count, &[0])]));
        assert_eq!(run.outcome, Outcome::Normal, "{run:?}");
        assert!(rig.executor.refused_classes().is_empty(), "{:?}", rig.executor.refused_classes());
        assert_eq!(run.observations.last().unwrap().value, Some(Value::Int(1)));
        let hit = |statement: u16| run.probes.iter().filter(|h| h.statement == statement).count();
        assert!(hit(2) > 2 && hit(3) > 1 && run.steps > 2, "JDK {}: {run:?}", jdk.feature);

        let setup = support::target(&rig.library, &["subjects/Stack"]);
        rig.executor.open_target(setup).unwrap();
        rig.operations = testcase::operation::Operations::default();
        let new = rig.construct("subjects/Stack", "()V");
        let run = rig.run_one(sequence(&[(new, &[])]));
        assert_eq!(run.outcome, Outcome::Normal, "{run:?}");
        assert_eq!(rig.executor.stats().restarts, 0);
    }
}
