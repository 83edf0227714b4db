//! Solving as a user meets it: branches that chance does not hit, the same bytes for the same seed, other solvers, and paths on paper.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lab::{Run, any_jdk, compile_text, javac, sources, testudo};

fn vault(folder: &Path) -> PathBuf {
    let classes = folder.join("classes");
    javac(&any_jdk(), &sources("directed/src"), &[], &classes);
    classes
}

#[test]
fn what_is_given_is_solved_for_and_the_same_every_time() {
    let temp = tempfile::tempdir().unwrap();
    let classes = vault(temp.path());
    let classpath = classes.to_str().unwrap();
    let args = ["directed.Vault", "-c", classpath, "--max-executions", "12000", "--seed", "5"];
    let runs: Vec<Run> =
        (0..2).map(|i| Run::generate(&any_jdk(), &temp.path().join(i.to_string()), &args).succeeded()).collect();
    assert_eq!(runs[0].suites(), runs[1].suites());
    let class = runs[0].class("directed.Vault");
    assert!(class["solver"]["goals"].as_u64() > Some(5), "{class:#}");
    let text = runs[0].suites().into_values().collect::<String>();
    for found in ["918273", "192837", "40961", "4711", "SUNDAY", "41152263"] {
        assert!(text.contains(found), "{found} is not in\n{text}");
    }
}

/// One branch that takes a solver, since its literals follow from each other.
const LOCK: (&str, &str) = (
    "p/Lock.java",
    "package p; public class Lock { public static int open(long a, long b) {
         if ((a ^ b << 7) == 0x1234_5678_9abcL && (a & b) == 0x88) { return 1; } return 0; } }",
);

fn with_solver(folder: &Path, classes: &Path, solver: &str) -> Run {
    let classpath = classes.to_str().unwrap();
    let args = ["p.Lock", "-c", classpath, "--max-executions", "3000", "--seed", "1", "--solver", solver];
    Run::generate(&any_jdk(), folder, &args)
}

#[test]
fn other_solvers_answer_for_generation() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), &[LOCK], temp.path());
    let mut asked = 0;
    for (number, solver) in ["z3 -in", "cvc5 --lang smt2 --produce-models"].into_iter().enumerate() {
        let program = solver.split(' ').next().unwrap();
        if Command::new(program).arg("--version").output().is_err() {
            continue;
        }
        asked += 1;
        let run = with_solver(&temp.path().join(number.to_string()), &classes, solver).succeeded();
        let class = run.class("p.Lock");
        assert!(class["solver"]["goals"].as_u64() > Some(0), "{solver}: {class:#}");
    }
    // One that never knows: nothing is solved, and nothing goes wrong.
    let script = temp.path().join("unsure.sh");
    let answer = "if grep -q '#x2a' ; then echo sat; else echo unknown; fi";
    std::fs::write(&script, answer).unwrap();
    let run = with_solver(&temp.path().join("unsure"), &classes, &format!("sh {}", script.display())).succeeded();
    let class = run.class("p.Lock");
    assert_eq!(class["solver"]["goals"].as_u64(), Some(0), "{asked} others, {class:#}");
}

#[test]
fn a_solver_that_is_none_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&any_jdk(), &[LOCK], temp.path());
    let run = with_solver(temp.path(), &classes, "no-such-solver -in");
    let text = run.stderr();
    assert_eq!(run.code(), 2, "{text}");
    assert!(
        text.contains("the solver `no-such-solver -in` cannot be used: there is no program no-such-solver"),
        "{text}"
    );
    assert!(text.contains("z3 -in"), "{text}");
    assert!(!run.out.exists());
}

#[test]
fn paths_over_objects_are_shown() {
    let temp = tempfile::tempdir().unwrap();
    let classes = vault(temp.path());
    let shown = |method: &str| {
        let target = format!("directed.Vault#{method}");
        let mut command = testudo();
        command.args(["inspect", "--symbolic", &target, "-c"]).arg(&classes).arg("--jdk").arg(&any_jdk().home);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = ["nothing", "same", "dispatched", "closed", "longer"].map(shown).concat();
    insta::assert_snapshot!("paths_over_objects", text);
}
