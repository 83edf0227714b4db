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
fn without_the_sandbox_tests_may_do_what_the_user_may() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("outside.txt");
    std::fs::write(&file, "x").unwrap();
    let text = format!(
        "package p; public class Outside {{ public static boolean grow() throws java.io.IOException {{ try (java.io.FileWriter w = new java.io.FileWriter(\"{}\", true)) {{ w.write(\"y\"); }} return true; }} }}",
        file.display()
    );
    let classes = compile_text(&any_jdk(), &[("p/Outside.java", text.as_str())], temp.path());
    let args = ["p.Outside", "-c", classes.to_str().unwrap(), "--max-executions", "20"];
    let suite = |run: &Run| run.suites()["tests/p/OutsideTest.java"].clone();
    let locked_in = Run::generate(&any_jdk(), temp.path(), &args).succeeded();
    let inside = suite(&locked_in);
    let left_out = locked_in.class("p.Outside")["notes"].to_string();
    let locked = exec::sandbox::Sandbox::available().files.is_some();
    assert_eq!(std::fs::read_to_string(&file).unwrap() == "x", locked);
    let outside = Run::generate(&any_jdk(), temp.path(), &[&args[..], &["--no-sandbox"]].concat()).succeeded();
    assert!(outside.stderr().contains("the sandbox is off"), "{}", outside.stderr());
    assert!(std::fs::read_to_string(&file).unwrap().len() > 2);
    assert!(suite(&outside).contains("assertTrue(Outside.grow())"), "{}", suite(&outside));
    // What fails only because of the sandbox is no test for a machine without, and the report says what is missing.
    assert_eq!(!inside.contains("grow"), locked, "{inside}");
    assert_eq!(left_out.contains("grow()"), locked, "{left_out}");
}
