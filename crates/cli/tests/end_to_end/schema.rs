//! Real reports fit the documented schema, and real SARIF logs that format's own. Owns a validator for the keywords these schemas use; an unknown keyword
//! is an error.

use serde_json::Value;

use crate::lab::{Run, any_jdk, compile_text};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/book/report.schema.json")).unwrap()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn validate(root: &Value, schema: &Value, value: &Value, path: &str, problems: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "$defs" | "definitions" => {}
            "$ref" => {
                let place = rule.as_str().unwrap().strip_prefix('#').unwrap();
                validate(root, root.pointer(place).unwrap(), value, path, problems);
            }
            "format" => {
                let known = ["uri", "uri-reference", "date-time"];
                assert!(known.contains(&rule.as_str().unwrap()), "{rule}");
                if value.as_str().is_some_and(|s| s.contains(' ') || !s.is_ascii()) {
                    problems.push(format!("{path} is no {rule}: {value}"));
                }
            }
            // Fingerprints and the like, which our logs do not have; a value under such a rule has to be looked at by hand.
            "pattern" => problems.push(format!("{path} has to match {rule}")),
            "anyOf" | "oneOf" => {
                let fitting = rule.as_array().unwrap().iter().filter(|rule| {
                    let mut inner = Vec::new();
                    validate(root, rule, value, path, &mut inner);
                    inner.is_empty()
                });
                let count = fitting.count();
                if count == 0 || (keyword == "oneOf" && count > 1) {
                    problems.push(format!("{path} fits {count} of {rule}"));
                }
            }
            "minItems" => {
                if value.as_array().is_some_and(|a| (a.len() as u64) < rule.as_u64().unwrap()) {
                    problems.push(format!("{path} has fewer than {rule} items"));
                }
            }
            "uniqueItems" => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                if rule == &Value::Bool(true) && (1..items.len()).any(|i| items[..i].contains(&items[i])) {
                    problems.push(format!("{path} holds an item twice"));
                }
            }
            "type" => {
                let allowed: Vec<&str> = match rule {
                    Value::Array(all) => all.iter().map(|t| t.as_str().unwrap()).collect(),
                    one => vec![one.as_str().unwrap()],
                };
                let actual = type_of(value);
                if !allowed.iter().any(|a| *a == actual || (*a == "number" && actual == "integer")) {
                    problems.push(format!("{path} is a {actual}, not {allowed:?}"));
                }
            }
            "enum" => {
                if !rule.as_array().unwrap().contains(value) {
                    problems.push(format!("{path} is {value}, not one of {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|n| n < rule.as_f64().unwrap()) {
                    problems.push(format!("{path} is {value}, below {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|n| n > rule.as_f64().unwrap()) {
                    problems.push(format!("{path} is {value}, above {rule}"));
                }
            }
            "required" if !value.is_object() => {}
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        problems.push(format!("{path} lacks {name}"));
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        validate(root, rule, value, &format!("{path}.{name}"), problems);
                    }
                }
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(|o| o.keys()) {
                    validate(root, rule, &Value::String(name.clone()), &format!("{path}: the name {name}"), problems);
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|k| k.contains_key(name)) {
                        continue;
                    }
                    match rule {
                        Value::Bool(true) => {}
                        Value::Bool(false) => problems.push(format!("{path} has an undocumented {name}")),
                        rule => validate(root, rule, value, &format!("{path}.{name}"), problems),
                    }
                }
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, value, &format!("{path}[{i}]"), problems);
                }
            }
            other => problems.push(format!("the schema uses `{other}`, which this validator does not know")),
        }
    }
}

fn problems(value: &Value) -> Vec<String> {
    let schema = schema();
    let mut problems = Vec::new();
    validate(&schema, &schema, value, "report", &mut problems);
    problems
}

/// The same for another schema of the book.
pub fn problems_of(file: &str, value: &Value) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book").join(file);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut problems = Vec::new();
    validate(&schema, &schema, value, "report", &mut problems);
    problems
}

/// The format's schema comes with a crate that is used for nothing else.
fn sarif_problems(value: &Value) -> Vec<String> {
    // Only what was built for this machine is sure to be there.
    let rustc = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let told = String::from_utf8(rustc.stdout).unwrap();
    let host = told.lines().find_map(|l| l.strip_prefix("host: ")).unwrap();
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .arg("--manifest-path")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|p| p["name"] == "serde-sarif").unwrap();
    let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut problems = Vec::new();
    validate(&schema, &schema, value, "log", &mut problems);
    problems
}

#[test]
fn a_real_report_fits_the_schema_and_a_spoilt_one_does_not() {
    let temp = tempfile::tempdir().unwrap();
    let texts = [
        (
            "p/Twin.java",
            "package p; public class Twin { public boolean equals(Object o) { return o instanceof Twin && o != this; } public int hashCode() { return 1; } private int never() { return 1; } }",
        ),
        (
            "p/Kind.java",
            "package p; public interface Kind { int kind(); int other(); default int both() { return kind() + other(); } }",
        ),
    ];
    let classes = compile_text(&any_jdk(), &texts, temp.path());
    let run =
        Run::generate(&any_jdk(), temp.path(), &["p.*", "-c", classes.to_str().unwrap(), "--max-executions", "3000"])
            .succeeded();
    let report = run.report();
    assert_eq!(problems(&report), Vec::<String>::new());
    let twin = run.class("p.Twin");
    assert!(!twin["findings"].as_array().unwrap().is_empty(), "a twin does not equal itself: {twin:#}");
    let never =
        twin["methods"].as_array().unwrap().iter().find(|m| m["name"].as_str().unwrap().starts_with("never")).unwrap();
    assert!(never["why_not"].is_string(), "{never:#}");

    let sarif: Value = serde_json::from_str(&run.text("findings.sarif")).unwrap();
    assert_eq!(sarif_problems(&sarif), Vec::<String>::new());
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "equals-reflexive");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "p/Twin.java");
    assert_eq!(place["region"]["startLine"], 1);
    let file = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(run.text(file).contains("class"), "{file}");
    let mut spoilt = sarif.clone();
    spoilt["runs"][0]["results"][0]["rank"] = Value::from(101);
    spoilt["runs"][0]["results"][0]["level"] = Value::from("grave");
    spoilt["runs"][0]["results"][0]["message"] = Value::Null;
    assert!(sarif_problems(&spoilt).len() >= 3, "{:?}", sarif_problems(&spoilt));

    let mut spoilt = report.clone();
    spoilt["classes"][0]["tests"] = Value::from(-1);
    spoilt["classes"][0]["surprise"] = Value::Null;
    spoilt["jdk"].as_object_mut().unwrap().remove("home");
    assert_eq!(problems(&spoilt).len(), 3, "{:?}", problems(&spoilt));
}
