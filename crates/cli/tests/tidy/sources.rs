//! Rules about single source files: how they open, how long they are, what must not be left in them.

use crate::tree::Tree;

const LARGE: usize = 500;
const TOO_LARGE: usize = 1000;

pub fn without_opening(tree: &Tree) -> Vec<String> {
    let silent = tree.with_extension("rs").filter(|(_, text)| !text.starts_with("//! "));
    silent.map(|(path, _)| format!("{path}: does not open with a //! that says what it owns")).collect()
}

pub fn without_class_comment(tree: &Tree) -> Vec<String> {
    let classes = tree.with_extension("java").filter(|(path, _)| path.starts_with("runtime/"));
    let silent = classes.filter(|(_, text)| !has_class_comment(text));
    silent.map(|(path, _)| format!("{path}: the class has no /** comment")).collect()
}

/// Whether a documentation comment stands between the imports and the first type.
fn has_class_comment(text: &str) -> bool {
    let mut commented = false;
    for line in text.lines() {
        if line.starts_with("/**") {
            commented = true;
        } else if line.starts_with("import ") || line.starts_with("package ") {
            commented = false;
        } else if line.split(' ').any(|word| matches!(word, "class" | "interface" | "enum" | "@interface"))
            && !line.starts_with([' ', '*', '/'])
        {
            return commented;
        }
    }
    commented
}

/// Files that are too large, and files that somebody should look at.
pub fn sizes(tree: &Tree) -> (Vec<String>, Vec<String>) {
    let mut too_large = Vec::new();
    let mut questionable = Vec::new();
    let sources = tree.with_extension("rs").chain(tree.with_extension("java"));
    for (path, text) in sources.filter(|(path, _)| !path.starts_with("fixtures/")) {
        let lines = without_tests(text).lines().count();
        if lines > TOO_LARGE {
            too_large.push(format!("{path}: {lines} lines without tests, {TOO_LARGE} is the limit"));
        } else if lines > LARGE {
            questionable.push(format!("{path}: {lines} lines"));
        }
    }
    (too_large, questionable)
}

/// A Rust file up to the module of tests at its end.
pub fn without_tests(text: &str) -> &str {
    let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    &text[..end]
}

/// Spelt in halves so that this file does not hold what it looks for.
const LEFTOVERS: [&str; 7] = [
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("#[ig", "nore"),
    concat!("@Dis", "abled"),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("XX", "X"),
];

pub fn leftovers(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.all() {
        for (number, line) in text.lines().enumerate() {
            for left in LEFTOVERS.iter().filter(|left| holds(line, left)) {
                problems.push(format!("{path}:{}: {left}", number + 1));
            }
        }
    }
    problems
}

/// Whether a line has the text; if that is a word, then not inside a longer one.
fn holds(line: &str, text: &str) -> bool {
    let is_word = text.chars().all(char::is_alphabetic);
    line.match_indices(text).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + text.len()..].chars().next();
        !is_word || ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[test]
fn class_comments_are_told_from_other_comments() {
    assert!(has_class_comment("package a;\n\nimport b.C;\n\n/** Owns. */\npublic final class X {\n}"));
    assert!(has_class_comment("package a;\n\n/**\n * A class.\n */\n@Deprecated\ninterface X {\n}"));
    assert!(!has_class_comment("package a;\n/** Stray. */\nimport b.C;\nclass X {\n}"));
    assert!(!has_class_comment("package a;\nclass X {\n    /** Inner. */\n    class Y {}\n}"));
}

#[test]
fn sizes_leave_tests_out() {
    let long = "//! A.\n".repeat(1001);
    let tested = format!("{}\n#[cfg(test)]\nmod tests {{\n{}}}", "//! A.\n".repeat(600), "\n".repeat(900));
    let tree = Tree::of(&[("a.rs", &long), ("b.rs", &tested), ("fixtures/C.java", &long)]);
    let (too_large, questionable) = sizes(&tree);
    assert_eq!(too_large.len(), 1, "{too_large:?}");
    assert_eq!(questionable.len(), 1, "{questionable:?}");
}

#[test]
fn words_count_when_they_stand_alone() {
    let word = LEFTOVERS[6];
    assert!(holds(&format!("// {word}: later"), word));
    assert!(!holds(&format!("\\u{{{word}{word}}}"), word));
}

#[test]
fn leftovers_are_found_with_their_line() {
    let line = format!("fn f() {{\n    {}\"\")\n}}", LEFTOVERS[0]);
    assert_eq!(leftovers(&Tree::of(&[("a.rs", &line)])), [format!("a.rs:2: {}", LEFTOVERS[0])]);
}
