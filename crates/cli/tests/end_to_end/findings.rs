//! Findings are only about what nobody can call expected, and say why they are believed.

use serde_json::Value;

use crate::lab::{Run, compile_text, jdks};

fn findings(run: &Run, class: &str) -> Vec<Value> {
    run.class(class)["findings"].as_array().unwrap().clone()
}

/// What is said of null decides: one annotation is part of the type and visible, the other of the declaration and not.
const NAMES: &str = "package n; import java.lang.annotation.*; import java.util.Objects; public class Names {
    @Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) public @interface Nullable {}
    @Target(ElementType.PARAMETER) public @interface NotNull {}
    private String top;
    public int welcome(@Nullable String s) { return s.length(); }
    public int forbidden(@NotNull String s) { return s.length(); }
    public int silent(String s) { return s.length(); }
    public int checked() { return Objects.requireNonNull(top).length(); }
    public int thrown() { if (top == null) { throw new NullPointerException(\"no top\"); } return top.length(); }
    public int careless() { return top.length(); }
    public void put(@NotNull String s) { top = s; }
}";

#[test]
fn checks_of_arguments_and_states_are_expected_and_annotations_of_null_are_honoured() {
    for jdk in jdks() {
        let temp = tempfile::tempdir().unwrap();
        let classes = compile_text(&jdk, &[("n/Names.java", NAMES)], temp.path());
        let args = ["n.Names", "-c", classes.to_str().unwrap(), "--max-executions", "4000"];
        let run = Run::generate(&jdk, temp.path(), &args).succeeded();
        let found = findings(&run, "n.Names");
        let mut told: Vec<&str> = found.iter().map(|f| f["description"].as_str().unwrap()).collect();
        told.sort_unstable();
        let expected = [
            "Names.careless throws NullPointerException although no null was passed",
            "Names.welcome throws NullPointerException although null is declared welcome",
        ];
        assert_eq!(told, expected, "{found:#?}");
        assert!(
            found.iter().all(|f| f["confidence"] == "high" && f["why"].as_array().unwrap().len() >= 2),
            "{found:#?}"
        );
        let suite = &run.suites()["tests/n/NamesTest.java"];
        let refused = |call: &str| suite.lines().any(|l| l.contains("NullPointerException") && l.contains(call));
        assert!(refused("silent(") && refused("checked()") && refused("thrown()"), "{suite}");
        assert_eq!(crate::schema::problems_of("report.schema.json", &run.report()), Vec::<String>::new());
        assert!(!suite.lines().any(|l| l.contains("forbidden(") && l.contains("null")), "{suite}");
    }
}
