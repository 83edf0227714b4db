//! The text files of the repository, or of a made-up one in a test. Owns where they are and nothing about rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Text by path relative to the root, with `/` between names; folders are known by their files.
pub struct Tree {
    files: BTreeMap<String, String>,
}

const KINDS: [&str; 8] = ["rs", "java", "toml", "md", "seq", "json", "py", "run"];
const SKIPPED: [&str; 4] = ["target", ".git", "testudo-out", "testudo-out.old"];

impl Tree {
    pub fn of_repository() -> Tree {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = BTreeMap::new();
        collect(&root, "", &mut files);
        Tree { files }
    }

    pub fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        Tree { files }
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All files whose name ends in `.extension`.
    pub fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.all().filter(move |(path, _)| path.rsplit_once('.').is_some_and(|(_, end)| end == extension))
    }

    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Whether there is a file of that name, or a folder with a file in it.
    pub fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        if path.is_empty() || self.files.contains_key(path) {
            return true;
        }
        let folder = format!("{path}/");
        self.files.range(folder.clone()..).next().is_some_and(|(next, _)| next.starts_with(&folder))
    }
}

/// Files of other kinds are listed without their text, so that paths to them resolve.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("a listed entry can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().expect("a listed entry has a type");
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_file() {
            let is_text = KINDS.iter().any(|kind| name.ends_with(&format!(".{kind}")) || name == *kind);
            // A file may vanish between listing and reading when a build or an editor is at work beside the test.
            let text = if is_text { fs::read_to_string(entry.path()).unwrap_or_default() } else { String::new() };
            files.insert(path, text);
        }
    }
}

#[test]
fn a_folder_exists_through_its_files() {
    let tree = Tree::of(&[("docs/a.md", ""), ("docs.md", "")]);
    assert!(tree.exists("docs"));
    assert!(tree.exists("docs/"));
    assert!(tree.exists("docs/a.md"));
    assert!(!tree.exists("doc"));
    assert!(!tree.exists("docs/b.md"));
}
