//! Class names in source: which are imported, which are written in full. Code is first written with marked names; when all of a file
//! is known each gets its shortest unambiguous form. Owns marks and imports; knows no statements.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_info::NestingKind;
use bytecode::names::ClassName;

use crate::classes::Classes;

/// Around a marked class name. Neither can occur elsewhere: literals are printable ASCII, names have no control characters.
const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';

/// A class name (internal form) to be resolved later.
pub fn mark(internal: &str) -> String {
    format!("{OPEN}{internal}{CLOSE}")
}

/// With all names in full; for tests of parts.
#[cfg(test)]
pub fn unmark(text: &str) -> String {
    text.replace([OPEN, CLOSE], "").replace('/', ".")
}

/// All marked names of a text.
pub fn marked(text: &str) -> impl Iterator<Item = &str> {
    text.split([OPEN, CLOSE]).skip(1).step_by(2)
}

/// Length of the text once names are resolved, roughly: marked names count as their last part.
pub fn visible_len(text: &str) -> usize {
    let mut len = 0;
    for (i, part) in text.split([OPEN, CLOSE]).enumerate() {
        len += if i % 2 == 1 { part.rsplit(['/', '$']).next().map_or(0, str::len) } else { part.len() };
    }
    len
}

/// The outermost class and the simple names from there inwards. A class about which nothing is known is taken by its name.
pub fn nesting(classes: &dyn Classes, class: &ClassName) -> (ClassName, Vec<String>) {
    let mut inner: Vec<String> = Vec::new();
    let mut name = class.clone();
    loop {
        let around = classes.class(&name).and_then(|info| info.nesting.clone()).and_then(|n| {
            let outer = n.outer.filter(|_| n.kind == NestingKind::Member)?;
            Some((outer, n.simple_name?))
        });
        match around {
            // Every outer class has a shorter name in a readable file.
            Some((outer, simple)) if outer.internal().len() < name.internal().len() => {
                inner.push(simple);
                name = outer;
            }
            _ => break,
        }
    }
    inner.reverse();
    (name, inner)
}

pub struct Imports<'c> {
    classes: &'c dyn Classes,
    package: String,
    /// Outermost classes that may be written by their simple name.
    simple: BTreeMap<String, ClassName>,
    list: BTreeSet<String>,
}

impl<'c> Imports<'c> {
    pub fn new(classes: &'c dyn Classes, package: &str, test_class: &str) -> Imports<'c> {
        let own = if package.is_empty() { test_class.to_owned() } else { format!("{package}/{test_class}") };
        let simple = BTreeMap::from([(test_class.to_owned(), ClassName::new(own))]);
        Imports { classes, package: package.to_owned(), simple, list: BTreeSet::new() }
    }

    /// Takes note of the classes a text names. The first class to need a simple name gets it, the test's own package first.
    pub fn collect(&mut self, text: &str) {
        let marked: BTreeSet<&str> = marked(text).collect();
        let tops: BTreeSet<ClassName> = marked.iter().map(|n| nesting(self.classes, &ClassName::new(n)).0).collect();
        let (near, far): (Vec<_>, Vec<_>) = tops.into_iter().partition(|t| t.package() == self.package);
        for top in near.into_iter().chain(far) {
            self.claim(top);
        }
    }

    fn claim(&mut self, top: ClassName) {
        let simple = top.simple_binary().to_owned();
        let package = top.package();
        let neighbour = if self.package.is_empty() { simple.clone() } else { format!("{}/{simple}", self.package) };
        // A class of the same package hides `java.lang`'s; nothing can import from the unnamed package.
        let hidden = package == "java/lang" && self.classes.class(&ClassName::new(neighbour)).is_some();
        if hidden || self.simple.contains_key(&simple) {
            return;
        }
        if package != self.package && package != "java/lang" && !package.is_empty() {
            self.list.insert(top.internal().replace('/', "."));
        }
        self.simple.insert(simple, top);
    }

    /// The name to use for JUnit's annotation: simple if nobody else has it.
    pub fn import_annotation(&mut self, qualified: &str) -> String {
        let simple = qualified.rsplit('.').next().unwrap_or(qualified).to_owned();
        if self.simple.contains_key(&simple) {
            return qualified.to_owned();
        }
        self.list.insert(qualified.to_owned());
        self.simple.insert(simple.clone(), ClassName::from_binary(qualified));
        simple
    }

    /// Imports in order.
    pub fn list(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }

    /// The text with all marks replaced.
    pub fn resolve(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for (i, part) in text.split([OPEN, CLOSE]).enumerate() {
            if i % 2 == 1 {
                out.push_str(&self.name(&ClassName::new(part)));
            } else {
                out.push_str(part);
            }
        }
        out
    }

    fn name(&self, class: &ClassName) -> String {
        let (top, inner) = nesting(self.classes, class);
        let by_simple = self.simple.get(top.simple_binary()) == Some(&top);
        let mut name = if by_simple { top.simple_binary().to_owned() } else { top.binary() };
        for part in inner {
            name.push('.');
            name.push_str(&part);
        }
        name
    }
}
