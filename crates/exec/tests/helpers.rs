//! The helper JVMs: javac kept warm, and a fresh JVM running JUnit tests, here against the stand-in JUnit API.

mod support;

use std::path::PathBuf;
use std::time::Duration;

use exec::compiler::{Compiler, Sources};
use exec::jdk::Jdk;
use exec::runner::{Order, RunReport, RunnerProblem, Surroundings, TestOutcome, Tests, run_tests};
use exec::runtime::Runtime;
use support::{jdks, scratch, subjects};

const TESTS: &str = r#"
package subjects;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;

class StackTest {
    static int runs;

    @Test void passes() {
        Stack s = new Stack();
        s.push(3);
        assertEquals(3, s.pop());
        assertThrows(IllegalStateException.class, () -> s.pop());
    }

    @Test void fails() {
        assertEquals(4, new Stack().size());
    }

    @Test void throwsSomething() {
        new Stack().pop();
    }

    @Test void hangs() {
        while (true) { }
    }

    @Test void cannotReadOutside() throws Exception {
        assertThrows(java.io.FileNotFoundException.class, () -> new java.io.FileInputStream("/etc/passwd").close());
        assert System.getenv("JAVA_HOME") == null : "environment";
    }
}
"#;

struct Bench {
    jdk: Jdk,
    runtime: Runtime,
    folder: PathBuf,
    output: PathBuf,
}

fn bench(jdk: &Jdk, name: &str) -> Bench {
    let folder = scratch(&format!("{name}-{}", jdk.feature));
    let output = folder.join("out");
    std::fs::create_dir_all(&output).unwrap();
    Bench { jdk: jdk.clone(), runtime: Runtime::install(&folder).unwrap(), folder, output }
}

impl Bench {
    fn sources(&self, file: &str, text: &str) -> Sources {
        Sources {
            files: vec![(file.to_owned(), text.to_owned())],
            classpath: vec![subjects().to_owned(), self.runtime.junit.clone()],
            output: self.output.clone(),
            release: None,
        }
    }

    fn run(&self, order: Order, surroundings: Surroundings, total: Duration) -> RunReport {
        let tests = Tests {
            order,
            classpath: vec![self.output.clone(), subjects().to_owned(), self.runtime.junit.clone()],
            surroundings,
            test_limit: Duration::from_millis(300),
            total_limit: total,
            hash_mode: Some(2),
            heap_mb: 128,
            sandboxed: true,
            watch_reads: false,
        };
        run_tests(&self.jdk, &self.runtime.worker, &self.folder, 1, &tests)
    }
}

