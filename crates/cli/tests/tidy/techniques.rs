//! README and the book name exactly the techniques that the register has, with what it says of them.

use engine::generate::register::{TECHNIQUES, Technique};

use crate::tree::Tree;

const PAGE: &str = "docs/book/techniques.md";

/// A row of the table in the book.
fn row(technique: &Technique) -> String {
    let options: Vec<String> = technique.options.iter().map(|name| format!("`--{name}`")).collect();
    format!("| `{}` | {} | {} |", technique.name, technique.help, options.join(", "))
}

pub fn problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let page = tree.get(PAGE).unwrap_or_default();
    let expected: Vec<String> = TECHNIQUES.iter().map(row).collect();
    let found: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    for line in expected.iter().filter(|line| !found.contains(&line.as_str())) {
        problems.push(format!("{PAGE}: has no line {line}"));
    }
    for line in found.into_iter().filter(|line| !expected.iter().any(|e| e == line)) {
        problems.push(format!("{PAGE}: the register has no {line}"));
    }
    let readme = tree.get("README.md").unwrap_or_default();
    let is_named = |name: &str| readme.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name);
    for technique in TECHNIQUES.iter().filter(|t| !is_named(t.name)) {
        problems.push(format!("README.md: does not name {}", technique.name));
    }
    problems
}

#[test]
fn what_is_missing_and_what_is_too_much_is_named() {
    let table: Vec<String> = TECHNIQUES[1..].iter().map(row).collect();
    let names: Vec<&str> = TECHNIQUES.iter().map(|t| t.name).collect();
    let (page, readme) =
        (format!("{}\n| `magic` | finds all | |\n", table.join("\n")), names[..names.len() - 1].join(", "));
    let problems = problems(&Tree::of(&[(PAGE, &page), ("README.md", &readme)]));
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems[0].contains(&row(&TECHNIQUES[0])) && problems[1].contains("magic"), "{problems:?}");
    assert!(problems[2].contains(names[names.len() - 1]), "{problems:?}");
}
