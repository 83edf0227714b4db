//! A suite: the tests for one class, as data. Owns counting; the JUnit writer gives it its Java form.

use crate::assertion::{Expectation, TestCase};
use crate::suite_name::SuiteName;

/// Which JUnit a suite is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum JUnitVersion {
    Four,
    #[default]
    Five,
}

/// A test and what a reader should be told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTest {
    pub test: TestCase,
    /// Becomes a comment at the top of the method.
    pub comment: Option<String>,
}

/// Tests that belong in one test class. Operation numbers are those of the table the suite was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Internal form, empty for the unnamed package.
    pub package: String,
    /// Simple name of the test class.
    pub class_name: String,
    pub junit: JUnitVersion,
    pub tests: Vec<NamedTest>,
}

impl Suite {
    /// Without tests, for those that pass.
    pub fn new(name: &SuiteName, junit: JUnitVersion) -> Suite {
        Suite { package: name.package.clone(), class_name: name.passing(), junit, tests: Vec::new() }
    }

    /// Statements of all tests.
    pub fn statements(&self) -> usize {
        self.tests.iter().map(|t| t.test.sequence.len()).sum()
    }

    /// Assertions of all tests; an expected exception or a contract counts as one.
    pub fn assertions(&self) -> usize {
        let own = |t: &TestCase| t.assertions.len() + usize::from(t.expectation != Expectation::Passes);
        self.tests.iter().map(|t| own(&t.test)).sum()
    }
}
