//! Every error has its message, its hint and its exit code, and leaves nothing half-written.

use std::fs;
use std::path::Path;

use crate::lab::{Run, any_jdk, compile_text, jdks, testudo};

#[track_caller]
fn check(args: &[&str], folder: &Path, code: i32, words: &[&str]) -> Run {
    let run = Run::generate(&any_jdk(), folder, args);
    let text = run.stderr();
    assert_eq!(run.code(), code, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
    run
}

const SHAPES: &[(&str, &str)] = &[
    (
        "shapes/Circle.java",
        "package shapes; public class Circle { public int area(int r) { return r > 3 ? 3 * r * r : 0; } }",
    ),
    (
        "shapes/Solid.java",
        "package shapes; public abstract class Solid { abstract int volume(); int twice() { return 2 * volume(); } }",
    ),
    (
        "shapes/Port.java",
        "package shapes; public interface Port { int a(); int b(); default int sum() { return a() + b(); } }",
    ),
    ("empty/Marker.java", "package empty; public @interface Marker { }"),
];

#[test]
fn a_misspelt_class_is_answered_with_near_names() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    let run =
        check(&["shapes.Circl", "-c", classes.to_str().unwrap()], temp.path(), 3, &["shapes.Circl", "shapes.Circle"]);
    assert!(!run.out.exists(), "nothing was written for a run that never began");
    let above = temp.path().to_str().unwrap();
    check(&["shapes.Circle", "-c", above], temp.path(), 3, &["did you mean shapes.Circle with --classpath …/classes?"]);
    check(&["classes.shapes.Circle", "-c", above], temp.path(), 3, &["shapes.Circle with --classpath …/classes"]);
    check(&["shapes.Circle", "-c", "no/where"], temp.path(), 3, &["no/where", "does not exist"]);
}

#[test]
fn a_folder_without_a_jdk_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let output = testudo().args(["generate", "a.B", "--jdk"]).arg(temp.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_class_too_new_for_the_jdk_is_named_with_the_versions() {
    let all = jdks();
    let oldest = all.iter().min_by_key(|j| j.feature).unwrap();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(oldest, SHAPES, temp.path());
    let file = classes.join("shapes/Circle.class");
    let mut bytes = fs::read(&file).unwrap();
    bytes[7] = (oldest.feature + 45) as u8;
    fs::write(&file, bytes).unwrap();
    let run = Run::generate(oldest, temp.path(), &["shapes.Circle", "-c", classes.to_str().unwrap()]);
    assert_eq!(run.code(), 5, "{}", run.stderr());
    assert!(run.stderr().contains(&format!("Java {}", oldest.feature + 1)), "{}", run.stderr());
}

#[test]
fn a_broken_jar_is_named() {
    let temp = tempfile::tempdir().unwrap();
    let jar = temp.path().join("broken.jar");
    fs::write(&jar, b"PK\x03\x04 this is no jar").unwrap();
    check(&[jar.to_str().unwrap()], temp.path(), 6, &["broken.jar"]);
    check(&["a.B", "-c", jar.to_str().unwrap()], temp.path(), 6, &["broken.jar"]);
    check(&["no-such.jar"], temp.path(), 6, &["no-such.jar"]);
}

#[test]
fn a_truncated_class_file_is_named() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    let file = classes.join("shapes/Circle.class");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    check(&["shapes.Circle", "-c", classes.to_str().unwrap()], temp.path(), 6, &["shapes.Circle"]);
}

#[test]
fn an_empty_target_is_said_to_be_empty() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    let empty = temp.path().join("nothing");
    fs::create_dir(&empty).unwrap();
    check(&[empty.to_str().unwrap()], temp.path(), 7, &["nothing"]);
    check(&["empty.**", "-c", classes.to_str().unwrap()], temp.path(), 7, &[]);
    check(&["elsewhere.*", "-c", classes.to_str().unwrap()], temp.path(), 7, &["elsewhere.* matches no class"]);
}

#[test]
fn abstract_things_without_implementor_are_said_so() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    check(&["shapes.Solid", "-c", classes.to_str().unwrap()], temp.path(), 8, &["abstract", "implements"]);
    check(&["shapes.Port", "-c", classes.to_str().unwrap()], temp.path(), 8, &["interface"]);
}

