//! `testudo minimize` as a black box: its command line and the parts of `minimize.json` that measurements use.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::{Lab, Problem, command, files};

/// The names of the five techniques, from the strictest to the laxest.
pub const TECHNIQUES: [&str; 5] = ["whole-seq", "modifying-seq", "whole-state", "monitor-equals", "pairwise-equals"];

/// One run of the command.
pub struct Minimize<'a> {
    pub tests: &'a Path,
    pub sources: &'a Path,
    pub class_path: &'a [PathBuf],
    pub target: &'a str,
    pub technique: &'a str,
    /// Further arguments, such as `--dry-run`.
    pub more: &'a [&'a str],
    /// Where the tests run.
    pub folder: &'a Path,
    pub out: &'a Path,
    pub limit: Duration,
}

#[derive(Deserialize)]
pub struct Report {
    pub before: Counts,
    pub verified: bool,
    pub tests: Vec<Test>,
    pub notes: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub struct Counts {
    pub tests: usize,
    pub method_executions: usize,
    pub object_states: usize,
    pub exceptions: Vec<String>,
}

#[derive(Deserialize)]
pub struct Test {
    /// Calls of its runs into the classes under test.
    pub method_executions: usize,
    /// `kept`, `redundant` or `put-back`.
    pub decision: String,
}

pub struct Took {
    pub wall: Duration,
    pub cpu: Duration,
}

impl Report {
    pub fn removed(&self) -> usize {
        self.with("redundant").count()
    }

    pub fn put_back(&self) -> usize {
        self.with("put-back").count()
    }

    /// Method executions of all tests, and of those that are removed.
    pub fn executions(&self) -> (usize, usize) {
        let all = self.tests.iter().map(|test| test.method_executions).sum();
        (all, self.with("redundant").map(|test| test.method_executions).sum())
    }

    fn with<'r>(&'r self, decision: &'r str) -> impl Iterator<Item = &'r Test> {
        self.tests.iter().filter(move |test| test.decision == decision)
    }
}

impl Minimize<'_> {
    /// The report and how long the command took, by the wall and of CPU.
    pub fn run(&self, lab: &Lab) -> Result<(Report, Took), Problem> {
        let json = self.out.with_extension("json");
        if let Some(folder) = json.parent() {
            files::create(folder)?;
        }
        let mut testudo = lab.product.command();
        testudo.arg("minimize").arg("--tests").arg(self.tests).arg("--test-sources").arg(self.sources);
        testudo.arg("--classpath").arg(files::join(self.class_path)).arg("--target").arg(self.target);
        testudo.arg("--technique").arg(self.technique).arg("--jdk").arg(&lab.jdk().home);
        testudo.arg("--out").arg(self.out).arg("--json").arg(&json).args(self.more).current_dir(self.folder);
        let finished = command::run(&mut testudo, &self.out.with_extension("said"), self.limit)?;
        if !finished.succeeded() {
            let what = format!("testudo minimize of {} by {}", self.tests.display(), self.technique);
            return Err(Problem::Failed { what, detail: finished.tail() });
        }
        let report = serde_json::from_str(&files::read(&json)?);
        let took = Took { wall: finished.wall, cpu: finished.cpu };
        Ok((report.map_err(|cause| Problem::Report { path: json, cause })?, took))
    }
}
