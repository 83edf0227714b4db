//! The system-call side of the sandbox: a seccomp program. Owns which calls are refused and with which error.

use std::io;

use libc::{c_long, sock_filter, sock_fprog};

/// Refused with `EPERM`, whatever the arguments.
const REFUSED: &[c_long] = &[
    libc::SYS_socket,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_io_uring_setup,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Allowed only when the first argument is the own process.
const OWN_PROCESS_ONLY: &[c_long] = &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_tgsigqueueinfo];

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Offsets in the kernel's `seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;

/// Numbers of the other x86-64 ABI start here.
const X32: u32 = 0x4000_0000;

pub fn available() -> bool {
    if ARCHITECTURE == 0 {
        return false;
    }
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: asks whether an action is known; `action` outlives the call.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// The filter, complete but for the process id, which only the child knows.
#[derive(Debug)]
pub struct Program {
    code: Vec<sock_filter>,
    /// Instructions that compare with the own process id.
    own: Vec<usize>,
}

impl Program {
    pub fn new() -> Program {
        let mut program = Program { code: Vec::new(), own: Vec::new() };
        program.push(LOAD, 0, 0, ARCH);
        program.push(EQUAL, 1, 0, ARCHITECTURE);
        program.refuse(libc::EPERM);
        program.push(LOAD, 0, 0, NUMBER);
        if cfg!(target_arch = "x86_64") {
            program.push(AT_LEAST, 0, 1, X32);
            program.refuse(libc::EPERM);
        }
        for &call in REFUSED {
            program.push(EQUAL, 0, 1, call as u32);
            program.refuse(libc::EPERM);
        }
        // The C library falls back to `clone`, whose flags can be looked at.
        program.push(EQUAL, 0, 1, libc::SYS_clone3 as u32);
        program.refuse(libc::ENOSYS);
        // Threads, not processes.
        program.push(EQUAL, 0, 4, libc::SYS_clone as u32);
        program.push(LOAD, 0, 0, FIRST_ARGUMENT);
        program.push(ANY_BIT, 1, 0, libc::CLONE_THREAD as u32);
        program.refuse(libc::EPERM);
        program.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
        for &call in OWN_PROCESS_ONLY {
            program.push(EQUAL, 0, 4, call as u32);
            program.push(LOAD, 0, 0, FIRST_ARGUMENT);
            program.own.push(program.code.len());
            program.push(EQUAL, 1, 0, 0);
            program.refuse(libc::EPERM);
            program.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
        }
        program.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
        program
    }

    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.code.push(sock_filter { code, jt, jf, k });
    }

    fn refuse(&mut self, errno: i32) {
        self.push(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32);
    }

    /// In the child, before `exec`: no allocation.
    pub fn install(&mut self) -> io::Result<()> {
        // SAFETY: no arguments.
        let pid = unsafe { libc::getpid() } as u32;
        for &index in &self.own {
            self.code[index].k = pid;
        }
        let program = sock_fprog { len: self.code.len() as u16, filter: self.code.as_mut_ptr() };
        // SAFETY: `program` points to `len` valid instructions that outlive the call.
        let installed =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
        if installed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}
