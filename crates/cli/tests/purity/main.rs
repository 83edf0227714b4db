//! Purity analysis against what calls really do: nothing that it calls read-only may be seen to change.

mod watch;

use std::path::{Path, PathBuf};
use std::process::Command;

use bytecode::analysis::Purity;
use bytecode::names::ClassName;
use exec::jdk::Jdk;

use watch::{Lab, Tally, watch};

const SUBJECTS: [&str; 6] = ["BinarySearchTree", "IntStack", "LinkedList", "ShoppingCart", "BankAccount", "HeapMap"];
const PLATFORM: [&str; 4] = ["java/util/ArrayList", "java/util/BitSet", "java/util/TreeMap", "java/util/Stack"];

#[test]
fn what_is_called_read_only_is_never_seen_to_change() {
    let jdk = Jdk::find(None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let classes: PathBuf = folder.path().join("classes");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/subjects/src");
    let output = Command::new(jdk.home.join("bin/javac"))
        .args(["-g", "-nowarn", "-J-XX:TieredStopAtLevel=1", "-d"])
        .arg(&classes)
        .arg("-sourcepath")
        .arg(&sources)
        .args(SUBJECTS.map(|name| sources.join(format!("subjects/{name}.java"))))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut lab = Lab::new(&jdk, std::slice::from_ref(&classes));
    let world = lab.world.clone();
    let mut purity = Purity::new(&world);
    let mut tally = Tally::default();
    let subjects = SUBJECTS.map(|name| ClassName::new(format!("subjects/{name}")));
    for class in subjects.into_iter().chain(PLATFORM.map(ClassName::new)) {
        watch(&mut lab, &class, 1500, &mut purity, &mut tally).unwrap();
    }
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.calls > 5_000, "{} calls", tally.calls);
    let (both, claimed, seen, all) = tally.agreement(5, true);
    assert!(all > 100 && both * 10 >= seen * 6, "{both} of {seen}, claimed {claimed}, of {all}");
}
