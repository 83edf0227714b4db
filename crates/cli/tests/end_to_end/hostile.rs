//! Code that exits, hangs, overflows, prints, writes files or is flaky neither ends the tool nor leaves it: what is delivered passes.

use crate::lab::{Run, javac, jdks, sources};

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
        args.extend(["-c", classpath, "--budget", "3s", "--jobs", "2"]);
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        for target in &targets {
            let class = run.class(target);
            assert_eq!(class["status"], "tested", "{class:#}");
        }
        let statics = run.class("hostile.Statics");
        assert!(statics["tests"].as_u64().unwrap() > 0, "{statics:#}");
    }
}
