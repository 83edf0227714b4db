//! What a project and a home folder have, as decoys in the folders that tests run in: whatever a test changes there it would have changed on the user's machine.
//! Owns their names and contents, and the comparison afterwards, which trusts nothing that it finds; judges no test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// In the working folder.
const PROJECT: [&str; 14] = [
    "README.md",
    "pom.xml",
    "build.gradle",
    "settings.gradle",
    "package.json",
    "config.properties",
    "data.txt",
    "output.txt",
    "src/main/java/Main.java",
    "src/main/resources/application.properties",
    "src/test/java/MainTest.java",
    "target/classes/Main.class",
    ".git/HEAD",
    ".git/config",
];

/// In the home folder.
const HOME: [&str; 10] = [
    ".bashrc",
    ".profile",
    ".gitconfig",
    ".ssh/id_rsa",
    ".ssh/config",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".aws/credentials",
    ".config/settings.json",
    "Documents/notes.txt",
];

/// So many differences are told; somebody may have made millions.
const MOST_TOLD: usize = 20;

/// Folders with decoys, as they were made.
#[derive(Clone, Debug)]
pub struct Decoys {
    roots: Vec<Root>,
}

#[derive(Clone, Debug)]
struct Root {
    folder: PathBuf,
    /// By path below the folder; `None` is a folder.
    entries: BTreeMap<PathBuf, Option<Vec<u8>>>,
}

impl Decoys {
    /// Fills the two folders, which exist and are empty.
    pub fn set_out(work: &Path, home: &Path) -> io::Result<Decoys> {
        let roots = [(work, &PROJECT[..]), (home, &HOME[..])];
        let roots = roots.map(|(folder, names)| Root::fill(folder, names));
        Ok(Decoys { roots: roots.into_iter().collect::<io::Result<Vec<Root>>>()? })
    }

    /// Nothing but the folders, which stay empty if all is well.
    pub fn none(work: &Path) -> Decoys {
        Decoys { roots: vec![Root { folder: work.to_owned(), entries: BTreeMap::new() }] }
    }

    /// What was changed, removed or added since, as names for people: `pom.xml was changed`. Empty if nothing was.
    pub fn touched(&self) -> Vec<String> {
        let mut told = Vec::new();
        for root in &self.roots {
            root.compare(&mut told);
        }
        told.truncate(MOST_TOLD);
        told
    }
}

impl Root {
    fn fill(folder: &Path, names: &[&str]) -> io::Result<Root> {
        let mut entries = BTreeMap::new();
        for name in names {
            let path = Path::new(name);
            for above in path.ancestors().skip(1).filter(|a| !a.as_os_str().is_empty()) {
                entries.insert(above.to_owned(), None);
            }
            fs::create_dir_all(folder.join(path.parent().unwrap_or(path)))?;
            let text = format!("This is {name}, put here by testudo to see whether a test touches it.\n");
            fs::write(folder.join(path), &text)?;
            entries.insert(path.to_owned(), Some(text.into_bytes()));
        }
        Ok(Root { folder: folder.to_owned(), entries })
    }

    fn compare(&self, told: &mut Vec<String>) {
        let mut seen = BTreeSet::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(below) = folders.pop() {
            let Ok(entries) = fs::read_dir(self.folder.join(&below)) else {
                told.push(format!("{} cannot be listed any more", shown(&below)));
                continue;
            };
            for entry in entries.flatten() {
                if told.len() > MOST_TOLD {
                    return;
                }
                let path = below.join(entry.file_name());
                match self.entries.get(&path) {
                    None => told.push(format!("{} was added", shown(&path))),
                    Some(known) if !is_as_it_was(&entry.path(), known.as_deref()) => {
                        told.push(format!("{} was changed", shown(&path)));
                    }
                    Some(None) => folders.push(path.clone()),
                    Some(Some(_)) => {}
                }
                seen.insert(path);
            }
        }
        let gone = self.entries.keys().filter(|path| !seen.contains(*path));
        told.extend(gone.map(|path| format!("{} was removed", shown(path))));
    }
}

/// A regular file of this content, or a folder. Nothing is opened that is anything else, and nothing read that is larger.
fn is_as_it_was(path: &Path, content: Option<&[u8]>) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return false;
    };
    match content {
        None => metadata.is_dir(),
        Some(content) => {
            metadata.is_file()
                && metadata.len() == content.len() as u64
                && fs::read(path).is_ok_and(|found| found == content)
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string().chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_touched_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let (work, home) = (temp.path().join("work"), temp.path().join("home"));
        fs::create_dir(&work).unwrap();
        fs::create_dir(&home).unwrap();
        let decoys = Decoys::set_out(&work, &home).unwrap();
        assert_eq!(decoys.touched(), Vec::<String>::new());
        fs::write(work.join("pom.xml"), "").unwrap();
        fs::write(work.join("new\u{1b}.txt"), "x").unwrap();
        fs::remove_dir_all(home.join(".ssh")).unwrap();
        fs::remove_file(home.join(".bashrc")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", home.join(".bashrc")).unwrap();
        let mut touched = decoys.touched();
        touched.sort();
        assert_eq!(
            touched,
            [
                ".bashrc was changed",
                ".ssh was removed",
                ".ssh/config was removed",
                ".ssh/id_rsa was removed",
                "new.txt was added",
                "pom.xml was changed",
            ]
        );
    }

    #[test]
    fn a_folder_that_is_to_stay_empty_is_watched_too() {
        let temp = tempfile::tempdir().unwrap();
        let decoys = Decoys::none(temp.path());
        assert!(decoys.touched().is_empty());
        (0..100).for_each(|n| fs::write(temp.path().join(n.to_string()), "").unwrap());
        assert_eq!(decoys.touched().len(), MOST_TOLD);
    }
}
