//! What a child JVM may touch: read the JDK and the class path, write its scratch folder, start threads; no network, no
//! programs, no signals to others. Owns the policy and what the kernel can enforce of it. Everything is prepared before
//! `fork`; in the child only system calls are made.

mod attempt;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod landlock;
mod layers;
#[cfg(target_os = "linux")]
mod line;
mod page;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod rights;
mod seen;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod watch;

pub use attempt::{Attempt, Kind};
pub use layers::{Layer, layers};
pub(crate) use page::Words;
pub(crate) use seen::Seen;

use std::io;
use std::path::PathBuf;

/// The folders and files a child needs beyond what every JVM needs.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The JDK; may be read and executed.
    pub jdk: PathBuf,
    /// May be read: class-path entries, jars.
    pub readable: Vec<PathBuf>,
    /// May be read and written.
    pub writable: Vec<PathBuf>,
    /// Looking at files that are on this machine only is noted. Costs start-up time.
    pub watch_reads: bool,
    /// An empty folder, on which a file system of the child's own is put together.
    pub root: Option<PathBuf>,
    /// The JVM's heap, by which all its memory is bounded.
    pub heap_mb: Option<u32>,
}

#[cfg(target_os = "linux")]
impl Policy {
    fn places(&self) -> place::Places {
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let own = [&self.jdk].into_iter().chain(&self.readable);
        place::Places {
            own: own.flat_map(|path| [path.clone(), real(path)]).chain(landlock::etc_java()).collect(),
            writable: self.writable.iter().map(real).collect(),
            ..place::Places::default()
        }
    }
}

/// What this machine's kernel can enforce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Landlock's ABI version, if there is one: limits files.
    pub files: Option<u32>,
    /// System-call filters: limit network, programs and signals.
    pub calls: bool,
}

/// A policy turned into kernel objects, to be applied in any number of children.
#[derive(Debug)]
pub struct Sandbox {
    #[cfg(target_os = "linux")]
    ruleset: Option<std::os::fd::OwnedFd>,
    #[cfg(target_os = "linux")]
    program: Option<filter::Program>,
    /// The child's end of the line to its watcher.
    #[cfg(target_os = "linux")]
    line: Option<std::os::fd::OwnedFd>,
    /// All memory a child may have, in bytes.
    #[cfg(target_os = "linux")]
    memory: Option<u64>,
    #[cfg(target_os = "linux")]
    view: Option<view::View>,
}

impl Sandbox {
    #[cfg(target_os = "linux")]
    pub fn available() -> Report {
        Report { files: landlock::version(), calls: filter::available() }
    }

    #[cfg(not(target_os = "linux"))]
    pub fn available() -> Report {
        Report { files: None, calls: false }
    }

    /// Uses what the kernel has. A path that does not exist is passed over. What the child tries is told to `seen`.
    #[cfg(target_os = "linux")]
    pub(crate) fn prepare(policy: &Policy, seen: &Seen) -> io::Result<Sandbox> {
        let report = Sandbox::available();
        let ruleset = match report.files {
            // The child puts its pipes on low descriptors before it locks itself in.
            Some(_) => landlock::ruleset(policy)?.map(crate::process::high).transpose()?,
            None => None,
        };
        let shown = match (filter::can_notify(), policy.watch_reads) {
            (false, _) => filter::Shown::Nothing,
            (true, false) => filter::Shown::Reaching,
            (true, true) => filter::Shown::Looking,
        };
        let line = if shown == filter::Shown::Nothing {
            None
        } else {
            let (ours, theirs) = line::open()?;
            watch::watch(ours, seen.clone(), policy.places())?;
            Some(crate::process::high(theirs)?)
        };
        Ok(Sandbox {
            ruleset,
            program: report.calls.then(|| filter::Program::new(shown)),
            line,
            memory: policy.heap_mb.map(rights::memory_for),
            view: view::View::plan(policy),
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn prepare(_: &Policy, _: &Seen) -> io::Result<Sandbox> {
        Ok(Sandbox {})
    }

    /// Locks the calling process in, for good. Called between `fork` and `exec`: makes system calls only, allocates nothing.
    #[cfg(target_os = "linux")]
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        if let Some(view) = &self.view {
            // Landlock and the filter hold without it.
            let _ = view.enter();
        }
        // It ends with us, whatever it was given meanwhile. Nothing can take this back once the filter is there.
        // SAFETY: takes no pointers.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
        rights::limit(self.memory)?;
        // SAFETY: plain system calls with constants and descriptors owned by `self`.
        unsafe {
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(io::Error::last_os_error());
            }
            if let Some(ruleset) = &self.ruleset {
                landlock::allow_own_process(ruleset.as_raw_fd(), crate::process::CHILD_ITSELF)?;
                if libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
        }
        rights::drop_capabilities()?;
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let Some(listener) = program.install()? else {
            return Ok(());
        };
        match &self.line {
            // Whoever holds the descriptor could answer for us: it is gone with `exec`.
            Some(line) => line::send(line.as_raw_fd(), listener),
            None => Ok(()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        Ok(())
    }
}
