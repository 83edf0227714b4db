//! The folder of one child: the two folders in it that the child may write, and its removal whatever the child left there. Owns both; never follows a link.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Removed with everything in it when dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// With the first serial number that nobody has.
    pub fn make_free(scratch: &Path, kind: &str) -> io::Result<Folder> {
        let is_free = |serial: &u32| !scratch.join(format!("{kind}-{}-{serial}", std::process::id())).exists();
        // There are not as many folders as numbers.
        Folder::make(scratch, kind, (0..u32::MAX).find(is_free).unwrap_or_default())
    }

    /// `kind-process-serial` in the scratch folder, which is made if it is missing.
    pub fn make(scratch: &Path, kind: &str, serial: u32) -> io::Result<Folder> {
        fs::create_dir_all(scratch)?;
        let path = scratch.canonicalize()?.join(format!("{kind}-{}-{serial}", std::process::id()));
        if path.symlink_metadata().is_ok() {
            remove(&path)?;
        }
        fs::create_dir(&path)?;
        let folder = Folder(path);
        for inner in [folder.work(), folder.temporary(), folder.root()] {
            fs::create_dir(inner)?;
        }
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the child runs, and its home.
    pub fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    pub fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }

    /// Empty; the child's own file system is mounted on it where it can be.
    pub fn root(&self) -> PathBuf {
        self.0.join("root")
    }

    /// Beside the child's own folders, where it cannot write.
    pub fn output(&self) -> PathBuf {
        self.0.join("output.txt")
    }

    /// What the child may write.
    pub fn writable(&self) -> Vec<PathBuf> {
        vec![self.work(), self.temporary()]
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is in a scratch folder anyway.
        let _ = remove(&self.0);
    }
}

/// Removes a folder of code that is not trusted: however deep it is, whatever its links and rights are.
pub fn remove(path: &Path) -> io::Result<()> {
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    let top = open_folder(libc::AT_FDCWD, &c_string(path.as_os_str())?)?;
    let mut number = 0u64;
    loop {
        let names = names(&top)?;
        if names.is_empty() {
            return fs::remove_dir(path);
        }
        let before = number;
        let mut removed = 0;
        for name in names {
            if unlink(&top, &name, 0).is_ok() || unlink(&top, &name, libc::AT_REMOVEDIR).is_ok() {
                removed += 1;
                continue;
            }
            let inner = open_folder(top.as_raw_fd(), &name)?;
            for child in self::names(&inner)? {
                if unlink(&inner, &child, 0).is_ok() || unlink(&inner, &child, libc::AT_REMOVEDIR).is_ok() {
                    continue;
                }
                // A folder with something in it goes to the top, so that no path gets long and no descriptor stays open.
                let _ = open_folder(inner.as_raw_fd(), &child);
                number += 1;
                let free =
                    CString::new(format!(".removed-{}-{number}", std::process::id())).map_err(io::Error::other)?;
                // SAFETY: open descriptors and C strings that outlive the call.
                let moved =
                    unsafe { libc::renameat(inner.as_raw_fd(), child.as_ptr(), top.as_raw_fd(), free.as_ptr()) };
                if moved != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            drop(inner);
            removed += u64::from(unlink(&top, &name, libc::AT_REMOVEDIR).is_ok());
        }
        if removed == 0 && number == before {
            return Err(io::Error::other("nothing more can be removed"));
        }
    }
}

/// Opens a folder for listing, after giving ourselves the right to; fails on links and anything else.
fn open_folder(parent: i32, name: &CStr) -> io::Result<OwnedFd> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let open = |flags: i32| -> io::Result<OwnedFd> {
        // SAFETY: a C string that outlives the call.
        let fd = unsafe { libc::openat(parent, name.as_ptr(), flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just made, owned by nobody else.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    };
    #[cfg(target_os = "linux")]
    if let Ok(place) = open(flags | libc::O_PATH) {
        // The path goes by the descriptor, so that a link that takes the folder's place is not followed.
        let by_descriptor = CString::new(format!("/proc/self/fd/{}", place.as_raw_fd())).map_err(io::Error::other)?;
        // SAFETY: a C string that outlives the call.
        unsafe { libc::chmod(by_descriptor.as_ptr(), 0o700) };
    }
    open(flags | libc::O_RDONLY)
}

fn unlink(folder: &OwnedFd, name: &CStr, flags: i32) -> io::Result<()> {
    // SAFETY: an open descriptor and a C string that outlives the call.
    match unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What is in a folder.
fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let entries = fs::read_dir(format!("/proc/self/fd/{}", folder.as_raw_fd()))?;
    entries.map(|entry| c_string(&entry?.file_name())).collect()
}

fn c_string(name: &OsStr) -> io::Result<CString> {
    CString::new(name.as_bytes()).map_err(io::Error::other)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn everything_goes_and_nothing_behind_links() {
        let root = tempfile::tempdir().unwrap();
        let outside = root.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "").unwrap();
        let folder = Folder::make(root.path(), "worker", 1).unwrap();
        symlink(&outside, folder.work().join("link")).unwrap();
        symlink("/dev/zero", folder.temporary().join("device")).unwrap();
        let locked = folder.work().join("locked");
        fs::create_dir(&locked).unwrap();
        fs::write(locked.join("file"), "").unwrap();
        symlink(&outside, locked.join("link")).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o0)).unwrap();
        // Where we are root the ordinary way removes this too, so the other way is taken by depth below.
        fs::DirBuilder::new().mode(0o0).create(folder.work().join("closed")).unwrap();
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists() && outside.join("kept").exists());
    }

    #[test]
    fn folders_deeper_than_any_path_go_too() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().join("top");
        fs::create_dir(&top).unwrap();
        let mut at = open_folder(libc::AT_FDCWD, &c_string(top.as_os_str()).unwrap()).unwrap();
        for _ in 0..1_500 {
            // SAFETY: an open descriptor and a constant.
            unsafe { libc::mkdirat(at.as_raw_fd(), c"d".as_ptr(), 0o700) };
            at = open_folder(at.as_raw_fd(), c"d").unwrap();
        }
        remove(&top).unwrap();
        assert!(!top.exists());
    }
}
