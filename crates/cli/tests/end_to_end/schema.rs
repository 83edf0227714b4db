//! Real reports fit the documented schema. Owns a validator for the few keywords the schema uses; an unknown keyword is an error.

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
            "$schema" | "title" | "$defs" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                validate(root, &root["$defs"][name], value, path, problems);
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

    let mut spoilt = report.clone();
    spoilt["classes"][0]["tests"] = Value::from(-1);
    spoilt["classes"][0]["surprise"] = Value::Null;
    spoilt["jdk"].as_object_mut().unwrap().remove("home");
    assert_eq!(problems(&spoilt).len(), 3, "{:?}", problems(&spoilt));
}
