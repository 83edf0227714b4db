//! Ctrl-C finishes the files for what was found, in a run of several classes, too.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::lab::{any_jdk, compile_text, endless, testudo};

/// Begins on all classes of a folder, waits, interrupts; the report.
#[expect(clippy::disallowed_methods, reason = "the test waits for real time to pass")]
fn interrupted_after(classes: &Path, out: &Path, wait: Duration) -> Value {
    let mut command = testudo();
    command.args(["generate", "--budget", "5m", "--jobs", "2", "--jdk"]).arg(any_jdk().home);
    command.arg("--out").arg(out).arg(classes);
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(wait);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let asked = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if asked.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it did not stop");
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(130));
    serde_json::from_str(&std::fs::read_to_string(out.join("report.json")).unwrap()).unwrap()
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_early_with_whole_files_and_its_own_code() {
    let temp = tempfile::tempdir().unwrap();
    let texts: Vec<_> = ["A", "B", "C", "D"].map(endless).into();
    let classes = compile_text(&any_jdk(), &texts, temp.path());
    let out = temp.path().join("out");
    // A busy machine may need more time to find anything at all.
    let waits = [3, 10, 30].map(Duration::from_secs);
    let reports = waits.iter().map(|&wait| interrupted_after(&classes, &out, wait));
    let found = |r: &Value| (0..2).all(|i| r["classes"][i]["tests"].as_u64().unwrap() > 0);
    let report = reports.into_iter().find(found).expect("no tests after half a minute");
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["classes"].as_array().unwrap().len(), 4);
    for begun in ["A", "B"] {
        assert!(out.join(format!("tests/p/{begun}Test.java")).exists());
    }
    for waiting in [2, 3] {
        assert_eq!(report["classes"][waiting]["status"], "skipped");
        assert_eq!(report["classes"][waiting]["notes"][0], "not begun: interrupted");
    }
}
