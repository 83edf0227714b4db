//! The JUnit writer on hand-made suites: the text is a snapshot, and it must compile and behave on every JDK found.

mod support;

use std::path::Path;

use testcase::junit::{SourceFile, Written, write_suite};
use testcase::operation::Operations;
use testcase::subtyping::Subtyping;
use testcase::suite::{JUnitVersion, NamedTest, Suite};
use testcase::text::parse_test;
use testcase::verify::verify;

const SOURCES: [&str; 4] = ["Shapes.java", "Tricky.java", "Clash.java", "RunTests.java"];

/// The tests of a file in `tests/java`, as a suite.
fn suite(file: &str, target: &str, junit: JUnitVersion, subtyping: &Subtyping<'_>) -> (Suite, Operations) {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(file)).unwrap();
    let mut operations = Operations::default();
    let mut suite = support::suite_for(&subtyping, target, junit);
    for part in text.split("---\n") {
        let test = parse_test(part, &mut operations).unwrap_or_else(|p| panic!("{p}\n{part}"));
        let problems = verify(&test.sequence, &operations, subtyping, 100);
        assert!(problems.is_empty(), "{problems:?}\n{part}");
        suite.tests.push(NamedTest { test, comment: None });
    }
    (suite, operations)
}

/// Compiles the files without any warning and runs them; one line per test.
fn compile_and_run(jdk: &Path, name: &str, classes: &Path, api: &str, files: &[SourceFile]) -> String {
    let folder = support::scratch(name);
    let class_path = format!("{}:{api}:{}", classes.display(), folder.display());
    let folder = folder.to_str().unwrap();
    let mut args = vec!["-Xlint:rawtypes,unchecked,cast", "-Werror", "-cp", &class_path, "-d", folder];
    let mut paths = Vec::new();
    for file in files {
        let path = Path::new(folder).join("src").join(&file.name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &file.text).unwrap();
        paths.push(path.display().to_string());
    }
    args.extend(paths.iter().map(String::as_str));
    support::run(jdk, "javac", &args);
    let mut run = vec!["-cp", &class_path, "RunTests"];
    run.extend(files.iter().map(|f| &*f.class));
    support::run(jdk, "java", &run)
}

fn check_lines(written: &Written) {
    for file in &written.files {
        let lines: Vec<&str> = file.text.lines().collect();
        for test in &file.tests {
            assert!(lines[test.lines.0 - 1].contains("@"), "{} {:?}", test.method, test.lines);
            assert_eq!(lines[test.lines.1 - 1], "    }", "{} {:?}", test.method, test.lines);
            let head = format!("void {}(", test.method);
            assert!(lines[test.lines.0 - 1..test.lines.1].iter().any(|l| l.contains(&head)), "{}", test.method);
        }
    }
}

#[test]
fn suites_compile_and_behave() {
    let suites = [("tricky.seq", "demo/Tricky"), ("clash.seq", "clash/Clash"), ("broken.seq", "demo/Tricky$BadHash")];
    for (number, jdk) in support::jdks().iter().enumerate() {
        let classes = support::compile(jdk, &format!("junit-classes-{number}"), &SOURCES);
        let world = support::world(jdk, &classes);
        let subtyping = Subtyping::new(&world);
        let api = support::junit_api(jdk);
        for (version, tag) in [(JUnitVersion::Five, "5"), (JUnitVersion::Four, "4")] {
            let mut files = Vec::new();
            let mut expected = Vec::new();
            for (file, target) in suites {
                let (suite, operations) = suite(file, target, version, &subtyping);
                let written = write_suite(&suite, &operations, &subtyping);
                assert_eq!(written.refused, []);
                check_lines(&written);
                let text: String = written.files.iter().map(|f| format!("==> {}\n{}", f.name, f.text)).collect();
                insta::assert_snapshot!(format!("{}_junit{tag}", file.trim_end_matches(".seq")), text);
                let methods = written.files.iter().flat_map(|f| &f.tests).map(|t| t.method.clone());
                expected.extend(methods.map(|m| (m, file != "broken.seq")));
                files.extend(written.files);
            }
            let outcome = compile_and_run(jdk, &format!("junit-{tag}-{number}"), &classes, &api, &files);
            let mut seen: Vec<(String, bool)> = Vec::new();
            for (name, outcome) in outcome.lines().filter_map(|l| l.split_once(": ")) {
                seen.push((name.to_owned(), outcome == "passed"));
            }
            seen.sort();
            expected.sort();
            assert_eq!(seen, expected, "{outcome}");
        }
    }
}

