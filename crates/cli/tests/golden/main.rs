//! Suites that must not change by accident: every technique on small classes with a fixed seed, compared byte for byte
//! with what is committed in `jdk-17.txt` (a hash of every file, and the figures of every class) and `jdk-17/` (a few
//! whole files). Owns the table of runs and the comparison.
//!
//! `TESTUDO_GOLDEN=write cargo test -p testudo --test golden` writes what is committed anew; the commit says why the
//! bytes are others.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use exec::jdk::Jdk;
use serde_json::Value;

/// One run of the command. Its techniques are found out about one by one, so that a difference names the technique.
struct Run {
    /// What comes behind `--technique`.
    technique: &'static str,
    executions: u32,
    classes: &'static [&'static str],
}

const RUNS: [Run; 10] = [
    Run { technique: "portfolio", executions: 6_000, classes: &MANY },
    Run { technique: "portfolio --workers 2 --junit 4", executions: 4_000, classes: &["subjects.HeapMap"] },
    Run { technique: "random", executions: 2_000, classes: &FEW },
    Run { technique: "evolve", executions: 5_000, classes: &FEW },
    Run { technique: "evolve --style gp", executions: 2_000, classes: &FEW },
    Run { technique: "mio", executions: 3_000, classes: &FEW },
    Run { technique: "redirect", executions: 5_000, classes: &FEW },
    Run { technique: "exhaustive --iterations 2", executions: 1_500, classes: &FEW },
    Run { technique: "symbolic-states --iterations 2", executions: 1_500, classes: &FEW },
    Run { technique: "concolic", executions: 1_000, classes: &FEW },
];

/// Containers, parsers, records and what newer languages have, numbers, values of their own, bugs, locks for solvers.
const MANY: [&str; 28] = [
    "bugs.CsvTotals",
    "bugs.TagSet",
    "bugs.Version",
    "directed.Gate",
    "distant.Locks",
    "jtestcraft.Coinbox",
    "jtestcraft.boxes.LinkedList",
    "kitchen.Quantity",
    "modern.Account",
    "modern.Functional",
    "modern.Generics",
    "modern.Letter",
    "modern.Numbers",
    "modern.Switches",
    "modern.Varargs",
    "stuck.BookNumber",
    "stuck.Version",
    "subjects.BSet",
    "subjects.BankAccount",
    "subjects.BinomialHeap",
    "subjects.DisjSet",
    "subjects.FibonacciHeap",
    "subjects.HeapArray",
    "subjects.Poly",
    "subjects.Rat",
    "subjects.ShoppingCart",
    "subjects.TreeMap",
    "subjects.UBStack",
];

/// For each technique alone: a container, a value, a parser with a bug, conditions one behind the other.
const FEW: [&str; 4] = ["directed.Gate", "kitchen.Quantity", "stuck.Version", "subjects.BinomialHeap"];

/// Compiled together; `modern` needs Java 17.
const SOURCES: [&str; 8] = [
    "bugs/src",
    "directed/src",
    "demo/src",
    "evolve/src",
    "jtestcraft/src",
    "modern/src17",
    "stuck/src",
    "subjects/src",
];

/// Compared as a whole: technique, file.
const WHOLE: [(&str, &str); 4] = [
    ("portfolio", "tests/kitchen/QuantityTest.java"),
    ("portfolio", "failing/bugs/TagSetFailingTest.java"),
    ("evolve --style gp", "tests/directed/GateTest.java"),
    ("concolic", "tests/stuck/VersionTest.java"),
];

/// The feature versions of JDKs that lists are committed for: the platform's classes take part in the search, so every
/// one has suites of its own.
const FEATURES: [u16; 1] = [17];

#[test]
fn suites_are_what_they_were_byte_for_byte() {
    for feature in FEATURES {
        match Jdk::all().into_iter().find(|jdk| jdk.feature == feature) {
            Some(jdk) => compare(&jdk),
            None => println!("skipped: there is no JDK {feature} here, and the committed suites are of that one"),
        }
    }
}

