//! One test method: its lines from first to last, what it may throw and which warnings it has to silence. Owns the frame around
//! statements; expressions and assertions are spelled elsewhere.

use std::collections::BTreeSet;

use bytecode::class_info::NestingKind;
use bytecode::names::ClassName;

use super::Refusal;
use super::arguments::find_method;
use super::imports::{mark, marked, nesting};
use super::literal::class_file_bytes;
use super::plan::{Form, is_statement, plan};
use super::variables::{Names, is_identifier, wish};
use crate::assertion::{Expectation, TestCase};
use crate::operation::{Operation, OperationKind, Operations};
use crate::sequence::Var;
use crate::subtyping::Subtyping;
use crate::suite::{JUnitVersion, Suite};
use crate::types::Type;
use crate::value::Constant;

/// A written method, class names still marked.
pub struct MethodText {
    pub test: usize,
    pub name: String,
    /// Whole lines, indented, from behind the test annotation on.
    pub text: String,
    /// Static methods of JUnit it calls.
    pub assertions: BTreeSet<&'static str>,
}

/// What a method has to admit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warnings {
    pub raw: bool,
    pub unchecked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Throws {
    Nothing,
    Exception,
    Throwable,
}

/// A method being written.
pub struct Writer<'a, 'c> {
    pub junit: JUnitVersion,
    /// Of the test class, internal form.
    pub package: &'a str,
    pub test: &'a TestCase,
    pub operations: &'a Operations,
    pub subtyping: &'a Subtyping<'c>,
    pub forms: Vec<Form>,
    pub names: Vec<Option<String>>,
    pub lines: Vec<String>,
    pub assertions: BTreeSet<&'static str>,
    pub warnings: Warnings,
    pub throws: Throws,
    pub refusal: Option<Refusal>,
}

/// A class file allows 65,535 bytes per method. What javac makes of a character of source is at most about this many bytes
/// (`1,` in an array literal: dup, index, value, store).
const BYTES_PER_CHAR: usize = 4;
const MAX_METHOD_BYTES: usize = 60_000;
const MAX_STRING_BYTES: usize = 65_535;

pub fn write_method(
    suite: &Suite,
    number: usize,
    name: String,
    operations: &Operations,
    subtyping: &Subtyping<'_>,
) -> Result<MethodText, Refusal> {
    let named = &suite.tests[number];
    let test = &named.test;
    let mut writer = Writer {
        junit: suite.junit,
        package: &suite.package,
        test,
        operations,
        subtyping,
        forms: plan(test, operations, subtyping),
        names: vec![None; test.sequence.len()],
        lines: Vec::new(),
        assertions: BTreeSet::new(),
        warnings: Warnings::default(),
        throws: Throws::Nothing,
        refusal: None,
    };
    writer.choose_names();
    writer.body();
    writer.check_names();
    if let Some(refusal) = writer.refusal {
        return Err(refusal);
    }
    if writer.lines.iter().map(|l| code_len(l)).sum::<usize>() * BYTES_PER_CHAR > MAX_METHOD_BYTES {
        return Err(Refusal::LongMethod);
    }
    let mut text = String::new();
    match writer.warnings {
        Warnings { raw: true, .. } => text.push_str("    @SuppressWarnings({\"rawtypes\", \"unchecked\"})\n"),
        Warnings { unchecked: true, .. } => text.push_str("    @SuppressWarnings(\"unchecked\")\n"),
        _ => {}
    }
    let public = if suite.junit == JUnitVersion::Four { "public " } else { "" };
    let throws = match writer.throws {
        Throws::Nothing => String::new(),
        Throws::Exception => format!(" throws {}", mark("java/lang/Exception")),
        Throws::Throwable => format!(" throws {}", mark("java/lang/Throwable")),
    };
    text.push_str(&format!("    {public}void {name}(){throws} {{\n"));
    for line in named.comment.iter().flat_map(|c| c.lines()) {
        text.push_str(&format!("        // {}\n", comment_text(line)));
    }
    for line in &writer.lines {
        text.push_str(&format!("        {line}\n"));
    }
    text.push_str("    }\n");
    Ok(MethodText { test: number, name, text, assertions: writer.assertions })
}

