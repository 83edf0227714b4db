//! The scratch folder of a run, and those that earlier runs could not remove because they were killed. Owns the mark by which both are told apart; never touches
//! a folder of a run that goes on, of somebody else, or of another program.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use exec::folder;
use fs4::fs_std::FileExt;

/// Every scratch folder's name begins with it.
const PREFIX: &str = "testudo-";
/// Locked for as long as the run lasts; without it a folder is nobody's.
const OWNER: &str = "owner.lock";

/// A folder of this run, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: tempfile::TempDir,
    /// The lock goes with the handle.
    _owner: File,
}

impl Scratch {
    pub fn make() -> io::Result<Scratch> {
        remove_abandoned(&std::env::temp_dir());
        Scratch::make_in(&std::env::temp_dir())
    }

    fn make_in(parent: &Path) -> io::Result<Scratch> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Locked before it has its name: nobody finds it without its lock.
        let draft = folder.path().join("owner.new");
        let owner = File::create_new(&draft)?;
        owner.lock_exclusive()?;
        fs::rename(&draft, folder.path().join(OWNER))?;
        Ok(Scratch { folder, _owner: owner })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Code under test wrote in here. What cannot be removed is left to the next run.
        let _ = folder::remove(self.folder.path());
    }
}

/// Removes the folders of runs that are no more. What does not work is left as it is.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_abandoned(&entry.path()) {
            let _ = folder::remove(&entry.path());
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    // SAFETY: asks for a number.
    let me = unsafe { libc::geteuid() };
    if !folder.symlink_metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == me) {
        return false;
    }
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let Ok(owner) = File::options().read(true).custom_flags(flags).open(folder.join(OWNER)) else {
        return false;
    };
    owner.metadata().is_ok_and(|meta| meta.is_file() && meta.uid() == me) && owner.try_lock_exclusive().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_killed_run_left_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let running = Scratch::make_in(parent.path()).unwrap();
        let killed = parent.path().join("testudo-killed");
        fs::create_dir(&killed).unwrap();
        fs::write(killed.join(OWNER), "").unwrap();
        fs::create_dir_all(killed.join("workers/worker-1-1")).unwrap();
        let foreign = parent.path().join("testudo-of-somebody");
        fs::create_dir(&foreign).unwrap();
        let other = parent.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(OWNER), "").unwrap();
        std::os::unix::fs::symlink(&other, parent.path().join("testudo-link")).unwrap();
        remove_abandoned(parent.path());
        assert!(running.path().join(OWNER).exists() && foreign.exists() && other.join(OWNER).exists());
        assert!(!killed.exists());
        let path = running.path().to_owned();
        drop(running);
        assert!(!path.exists());
    }
}
