//! `minimize.json` as types, documented in `docs/book/minimize.md`, and the same for the terminal. Owns shape and words; computes nothing.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::observe::columns::Columns;
use crate::observe::counts::Counts;
use crate::report::summary::counted;
use crate::report::{JdkReport, Seconds};

/// Raised when a field changes meaning or goes away; new fields may come without.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: u32,
    pub version: String,
    pub jdk: JdkReport,
    pub options: Options,
    /// Binary names, nested classes included.
    pub targets: Vec<String>,
    pub before: Counts,
    /// Of the tests that stay. If verified, failing runs, branches and exceptions are those of the minimised suite as it ran.
    pub after: Counts,
    /// The minimised suite was compiled and run, and is as good as the whole one. Needs sources.
    pub verified: bool,
    /// In the order in which they ran.
    pub tests: Vec<TestReport>,
    pub files: Vec<FileReport>,
    pub notes: Vec<String>,
    pub seconds: Seconds,
}

#[derive(Clone, Debug, Serialize)]
pub struct Options {
    pub technique: String,
    pub arguments: String,
    pub ignore_assertions: bool,
    pub dry_run: bool,
    pub in_place: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    Kept,
    /// Superfluous, and gone (or would be).
    Redundant,
    /// Superfluous by its states, but the suite is worse without it.
    PutBack,
}

#[derive(Clone, Debug, Serialize)]
pub struct TestReport {
    /// Binary name of the class that declares it.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    /// How often it ran: parameters, repetitions, subclasses.
    pub runs: usize,
    /// `passed`, `failed`, `skipped`, `timed-out` or `died`: the worst of its runs.
    pub outcome: &'static str,
    pub method_executions: usize,
    pub decision: Decision,
    /// In words: why it stays, or why it was put back.
    pub reason: Option<String>,
    /// If it is redundant: tests that together do all it does, `class.method`.
    pub because: Vec<String>,
}

impl TestReport {
    pub fn name(&self) -> String {
        format!("{}.{}", self.class, self.method)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Below the folder of test sources.
    pub path: String,
    pub change: FileChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileChange {
    /// Some tests are gone.
    Edited,
    /// No test is left and nothing else refers to it.
    Dropped,
}

impl Report {
    pub fn to_json(&self) -> String {
        // These types hold no map with other than string keys, and every number is finite: this cannot fail.
        let mut text = serde_json::to_string_pretty(self).expect("report types serialise");
        text.push('\n');
        crate::screen::json(&text)
    }

    fn of(&self, decision: Decision) -> impl Iterator<Item = &TestReport> {
        self.tests.iter().filter(move |t| t.decision == decision)
    }

    /// The superfluous tests, one in a line as build tools name them.
    pub fn superfluous(&self) -> String {
        self.of(Decision::Redundant).map(|t| format!("{}#{}\n", t.class, t.method)).collect()
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut columns = Columns::new(&Counts::HEADINGS);
        columns.row("before", self.before.cells());
        columns.row("after", self.after.cells());
        let mut text = columns.text();
        let how = match (&self.options.technique, &self.options.arguments) {
            (t, a) if t == a => t.clone(),
            (t, a) => format!("{t}, arguments by {a}"),
        };
        let redundant: Vec<String> =
            self.of(Decision::Redundant).map(|t| format!("{}: {}", t.name(), because(&t.because))).collect();
        let title = format!("{} of {} superfluous by {how}", redundant.len(), counted(self.tests.len(), "test"));
        text.push_str(&format!("\n{title}\n"));
        list(&mut text, &redundant);
        let explained = |t: &TestReport| t.reason.as_ref().map(|reason| format!("{}: {reason}", t.name()));
        let put_back: Vec<String> = self.of(Decision::PutBack).filter_map(explained).collect();
        if !put_back.is_empty() {
            text.push_str("\nput back\n");
            list(&mut text, &put_back);
        }
        let kept = grouped(self.of(Decision::Kept));
        if !kept.is_empty() {
            text.push_str("\nkept for another reason than what they call\n");
            list(&mut text, &kept);
        }
        if !self.notes.is_empty() {
            text.push_str("\nnotes\n");
            list(&mut text, &self.notes);
        }
        text
    }
}

/// More than these nobody reads on a terminal; the file has all.
const LINES: usize = 40;

pub fn list(text: &mut String, lines: &[String]) {
    for line in lines.iter().take(LINES) {
        text.push_str(&format!("  {line}\n"));
    }
    if lines.len() > LINES {
        text.push_str(&format!("  and {} more\n", lines.len() - LINES));
    }
}

/// So many tests with one reason are named one by one.
const FEW: usize = 5;

/// Tests with their reasons; many with the same are counted only.
fn grouped<'a>(tests: impl Iterator<Item = &'a TestReport>) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for test in tests {
        if let Some(reason) = test.reason.as_deref() {
            let place = *places.entry(reason).or_insert_with(|| {
                groups.push((reason, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(test.name());
        }
    }
    let lines = groups.into_iter().flat_map(|(reason, names)| match names.len() {
        n if n > FEW => vec![format!("{n} tests: each {reason}")],
        _ => names.into_iter().map(|name| format!("{name}: {reason}")).collect(),
    });
    lines.collect()
}

/// The first few by name.
pub fn because(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "calls nothing".to_string(),
        n if n > SHOWN => format!("does what {shown} and {} more do", n - SHOWN),
        1 => format!("does what {shown} does"),
        _ => format!("does what {shown} do"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(method: &str, reason: &str) -> TestReport {
        TestReport {
            class: "p.T".to_string(),
            method: method.to_string(),
            descriptor: "()V".to_string(),
            runs: 1,
            outcome: "passed",
            method_executions: 0,
            decision: Decision::Kept,
            reason: Some(reason.to_string()),
            because: Vec::new(),
        }
    }

    #[test]
    fn many_tests_with_one_reason_are_counted() {
        let mut tests: Vec<TestReport> = ["a", "b"].map(|m| kept(m, "was skipped")).to_vec();
        tests.extend((0..6).map(|i| kept(&format!("c{i}"), "uses no class under test")));
        let expected = ["p.T.a: was skipped", "p.T.b: was skipped", "6 tests: each uses no class under test"];
        assert_eq!(grouped(tests.iter()), expected);
    }

    #[test]
    fn tests_that_do_the_same_are_named_up_to_three() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        assert_eq!(because(&names[..1]), "does what a does");
        assert_eq!(because(&names[..3]), "does what a, b, c do");
        assert_eq!(because(&names), "does what a, b, c and 2 more do");
    }
}
