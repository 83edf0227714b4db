//! The demo shows a test and says where the rest is.

use crate::lab::{any_jdk, testudo};

#[test]
fn the_demo_prints_a_test_and_finds_the_seeded_bug() {
    let temp = tempfile::tempdir().unwrap();
    let out = temp.path().join("out");
    let output = testudo().arg("demo").arg("--jdk").arg(any_jdk().home).arg("--out").arg(&out).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("@Test"), "{text}");
    assert!(text.contains("hashCode"), "{text}");
    assert!(out.join("tests/kitchen/QuantityTest.java").exists());
    let failing = std::fs::read_dir(out.join("failing/kitchen")).unwrap().count();
    assert!(failing > 0);
}
