//! The output folder: lock, rotation of an earlier run, whole-file writes. Owns every file the command leaves behind.
//! A file there is either complete or absent; folders that are not ours are never touched, and files that somebody put into ours or changed there are never removed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fs4::fs_std::FileExt;

use crate::failure::Failure;

/// Its presence says "testudo wrote this folder"; it is locked while a run writes.
const LOCK: &str = "testudo.lock";
/// Lists every file that was written, with its length and a hash, so that the next run but one knows what may go.
const WRITTEN: &str = "testudo.files";
const LOG: &str = "testudo.log";
/// Files of others that a message names.
const NAMED: usize = 3;

#[derive(Debug)]
pub struct OutDir {
    root: PathBuf,
    /// Held until the run ends; the lock goes with the handle.
    lock: File,
    written: Mutex<File>,
    notice: Option<String>,
}

impl OutDir {
    /// Takes the folder for this run. An earlier run's folder is renamed to `<root>.old` first.
    pub fn open(root: &Path) -> Result<OutDir, Failure> {
        let fail = |e: io::Error| Failure::writing(root, &e);
        if root.file_name().is_none() {
            return Err(Failure::Usage(format!("{} cannot be an output folder", root.display())));
        }
        if let Some(parent) = root.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        let mut notice = None;
        match fs::symlink_metadata(root) {
            Ok(m) if m.is_dir() => {
                if is_empty(root).map_err(fail)? {
                    fs::remove_dir(root).map_err(fail)?;
                } else {
                    notice = rotate(root)?;
                }
            }
            Ok(_) => {
                return Err(Failure::OutputNotOurs { path: root.to_path_buf() });
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(fail(e)),
        }
        fs::create_dir(root).map_err(|e| match e.kind() {
            // Somebody was quicker by a moment.
            io::ErrorKind::AlreadyExists => Failure::OutputInUse { path: root.to_path_buf() },
            _ => fail(e),
        })?;
        let lock = File::create(root.join(LOCK)).map_err(fail)?;
        if !lock.try_lock_exclusive().map_err(fail)? {
            return Err(Failure::OutputInUse { path: root.to_path_buf() });
        }
        let written = File::create(root.join(WRITTEN)).map_err(fail)?;
        Ok(OutDir { root: root.to_path_buf(), lock, written: Mutex::new(written), notice })
    }

    /// What the user should know about an earlier run's folder.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The text of a file written before.
    pub fn read(&self, relative: &Path) -> io::Result<String> {
        fs::read_to_string(self.root.join(relative))
    }

    /// Writes a whole file, or nothing. `relative` stays inside the folder.
    pub fn write(&self, relative: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if !relative.components().all(|c| matches!(c, Component::Normal(_))) {
            // Packages of hostile classes have any name.
            let cause = "it does not lie in the output folder".to_string();
            return Err(Failure::OutputNotWritable { path: relative.to_path_buf(), cause });
        }
        let path = self.root.join(relative);
        let fail = |e: io::Error| Failure::writing(&path, &e);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(fail)?;
        // Dropping the temporary file on an error removes it.
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder).map_err(fail)?;
        file.write_all(bytes).and_then(|()| file.flush()).map_err(fail)?;
        set_usual_permissions(file.as_file()).map_err(fail)?;
        file.persist(&path).map_err(|e| fail(e.error))?;
        // A poisoned lock means a job panicked while it wrote a line: the file is still good.
        let mut list = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        list.write_all(entry(relative, bytes).as_bytes()).map_err(|e| Failure::writing(self.root.join(WRITTEN), &e))
    }

    /// Takes back a file written before.
    pub fn remove(&self, relative: &Path) -> Result<(), Failure> {
        let path = self.root.join(relative);
        fs::remove_file(&path).map_err(|e| Failure::writing(&path, &e))
    }

    /// A file that grows during the run (the log): lines are added whole.
    pub fn append_only(&self, relative: &str) -> Result<File, Failure> {
        let path = self.root.join(relative);
        fs::OpenOptions::new().create(true).append(true).open(&path).map_err(|e| Failure::writing(&path, &e))
    }
}

impl Drop for OutDir {
    fn drop(&mut self) {
        // Closing the handle would release it too; an error here changes nothing for anybody.
        let _ = FileExt::unlock(&self.lock);
    }
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

/// A line of the list: length, hash, path.
fn entry(relative: &Path, bytes: &[u8]) -> String {
    format!("{} {:016x} {}\n", bytes.len(), fnv(bytes), spelt(relative))
}

/// On one line, whatever its name.
fn spelt(path: &Path) -> String {
    path.to_string_lossy().escape_debug().to_string()
}

/// FNV-1a: tells an edited file from the one that was written; nobody has a reason to forge it.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Files below an earlier run's folder that this command did not write, or that were changed since, by name.
fn files_of_others(folder: &Path) -> io::Result<Vec<String>> {
    let list = fs::read_to_string(folder.join(WRITTEN)).unwrap_or_default();
    // The last line for a file counts.
    let known: BTreeMap<&str, &str> = list.lines().filter_map(path_of).collect();
    let mut others = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for file in fs::read_dir(folder.join(&below))? {
            let file = file?;
            let path = below.join(file.file_name());
            let kind = file.file_type()?;
            if kind.is_dir() {
                folders.push(path);
            } else if !(kind.is_file() && is_ours(&path, &known, &file.path())) {
                others.push(path.display().to_string());
            }
        }
    }
    others.sort();
    Ok(others)
}

/// Path and whole line.
fn path_of(line: &str) -> Option<(&str, &str)> {
    line.splitn(3, ' ').nth(2).map(|path| (path, line))
}

