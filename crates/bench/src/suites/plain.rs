//! A compiled suite of any origin run by real JUnit in one JVM: which tests ran, which failed and how, and how long it took. Owns what counts as the same exception.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jacoco::{self, Coverage};
use crate::{Lab, Problem, command, files};

/// A suite and what it needs to run.
pub struct Plain<'a> {
    pub tests: &'a Path,
    /// Classes under test first.
    pub class_path: &'a [PathBuf],
    /// Where the tests run.
    pub folder: &'a Path,
    pub limit: Duration,
}

/// One run.
pub struct Ran {
    pub wall: Duration,
    pub cpu: Duration,
    tests: BTreeMap<String, Verdict>,
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Skipped,
    /// Class of the exception and the method that threw it.
    Failed(String),
}

impl Ran {
    pub fn tests(&self) -> usize {
        self.tests.values().filter(|verdict| **verdict != Verdict::Skipped).count()
    }

    pub fn failing(&self) -> BTreeSet<&str> {
        let failing = self.tests.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Failed(_)));
        failing.map(|(test, _)| test.as_str()).collect()
    }

    /// The different exceptions that left tests.
    pub fn exceptions(&self) -> BTreeSet<&str> {
        let exceptions = self.tests.values().filter_map(|verdict| match verdict {
            Verdict::Failed(exception) => Some(exception.as_str()),
            Verdict::Passed | Verdict::Skipped => None,
        });
        exceptions.collect()
    }
}

impl Plain<'_> {
    /// Runs the suite without anything that watches it.
    pub fn run(&self, lab: &Lab, work: &Path) -> Result<Ran, Problem> {
        self.run_with(lab, &[], work)
    }

    /// Runs it with JaCoCo and reads the coverage of class files: all of a folder, or those chosen.
    pub fn covered(
        &self,
        lab: &Lab,
        class_files: &[PathBuf],
        includes: &str,
        work: &Path,
    ) -> Result<(Ran, Coverage), Problem> {
        files::renew(work)?;
        let record = work.join("jacoco.exec");
        let agent = jacoco::agent(&lab.jars, &record, includes)?;
        let ran = self.run_with(lab, &agent, &work.join("run"))?;
        if !record.exists() {
            files::write(&record, "")?;
        }
        Ok((ran, jacoco::sum(&jacoco::rows(&lab.jars, lab.jdk(), &record, class_files)?)))
    }

    fn run_with(&self, lab: &Lab, jvm_options: &[String], work: &Path) -> Result<Ran, Problem> {
        files::renew(work)?;
        let mut path = vec![self.tests.to_path_buf()];
        path.extend_from_slice(self.class_path);
        path.push(lab.jars.junit()?);
        let mut java = lab.jdk().java();
        java.current_dir(self.folder).arg("-ea").args(jvm_options).arg("-cp").arg(files::join(&path));
        java.args(["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--details=none"]);
        java.arg("--include-classname=.*").arg(format!("--scan-class-path={}", self.tests.display()));
        java.arg(format!("--reports-dir={}", work.display()));
        let finished = command::run(&mut java, &work.join("said"), self.limit)?;
        // 1 means that tests failed, 2 that there are none.
        if !matches!(finished.code, Some(0..=2)) {
            return Err(Problem::Failed { what: format!("running {}", self.tests.display()), detail: finished.tail() });
        }
        let mut tests = BTreeMap::new();
        for report in files::below(work, ".xml")? {
            verdicts(&files::read(&report)?, &mut tests);
        }
        Ok(Ran { wall: finished.wall, cpu: finished.cpu, tests })
    }
}

const CDATA: &str = "<![CDATA[";

/// Reads a report of the console launcher.
fn verdicts(xml: &str, tests: &mut BTreeMap<String, Verdict>) {
    let mut rest = xml;
    while let Some(start) = rest.find("<testcase ") {
        rest = &rest[start..];
        let end = end_of_case(rest);
        let case = &rest[..end];
        rest = &rest[end..];
        let head = case.split('>').next().unwrap_or(case);
        let name = format!("{}.{}", attribute(head, "classname"), attribute(head, "name"));
        let outside = without_cdata(case);
        let failure = ["<failure", "<error"].iter().find_map(|tag| outside.find(tag).map(|at| &outside[at..]));
        let verdict = match failure {
            Some(failure) => Verdict::Failed(exception(failure, case)),
            None if outside.contains("<skipped") => Verdict::Skipped,
            None => Verdict::Passed,
        };
        tests.insert(name, verdict);
    }
}

/// Where a test case ends; what a test printed may look like anything.
fn end_of_case(case: &str) -> usize {
    let mut at = 0;
    loop {
        let end = case[at..].find("</testcase>");
        let text = case[at..].find(CDATA);
        match (end, text) {
            (Some(end), Some(text)) if text < end => {
                let Some(close) = case[at + text..].find("]]>") else {
                    return case.len();
                };
                at += text + close;
            }
            (Some(end), _) => return at + end,
            (None, _) => return case.len(),
        }
    }
}

fn without_cdata(xml: &str) -> String {
    let mut parts = xml.split(CDATA);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push_str(part.split_once("]]>").map_or("", |(_, rest)| rest));
    }
    text
}

fn attribute<'x>(tag: &'x str, key: &str) -> &'x str {
    let value = tag.split_once(&format!(" {key}=\"")).map(|(_, rest)| rest.split('"').next().unwrap_or(rest));
    value.unwrap_or("?")
}

fn exception(failure: &str, case: &str) -> String {
    let tag = failure.split('>').next().unwrap_or(failure);
    let frame = case.lines().find_map(|line| line.trim_start().strip_prefix("at "));
    // Without module and line.
    let frame = frame.and_then(|frame| frame.split('(').next()).unwrap_or("?");
    let frame = frame.rsplit('/').next().unwrap_or(frame);
    format!("{} in {frame}", attribute(tag, "type"))
}

#[test]
fn verdicts_are_read_whatever_tests_print() {
    let xml = "<testsuite>\n<testcase name=\"a()\" classname=\"p.T\" time=\"0\">\n\
        <system-out><![CDATA[</testcase><failure type=\"no\">]]></system-out>\n</testcase>\n\
        <testcase name=\"b()\" classname=\"p.T\" time=\"0\">\n<skipped/>\n</testcase>\n\
        <testcase name=\"c()\" classname=\"p.T\" time=\"0\">\n\
        <failure message=\"x\" type=\"java.lang.IllegalStateException\"><![CDATA[java.lang.IllegalStateException: x\n\
        \tat java.base/p.Stack.pop(Stack.java:7)\n\tat p.T.c(T.java:3)\n]]></failure>\n</testcase>\n</testsuite>";
    let mut tests = BTreeMap::new();
    verdicts(xml, &mut tests);
    let ran = Ran { wall: Duration::ZERO, cpu: Duration::ZERO, tests };
    assert_eq!(ran.tests(), 2);
    assert_eq!(ran.failing(), BTreeSet::from(["p.T.c()"]));
    assert_eq!(ran.exceptions(), BTreeSet::from(["java.lang.IllegalStateException in p.Stack.pop"]));
}
