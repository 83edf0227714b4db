//! The line on which a child hands over, before it becomes a JVM, the descriptor of its notifications and which layers hold. Owns this one message.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::watch::Parcel;

/// Both ends: ours, and the child's.
pub fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: writes two descriptors into an array of two.
    if unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0, ends.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just made, owned by nobody else.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// In the child, between `fork` and `exec`: no allocation.
pub fn send(line: RawFd, listener: RawFd) -> io::Result<()> {
    let mut byte = 1u8;
    let mut parcel = Parcel::of(listener);
    let mut data = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    // SAFETY: plain numbers.
    let mut message: libc::msghdr = unsafe { zeroed() };
    message.msg_iov = &raw mut data;
    message.msg_iovlen = 1;
    message.msg_control = (&raw mut parcel).cast();
    message.msg_controllen = size_of::<Parcel>() as _;
    // SAFETY: everything the message points to outlives the call.
    if unsafe { libc::sendmsg(line, &raw const message, libc::MSG_NOSIGNAL) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Waits for the child; `None` if it ended or became a program without sending anything.
pub fn receive(line: &OwnedFd) -> Option<OwnedFd> {
    loop {
        let mut byte = 0u8;
        let mut parcel = Parcel::empty();
        let mut data = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        // SAFETY: plain numbers.
        let mut message: libc::msghdr = unsafe { zeroed() };
        message.msg_iov = &raw mut data;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut parcel).cast();
        message.msg_controllen = size_of::<Parcel>() as _;
        // SAFETY: everything the message points to outlives the call.
        let got = unsafe { libc::recvmsg(line.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC) };
        if got < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
            continue;
        }
        return if got == 1 { parcel.take() } else { None };
    }
}
