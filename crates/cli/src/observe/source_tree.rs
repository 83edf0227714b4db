//! A folder of test sources, in memory: its Java files with their text, the other files by name. Owns reading it; never writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTree {
    pub root: PathBuf,
    /// Path below the root, with `/` between names, and text; module descriptors among them.
    pub java: BTreeMap<String, String>,
    /// Everything else: resources, sources in other languages.
    pub others: Vec<String>,
}

impl SourceTree {
    pub fn read(root: &Path) -> Result<SourceTree, Failure> {
        let mut tree = SourceTree { root: root.to_path_buf(), java: BTreeMap::new(), others: Vec::new() };
        tree.collect(root, "", &mut BTreeSet::new())?;
        if tree.java.is_empty() {
            return Err(Failure::NoTests {
                what: format!("there is no Java source in {}", root.display()),
                hint: "name the root folder of the test sources, such as src/test/java".to_string(),
            });
        }
        tree.others.sort();
        Ok(tree)
    }

    /// What javac is given: all but a module descriptor, which would hide the class path.
    pub fn compiled(&self) -> impl Iterator<Item = (&String, &String)> {
        self.java.iter().filter(|(path, _)| is_compiled(path))
    }

    /// `walked` are the folders seen so far by their real names: links may lead in circles.
    fn collect(&mut self, folder: &Path, prefix: &str, walked: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
        let unreadable = |path: &Path, cause: String| Failure::UnreadableInput { path: path.to_path_buf(), cause };
        let real = fs::canonicalize(folder).map_err(|e| unreadable(folder, e.to_string()))?;
        if !walked.insert(real) {
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(|e| unreadable(folder, e.to_string()))? {
            let path = entry.map_err(|e| unreadable(folder, e.to_string()))?.path();
            let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
                return Err(unreadable(&path, "its name is not UTF-8".to_string()));
            };
            let relative = format!("{prefix}{name}");
            if path.is_dir() {
                if !name.starts_with('.') {
                    self.collect(&path, &format!("{relative}/"), walked)?;
                }
            } else if name.ends_with(".java") {
                let bytes = fs::read(&path).map_err(|e| unreadable(&path, e.to_string()))?;
                let text = String::from_utf8(bytes).map_err(|_| unreadable(&path, "it is not UTF-8".to_string()))?;
                self.java.insert(relative, text);
            } else {
                self.others.push(relative);
            }
        }
        Ok(())
    }
}

pub fn is_compiled(path: &str) -> bool {
    path.rsplit('/').next() != Some("module-info.java")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit_code::ExitCode;

    #[test]
    fn sources_and_others_are_told_apart_and_circles_end() {
        let temp = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &[u8]| {
            let path = temp.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("p/AlphaTest.java", "class AlphaTest { String s = \"é\"; }".as_bytes());
        put("module-info.java", b"module m {}");
        put("p/data.txt", b"1");
        put(".git/config", b"");
        #[cfg(unix)]
        std::os::unix::fs::symlink(temp.path(), temp.path().join("p/again")).unwrap();
        let tree = SourceTree::read(temp.path()).unwrap();
        assert_eq!(tree.java.keys().collect::<Vec<_>>(), ["module-info.java", "p/AlphaTest.java"]);
        assert_eq!(tree.compiled().map(|(p, _)| p.as_str()).collect::<Vec<_>>(), ["p/AlphaTest.java"]);
        assert_eq!(tree.others, ["p/data.txt"]);
        put("p/Latin.java", b"class L { String s = \"\xe9\"; }");
        assert_eq!(SourceTree::read(temp.path()).unwrap_err().exit_code(), ExitCode::UnreadableInput);
    }

    #[test]
    fn a_folder_without_sources_is_no_suite() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(SourceTree::read(temp.path()).unwrap_err().exit_code(), ExitCode::NoTests);
        let missing = temp.path().join("none");
        assert_eq!(SourceTree::read(&missing).unwrap_err().exit_code(), ExitCode::UnreadableInput);
    }
}
