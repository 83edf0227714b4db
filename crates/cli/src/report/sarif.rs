//! `findings.sarif`: the findings of a run in the format that code-scanning services and editors read (SARIF 2.1.0). Owns that file's shape;
//! decides nothing about findings.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::report::{ClassReport, FindingReport, Report};
use crate::screen;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Name of the root that source paths are relative to: class files do not say where the sources are.
const SOURCES: &str = "SOURCES";
/// Name of the output folder.
const OUTPUT: &str = "OUTPUT";

/// The whole log; the same findings give the same text.
pub fn log(report: &Report) -> String {
    let findings: Vec<(&ClassReport, &FindingReport)> =
        report.classes.iter().flat_map(|c| c.findings.iter().map(move |f| (c, f))).collect();
    // One rule per contract, with the words of any of its findings.
    let rules: BTreeMap<&str, &FindingReport> = findings.iter().map(|(_, f)| (f.contract.as_str(), *f)).collect();
    let index: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(i, id)| (*id, i)).collect();
    let results: Vec<Value> = findings.iter().map(|(class, f)| result(class, f, index[f.contract.as_str()])).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Testudo",
                "semanticVersion": report.version,
                "rules": rules.values().map(|f| rule(f)).collect::<Vec<Value>>(),
            }},
            "invocations": [{ "executionSuccessful": !report.interrupted }],
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {
                SOURCES: { "description": { "text": "The root of the sources of the classes under test." } },
                OUTPUT: { "description": { "text": "The output folder of this run." } },
            },
            "results": results,
        }],
    });
    let mut text = format!("{log:#}");
    text.push('\n');
    screen::json(&text)
}

fn rule(finding: &FindingReport) -> Value {
    let id = &finding.contract;
    json!({ "id": id, "shortDescription": { "text": meaning(finding) }, "fullDescription": { "text": advice(id) } })
}

fn result(class: &ClassReport, finding: &FindingReport, rule: usize) -> Value {
    let mut text = format!("{} (seen after a call of {}).", finding.description, finding.method);
    if !finding.trace.is_empty() {
        text.push_str("\n\n");
        text.push_str(&finding.trace.join("\n    "));
    }
    if finding.alike > 0 {
        text.push_str(&format!("\n\nOther call sequences that showed the same: {}.", finding.alike));
    }
    if !finding.why.is_empty() {
        text.push_str(&format!("\n\nConfidence {}: {}.", finding.confidence, finding.why.join("; ")));
    }
    text.push_str(&format!("\n\nThe test {} shows it.", finding.test));
    let member = finding.location.as_ref().map_or(class.class.as_str(), |l| l.member.as_str());
    let mut place = json!({ "logicalLocations": [{ "fullyQualifiedName": member }] });
    if let Some(location) = &finding.location {
        let mut physical = json!({ "artifactLocation": { "uri": uri(&location.file), "uriBaseId": SOURCES } });
        if let Some(line) = location.line {
            physical["region"] = json!({ "startLine": line });
        }
        place["physicalLocation"] = physical;
    }
    let mut result = json!({
        "ruleId": finding.contract,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": { "text": text },
        "locations": [place],
        "occurrenceCount": u64::from(finding.alike) + 1,
        "rank": rank(finding),
        "partialFingerprints": { "finding/v2": format!("{}|{member}", finding.contract) },
        "properties": { "confidence": finding.confidence, "why": finding.why, "test": finding.test },
    });
    if let Some(file) = test_file(class, finding) {
        result["relatedLocations"] = json!([{
            "id": 0,
            "physicalLocation": { "artifactLocation": { "uri": uri(file), "uriBaseId": OUTPUT } },
            "message": { "text": "the failing test" },
        }]);
    }
    result
}

/// The delivered file that holds the failing test.
fn test_file<'c>(class: &'c ClassReport, finding: &FindingReport) -> Option<&'c str> {
    let (test_class, _) = finding.test.rsplit_once('.')?;
    let simple = test_class.rsplit('.').next()?;
    class.files.iter().map(String::as_str).find(|f| {
        f.starts_with("failing/") && f.rsplit('/').next().is_some_and(|n| n.strip_suffix(".java") == Some(simple))
    })
}

