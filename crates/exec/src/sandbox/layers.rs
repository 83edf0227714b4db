//! Which layers of the sandbox hold on this machine, seen by trying each in a child. Owns the list of layers and the trials; prints nothing.

/// One thing that stands between code under test and the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    pub name: &'static str,
    /// What it stops.
    pub stops: &'static str,
    /// `None`: it holds. Else why not.
    pub missing: Option<String>,
}

/// In the order in which the child's answers are numbered.
const LAYERS: [(&str, &str, &str); 8] = [
    (
        "files",
        "reading and writing outside of the class path and the scratch folder",
        "no Landlock, or one before version 3 (Linux 6.2)",
    ),
    ("processes", "seeing what other processes are and were told", "no Landlock"),
    ("calls", "network, programs, signals, file attributes, and every system call no JVM makes", "no seccomp filters"),
    (
        "watch",
        "delivering a test that swallowed what was refused",
        "no seccomp notifications (Linux 5.9), or another watcher is there already",
    ),
    ("rights", "gaining rights by programs that have more", "the kernel does not take `no_new_privs`"),
    ("capabilities", "using the rights of root", "capabilities cannot be dropped"),
    ("memory", "using up the machine's memory", "limits cannot be set"),
    ("view", "seeing that other files exist, and how large they are", "no namespaces for users and mounts"),
];

#[cfg(target_os = "linux")]
pub use trial::layers;

/// Every layer, none of which holds.
#[cfg(not(target_os = "linux"))]
pub fn layers() -> Vec<Layer> {
    let none = |(name, stops, _): &(&'static str, &'static str, &str)| Layer {
        name,
        stops,
        missing: Some("only Linux has it".to_owned()),
    };
    LAYERS.iter().map(none).collect()
}

#[cfg(target_os = "linux")]
mod trial {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::{LAYERS, Layer};
    use crate::folder::Folder;
    use crate::sandbox::{Kind, Policy, Sandbox, Seen};

    /// Megabytes of heap that the trial's memory limit is made for.
    const HEAP_MB: u32 = 64;

    /// Every layer, tried in a child that is locked in as JVMs are.
    pub fn layers() -> Vec<Layer> {
        let (held, problem) = match attempt() {
            Ok(held) => (held, None),
            Err(problem) => (0, Some(format!("the trial failed: {problem}"))),
        };
        let layer = |(i, (name, stops, why)): (usize, &(&'static str, &'static str, &str))| {
            let missing = problem.clone().unwrap_or_else(|| (*why).to_owned());
            Layer { name, stops, missing: (held & 1 << i == 0).then_some(missing) }
        };
        LAYERS.iter().enumerate().map(layer).collect()
    }

    /// A bit per layer that holds.
    fn attempt() -> std::io::Result<u32> {
        let seen = Seen::new()?;
        let folder = Folder::make_free(&std::env::temp_dir(), "testudo-trial")?;
        let policy = Policy { heap_mb: Some(HEAP_MB), root: Some(folder.root()), ..Policy::default() };
        let mut sandbox = Sandbox::prepare(&policy, &seen)?;
        let old_landlock = super::super::landlock::version().is_some_and(|version| version < 3);
        let parent = std::ffi::CString::new(format!("/proc/{}/stat", std::process::id()))?;
        // Never started: the child ends before it becomes a program.
        let mut command = Command::new("/dev/null");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let enter = move || -> std::io::Result<()> {
            sandbox.enter()?;
            // SAFETY: constants, C strings that outlive the calls, and the end of the process.
            unsafe { libc::_exit(i32::from(look(&parent))) }
        };
        // SAFETY: the closure makes system calls on data prepared before `fork`; it neither allocates nor takes locks.
        unsafe { command.pre_exec(enter) };
        let mut child = command.spawn()?;
        drop(command);
        let answers = child.wait()?.code().unwrap_or(0) as u32;
        let watched = seen.page.counted(Kind::Ipc) > 0;
        // The child cannot tell the watch; it has the fourth place.
        let (first, rest) = (answers & 0b111, answers >> 3);
        let first = if old_landlock { first & !1 } else { first };
        Ok(first | u32::from(watched) << 3 | rest << 4)
    }

    /// What the child finds: files, processes, calls, rights, capabilities, memory, view.
    ///
    /// # Safety
    /// Makes system calls only; `parent` is the path of our own file in `/proc`.
    unsafe fn look(parent: &std::ffi::CStr) -> u8 {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: constants, C strings and a local struct that outlive the calls.
        unsafe {
            let files = libc::open(c"/".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY) < 0;
            let processes = libc::open(parent.as_ptr(), libc::O_RDONLY) < 0;
            let calls = libc::shmget(libc::IPC_PRIVATE, 1, 0) < 0;
            let rights = libc::prctl(libc::PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
            // Taken from the set that bounds all others, or never ours.
            let header = [0x2008_0522u32, 0];
            let mut sets = [1u32; 6];
            let asked = libc::syscall(libc::SYS_capget, header.as_ptr(), sets.as_mut_ptr()) == 0;
            let capabilities = asked && sets == [0; 6];
            let memory =
                libc::getrlimit(libc::RLIMIT_DATA, &raw mut limit) == 0 && limit.rlim_cur != libc::RLIM_INFINITY;
            let view = libc::access(c"/etc/passwd".as_ptr(), libc::F_OK) != 0;
            [files, processes, calls, rights, capabilities, memory, view]
                .iter()
                .enumerate()
                .fold(0, |all, (i, holds)| all | u8::from(*holds) << i)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn all_layers_hold_here() {
            let layers = layers();
            assert!(layers.iter().all(|layer| layer.missing.is_none()), "{layers:?}");
        }
    }
}
