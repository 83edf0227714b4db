//! Which paths count as outside. Owns the comparison of paths that a child names with the folders that are its own; when in doubt, a path counts.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::landlock::SYSTEM_READABLE;

/// Beside what every JVM may read: it says the same in every run, or nothing that a test should depend on is learnt from
/// it.
const ALSO_COMMON: &[&str] =
    &["/etc/nsswitch.conf", "/proc/self", "/proc/thread-self", "/proc/sys", "/dev/null", "/dev/fd"];

/// The folders of one child.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// May be read without that being worth a note: JDK, class path, own folders.
    pub own: Vec<PathBuf>,
    /// May be written: what is found there was made by the child, or put there to see whether it looks.
    pub writable: Vec<PathBuf>,
    /// What the child made itself, as far as it is remembered.
    pub made: BTreeSet<PathBuf>,
}

/// A child that makes more files is not asked about the others.
const REMEMBERED: usize = 10_000;

impl Places {
    /// The child makes something there.
    pub fn makes(&mut self, path: &Path) {
        if self.made.len() < REMEMBERED && path.symlink_metadata().is_err() {
            self.made.insert(plain(path));
        }
    }

    /// Whether the answer depends on this machine: the path exists, and is none of those that a JVM or its classes are
    /// made of. That the folders above those exist is no news, so looking at them without opening them does not count:
    /// the JDK does so to resolve links.
    pub fn tells_of_this_machine(&self, path: &Path, opens: bool) -> bool {
        let path = &plain(path);
        if self.writable.iter().any(|own| path.starts_with(own)) {
            let made = |path: &Path| self.made.contains(path);
            return !self.writable.contains(path) && !path.ancestors().any(made) && path.symlink_metadata().is_ok();
        }
        let is_of = |known: &Path| path.starts_with(known) || !opens && known.starts_with(path);
        let common = SYSTEM_READABLE.iter().chain(ALSO_COMMON).map(Path::new);
        let own = self.own.iter().chain(&self.writable).map(PathBuf::as_path);
        let known = common.chain(own).any(is_of);
        !known && path.symlink_metadata().is_ok()
    }
}

/// Whether writing there is nothing to note: the device swallows everything.
pub(crate) fn swallows(path: &Path) -> bool {
    ["/dev/null", "/dev/urandom", "/dev/random"].iter().any(|device| path == Path::new(device))
}

/// Two paths as one.
pub(crate) fn joined(base: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { base.to_owned() } else { base.join(path) }
}

/// Without `.` and `..`, by name alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_not_the_own_tells_of_this_machine() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("own")).unwrap();
        std::fs::write(root.join("decoy"), "").unwrap();
        std::fs::create_dir(root.join("work")).unwrap();
        std::fs::write(root.join("own/x"), "").unwrap();
        let mut places = Places { own: vec![root.join("own")], writable: vec![root.join("work")], ..Places::default() };
        places.makes(&root.join("work/made"));
        for file in ["work/made", "work/found"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        for (path, expected) in [
            ("work", false),
            ("work/made", false),
            ("work/found", true),
            ("own/x", false),
            ("decoy", true),
            ("own/../decoy", true),
            ("absent", false),
        ] {
            assert_eq!(places.tells_of_this_machine(&root.join(path), false), expected, "{path}");
        }
        assert!(!places.tells_of_this_machine(Path::new("/proc/self/stat"), true));
        // A child has a file system of its own: what it finds absent there is there for others.
        for shown in ["/proc/1/environ", "/proc/mounts", "/etc/passwd"].map(Path::new).iter().filter(|p| p.exists()) {
            assert!(places.tells_of_this_machine(shown, false), "{}", shown.display());
        }
        // Resolving links goes through the folders above; listing them is another matter.
        for above in [Path::new("/dev"), root.as_path()] {
            assert!(!places.tells_of_this_machine(above, false) && places.tells_of_this_machine(above, true));
        }
    }
}
