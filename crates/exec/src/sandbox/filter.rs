//! The list of system calls as a seccomp program. Owns the translation, and installing it in a child; what the list says is not its business.

use std::io;
use std::os::fd::RawFd;

use libc::{c_long, sock_filter, sock_fprog};

use super::attempt::Kind;
use super::calls::{self, GROUPS, LAST_KNOWN, Rule, WRITING};

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
const ARGUMENTS: u32 = 16;

/// Numbers of the other x86-64 ABI start here.
const X32: u32 = 0x4000_0000;

pub fn available() -> bool {
    ARCHITECTURE != 0 && knows(libc::SECCOMP_RET_ERRNO)
}

/// Whether calls can be shown to us before they are made or refused. Needs "go on" as an answer and a sign of the end (Linux 5.9).
pub fn can_notify() -> bool {
    available() && knows(libc::SECCOMP_RET_USER_NOTIF) && kernel() >= (5, 9)
}

fn knows(action: u32) -> bool {
    // SAFETY: asks whether an action is known; `action` outlives the call.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

fn kernel() -> (u32, u32) {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// Which calls are shown to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// None: the kernel cannot. What is not allowed is refused without our seeing it.
    Nothing,
    Reaching,
    /// And those that look at files.
    Looking,
}

/// The filter, complete but for the process id, which only the child knows.
#[derive(Debug)]
pub struct Program {
    code: Vec<sock_filter>,
    /// Instructions that compare with the own process id.
    own: Vec<usize>,
    shown: Shown,
}

impl Program {
    pub fn new(shown: Shown) -> Program {
        let mut program = Program { code: Vec::new(), own: Vec::new(), shown };
        program.push(LOAD, 0, 0, ARCH);
        program.push(EQUAL, 1, 0, ARCHITECTURE);
        program.error(libc::EPERM);
        program.push(LOAD, 0, 0, NUMBER);
        if cfg!(target_arch = "x86_64") {
            program.push(AT_LEAST, 0, 1, X32);
            program.error(libc::EPERM);
        }
        for call in GROUPS.iter().copied().flatten() {
            program.rule(call.number, call.rule);
        }
        program.push(AT_LEAST, 0, 1, LAST_KNOWN + 1);
        program.error(libc::ENOSYS);
        program.refuse();
        program
    }

    fn rule(&mut self, number: c_long, rule: Rule) {
        let start = self.code.len();
        // The jump over the rule is known when the rule is there.
        self.push(EQUAL, 0, 0, number as u32);
        match rule {
            Rule::Allow => self.allow(),
            Rule::Looks if self.shown == Shown::Looking => self.notify(),
            Rule::Looks => self.allow(),
            Rule::Open(_) if self.shown == Shown::Looking => self.notify(),
            Rule::Open(flags) => {
                self.push(LOAD, 0, 0, ARGUMENTS + 8 * u32::from(flags));
                self.push(ANY_BIT, 0, 1, WRITING);
                self.proceed();
                self.allow();
            }
            Rule::Writes | Rule::Exec => self.proceed(),
            Rule::Refused(_) => self.refuse(),
            Rule::OneOf(argument, values, _) => {
                self.push(LOAD, 0, 0, ARGUMENTS + 8 * u32::from(argument));
                for value in values {
                    self.push(EQUAL, 0, 1, *value);
                    self.allow();
                }
                self.refuse();
            }
            Rule::OwnProcess => {
                self.push(LOAD, 0, 0, ARGUMENTS);
                self.own.push(self.code.len());
                self.push(EQUAL, 0, 1, 0);
                self.allow();
                self.refuse();
            }
            Rule::Threads => {
                self.push(LOAD, 0, 0, ARGUMENTS);
                self.push(ANY_BIT, 0, 1, libc::CLONE_THREAD as u32);
                self.allow();
                self.refuse();
            }
            Rule::Absent => self.error(libc::ENOSYS),
        }
        // Rules are far shorter than 256 instructions.
        self.code[start].jf = (self.code.len() - start - 1) as u8;
    }

    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.code.push(sock_filter { code, jt, jf, k });
    }

    fn allow(&mut self) {
        self.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
    }

    fn error(&mut self, errno: i32) {
        self.push(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32);
    }

    fn notify(&mut self) {
        self.push(RETURN, 0, 0, libc::SECCOMP_RET_USER_NOTIF);
    }

    /// Shown to us if possible; refused in any case.
    fn refuse(&mut self) {
        if self.shown == Shown::Nothing { self.error(libc::EPERM) } else { self.notify() }
    }

    /// Shown to us if possible; left to Landlock otherwise.
    fn proceed(&mut self) {
        if self.shown == Shown::Nothing { self.allow() } else { self.notify() }
    }

    /// In the child, before `exec`: no allocation. Gives the descriptor on which calls are shown.
    pub fn install(&mut self) -> io::Result<Option<RawFd>> {
        // SAFETY: no arguments.
        let pid = unsafe { libc::getpid() } as u32;
        for &index in &self.own {
            self.code[index].k = pid;
        }
        let program = sock_fprog { len: self.code.len() as u16, filter: self.code.as_mut_ptr() };
        let install = |flags: libc::c_ulong| -> c_long {
            // SAFETY: `program` points to `len` valid instructions that outlive the call.
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) }
        };
        if self.shown == Shown::Nothing {
            return if install(0) == 0 { Ok(None) } else { Err(io::Error::last_os_error()) };
        }
        // Signals that a JVM sends itself would otherwise make it call, and us count, twice (Linux 5.19).
        let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        let mut fd = install(listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
        if fd < 0 {
            fd = install(listener);
        }
        if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(Some(fd as RawFd)) }
    }
}

/// What a refused call counts as.
pub fn kind(number: c_long) -> Kind {
    match calls::find(number).map(|call| call.rule) {
        Some(Rule::Refused(kind) | Rule::OneOf(_, _, kind)) => kind,
        Some(Rule::OwnProcess) => Kind::Process,
        Some(Rule::Threads | Rule::Exec) => Kind::Program,
        Some(Rule::Open(_) | Rule::Writes) => Kind::Files,
        Some(Rule::Looks) => Kind::Looks,
        Some(Rule::Allow | Rule::Absent) | None => Kind::Other,
    }
}
