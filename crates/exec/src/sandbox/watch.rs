//! Looks at the system calls by which a child reaches outside, before they are made: counts them where the child can read it, and lets them go on or
//! refuses them. Owns the thread that does this for one child; never waits for anything but the child, and ends with it.

use std::ffi::OsString;
use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::thread;

use super::attempt::{Attempt, Kind};
use super::calls::{self, Named, Rule, WRITING};
use super::filter;
use super::place::{self, Places};
use super::seen::Seen;

/// Longer paths do not exist.
const MAX_PATH: usize = 4096;
/// The JVM asks once per kind of address whether there is a network, and once for a socket option, when it loads its network library, whatever that is
/// loaded for.
const NETWORK_PROBES: u32 = 3;

/// Starts the thread that serves the child at the other end of `line`. The thread ends when the child and whoever runs under its filter are gone, or
/// when the other end closes without a word.
pub(crate) fn watch(line: OwnedFd, seen: Seen, places: Places) -> io::Result<()> {
    thread::Builder::new().name("testudo-watch".to_owned()).spawn(move || {
        if let Some(listener) = super::line::receive(&line) {
            drop(line);
            Watcher { listener, seen, places, probes: 0 }.serve();
        }
    })?;
    Ok(())
}

struct Watcher {
    listener: OwnedFd,
    seen: Seen,
    places: Places,
    /// Network probes of the JVM's own library so far.
    probes: u32,
}

enum Answer {
    Proceed,
    Refuse,
}

impl Watcher {
    fn serve(&mut self) {
        while self.wait() {
            // SAFETY: the struct is plain numbers, and the kernel wants zeros.
            let mut asked: libc::seccomp_notif = unsafe { zeroed() };
            // SAFETY: the kernel writes a notification into a struct of that type.
            let got =
                unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, &raw mut asked) };
            if got != 0 {
                // The caller is gone, or a signal came between: the next wait tells whether anybody is left.
                continue;
            }
            let answer = self.judge(&asked);
            let (error, flags) = match answer {
                Answer::Proceed => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
                Answer::Refuse => (-libc::EPERM, 0),
            };
            let mut reply = libc::seccomp_notif_resp { id: asked.id, val: 0, error, flags };
            // SAFETY: the kernel reads a reply from a struct of that type. It fails only if the caller is gone.
            unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw mut reply) };
        }
    }

    /// Until somebody asks; false when nobody can ask any more.
    fn wait(&self) -> bool {
        loop {
            let mut poll = libc::pollfd { fd: self.listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one descriptor, in a struct that outlives the call.
            let n = unsafe { libc::poll(&raw mut poll, 1, -1) };
            if n < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
                continue;
            }
            return n > 0 && poll.revents & libc::POLLIN != 0;
        }
    }

    fn judge(&mut self, asked: &libc::seccomp_notif) -> Answer {
        let number = libc::c_long::from(asked.data.nr);
        let pid = asked.pid;
        let arguments = &asked.data.args;
        let call = calls::find(number);
        let named = call.map_or(&[][..], |call| call.named);
        match call.map(|call| call.rule) {
            Some(Rule::Open(flags)) if arguments[usize::from(flags)] as u32 & WRITING == 0 => {
                self.look(pid, number, arguments, named, true)
            }
            Some(Rule::Looks) => self.look(pid, number, arguments, named, false),
            Some(Rule::Open(_) | Rule::Writes) => {
                let paths: Vec<Option<PathBuf>> = named.iter().map(|n| path(pid, arguments, *n)).collect();
                paths.iter().flatten().for_each(|path| self.places.makes(path));
                if !paths.iter().all(|path| path.as_deref().is_some_and(place::swallows)) {
                    self.note(number, Kind::Files, paths.into_iter().flatten().next());
                }
                Answer::Proceed
            }
            Some(Rule::Exec) if is_single_thread(pid) => Answer::Proceed,
            rule => {
                let is_probe = number == libc::SYS_socket && self.is_network_probe(arguments);
                if !is_probe {
                    let paths = match rule {
                        Some(Rule::Refused(_) | Rule::Exec) => named.first().and_then(|n| path(pid, arguments, *n)),
                        _ => None,
                    };
                    self.note(number, filter::kind(number), paths);
                }
                Answer::Refuse
            }
        }
    }

    fn look(&self, pid: u32, number: libc::c_long, arguments: &[u64; 6], named: &[Named], opens: bool) -> Answer {
        let path = match named.first() {
            Some(named) => path(pid, arguments, *named),
            // A descriptor: what it is was looked at when it was opened.
            None => return Answer::Proceed,
        };
        let is_itself = |path: &Path| path.starts_with(format!("/proc/{pid}"));
        if path.as_deref().is_some_and(|path| self.places.tells_of_this_machine(path, opens) && !is_itself(path)) {
            self.note(number, Kind::Looks, path);
        }
        Answer::Proceed
    }

    /// Counted as nothing, and refused like any other. In Java there is no socket before the library is loaded.
    fn is_network_probe(&mut self, arguments: &[u64; 6]) -> bool {
        let family = arguments[0] as i32;
        let is_probe =
            matches!(family, libc::AF_INET | libc::AF_INET6) && arguments[1] as i32 & 0xf == libc::SOCK_STREAM;
        self.probes += u32::from(is_probe);
        is_probe && self.probes <= NETWORK_PROBES
    }

    fn note(&self, number: libc::c_long, kind: Kind, path: Option<PathBuf>) {
        self.seen.count(Attempt { kind, call: calls::name(number), path });
    }
}

