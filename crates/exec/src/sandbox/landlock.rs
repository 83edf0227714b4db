//! The file side of the sandbox, by Landlock. Owns which system folders every JVM needs.

use std::io::{self, Read};
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr,
};

use super::Policy;

/// Read by the dynamic linker, the C library or the JVM itself at start or when asked for time zones, CPUs or memory.
pub const SYSTEM_READABLE: &[&str] = &[
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
    "/usr/share/zoneinfo",
    "/usr/share/javazi-1.8",
    "/usr/share/java",
    "/usr/share/locale",
    // Of processes only the own one, which is added in the child.
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/version",
    "/proc/filesystems",
    "/proc/cgroups",
    "/proc/sys/vm",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/net/core/somaxconn",
    "/proc/sys/fs/file-max",
    "/sys/fs/cgroup",
    "/sys/devices/system",
    "/sys/kernel/mm",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

pub fn version() -> Option<u32> {
    const GET_VERSION: u32 = 1;
    // SAFETY: asks for the version; no memory is passed.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0, GET_VERSION) };
    u32::try_from(version).ok().filter(|v| *v > 0)
}

/// `None` if the kernel turned out to enforce nothing.
pub fn ruleset(policy: &Policy) -> io::Result<Option<OwnedFd>> {
    let abi = ABI::V5;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    for path in SYSTEM_READABLE {
        rules = allow(rules, Path::new(path), read)?;
    }
    for path in etc_java().iter().chain(&policy.readable) {
        rules = allow(rules, path, read)?;
    }
    rules = allow(rules, &policy.jdk, read | AccessFs::Execute)?;
    if let Some(linker) = interpreter(&policy.jdk.join("bin/java")) {
        rules = allow(rules, &linker, AccessFs::ReadFile | AccessFs::Execute)?;
    }
    rules = allow(rules, Path::new("/dev/null"), AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
    let write =
        AccessFs::from_all(abi) & !(AccessFs::Execute | AccessFs::MakeSock | AccessFs::MakeBlock | AccessFs::MakeChar);
    for path in &policy.writable {
        rules = allow(rules, path, write)?;
    }
    Ok(rules.into())
}

/// In the child: it may read about itself. Allocates nothing. The descriptor that stays open keeps the kernel from forgetting the folder, and with it the rule.
pub fn allow_own_process(ruleset: RawFd, stays: RawFd) -> io::Result<()> {
    const PATH_BENEATH: libc::c_int = 1;
    const READ: u64 = 0b1100;
    #[repr(C, packed)]
    struct Rule {
        access: u64,
        folder: i32,
    }
    // SAFETY: constants, an open descriptor, and a struct of the kernel's layout that outlives the call.
    unsafe {
        let own = libc::open(c"/proc/self".as_ptr(), libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC);
        if own < 0 || libc::dup2(own, stays) < 0 {
            return Err(io::Error::last_os_error());
        }
        let rule = Rule { access: READ, folder: own };
        if libc::syscall(libc::SYS_landlock_add_rule, ruleset, PATH_BENEATH, &raw const rule, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

fn allow(rules: RulesetCreated, path: &Path, access: landlock::BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    // Rights that only make sense for folders are refused on files.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
    rules.add_rule(PathBeneath::new(opened, access)).map_err(io::Error::other)
}

/// Debian keeps a JDK's configuration in `/etc/java-*` and links to it.
pub fn etc_java() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/etc") else {
        return Vec::new();
    };
    let names = entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with("java"));
    names.map(|e| e.path()).collect()
}

/// The dynamic linker a program names: the kernel opens it for execution when it starts the program.
pub fn interpreter(program: &Path) -> Option<PathBuf> {
    const PT_INTERP: usize = 3;
    let mut start = vec![0; 4096];
    let read = std::fs::File::open(program).ok()?.read(&mut start).ok()?;
    let elf = &start[..read];
    let number = |at: usize, bytes: usize| -> Option<usize> {
        let little = elf.get(at..at.checked_add(bytes)?)?.iter().rev();
        Some(little.fold(0, |value, byte| value << 8 | usize::from(*byte)))
    };
    if elf.get(..6)? != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut headers = (0..count).filter_map(|i| table.checked_add(i * size));
    let header = headers.find(|&at| number(at, 4) == Some(PT_INTERP))?;
    let (offset, length) = (number(header + 8, 8)?, number(header + 32, 8)?);
    let path = elf.get(offset..offset.checked_add(length)?)?.strip_suffix(&[0])?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_of_a_program_is_found() {
        let me = std::env::current_exe().unwrap();
        assert!(interpreter(&me).is_some_and(|linker| linker.is_file()), "{:?}", interpreter(&me));
        assert_eq!(interpreter(Path::new("/dev/null")), None);
    }
}
