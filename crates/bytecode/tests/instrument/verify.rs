//! Instrumented classes of every JDK found pass the JVM's verifier: HotSpot's own for all classes it verifies at all,
//! and the Class-File API's for all. Both checks are themselves checked with classes that must fail.

use crate::jdk;
use crate::support::{append, class, everything, feature, for_each_class, observing, source};
use bytecode::instrument::{Plan, instrument};
use bytecode::raw::RawClass;
use std::path::{Path, PathBuf};

/// HotSpot itself verifies everything but a few classes: those to whose fields or methods the JVM adds while loading
/// cannot be redefined even with their own bytes. The Class-File API verifies these too.
const MOST_UNCHECKABLE: usize = 50;

fn step() -> usize {
    if jdk::full() { 1 } else { 20 }
}

/// Writes a stream of instrumented classes and, as the last, one that must fail. Tells how many must pass.
fn stream(home: &Path, plan: &Plan, to: &Path) -> usize {
    let mut plan = plan.clone();
    let (mut stream, mut count) = (Vec::new(), 0);
    for_each_class(home, step(), |name, bytes| {
        if name.ends_with("module-info.class") {
            return;
        }
        let result = instrument(bytes, &plan).unwrap_or_else(|p| panic!("{name}: {p}"));
        plan.first_probe += result.probes.len() as u32;
        plan.first_site += result.sites.len() as u32;
        plan.first_field += result.fields.len() as u32;
        if let Some(calls) = &mut plan.calls {
            calls.first_member += result.members.len() as u32;
        }
        append(&mut stream, name, &result.bytes);
        count += 1;
    });
    append(&mut stream, SABOTAGED, &sabotaged(home));
    std::fs::write(to, stream).unwrap();
    count
}

const SABOTAGED: &str = "java/util/BitSet";

/// A real class with a method whose operand stack is too small.
fn sabotaged(home: &Path) -> Vec<u8> {
    let mut bytes = class(home, SABOTAGED);
    let parsed = RawClass::parse(&bytes).unwrap();
    let method = parsed.methods.iter().find(|m| m.name == "nextSetBit").unwrap();
    let code = method.attributes.find(&parsed.pool, "Code").unwrap().range.start;
    bytes[code + 1] = 1;
    bytes
}

/// Builds the jar of the HotSpot check.
fn hotspot_check(home: &Path, folder: &Path) -> PathBuf {
    let classes = folder.join("classes");
    let manifest = folder.join("manifest.txt");
    let jar = folder.join("check.jar");
    let entries = "Main-Class: HotSpotVerify\nLauncher-Agent-Class: HotSpotVerify\nCan-Redefine-Classes: true\n";
    std::fs::write(&manifest, entries).unwrap();
    jdk::run(home, "javac", &["-nowarn", "-d", classes.to_str().unwrap(), &source("HotSpotVerify.java")]);
    let [jar_path, manifest, classes] = [&jar, &manifest, &classes].map(|p| p.to_str().unwrap());
    jdk::run(home, "jar", &["cfm", jar_path, manifest, "-C", classes, "."]);
    jar
}

#[test]
fn hotspot_verifies_every_jdk_class_instrumented() {
    hotspot_verifies("hotspot", &Plan { infections: true, ..everything() });
}

#[test]
fn hotspot_verifies_every_jdk_class_observed() {
    hotspot_verifies("hotspot-observed", &observing());
}

#[test]
fn hotspot_verifies_every_jdk_class_observed_and_measured() {
    hotspot_verifies("hotspot-both", &Plan { edges: true, steps: true, ..observing() });
}

fn hotspot_verifies(name: &str, plan: &Plan) {
    for home in jdk::jdks() {
        let folder = jdk::scratch(&format!("{name}-{}", feature(&home)));
        let jar = hotspot_check(&home, &folder);
        let file = folder.join("stream");
        let count = stream(&home, plan, &file);
        let [jar, file] = [&jar, &file].map(|p| p.to_str().unwrap());
        let arguments =
            ["-Xverify:all", "-XX:TieredStopAtLevel=1", "-Xmx1g", "--add-modules", "ALL-SYSTEM", "-jar", jar, file];
        let output = jdk::run(&home, "java", &arguments);
        let summary = output.lines().last().unwrap();
        println!("{}: {summary}", home.display());
        let numbers: Vec<usize> = summary.split(' ').filter_map(|w| w.parse().ok()).collect();
        let failures: Vec<&str> = output.lines().filter(|l| l.starts_with("FAILED")).collect();
        assert_eq!(failures, ["FAILED java.util.BitSet java.lang.VerifyError"], "{output}");
        assert_eq!((numbers[0] + numbers[2], numbers[1]), (count, 1), "{output}");
        assert!(numbers[2] <= MOST_UNCHECKABLE, "{output}");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn the_class_file_api_verifies_every_jdk_class_instrumented() {
    the_class_file_api_verifies("class-file", &Plan { infections: true, ..everything() });
}

#[test]
fn the_class_file_api_verifies_every_jdk_class_observed_and_measured() {
    the_class_file_api_verifies("class-file-both", &Plan { edges: true, lines: true, ..observing() });
}

fn the_class_file_api_verifies(name: &str, plan: &Plan) {
    // The API is final since JDK 24; where there is no such JDK, HotSpot's own verdict has to do.
    let homes = jdk::jdks();
    let Some(judge) = homes.iter().rfind(|h| feature(h) >= 24) else {
        return;
    };
    let judged: Vec<&PathBuf> = if jdk::full() { homes.iter().collect() } else { vec![judge] };
    for home in judged {
        let folder = jdk::scratch(&format!("{name}-{}", feature(home)));
        let file = folder.join("stream");
        let count = stream(home, plan, &file);
        let program = source("ClassFileVerify.java");
        let mut arguments = vec!["-Xmx2g", "--add-modules", "ALL-SYSTEM", &program, file.to_str().unwrap()];
        let whole = folder.join("whole");
        if home != judge {
            let mut originals = Vec::new();
            for_each_class(home, 1, |name, bytes| append(&mut originals, name, bytes));
            std::fs::write(&whole, originals).unwrap();
            arguments.push(whole.to_str().unwrap());
        }
        let output = jdk::run(judge, "java", &arguments);
        println!("{}: {}", home.display(), output.lines().last().unwrap());
        let failures: Vec<&str> = output.lines().filter(|l| l.starts_with("FAILED")).collect();
        assert!(
            matches!(failures[..], [one] if one.starts_with("FAILED java/util/BitSet Operand stack overflow")),
            "{output}"
        );
        assert_eq!(output.lines().last().unwrap(), format!("passed {count} failed 1"), "{output}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
