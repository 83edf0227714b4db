//! A suite's sources after tests were taken out, and writing them: to the output folder or in place. Owns that nothing is lost: files are whole or
//! untouched, and originals are kept before anything is changed in place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use crate::failure::Failure;
use crate::minimize::report::{FileChange, FileReport};
use crate::observe::source_tree::SourceTree;
use crate::out_dir::OutDir;

/// What changes in a source tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edition {
    /// New texts, by path below the root.
    pub edited: BTreeMap<String, String>,
    /// Files that hold no test any more and that nobody refers to.
    pub dropped: BTreeSet<String>,
}

impl Edition {
    pub fn files(&self) -> Vec<FileReport> {
        let edited = self.edited.keys().map(|path| (path, FileChange::Edited));
        let dropped = self.dropped.iter().map(|path| (path, FileChange::Dropped));
        let mut files: Vec<FileReport> =
            edited.chain(dropped).map(|(path, change)| FileReport { path: path.clone(), change }).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// The Java files that are left, by path.
    pub fn apply(&self, tree: &SourceTree) -> BTreeMap<String, String> {
        let left = tree.java.iter().filter(|(path, _)| !self.dropped.contains(*path));
        left.map(|(path, text)| (path.clone(), self.edited.get(path).unwrap_or(text).clone())).collect()
    }

    /// The whole tree to `tests/`, other files included.
    pub fn write(&self, tree: &SourceTree, out: &OutDir) -> Result<(), Failure> {
        for (path, text) in self.apply(tree) {
            out.write(&below("tests", &path), text.as_bytes())?;
        }
        for path in &tree.others {
            let from = tree.root.join(path);
            let bytes = fs::read(&from).map_err(|e| Failure::UnreadableInput { path: from, cause: e.to_string() })?;
            out.write(&below("tests", path), &bytes)?;
        }
        Ok(())
    }

    /// Changes the tree itself, after the originals of all that changes were written to `originals/`. Nothing is changed if somebody else did so since the tree was read.
    pub fn write_in_place(&self, tree: &SourceTree, out: &OutDir) -> Result<(), Failure> {
        for path in self.edited.keys().chain(&self.dropped) {
            let known = tree.java.get(path).map(String::as_bytes);
            let file = tree.root.join(path);
            if fs::read(&file).ok().as_deref() != known {
                return Err(Failure::SourcesChanged { path: file });
            }
        }
        for path in self.edited.keys().chain(&self.dropped) {
            if let Some(text) = tree.java.get(path) {
                out.write(&below("originals", path), text.as_bytes())?;
            }
        }
        for (path, text) in &self.edited {
            replace(&tree.root.join(path), text.as_bytes())?;
        }
        for path in &self.dropped {
            let path = tree.root.join(path);
            fs::remove_file(&path).map_err(|e| Failure::writing(&path, &e))?;
        }
        Ok(())
    }
}

fn below(folder: &str, path: &str) -> PathBuf {
    Path::new(folder).join(path)
}

/// Whole or not at all, with the permissions it had.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |e: std::io::Error| Failure::writing(path, &e);
    // A link stays one: what it leads to is replaced.
    let real = fs::canonicalize(path).map_err(fail)?;
    let folder = real.parent().unwrap_or(Path::new("."));
    let permissions = fs::metadata(&real).map_err(fail)?.permissions();
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder).map_err(fail)?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(fail)?;
    file.as_file().set_permissions(permissions).map_err(fail)?;
    file.persist(&real).map_err(|e| fail(e.error))?;
    Ok(())
}

