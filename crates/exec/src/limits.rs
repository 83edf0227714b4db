//! Limits that the user's shell set for this process. Owns that reaching one is an error to be told and not a sudden end.

/// From now on, writing beyond `ulimit -f` fails as writing to a full disk does.
pub fn survive_file_size_limit() {
    // SAFETY: no handler is installed, the signal is only ignored; nothing else in this process uses it. JVMs set their own.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
