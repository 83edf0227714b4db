//! Code that exits, hangs, overflows, prints, writes files or is flaky neither ends the tool nor leaves it: what is delivered passes.

use crate::lab::{Run, any_jdk, compile_text, javac, jdks, sources};

#[test]
fn hostile_classes_are_survived_and_what_is_delivered_was_verified() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let missing = temp.path().join("missing");
        javac(&jdk, &sources("hostile/missing/src"), &[], &missing);
        let classes = temp.path().join("classes");
        javac(&jdk, &sources("hostile/src"), &[&missing], &classes);
        let names = ["Exits", "Loops", "Recursion", "Noise", "Statics", "Flaky", "Sleeper", "Threads", "BadInit"];
        let targets: Vec<String> = names.iter().map(|n| format!("hostile.{n}")).collect();
        let mut args: Vec<&str> = targets.iter().map(String::as_str).collect();
        let classpath = classes.to_str().unwrap();
        args.extend(["-c", classpath, "--budget", "6s", "--jobs", "2"]);
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        for target in &targets {
            let class = run.class(target);
            assert_eq!(class["status"], "tested", "{class:#}");
        }
        let statics = run.class("hostile.Statics");
        assert!(statics["tests"].as_u64().unwrap() > 0, "{statics:#}");
    }
}

#[test]
fn without_the_sandbox_code_may_do_what_the_user_may_but_no_test_does() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("outside.txt");
    std::fs::write(&file, "x").unwrap();
    let text = format!(
        "package p; public class Outside {{ public static boolean grow() throws java.io.IOException {{ try (java.io.FileWriter w = new java.io.FileWriter(\"{}\", true)) {{ w.write(\"y\"); }} return true; }} public static int two() {{ return 2; }} }}",
        file.display()
    );
    let classes = compile_text(&any_jdk(), &[("p/Outside.java", text.as_str())], temp.path());
    let args = ["p.Outside", "-c", classes.to_str().unwrap(), "--max-executions", "20"];
    let suite = |run: &Run| run.suites()["tests/p/OutsideTest.java"].clone();
    let locked_in = Run::generate(&any_jdk(), temp.path(), &args).succeeded();
    assert!(!suite(&locked_in).contains("grow"), "{}", suite(&locked_in));
    let locked = exec::sandbox::Sandbox::available().files.is_some();
    assert_eq!(std::fs::read_to_string(&file).unwrap() == "x", locked);
    let outside = Run::generate(&any_jdk(), temp.path(), &[&args[..], &["--no-sandbox"]].concat()).succeeded();
    assert!(outside.stderr().contains("the sandbox is off"), "{}", outside.stderr());
    assert!(std::fs::read_to_string(&file).unwrap().len() > 1);
    assert!(!suite(&outside).contains("grow"), "{}", suite(&outside));
}

/// Code as programs have it: what goes wrong is swallowed, and the sandbox makes it go wrong.
const SAVER: &str = r#"package p;

import java.io.*;

public class Saver {
    public static int save(String text, String folder) {
        try (FileWriter w = new FileWriter(new File(folder.isEmpty() ? "pom.xml" : folder + "/pom.xml"))) {
            w.write(text);
        } catch (IOException | RuntimeException e) {
            return 0;
        }
        return 1;
    }

    public static boolean isName(String name) {
        return name != null && name.endsWith(".xml");
    }
}
"#;

#[test]
fn code_that_swallows_what_comes_of_writing_gets_no_test_and_the_report_says_why() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), &[("p/Saver.java", SAVER)], temp.path());
    let args = ["p.Saver", "-c", classes.to_str().unwrap(), "--max-executions", "300"];
    let run = Run::generate(&any_jdk(), temp.path(), &args).succeeded();
    let suite = run.suites()["tests/p/SaverTest.java"].clone();
    assert!(!suite.contains("save("), "{suite}");
    assert!(suite.contains("isName("), "{suite}");
    let class = run.class("p.Saver");
    let why = class["uncovered"].to_string() + &class["methods"].to_string();
    assert!(why.contains("reaches outside: writes files (java.io.FileWriter, in Saver.save)"), "{class:#}");
}