/// Warming up must compile, or it warms nothing; and its answers must never be taken for those of somebody's sources.
#[test]
fn a_compiler_goes_on_warming_up_while_nobody_needs_it() {
    let limit = Duration::from_secs(120);
    for jdk in jdks() {
        let bench = bench(&jdk, "warming");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        assert_eq!(compiler.pace(), None);
        for _ in 0..6_000 {
            compiler.tend(Duration::MAX);
            if compiler.pace().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(compiler.pace().is_some());
        assert!(compiler.warmed(), "the last warm-up compiled");
        let wrong = compiler.compile(&bench.sources("A.java", "class A { int x = \"no\"; }"), limit).unwrap();
        assert!(!wrong.ok);
        compiler.tend(Duration::ZERO);
        assert!(compiler.compile(&bench.sources("A.java", "class A {}"), limit).unwrap().ok);
    }
}

#[test]
fn tests_are_compiled_and_run_in_rounds() {
    let limit = Duration::from_secs(60);
    for jdk in jdks() {
        let bench = bench(&jdk, "helpers");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        let wrong = compiler.compile(&bench.sources("A.java", "class A {\n  int x = \"no\";\n}\n"), limit).unwrap();
        assert!(!wrong.ok);
        let error = wrong.diagnostics.iter().find(|d| d.is_error).unwrap();
        assert_eq!((error.file.as_str(), error.line), ("A.java", 2), "{error:?}");
        let right = compiler.compile(&bench.sources("subjects/StackTest.java", TESTS), limit).unwrap();
        assert!(right.ok, "{:?}", right.diagnostics);

        let shuffled = || Order::Shuffled { classes: vec!["subjects.StackTest".to_owned()], rounds: 2, seed: 1 };
        let report = bench.run(shuffled(), Surroundings::Usual, limit);
        assert!(report.problem.is_none(), "{:?}", report.problem);
        assert_eq!(report.runs.len(), 9, "two rounds of five, but what hung is not run again");
        for run in &report.runs {
            let as_expected = match (run.method.as_str(), &run.outcome) {
                ("passes" | "cannotReadOutside", TestOutcome::Passed) => true,
                ("fails", TestOutcome::Failed { exception, .. }) => {
                    exception.ends_with("AssertionFailedError") || exception.ends_with("AssertionError")
                }
                ("throwsSomething", TestOutcome::Failed { exception, message, frame }) => {
                    exception.ends_with("IllegalStateException") && message == "empty" && frame.contains("pop")
                }
                ("hangs", TestOutcome::TimedOut { .. }) => true,
                _ => false,
            };
            assert!(as_expected && run.class == "subjects/StackTest", "JDK {}: {run:?}", jdk.feature);
        }
        let rounds: Vec<Vec<&str>> =
            (0..2).map(|n| report.runs.iter().filter(|r| r.round == n).map(|r| r.method.as_str()).collect()).collect();
        assert_eq!(rounds[0].len(), 5, "{rounds:?}");
        let first: Vec<&str> = rounds[0].iter().copied().filter(|m| *m != "hangs").collect();
        assert_ne!(first, rounds[1], "the order changes from round to round");
        assert!(matches!(
            bench.run(shuffled(), Surroundings::Usual, Duration::from_millis(1)).problem,
            Some(RunnerProblem::TooLong(_))
        ));
    }
}

const ONCE: &str = r#"
package subjects;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;

class OnceTest {
    static int runs;

    @Test void isFirst() { assertEquals(1, ++runs); }
}
"#;

#[test]
fn rounds_have_classes_of_their_own_and_the_last_of_many_has_the_first() {
    let limit = Duration::from_secs(60);
    for jdk in jdks() {
        let bench = bench(&jdk, "once");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        assert!(compiler.compile(&bench.sources("subjects/OnceTest.java", ONCE), limit).unwrap().ok);
        let passed = |method: &str, rounds: u32| {
            let order = Order::Shuffled { classes: vec!["subjects.OnceTest".to_owned()], rounds, seed: 1 };
            let runs = bench.run(order, Surroundings::Usual, limit).runs;
            let runs = runs.iter().filter(|r| r.method == method);
            runs.map(|r| r.outcome == TestOutcome::Passed).collect::<Vec<bool>>()
        };
        assert_eq!(passed("isFirst", 2), [true, true]);
        assert_eq!(passed("isFirst", 4), [true, true, true, false]);
    }
}

const ORDERED: &str = r#"
package subjects;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;

class OrderedTest {
    static int runs;

    @Test void counts() { runs++; }
    @Test void wantsTwo() { assertEquals(2, runs); }
    @Test void isAtHome() {
        assertEquals("tester", System.getProperty("user.name"));
        assertEquals("true", System.getProperty("java.awt.headless"));
        assertEquals("en", java.util.Locale.getDefault().getLanguage());
        assertEquals("UTC", java.util.TimeZone.getDefault().getID());
    }
    @Test void isElsewhere() {
        assertNotEquals("tester", System.getProperty("user.name"));
        assertNull(System.getProperty("java.awt.headless"));
        assertNotEquals("en", java.util.Locale.getDefault().getLanguage());
        assertNotEquals("UTC", java.util.TimeZone.getDefault().getID());
        assert true;
    }
}
"#;

#[test]
fn tests_run_in_the_order_asked_for_and_in_other_surroundings() {
    let limit = Duration::from_secs(60);
    for jdk in jdks() {
        let bench = bench(&jdk, "ordered");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        let compiled = compiler.compile(&bench.sources("subjects/OrderedTest.java", ORDERED), limit).unwrap();
        assert!(compiled.ok, "{:?}", compiled.diagnostics);
        let check = |names: &[&str], stop: bool, surroundings: Surroundings, expected: &[bool]| {
            let tests = names.iter().map(|n| ("subjects.OrderedTest".to_owned(), (*n).to_owned())).collect();
            let report = bench.run(Order::Exact { tests, stop }, surroundings, limit);
            assert!(report.problem.is_none(), "{:?}", report.problem);
            let passed: Vec<bool> = report.runs.iter().map(|r| r.outcome == TestOutcome::Passed).collect();
            assert_eq!(passed, expected, "JDK {}: {names:?} {:?}", jdk.feature, report.runs);
        };
        let names = ["counts", "wantsTwo", "counts", "wantsTwo", "absent"];
        check(&names, false, Surroundings::Usual, &[true, false, true, true, false]);
        check(&names, true, Surroundings::Usual, &[true, false]);
        check(&["isAtHome", "isElsewhere"], false, Surroundings::Usual, &[true, false]);
        check(&["isAtHome", "isElsewhere"], false, Surroundings::Other, &[false, true]);
    }
}

const REACHING: &str = r#"
package subjects;

import org.junit.jupiter.api.Test;

class ReachTest {
    @Test void changesProperties() {
        System.setProperty("subjects.a", "b");
    }

    @Test void changesNothing() {
        String.valueOf(System.getProperty("subjects.a"));
    }

    @Test void changesTheLocale() {
        java.util.Locale.setDefault(java.util.Locale.KOREA);
    }
}
"#;

#[test]
fn tests_that_change_the_jvm_as_a_whole_say_so_and_harm_no_others() {
    for jdk in jdks() {
        let bench = bench(&jdk, "reach");
        let mut compiler = Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[]).unwrap();
        let compiled =
            compiler.compile(&bench.sources("subjects/ReachTest.java", REACHING), Duration::from_secs(60)).unwrap();
        assert!(compiled.ok, "{compiled:?}");
        let order = Order::Shuffled { classes: vec!["subjects.ReachTest".into()], rounds: 3, seed: 7 };
        let report = bench.run(order, Surroundings::Usual, Duration::from_secs(60));
        assert!(report.problem.is_none(), "{report:?}");
        for run in &report.runs {
            let expected = match run.method.as_str() {
                "changesProperties" => "changes settings of the JVM (system properties)",
                "changesTheLocale" => "changes settings of the JVM (the default locale)",
                _ => "",
            };
            assert_eq!(run.reach.to_string(), expected, "{run:?}");
        }
        assert_eq!(report.runs.len(), 9);
    }
}

