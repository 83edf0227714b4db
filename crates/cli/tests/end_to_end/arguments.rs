//! Objects that are only passed on are not always as their constructors leave them: they are filled, set and copied with a difference first.

use crate::lab::{Run, any_jdk, compile_text};

const GATE: &str = "package g; public class Gate {
    public String open(Settings settings) {
        if (settings.names().size() < 2) { return \"nobody\"; }
        return settings.limit() > 100 ? \"wide\" : \"narrow\";
    }
    public int total(java.util.List<Integer> numbers) {
        int sum = 0;
        for (int number : numbers) { sum += number; }
        return sum;
    }
    public boolean longest(Route route) { return route.stops() > 3; }
}";

/// Changes itself.
const SETTINGS: &str = "package g; public class Settings {
    private final java.util.List<String> names = new java.util.ArrayList<>();
    private int limit;
    public void setLimit(int limit) { this.limit = limit; }
    public int limit() { return limit; }
    public Settings addName(String name) { names.add(name); return this; }
    public java.util.List<String> names() { return names; }
    public void close() { throw new IllegalStateException(\"never called\"); }
}";

/// Never changes, but has copies that differ.
const ROUTE: &str = "package g; public final class Route {
    public static final Route EMPTY = new Route(0);
    private final int stops;
    private Route(int stops) { this.stops = stops; }
    public Route via(String stop) { return new Route(stops + 1); }
    public int stops() { return stops; }
}";

#[test]
fn what_is_passed_on_is_changed_before() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let sources = [("g/Gate.java", GATE), ("g/Settings.java", SETTINGS), ("g/Route.java", ROUTE)];
    let classes = compile_text(&jdk, &sources, temp.path());
    let args = ["g.Gate", "-c", classes.to_str().unwrap(), "--max-executions", "10000", "--no-solver"];
    let random = ["--technique", "random"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &[&args[..], &random].concat()).succeeded();
    let gate = run.class("g.Gate");
    assert_eq!(gate["goals"]["branch"], serde_json::json!({"covered": 8, "total": 8}), "{gate:#}");
    let suite = &run.suites()["tests/g/GateTest.java"];
    assert!(!suite.contains("close("), "{suite}");
    let start = suite.find("    void openReturnsWide").unwrap_or_else(|| panic!("{suite}"));
    let test: String = suite[start..].lines().skip(1).take_while(|l| *l != "    }").map(|l| format!("{l}\n")).collect();
    insta::assert_snapshot!("wide", test);
}

/// Takes anything, but looks for readers; and a class that no literal of its bound is.
const CARGO: &str = "package g; public class Cargo {
    public String kind(Object load) throws java.io.IOException {
        if (!(load instanceof java.io.Reader)) { return \"no text\"; }
        int first = ((java.io.Reader) load).read();
        if (first < 0) { return \"empty\"; }
        return first == '#' ? \"comment\" : \"text\";
    }
    public static int constants(Class<? extends Enum<?>> type) { return type.getEnumConstants().length; }
}";

#[test]
fn the_first_maker_of_a_value_is_not_the_only_one() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("g/Cargo.java", CARGO)], temp.path());
    let args = ["g.Cargo", "-c", classes.to_str().unwrap(), "--max-executions", "5000", "--no-solver"];
    let random = ["--technique", "random", "--seed", "2"];
    let run = Run::generate(&jdk, &temp.path().join("out"), &[&args[..], &random].concat()).succeeded();
    let cargo = run.class("g.Cargo");
    assert_eq!(cargo["goals"]["branch"], serde_json::json!({"covered": 6, "total": 6}), "{cargo:#}");
    assert_eq!(cargo["dropped"], serde_json::json!([]), "{cargo:#}");
    let suite = &run.suites()["tests/g/CargoTest.java"];
    for line in ["assertEquals(\"comment\", cargo.kind(new ", "assertEquals(6, Cargo.constants(Thread.State.class));"] {
        assert!(suite.contains(line), "{suite}");
    }
}
