//! Java sources: where classes and their members are, by the JDK's own parser, and the same text without some of them. Owns what belongs
//! to a member (its comments) and finding it; touches no file and never guesses syntax. Kotlin and other languages are not read.

mod edit;
mod trivia;

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use bytecode::names::{ClassName, FieldType, MethodDescriptor};

use crate::compiler::{Compiler, CompilerProblem};
use crate::protocol::sources::{self as wire, ParsedFile, ParsedType};
use trivia::Trivia;

pub use edit::remove;

/// One file. All ranges are in bytes of the text that was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// As it was called when it was parsed.
    pub name: String,
    pub classes: Vec<SourceClass>,
    /// In the order of the text; a class comes before its members.
    pub members: Vec<SourceMember>,
}

/// A top-level or nested class. Local and anonymous classes are part of the member they are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceClass {
    /// The binary name (`a/b/C$D`).
    pub name: ClassName,
    pub kind: ClassKind,
    /// Index of the class itself among `SourceFile::members`.
    pub member: usize,
    /// Between its braces.
    pub body: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClassKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// What a class is made of: methods, constructors, nested classes, and everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMember {
    pub kind: MemberKind,
    /// Index of its class; none for top-level classes.
    pub class: Option<usize>,
    /// `<init>` for constructors, empty for initialisers.
    pub name: String,
    pub is_static: bool,
    pub is_abstract: bool,
    pub is_private: bool,
    pub is_public: bool,
    /// Its annotations by name, as written (`Test`, `org.junit.Test`).
    pub annotations: Vec<String>,
    pub parameters: Vec<WrittenType>,
    /// Names of the methods it calls, refers to, or takes its arguments from.
    pub uses: Vec<String>,
    /// From its first annotation or modifier to its closing brace or semicolon.
    pub declaration: Range<usize>,
    /// The same with the comments that belong to it: directly in front, its Javadoc, and behind it on its last line.
    pub extent: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemberKind {
    Method,
    Constructor,
    Class,
    /// Fields, enum constants, initialisers: never removed.
    Other,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenType {
    pub written: String,
    /// Last name, without arguments and dimensions.
    simple: String,
    is_variable: bool,
    dimensions: u32,
}

/// A text that is not Java.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct SyntaxError {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub message: String,
}

const BOM: char = '\u{feff}';

/// Parses files (name and text) by the compiler's JVM. The answer has an entry for each, in the same order. A text may begin with a byte
/// order mark.
pub fn parse(
    compiler: &mut Compiler,
    files: &[(String, String)],
    limit: Duration,
) -> Result<Vec<Result<SourceFile, Vec<SyntaxError>>>, CompilerProblem> {
    let stripped = files.iter().map(|(name, text)| (name.as_str(), text.strip_prefix(BOM).unwrap_or(text)));
    let answers = compiler.parse(stripped, limit)?;
    Ok(files.iter().zip(answers).map(|((name, text), answer)| located(name, text, answer)).collect())
}

fn located(
    name: &str,
    text: &str,
    answer: Result<ParsedFile, Vec<wire::ParseError>>,
) -> Result<SourceFile, Vec<SyntaxError>> {
    let skipped = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let offsets = Offsets::new(&text[skipped..], skipped);
    let error = |at: usize, message: String| {
        let before = &text[skipped..at];
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        SyntaxError {
            file: name.to_owned(),
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            message,
        }
    };
    let found = match answer {
        Ok(parsed) => build(name, text, parsed, &offsets)
            .map_err(|at| vec![(at, "javac's tree and its text disagree".to_owned())]),
        Err(errors) => Err(errors.into_iter().map(|(at, message)| (offsets.byte(at), message)).collect()),
    };
    found.map_err(|errors| errors.into_iter().map(|(at, message)| error(at, message)).collect())
}

/// From UTF-16 units to bytes.
struct Offsets {
    /// Byte offset per unit, if the text is not ASCII.
    bytes: Option<Vec<u32>>,
    length: usize,
    shift: usize,
}

