//! Superfluous tests go, the rest stays as it was, and the suite is as good as before. Real JUnit, real suites (`fixtures/suites`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::lab::{any_jdk, javac, jdks, junit, sources, testudo};

/// A suite of `fixtures/suites` with what it needs, in a folder that goes when this is dropped.
pub struct Lab {
    pub jdk: exec::jdk::Jdk,
    pub temp: tempfile::TempDir,
    /// A copy of the suite's sources.
    pub sources: PathBuf,
    classpath: Vec<PathBuf>,
}

pub struct Minimized {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub out: PathBuf,
    json: PathBuf,
}

/// What the suites are about.
const SUBJECTS: [&str; 5] =
    ["IntStack.java", "UBStack.java", "ShoppingCart.java", "Item.java", "ItemNotFoundException.java"];

impl Lab {
    pub fn new(jdk: exec::jdk::Jdk, suite: &str) -> Lab {
        let temp = tempfile::tempdir().unwrap();
        let copy = temp.path().join("src");
        copy_suite(suite, &copy);
        let subjects: Vec<PathBuf> = sources("subjects/src")
            .into_iter()
            .filter(|p| SUBJECTS.iter().any(|subject| p.ends_with(subject)))
            .collect();
        let classes = temp.path().join("classes");
        javac(&jdk, &subjects, &[], &classes);
        let classpath = [vec![classes], junit()].concat();
        Lab { jdk, temp, sources: copy, classpath }
    }

    /// The class path of the suite, as an argument.
    pub fn classpath(&self) -> String {
        std::env::join_paths(&self.classpath).unwrap().into_string().unwrap()
    }

    /// Compiles sources of a suite to a folder of that name.
    pub fn compile(&self, sources: &Path, name: &str) -> PathBuf {
        let out = self.temp.path().join(name);
        let classpath: Vec<&Path> = self.classpath.iter().map(PathBuf::as_path).collect();
        let files: Vec<PathBuf> = texts(sources).keys().map(|k| sources.join(k)).collect();
        javac(&self.jdk, &files, &classpath, &out);
        out
    }

    pub fn run(&self, command: &str, args: &[&str]) -> Minimized {
        let out = self.temp.path().join("out");
        let json = self.temp.path().join("report.json");
        let mut call = testudo();
        call.arg(command).args(args).arg("--jdk").arg(&self.jdk.home).arg("--json").arg(&json);
        if !args.contains(&"-c") {
            call.arg("-c").arg(self.classpath());
        }
        if command == "minimize" {
            call.arg("--out").arg(&out);
        }
        let output = call.output().unwrap();
        Minimized {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            out,
            json,
        }
    }

    pub fn minimize(&self, args: &[&str]) -> Minimized {
        self.run("minimize", args)
    }

    /// From the sources.
    fn minimized(&self, args: &[&str]) -> Minimized {
        let sources = self.sources.to_str().unwrap();
        self.minimize(&[&["--test-sources", sources][..], args].concat()).succeeded()
    }
}

impl Minimized {
    #[track_caller]
    pub fn succeeded(self) -> Minimized {
        assert_eq!(self.code, 0, "{}\n{}", self.stderr, self.stdout);
        self
    }

    #[track_caller]
    pub fn failed(self, code: i32, words: &[&str]) -> Minimized {
        assert_eq!(self.code, code, "{}\n{}", self.stderr, self.stdout);
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in: {}", self.stderr);
        }
        self
    }

    pub fn report(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(&self.json).unwrap()).unwrap()
    }

    /// Simple name of class and method → decision and reason.
    fn decisions(&self) -> BTreeMap<String, (String, String)> {
        let report = self.report();
        let tests = report["tests"].as_array().unwrap().iter();
        tests
            .map(|t| {
                let class = t["class"].as_str().unwrap().rsplit('.').next().unwrap();
                let reason = t["reason"].as_str().unwrap_or_default().to_string();
                let decision = t["decision"].as_str().unwrap().to_string();
                (format!("{class}.{}", t["method"].as_str().unwrap()), (decision, reason))
            })
            .collect()
    }

    fn of(&self, decision: &str) -> Vec<String> {
        self.decisions().into_iter().filter(|(_, (d, _))| d == decision).map(|(name, _)| name).collect()
    }
}

fn copy_suite(suite: &str, to: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/suites").join(suite);
    for file in sources(&format!("suites/{suite}")) {
        let relative = fs::canonicalize(&file).unwrap();
        let relative = relative.strip_prefix(fs::canonicalize(&root).unwrap()).unwrap().to_path_buf();
        let path = to.join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(&file, &path).unwrap();
    }
}

