//! What a child gives up before it becomes a JVM: capabilities, memory without end, descriptors without end. Owns these steps; all are made between `fork` and
//! `exec` and allocate nothing.

use std::io;

/// Beside the heap and as much again for buffers outside of it, in bytes: classes, compiled code, stacks, the JVM's own.
const RESERVE: u64 = 512 << 20;
/// More open files no test needs.
const MAX_FILES: u64 = 4096;
/// Capabilities are numbered up to this at most.
const CAPABILITIES: libc::c_ulong = 64;

/// How much memory a JVM with so large a heap may have.
pub fn memory_for(heap_mb: u32) -> u64 {
    2 * (u64::from(heap_mb) << 20) + RESERVE
}

/// Less memory and fewer files, and never more again.
pub fn limit(memory: Option<u64>) -> io::Result<()> {
    if let Some(memory) = memory {
        lower(libc::RLIMIT_DATA, memory)?;
    }
    lower(libc::RLIMIT_NOFILE, MAX_FILES)
}

fn lower(resource: libc::__rlimit_resource_t, most: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: reads into and sets from a local struct.
    unsafe {
        if libc::getrlimit(resource, &raw mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        limit.rlim_max = limit.rlim_max.min(most);
        limit.rlim_cur = limit.rlim_max;
        if libc::setrlimit(resource, &raw const limit) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// No capability, now and after any `exec`. Those who have none lose nothing.
pub fn drop_capabilities() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[repr(C)]
    #[derive(Default)]
    struct Sets {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    /// The version with two words per set.
    const VERSION: u32 = 0x2008_0522;
    const NO_ROOT: libc::c_ulong = 0b11;
    // SAFETY: constants, and structs of the kernel's layout that outlive the call.
    unsafe {
        // Only those who have the right to can do these; without them nothing is gained by `exec` either, because there are no new privileges.
        for capability in 0..CAPABILITIES {
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0);
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        let header = Header { version: VERSION, pid: 0 };
        let sets = [Sets::default(), Sets::default()];
        if libc::syscall(libc::SYS_capset, &raw const header, sets.as_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
