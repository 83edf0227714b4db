//! A suite: the tests for one class, as data. Owns counting and where a suite lives; the JUnit writer gives it its Java form.

use bytecode::class_info::NestingKind;
use bytecode::names::ClassName;

use crate::assertion::{Expectation, TestCase};
use crate::classes::Classes;

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
    /// An empty suite for a class: `<Simple>Test` in its package, or below `testudo` for classes of the platform, whose packages are closed.
    pub fn for_target(classes: &dyn Classes, target: &ClassName, junit: JUnitVersion) -> Suite {
        let package = match target.package() {
            p if p.starts_with("java/") || p.starts_with("javax/") || p.starts_with("jdk/") => {
                format!("testudo/{p}")
            }
            p => p.to_owned(),
        };
        let class_name = format!("{}Test", joined_name(classes, target));
        Suite { package, class_name, junit, tests: Vec::new() }
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

/// `Outer$Inner` as `OuterInner`; characters that no Java name has are left out.
fn joined_name(classes: &dyn Classes, target: &ClassName) -> String {
    let nested = |name: &ClassName| {
        let nesting = classes.class(name)?.nesting.clone()?;
        Some((nesting.outer.filter(|_| nesting.kind == NestingKind::Member)?, nesting.simple_name?))
    };
    let mut name = target.clone();
    let mut parts: Vec<String> = Vec::new();
    // Every outer class has a shorter name in a readable file.
    while let Some((outer, simple)) = nested(&name).filter(|(o, _)| o.internal().len() < name.internal().len()) {
        parts.push(simple);
        name = outer;
    }
    parts.push(name.simple_binary().to_owned());
    parts.iter().rev().flat_map(|p| p.chars()).filter(|c| c.is_alphanumeric() || *c == '_').collect()
}
