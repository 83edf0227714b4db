//! The JDK's own classes, observed: a JVM whose collections report every call, write and read starts and computes the
//! same.

use crate::jdk;
use crate::support::{feature, for_each_class, observing, source};
use bytecode::instrument::{Plan, instrument};
use std::process::Command;

const LATE: [&str; 4] = ["java/util/TreeMap", "java/util/ArrayDeque", "java/util/PriorityQueue", "java/util/BitSet"];

#[test]
fn a_jdk_with_observed_collections_works() {
    for home in jdk::jdks() {
        let folder = jdk::scratch(&format!("platform-{}", feature(&home)));
        let patch = folder.join("patch");
        let [patch_path, folder_path] = [&patch, &folder].map(|p| p.to_str().unwrap());
        let files = ["Collected", "testudo/runtime/Monitor"].map(|f| source(&format!("patched/{f}.java")));
        jdk::run(&home, "javac", &["-nowarn", "-d", folder_path, &files[0]]);
        jdk::run(
            &home,
            "javac",
            &["-nowarn", "--patch-module", &format!("java.base={patch_path}"), "-d", patch_path, &files[1]],
        );
        let mut plan = observing();
        let mut count = 0;
        for_each_class(&home, 1, |name, bytes| {
            let elsewhere = ["java/util/logging/", "java/util/prefs/"].iter().any(|p| name.starts_with(p));
            if (elsewhere || !name.starts_with("java/util/")) && name != "jdk/internal/util/ArraysSupport" {
                return;
            }
            // Arguments and results are boxed, which does not work while the JVM starts: no calls of what it uses then.
            let late =
                LATE.iter().any(|l| name.strip_prefix(l).is_some_and(|rest| rest.is_empty() || rest.starts_with('$')));
            let calls = observing().calls.filter(|_| late);
            let result = instrument(bytes, &Plan { calls, ..plan.clone() }).unwrap();
            assert_eq!((&result.skipped[..], &result.unobserved[..]), (&[][..], &[][..]), "{name}");
            plan.first_field += result.fields.len() as u32;
            let file = patch.join(format!("{name}.class"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, result.bytes).unwrap();
            count += 1;
        });
        assert!(count > 1000, "{count}");
        let plain = jdk::run(&home, "java", &["-cp", folder_path, "Collected"]);
        let patched = format!("java.base={patch_path}");
        // Without these two the compiler puts code of its own in the place of the comparisons, which reports nothing.
        let output = Command::new(home.join("bin/java"))
            .args([
                "-Xverify:all",
                "--patch-module",
                &patched,
                "--add-exports",
                "java.base/testudo.runtime=ALL-UNNAMED",
            ])
            .args(["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_equalsB,_equalsC"])
            .args(["-cp", folder_path, "Collected", "report"])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&output.stdout), plain, "{told}");
        // Every call has ended, and compiled code still reports what it compares.
        let numbers: Vec<u32> = told.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let [open, bytes, compiled, ints] = numbers[..] else { panic!("{told}") };
        assert!(open == 0 && bytes >= 128 && compiled == bytes && ints >= 128, "{told}");
    }
}
