//! What is said to be delivered is there, passes with the jar as it is, and if nothing is, the command says why.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::lab::{Run, any_jdk, compile_text, testudo};

const FOO: &str = "package p; public class Foo { public static int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; } int own() { return 3; } }";

/// Runs a tool of the JDK in the folder.
fn tool(name: &str, args: &[&str], folder: &Path) {
    let output = Command::new(any_jdk().home.join("bin").join(name)).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_class_and_the_object_beside_it_have_a_file_each() {
    let temp = tempfile::tempdir().unwrap();
    let texts = [
        ("p/Foo.java", FOO),
        ("p/Foo$.java", "package p; public class Foo$ { public int twice(int x) { return x > 7 ? 2 * x : x; } }"),
        ("p/foo.java", "package p; public class foo { public int thrice(int x) { return x > 7 ? 3 * x : x; } }"),
    ];
    let classes = compile_text(&any_jdk(), &texts, temp.path());
    let args = [classes.to_str().unwrap(), "--max-executions", "300", "--jobs", "2"];
    let run = Run::generate(&any_jdk(), temp.path(), &args).succeeded();
    let suites = run.suites();
    let names: Vec<&str> = suites.keys().map(String::as_str).collect();
    assert_eq!(names, ["tests/p/FooObjectTest.java", "tests/p/FooTest.java", "tests/p/foo2Test.java"]);
    for (class, file) in [("p.Foo", names[1]), ("p.Foo$", names[0]), ("p.foo", names[2])] {
        let tests = suites[file].matches("    @Test\n").count() as u64;
        assert_eq!(run.class(class)["tests"].as_u64(), Some(tests), "{file}");
    }
}

#[test]
fn signed_and_sealed_jars_are_tested_from_outside() {
    let temp = tempfile::tempdir().unwrap();
    compile_text(&any_jdk(), &[("p/Foo.java", FOO)], temp.path());
    tool("jar", &["cf", "signed.jar", "-C", "classes", "."], temp.path());
    let key = ["-keystore", "keys", "-storepass", "changeit"];
    let pair = ["-genkeypair", "-keypass", "changeit", "-alias", "a", "-dname", "CN=a", "-keyalg", "RSA"];
    tool("keytool", &[&key[..], &pair].concat(), temp.path());
    tool("jarsigner", &[&key[..], &["signed.jar", "a"]].concat(), temp.path());
    fs::write(temp.path().join("manifest"), "Sealed: true\n").unwrap();
    tool("jar", &["cfm", "sealed.jar", "manifest", "-C", "classes", "."], temp.path());
    for (jar, why) in [("signed.jar", "its classes are signed"), ("sealed.jar", "the jar seals it")] {
        let path = temp.path().join(jar);
        let args = [path.to_str().unwrap(), "--max-executions", "300"];
        let run = Run::generate(&any_jdk(), temp.path(), &args).succeeded();
        let text = run.text("tests/p/tests/FooTest.java");
        assert!(text.contains("package p.tests;") && text.contains("Foo.sign(") && !text.contains("own()"), "{text}");
        assert!(run.class("p.Foo")["notes"].to_string().contains(why), "{:#}", run.class("p.Foo"));
    }
}

#[test]
fn a_run_without_any_test_ends_with_a_code_of_its_own_and_the_reason() {
    let temp = tempfile::tempdir().unwrap();
    let text = "package p; public class Halts { private Halts() { } public static void now() { Runtime.getRuntime().halt(3); } }";
    let classes = compile_text(&any_jdk(), &[("p/Halts.java", text)], temp.path());
    let args = ["p.Halts", "-c", classes.to_str().unwrap(), "--max-executions", "50"];
    let run = Run::generate(&any_jdk(), temp.path(), &args);
    assert_eq!(run.code(), 16, "{}", run.stderr());
    assert!(run.stderr().contains("error: no test could be delivered: "), "{}", run.stderr());
    assert!(run.report()["classes"][0]["methods"][0]["why_not"].is_string(), "{:#}", run.report());
}

#[test]
fn a_damaged_entry_of_a_jar_is_not_called_missing() {
    let temp = tempfile::tempdir().unwrap();
    compile_text(&any_jdk(), &[("p/Foo.java", FOO)], temp.path());
    tool("jar", &["cf0", "damaged.jar", "-C", "classes", "."], temp.path());
    let jar = temp.path().join("damaged.jar");
    let mut bytes = fs::read(&jar).unwrap();
    let at = bytes.windows(4).position(|w| w == [0xca, 0xfe, 0xba, 0xbe]).unwrap();
    bytes[at + 10] ^= 0xff;
    fs::write(&jar, bytes).unwrap();
    for target in ["p.Foo", jar.to_str().unwrap()] {
        let run = Run::generate(&any_jdk(), temp.path(), &[target, "-c", jar.to_str().unwrap()]);
        assert_eq!(run.code(), 6, "{}", run.stderr());
        assert!(run.stderr().contains("its entry p/Foo.class is damaged"), "{}", run.stderr());
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_changes_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), &[("p/Foo.java", FOO)], temp.path());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = testudo();
    command.args(["generate", "p.Foo", "--max-executions", "100", "-c"]).arg(&classes);
    command.arg("--out").arg(temp.path().join("out")).stdout(writer).stderr(Stdio::null());
    assert_eq!(command.status().unwrap().code(), Some(0));
    assert!(temp.path().join("out/report.json").exists());
}
