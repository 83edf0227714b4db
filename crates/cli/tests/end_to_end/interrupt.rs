//! Ctrl-C finishes the files for what was found.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::lab::{any_jdk, javac, sources, testudo};

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test waits for real time to pass")]
fn ctrl_c_ends_early_with_whole_files_and_its_own_code() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("subjects/src"), &[], &classes);
    let out = temp.path().join("out");
    let mut child = testudo()
        .args(["generate", "subjects.TreeMap", "--budget", "5m", "-c"])
        .arg(&classes)
        .arg("--jdk")
        .arg(&jdk.home)
        .arg("--out")
        .arg(&out)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(4));
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
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["interrupted"], true);
    assert!(report["classes"][0]["tests"].as_u64().unwrap() > 0, "{report:#}");
    assert!(out.join("tests/subjects/TreeMapTest.java").exists());
}
