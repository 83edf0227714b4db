//! Classes of the JDK can be targets: their suites live in a package of ours, because theirs are closed.

use crate::lab::{Run, any_jdk, jdks};
use crate::suites::passes_outside;

#[test]
fn classes_of_the_jdk_get_suites_in_a_package_of_their_own() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let args = ["java.util.BitSet", "java.util.Stack", "--max-executions", "2000"];
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        for (class, least) in [("BitSet", 10), ("Stack", 4)] {
            let suite = &run.suites()[&format!("tests/testudo/java/util/{class}Test.java")];
            assert!(suite.contains("package testudo.java.util;"), "{suite}");
            let report = run.class(&format!("java.util.{class}"));
            assert!(report["goals"]["branch"]["covered"].as_u64().unwrap() >= least, "{report:#}");
        }
        passes_outside(&jdk, temp.path(), temp.path(), &run);
    }
}

#[test]
fn what_the_measuring_code_stands_on_and_what_nobody_can_name_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    for (class, words) in
        [("java.lang.String", "java.lang itself"), ("java.util.RegularEnumSet", "no test could name it")]
    {
        let run = Run::generate(&any_jdk(), temp.path(), &[class]);
        assert_eq!(run.code(), 7, "{}", run.stderr());
        assert!(run.stderr().contains(words), "{}", run.stderr());
    }
}
