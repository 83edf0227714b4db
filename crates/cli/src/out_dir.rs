//! The output folder: lock, rotation of an earlier run, whole-file writes. Owns every file the command leaves behind.
//! A file there is either complete or absent; folders that are not ours are never touched.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use fs4::fs_std::FileExt;

use crate::failure::Failure;

/// Its presence says "testudo wrote this folder"; it is locked while a run writes.
const LOCK: &str = "testudo.lock";

#[derive(Debug)]
pub struct OutDir {
    root: PathBuf,
    /// Held until the run ends; the lock goes with the handle.
    lock: File,
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
        match fs::symlink_metadata(root) {
            Ok(m) if m.is_dir() => {
                if is_empty(root).map_err(fail)? {
                    fs::remove_dir(root).map_err(fail)?;
                } else {
                    rotate(root)?;
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
        Ok(OutDir { root: root.to_path_buf(), lock })
    }

    /// Writes a whole file, or nothing. `relative` stays inside the folder.
    pub fn write(&self, relative: &Path, bytes: &[u8]) -> Result<(), Failure> {
        debug_assert!(
            relative.components().all(|c| matches!(c, Component::Normal(_))),
            "{} leaves the folder",
            relative.display()
        );
        let path = self.root.join(relative);
        let fail = |e: io::Error| Failure::writing(&path, &e);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(fail)?;
        // Dropping the temporary file on an error removes it.
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder).map_err(fail)?;
        file.write_all(bytes).and_then(|()| file.flush()).map_err(fail)?;
        set_usual_permissions(file.as_file()).map_err(fail)?;
        file.persist(&path).map_err(|e| fail(e.error))?;
        Ok(())
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

/// Moves an earlier run's folder out of the way, if it is one and nobody writes to it.
fn rotate(root: &Path) -> Result<(), Failure> {
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
    let mut name = root.file_name().map(ToOwned::to_owned).unwrap_or_default();
    name.push(".old");
    let old = root.with_file_name(name);
    if fs::symlink_metadata(&old).is_ok() {
        if !old.join(LOCK).exists() {
            return Err(Failure::OutputNotOurs { path: old });
        }
        fs::remove_dir_all(&old).map_err(|e| Failure::writing(&old, &e))?;
    }
    fs::rename(root, &old).map_err(fail)
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
