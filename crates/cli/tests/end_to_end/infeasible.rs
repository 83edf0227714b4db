//! What no test can reach is said so, is not searched for, and still counts as coverage tools count it.

use serde_json::json;

use crate::lab::{Run, any_jdk, compile_text};

const GATE: &str = "package i; public class Gate {
    public int open(String key) {
        int n = key.length();
        if (key == null) {
            return -1;
        }
        if (n < 0) {
            return -2;
        }
        return n > 2 ? 1 : 0;
    }
    private int forgotten(int x) {
        return x > 1 ? 1 : 2;
    }
    private static int half(int x) {
        return x / 2;
    }
    public int level(int x) {
        return half(x) + 1;
    }
}";

#[test]
fn a_search_is_done_when_only_the_impossible_is_left() {
    let jdk = any_jdk();
    let temp = tempfile::tempdir().unwrap();
    let classes = compile_text(&jdk, &[("i/Gate.java", GATE)], temp.path());
    let args = ["i.Gate", "-c", classes.to_str().unwrap(), "--max-executions", "400000"];
    let gate = Run::generate(&jdk, temp.path(), &args).succeeded().class("i.Gate");
    let entry = |method: &str, line: u32, kind: &str, count: u32, why: &str| json!({"class": "i.Gate", "method": method, "line": line, "kind": kind, "count": count, "why": why});
    let before = "no input leads there: what comes before rules it out";
    let uncalled = "the method is private and nothing calls it";
    let expected = [
        entry("open(String)", 4, "branch", 1, before),
        entry("open(String)", 5, "line", 1, before),
        entry("open(String)", 7, "branch", 1, before),
        entry("open(String)", 8, "line", 1, before),
        entry("forgotten(int)", 13, "method", 1, uncalled),
        entry("forgotten(int)", 13, "branch", 2, uncalled),
        entry("forgotten(int)", 13, "line", 1, uncalled),
    ];
    let mut listed: Vec<String> =
        gate["infeasible"].as_array().unwrap_or_else(|| panic!("{gate}")).iter().map(ToString::to_string).collect();
    let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
    assert_eq!(gate["goals"]["branch"], json!({"covered": 4, "total": 8}));
    assert!(gate["executions"].as_u64() < Some(100_000), "nothing was left to search for: {gate}");
    let notes = gate["notes"].to_string();
    assert!(notes.contains("nothing left to cover"), "{notes}");
    assert!(notes.contains("4 branches cannot be taken by any input"), "{notes}");
    let methods = gate["methods"].as_array().unwrap();
    let why_not = |name: &str| methods.iter().find(|m| m["name"] == name).unwrap()["why_not"].clone();
    assert_eq!(why_not("forgotten(int)"), format!("what is left of it cannot be reached: {uncalled}"));
    assert_eq!(why_not("open(String)"), format!("what is left of it cannot be reached: {before}"));
}