#[test]
fn tests_about_one_method_stand_together_and_keep_their_numbers() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, Path::new("/nonexistent"));
    let subtyping = Subtyping::new(&world);
    let mut operations = Operations::default();
    let mut suite = support::suite_for(&subtyping, "java/lang/String", JUnitVersion::Five);
    for call in
        ["trim()Ljava/lang/String;", "\"not-java\"()I", "length()I", "trim()Ljava/lang/String;", "\"nor-this\"()I"]
    {
        let text = format!("v0 = string \"a\"\nv1 = call java/lang/String.{call} v0");
        let test = parse_test(&text, &mut operations).unwrap();
        suite.tests.push(NamedTest { test, comment: None });
    }
    let written = write_suite(&suite, &operations, &subtyping);
    let order: Vec<(usize, &str)> = written.files[0].tests.iter().map(|t| (t.test, &*t.method)).collect();
    assert_eq!(order, [(0, "trimOnA"), (3, "trimOnA2"), (2, "lengthOnA")]);
    assert_eq!(written.refused.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 4]);
    check_lines(&written);
}

/// Tests that have no Java form are refused with a reason, very large suites are split.
#[test]
fn limits() {
    let jdk = support::jdks().remove(0);
    let world = support::world(&jdk, Path::new("/nonexistent"));
    let subtyping = Subtyping::new(&world);
    let mut operations = Operations::default();
    let mut suite = support::suite_for(&subtyping, "java/lang/String", JUnitVersion::Five);
    assert_eq!((&*suite.package, &*suite.class_name), ("testudo/java/lang", "StringTest"));
    let long = "a".repeat(65_536);
    let large: String = (0..3000).map(|i| format!("v{i} = int {i}\n")).collect();
    let all: String = (0..3000).map(|i| format!(" v{i}")).collect();
    let texts = [
        format!("v0 = string \"{long}\"\nv1 = call java/lang/String.length()I v0"),
        format!("{large}v3000 = elements 3000{all} : int[]\nv3001 = call static java/util/Arrays.hashCode([I)I v3000"),
        "v0 = string \"a\"\nv1 = call java/lang/String.\"not-java\"()I v0".to_owned(),
        "v0 = string \"a\"\nv1 = call java/lang/String.length()I v0".to_owned(),
    ];
    for text in &texts {
        let test = parse_test(text, &mut operations).unwrap();
        suite.tests.push(NamedTest { test, comment: Some("A comment \\u000a with\nlines".to_owned()) });
    }
    let written = write_suite(&suite, &operations, &subtyping);
    let refused: Vec<String> = written.refused.iter().map(|(n, r)| format!("{n}: {r}")).collect();
    assert_eq!(
        refused,
        [
            "0: a string constant has 65536 bytes, more than a class file can hold",
            "1: the test method would exceed the 64 KB limit of a method",
            "2: not-java cannot be named in Java source",
        ]
    );
    assert!(
        written.files[0].text.contains("        // A comment /u000a with\n        // lines\n"),
        "{}",
        written.files[0].text
    );

    let one = suite.tests.pop().unwrap();
    suite.tests = vec![one; 6000];
    let written = write_suite(&suite, &operations, &subtyping);
    let files: Vec<&str> = written.files.iter().map(|f| &*f.name).collect();
    assert_eq!(files, ["testudo/java/lang/StringTest.java", "testudo/java/lang/StringTest2.java"]);
    assert!(written.files[1].text.contains("class StringTest2 {"));
    assert_eq!(written.files.iter().map(|f| f.tests.len()).sum::<usize>(), 6000);
    check_lines(&written);
}