/// From 0 to 100, as the format has it.
fn rank(finding: &FindingReport) -> f64 {
    match finding.confidence.as_str() {
        "high" => 90.0,
        "medium" => 50.0,
        _ => 10.0,
    }
}

/// Only what a path may not hold in a URI; class names may be in any script.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What holds for every finding of the rule.
fn meaning(finding: &FindingReport) -> String {
    match finding.contract.split_once(':') {
        Some(("exception", class)) => format!("{class} leaves a method that should not throw it"),
        Some(("user", method)) => format!("The contract {method} does not hold"),
        // What was thrown stands in parentheses and differs from finding to finding.
        _ => finding.description.split(" (").next().unwrap_or_default().to_string(),
    }
}

fn advice(contract: &str) -> String {
    let text = match contract {
        "equals-hash-code" => {
            "Compute hashCode from the fields that equals compares, and only from these; hash maps and sets lose objects otherwise."
        }
        "compare-to-equals" => {
            "Sorted collections take objects as the same when compareTo gives 0. Legal, but document it if it is meant."
        }
        "to-string-throws" | "hash-code-throws" | "equals-throws" => {
            "Collections, loggers and debuggers call this method at any time; it has to work in every state an object can have."
        }
        _ => match contract.split_once(':') {
            Some(("exception", "java.lang.AssertionError")) => {
                "An assertion in the code does not hold for legal calls: the state or the assertion is wrong."
            }
            Some(("exception", _)) => {
                "The calls of the test are legal as far as types tell, and none passes null. Either the code has to handle them, or it should say early and clearly that they are not allowed."
            }
            Some(("user", _)) => "A contract given with --contracts.",
            _ => {
                "The contract is the one java.lang.Object or java.lang.Comparable document; callers and collections rely on it."
            }
        },
    };
    text.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Location, Status};

    fn finding(contract: &str, location: Option<Location>) -> FindingReport {
        FindingReport {
            contract: contract.to_string(),
            description: "equal objects have different hash codes".to_string(),
            method: "p.Money.Money(int)".to_string(),
            severity: "error".to_string(),
            confidence: "high".to_string(),
            why: vec!["every class has to keep this contract".to_string()],
            statements: 3,
            statements_before: 9,
            test: "p.MoneyFailingTest.equalMoneyHasEqualHashCodes".to_string(),
            location,
            trace: Vec::new(),
            alike: 2,
        }
    }

    #[test]
    fn a_result_says_where_what_and_which_test() {
        let mut class = ClassReport::new("p.Money".to_string(), Status::Tested);
        class.files = vec!["tests/p/MoneyTest.java".to_string(), "failing/p/MoneyFailingTest.java".to_string()];
        let location =
            Location { file: "p/Geld ö.java".to_string(), line: Some(7), member: "p.Money.hashCode()".to_string() };
        let result = result(&class, &finding("equals-hash-code", Some(location)), 0);
        let place = &result["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "p/Geld%20%C3%B6.java");
        assert_eq!(place["physicalLocation"]["region"]["startLine"], 7);
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "p.Money.hashCode()");
        assert_eq!(
            result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "failing/p/MoneyFailingTest.java"
        );
        assert_eq!(result["occurrenceCount"], 3);
        let text = result["message"]["text"].as_str().unwrap();
        assert!(text.contains("(seen after a call of p.Money.Money(int))"), "{text}");
        assert!(text.contains("Confidence high: every class has to keep this contract."), "{text}");
        // Which call happened to show it differs from run to run.
        assert_eq!(result["partialFingerprints"]["finding/v2"], "equals-hash-code|p.Money.hashCode()");
    }

    #[test]
    fn without_a_location_the_class_is_named() {
        let class = ClassReport::new("p.Money".to_string(), Status::Tested);
        let result = result(&class, &finding("exception:java.lang.AssertionError", None), 0);
        assert_eq!(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "p.Money");
        assert!(result.get("relatedLocations").is_none());
    }
}
