//! The system calls a JVM may make, why it needs them, and what becomes of those that reach outside. Owns this list only; everything that is not on it is
//! refused.

use libc::c_long;

use super::attempt::Kind;

/// What becomes of a call.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    Allow,
    /// Only tells what is on this machine: noted where that matters, allowed everywhere.
    Looks,
    /// Opens a file; the argument with this number has the flags. Opening for writing is noted; Landlock decides.
    Open(u8),
    /// Writes to a file that is named: noted; Landlock decides.
    Writes,
    /// Noted and refused.
    Refused(Kind),
    /// Allowed if the argument with this number is one of these; else noted and refused.
    OneOf(u8, &'static [u32], Kind),
    /// Allowed if the first argument is the own process; else noted and refused.
    OwnProcess,
    /// Allowed for threads; else noted and refused.
    Threads,
    /// Allowed to the process that is not a JVM yet; else noted and refused.
    Exec,
    /// As if the kernel did not have it, so that the C library takes an older call whose arguments can be looked at.
    Absent,
}

/// Where a call names a file: the argument with the folder's descriptor, if there is one, and the argument with the path.
pub type Named = (Option<u8>, u8);

#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub number: c_long,
    name: &'static str,
    pub rule: Rule,
    pub named: &'static [Named],
}

impl Call {
    pub fn name(&self) -> &'static str {
        self.name.strip_prefix("SYS_").unwrap_or(self.name)
    }
}