const REMEMBERING: &str = r#"
package subjects;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;

class RememberingTest {
    static final ThreadLocal<String> LAST = new ThreadLocal<>();

    @Test void first() { remember("first"); }
    @Test void second() { remember("second"); }
    @Test void loops() { while (true) { Thread.onSpinWait(); } }
    @Test void runsItsThread() { Thread.currentThread().run(); }

    private static void remember(String name) {
        String before = LAST.get();
        LAST.set(name);
        assertNull(before);
    }
}
"#;

#[test]
fn tests_share_a_thread_as_under_junit_until_one_does_not_end() {
    let limit = Duration::from_secs(60);
    for jdk in jdks() {
        let bench = bench(&jdk, "thread");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        assert!(compiler.compile(&bench.sources("subjects/RememberingTest.java", REMEMBERING), limit).unwrap().ok);
        let outcomes = |tests: &[&str]| {
            let tests = tests.iter().map(|t| ("subjects.RememberingTest".to_owned(), (*t).to_owned())).collect();
            let runs = bench.run(Order::Exact { tests, stop: false }, Surroundings::Usual, limit).runs;
            runs.iter().map(|r| r.outcome == TestOutcome::Passed).collect::<Vec<bool>>()
        };
        assert_eq!(outcomes(&["first", "second"]), [true, false], "what one leaves in a thread-local the next finds");
        assert_eq!(outcomes(&["runsItsThread", "first"]), [true, true]);
        assert_eq!(outcomes(&["first", "loops", "second"]), [true, false, true]);
    }
}

const LATE: &str = r#"
package subjects;

import org.junit.jupiter.api.Test;

class LateTest {
    static class Writer {
        @Override protected void finalize() throws java.io.IOException { new java.io.FileWriter("late.txt").close(); }
    }

    @Test void leavesAWriter() { new Writer(); }
    @Test void leavesNothing() { new Object(); }
}
"#;

#[test]
fn what_reaches_outside_when_no_test_runs_is_told() {
    let limit = Duration::from_secs(60);
    for jdk in jdks() {
        let bench = bench(&jdk, "late");
        let mut compiler =
            Compiler::start(&jdk, &bench.runtime.worker, &bench.folder, &[subjects().to_owned()]).unwrap();
        assert!(compiler.compile(&bench.sources("subjects/LateTest.java", LATE), limit).unwrap().ok);
        let touched = |test: &str| {
            let tests = vec![("subjects.LateTest".to_owned(), test.to_owned())];
            bench.run(Order::Exact { tests, stop: false }, Surroundings::Usual, limit).touched
        };
        assert_eq!(touched("leavesNothing"), [""; 0], "JDK {}", jdk.feature);
        assert_eq!(touched("leavesAWriter"), ["writes files when no test was running"], "JDK {}", jdk.feature);
    }
}
