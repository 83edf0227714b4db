//! Suites compiled by javac against real JUnit and run by its console launcher in shuffled orders, each run in a fresh
//! JVM. Owns what counts as passing, failing and flaky.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jars::Jars;
use crate::jdk::Jdk;
use crate::{Problem, files};

pub struct JUnit<'a> {
    pub jdk: &'a Jdk,
    pub jars: &'a Jars,
    /// For one run of a suite.
    pub limit: Duration,
}

/// Passed or not, by test.
type Verdicts = BTreeMap<String, bool>;

/// What many runs of a suite showed.
#[derive(Default)]
pub struct Runs {
    runs: usize,
    /// Runs that did not end by themselves.
    pub broken: usize,
    /// How often each test ran, and how often it failed.
    tests: BTreeMap<String, (usize, usize)>,
}

impl Runs {
    fn add(&mut self, verdicts: Option<Verdicts>) {
        self.runs += 1;
        let Some(verdicts) = verdicts else {
            self.broken += 1;
            return;
        };
        for (test, passed) in verdicts {
            let counts = self.tests.entry(test).or_default();
            counts.0 += 1;
            counts.1 += usize::from(!passed);
        }
    }

    pub fn tests(&self) -> usize {
        self.tests.len()
    }

    /// Tests that failed in every run.
    pub fn failing(&self) -> Vec<&str> {
        self.select(|ran, failed| failed > 0 && failed == ran)
    }

    /// Tests that failed in some runs only.
    pub fn flaky(&self) -> Vec<&str> {
        self.select(|ran, failed| failed > 0 && failed < ran)
    }

    /// The same for tests whose class name begins as given.
    pub fn of_class(&self, prefix: &str) -> Runs {
        let tests = self.tests.iter().filter(|(test, _)| test.starts_with(prefix));
        let tests = tests.map(|(test, counts)| (test.clone(), *counts)).collect();
        Runs { runs: self.runs, broken: self.broken, tests }
    }

    fn select(&self, wanted: impl Fn(usize, usize) -> bool) -> Vec<&str> {
        let tests = self.tests.iter().filter(|(_, counts)| wanted(counts.0, counts.1));
        tests.map(|(test, _)| test.as_str()).collect()
    }
}

/// A suite whose runs share one JVM.
pub struct Together<'a> {
    /// Compiled classes of `bench/Shuffled.java`.
    pub shuffler: &'a Path,
    pub suites: &'a [PathBuf],
    pub class_path: &'a [PathBuf],
}

impl JUnit<'_> {
    /// Compiles a suite; the error text of javac if it does not compile.
    pub fn compile(&self, sources: &[PathBuf], class_path: &[PathBuf], out: &Path) -> Result<Option<String>, Problem> {
        let mut path = class_path.to_vec();
        path.push(self.jars.junit()?);
        let finished = self.jdk.compile(sources, &path, None, out)?;
        Ok((!finished.succeeded()).then(|| finished.tail()))
    }

    /// Runs compiled suites together, `count` times with different seeds.
    pub fn shuffled(
        &self,
        suites: &[PathBuf],
        class_path: &[PathBuf],
        count: usize,
        work: &Path,
    ) -> Result<Runs, Problem> {
        let mut runs = Runs::default();
        for run in 0..count {
            // Java's generator shuffles alike for neighbouring seeds, so they have to lie far apart.
            let seed = (run as i64 + 1).wrapping_mul(0x5851_f42d_4c95_7f2d);
            let folder = work.join(format!("run-{run}"));
            runs.add(self.once(suites, class_path, &[], seed, &folder)?);
        }
        Ok(runs)
    }

    /// The same in one JVM, which is much quicker: each run has class loaders of its own, so that no run sees the static state that another one left in the classes under test.
    pub fn shuffled_together(&self, suite: &Together, count: usize, work: &Path) -> Result<Runs, Problem> {
        files::renew(work)?;
        let answers = work.join("answers");
        let mut java = self.jdk.java();
        java.current_dir(work).args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"]);
        java.arg(files::join(&[suite.shuffler.to_path_buf(), self.jars.junit()?])).arg("Shuffled");
        java.arg(&answers).arg(count.to_string());
        java.arg(files::join(suite.suites)).arg(files::join(suite.class_path));
        let finished = crate::command::run(&mut java, &work.join("said"), self.limit)?;
        let text = if answers.exists() { files::read(&answers)? } else { String::new() };
        let runs = answered(&text, count);
        if runs.broken > 0 {
            eprintln!("junit runs in {}: {}", work.display(), finished.tail());
        }
        Ok(runs)
    }

    /// One run; `None` if the JVM did not end by itself within the limit.
    pub fn once(
        &self,
        suites: &[PathBuf],
        class_path: &[PathBuf],
        jvm_options: &[String],
        seed: i64,
        work: &Path,
    ) -> Result<Option<Verdicts>, Problem> {
        files::renew(work)?;
        let mut path = vec![self.jars.junit()?];
        path.extend_from_slice(suites);
        path.extend_from_slice(class_path);
        let mut java = self.jdk.java();
        java.current_dir(work).arg("-ea").args(jvm_options).arg("-cp").arg(files::join(&path));
        java.args(["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--details=none"]);
        java.arg("--include-classname=.*");
        java.arg(format!("--scan-class-path={}", files::join(suites)));
        java.arg(format!("--reports-dir={}", work.display()));
        let order = "junit.jupiter.test%.order.default=org.junit.jupiter.api.@Orderer$Random";
        java.arg(format!("--config={}", order.replace('%', "method").replace('@', "Method")));
        java.arg(format!("--config={}", order.replace('%', "class").replace('@', "Class")));
        java.arg(format!("--config=junit.jupiter.execution.order.random.seed={seed}"));
        let finished = crate::command::run(&mut java, &work.join("said"), self.limit)?;
        // The launcher exits with 1 when tests failed and 2 when it found none or could not run; a JVM that cannot
        // start exits with 1, too, and leaves no report.
        let mut reports = ["jupiter", "vintage"].map(|engine| work.join(format!("TEST-junit-{engine}.xml"))).to_vec();
        reports.retain(|report| report.exists());
        if !matches!(finished.code, Some(0 | 1)) || reports.is_empty() {
            eprintln!("junit run in {}: {}", work.display(), finished.tail());
            return Ok(None);
        }
        let mut all = Verdicts::new();
        for report in reports {
            all.extend(verdicts(&files::read(&report)?));
        }
        Ok(Some(all))
    }
}

