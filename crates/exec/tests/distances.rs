//! How far runs are from the outcomes of comparisons, as the worker measures it: expectations stand in `tests/java/subjects/Distant.java`, on the lines they are
//! about. Owns no numbers of its own.

mod support;

use bytecode::instrument::{ProbeKind, SiteKind, instrument};
use bytecode::world::ClassSource;
use support::{Rig, jdks, library, sequence};
use testcase::execution::{Outcome, SiteId};
use testcase::executor::{Detail, Executor, Outcomes, Request, Watch};

const CLASS: &str = "subjects/Distant";

/// Name of the method and what stands behind it.
fn expectations() -> Vec<(String, String)> {
    let source = include_str!("java/subjects/Distant.java");
    let lines = source.lines().filter_map(|line| {
        let (head, tail) = line.split_once("() {")?;
        let name = head.trim().strip_prefix("static void ")?;
        Some((name.to_owned(), tail.split_once("} //")?.1.trim().to_owned()))
    });
    lines.collect()
}

/// Every branch and switch that tells something.
fn watches(library: &exec::library::Library) -> Vec<Watch> {
    let bytes = library.classpath().class_bytes(CLASS).unwrap();
    let done = instrument(&bytes, &library.target_plan()).unwrap();
    let mut slot = 0;
    let mut all = Vec::new();
    for (index, site) in done.sites.iter().enumerate() {
        let outcomes = match (site.kind, &site.branch) {
            (SiteKind::StringSwitch, _) => Outcomes::Strings(vec!["abd".into(), "x".into()]),
            (SiteKind::Switch, _) => {
                let here = done.probes.iter().filter(|p| (p.method, p.pc) == (site.method, site.pc));
                let keys = here.flat_map(|p| match &p.kind {
                    ProbeKind::SwitchCase { keys, .. } => keys.clone(),
                    _ => Vec::new(),
                });
                // The hash codes of strings tell nothing.
                Outcomes::Keys(keys.filter(|k| k.abs() < 100).collect())
            }
            (_, Some(branch)) => Outcomes::Branch(branch.taken_if),
            _ => continue,
        };
        let watch = Watch { site: SiteId(index as u32), first_slot: slot, outcomes };
        slot += watch.outcomes.slots();
        all.push(watch);
    }
    all
}

#[test]
fn every_kind_of_comparison_is_graded() {
    let expected = expectations();
    assert!(expected.len() > 50, "only {} expectations were found", expected.len());
    for jdk in jdks() {
        let mut rig = Rig::new(&jdk, "distances", &[CLASS]);
        rig.executor.watch(&watches(&library(&jdk)));
        let detail = Detail { distances: true, ..Detail::default() };
        let requests: Vec<Request> = expected
            .iter()
            .map(|(name, _)| {
                let call = rig.static_call(CLASS, name, "()V");
                Request { sequence: sequence(&[(call, &[])]), detail, cost: 1, fault: None }
            })
            .collect();
        let runs = rig.run(requests);
        let mut wrong = Vec::new();
        for ((name, wanted), run) in expected.iter().zip(runs) {
            assert_eq!(run.outcome, Outcome::Normal, "{name}");
            let mut measured = run.distances.clone();
            measured.sort_by_key(|d| d.slot);
            let told: Vec<String> = measured.iter().map(|d| text(d.value)).collect();
            if told.join(" ") != *wanted {
                wrong.push(format!("{name}: {} instead of {wanted}", told.join(" ")));
            }
            assert!(!run.probes.is_empty(), "{name}");
        }
        assert!(wrong.is_empty(), "JDK {}:\n{}", jdk.feature, wrong.join("\n"));
    }
}

fn text(value: f64) -> String {
    if value >= 1e300 { "1e300".to_owned() } else { ((value * 1e6).round() / 1e6).to_string() }
}

#[test]
fn nothing_is_measured_unless_asked_for_or_watched() {
    let jdk = &jdks()[0];
    let mut rig = Rig::new(jdk, "unwatched", &[CLASS]);
    let call = rig.static_call(CLASS, "intEqual", "()V");
    let run = |rig: &mut Rig, distances: bool| {
        let detail = Detail { distances, ..Detail::default() };
        rig.run(vec![Request { sequence: sequence(&[(call, &[])]), detail, cost: 1, fault: None }])[0].distances.len()
    };
    assert_eq!(run(&mut rig, true), 0);
    rig.executor.watch(&watches(&rig.library));
    assert_eq!(run(&mut rig, false), 0);
    assert_eq!(run(&mut rig, true), 1);
    rig.executor.watch(&[]);
    assert_eq!(run(&mut rig, true), 0);
}