/// The path an argument names, in full; unresolved, and for nothing but a look: the child may change it at any time.
fn path(pid: u32, arguments: &[u64; 6], (folder, argument): Named) -> Option<PathBuf> {
    let text = text(pid, arguments[usize::from(argument)])?;
    let path = PathBuf::from(text);
    if path.is_absolute() {
        return Some(path);
    }
    let base = match folder.map(|f| arguments[usize::from(f)] as i32) {
        None | Some(libc::AT_FDCWD) => std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?,
        Some(fd) => std::fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok()?,
    };
    Some(place::joined(&base, &path))
}

/// A C string in the child's memory.
fn text(pid: u32, address: u64) -> Option<OsString> {
    const PAGE: u64 = 4096;
    let mut bytes = Vec::new();
    let mut at = address;
    while bytes.len() < MAX_PATH {
        // Up to the end of a page, because the next one may not be there.
        let wanted = (PAGE - at % PAGE) as usize;
        let mut chunk = [0u8; PAGE as usize];
        let ours = libc::iovec { iov_base: chunk.as_mut_ptr().cast(), iov_len: wanted };
        let theirs = libc::iovec { iov_base: at as *mut libc::c_void, iov_len: wanted };
        // SAFETY: writes at most `wanted` bytes into `chunk`, which has as many; the other side is only read, and checked by the kernel.
        let got = unsafe { libc::process_vm_readv(pid as i32, &raw const ours, 1, &raw const theirs, 1, 0) };
        let got = usize::try_from(got).ok().filter(|n| *n > 0)?;
        if let Some(end) = chunk[..got].iter().position(|b| *b == 0) {
            bytes.extend_from_slice(&chunk[..end]);
            return Some(OsString::from_vec(bytes));
        }
        bytes.extend_from_slice(&chunk[..got]);
        at = at.checked_add(got as u64)?;
    }
    None
}

/// A JVM has many threads from its start on: with one, it is still the launcher, which may start itself once more.
fn is_single_thread(pid: u32) -> bool {
    std::fs::read_dir(format!("/proc/{pid}/task")).is_ok_and(|tasks| tasks.take(2).count() == 1)
}

/// Space for one descriptor in a control message.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Parcel {
    header: libc::cmsghdr,
    fd: RawFd,
}

impl Parcel {
    pub fn empty() -> Parcel {
        // SAFETY: plain numbers.
        unsafe { zeroed() }
    }

    pub fn of(fd: RawFd) -> Parcel {
        let mut parcel = Parcel::empty();
        parcel.header.cmsg_level = libc::SOL_SOCKET;
        parcel.header.cmsg_type = libc::SCM_RIGHTS;
        parcel.header.cmsg_len = (size_of::<libc::cmsghdr>() + size_of::<RawFd>()) as _;
        parcel.fd = fd;
        parcel
    }

    /// The descriptor that came, now ours.
    pub fn take(self) -> Option<OwnedFd> {
        let came =
            self.header.cmsg_type == libc::SCM_RIGHTS && self.header.cmsg_level == libc::SOL_SOCKET && self.fd >= 0;
        // SAFETY: the kernel has just put it into our table; nobody else knows its number.
        came.then(|| unsafe { OwnedFd::from_raw_fd(self.fd) })
    }
}
