//! Assertions are those that notice faults: fewer than without looking at mutants, and the report says what was noticed and what not.

use crate::lab::{Run, any_jdk, compile_text, javac, jdks, sources};

/// Everything about it shows in its results, but for one method that nobody can look behind.
const METER: &str = "package m; public class Meter {
    private int level; private int hidden; static final int LIMIT = Integer.getInteger(\"none\", 3);
    public int raise(int by) { if (by < 0) { throw new IllegalArgumentException(\"negative\"); } level += by; return level; }
    public boolean isFull() { return level >= LIMIT; }
    public int level() { return level; }
    public int twice() { return level * 2; }
    public boolean isEmpty() { return level == 0; }
    public void hide(int x) { hidden = x * 7; }
}";

#[test]
fn assertions_notice_mutants_and_the_report_names_those_alive() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let classes = compile_text(&jdk, &[("m/Meter.java", METER)], temp.path());
        let args = ["m.Meter", "-c", classes.to_str().unwrap(), "--max-executions", "4000"];
        let with = Run::generate(&jdk, &temp.path().join("with"), &args).succeeded().class("m.Meter");
        let plain = [&args[..], &["--no-mutation"]].concat();
        let without = Run::generate(&jdk, &temp.path().join("without"), &plain).succeeded().class("m.Meter");
        assert!(without.get("mutation").is_none(), "{without}");
        assert_eq!(with["goals"], without["goals"], "nothing is lost, whichever tests are added or superfluous");
        let every = [&args[..], &["--all-assertions"]].concat();
        let all = Run::generate(&jdk, &temp.path().join("all"), &every).succeeded().class("m.Meter");
        assert_eq!(with["mutation"]["common"], all["mutation"]["common"], "they notice the same");
        let count = |class: &serde_json::Value| class["assertions"].as_u64().unwrap();
        assert!(count(&with) < count(&all), "{} and {}", count(&with), count(&all));
        let mutation = &with["mutation"];
        let (total, killed) = (mutation["common"]["total"].as_u64(), mutation["common"]["killed"].as_u64());
        assert!(total.unwrap() >= 15 && killed.unwrap() * 2 > total.unwrap(), "{mutation}");
        assert!(mutation["all"]["total"].as_u64() > total, "{mutation}");
        let alive = mutation["alive"].as_array().unwrap();
        let is_hidden = |m: &&serde_json::Value| m["method"] == "hide" && m["description"] == "replaced * by /";
        let hidden = alive.iter().find(is_hidden).unwrap_or_else(|| panic!("{mutation}"));
        assert_eq!(
            (&hidden["line"], &hidden["operator"], &hidden["reached"]),
            (&8.into(), &"math".into(), &true.into())
        );
        // The initialiser's constant cannot be switched.
        assert!(mutation["unmeasured"].as_u64().unwrap() >= 1, "{mutation}");
    }
}

/// Small tests push zeros, and zeros add up to the same whatever is done with them.
const PILE: &str = "package m; public class Pile {
    private final int[] items = new int[4]; private int size;
    public boolean push(int x) { if (size == items.length) { return false; } items[size++] = x; return true; }
    public int pop() { if (size == 0) { throw new IllegalStateException(\"empty\"); } return items[--size]; }
    public int sum() { int s = 0; for (int i = 0; i < size; i++) { s += items[i] * (i + 1); } return s; }
}";

#[test]
fn mutants_that_small_tests_hide_get_tests_of_their_own() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("m/Pile.java", PILE)], temp.path());
    let args = ["m.Pile", "-c", classes.to_str().unwrap(), "--max-executions", "4000"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &args).succeeded();
    let class = run.class("m.Pile");
    let alive = class["mutation"]["alive"].as_array().unwrap();
    let arithmetic: Vec<_> = alive.iter().filter(|m| m["operator"] == "math").collect();
    assert!(arithmetic.is_empty(), "{class:#}");
    let again = Run::generate(&jdk, &temp.path().join("again"), &args).succeeded();
    assert_eq!(run.suites(), again.suites(), "the same with the same number of executions");
}

#[test]
fn no_test_repeats_what_the_others_show() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &sources("subjects/src"), &[], &classes);
    let args = ["subjects.IntStack", "-c", classes.to_str().unwrap(), "--max-executions", "20000"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &args).succeeded();
    // A test that a new stack is empty would be among them, did not another one show that by the way.
    insta::assert_snapshot!(run.suites()["tests/subjects/IntStackTest.java"]);
}

/// Gives back what it was given, itself, and something of its own.
const TICKET: &str = "package m; public class Ticket {
    private final StringBuilder holder; private int count;
    public Ticket(StringBuilder holder) { this.holder = holder; }
    public StringBuilder holder() { return holder; }
    public Ticket with(int seat) { if (seat < 0) { return new Ticket(holder); } count++; return this; }
}";

#[test]
fn what_comes_back_is_asserted_to_be_the_same_object() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("m/Ticket.java", TICKET)], temp.path());
    let args = ["m.Ticket", "-c", classes.to_str().unwrap(), "--max-executions", "3000"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &args).succeeded();
    let suite = &run.suites()["tests/m/TicketTest.java"];
    insta::assert_snapshot!(suite.split_once("class ").unwrap().1);
}
