//! The symbolic machine against JVMs: random sequences on both must show the same outcomes, values and states.

mod bench;
mod lab;

use std::path::Path;
use std::process::Command;

use bench::Report;
use exec::jdk::Jdk;
use lab::Lab;

#[test]
fn subjects_behave_alike() {
    for jdk in Jdk::all() {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/subjects/src/subjects");
        let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/Broken.java");
        let sources = std::fs::read_dir(sources).unwrap().map(|e| e.unwrap().path()).chain([broken]);
        let output = Command::new(jdk.home.join("bin/javac"))
            .args(["-g", "-J-XX:TieredStopAtLevel=1", "-d"])
            .arg(&classes)
            .args(sources)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut lab = Lab::new(&jdk, &[classes], folder.path());
        let mut total = Report::default();
        for class in lab.names() {
            let compared = lab.compare(&class, 400, 1).unwrap_or_else(|e| panic!("{class}: {e}"));
            let Some(report) = compared.filter(|r| r.sequences > 0) else { continue };
            assert_eq!(report.wrong_count, 0, "{class} on Java {}:\n{}", jdk.feature, report.wrong.join("\n"));
            assert!(report.values >= report.states && report.unknown_states < report.values, "{class}: {report:?}");
            total.add(report);
        }
        // Nearly all of what is unstable are stack traces of the one exception class among the subjects.
        let few = total.stopped() * 10 < total.sequences && total.unstable_count() * 50 < total.sequences;
        assert!(few, "Java {}: {:?}, {:?}", jdk.feature, total.reasons(), total.unstable);
        assert!(
            total.probes > 50_000 && total.operands > 10_000 && total.distances > 10_000,
            "{} probes, {} operands, {} distances",
            total.probes,
            total.operands,
            total.distances
        );
        assert!(total.checked > 1_000 && total.violations > 0, "{} contracts broken", total.violations);
        assert!(total.states > 50_000, "only {} states on Java {}", total.states, jdk.feature);
    }
}
