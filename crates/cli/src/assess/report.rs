//! `assess.json` as types, documented in `docs/book/assess.md`, and the same for the terminal. Owns shape and words; computes nothing.

use serde::Serialize;
use testcase::observed::TestMethod;

use crate::minimize::report::list;
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
    pub technique: String,
    pub arguments: String,
    /// Binary names, nested classes included.
    pub targets: Vec<String>,
    pub a: Counts,
    /// If there is a B.
    pub second: Option<Second>,
    pub notes: Vec<String>,
    pub seconds: Seconds,
}

#[derive(Clone, Debug, Serialize)]
pub struct Second {
    pub b: Counts,
    /// Of both suites together.
    pub both: Counts,
    /// Tests of B that add something to A and to the tests of B before them, in the order in which they ran.
    pub additions: Vec<AdditionReport>,
    /// Tests of B that add nothing.
    pub superfluous: Vec<TestName>,
    /// Those of them that were selected nevertheless, and why.
    pub put_back: Vec<PutBackReport>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestName {
    /// Binary name of the class that declares it.
    pub class: String,
    pub method: String,
    pub descriptor: String,
}

impl TestName {
    pub fn of(test: &TestMethod) -> TestName {
        TestName { class: test.class.binary(), method: test.name.to_string(), descriptor: test.descriptor.to_string() }
    }

    fn short(&self) -> String {
        format!("{}.{}", self.class, self.method)
    }
}

/// What a test adds.
#[derive(Clone, Debug, Serialize)]
pub struct AdditionReport {
    pub test: TestName,
    pub method_executions: usize,
    pub object_states: usize,
    pub branches: usize,
    pub exceptions: usize,
}

impl AdditionReport {
    fn words(&self) -> String {
        let parts = [
            (self.method_executions, "method execution", "method executions"),
            (self.object_states, "state", "states"),
            (self.branches, "branch", "branches"),
            (self.exceptions, "exception", "exceptions"),
        ];
        let some = parts.iter().filter(|(n, ..)| *n > 0);
        some.map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many })).collect::<Vec<_>>().join(", ")
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PutBackReport {
    pub test: TestName,
    pub reason: String,
}

impl Report {
    pub fn to_json(&self) -> String {
        // These types hold no map with other than string keys, and every number is finite: this cannot fail.
        let mut text = serde_json::to_string_pretty(self).expect("report types serialise");
        text.push('\n');
        crate::screen::json(&text)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut columns = Columns::new(&Counts::HEADINGS);
        columns.row("A", self.a.cells());
        if let Some(second) = &self.second {
            columns.row("B", second.b.cells());
            columns.row("A and B", second.both.cells());
        }
        let mut text = columns.text();
        if let Some(second) = &self.second {
            let how = if self.technique == self.arguments {
                self.technique.clone()
            } else {
                format!("{}, arguments by {}", self.technique, self.arguments)
            };
            let tests = counted(second.b.tests, "test");
            text.push_str(&format!("\n{} of {tests} of B add something to A, by {how}\n", second.additions.len()));
            let additions: Vec<String> =
                second.additions.iter().map(|a| format!("{}: {}", a.test.short(), a.words())).collect();
            list(&mut text, &additions);
            if !second.put_back.is_empty() {
                text.push_str("\nselected nevertheless\n");
                let kept: Vec<String> =
                    second.put_back.iter().map(|p| format!("{}: {}", p.test.short(), p.reason)).collect();
                list(&mut text, &kept);
            }
        }
        if !self.notes.is_empty() {
            text.push_str("\nnotes\n");
            list(&mut text, &self.notes);
        }
        text
    }
}