impl Offsets {
    fn new(text: &str, shift: usize) -> Offsets {
        let bytes = (!text.is_ascii()).then(|| {
            let units = text.char_indices().flat_map(|(at, c)| std::iter::repeat_n(at as u32, c.len_utf16()));
            units.chain([text.len() as u32]).collect()
        });
        Offsets { bytes, length: text.len(), shift }
    }

    fn byte(&self, unit: u32) -> usize {
        let at = match &self.bytes {
            Some(bytes) => bytes.get(unit as usize).map_or(self.length, |at| *at as usize),
            None => (unit as usize).min(self.length),
        };
        at + self.shift
    }
}

/// Puts ranges into bytes and finds bodies and comments. Fails with the place where a class has no body.
fn build(name: &str, text: &str, parsed: ParsedFile, offsets: &Offsets) -> Result<SourceFile, usize> {
    let trivia = Trivia::of(text);
    let mut members: Vec<SourceMember> = Vec::with_capacity(parsed.members.len());
    let mut class_members = Vec::with_capacity(parsed.classes.len());
    for m in parsed.members {
        let declaration = offsets.byte(m.start)..offsets.byte(m.end);
        if declaration.is_empty() {
            return Err(declaration.start.min(text.len()));
        }
        if m.kind == 2 {
            class_members.push(members.len());
        }
        members.push(SourceMember {
            kind: [MemberKind::Method, MemberKind::Constructor, MemberKind::Class]
                .get(usize::from(m.kind))
                .copied()
                .unwrap_or(MemberKind::Other),
            class: (m.owner as usize).checked_sub(1).filter(|n| *n < parsed.classes.len()),
            name: m.name,
            is_static: m.flags & 1 != 0,
            is_abstract: m.flags & 2 != 0,
            is_private: m.flags & 4 != 0,
            is_public: m.flags & 8 != 0,
            annotations: m.annotations,
            parameters: m.parameters.into_iter().map(WrittenType::from).collect(),
            uses: m.uses,
            extent: declaration.clone(),
            declaration,
        });
    }
    let mut classes = Vec::with_capacity(class_members.len());
    for (class, member) in parsed.classes.into_iter().zip(class_members) {
        let whole = &members[member].declaration;
        let open = trivia.brace_from(offsets.byte(class.header)).filter(|at| whole.contains(at)).ok_or(whole.start)?;
        classes.push(SourceClass {
            name: ClassName::new(class.name),
            kind: match class.kind {
                1 => ClassKind::Interface,
                2 => ClassKind::Enum,
                3 => ClassKind::Record,
                4 => ClassKind::Annotation,
                _ => ClassKind::Class,
            },
            member,
            body: open + 1..whole.end - 1,
        });
    }
    let mut file = SourceFile { name: name.to_owned(), classes, members };
    attach_comments(&mut file, text, &trivia, offsets.byte(parsed.head));
    Ok(file)
}

/// Gives every member the comments around it that are about it.
fn attach_comments(file: &mut SourceFile, text: &str, trivia: &Trivia, head: usize) {
    let groups: Vec<Option<usize>> = std::iter::once(None).chain((0..file.classes.len()).map(Some)).collect();
    for group in groups {
        let (mut before, end) =
            group.map_or((head, text.len()), |c| (file.classes[c].body.start, file.classes[c].body.end));
        let of_group: Vec<usize> = (0..file.members.len()).filter(|m| file.members[*m].class == group).collect();
        for (n, m) in of_group.iter().enumerate() {
            let next = of_group.get(n + 1).map_or(end, |next| file.members[*next].declaration.start);
            let declaration = file.members[*m].declaration.clone();
            // Fields declared together (`int a, b;`) overlap.
            let start = trivia.leading(text, before.min(declaration.start), declaration.start);
            let end = trivia.trailing(text, declaration.end, next.max(declaration.end));
            file.members[*m].extent = start..end;
            before = before.max(end);
        }
    }
}