fn is_ours(path: &Path, known: &BTreeMap<&str, &str>, file: &Path) -> bool {
    if [LOCK, WRITTEN, LOG].iter().any(|own| path == Path::new(own)) {
        return true;
    }
    let Some(line) = known.get(spelt(path).as_str()) else {
        return false;
    };
    fs::read(file).is_ok_and(|bytes| entry(path, &bytes).trim_end() == *line)
}

/// `<name>.1`, or the first number that is free.
fn numbered(folder: &Path) -> PathBuf {
    let name = |n: u32| {
        let mut name = folder.file_name().map(ToOwned::to_owned).unwrap_or_default();
        name.push(format!(".{n}"));
        folder.with_file_name(name)
    };
    // No disk has so many folders.
    (1..u32::MAX).map(name).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| name(u32::MAX))
}

/// Moves an earlier run's folder out of the way, if it is one and nobody writes to it. The one before it goes, unless it holds anything that is not ours: then it is
/// kept, and the user is told.
fn rotate(root: &Path) -> Result<Option<String>, Failure> {
    let fail = |e: io::Error| Failure::writing(root, &e);
    let lock = match File::open(root.join(LOCK)) {
        Ok(lock) => lock,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Err(Failure::OutputNotOurs { path: root.to_path_buf() });
        }
        Err(e) => return Err(fail(e)),
    };
    if !lock.try_lock_exclusive().map_err(fail)? {
        return Err(Failure::OutputInUse { path: root.to_path_buf() });
    }
    let mut notice = None;
    let mut name = root.file_name().map(ToOwned::to_owned).unwrap_or_default();
    name.push(".old");
    let old = root.with_file_name(name);
    if fs::symlink_metadata(&old).is_ok() {
        if !old.join(LOCK).exists() {
            return Err(Failure::OutputNotOurs { path: old });
        }
        let others = files_of_others(&old).map_err(|e| Failure::writing(&old, &e))?;
        if others.is_empty() {
            fs::remove_dir_all(&old).map_err(|e| Failure::writing(&old, &e))?;
        } else {
            let kept = numbered(&old);
            fs::rename(&old, &kept).map_err(|e| Failure::writing(&kept, &e))?;
            let mut named = others.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            if others.len() > NAMED {
                named.push_str(&format!(" and {} more", others.len() - NAMED));
            }
            let (old, kept) = (old.display(), kept.display());
            notice = Some(format!(
                "{old} is kept as {kept}: it has files that testudo did not write as they are now ({named})"
            ));
        }
    }
    fs::rename(root, &old).map_err(fail)?;
    Ok(notice)
}

/// Temporary files are private; what the user gets is as readable as any file of theirs.
fn set_usual_permissions(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit_code::ExitCode;

    #[test]
    fn an_earlier_run_is_kept_as_old_and_a_foreign_folder_is_not_touched() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("deep/out");
        for run in 0..3 {
            let out = OutDir::open(&root).unwrap();
            out.write(Path::new("tests/a/B.java"), format!("run {run}").as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(root.join("tests/a/B.java")).unwrap(), "run 2");
        assert_eq!(fs::read_to_string(root.with_file_name("out.old").join("tests/a/B.java")).unwrap(), "run 1");
        let strays: Vec<_> = fs::read_dir(root.join("tests/a")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(strays, ["B.java"]);

        let foreign = temp.path().join("src");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("Precious.java"), "x").unwrap();
        assert_eq!(OutDir::open(&foreign).unwrap_err().exit_code(), ExitCode::OutputNotWritable);
        assert!(foreign.join("Precious.java").exists());
    }

    #[test]
    fn what_the_user_put_there_or_changed_is_kept() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("out");
        let run = || {
            let out = OutDir::open(&root).unwrap();
            out.write(Path::new("tests/B.java"), b"first").unwrap();
            out.write(Path::new("tests/B.java"), b"second").unwrap();
            drop(out.append_only(LOG).unwrap());
            out.notice().map(str::to_string)
        };
        assert_eq!([run(), run(), run()], [None, None, None], "our own files go");
        fs::write(root.with_file_name("out.old").join("tests/B.java"), "mended by hand").unwrap();
        let notice = run().unwrap();
        assert!(notice.contains("out.old.1") && notice.contains("tests/B.java"), "{notice}");
        fs::write(root.with_file_name("out.old").join("notes.txt"), "mine").unwrap();
        assert!(run().unwrap().contains("out.old.2"));
        let kept = |file: &str| fs::read_to_string(temp.path().join(file)).unwrap();
        assert_eq!(kept("out.old.1/tests/B.java"), "mended by hand");
        assert_eq!(kept("out.old.2/notes.txt"), "mine");
        assert_eq!(run(), None);
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let temp = tempfile::tempdir().unwrap();
        let out = OutDir::open(&temp.path().join("out")).unwrap();
        for path in ["../evil/FooTest.java", "/tmp/FooTest.java", "a/../../b.java"] {
            assert!(out.write(Path::new(path), b"x").is_err(), "{path}");
        }
        assert!(!temp.path().join("evil").exists() && !temp.path().join("b.java").exists());
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("out");
        let _first = OutDir::open(&root).unwrap();
        assert_eq!(OutDir::open(&root).unwrap_err().exit_code(), ExitCode::OutputInUse);
    }

    #[test]
    fn what_cannot_be_a_folder_is_said_so() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("file"), "x").unwrap();
        assert_eq!(OutDir::open(&temp.path().join("file/out")).unwrap_err().exit_code(), ExitCode::OutputNotWritable);
        assert_eq!(OutDir::open(&temp.path().join("file")).unwrap_err().exit_code(), ExitCode::OutputNotWritable);
    }
}
