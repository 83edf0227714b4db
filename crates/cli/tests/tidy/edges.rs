//! Which crate may use which, and which may touch the outside world. Owns the table of layers, as code.

use crate::tree::Tree;

/// A crate's folder under `crates/` and the workspace crates it may use, in any kind of dependency.
const LAYERS: [(&str, &[&str]); 7] = [
    ("bytecode", &[]),
    ("testcase", &["bytecode"]),
    ("symbolic", &["bytecode", "testcase"]),
    ("exec", &["bytecode", "testcase"]),
    ("engine", &["bytecode", "testcase", "symbolic"]),
    ("cli", &["bytecode", "testcase", "symbolic", "exec", "engine"]),
    ("bench", &[]),
];

/// Crates that neither read files, start processes nor look at the clock.
const PURE: [&str; 4] = ["bytecode", "testcase", "symbolic", "engine"];
const OUTSIDE: [&str; 6] = ["std::fs", "std::net", "std::process", "std::env", "Instant::now", "SystemTime"];

pub fn problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_extension("toml") {
        let Some(name) = path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml")) else {
            continue;
        };
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            problems.push(format!("{path}: no layer is called {name}"));
            continue;
        };
        for used in dependencies(text) {
            let ours = LAYERS.iter().any(|(layer, _)| *layer == used) || used == "testudo";
            if ours && !allowed.contains(&used.as_str()) {
                problems.push(format!("{path}: {name} must not use {used}"));
            }
        }
    }
    problems
}

/// The names in all dependency tables of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut within = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_matches(|c| c == '[' || c == ']');
            let table = header.rsplit_once("dependencies");
            within = table.is_some_and(|(_, rest)| rest.is_empty());
            if let Some(name) = table.and_then(|(_, rest)| rest.strip_prefix('.')) {
                names.push(name.trim_matches('"').to_string());
            }
        } else if within && !line.is_empty() && !line.starts_with('#') {
            let end = line.find(['.', '=', ' ']).unwrap_or(line.len());
            names.push(line[..end].trim_matches('"').to_string());
        }
    }
    names
}

pub fn io_problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_extension("rs") {
        let pure = PURE.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
        let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        if !pure || is_test {
            continue;
        }
        for (number, line) in crate::sources::without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for outside in OUTSIDE.iter().filter(|outside| code.contains(**outside)) {
                problems.push(format!("{path}:{}: {outside} in a crate without IO", number + 1));
            }
        }
    }
    problems
}

#[test]
fn dependency_names_are_found_in_every_form() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\nexec.workspace = true\nserde = \"1\"\n\
        [dev-dependencies.engine]\npath = \"../engine\"\n[target.'cfg(unix)'.dependencies]\nlibc = { version = \"1\" }\n[lints]\na = 1";
    assert_eq!(dependencies(manifest), ["exec", "serde", "engine", "libc"]);
}

#[test]
fn forbidden_edges_are_found() {
    let tree = Tree::of(&[
        ("crates/engine/Cargo.toml", "[dependencies]\nexec.workspace = true\ntestcase.workspace = true"),
        ("crates/bench/Cargo.toml", "[dev-dependencies]\ntestudo = { path = \"../cli\" }"),
        ("crates/extra/Cargo.toml", ""),
    ]);
    assert_eq!(problems(&tree).len(), 3);
}

#[test]
fn io_is_found_outside_tests_only() {
    let tree = Tree::of(&[
        ("crates/engine/src/a.rs", "use std::fs;"),
        ("crates/engine/src/b.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n use std::fs;\n}"),
        ("crates/exec/src/c.rs", "use std::fs;"),
    ]);
    assert_eq!(io_problems(&tree), ["crates/engine/src/a.rs:1: std::fs in a crate without IO"]);
}