fn compare(jdk: &Jdk) {
    let folder = tempfile::Builder::new().prefix("golden-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let classes = folder.path().join("classes");
    compile(jdk, &classes);
    let mut found = BTreeMap::new();
    for run in &RUNS {
        found.extend(generate(jdk, run, &classes, folder.path()));
    }
    let list = committed().join(format!("jdk-{}.txt", jdk.feature));
    let whole = committed().join(format!("jdk-{}", jdk.feature));
    if std::env::var_os("TESTUDO_GOLDEN").is_some_and(|v| v == "write") {
        write(jdk, &found, folder.path(), &list, &whole);
        return;
    }
    let text = fs::read_to_string(&list).unwrap_or_default();
    let mut problems = differences(&parse(&text), &found);
    for (technique, file) in WHOLE {
        let (old, new) = (whole.join(name_of(technique)).join(file), output(folder.path(), technique).join(file));
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        if read(&old) != read(&new) {
            writeln!(problems, "{technique}: {file}: compare {} with {}", old.display(), new.display()).unwrap();
        }
    }
    if !problems.is_empty() {
        let made_on = text.lines().next().unwrap_or_default();
        let kept = folder.keep();
        panic!(
            "suites changed:\n{problems}\nThe new ones are in {}, one folder per technique. The list says \"{made_on}\"; this is JDK {}.\n\
             If the change is wanted, TESTUDO_GOLDEN=write writes the list anew.",
            kept.display(),
            jdk.version
        );
    }
}

fn compile(jdk: &Jdk, out: &Path) {
    fs::create_dir_all(out).unwrap();
    let root = repository().join("fixtures");
    let mut files: Vec<PathBuf> = SOURCES.iter().flat_map(|folder| files_in(&root.join(folder))).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "java"));
    let output = Command::new(jdk.home.join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-d"])
        .arg(out)
        .args(files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the command. Gives a value for every file that it wrote and for every class: `technique: what` → hash or
/// figures.
fn generate(jdk: &Jdk, run: &Run, classes: &Path, folder: &Path) -> BTreeMap<String, String> {
    let out = output(folder, run.technique);
    let result = Command::new(env!("CARGO_BIN_EXE_testudo"))
        .arg("generate")
        .args(run.classes)
        .arg("--technique")
        .args(run.technique.split(' '))
        .args(["--seed", "7", "--jobs", "2", "--max-executions", &run.executions.to_string()])
        .arg("-c")
        .arg(classes)
        .arg("--jdk")
        .arg(&jdk.home)
        .arg("--out")
        .arg(&out)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(result.status.success(), "{}: {}", run.technique, String::from_utf8_lossy(&result.stderr));
    let mut found = BTreeMap::new();
    let mut add = |what: &str, value: String| found.insert(format!("{}: {what}", run.technique), value);
    let files = [out.join("tests"), out.join("failing"), out.join("findings.sarif")];
    for file in files.iter().flat_map(|path| files_in(path)) {
        let what = file.strip_prefix(&out).unwrap().to_str().unwrap();
        add(what, format!("{:016x}", hash(&fs::read(&file).unwrap())));
    }
    let report: Value = serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap();
    for class in report["classes"].as_array().unwrap() {
        let goals = |which| class["goals"].as_object().unwrap().values().filter_map(|g| g[which].as_u64()).sum::<u64>();
        let figures = format!(
            "{} executions, {}/{} goals, {} tests, {} assertions",
            class["executions"],
            goals("covered"),
            goals("total"),
            class["tests"],
            class["assertions"]
        );
        add(class["class"].as_str().unwrap(), figures);
    }
    found
}

/// Where a run writes to.
fn output(folder: &Path, technique: &str) -> PathBuf {
    folder.join(name_of(technique))
}

fn name_of(technique: &str) -> String {
    technique.replace(" --", "-").replace(' ', "-")
}

fn committed() -> PathBuf {
    repository().join("crates/cli/tests/golden")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file itself, or all files below a folder, in the order of their names.
fn files_in(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| files_in(path)).collect()
}

/// FNV-1a: the same in every version of Rust.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn parse(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = ")).map(|(what, value)| (what.to_owned(), value.to_owned())).collect()
}

/// A line for everything that changed, came or went.
fn differences(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (what, value) in new {
        match old.get(what) {
            Some(before) if before == value => {}
            Some(before) => writeln!(text, "{what}: was {before}, is {value}").unwrap(),
            None => writeln!(text, "{what}: is new, {value}").unwrap(),
        }
    }
    for (what, value) in old.iter().filter(|(what, _)| !new.contains_key(*what)) {
        writeln!(text, "{what}: is missing, was {value}").unwrap();
    }
    text
}

fn write(jdk: &Jdk, found: &BTreeMap<String, String>, folder: &Path, list: &Path, whole: &Path) {
    let mut text = format!("# Made on JDK {}. Hashes are FNV-1a, 64 bits.\n", jdk.version);
    for (what, value) in found {
        writeln!(text, "{what} = {value}").unwrap();
    }
    fs::write(list, text).unwrap();
    for (technique, file) in WHOLE {
        let to = whole.join(name_of(technique)).join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(output(folder, technique).join(file), to).unwrap();
    }
}

#[test]
fn what_changed_came_or_went_is_named() {
    let old =
        parse("# Made on JDK 17.\nrandom: tests/p/ATest.java = 01\nrandom: p.A = 3 tests\nevolve: p.A = 1 tests\n");
    let new = parse("random: tests/p/ATest.java = 02\nrandom: p.A = 3 tests\nrandom: p.B = 1 tests\n");
    assert_eq!(
        differences(&old, &new),
        "random: p.B: is new, 1 tests\nrandom: tests/p/ATest.java: was 01, is 02\nevolve: p.A: is missing, was 1 tests\n"
    );
    assert_eq!(differences(&old, &old), "");
    assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
}