/// Printable ASCII only: even in a comment javac looks for Unicode escapes.
fn comment_text(line: &str) -> String {
    line.chars()
        .map(|c| {
            if c == '\\' {
                '/'
            } else if c.is_ascii_graphic() || c == ' ' {
                c
            } else {
                '?'
            }
        })
        .collect()
}

/// Length without the contents of string literals.
fn code_len(line: &str) -> usize {
    let mut len = 0;
    let mut in_string = false;
    let mut escaped = false;
    for c in line.chars() {
        len += usize::from(!in_string);
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    len
}

impl Writer<'_, '_> {
    fn choose_names(&mut self) {
        let mut names = Names::default();
        // A variable would hide a class or a package of the same name.
        for (_, operation) in self.test.sequence.statements().iter().map(|s| (s.op, self.operations.get(s.op))) {
            for t in operation.params.iter().chain([&operation.result]) {
                if let Some(class) = t.class_name() {
                    let top = nesting(self.subtyping.classes(), class).0;
                    names.reserve(top.simple_binary());
                    if top.package() != self.package {
                        names.reserve(top.internal().split('/').next().unwrap_or_default());
                    }
                }
            }
        }
        for number in 0..self.forms.len() {
            if self.forms[number] == Form::Assigned {
                let operation = self.operation(Var(number as u16));
                let parameter = self.parameter_name(number);
                self.names[number] = Some(names.take(&wish(operation, parameter.as_deref())));
            }
        }
    }

    /// The name of the first parameter the value is used for.
    fn parameter_name(&self, number: usize) -> Option<String> {
        let var = Var(number as u16);
        let user = self.test.sequence.uses(var).next()?;
        let statement = &self.test.sequence.statements()[user];
        let position = statement.args.iter().position(|a| *a == var)?;
        let operation = self.operations.get(statement.op);
        let (owner, name, descriptor, skip) = match &operation.kind {
            OperationKind::Construct { class, descriptor, .. } => (class, "<init>", descriptor, 0),
            OperationKind::Call { owner, name, descriptor, is_static, .. } => {
                (owner, &**name, descriptor, usize::from(!is_static))
            }
            _ => return None,
        };
        let position = position.checked_sub(skip)?;
        find_method(self.subtyping, owner, name, descriptor, |_, m| m.param_names.get(position).cloned()).flatten()
    }

    fn body(&mut self) {
        let statements = self.test.sequence.statements();
        let last = statements.len().checked_sub(1);
        for (number, statement) in statements.iter().enumerate() {
            let operation = self.operations.get(statement.op);
            if Some(number) == last {
                if let Expectation::Throws { class, message } = &self.test.expectation {
                    let code = self.thrower(number);
                    self.expect_thrown(class, message.as_deref(), &code);
                    continue;
                }
                if self.checks_nothing() && self.junit == JUnitVersion::Five && self.forms[number] != Form::Dropped {
                    let code = self.thrower(number);
                    self.assert_call("assertDoesNotThrow", &[&format!("() -> {code}")]);
                    continue;
                }
                if let Expectation::BadException { .. } = &self.test.expectation {
                    self.admit(operation);
                    let code = self.line(number);
                    self.lines.push(code);
                    continue;
                }
            }
            match self.forms[number] {
                Form::Dropped => {}
                Form::Inline => self.admit(operation),
                Form::Assigned | Form::Bare => {
                    self.admit(operation);
                    let code = self.line(number);
                    // Only in front of a value is this sign surely none of a text's.
                    match code.split_once(" = ").filter(|_| self.forms[number] == Form::Assigned) {
                        Some((name, value)) => self.declare(name, value),
                        None => self.lines.push(code),
                    }
                }
            }
        }
        for assertion in &self.test.assertions {
            self.assertion(assertion);
        }
        if let Expectation::Breaks { contract, vars } = &self.test.expectation {
            self.contract(contract, vars);
        }
    }

    /// A statement with a line of its own.
    fn line(&mut self, number: usize) -> String {
        let statement = &self.test.sequence.statements()[number];
        let operation = self.operations.get(statement.op);
        match self.names[number].clone() {
            Some(name) => {
                let declared = self.type_text(&operation.result);
                let value = self.expression(statement, operation, true);
                let generic_array =
                    matches!(&operation.result, Type::Array(e) if matches!(&**e, Type::Class(c) if !c.args.is_empty()));
                self.warnings.unchecked |= generic_array;
                format!("{declared} {name} = {value};")
            }
            None if is_statement(operation) => {
                format!("{};", self.expression(statement, operation, false))
            }
            // Java wants the value to go somewhere.
            None => {
                let declared = self.type_text(&operation.result);
                format!("{declared} value = {};", self.expression(statement, operation, false))
            }
        }
    }

    /// Nothing of what the test does can be seen: that it ends normally is all there is to check.
    fn checks_nothing(&self) -> bool {
        self.test.assertions.is_empty() && self.test.expectation == Expectation::Passes
    }

    /// The last statement as the body of a lambda.
    fn thrower(&mut self, number: usize) -> String {
        let statement = &self.test.sequence.statements()[number];
        let operation = self.operations.get(statement.op);
        if is_statement(operation) {
            return self.expression(statement, operation, false);
        }
        let line = self.line(number);
        format!("{{ {line} }}")
    }

    /// Takes note of checked exceptions the operation declares.
    fn admit(&mut self, operation: &Operation) {
        let (owner, name, descriptor) = match &operation.kind {
            OperationKind::Construct { class, descriptor, .. } => (class, "<init>", descriptor),
            OperationKind::Call { owner, name, descriptor, .. } => (owner, &**name, descriptor),
            _ => return,
        };
        let declared = find_method(self.subtyping, owner, name, descriptor, |_, m| m.throws.clone());
        for class in declared.unwrap_or_default() {
            self.admit_class(&class);
        }
    }

    pub fn admit_class(&mut self, class: &ClassName) {
        let is = |sup: &str| self.subtyping.is_subclass(class, &ClassName::new(sup));
        if is("java/lang/RuntimeException") || is("java/lang/Error") {
            return;
        }
        let throws = if is("java/lang/Exception") { Throws::Exception } else { Throws::Throwable };
        self.throws = self.throws.max(throws);
    }

    /// Takes note of classes and members that Java has no words for: local classes, names of other languages.
    fn check_names(&mut self) {
        let classes = self.subtyping.classes();
        let text = self.lines.join("\n");
        for name in marked(&text).map(ClassName::new) {
            let (top, inner) = nesting(classes, &name);
            let local =
                classes.class(&name).and_then(|c| c.nesting.clone()).is_some_and(|n| n.kind != NestingKind::Member);
            let parts = top.internal().split('/').chain(inner.iter().map(String::as_str));
            if local || !parts.into_iter().all(is_identifier) {
                self.refusal = Some(Refusal::Unnameable { name: name.binary() });
            }
        }
        for statement in self.test.sequence.statements() {
            let member = match &self.operations.get(statement.op).kind {
                OperationKind::Call { name, .. }
                | OperationKind::ReadField { name, .. }
                | OperationKind::WriteField { name, .. }
                | OperationKind::Constant(Constant::Enum { name, .. }) => name,
                _ => continue,
            };
            if !is_identifier(member) {
                self.refusal = Some(Refusal::Unnameable { name: member.to_string() });
            }
        }
    }

    /// Takes note of what no class file can hold.
    pub fn check_constant(&mut self, constant: &Constant) {
        if let Constant::String(s) = constant {
            let bytes = class_file_bytes(s.units());
            if bytes > MAX_STRING_BYTES {
                self.refusal = Some(Refusal::LongString { bytes });
            }
        }
    }
}