/// Flags that make an opened file writable, or make a file.
pub const WRITING: u32 =
    (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u32;

/// Calls above this number are newer than this list: they do not exist for the child.
pub const LAST_KNOWN: u32 = 467;

macro_rules! calls {
    ($($sys:ident)* => $rule:expr) => { &[$(Call { number: libc::$sys, name: stringify!($sys), rule: $rule, named: &[] }),*] };
    ($($sys:ident: $named:expr),* => $rule:expr) => {
        &[$(Call { number: libc::$sys, name: stringify!($sys), rule: $rule, named: $named }),*]
    };
}

const AT: &[Named] = &[(Some(0), 1)];

/// All calls with a rule of their own, by what they are for.
pub const GROUPS: &[&[Call]] = &[
    // Memory: heap, code and stacks are reserved, committed and protected by the JVM itself.
    calls!(SYS_brk SYS_mmap SYS_mprotect SYS_munmap SYS_mremap SYS_madvise SYS_mincore SYS_msync SYS_mlock SYS_munlock SYS_membarrier
        SYS_get_mempolicy => Rule::Allow),
    // Open files: what they are was judged when they were opened.
    calls!(SYS_read SYS_pread64 SYS_readv SYS_preadv SYS_preadv2 SYS_write SYS_pwrite64 SYS_writev SYS_pwritev SYS_pwritev2 SYS_lseek
        SYS_close SYS_close_range SYS_dup SYS_dup3 SYS_fstat SYS_fstatfs SYS_ftruncate SYS_fallocate SYS_fsync SYS_fdatasync SYS_flock
        SYS_fadvise64 SYS_sendfile SYS_copy_file_range SYS_getcwd SYS_umask => Rule::Allow),
    // Waiting: selectors, pipes, and what wakes them.
    calls!(SYS_ppoll SYS_pselect6 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2 SYS_eventfd2 SYS_pipe2 => Rule::Allow),
    // Threads: starting is `clone`, below.
    calls!(SYS_futex SYS_futex_waitv SYS_set_robust_list SYS_get_robust_list SYS_set_tid_address SYS_rseq SYS_gettid SYS_sched_yield
        SYS_sched_getaffinity SYS_sched_getparam SYS_sched_getscheduler SYS_sched_get_priority_max SYS_sched_get_priority_min SYS_getcpu
        SYS_getpriority SYS_exit SYS_exit_group SYS_wait4 SYS_waitid => Rule::Allow),
    // Signals to oneself: null checks, safepoints and stack banging are signals in a JVM.
    calls!(SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigsuspend SYS_rt_sigpending SYS_rt_sigtimedwait SYS_sigaltstack
        SYS_restart_syscall => Rule::Allow),
    // Time.
    calls!(SYS_clock_gettime SYS_clock_getres SYS_gettimeofday SYS_times SYS_nanosleep SYS_clock_nanosleep => Rule::Allow),
    // Who and where one is, and how much there is of everything.
    calls!(SYS_getpid SYS_getppid SYS_getpgid SYS_getsid SYS_getuid SYS_geteuid SYS_getgid SYS_getegid SYS_getresuid SYS_getresgid
        SYS_getgroups SYS_capget SYS_uname SYS_sysinfo SYS_getrusage SYS_getrlimit SYS_setrlimit SYS_getrandom => Rule::Allow),
    // Passes the notifications' descriptor to us, before the JVM starts. There are no sockets after that.
    calls!(SYS_sendmsg => Rule::Allow),
    // Older forms of the above.
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_dup2 SYS_poll SYS_select SYS_epoll_create SYS_epoll_wait SYS_eventfd SYS_pipe SYS_pause SYS_time SYS_getpgrp SYS_arch_prctl
        SYS_set_thread_area SYS_get_thread_area => Rule::Allow),
    // Reading: Landlock decides.
    calls!(SYS_newfstatat: AT, SYS_statx: AT, SYS_faccessat: AT, SYS_faccessat2: AT, SYS_readlinkat: AT, SYS_statfs: &[(None, 0)] => Rule::Looks),
    calls!(SYS_getxattr: &[(None, 0)], SYS_lgetxattr: &[(None, 0)], SYS_fgetxattr: &[], SYS_listxattr: &[(None, 0)], SYS_llistxattr: &[(None, 0)],
        SYS_flistxattr: &[] => Rule::Looks),
    calls!(SYS_getdents64: &[] => Rule::Looks),
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_stat: &[(None, 0)], SYS_lstat: &[(None, 0)], SYS_access: &[(None, 0)], SYS_readlink: &[(None, 0)], SYS_getdents: &[] => Rule::Looks),
    calls!(SYS_openat: AT => Rule::Open(2)),
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_open: &[(None, 0)] => Rule::Open(1)),
    // Their arguments cannot be looked at by a filter.
    calls!(SYS_clone3 SYS_openat2 => Rule::Absent),
    // Writing.
    calls!(SYS_truncate: &[(None, 0)], SYS_unlinkat: AT, SYS_renameat2: &[(Some(0), 1), (Some(2), 3)], SYS_mkdirat: AT, SYS_mknodat: AT,
        SYS_linkat: &[(Some(0), 1), (Some(2), 3)], SYS_symlinkat: &[(Some(1), 2)] => Rule::Writes),
    calls!(SYS_renameat: &[(Some(0), 1), (Some(2), 3)] => Rule::Writes),
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_creat: &[(None, 0)], SYS_unlink: &[(None, 0)], SYS_rename: &[(None, 0), (None, 1)], SYS_mkdir: &[(None, 0)], SYS_rmdir: &[(None, 0)],
        SYS_mknod: &[(None, 0)], SYS_link: &[(None, 0), (None, 1)], SYS_symlink: &[(None, 1)] => Rule::Writes),
    // Landlock does not cover attributes, and the path may change behind any check: they are refused everywhere.
    calls!(SYS_fchmod: &[], SYS_fchmodat: AT, SYS_fchown: &[], SYS_fchownat: AT, SYS_utimensat: AT, SYS_setxattr: &[(None, 0)], SYS_lsetxattr: &[(None, 0)],
        SYS_fsetxattr: &[], SYS_removexattr: &[(None, 0)], SYS_lremovexattr: &[(None, 0)], SYS_fremovexattr: &[] => Rule::Refused(Kind::Files)),
    &[Call { number: FCHMODAT2, name: "fchmodat2", rule: Rule::Refused(Kind::Files), named: AT }],
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_chmod: &[(None, 0)], SYS_chown: &[(None, 0)], SYS_lchown: &[(None, 0)], SYS_utime: &[(None, 0)], SYS_utimes: &[(None, 0)],
        SYS_futimesat: AT => Rule::Refused(Kind::Files)),
    calls!(SYS_socket SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4 SYS_sendto SYS_recvfrom SYS_recvmsg
        SYS_sendmmsg SYS_recvmmsg SYS_shutdown SYS_getsockname SYS_getpeername SYS_setsockopt SYS_getsockopt
        => Rule::Refused(Kind::Network)),
    // File channels make a pair of streams, to have a descriptor that is closed from the other side. Datagrams of a pair could be sent elsewhere.
    calls!(SYS_socketpair => Rule::OneOf(1, STREAMS, Kind::Network)),
    calls!(SYS_clone => Rule::Threads),
    calls!(SYS_execve: &[(None, 0)] => Rule::Exec),
    calls!(SYS_execveat: AT => Rule::Refused(Kind::Program)),
    #[cfg(target_arch = "x86_64")]
    calls!(SYS_fork SYS_vfork => Rule::Refused(Kind::Program)),
    calls!(SYS_kill SYS_tgkill SYS_rt_tgsigqueueinfo => Rule::OwnProcess),
    // The own limits may be asked for and lowered.
    calls!(SYS_prlimit64 => Rule::OneOf(0, &[0], Kind::Process)),
    calls!(SYS_tkill SYS_rt_sigqueueinfo SYS_pidfd_open SYS_pidfd_send_signal SYS_pidfd_getfd SYS_ptrace SYS_process_vm_readv
        SYS_process_vm_writev SYS_process_madvise SYS_process_mrelease SYS_kcmp SYS_sched_setaffinity SYS_sched_setparam
        SYS_sched_setscheduler SYS_sched_setattr SYS_setpriority SYS_ioprio_set SYS_migrate_pages SYS_move_pages SYS_setpgid SYS_setsid
        => Rule::Refused(Kind::Process)),
    calls!(SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_semget SYS_semop SYS_semctl SYS_semtimedop SYS_msgget SYS_msgsnd SYS_msgrcv
        SYS_msgctl SYS_mq_open SYS_mq_unlink SYS_mq_timedsend SYS_mq_timedreceive SYS_mq_notify SYS_mq_getsetattr
        => Rule::Refused(Kind::Ipc)),
    // Of these only harmless forms: no owner for signals of a descriptor, no terminal input, no file attributes, nothing that undoes the sandbox.
    calls!(SYS_fcntl => Rule::OneOf(1, FCNTL, Kind::Process)),
    calls!(SYS_ioctl => Rule::OneOf(1, IOCTL, Kind::Other)),
    calls!(SYS_prctl => Rule::OneOf(0, PRCTL, Kind::Other)),
];

