//! The JUnit writer: suites as plain Java source that a careful colleague might have written. The only place with Java syntax.
//! Owns layout and file splitting here, the rest in the modules below; runs nothing and reads nothing but its arguments.

mod arguments;
mod assertions;
mod call;
mod contracts;
mod expression;
mod imports;
mod literal;
mod method;
mod names;
mod plan;
mod variables;

pub use contracts::claims;

use std::collections::BTreeSet;

use crate::operation::Operations;
use crate::subtyping::Subtyping;
use crate::suite::{JUnitVersion, Suite};

use imports::Imports;
use method::{MethodText, write_method};

/// A file of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Relative path: `demo/IntStackTest.java`.
    pub name: String,
    /// Binary name of the test class: `demo.IntStackTest`.
    pub class: String,
    pub text: String,
    pub tests: Vec<WrittenTest>,
}

/// Where a test of the suite went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTest {
    /// Its number in [`Suite::tests`].
    pub test: usize,
    pub method: String,
    /// First and last line of the method, annotation included, counting from 1.
    pub lines: (usize, usize),
}

/// What the writer made of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Written {
    pub files: Vec<SourceFile>,
    /// Tests that cannot be written, by number.
    pub refused: Vec<(usize, Refusal)>,
}

/// Why a test cannot be written in Java.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("a string constant has {bytes} bytes, more than a class file can hold")]
    LongString { bytes: usize },
    #[error("the test method would exceed the 64 KB limit of a method")]
    LongMethod,
    #[error("{name} cannot be named in Java source")]
    Unnameable { name: String },
}

/// Beyond this a class file's constant pool may overflow, and nobody reads the file any more.
const MAX_FILE_CHARS: usize = 400_000;

/// The suite as source files: one, or several when it is very large (`FooTest`, `FooTest2`, …).
pub fn write_suite(suite: &Suite, operations: &Operations, subtyping: &Subtyping<'_>) -> Written {
    let mut written = Written::default();
    let mut methods: Vec<MethodText> = Vec::new();
    let names = names::test_names(suite, operations, subtyping);
    // Tests about one method stand together, at the place of the first of them.
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&number| names[number].first_of_kind);
    for number in order {
        match write_method(suite, number, names[number].name.clone(), operations, subtyping) {
            Ok(method) => methods.push(method),
            Err(refusal) => written.refused.push((number, refusal)),
        }
    }
    written.refused.sort_by_key(|(number, _)| *number);
    let mut rest = methods.as_slice();
    while !rest.is_empty() {
        let mut chars = 0;
        let fitting = rest.iter().take_while(|m| {
            chars += m.text.len();
            chars <= MAX_FILE_CHARS
        });
        let (now, later) = rest.split_at(fitting.count().max(1));
        written.files.push(write_file(suite, written.files.len() + 1, now, subtyping));
        rest = later;
    }
    written
}

fn write_file(suite: &Suite, number: usize, methods: &[MethodText], subtyping: &Subtyping<'_>) -> SourceFile {
    let simple = if number == 1 { suite.class_name.clone() } else { format!("{}{number}", suite.class_name) };
    let (annotation, assertions) = match suite.junit {
        JUnitVersion::Four => ("org.junit.Test", "org.junit.Assert"),
        JUnitVersion::Five => ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"),
    };
    let mut imports = Imports::new(subtyping.classes(), &suite.package, &simple);
    for method in methods {
        imports.collect(&method.text);
    }
    let test = imports.import_annotation(annotation);
    let statics: BTreeSet<&str> = methods.iter().flat_map(|m| m.assertions.iter().copied()).collect();

    let mut text = String::from("// Written by Testudo.\n");
    if !suite.package.is_empty() {
        text.push_str(&format!("package {};\n\n", suite.package.replace('/', ".")));
    }
    for name in &statics {
        text.push_str(&format!("import static {assertions}.{name};\n"));
    }
    if !statics.is_empty() {
        text.push('\n');
    }
    for import in imports.list() {
        text.push_str(&format!("import {import};\n"));
    }
    if imports.list().next().is_some() {
        text.push('\n');
    }
    let public = if suite.junit == JUnitVersion::Four { "public " } else { "" };
    text.push_str(&format!("{public}class {simple} {{\n"));
    let mut line = text.matches('\n').count() + 1;
    let mut tests = Vec::new();
    for (i, method) in methods.iter().enumerate() {
        if i > 0 {
            text.push('\n');
            line += 1;
        }
        // The annotation is resolved apart: a test of a class named `Test` imports another one.
        let body = format!("    @{test}\n{}", imports.resolve(&method.text));
        let lines = body.matches('\n').count();
        tests.push(WrittenTest { test: method.test, method: method.name.clone(), lines: (line, line + lines - 1) });
        line += lines;
        text.push_str(&body);
    }
    text.push_str("}\n");
    let folder = if suite.package.is_empty() { String::new() } else { format!("{}/", suite.package) };
    SourceFile {
        name: format!("{folder}{simple}.java"),
        class: format!("{}{simple}", folder.replace('/', ".")),
        text,
        tests,
    }
}