/// All Java files below a folder.
pub fn texts(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_string();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

const INT_STACK: [&str; 2] = ["--target", "subjects.IntStack"];

#[test]
fn each_technique_finds_what_the_literature_says() {
    for jdk in jdks() {
        let lab = Lab::new(jdk, "paper");
        let tests = lab.compile(&lab.sources, "tests");
        let expected: [(&str, &[&str]); 5] = [
            ("whole-seq", &[]),
            ("modifying-seq", &["t3"]),
            ("whole-state", &["t3"]),
            ("monitor-equals", &["t2", "t3"]),
            ("pairwise-equals", &["t2", "t3"]),
        ];
        for (technique, superfluous) in expected {
            let tests = tests.to_str().unwrap();
            let args = ["--tests", tests, "--dry-run", "--technique", technique];
            let run = lab.minimize(&[&args[..], &INT_STACK[..]].concat()).succeeded();
            let names: Vec<String> = superfluous.iter().map(|t| format!("IntStackTest.{t}")).collect();
            assert_eq!(run.of("redundant"), names, "{technique} on JDK {}\n{}", lab.jdk.feature, run.stdout);
            for name in &names {
                assert!(
                    run.stdout.contains(&format!("suites.paper.{name}: does what suites.paper.IntStackTest.t1 does")),
                    "{}",
                    run.stdout
                );
            }
            assert!(
                run.stdout.contains(&format!("{} of 3 tests superfluous by {technique}", names.len())),
                "{}",
                run.stdout
            );
            assert!(!run.out.exists(), "a dry run writes nothing");
        }
    }
}

#[test]
fn fixtures_parameters_nesting_and_inheritance_are_understood() {
    for jdk in jdks() {
        let lab = Lab::new(jdk, "jupiter");
        let before = texts(&lab.sources);
        let run = lab.minimized(&INT_STACK);
        let decisions = run.decisions();
        let mut redundant = run.of("redundant");
        let twin = redundant.iter().position(|t| t.starts_with("StackTest$Emptied.is")).expect("one of the twins");
        let twin = redundant.remove(twin);
        assert_eq!(redundant, ["StackTest.pushesThree", "ZuluTest.remembers"], "{}", run.stdout);
        assert!(decisions["StackTest.pushesThreeAndDoubts"].1.contains("assertNotEquals"), "{}", run.stdout);
        assert_eq!(texts(&lab.sources), before, "the originals are not touched");

        let mut expected = before.clone();
        expected.remove("suites/jupiter/ZuluTest.java");
        let stack = expected.get_mut("suites/jupiter/StackTest.java").unwrap();
        let cut = |text: &str, from: &str, to: &str| {
            let start = text.find(from).unwrap();
            let end = start + text[start..].find(to).unwrap();
            format!("{}{}", &text[..start], &text[end..])
        };
        *stack = cut(stack, "\t/** Superfluous", "\t/* The same");
        *stack = if twin.ends_with(".isEmpty") {
            cut(stack, "\t\t@Test\n\t\tvoid isEmpty", "\t\t@Test\n\t\tvoid isStillEmpty")
        } else {
            cut(stack, "\t\t@Test\n\t\tvoid isStillEmpty", "\t\t@Test\n\t\tvoid throwsUp")
        };
        let after = texts(&run.out.join("tests"));
        assert_eq!(after, expected);

        let report = run.report();
        assert_eq!(report["verified"], true);
        assert_eq!(report["before"]["branches"], report["after"]["branches"]);
        assert_eq!(report["before"]["exceptions"], report["after"]["exceptions"]);
        assert_eq!(report["before"]["method_executions"], report["after"]["method_executions"]);
        assert_eq!(report["files"][0]["change"], "edited");
        assert_eq!(report["files"][1]["change"], "dropped");
        let written: Value = serde_json::from_str(&fs::read_to_string(run.out.join("minimize.json")).unwrap()).unwrap();
        assert_eq!(written, report);
        assert_eq!(crate::schema::problems_of("minimize.schema.json", &report), Vec::<String>::new());

        // A minimised suite is minimal; once is enough to see it.
        if lab.jdk.home != any_jdk().home {
            continue;
        }
        let again = lab.minimize(
            &[&["--test-sources", run.out.join("tests").to_str().unwrap(), "--dry-run"][..], &INT_STACK[..]].concat(),
        );
        assert_eq!(again.succeeded().of("redundant"), Vec::<String>::new());
    }
}

#[test]
fn assertions_count_unless_told_otherwise() {
    let lab = Lab::new(any_jdk(), "jupiter");
    let run = lab.minimized(&[&["--ignore-assertions", "--in-place"][..], &INT_STACK[..]].concat());
    assert!(run.of("redundant").contains(&"StackTest.pushesThreeAndDoubts".to_string()), "{}", run.stdout);
    let stack = fs::read_to_string(lab.sources.join("suites/jupiter/StackTest.java")).unwrap();
    assert!(!stack.contains("pushesThreeAndDoubts") && stack.contains("private void push(int value)"), "{stack}");
    assert!(!lab.sources.join("suites/jupiter/ZuluTest.java").exists());
    let originals = texts(&run.out.join("originals"));
    assert_eq!(originals.len(), 2, "{originals:?}");
    assert!(originals["suites/jupiter/StackTest.java"].contains("pushesThreeAndDoubts"));
}

#[test]
fn without_sources_superfluous_tests_are_listed() {
    let lab = Lab::new(any_jdk(), "paper");
    let tests = lab.compile(&lab.sources, "tests");
    let jar = lab.temp.path().join("tests.jar");
    let packed = Command::new(lab.jdk.home.join("bin/jar")).arg("cf").arg(&jar).arg("-C").arg(&tests).arg(".").status();
    assert!(packed.unwrap().success());
    let run = lab.minimize(&[&["--tests", jar.to_str().unwrap()][..], &INT_STACK[..]].concat()).succeeded();
    let list = run.out.join("superfluous.txt");
    assert_eq!(fs::read_to_string(&list).unwrap(), "suites.paper.IntStackTest#t3\n");
    assert!(run.out.join("minimize.json").exists() && !run.out.join("tests").exists());
    assert_eq!(run.report()["verified"], false);
    for words in ["without --test-sources no suite is written", list.to_str().unwrap()] {
        assert!(run.stdout.contains(words), "{}", run.stdout);
    }
}

#[test]
fn what_was_generated_can_be_minimised_and_assessed_as_it_is() {
    let lab = Lab::new(any_jdk(), "paper");
    let classes = lab.temp.path().join("classes");
    let command = |name: &str| {
        let mut command = testudo();
        command.current_dir(lab.temp.path()).arg(name).arg("--jdk").arg(&lab.jdk.home).arg("-c").arg(&classes);
        command
    };
    let said = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    said(command("generate").args(["subjects.IntStack", "--max-executions", "300", "--no-mutation"]));
    let generated = texts(&lab.temp.path().join("testudo-out/tests"));
    let minimized = said(command("minimize").args(["--tests", "testudo-out/tests", "--target", "subjects.IntStack"]));
    assert!(minimized.contains("compiled and run again, in testudo-minimized/tests"), "{minimized}");
    assert_eq!(texts(&lab.temp.path().join("testudo-out/tests")), generated);
    assert!(!texts(&lab.temp.path().join("testudo-minimized/tests")).is_empty());
    let assessed = said(command("assess").args(["testudo-out/tests", "--target", "subjects.IntStack"]));
    assert!(assessed.contains("method executions"), "{assessed}");
}

#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the test waits for real time to pass")]
fn ctrl_c_ends_a_running_suite_and_changes_nothing() {
    let lab = Lab::new(any_jdk(), "hanging");
    let before = texts(&lab.sources);
    let mut command = testudo();
    command.args(["minimize", "--in-place", "--test-limit", "10m", "--target", "subjects.IntStack"]);
    command.arg("--test-sources").arg(&lab.sources).arg("--jdk").arg(&lab.jdk.home).arg("-c").arg(lab.classpath());
    command.arg("--out").arg(lab.temp.path().join("out")).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // Long enough for the suite to begin on most machines; on others something before it is interrupted.
    std::thread::sleep(Duration::from_secs(8));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let asked = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(60), "{:?}", asked.elapsed());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted; nothing was changed"), "{stderr}");
    assert_eq!(texts(&lab.sources), before);
}

