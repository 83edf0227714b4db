//! A file system of the child's own, in which nothing of the host exists but what it may read or write: namespaces of users, mounts, IPC and network, and a root put together
//! from bind mounts. Owns that plan and the steps in the child, which allocate nothing. Where the kernel refuses, the child goes on with the host's file system.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::Policy;
use super::landlock;

/// What is to be done between `fork` and `exec`.
#[derive(Debug)]
pub(super) struct View {
    /// An empty folder on which the new root is mounted.
    root: CString,
    /// Made in the new root, parents first.
    folders: Vec<CString>,
    files: Vec<CString>,
    /// From where to where.
    readable: Vec<(CString, CString)>,
    writable: Vec<(CString, CString)>,
    /// Link text and place.
    links: Vec<(CString, CString)>,
    /// Where the child's own number gets a link, to be followed by the number.
    numbered: CString,
    users: Vec<u8>,
    groups: Vec<u8>,
}

impl View {
    /// `None` without a folder for the root.
    pub fn plan(policy: &Policy) -> Option<View> {
        let root = policy.root.as_deref()?;
        let system = landlock::SYSTEM_READABLE.iter().map(PathBuf::from).chain(landlock::etc_java());
        let mut readable: Vec<PathBuf> = system
            .chain(policy.readable.iter().cloned())
            .chain([policy.jdk.clone(), "/dev/null".into(), "/proc/self".into()])
            .chain(policy.jdk.canonicalize())
            .chain(landlock::interpreter(&policy.jdk.join("bin/java")))
            .filter(|path| path.is_absolute() && path.exists())
            .collect();
        readable.sort();
        readable.dedup();
        let mut kept: Vec<PathBuf> = Vec::new();
        for path in readable {
            // Parents come first; what is really below one is there already.
            let below = kept.iter().any(|parent| path.starts_with(parent) && is_itself(parent));
            if !(below && is_itself(&path)) {
                kept.push(path);
            }
        }
        let writable: Vec<PathBuf> = policy.writable.iter().filter(|path| path.is_dir()).cloned().collect();
        let mut folders = BTreeSet::new();
        let mut files = BTreeSet::new();
        for path in kept.iter().chain(&writable) {
            folders.extend(path.ancestors().skip(1).map(Path::to_owned));
            if path.is_dir() {
                folders.insert(path.clone());
            } else {
                files.insert(path.clone());
            }
        }
        folders.remove(Path::new("/"));
        let inside = |path: &Path| c_string(&root.join(path.strip_prefix("/").unwrap_or(path)));
        let bind = |path: &PathBuf| Some((c_string(path)?, inside(path)?));
        // SAFETY: asks for numbers.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Some(View {
            root: c_string(root)?,
            folders: folders.iter().map(|path| inside(path)).collect::<Option<_>>()?,
            files: files.iter().map(|path| inside(path)).collect::<Option<_>>()?,
            readable: kept.iter().map(bind).collect::<Option<_>>()?,
            writable: writable.iter().map(bind).collect::<Option<_>>()?,
            links: vec![(c"/proc/self/fd".to_owned(), inside(Path::new("/dev/fd"))?)],
            numbered: inside(Path::new("/proc/"))?,
            users: format!("{user} {user} 1").into_bytes(),
            groups: format!("{group} {group} 1").into_bytes(),
        })
    }

    /// In the child. After an error the child still has the host's file system, and nothing is lost but this layer.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: takes no pointers.
        let unshare = |flags: i32| unsafe { libc::unshare(flags) } == 0;
        let own = libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::CLONE_NEWNET;
        if !unshare(own) {
            check(unshare(own | libc::CLONE_NEWUSER))?;
            write(c"/proc/self/setgroups", b"deny")?;
            write(c"/proc/self/gid_map", &self.groups)?;
            write(c"/proc/self/uid_map", &self.users)?;
        }
        mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE)?;
        mount(Some(c"tmpfs"), &self.root, Some(c"tmpfs"), libc::MS_NOSUID | libc::MS_NODEV)?;
        for folder in &self.folders {
            // SAFETY: a C string that outlives the call. Fails only where the mount below fails as well.
            unsafe { libc::mkdir(folder.as_ptr(), 0o755) };
        }
        for file in &self.files {
            // SAFETY: as above.
            unsafe { libc::mknod(file.as_ptr(), libc::S_IFREG | 0o444, 0) };
        }
        for (text, place) in &self.links {
            // SAFETY: as above.
            check(unsafe { libc::symlink(text.as_ptr(), place.as_ptr()) } == 0)?;
        }
        self.number()?;
        for (from, to) in &self.readable {
            mount(Some(from), to, None, libc::MS_BIND | libc::MS_REC)?;
        }
        self.make_read_only();
        for (from, to) in &self.writable {
            mount(Some(from), to, None, libc::MS_BIND | libc::MS_REC)?;
        }
        self.go_in()
    }

    /// `/proc/<own number>`, which some of the JDK looks for instead of `/proc/self`.
    fn number(&self) -> io::Result<()> {
        let mut path = [0u8; 4200];
        let start = self.numbered.as_bytes();
        let Some(room) = path.len().checked_sub(start.len() + 12) else {
            return Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG));
        };
        debug_assert!(room > 0);
        path[..start.len()].copy_from_slice(start);
        path[start.len()] = b'/';
        // SAFETY: takes no pointers.
        let mut number = unsafe { libc::getpid() };
        let mut digits = [0u8; 10];
        let mut count = 0;
        while number > 0 && count < digits.len() {
            digits[count] = b'0' + (number % 10) as u8;
            number /= 10;
            count += 1;
        }
        for i in 0..count {
            path[start.len() + 1 + i] = digits[count - 1 - i];
        }
        // SAFETY: both strings end with a zero and outlive the call.
        check(unsafe { libc::symlink(c"self".as_ptr(), path.as_ptr().cast()) } == 0)
    }

    /// Everything mounted so far. Landlock refuses writing there in any case, so a kernel without this call (before 5.12) loses nothing.
    fn make_read_only(&self) {
        const SET_ATTRIBUTES: libc::c_long = 442;
        #[repr(C)]
        struct Attributes {
            set: u64,
            clear: u64,
            propagation: u64,
            user_namespace: u64,
        }
        let attributes = Attributes { set: 0b11, clear: 0, propagation: 0, user_namespace: 0 };
        const RECURSIVE: libc::c_int = 0x8000;
        // SAFETY: a C string and a struct of the kernel's layout, which outlive the call.
        unsafe {
            libc::syscall(
                SET_ATTRIBUTES,
                libc::AT_FDCWD,
                self.root.as_ptr(),
                RECURSIVE,
                &raw const attributes,
                size_of::<Attributes>(),
            )
        };
    }

    /// The new root takes the place of the old one, which is let go; the working folder stays.
    fn go_in(&self) -> io::Result<()> {
        let mut here = [0u8; libc::PATH_MAX as usize];
        // SAFETY: the buffer is as long as said; the strings end with a zero and outlive the calls.
        unsafe {
            check(!libc::getcwd(here.as_mut_ptr().cast(), here.len()).is_null())?;
            check(libc::chdir(self.root.as_ptr()) == 0)?;
            check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) == 0)?;
            check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH) == 0)?;
            check(libc::chdir(here.as_ptr().cast()) == 0 || libc::chdir(c"/".as_ptr()) == 0)
        }
    }
}

/// No link is in the way.
fn is_itself(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| real == path)
}

fn c_string(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

fn check(done: bool) -> io::Result<()> {
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn mount(from: Option<&CStr>, to: &CStr, kind: Option<&CStr>, flags: libc::c_ulong) -> io::Result<()> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: null, or C strings that outlive the call.
    check(unsafe { libc::mount(pointer(from), to.as_ptr(), pointer(kind), flags, std::ptr::null()) } == 0)
}

fn write(path: &CStr, text: &[u8]) -> io::Result<()> {
    // SAFETY: a C string and bytes that outlive the calls; the descriptor is ours.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        check(fd >= 0)?;
        let written = libc::write(fd, text.as_ptr().cast(), text.len());
        libc::close(fd);
        check(written == text.len() as isize)
    }
}
