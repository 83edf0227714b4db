//! Suites compile and pass outside the tool, on every JDK, and cover what they say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lab::{Run, javac, jdks, sources};

/// Compiles the delivered tests with plain javac against the stand-in JUnit and runs every test method in a plain JVM.
pub fn passes_outside(jdk: &exec::jdk::Jdk, classes: &Path, folder: &Path, run: &Run) {
    let files: Vec<PathBuf> =
        run.suites().keys().filter(|k| k.starts_with("tests/")).map(|k| run.out.join(k)).collect();
    assert!(!files.is_empty(), "no suites; {}", run.stderr());
    let junit = exec::runtime::Runtime::install(&folder.join("runtime")).unwrap().junit;
    let compiled = folder.join("compiled");
    javac(jdk, &files, &[classes, &junit], &compiled);
    let names: Vec<String> = run
        .suites()
        .keys()
        .filter_map(|k| k.strip_prefix("tests/"))
        .map(|k| k.trim_end_matches(".java").replace('/', "."))
        .collect();
    let runner = folder.join("Plain.java");
    fs::write(&runner, PLAIN_RUNNER).unwrap();
    let classpath = std::env::join_paths([compiled.as_path(), classes, &junit]).unwrap();
    let output =
        Command::new(jdk.java()).arg("-ea").arg("-cp").arg(classpath).arg(&runner).args(&names).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let expected: u64 = run.report()["classes"].as_array().unwrap().iter().map(|c| c["tests"].as_u64().unwrap()).sum();
    assert!(text.contains(&format!("{expected} passed")), "{text} instead of {expected}");
}

/// Independent of our runtime on purpose.
const PLAIN_RUNNER: &str = r#"
import java.lang.reflect.*;
public class Plain {
    public static void main(String[] names) throws Exception {
        int passed = 0;
        for (String name : names) {
            Class<?> c = Class.forName(name);
            for (Method m : c.getDeclaredMethods()) {
                boolean test = false;
                for (var a : m.getAnnotations()) test |= a.annotationType().getSimpleName().equals("Test");
                if (!test) continue;
                Constructor<?> k = c.getDeclaredConstructor();
                k.setAccessible(true);
                m.setAccessible(true);
                m.invoke(k.newInstance());
                passed++;
            }
        }
        System.out.println(passed + " passed");
        System.exit(0);
    }
}
"#;

fn branch_percent(run: &Run, class: &str) -> f64 {
    let class = run.class(class);
    let branch = &class["goals"]["branch"];
    100.0 * branch["covered"].as_f64().unwrap() / branch["total"].as_f64().unwrap()
}

#[test]
fn container_subjects_get_suites_that_pass_everywhere() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let classes = temp.path().join("classes");
        javac(&jdk, &sources("subjects/src"), &[], &classes);
        let args = ["-c", classes.to_str().unwrap(), "--max-executions", "20000", "--seed", "1"];
        let targets = ["subjects.IntStack", "subjects.UBStack", "subjects.LinkedList", "subjects.BinarySearchTree"];
        let run = Run::generate(&jdk, temp.path(), &[&targets[..], &args[..]].concat()).succeeded();
        passes_outside(&jdk, &classes, temp.path(), &run);
        for (class, least) in [("IntStack", 99.0), ("UBStack", 90.0), ("LinkedList", 90.0), ("BinarySearchTree", 80.0)]
        {
            let percent = branch_percent(&run, &format!("subjects.{class}"));
            assert!(percent >= least, "{class}: {percent} % on JDK {}\n{}", jdk.feature, run.stderr());
        }
    }
}

#[test]
fn junit_4_suites_pass_too() {
    let jdk = crate::lab::any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("subjects/src"), &[], &classes);
    let args = ["subjects.BankAccount", "-c", classes.to_str().unwrap(), "--max-executions", "5000", "--junit", "4"];
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    let suite = &run.suites()["tests/subjects/BankAccountTest.java"];
    assert!(suite.contains("org.junit.Test") && !suite.contains("jupiter"), "{suite}");
    passes_outside(&jdk, &classes, temp.path(), &run);
}

/// Nobody can construct an annotation.
const LABELS: &str = "package f; public class Labels {
    public static int places(java.lang.annotation.Annotation label) {
        if (label instanceof java.lang.annotation.Target) { return ((java.lang.annotation.Target) label).value().length; }
        return label instanceof java.lang.annotation.Retention ? -1 : 0;
    }
}";

#[test]
fn annotations_are_read_from_declarations_that_carry_them() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let classes = crate::lab::compile_text(&jdk, &[("f/Labels.java", LABELS)], &temp.path().join("classes"));
        let args = ["f.Labels", "-c", classes.to_str().unwrap(), "--max-executions", "2000"];
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        assert_eq!(branch_percent(&run, "f.Labels"), 100.0, "{}", run.stderr());
        let suite = &run.suites()["tests/f/LabelsTest.java"];
        let expected = "        Retention retention = FunctionalInterface.class.getAnnotation(Retention.class);
        assertEquals(-1, Labels.places(retention));
";
        assert!(suite.contains(expected), "{suite}");
        passes_outside(&jdk, &classes, temp.path(), &run);
    }
}

/// Files of classes that ended a worker. Such a class may have been stopped by the clock, which nobody can repeat exactly.
fn unsteady(run: &Run) -> BTreeSet<String> {
    let report = run.report();
    let classes = report["classes"].as_array().unwrap().iter();
    let deadly = classes.filter(|c| !c["deaths"].as_object().unwrap().is_empty());
    let name = |c: &serde_json::Value| c["class"].as_str().unwrap().replace('.', "/");
    deadly
        .flat_map(|c| [format!("tests/{}Test.java", name(c)), format!("failing/{}FailingTest.java", name(c))])
        .collect()
}

#[test]
fn a_folder_means_all_its_top_level_classes_and_jobs_do_not_change_the_outcome() {
    let jdk = crate::lab::any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("modern/src17"), &[], &classes);
    let target = classes.to_str().unwrap();
    let one = temp.path().join("one");
    let two = temp.path().join("two");
    let first = Run::generate(&jdk, &one, &[target, "--max-executions", "1500"]).succeeded();
    let second = Run::generate(&jdk, &two, &[target, "--max-executions", "1500", "--jobs", "3"]).succeeded();
    let mut compared = 0;
    let (one, two) = (first.suites(), second.suites());
    let unsteady: BTreeSet<String> = unsteady(&first).union(&unsteady(&second)).cloned().collect();
    for name in one.keys().chain(two.keys()).filter(|n| !unsteady.contains(*n)) {
        assert_eq!(one.get(name), two.get(name), "{name}");
        compared += 1;
    }
    assert!(compared > 16, "only {compared} files could be compared");
    passes_outside(&jdk, &classes, temp.path(), &first);
    for class in first.report()["classes"].as_array().unwrap() {
        let name = class["class"].as_str().unwrap();
        assert!(!name.contains('$'), "{name} is nested");
        assert_ne!(class["status"], "failed", "{class:#}");
        for method in class["methods"].as_array().unwrap() {
            let covered = method["goals"]["covered"].as_u64().unwrap() > 0;
            assert!(covered || method["goals"]["total"] == 0 || method["why_not"].is_string(), "{name}: {method:#}");
        }
    }
}