/// A file of the user's choice: whole, or as it was.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |e: std::io::Error| Failure::writing(path, &e);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder).map_err(fail)?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// The output folder of an earlier run is moved away: it must not hold what is to be read, nor lie in it.
pub fn keep_apart(out: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let out_real = resolved(out);
    for input in inputs {
        let input_real = resolved(input);
        if input_real.starts_with(&out_real) || out_real.starts_with(&input_real) {
            let message = format!(
                "the output folder {} and {} must not lie in each other: choose another one with --out",
                out.display(),
                input.display()
            );
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

/// As far as it exists without links, and without `..`.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut rest: Vec<Component<'_>> = Vec::new();
    let mut at: &Path = &absolute;
    loop {
        if let Ok(real) = fs::canonicalize(at) {
            return rest.iter().rev().fold(real, |path, part| path.join(part));
        }
        match (at.parent(), at.components().next_back()) {
            (Some(parent), Some(last)) => {
                rest.push(last);
                at = parent;
            }
            _ => return absolute,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(root: &Path) -> SourceTree {
        for (path, text) in [("p/AlphaTest.java", "alpha\r\n"), ("p/BetaTest.java", "beta"), ("p/data.txt", "1")] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        SourceTree::read(root).unwrap()
    }

    fn edition() -> Edition {
        Edition {
            edited: BTreeMap::from([("p/AlphaTest.java".to_string(), "a\r\n".to_string())]),
            dropped: BTreeSet::from(["p/BetaTest.java".to_string()]),
        }
    }

    #[test]
    fn a_copy_is_whole_and_the_original_untouched() {
        let temp = tempfile::tempdir().unwrap();
        let tree = tree(&temp.path().join("src"));
        let out = OutDir::open(&temp.path().join("out")).unwrap();
        edition().write(&tree, &out).unwrap();
        let copy = SourceTree::read(&temp.path().join("out/tests")).unwrap();
        assert_eq!(copy.java, BTreeMap::from([("p/AlphaTest.java".to_string(), "a\r\n".to_string())]));
        assert_eq!(copy.others, ["p/data.txt"]);
        assert_eq!(SourceTree::read(&tree.root).unwrap(), tree);
    }

    #[test]
    fn in_place_keeps_originals_and_permissions() {
        let temp = tempfile::tempdir().unwrap();
        let tree = tree(&temp.path().join("src"));
        let alpha = tree.root.join("p/AlphaTest.java");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&alpha, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let out = OutDir::open(&temp.path().join("out")).unwrap();
        edition().write_in_place(&tree, &out).unwrap();
        let mut names: Vec<String> =
            fs::read_dir(tree.root.join("p")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["AlphaTest.java", "data.txt"]);
        assert_eq!(fs::read_to_string(&alpha).unwrap(), "a\r\n");
        let originals = SourceTree::read(&temp.path().join("out/originals")).unwrap();
        assert_eq!(originals.java, tree.java);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&alpha).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn what_somebody_changed_meanwhile_is_not_overwritten() {
        for (changed, text) in [("p/AlphaTest.java", Some("alpha, better")), ("p/BetaTest.java", None)] {
            let temp = tempfile::tempdir().unwrap();
            let tree = tree(&temp.path().join("src"));
            let file = tree.root.join(changed);
            match text {
                Some(text) => fs::write(&file, text).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
            let out = OutDir::open(&temp.path().join("out")).unwrap();
            let before = SourceTree::read(&tree.root).unwrap();
            let refused = edition().write_in_place(&tree, &out).unwrap_err();
            assert!(refused.to_string().contains(changed), "{refused}");
            assert_eq!(SourceTree::read(&tree.root).unwrap(), before);
        }
    }

    #[test]
    fn input_and_output_must_not_lie_in_each_other() {
        let temp = tempfile::tempdir().unwrap();
        let (out, inside) = (temp.path().join("out"), temp.path().join("out/tests"));
        assert!(keep_apart(&out, &[&inside]).is_err());
        assert!(keep_apart(&inside, &[&out]).is_err());
        assert!(keep_apart(&out, &[&temp.path().join("outer")]).is_ok());
        fs::create_dir_all(&inside).unwrap();
        assert!(keep_apart(&inside.join("../../out"), &[&inside]).is_err());
    }
}