#[test]
fn junit_4_suites_are_understood() {
    let lab = Lab::new(any_jdk(), "vintage");
    let run = lab.minimized(&["--target", "subjects.UBStack"]);
    assert_eq!(run.of("redundant"), ["UBStackTest.boundOfTwo", "UBStackTest.membersOnceMore"], "{}", run.stdout);
    assert_eq!(run.decisions()["UBStackTest.ignored"], ("kept".to_string(), "was skipped".to_string()));
    let after = fs::read_to_string(run.out.join("tests/suites/vintage/UBStackTest.java")).unwrap();
    assert!(!after.contains("Only now: BoundsTest asks the same"), "the comment inside goes, too: {after}");
    assert_eq!(run.report()["verified"], true);
}

#[test]
fn a_test_that_others_depend_on_is_put_back() {
    let lab = Lab::new(any_jdk(), "order");
    let run = lab.minimized(&INT_STACK);
    let decisions = run.decisions();
    assert_eq!(decisions["SharedTest.b"].0, "put-back", "{}", run.stdout);
    let words = "SharedTest.d fails without it: it depends on the order of tests";
    assert!(decisions["SharedTest.b"].1.contains(words), "{}", run.stdout);
    assert!(run.stdout.contains(words), "{}", run.stdout);
    assert_eq!(run.of("redundant"), ["SharedTest.c"], "{}", run.stdout);
}

