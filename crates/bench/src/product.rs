//! The product as a black box: its command line and the parts of `report.json` that measurements use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jdk::Jdk;
use crate::{Problem, command, files};

pub struct Product {
    binary: PathBuf,
}

#[derive(Deserialize)]
pub struct Report {
    pub classes: Vec<ClassReport>,
}

#[derive(Deserialize)]
pub struct ClassReport {
    pub class: String,
    pub status: String,
    pub notes: Vec<String>,
    pub goals: BTreeMap<String, GoalCount>,
    pub tests: usize,
    pub statements: usize,
    pub findings: Vec<Finding>,
    pub dropped: Vec<Dropped>,
    pub methods: Vec<Method>,
    pub executions: u64,
    pub calls: u64,
    pub deaths: BTreeMap<String, u64>,
    pub convergence: Option<Convergence>,
    pub evolved: Option<Evolved>,
    pub seconds: Seconds,
}

/// How a search went, as columns.
#[derive(Clone, Deserialize, Serialize)]
pub struct Convergence {
    pub executions: Vec<u64>,
    pub goals: Vec<u64>,
    pub branches: Vec<u64>,
    pub seconds: Vec<f64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub struct Evolved {
    pub generations: u64,
    pub evaluations: u64,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub struct GoalCount {
    pub total: usize,
    pub covered: usize,
}

#[derive(Deserialize)]
pub struct Finding {
    pub contract: String,
    /// The call after which it showed: `a.B.push(int)`.
    pub method: String,
    /// `error` or `warning`.
    pub severity: String,
}

#[derive(Deserialize)]
pub struct Dropped {
    pub reason: String,
}

#[derive(Deserialize)]
pub struct Method {
    pub why_not: Option<String>,
}

#[derive(Deserialize)]
pub struct Seconds {
    pub prepare: f64,
    pub search: f64,
    /// Everything, with what comes after the search.
    pub total: f64,
}

impl ClassReport {
    pub fn goal(&self, kind: &str) -> GoalCount {
        self.goals.get(kind).copied().unwrap_or_default()
    }
}

/// One run of `testudo generate`.
pub struct Generate<'a> {
    pub targets: Vec<String>,
    pub class_path: Vec<PathBuf>,
    pub jdk: &'a Jdk,
    pub seed: u64,
    /// Further arguments, such as `--budget 10s`.
    pub more: Vec<String>,
    pub out: PathBuf,
    pub limit: Duration,
}

impl Product {
    pub fn new(binary: PathBuf) -> Product {
        Product { binary }
    }

    /// As it names itself.
    pub fn version(&self) -> String {
        let said = self.command().arg("--version").output();
        said.map_or(String::new(), |said| String::from_utf8_lossy(&said.stdout).trim().to_string())
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The binary, for commands other than `generate`.
    pub fn command(&self) -> Command {
        Command::new(&self.binary)
    }

    pub fn generate(&self, run: &Generate) -> Result<command::Finished, Problem> {
        self.generate_watched(run, |_, _| {})
    }

    pub fn generate_watched(
        &self,
        run: &Generate,
        watch: impl FnMut(u32, Duration),
    ) -> Result<command::Finished, Problem> {
        let mut testudo = Command::new(&self.binary);
        testudo.arg("generate").args(&run.targets);
        if !run.class_path.is_empty() {
            testudo.arg("--classpath").arg(files::join(&run.class_path));
        }
        testudo.arg("--jdk").arg(&run.jdk.home).arg("--seed").arg(run.seed.to_string());
        testudo.arg("--out").arg(&run.out).args(&run.more);
        command::run_watched(&mut testudo, &run.out.with_extension("said"), run.limit, watch)
    }
}

pub fn report(out: &Path) -> Result<Report, Problem> {
    let path = out.join("report.json");
    let text = files::read(&path)?;
    serde_json::from_str(&text).map_err(|cause| Problem::Report { path, cause })
}
