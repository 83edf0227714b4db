//! How many states there are within a number of calls, and how long it takes to visit them all: a stack of distinct numbers, and a balanced tree. Owns the two seeds and
//! what is known about their state spaces.

use std::path::Path;

use serde::Serialize;

use super::Ground;
use crate::results::seconds;
use crate::{Problem, files};

#[derive(Serialize)]
struct Row {
    what: String,
    /// In a sequence, at most.
    calls: u32,
    /// Of the class under test, as the report has them.
    states: Option<u64>,
    /// As the literature has them, where it does.
    literature_states: Option<u64>,
    tried: u64,
    search_seconds: f64,
    literature_seconds: Option<f64>,
}

/// States and seconds by number of keys, as T. Xie, "Automated Test Generation By Avoiding Redundant Tests" (2004, a talk) has them for machines of that time.
const LITERATURE_MAP: [(u32, u64, f64); 4] = [(4, 25, 1.54), (5, 72, 4.66), (6, 185, 18.16), (7, 537, 66.58)];
const LITERATURE_STACK: (u32, u64, f64) = (6, 1957, 24.32);

/// A map of which only `put` and `remove` can be called.
const KEY_TREE: &str = "package subjects;

public class KeyTree {
    private final TreeMap<Integer, Integer> map = new TreeMap<Integer, Integer>();

    public void put(int key) {
        map.put(key, 0);
    }

    public void remove(int key) {
        map.remove(key);
    }
}
";

pub fn run(ground: &Ground, work: &Path) -> Result<(), Problem> {
    let mut rows = Vec::new();
    for length in 2..=6 {
        let pushes: Vec<String> = (1..=length).map(|value| format!("push({value})")).collect();
        let mut stack = row(ground, "UniqueStack", &format!("stack of {length} numbers: push"), length, &pushes, work)?;
        if length == LITERATURE_STACK.0 {
            stack.literature_states = Some(LITERATURE_STACK.1);
            stack.literature_seconds = Some(LITERATURE_STACK.2);
        }
        rows.push(stack);
    }
    for keys in 2..=ground.options.keys {
        let calls: Vec<String> = (1..=keys).flat_map(|key| [format!("put({key})"), format!("remove({key})")]).collect();
        let mut map = row(ground, "KeyTree", &format!("tree of {keys} keys: put, remove"), keys, &calls, work)?;
        if let Some((_, states, seconds)) = LITERATURE_MAP.iter().find(|known| known.0 == keys) {
            map.literature_states = Some(*states);
            map.literature_seconds = Some(*seconds);
        }
        rows.push(map);
    }
    let mut results = ground.lab.results("exploration");
    results.conditions(ground.lab.jdk());
    let heads = ["what", "calls", "states", "literature", "sequences tried", "search s", "literature s"];
    let cells = rows.iter().map(|row| {
        vec![
            row.what.clone(),
            row.calls.to_string(),
            row.states.map_or(String::new(), |states| states.to_string()),
            row.literature_states.map_or(String::new(), |states| states.to_string()),
            row.tried.to_string(),
            format!("{:.3}", row.search_seconds),
            row.literature_seconds.map_or(String::new(), seconds),
        ]
    });
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

/// Explores from a suite that has each of these calls once, on a new object.
fn row(ground: &Ground, class: &str, what: &str, length: u32, calls: &[String], work: &Path) -> Result<Row, Problem> {
    eprintln!("{what}");
    let own = work.join(what.replace([' ', ':', ','], "-"));
    let mut text = "package subjects;\n\nimport org.junit.jupiter.api.Test;\n\nclass SeedTest {\n".to_string();
    for (number, call) in calls.iter().enumerate() {
        text.push_str(&format!("    @Test\n    void test{number}() {{\n        new {class}().{call};\n    }}\n"));
    }
    files::write(&own.join("sources/subjects/SeedTest.java"), &format!("{text}}}\n"))?;
    files::write(&own.join("sources/subjects/KeyTree.java"), KEY_TREE)?;
    let tests = own.join("tests");
    ground.compile(&[&own.join("sources")], &tests)?;
    let own_classes = tests.display().to_string();
    let more = ["--max-states", "1000000", "--budget", &ground.options.budget, "--classpath", &own_classes];
    // The first call is the tests' own.
    let (report, _) = ground.explore(
        &format!("subjects.{class}"),
        &tests,
        "whole-state",
        length - 1,
        &more,
        &own.join("generated/out"),
    )?;
    Ok(Row {
        what: what.to_string(),
        calls: length,
        states: report["explored"]["states"].as_u64(),
        literature_states: None,
        tried: report["executions"].as_u64().unwrap_or(0),
        search_seconds: report["seconds"]["search"].as_f64().unwrap_or(0.0),
        literature_seconds: None,
    })
}
