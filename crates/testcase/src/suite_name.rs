//! Where suites live: the package and the name of the test class of each target. Owns that names are readable, the same every time, and that no two suites of a run
//! want one file, not even where upper and lower case are the same. Writes nothing.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_info::NestingKind;
use bytecode::names::ClassName;

use crate::classes::Classes;

/// Where one suite lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteName {
    /// Internal form, empty for the unnamed package.
    pub package: String,
    /// The test class without `Test` or `FailingTest` at its end: `Quantity`.
    stem: String,
}

/// The class of tests that pass ends in this, before the number that parts of a very large suite have.
const TEST: &str = "Test";
/// What comes between for tests that fail.
const FAILING: &str = "Failing";

/// Longer stems are cut: with what follows, file names stay below 143 bytes, which is all that encrypted home folders allow.
const LONGEST_STEM_BYTES: usize = 112;

impl SuiteName {
    /// The name for a target as if it were the only one.
    pub fn of(classes: &dyn Classes, target: &ClassName, package: &str) -> SuiteName {
        SuiteName { package: package.to_owned(), stem: stem(classes, target) }
    }

    /// Simple name of the class of passing tests.
    pub fn passing(&self) -> String {
        format!("{}{TEST}", self.stem)
    }

    /// Simple name of the class of failing tests, which fits beside the other in one source folder.
    pub fn failing(&self) -> String {
        format!("{}{FAILING}{TEST}", self.stem)
    }

    /// The files it stands for, as a file system sees them that takes upper and lower case for the same.
    fn keys(&self) -> [String; 2] {
        let key = |end: &str| format!("{}/{}{end}", self.package, self.stem).to_lowercase().to_uppercase();
        [key(""), key(FAILING)]
    }
}

/// The names of all suites of a run. They depend on which classes are among the targets, not on their order.
pub fn suite_names<'t>(
    classes: &dyn Classes,
    targets: impl IntoIterator<Item = (&'t ClassName, String)>,
) -> BTreeMap<ClassName, SuiteName> {
    let sorted: BTreeMap<&ClassName, String> = targets.into_iter().collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut take = |name: &SuiteName| {
        let free = name.keys().iter().all(|key| !taken.contains(key));
        free && {
            taken.extend(name.keys());
            true
        }
    };
    let wanted = sorted.into_iter().map(|(target, package)| (target, SuiteName::of(classes, target, &package)));
    // Who is called what its test is called comes first: `FooObject` keeps its name, and `Foo$` gives way.
    let (plain, made): (Vec<_>, Vec<_>) = wanted.partition(|(target, name)| target.simple_binary() == name.stem);
    let mut names = BTreeMap::new();
    let mut crowded = Vec::new();
    for (target, name) in plain.into_iter().chain(made) {
        if take(&name) {
            names.insert(target.clone(), name);
        } else {
            crowded.push((target, name));
        }
    }
    for (target, name) in crowded {
        let numbered = (2u32..).map(|n| SuiteName { package: name.package.clone(), stem: format!("{}{n}", name.stem) });
        names.extend(numbered.into_iter().find(|name| take(name)).map(|name| (target.clone(), name)));
    }
    names
}

/// `Outer$Inner` as `OuterInner`, Scala's and Kotlin's `Foo$` as `FooObject`; other characters that no Java name has are left out.
fn stem(classes: &dyn Classes, target: &ClassName) -> String {
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
    let mut stem = String::new();
    for part in parts.iter().rev() {
        stem.extend(part.chars().filter(|c| c.is_alphanumeric() || *c == '_'));
        if part.trim_end_matches('$').len() < part.len() {
            stem.push_str("Object");
        }
    }
    if stem.starts_with(|c: char| c.is_numeric()) || stem.is_empty() {
        stem.insert(0, '_');
    }
    if stem.len() > LONGEST_STEM_BYTES {
        let hash = fnv(target.internal());
        let mut end = LONGEST_STEM_BYTES - 9;
        while !stem.is_char_boundary(end) {
            end -= 1;
        }
        stem.truncate(end);
        stem.push_str(&format!("_{hash:08x}"));
    }
    stem
}

/// FNV-1a, folded to 32 bits: tells long names with the same beginning apart, the same way on every machine.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytecode::class_info::ClassInfo;

    use super::*;

    /// Nothing is known of any class.
    fn nothing() -> BTreeMap<ClassName, Arc<ClassInfo>> {
        BTreeMap::new()
    }

    fn named(targets: &[&str]) -> Vec<String> {
        let targets: Vec<ClassName> = targets.iter().map(|t| ClassName::new(t)).collect();
        let of =
            |order: Vec<&ClassName>| suite_names(&nothing(), order.into_iter().map(|t| (t, t.package().to_owned())));
        let names = of(targets.iter().collect());
        assert_eq!(names, of(targets.iter().rev().collect()), "the order of targets matters");
        let path = |t: &ClassName| format!("{}/{}", names[t].package, names[t].passing());
        targets.iter().map(path).collect()
    }

    #[test]
    fn no_two_suites_want_one_file() {
        let check = |targets: &[&str], expected: &[&str]| assert_eq!(named(targets), expected, "{targets:?}");
        check(&["p/Foo", "p/Foo$"], &["p/FooTest", "p/FooObjectTest"]);
        check(&["p/Foo", "p/Foo$", "p/FooObject"], &["p/FooTest", "p/FooObject2Test", "p/FooObjectTest"]);
        check(&["p/foo", "p/Foo", "p/FOO"], &["p/foo3Test", "p/Foo2Test", "p/FOOTest"]);
        check(&["A/Foo", "a/Foo", "a/Foo2"], &["A/FooTest", "a/Foo3Test", "a/Foo2Test"]);
        check(&["p/Foo", "p/FooFailing"], &["p/FooTest", "p/FooFailing2Test"]);
        check(&["p/A$B", "p/AB", "p/A_B"], &["p/AB2Test", "p/ABTest", "p/A_BTest"]);
        check(
            &["p/package$", "p/$colon$colon", "p/$", "p/Con"],
            &["p/packageObjectTest", "p/coloncolonTest", "p/ObjectTest", "p/ConTest"],
        );
        check(&["p/-", "p/1st", "q/ẞa", "q/ßa"], &["p/_Test", "p/_1stTest", "q/ẞa2Test", "q/ßaTest"]);
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let long = "ü".repeat(400);
        let names = named(&[&format!("p/{long}A"), &format!("p/{long}B")]);
        assert_ne!(names[0], names[1]);
        let longest = format!("{}FailingTest2.java", names[0].strip_suffix("Test").unwrap());
        assert!(longest.len() < 143 && names[0].starts_with("p/üüü"), "{longest}");
    }
}
