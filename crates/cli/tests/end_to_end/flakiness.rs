//! What is not the same every time is not asserted, and the report says why and names the method.

use crate::lab::{Run, any_jdk, compile_text};

/// One class for each cause: its body, the method to blame, the cause.
const CLASSES: [(&str, &str, &str, &str); 10] = [
    ("Clocked", "public long now() { return System.currentTimeMillis(); }", "now()", "time"),
    ("Dice", "public int roll() { return new java.util.Random().nextInt(); }", "roll()", "randomness"),
    ("Named", "public String name() { return \"I am \" + new Object(); }", "name()", "identity-hash"),
    ("Tagged", "public int tag() { return System.identityHashCode(this); }", "tag()", "identity-hash"),
    (
        "Bag",
        "static final class Item { final String n; Item(String n) { this.n = n; } public String toString() { return n; } }
         public String list() { java.util.Set<Item> all = new java.util.HashSet<>();
             for (int i = 0; i < 12; i++) { all.add(new Item(\"i\" + i)); } return all.toString(); }",
        "list()",
        "iteration-order",
    ),
    ("Counter", "static int n; public int next() { return ++n; }", "next()", "static-state"),
    ("Local", "public String show(double d) { return String.format(\"%.2f\", d); }", "show(double)", "locale"),
    ("Zoned", "public String zone() { return java.util.TimeZone.getDefault().getID(); }", "zone()", "time-zone"),
    ("Home", "public String user() { return System.getProperty(\"user.name\"); }", "user()", "environment"),
    (
        "Racer",
        "public long race() throws InterruptedException { long[] at = new long[1];
             Thread t = new Thread(() -> at[0] = Thread.currentThread().getId()); t.start(); t.join(); return at[0]; }",
        "race()",
        "threads",
    ),
];

#[test]
fn every_cause_is_found_and_the_method_named() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let source = |(name, body, ..): &(&str, &str, &str, &str)| {
        let text = format!("package f; public class {name} {{ {body} public int same(int a) {{ return a + 1; }} }}");
        (format!("f/{name}.java"), text)
    };
    let sources: Vec<(String, String)> = CLASSES.iter().map(source).collect();
    let sources: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let classes = compile_text(&jdk, &sources, temp.path());
    let names: Vec<String> = CLASSES.iter().map(|c| format!("f.{}", c.0)).collect();
    let mut args: Vec<&str> = names.iter().map(String::as_str).collect();
    args.extend(["-c", classes.to_str().unwrap(), "--max-executions", "400"]);
    let run = Run::generate(&jdk, &temp.path().join("out"), &args).succeeded();
    for (name, _, method, cause) in CLASSES {
        let class = run.class(&format!("f.{name}"));
        let unsteady = class["unsteady"].as_array().unwrap_or_else(|| panic!("{class:#}"));
        let blamed = |u: &&serde_json::Value| u["method"] == format!("f.{name}.{method}");
        let found = unsteady.iter().find(blamed).unwrap_or_else(|| panic!("{class:#}"));
        assert_eq!(found["cause"], cause, "{class:#}");
        let told = class["notes"].as_array().unwrap().iter().any(|n| n.as_str().unwrap().contains(method));
        assert!(told, "{class:#}");
        assert!(unsteady.iter().all(|u| !u["method"].as_str().unwrap().contains("same")), "{class:#}");
    }
}

/// Fresh JVMs have less memory in some rounds than the workers have.
const ROOMY: &str = "package f; public class Roomy {
    public int room() {
        if (Runtime.getRuntime().maxMemory() < 480L << 20) { throw new IllegalStateException(\"too little\"); }
        return 1;
    }
    public int same(int a) { return a + 1; }
}";

#[test]
fn a_test_that_is_dropped_says_what_it_depends_on_and_by_which_method() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("f/Roomy.java", ROOMY)], temp.path());
    let args = ["f.Roomy", "-c", classes.to_str().unwrap(), "--max-executions", "400"];
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    let class = run.class("f.Roomy");
    let dropped = class["dropped"].as_array().unwrap();
    let found = dropped.iter().find(|d| d["reason"] == "environment-dependent").unwrap_or_else(|| panic!("{class:#}"));
    assert_eq!(found["cause"], "environment", "{class:#}");
    assert_eq!(found["method"], "f.Roomy.room()", "{class:#}");
    let suite = &run.suites()["tests/f/RoomyTest.java"];
    assert!(suite.contains("same(") && !suite.contains("room("), "{suite}");
    assert_eq!(crate::schema::problems_of("report.schema.json", &run.report()), Vec::<String>::new());
}

/// What lies in folders is not the class's.
const LISTING: &str = "package f; public class Listing {
    public int letters(String folder) throws java.io.IOException {
        try (java.io.InputStream in = Listing.class.getClassLoader().getResourceAsStream(folder.isEmpty() ? \"\" : \"f/\")) {
            return in.readAllBytes().length;
        }
    }
    public int entries(String folder) {
        String[] names = new java.io.File(folder.isEmpty() ? \"nowhere\" : \"/\").list();
        return names == null ? -1 : names.length;
    }
    public long paths(boolean all) throws java.io.IOException {
        try (java.util.stream.Stream<java.nio.file.Path> paths = java.nio.file.Files.list(java.nio.file.Paths.get(all ? \"/\" : \".\"))) {
            return paths.count();
        }
    }
    public int same(int a) { return a + 1; }
}";

#[test]
fn folders_are_not_read_by_tests() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("f/Listing.java", LISTING)], temp.path());
    let args = ["f.Listing", "-c", classes.to_str().unwrap(), "--max-executions", "400"];
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    let suite = &run.suites()["tests/f/ListingTest.java"];
    let called: Vec<&str> = suite.lines().filter(|l| l.contains("letters(\"")).collect();
    assert!(called.is_empty(), "{suite}");
    let listed: Vec<&str> = suite.lines().filter(|l| l.contains("entries(") && !l.contains("entries(\"\")")).collect();
    assert!(listed.iter().all(|l| l.contains("entries(null)") || l.contains("void ")), "{suite}");
    assert!(!suite.contains("paths("), "{suite}");
    assert!(suite.contains("assertEquals(-1, new Listing().entries(\"\"));"), "{suite}");
    assert!(suite.contains("same("), "{suite}");
}
