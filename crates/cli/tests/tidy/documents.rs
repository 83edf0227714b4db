//! Rules about Markdown: paths named in the architecture exist, relative links and their anchors resolve.

use crate::tree::Tree;

const ARCHITECTURE: &str = "docs/ARCHITECTURE.md";

/// What stands between backticks and begins with a name at the top of the repository counts as a path.
pub fn missing_paths(tree: &Tree) -> Vec<String> {
    let Some(text) = tree.get(ARCHITECTURE) else {
        return vec![format!("{ARCHITECTURE}: missing")];
    };
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for quoted in line.split('`').skip(1).step_by(2) {
            for path in expand(quoted) {
                let (top, below) = path.split_once('/').unwrap_or((&path, ""));
                let is_path = path.contains('/') && !path.contains(' ') && tree.exists(top);
                let known = below.split_once('*').map_or(path.as_str(), |(before, _)| {
                    let folder = before.rfind('/').map_or(0, |slash| slash + 1);
                    &path[..top.len() + 1 + folder]
                });
                if is_path && !tree.exists(known) {
                    problems.push(format!("{ARCHITECTURE}:{}: there is no {path}", number + 1));
                }
            }
        }
    }
    problems
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expand(path: &str) -> Vec<String> {
    let braces = path.split_once('{').and_then(|(before, rest)| {
        let (inside, after) = rest.split_once('}')?;
        Some((before, inside, after))
    });
    match braces {
        None => vec![path.to_string()],
        Some((before, inside, after)) => {
            inside.split(',').flat_map(|choice| expand(&format!("{before}{}{after}", choice.trim()))).collect()
        }
    }
}

pub fn broken_links(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_extension("md") {
        for (number, target) in links(text) {
            if let Some(why) = broken(tree, path, &target) {
                problems.push(format!("{path}:{number}: {target}: {why}"));
            }
        }
    }
    problems
}

/// The targets of inline links outside code, with their line numbers.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for part in prose.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                links.push((number + 1, target.to_string()));
            }
        }
    }
    links
}

fn broken(tree: &Tree, from: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { Some(from.to_string()) } else { resolve(from, file) };
    let Some(path) = path.filter(|path| tree.exists(path)) else {
        return Some("no such file".to_string());
    };
    if anchor.is_empty() || !path.ends_with(".md") {
        return None;
    }
    let text = tree.get(&path).unwrap_or_default();
    let found = text.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor);
    (!found).then(|| "no such heading".to_string())
}

/// A link relative to a file, as a path from the root; `None` if it leaves the repository.
fn resolve(from: &str, link: &str) -> Option<String> {
    let mut names: Vec<&str> = from.split('/').collect();
    names.pop();
    for name in link.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// The anchor that renderers give to a heading.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn paths_are_told_from_other_code() {
    let architecture =
        "`crates/a/src/{x,y}.rs`, `crates/*/src`, `a/b`, `crates/a/src/*.rs`, `crates/a b`, `crates/b/*`";
    let tree = Tree::of(&[("docs/ARCHITECTURE.md", architecture), ("crates/a/src/x.rs", "")]);
    let here = "docs/ARCHITECTURE.md:1: there is no";
    assert_eq!(missing_paths(&tree), [format!("{here} crates/a/src/y.rs"), format!("{here} crates/b/*")]);
}

#[test]
fn links_resolve_from_their_file() {
    let text = "[a](../README.md) [b](b.md#two-words) [c](b.md#three) [d](https://x.y) `[e](no.md)`\n```\n[f](no.md)\n```\n[g](no.md)";
    let tree = Tree::of(&[("docs/a.md", text), ("docs/b.md", "# Two words\n"), ("README.md", "")]);
    assert_eq!(broken_links(&tree), ["docs/a.md:1: b.md#three: no such heading", "docs/a.md:5: no.md: no such file"]);
}
