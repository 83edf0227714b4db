//! What the generator `exhaustive` adds to a suite: both together measured by JUnit and JaCoCo, and counted by `testudo assess`. Owns these two commands as black boxes.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Ground, LIMIT, Reached, Seed};
use crate::product::Generate;
use crate::suites::minimize::Counts;
use crate::{Problem, command, files};

#[derive(Serialize)]
pub struct Generated {
    pub iterations: u32,
    pub tests: usize,
    /// Non-equivalent ones of the generated tests and those they come from; so are the next three.
    pub different_executions: usize,
    pub states: usize,
    /// Kinds of exceptions that calls throw.
    pub exceptions: usize,
    pub reached: Option<Reached>,
    /// Sequences tried.
    pub tried: u64,
    pub search_seconds: f64,
    pub seconds: f64,
}

/// `assess.json`, as far as it is used.
#[derive(Deserialize)]
struct Assessment {
    a: Counts,
}

impl Ground<'_> {
    /// Generates from a suite and measures what came out together with it.
    pub fn generated(
        &self,
        class: &str,
        seed: &Seed,
        technique: &str,
        iterations: u32,
        work: &Path,
    ) -> Result<Generated, Problem> {
        let out = work.join("out");
        let more = ["--keep-all", "--budget", &self.options.budget];
        let (class_report, wall) = self.explore(class, &seed.tests, technique, iterations, &more, &out)?;
        let mut generated = Generated {
            iterations,
            tests: class_report["tests"].as_u64().unwrap_or(0) as usize,
            different_executions: 0,
            states: 0,
            exceptions: 0,
            reached: None,
            tried: class_report["executions"].as_u64().unwrap_or(0),
            search_seconds: class_report["seconds"]["search"].as_f64().unwrap_or(0.0),
            seconds: wall.as_secs_f64(),
        };
        if generated.tests == 0 {
            return Ok(generated);
        }
        let suite = work.join("suite");
        self.compile(&[&seed.sources, &out.join("tests")], &suite)?;
        generated.reached = Some(self.reached(class, &suite, &work.join("reached"))?);
        let counts = self.assess(class, &suite, technique, work)?;
        generated.different_executions = counts.method_executions;
        generated.states = counts.object_states;
        generated.exceptions = counts.exceptions.len();
        Ok(generated)
    }

    /// One run of the generator from compiled tests: what the report says of the class, and how long it took.
    pub fn explore(
        &self,
        class: &str,
        tests: &Path,
        technique: &str,
        iterations: u32,
        more: &[&str],
        out: &Path,
    ) -> Result<(Value, Duration), Problem> {
        let iterations = iterations.to_string();
        let mut arguments =
            vec!["--technique", "exhaustive", "--iterations", &iterations, "--state-technique", technique];
        arguments.extend_from_slice(more);
        let mut arguments: Vec<String> = arguments.into_iter().map(String::from).collect();
        arguments.extend(["--from-tests".to_string(), tests.display().to_string()]);
        files::renew(out.parent().unwrap_or(out))?;
        let finished = self.lab.product.generate(&Generate {
            targets: vec![class.to_string()],
            class_path: self.class_path.clone(),
            jdk: self.lab.jdk(),
            seed: self.lab.seed,
            more: arguments,
            out: out.to_path_buf(),
            limit: LIMIT,
        })?;
        let path = out.join("report.json");
        let failed = |_| Problem::Failed { what: format!("generating for {class}"), detail: finished.tail() };
        let text = files::read(&path).map_err(failed)?;
        let mut report: Value = serde_json::from_str(&text).map_err(|cause| Problem::Report { path, cause })?;
        Ok((report["classes"][0].take(), finished.wall))
    }

    fn assess(&self, class: &str, suite: &Path, technique: &str, work: &Path) -> Result<Counts, Problem> {
        let json = work.join("assess.json");
        let mut testudo = self.lab.product.command();
        testudo.arg("assess").arg(suite).arg("--classpath").arg(files::join(&self.class_path));
        testudo.args(["--target", class, "--technique", technique]).arg("--jdk").arg(&self.lab.jdk().home);
        testudo.arg("--json").arg(&json).current_dir(&self.lab.work);
        command::must(&format!("testudo assess of {class}"), &mut testudo, &work.join("assess"), LIMIT)?;
        let assessment: Result<Assessment, _> = serde_json::from_str(&files::read(&json)?);
        Ok(assessment.map_err(|cause| Problem::Report { path: json, cause })?.a)
    }
}
