//! `bench determinism`: the same seed and number of executions give the same files, run after run. Owns the comparison.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use crate::jdk::Jdk;
use crate::libraries::LIBRARIES;
use crate::product::Generate;
use crate::subject::SUBJECTS;
use crate::{Lab, Problem, files, fixtures};

/// A class of each library, in the order of the libraries.
const OF_LIBRARIES: [&str; 3] =
    ["org.apache.commons.lang3.StringUtils", "org.apache.commons.collections4.map.LRUMap", "org.joda.time.Duration"];

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 20_000)]
    max_executions: u64,
    #[arg(long, default_value_t = 3)]
    runs: usize,
}

#[derive(Serialize)]
struct Row {
    class: String,
    jdk: String,
    files: usize,
    equal: bool,
    /// The first file that differs, or what went wrong.
    difference: String,
}

/// Everything a run wrote except its log, with the clock taken out.
type Output = BTreeMap<String, String>;

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let classes = fixtures::subjects(lab)?;
    let work = lab.work.join("determinism");
    files::renew(&work)?;
    let subjects = SUBJECTS.iter().filter(|subject| lab.wants(subject.class));
    let mut targets: Vec<(&str, PathBuf)> = subjects.map(|subject| (subject.class, classes.clone())).collect();
    for (class, library) in OF_LIBRARIES.iter().zip(&LIBRARIES).filter(|(class, _)| lab.wants(class)) {
        targets.push((class, lab.jars.fetch(library)?));
    }
    let mut rows = Vec::new();
    for jdk in &lab.jdks {
        for (class, class_path) in &targets {
            eprintln!("{class} on {}", jdk.version);
            let mut outputs = Vec::new();
            for run in 0..options.runs {
                // The same folder name each time, since reports may mention it.
                let out = work.join(format!("{class}-{}-{run}/out", jdk.feature()));
                outputs.push(generate(lab, options, class, class_path, jdk, &out));
            }
            rows.push(compare(class, jdk, outputs));
        }
    }
    let mut results = lab.results("determinism");
    results.conditions(lab.jdk());
    let cells = rows.iter().map(|row| {
        let verdict = if row.equal { "equal" } else { "DIFFERENT" };
        vec![row.class.clone(), row.jdk.clone(), row.files.to_string(), verdict.to_string(), row.difference.clone()]
    });
    results.table(&["class", "JDK", "files", "runs are", "first difference"], &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

fn generate(
    lab: &Lab,
    options: &Options,
    class: &str,
    class_path: &Path,
    jdk: &Jdk,
    out: &Path,
) -> Result<Output, Problem> {
    let generate = Generate {
        targets: vec![class.to_string()],
        class_path: vec![class_path.to_path_buf()],
        jdk,
        seed: lab.seed,
        more: vec!["--max-executions".to_string(), options.max_executions.to_string()],
        out: out.to_path_buf(),
        limit: Duration::from_secs(900),
    };
    let finished = lab.product.generate(&generate)?;
    if !out.join("report.json").exists() {
        return Err(Problem::Failed { what: class.to_string(), detail: finished.tail() });
    }
    let mut output = Output::new();
    for path in files::below(out, "")? {
        let name = path.strip_prefix(out).unwrap_or(&path).display().to_string();
        if name == "report.json" {
            let text = files::read(&path)?;
            let mut report = serde_json::from_str(&text).map_err(|cause| Problem::Report { path, cause })?;
            without_clock(&mut report);
            output.insert(name, report.to_string());
        } else if !name.ends_with(".log") {
            output.insert(name, String::from_utf8_lossy(&files::bytes(&path)?).into_owned());
        }
    }
    Ok(output)
}

/// Removes every `seconds`, the one key under which a report speaks of time.
fn without_clock(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(without_clock);
        }
        Value::Array(items) => items.iter_mut().for_each(without_clock),
        _ => {}
    }
}

fn compare(class: &str, jdk: &Jdk, outputs: Vec<Result<Output, Problem>>) -> Row {
    let mut row =
        Row { class: class.to_string(), jdk: jdk.version.clone(), files: 0, equal: true, difference: String::new() };
    let mut first: Option<Output> = None;
    for output in outputs {
        let difference = match (output, &first) {
            (Err(problem), _) => problem.to_string().lines().next().map(String::from),
            (Ok(output), None) => {
                row.files = output.len();
                first = Some(output);
                None
            }
            (Ok(output), Some(first)) => difference(first, &output),
        };
        if let Some(difference) = difference {
            row.equal = false;
            row.difference = difference;
        }
    }
    row
}

fn difference(one: &Output, other: &Output) -> Option<String> {
    let names = one.keys().chain(other.keys());
    names.filter(|name| one.get(*name) != other.get(*name)).min().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_taken_out_everywhere() {
        let mut value = serde_json::json!({"seconds": {"total": 1}, "classes": [{"a": 1, "seconds": 2}]});
        without_clock(&mut value);
        assert_eq!(value, serde_json::json!({"classes": [{"a": 1}]}));
    }

    #[test]
    fn a_missing_file_is_a_difference() {
        let one = Output::from([("a".to_string(), "x".to_string()), ("b".to_string(), "y".to_string())]);
        let other = Output::from([("a".to_string(), "x".to_string())]);
        assert_eq!(difference(&one, &other), Some("b".to_string()));
        assert_eq!(difference(&one, &one), None);
    }
}
