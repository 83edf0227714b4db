//! HotSpot accepts JDK classes with all their mutants in them.

use bytecode::instrument::SkipReason;

use crate::support::{append, feature, for_each_class, source};
use crate::{jdk, switchable};

/// Classes to whose members the JVM adds while loading cannot be redefined even with their own bytes.
const MOST_UNCHECKABLE: usize = 50;

#[test]
fn hotspot_verifies_jdk_classes_with_their_mutants() {
    for home in jdk::jdks() {
        let folder = jdk::scratch(&format!("schemata-{}", feature(&home)));
        let (mut stream, mut count, mut mutants, mut left_out) = (Vec::new(), 0, 0, Vec::new());
        for_each_class(&home, if jdk::full() { 1 } else { 30 }, |name, bytes| {
            if name.ends_with("module-info.class") {
                return;
            }
            let (schemata, bytes) = switchable(bytes, 1);
            mutants += schemata.sites.iter().map(|s| s.mutants.len()).sum::<usize>();
            left_out.extend(schemata.left_out.iter().map(|l| (name.to_owned(), l.clone())));
            append(&mut stream, name, &bytes);
            count += 1;
        });
        let file = folder.join("stream");
        std::fs::write(&file, stream).unwrap();
        let (classes, manifest, jar) = (folder.join("classes"), folder.join("manifest.txt"), folder.join("check.jar"));
        let entries = "Main-Class: HotSpotVerify\nLauncher-Agent-Class: HotSpotVerify\nCan-Redefine-Classes: true\n";
        std::fs::write(&manifest, entries).unwrap();
        let [file, classes, manifest, jar] = [&file, &classes, &manifest, &jar].map(|p| p.to_str().unwrap());
        jdk::run(&home, "javac", &["-nowarn", "-d", classes, &source("HotSpotVerify.java")]);
        jdk::run(&home, "jar", &["cfm", jar, manifest, "-C", classes, "."]);
        let arguments =
            ["-Xverify:all", "-XX:TieredStopAtLevel=1", "-Xmx1g", "--add-modules", "ALL-SYSTEM", "-jar", jar, file];
        let output = jdk::run(&home, "java", &arguments);
        let summary = output.lines().last().unwrap();
        println!("{}: {summary}; {mutants} mutants, {} methods left out", home.display(), left_out.len());
        let numbers: Vec<usize> = summary.split(' ').filter_map(|w| w.parse().ok()).collect();
        assert_eq!(numbers[1], 0, "{output}");
        assert_eq!(numbers[0] + numbers[2], count, "{output}");
        assert!(numbers[2] <= MOST_UNCHECKABLE, "{output}");
        // Only what is too large may be left out.
        let too_large = |reason: &SkipReason| match reason {
            SkipReason::CodeTooLarge { .. }
            | SkipReason::BranchTooFar
            | SkipReason::StackTooDeep
            | SkipReason::TooManyHandlers => true,
            SkipReason::OddConstructor
            | SkipReason::PoolFull
            | SkipReason::ExceptionTable
            | SkipReason::StackMap { .. }
            | SkipReason::Malformed(_) => false,
        };
        let odd: Vec<_> = left_out.iter().filter(|(_, l)| !too_large(&l.reason)).collect();
        assert!(odd.is_empty(), "{odd:?}");
        assert!(mutants > 10 * count, "{mutants} in {count} classes");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
