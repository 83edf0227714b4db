//! Which paths count as outside. Owns the comparison of paths that a child names with the folders that are its own; when in doubt, a path counts.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Files that every JVM may look at: they say the same in every run, or nothing that a test should depend on is learnt from them.
const COMMON: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/usr/share/zoneinfo",
    "/usr/share/javazi-1.8",
    "/usr/share/locale",
    "/proc/self",
    "/proc/thread-self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/sys",
    "/sys/fs/cgroup",
    "/sys/devices/system",
    "/sys/kernel/mm",
];
const DEVICES: &[&str] = &["/dev/null", "/dev/random", "/dev/urandom", "/dev/zero", "/dev/fd"];

/// The folders of one child.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// May be read without that being worth a note: JDK, class path, own folders.
    pub own: Vec<PathBuf>,
    /// May be written: what is found there was made by the child, or put there to see whether it looks.
    pub writable: Vec<PathBuf>,
    /// May be written without that being worth a note. Without links, as the kernel knows them.
    pub uncounted: Vec<PathBuf>,
    /// What the child made itself, as far as it is remembered.
    pub made: BTreeSet<PathBuf>,
}

/// A child that makes more files is not asked about the others.
const REMEMBERED: usize = 10_000;

impl Places {
    /// Whether writing there is nothing to note: a device that swallows everything, or clearly below an uncounted folder.
    pub fn is_uncounted(&self, path: &Path) -> bool {
        if ["/dev/null", "/dev/urandom", "/dev/random"].iter().any(|device| path == Path::new(device)) {
            return true;
        }
        if self.uncounted.is_empty() || !is_plain(path) {
            return false;
        }
        let (Some(parent), Some(_)) = (path.parent(), path.file_name()) else {
            return false;
        };
        // The folder is where it says it is, and the last name is no link to elsewhere.
        self.uncounted.iter().any(|folder| path.starts_with(folder) && path != folder)
            && parent.canonicalize().is_ok_and(|real| real == parent)
            && !path.is_symlink()
    }

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
        let common = COMMON.iter().chain(DEVICES).map(Path::new);
        let own = self.own.iter().chain(&self.writable).map(PathBuf::as_path);
        let known = common.chain(own).any(is_of);
        !known && path.symlink_metadata().is_ok()
    }
}

/// Every part is a name.
fn is_plain(path: &Path) -> bool {
    path.is_absolute() && path.components().all(|c| matches!(c, Component::RootDir | Component::Normal(_)))
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
    fn only_what_is_clearly_below_is_not_counted() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let files = root.join("files");
        std::fs::create_dir_all(files.join("inner")).unwrap();
        std::os::unix::fs::symlink(&root, files.join("link")).unwrap();
        let places = Places { uncounted: vec![files.clone()], ..Places::default() };
        for (path, expected) in [
            ("files/a", true),
            ("files/inner/a", true),
            ("files", false),
            ("other", false),
            ("files/../other", false),
            ("files/inner/../../other", false),
            ("files/link/other", false),
            ("files/link", false),
            ("files/absent/a", false),
            ("filesystem", false),
        ] {
            assert_eq!(places.is_uncounted(&root.join(path)), expected, "{path}");
        }
        assert!(!places.is_uncounted(Path::new("files/a")) && places.is_uncounted(Path::new("/dev/null")));
    }

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