#[test]
fn tests_that_hang_or_fail_stay_and_the_rest_is_minimised() {
    let lab = Lab::new(any_jdk(), "hanging");
    let run = lab.minimized(&[&["--test-limit", "2s"][..], &INT_STACK[..]].concat());
    let quick = run.of("redundant");
    assert_eq!(quick.len(), 1, "{}", run.stdout);
    assert!(quick[0].starts_with("WaitingTest.quick"), "{quick:?}");
    assert_eq!(run.decisions()["WaitingTest.waitsForNobody"].1, "did not end within 2.0 s", "{}", run.stdout);

    let lab = Lab::new(any_jdk(), "failing");
    let run = lab.minimized(&INT_STACK);
    assert_eq!(run.of("redundant"), Vec::<String>::new(), "{}", run.stdout);
    assert_eq!(run.report()["before"]["failing"], 2);
    assert!(
        run.stdout.contains("2 tests fail, among them suites.failing.FailingTest.popsNothing with"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let jdk = any_jdk();
    let lab = Lab::new(jdk.clone(), "broken");
    let sources = lab.sources.to_str().unwrap();
    let broken = lab.minimize(&[&["--test-sources", sources][..], &INT_STACK[..]].concat());
    let broken = broken.failed(14, &["do not compile", "suites/broken/BrokenTest.java:10", "pushes", "hint:"]);
    assert!(!broken.out.exists());
    lab.minimize(&["--test-sources", sources, "--target", "subjects.IntStak"])
        .failed(3, &["subjects.IntStak", "did you mean subjects.IntStack"]);
    lab.minimize(&[&["--tests", "no-such.jar"][..], &INT_STACK[..]].concat()).failed(6, &["no-such.jar"]);
    lab.minimize(&INT_STACK).failed(2, &["--tests"]);
    lab.minimize(&[&["--test-sources", sources, "--technique", "magic"][..], &INT_STACK[..]].concat())
        .failed(2, &["magic", "whole-state"]);
    let empty = lab.temp.path().join("empty");
    fs::create_dir(&empty).unwrap();
    lab.minimize(&[&["--tests", empty.to_str().unwrap()][..], &INT_STACK[..]].concat())
        .failed(15, &["no compiled classes"]);
    fs::write(lab.temp.path().join("bad.jar"), b"PK no jar").unwrap();
    let bad = lab.temp.path().join("bad.jar");
    lab.minimize(&[&["--tests", bad.to_str().unwrap()][..], &INT_STACK[..]].concat()).failed(6, &["bad.jar"]);

    let lab = Lab::new(jdk.clone(), "untouched");
    let sources = lab.sources.to_str().unwrap();
    lab.minimize(&[&["--test-sources", sources][..], &INT_STACK[..]].concat())
        .failed(15, &["none of the tests", "uses subjects.IntStack"]);

    let lab = Lab::new(jdk, "jupiter");
    let sources = lab.sources.to_str().unwrap();
    let classes = lab.temp.path().join("classes");
    let without_junit = ["--test-sources", sources, "-c", classes.to_str().unwrap()];
    lab.minimize(&[&without_junit[..], &INT_STACK[..]].concat()).failed(9, &["JUnit", "hint:"]);
    let wrong = lab.temp.path().join("wrong/WrongTest.java");
    fs::create_dir(wrong.parent().unwrap()).unwrap();
    fs::write(&wrong, "class WrongTest { int one = two; }").unwrap();
    let wrong = ["--test-sources", wrong.parent().unwrap().to_str().unwrap(), "-c", classes.to_str().unwrap()];
    lab.minimize(&[&wrong[..], &INT_STACK[..]].concat()).failed(14, &["WrongTest.java:1", "two", "hint:"]);
    fs::create_dir(lab.temp.path().join("out")).unwrap();
    fs::write(lab.temp.path().join("out/precious"), "x").unwrap();
    lab.minimize(&[&["--test-sources", sources][..], &INT_STACK[..]].concat()).failed(10, &["not made by testudo"]);
    assert!(lab.temp.path().join("out/precious").exists());
}