/// Reads what `bench/Shuffled.java` wrote: a line for each test, `end` behind each run.
fn answered(text: &str, count: usize) -> Runs {
    let mut runs = Runs::default();
    let mut verdicts = Verdicts::new();
    for line in text.lines() {
        match line.split_once('\t') {
            Some((verdict, test)) => {
                verdicts.insert(test.to_string(), verdict == "passed");
            }
            None => runs.add(Some(std::mem::take(&mut verdicts))),
        }
    }
    while runs.runs < count {
        runs.add(None);
    }
    runs
}

/// Reads the launcher's XML report.
fn verdicts(xml: &str) -> Verdicts {
    let xml = without_cdata(xml);
    let mut verdicts = Verdicts::new();
    for case in xml.split("<testcase ").skip(1) {
        let case = case.split("</testcase>").next().unwrap_or(case);
        let name = |key: &str| {
            let (_, rest) = case.split_once(&format!("{key}=\""))?;
            rest.split('"').next()
        };
        let test = format!("{}.{}", name("classname").unwrap_or("?"), name(" name").or(name("name")).unwrap_or("?"));
        verdicts.insert(test, !case.contains("<failure") && !case.contains("<error"));
    }
    verdicts
}

fn without_cdata(xml: &str) -> String {
    let mut parts = xml.split("<![CDATA[");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push_str(part.split_once("]]>").map_or("", |(_, rest)| rest));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<testsuite name="JUnit Jupiter" tests="2">
<testcase name="pops()" classname="a.StackTest" time="0.01">
<system-out><![CDATA[ unique-id: <failure> ]]></system-out>
</testcase>
<testcase name="throwsOnEmpty()" classname="a.StackTest" time="0.002">
<failure message="no" type="AssertionFailedError"><![CDATA[ at ...]]></failure>
</testcase>
</testsuite>"#;

    #[test]
    fn verdicts_are_read_from_the_report() {
        let expected = [("a.StackTest.pops()".to_string(), true), ("a.StackTest.throwsOnEmpty()".to_string(), false)];
        assert_eq!(verdicts(REPORT), Verdicts::from(expected));
    }

    #[test]
    fn runs_in_one_jvm_are_told_apart() {
        let runs = answered("passed\ta\npassed\tb\nend\nfailed\ta\npassed\tb\nend\npassed\ta\n", 3);
        assert_eq!((runs.tests(), runs.flaky(), runs.broken), (2, vec!["a"], 1));
    }

    #[test]
    fn failing_and_flaky_are_told_apart() {
        let mut runs = Runs::default();
        let run = |a: bool, b: bool| Some(Verdicts::from([("x.A.t()".to_string(), a), ("x.B.t()".to_string(), b)]));
        runs.add(run(true, false));
        runs.add(run(false, false));
        runs.add(None);
        assert_eq!(runs.flaky(), ["x.A.t()"]);
        assert_eq!(runs.failing(), ["x.B.t()"]);
        assert_eq!(runs.broken, 1);
        assert_eq!(runs.of_class("x.A.").tests(), 1);
    }
}