/// Refused by the same rule as what is not listed, but by name.
pub const NAMED_OTHERS: &[(c_long, &str)] = &[
    (libc::SYS_mount, "mount"),
    (libc::SYS_umount2, "umount2"),
    (libc::SYS_bpf, "bpf"),
    (libc::SYS_keyctl, "keyctl"),
    (libc::SYS_unshare, "unshare"),
    (libc::SYS_setns, "setns"),
    (libc::SYS_io_uring_setup, "io_uring_setup"),
    (libc::SYS_perf_event_open, "perf_event_open"),
    (libc::SYS_userfaultfd, "userfaultfd"),
    (libc::SYS_inotify_init1, "inotify_init1"),
    (libc::SYS_memfd_create, "memfd_create"),
    (libc::SYS_chdir, "chdir"),
    (libc::SYS_chroot, "chroot"),
    (libc::SYS_setuid, "setuid"),
    (libc::SYS_seccomp, "seccomp"),
];

/// The number is the same for every architecture; not all have its name.
const FCHMODAT2: c_long = 452;

const FCNTL: &[u32] = &[
    libc::F_DUPFD as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETLK as u32,
    libc::F_SETLK as u32,
    libc::F_SETLKW as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_OFD_SETLK as u32,
    libc::F_OFD_SETLKW as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_GET_SEALS as u32,
];

const STREAMS: &[u32] = &[
    libc::SOCK_STREAM as u32,
    (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as u32,
    (libc::SOCK_STREAM | libc::SOCK_NONBLOCK) as u32,
    (libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC) as u32,
];

/// Is it a terminal, how large is it, how much can be read, do not wait.
const IOCTL: &[u32] = &[0x5401, 0x5413, 0x541B, 0x5421, 0x802C_542A];

/// Names of threads and maps, and questions.
const PRCTL: &[u32] = &[
    libc::PR_SET_NAME as u32,
    libc::PR_GET_NAME as u32,
    libc::PR_SET_VMA as u32,
    libc::PR_GET_DUMPABLE as u32,
    libc::PR_GET_SECCOMP as u32,
    libc::PR_CAPBSET_READ as u32,
    libc::PR_GET_NO_NEW_PRIVS as u32,
    libc::PR_SET_TIMERSLACK as u32,
    libc::PR_GET_TIMERSLACK as u32,
    libc::PR_GET_SPECULATION_CTRL as u32,
    libc::PR_GET_THP_DISABLE as u32,
    // PR_SVE_GET_VL and PR_GET_TAGGED_ADDR_CTRL, asked for on ARM.
    51,
    56,
];

/// The rule of a call, if it has one of its own.
pub fn find(number: c_long) -> Option<&'static Call> {
    GROUPS.iter().copied().flatten().find(|call| call.number == number)
}

/// Its name, for messages.
pub fn name(number: c_long) -> &'static str {
    let other = || NAMED_OTHERS.iter().find(|(n, _)| *n == number).map(|(_, name)| *name);
    find(number).map(Call::name).or_else(other).unwrap_or("a system call that no JVM makes")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_call_has_two_rules() {
        let mut seen = BTreeSet::new();
        for call in GROUPS.iter().copied().flatten() {
            assert!(seen.insert(call.number), "{}", call.name());
            assert!(call.number as u32 <= LAST_KNOWN);
        }
        for (number, name) in NAMED_OTHERS {
            assert!(!seen.contains(number), "{name}");
        }
        assert_eq!((name(libc::SYS_unlinkat), name(libc::SYS_bpf)), ("unlinkat", "bpf"));
    }
}