#[test]
fn a_missing_superclass_is_named_and_a_missing_helper_does_not_stop_the_rest() {
    let temp = tempfile::tempdir().unwrap();
    let texts = [
        ("p/Base.java", "package p; public class Base { }"),
        ("p/Heir.java", "package p; public class Heir extends Base { public int one() { return 1; } }"),
        ("p/Helper.java", "package p; public class Helper { public static int help() { return 1; } }"),
        (
            "p/User.java",
            "package p; public class User { public int plain(int x) { return x > 0 ? 1 : 2; } public int helped() { return Helper.help(); } }",
        ),
    ];
    let classes = compile_text(&any_jdk(), &texts, temp.path());
    fs::remove_file(classes.join("p/Base.class")).unwrap();
    fs::remove_file(classes.join("p/Helper.class")).unwrap();
    let classpath = classes.to_str().unwrap();
    check(&["p.Heir", "-c", classpath], temp.path(), 9, &["p.Base"]);
    let run =
        Run::generate(&any_jdk(), temp.path(), &["p.User", "-c", classpath, "--max-executions", "500"]).succeeded();
    let class = run.class("p.User");
    assert!(class["notes"].to_string().contains("p.Helper"), "{class:#}");
    assert!(class["tests"].as_u64().unwrap() >= 2, "{class:#}");
}

#[test]
fn an_output_folder_that_cannot_be_written_or_is_not_ours_is_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    let file = temp.path().join("file");
    fs::write(&file, "mine").unwrap();
    let try_out = |out: &Path| {
        testudo()
            .args(["generate", "shapes.Circle", "--max-executions", "100", "-c"])
            .arg(&classes)
            .arg("--out")
            .arg(out)
            .output()
            .unwrap()
    };
    assert_eq!(try_out(&file.join("out")).status.code(), Some(10));
    assert_eq!(try_out(&file).status.code(), Some(10));
    assert_eq!(try_out(&classes).status.code(), Some(10));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert!(classes.join("shapes/Circle.class").exists());
}

/// A limit on file sizes stands for the full disk: it fails the same call at the same place, for any user on any machine.
#[test]
#[cfg(unix)]
fn a_full_disk_is_said_so_and_leaves_only_whole_files() {
    let temp = tempfile::tempdir().unwrap();
    // The report names every method: far more than fits.
    let methods: String = (0..4_000).map(|i| format!("private int hidden{i}() {{ return {i}; }}\n")).collect();
    let text = format!("package p; public class Long {{ public int one() {{ return 1; }}\n{methods} }}");
    let classes = compile_text(&any_jdk(), &[("p/Long.java", text.as_str())], temp.path());
    let out = temp.path().join("out");
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -S -f 1000; exec \"$@\"", "sh"])
        .args([env!("CARGO_BIN_EXE_testudo"), "generate", "p.Long", "--max-executions", "50", "-c"])
        .arg(&classes)
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(11), "{text}");
    assert!(text.contains("no room to write") && text.contains("report.json"), "{text}");
    assert!(text.contains("hint: free some space"), "{text}");
    let mut left: Vec<String> =
        fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["tests", "testudo.files", "testudo.lock", "testudo.log"], "nothing is left half-written");
    assert!(fs::read_to_string(out.join("tests/p/LongTest.java")).unwrap().ends_with("}\n"));
}

#[test]
fn bad_arguments_are_refused_with_the_choices() {
    let temp = tempfile::tempdir().unwrap();
    check(&[], temp.path(), 2, &["TARGET"]);
    check(&["a.B", "--budget", "soon"], temp.path(), 2, &["soon", "10s"]);
    check(&["a.B", "--junit", "3"], temp.path(), 2, &["4", "5"]);
    check(&["a.*.B"], temp.path(), 2, &["a.*.B"]);
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    check(
        &["shapes.Circle", "-c", classes.to_str().unwrap(), "--technique", "magic"],
        temp.path(),
        2,
        &["magic", "random"],
    );
}

#[test]
fn one_bad_class_does_not_lose_the_others() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), SHAPES, temp.path());
    let file = classes.join("shapes/Solid.class");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..40]).unwrap();
    let target = classes.to_str().unwrap();
    let run = Run::generate(&any_jdk(), temp.path(), &[target, "--max-executions", "500"]).succeeded();
    assert_eq!(run.class("shapes.Solid")["status"], "failed");
    assert!(run.class("shapes.Circle")["tests"].as_u64().unwrap() >= 2);
}
