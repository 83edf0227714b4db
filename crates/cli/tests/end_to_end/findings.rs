//! Findings are only about what nobody can call expected, and say why they are believed.

use serde_json::Value;

use crate::lab::{Run, any_jdk, compile_text, javac, jdks, sources};

fn findings(run: &Run, class: &str) -> Vec<Value> {
    run.class(class)["findings"].as_array().unwrap().clone()
}

/// The statements of the failing tests, without what every test has.
fn failing(run: &Run, class: &str) -> String {
    let file = format!("failing/{}FailingTest.java", class.replace('.', "/"));
    let text = run.suites().remove(&file).unwrap_or_else(|| panic!("no {file}; {}", run.stderr()));
    let is_code = |l: &&str| l.starts_with("        ") && !l.trim_start().starts_with("//");
    text.lines().filter(is_code).map(|l| format!("{}\n", l.trim())).collect()
}

const RULES: &str = "package rules; public final class Rules {
    public static boolean isInOrder(subjects.Poly poly) { return poly.repOk(); }
}";

#[test]
fn a_broken_representation_is_shown_by_a_short_test() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let wanted = ["Rat.java", "Mono.java", "Poly.java"];
    let files: Vec<_> =
        sources("subjects/src").into_iter().filter(|p| wanted.iter().any(|name| p.ends_with(name))).collect();
    let rules = temp.path().join("Rules.java");
    std::fs::write(&rules, RULES).unwrap();
    let classes = temp.path().join("classes");
    javac(&jdk, &[files, vec![rules]].concat(), &[], &classes);
    let classes = classes.to_str().unwrap();
    let limits = ["--max-executions", "6000", "--seed", "2"];
    let args = [&["subjects.Poly", "-c", classes, "--contracts", "rules.Rules"][..], &limits].concat();
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    let found = findings(&run, "subjects.Poly");
    assert_eq!(found[0]["contract"], "user:rules.Rules.isInOrder", "{found:#?}");
    insta::assert_snapshot!("poly", failing(&run, "subjects.Poly"));
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

/// The bytecode that Kotlin's compiler makes of `fun length(text: String, more: String?)`.
const KOTLIN: [(&str, &str); 2] = [
    (
        "kotlin/jvm/internal/Intrinsics.java",
        "package kotlin.jvm.internal; public class Intrinsics {
            public static void checkNotNullParameter(Object value, String name) {
                if (value == null) { throw new NullPointerException(name); }
            }
        }",
    ),
    (
        "n/Text.java",
        "package n; import kotlin.jvm.internal.Intrinsics; public class Text {
            public final int length(int n, String text, String more) {
                Intrinsics.checkNotNullParameter(text, \"text\");
                return more == null ? text.length() + n : n;
            }
        }",
    ),
];

#[test]
fn null_is_not_passed_where_kotlin_checks_for_it() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &KOTLIN, temp.path());
    let args = ["n.Text", "-c", classes.to_str().unwrap(), "--max-executions", "2000"];
    let run = Run::generate(&jdk, temp.path(), &args).succeeded();
    assert_eq!(findings(&run, "n.Text"), Vec::<Value>::new());
    let suite = &run.suites()["tests/n/TextTest.java"];
    assert!(suite.contains(", null)") && !suite.contains("NullPointerException"), "{suite}");
}

const DOCUMENTED: &str = "package n; public class Shop {
    private String owner;
    /**
     * The first letter.
     *
     * @throws NullPointerException before there is an owner
     */
    public char initial() { return owner.charAt(0); }
    /** How long the name is. */
    public int length() { return owner.length(); }
    public void sell(String to) { owner = to; }
}";

#[test]
fn what_sources_say_of_exceptions_decides_how_sure_a_finding_is() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("n/Shop.java", DOCUMENTED)], temp.path());
    let sources = temp.path().join("source");
    let told = |more: &[&str]| -> Vec<(String, String, bool)> {
        let args = ["n.Shop", "-c", classes.to_str().unwrap(), "--max-executions", "2000"];
        let run = Run::generate(&jdk, temp.path(), &[&args, more].concat()).succeeded();
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        let says = |f: &Value| f["why"].as_array().unwrap().iter().any(|w| text(w).starts_with("the documentation"));
        findings(&run, "n.Shop").iter().map(|f| (text(&f["method"]), text(&f["confidence"]), says(f))).collect()
    };
    let expected = |sure: [&str; 2], says: bool| {
        [("n.Shop.length()", sure[0]), ("n.Shop.initial()", sure[1])]
            .map(|(method, sure)| (method.to_owned(), sure.to_owned(), says))
            .to_vec()
    };
    let mut without = told(&[]);
    without.sort_by(|a, b| b.cmp(a));
    assert_eq!(without, expected(["high", "high"], false));
    assert_eq!(told(&["--sources", sources.to_str().unwrap()]), expected(["high", "warning"], true));
}
