//! Coverage as JaCoCo sees it: the agent's options and the CSV report. Owns no judgement.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jars::Jars;
use crate::jdk::Jdk;
use crate::{Problem, command, files};

const LIMIT: Duration = Duration::from_secs(300);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratio {
    pub covered: usize,
    pub total: usize,
}

impl Ratio {
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }

    pub fn add(&mut self, other: Ratio) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    pub branches: Ratio,
    pub lines: Ratio,
}

/// Coverage of one class file.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// `java.util.TreeMap.Entry`: JaCoCo writes nested classes with a dot.
    pub class: String,
    pub coverage: Coverage,
}

/// The JVM options that record coverage of application classes (`a.B:a.C$*`) into a file.
pub fn agent(jars: &Jars, record: &Path, includes: &str) -> Result<Vec<String>, Problem> {
    let agent = jars.jacoco_agent()?;
    let option = format!("-javaagent:{}=destfile={},includes={includes}", agent.display(), record.display());
    Ok(vec![option])
}

/// The same for classes of `java.base`, given as a folder of class files. Most are loaded before an agent starts, so
/// they are instrumented beforehand and put in the place of the originals.
pub fn patch(jars: &Jars, jdk: &Jdk, record: &Path, classes: &Path) -> Result<Vec<String>, Problem> {
    let patched = record.with_extension("patched");
    let mut java = jdk.java();
    java.arg("-jar").arg(jars.jacoco_reporter()?).arg("instrument").arg(classes);
    java.arg("--quiet").arg("--dest").arg(&patched);
    command::must("JaCoCo's instrumentation", &mut java, &record.with_extension("instrument"), LIMIT)?;
    Ok(vec![
        format!("--patch-module=java.base={}", patched.display()),
        "--add-reads=java.base=ALL-UNNAMED".to_string(),
        format!("-Xbootclasspath/a:{}", jars.jacoco_agent()?.display()),
        format!("-Djacoco-agent.destfile={}", record.display()),
    ])
}

/// What a record says about class files, one row for each.
pub fn rows(jars: &Jars, jdk: &Jdk, record: &Path, class_files: &[PathBuf]) -> Result<Vec<Row>, Problem> {
    let csv = record.with_extension("csv");
    let mut java = jdk.java();
    java.arg("-jar").arg(jars.jacoco_reporter()?).arg("report").arg(record).arg("--quiet");
    for file in class_files {
        java.arg("--classfiles").arg(file);
    }
    java.arg("--csv").arg(&csv);
    command::must("the JaCoCo report", &mut java, &record.with_extension("report"), LIMIT)?;
    Ok(parse(&files::read(&csv)?))
}

pub fn sum(rows: &[Row]) -> Coverage {
    let mut sum = Coverage::default();
    for row in rows {
        sum.branches.add(row.coverage.branches);
        sum.lines.add(row.coverage.lines);
    }
    sum
}

fn parse(csv: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |index: usize| fields.get(index).and_then(|field| field.parse::<usize>().ok()).unwrap_or(0);
        let ratio = |missed: usize| Ratio { covered: number(missed + 1), total: number(missed) + number(missed + 1) };
        if let [_, package, class, ..] = fields[..] {
            rows.push(Row {
                class: format!("{package}.{class}"),
                coverage: Coverage { branches: ratio(5), lines: ratio(7) },
            });
        }
    }
    rows
}

#[test]
fn rows_are_read_from_csv() {
    let csv = "GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED,INSTRUCTION_COVERED,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,\
        LINE_COVERED,COMPLEXITY_MISSED,COMPLEXITY_COVERED,METHOD_MISSED,METHOD_COVERED\n\
        JaCoCo Coverage Report,subjects,TreeMap.Node,10,20,3,9,2,5,1,1,0,4\n";
    let coverage = Coverage { branches: Ratio { covered: 9, total: 12 }, lines: Ratio { covered: 5, total: 7 } };
    assert_eq!(parse(csv), [Row { class: "subjects.TreeMap.Node".to_string(), coverage }]);
}
