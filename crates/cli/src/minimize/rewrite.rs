//! Taking test methods out of Java sources. Owns which member of which file a test is, and which files hold nothing any more; the parsing is the JDK's, the editing
//! that of `exec::sources`.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::names::ClassName;
use exec::sources::{SourceFile, remove};
use testcase::observed::TestMethod;

use crate::failure::Failure;
use crate::minimize::deliver::Edition;
use crate::minimize::seen::Place;
use crate::observe::references::mentions;
use crate::observe::source_tree::SourceTree;
use crate::observe::{Stage, Suite};

pub struct Rewriter<'a> {
    tree: &'a SourceTree,
    files: Vec<SourceFile>,
    /// File by class.
    owners: BTreeMap<ClassName, usize>,
    /// File and member of each test that stands in the sources.
    tests: BTreeMap<TestMethod, (usize, usize)>,
    /// Where tests ran.
    places: Vec<Place>,
    /// Files with a class that another file mentions, compiled or not: constants of a class can be used without any trace in class files.
    mentioned: BTreeSet<usize>,
}

impl<'a> Rewriter<'a> {
    /// `places`: where the tests of the suite ran.
    pub fn new(
        stage: &Stage<'_>,
        suite: &Suite,
        tree: &'a SourceTree,
        places: Vec<Place>,
    ) -> Result<Rewriter<'a>, Failure> {
        let files = stage.parse(tree)?;
        let mut owners = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            owners.extend(file.classes.iter().map(|c| (c.name.clone(), at)));
        }
        let mut tests = BTreeMap::new();
        for place in &places {
            let method = &place.method;
            if let Some(&file) = owners.get(&method.class)
                && let Some(member) = files[file].method(&method.class, &method.name, &method.descriptor)
            {
                tests.insert(method.clone(), (file, member));
            }
        }
        let mut mentioned = mentioned(stage, suite, &owners);
        mentioned.extend(named(tree, &files));
        Ok(Rewriter { tree, files, owners, tests, places, mentioned })
    }

    /// Whether a class was compiled from these sources.
    pub fn owns(&self, class: &ClassName) -> bool {
        owner(&self.owners, class).is_some()
    }

    pub fn knows(&self, test: &TestMethod) -> bool {
        self.tests.contains_key(test)
    }

    pub fn without(&self, removed: &BTreeSet<TestMethod>) -> Edition {
        let mut edition = Edition::default();
        for (file, members) in self.members(removed) {
            let source = &self.files[file];
            if self.is_empty_without(file, &members, removed) && !self.mentioned.contains(&file) {
                edition.dropped.insert(source.name.clone());
            } else if let Some(text) = self.tree.java.get(&source.name) {
                edition.edited.insert(source.name.clone(), remove(text, source, &members));
            }
        }
        edition
    }

    /// Private methods that stay although nobody calls them any more, as `Class.method`.
    pub fn idle(&self, removed: &BTreeSet<TestMethod>) -> Vec<String> {
        let mut idle = Vec::new();
        for (file, members) in self.members(removed) {
            let source = &self.files[file];
            if self.is_empty_without(file, &members, removed) {
                continue;
            }
            for member in source.unused_without(&members) {
                let member = &source.members[member];
                // Others may be called from outside, or override something.
                if !member.is_private {
                    continue;
                }
                let class = member.class.and_then(|c| source.classes.get(c)).map(|c| c.name.binary());
                idle.push(format!("{}.{}", class.unwrap_or_default(), member.name));
            }
        }
        idle
    }

    /// What goes, by file.
    fn members(&self, removed: &BTreeSet<TestMethod>) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut members: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (file, member) in removed.iter().filter_map(|test| self.tests.get(test)) {
            members.entry(*file).or_default().insert(*member);
        }
        members
    }

    /// Whether no test is left that is declared in the file or runs as one of its classes.
    fn is_empty_without(&self, file: usize, members: &BTreeSet<usize>, removed: &BTreeSet<TestMethod>) -> bool {
        let source = &self.files[file];
        let declares = (0..source.classes.len()).any(|class| source.has_tests(class, members));
        let here = |class: &ClassName| self.owners.get(class) == Some(&file);
        let runs = self
            .places
            .iter()
            .filter(|place| !removed.contains(&place.method))
            .any(|place| here(&place.class) || here(&place.method.class));
        !declares && !runs
    }
}

fn mentioned(stage: &Stage<'_>, suite: &Suite, owners: &BTreeMap<ClassName, usize>) -> BTreeSet<usize> {
    let known: BTreeSet<ClassName> = owners.keys().cloned().collect();
    let mut mentioned = BTreeSet::new();
    for class in &suite.classes {
        let Some(bytes) = stage.class_bytes(suite, class) else {
            continue;
        };
        let own = owner(owners, class);
        let others = mentions(&bytes, &known).into_iter().filter_map(|name| owners.get(&name).copied());
        mentioned.extend(others.filter(|file| Some(*file) != own));
    }
    mentioned
}

/// Files with a top-level class whose simple name is a word in another file.
fn named(tree: &SourceTree, files: &[SourceFile]) -> BTreeSet<usize> {
    let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        for class in &file.classes {
            names.entry(class.name.simple_binary()).or_default().push(at);
        }
    }
    let mut named = BTreeSet::new();
    for (at, file) in files.iter().enumerate() {
        let text = tree.java.get(&file.name).map_or("", String::as_str);
        for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))) {
            named.extend(names.get(word).into_iter().flatten().copied().filter(|other| *other != at));
        }
    }
    named
}

/// The file of a class; local and anonymous ones are in that of the class around them.
fn owner(owners: &BTreeMap<ClassName, usize>, class: &ClassName) -> Option<usize> {
    let mut name = class.internal();
    loop {
        if let Some(file) = owners.get(&ClassName::new(name)) {
            return Some(*file);
        }
        name = &name[..name.rfind('$')?];
    }
}
