//! Calls that change what everybody shares: those that nobody notices afterwards are tested, the others are left alone, with the reason.

use crate::lab::{Run, any_jdk, compile_text};

/// Keeps what it computed for the next time; nobody can tell.
const RATES: &str = "package f; public class Rates {
    private static final java.util.Map<Integer, Rates> ALL = new java.util.HashMap<>();
    private final int base;
    private final int[] kept = new int[8];
    private Rates(int base) { this.base = base; }
    public static Rates of(int base) {
        if (!ALL.containsKey(base)) { ALL.put(base, new Rates(base)); }
        return ALL.get(base);
    }
    public int at(int day) {
        if (day < 0 || day > 7) { return -1; }
        if (kept[day] == 0) { kept[day] = base * 100 + day; }
        return kept[day];
    }
    public int base() { return base; }
    public void fill(int[] into) {
        for (int i = 0; i < into.length; i++) { into[i] = i % 2 == 0 ? base : -base; }
    }
}";

/// Everybody sees who came before.
const GUESTS: &str = "package f; public class Guests {
    private static final Guests ONE = new Guests();
    private int count;
    private Guests() { }
    public static Guests get() { return ONE; }
    public boolean enter(int people) {
        if (people <= 0) { return false; }
        count += people;
        return true;
    }
    public int count() { return count; }
}";

/// The same, made when first asked for, which changes static state by itself.
const VISITORS: &str = "package f; public class Visitors {
    private static Visitors one;
    private int count;
    private Visitors() { }
    public static Visitors get() {
        if (one == null) { one = new Visitors(); }
        return one;
    }
    public void enter(int people) { count += people; }
    public int count() { return count; }
}";

#[test]
fn what_nobody_notices_is_tested_and_the_rest_left_alone() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let files = [("f/Rates.java", RATES), ("f/Guests.java", GUESTS), ("f/Visitors.java", VISITORS)];
    let classes = compile_text(&jdk, &files, temp.path());
    let args = ["f.Rates", "f.Guests", "f.Visitors", "-c", classes.to_str().unwrap(), "--max-executions", "3000"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &args).succeeded();
    let method = |class: &str, name: &str| {
        let class = run.class(class);
        class["methods"].as_array().unwrap().iter().find(|m| m["name"] == name).unwrap().clone()
    };
    let at = method("f.Rates", "at(int)");
    assert_eq!(at["goals"]["covered"], at["goals"]["total"], "{at:#}");
    let fill = method("f.Rates", "fill(int[])");
    assert_eq!(fill["goals"]["covered"], fill["goals"]["total"], "{fill:#}");
    for class in ["f.Guests", "f.Visitors"] {
        let enter = method(class, "enter(int)");
        let why = enter["why_not"].as_str().unwrap_or_else(|| panic!("{enter:#}"));
        assert!(why.contains("static state"), "{enter:#}");
    }
    let suite = &run.suites()["tests/f/GuestsTest.java"];
    assert!(!suite.contains("assertTrue"), "{suite}");
}