impl SourceFile {
    /// A method of a class, or with `<init>` a constructor, by its name and descriptor. Overloads are told apart by the number of parameters and the last names of their types.
    pub fn method(&self, class: &ClassName, name: &str, descriptor: &str) -> Option<usize> {
        let class = self.classes.iter().position(|c| c.name == *class)?;
        let of_name: Vec<usize> = (0..self.members.len())
            .filter(|m| {
                let m = &self.members[*m];
                let is_code = matches!(m.kind, MemberKind::Method | MemberKind::Constructor);
                is_code && m.class == Some(class) && m.name == name
            })
            .collect();
        let parameters = MethodDescriptor::parse(descriptor)?.params;
        let same_number: Vec<usize> =
            of_name.iter().copied().filter(|m| self.members[*m].parameters.len() == parameters.len()).collect();
        let fits = |m: &usize| self.members[*m].parameters.iter().zip(&parameters).all(|(w, t)| w.fits(t));
        let exact: Vec<usize> = same_number.iter().copied().filter(fits).collect();
        // With several that fit (type variables, classes of the same name), the one without type variables.
        let plain = |m: &usize| self.members[*m].parameters.iter().all(|w| !w.is_variable);
        match exact[..] {
            [one] => Some(one),
            [] => None,
            _ => exact.iter().copied().find(plain).or(exact.first().copied()),
        }
    }

    /// A class by its binary name.
    pub fn class(&self, name: &ClassName) -> Option<&SourceClass> {
        self.classes.iter().find(|c| c.name == *name)
    }

    /// The members of a class that are left without these, in the order of the text.
    pub fn left(&self, class: usize, removed: &BTreeSet<usize>) -> Vec<usize> {
        (0..self.members.len()).filter(|m| self.members[*m].class == Some(class) && !removed.contains(m)).collect()
    }

    /// Whether a test is left anywhere in a class, nested classes included.
    pub fn has_tests(&self, class: usize, removed: &BTreeSet<usize>) -> bool {
        self.left(class, removed).into_iter().any(|m| {
            let nested = self.classes.iter().position(|c| c.member == m);
            self.members[m].is_test() || nested.is_some_and(|c| self.has_tests(c, removed))
        })
    }

    /// Methods that no test is and that, in this file, only the removed members use. They stay; who wants to can say so.
    pub fn unused_without(&self, removed: &BTreeSet<usize>) -> Vec<usize> {
        let used = |m: &SourceMember, by_removed: bool| {
            let mut users = self.members.iter().enumerate().filter(|(n, _)| removed.contains(n) == by_removed);
            users.any(|(_, user)| !std::ptr::eq(user, m) && user.uses.contains(&m.name))
        };
        let is_helper = |m: &SourceMember| m.kind == MemberKind::Method && !m.is_test();
        (0..self.members.len())
            .filter(|n| !removed.contains(n))
            .filter(|n| {
                let m = &self.members[*n];
                is_helper(m) && used(m, true) && !used(m, false)
            })
            .collect()
    }
}

impl SourceMember {
    /// By an annotation that makes a method a test, or named as JUnit 3 wants it.
    pub fn is_test(&self) -> bool {
        const ANNOTATIONS: [&str; 6] =
            ["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"];
        let marked = |a: &String| ANNOTATIONS.contains(&a.rsplit('.').next().unwrap_or_default());
        self.kind == MemberKind::Method
            && (self.annotations.iter().any(marked)
                || self.is_public && !self.is_static && self.parameters.is_empty() && self.name.starts_with("test"))
    }
}

impl WrittenType {
    /// Whether the type may be this one, as far as names tell.
    fn fits(&self, erased: &FieldType) -> bool {
        let (mut element, mut dimensions) = (erased, 0);
        while let FieldType::Array(inner) = element {
            element = inner;
            dimensions += 1;
        }
        if self.is_variable {
            // Its bound may be anything, but never primitive by itself.
            return dimensions >= self.dimensions
                && (dimensions > self.dimensions || matches!(element, FieldType::Class(_)));
        }
        dimensions == self.dimensions
            && match element {
                FieldType::Primitive(p) => self.simple == p.keyword(),
                FieldType::Class(c) => c.internal().rsplit(['/', '$']).next() == Some(&self.simple),
                FieldType::Array(_) => false,
            }
    }
}

impl From<ParsedType> for WrittenType {
    fn from(t: ParsedType) -> WrittenType {
        WrittenType { written: t.written, simple: t.name, is_variable: t.is_variable, dimensions: t.dimensions }
    }
}
