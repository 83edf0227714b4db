//! `bench bugs`: classes with one known bug each and their twins without it: how many bugs are found, and how many alarms are false. Owns what counts
//! as found; which bug shows how is data beside the fixtures.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::product::{self, ClassReport, Finding, Generate};
use crate::results::seconds;
use crate::{Lab, Problem, files, fixtures};

#[derive(Args)]
pub struct Options {
    /// Wall clock per class
    #[arg(long, default_value = "10s")]
    budget: String,
    /// Classes that testudo works on at the same time
    #[arg(long, default_value_t = 2)]
    jobs: u16,
}

/// One entry of `fixtures/bugs/bugs.json`.
#[derive(Deserialize)]
struct Bug {
    class: String,
    /// A finding of any of these shows the bug.
    contracts: Vec<String>,
    /// The method that has to throw, where it is always the same.
    method: Option<String>,
    bug: String,
}

#[derive(Serialize)]
struct Row {
    class: String,
    bug: String,
    /// Contracts by which the bug was found; none if it was not.
    found: Vec<String>,
    /// Further alarms about the class with the bug.
    others: Vec<String>,
    /// Alarms about the class without it: all false.
    false_alarms: Vec<String>,
    seconds: f64,
    executions: u64,
}

pub fn run(lab: &Lab, options: &Options) -> Result<(), Problem> {
    let bugs: Vec<Bug> = listed(&lab.root)?.into_iter().filter(|bug| lab.wants(&bug.class)).collect();
    if bugs.is_empty() {
        return Err(Problem::NothingSelected(lab.only.join(", ")));
    }
    let classes = fixtures::bugs(lab)?;
    let out = lab.work.join("bugs/out");
    files::renew(&lab.work.join("bugs"))?;
    let targets = bugs.iter().flat_map(|bug| [format!("bugs.{}", bug.class), format!("fixed.{}", bug.class)]);
    let jobs = options.jobs.to_string();
    let generate = Generate {
        targets: targets.collect(),
        class_path: vec![classes],
        jdk: lab.jdk(),
        seed: lab.seed,
        more: ["--budget", &options.budget, "--jobs", &jobs, "--contracts", "laws.Laws"].map(String::from).to_vec(),
        out: out.clone(),
        limit: Duration::from_secs(3600),
    };
    let finished = lab.product.generate(&generate)?;
    let report = product::report(&out)
        .map_err(|problem| Problem::Failed { what: problem.to_string(), detail: finished.tail() })?;
    let mut rows = Vec::new();
    for bug in &bugs {
        let report_of = |package: &str| {
            let name = format!("{package}.{}", bug.class);
            let missing = || Problem::Failed { what: name.clone(), detail: "not in the report".to_string() };
            report.classes.iter().find(|report| report.class == name).ok_or_else(missing)
        };
        rows.push(row(bug, report_of("bugs")?, report_of("fixed")?));
    }
    write(lab, &rows)
}

fn listed(root: &Path) -> Result<Vec<Bug>, Problem> {
    let path = root.join("fixtures/bugs/bugs.json");
    serde_json::from_str(&files::read(&path)?).map_err(|cause| Problem::Report { path, cause })
}

fn row(bug: &Bug, seeded: &ClassReport, twin: &ClassReport) -> Row {
    let (found, others) = seeded.findings.iter().partition::<Vec<_>, _>(|finding| bug.shows_in(finding));
    let mut found: Vec<String> = found.into_iter().map(|finding| finding.contract.clone()).collect();
    found.sort();
    found.dedup();
    Row {
        class: bug.class.clone(),
        bug: bug.bug.clone(),
        found,
        others: others.into_iter().map(alarm).collect(),
        false_alarms: twin.findings.iter().map(alarm).collect(),
        seconds: seeded.seconds.total,
        executions: seeded.executions,
    }
}

impl Bug {
    fn shows_in(&self, finding: &Finding) -> bool {
        let thrower = |method: &String| finding.method.contains(&format!(".{method}("));
        self.contracts.contains(&finding.contract) && self.method.as_ref().is_none_or(thrower)
    }
}

/// An alarm in one line, to be judged by a reader.
fn alarm(finding: &Finding) -> String {
    let weight = if finding.severity == "warning" { " (warning)" } else { "" };
    format!("{} at {}{weight}", finding.contract, finding.method)
}

fn write(lab: &Lab, rows: &[Row]) -> Result<(), Problem> {
    let mut results = lab.results("bugs");
    results.conditions(lab.jdk());
    let found = rows.iter().filter(|row| !row.found.is_empty()).count();
    let alarmed = rows.iter().filter(|row| !row.false_alarms.is_empty()).count();
    let alarms: usize = rows.iter().map(|row| row.false_alarms.len()).sum();
    results.paragraph(&format!(
        "{found} of {} bugs found; {alarms} false alarms about {alarmed} of {} classes without a bug.",
        rows.len(),
        rows.len(),
    ));
    let cells = rows.iter().map(|row| {
        vec![
            format!("{}: {}", row.class, row.bug),
            if row.found.is_empty() { "**no**".to_string() } else { row.found.join(", ") },
            row.others.join("; "),
            row.false_alarms.join("; "),
            row.executions.to_string(),
            seconds(row.seconds),
        ]
    });
    let heads = ["bug", "found by", "further alarms", "false alarms about the twin", "executions", "s"];
    results.table(&heads, &cells.collect::<Vec<_>>());
    results.finish(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jdk::Jdk;

    fn repository() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn every_bug_has_a_class_and_a_twin_and_all_compile() {
        let sources = repository().join("fixtures/bugs/src");
        let bugs = listed(&repository()).unwrap();
        for package in ["bugs", "fixed"] {
            let found = files::below(&sources.join(package), ".java").unwrap();
            let files: Vec<String> =
                found.iter().map(|f| f.file_name().unwrap().to_string_lossy().into_owned()).collect();
            let mut named: Vec<String> = bugs.iter().map(|bug| format!("{}.java", bug.class)).collect();
            named.sort();
            assert_eq!(files, named, "{package}");
        }
        let folder = std::env::temp_dir().join(format!("bench-bugs-{}", std::process::id()));
        let out = folder.join("classes");
        let compiled = Jdk::on_path().unwrap().compile(&files::below(&sources, ".java").unwrap(), &[], Some(8), &out);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(compiled.as_ref().unwrap().succeeded(), "{}", compiled.unwrap().tail());
    }

    #[test]
    fn a_bug_is_found_by_its_contract_at_its_method() {
        let bug: Bug = serde_json::from_str(
            r#"{"class": "Q", "contracts": ["exception:java.lang.NullPointerException"], "method": "take", "bug": ""}"#,
        )
        .unwrap();
        let finding = |contract: &str, method: &str| Finding {
            contract: contract.to_string(),
            method: method.to_string(),
            severity: "error".to_string(),
        };
        assert!(bug.shows_in(&finding("exception:java.lang.NullPointerException", "bugs.Q.take()")));
        assert!(!bug.shows_in(&finding("exception:java.lang.NullPointerException", "bugs.Q.intake()")));
        assert!(!bug.shows_in(&finding("to-string-throws", "bugs.Q.take()")));
    }
}
