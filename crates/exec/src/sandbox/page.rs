//! Memory shared with a child: the page of counters that only we can write, and the words of progress that only the child writes. Owns making both so
//! that the child can neither shrink nor grow them, and their reading; never knows what is counted.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use super::attempt::Kind;

/// Words of the counter page: the total, and one per kind.
const COUNTERS: usize = 1 + Kind::ALL.len();
/// Of each of the two, in bytes: a page, because maps have whole pages.
const SIZE: usize = 4096;

/// Counters that the child can read and never change.
#[derive(Debug)]
pub(crate) struct Page {
    file: OwnedFd,
    /// Of `SIZE` bytes; null where the child cannot be watched.
    words: *mut AtomicU32,
}

// SAFETY: the map belongs to this value alone and is used through atomics only.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    #[cfg(target_os = "linux")]
    pub fn new() -> io::Result<Page> {
        let file = memory()?;
        // SAFETY: maps `SIZE` bytes of a file that has them; nothing exists at the address the kernel chooses.
        let map = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), SIZE, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if map == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let mut page = Page { file, words: map.cast() };
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_FUTURE_WRITE | libc::F_SEAL_SEAL;
        if seal(&page.file, seals).is_err() {
            // Kernels without this seal (before 5.1) cannot show us calls either: a page that stays zero is right.
            page = Page { file: memory()?, words: std::ptr::null_mut() };
        }
        Ok(page)
    }

    #[cfg(not(target_os = "linux"))]
    pub fn new() -> io::Result<Page> {
        Ok(Page { file: memory()?, words: std::ptr::null_mut() })
    }

    pub fn file(&self) -> impl AsFd {
        &self.file
    }

    /// One more of this kind. The total goes last, because readers look at it first.
    pub fn count(&self, kind: Kind) {
        for word in [kind.word(), 0] {
            if !self.words.is_null() {
                debug_assert!(word < COUNTERS);
                // SAFETY: `word` < 9, so it lies inside the page, which is mapped for as long as `self` lives.
                unsafe { &*self.words.add(word) }.fetch_add(1, Ordering::Release);
            }
        }
    }

    /// How many of this kind so far.
    pub fn counted(&self, kind: Kind) -> u32 {
        if self.words.is_null() {
            return 0;
        }
        // SAFETY: as in `count`.
        unsafe { &*self.words.add(kind.word()) }.load(Ordering::Acquire)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if !self.words.is_null() {
            // SAFETY: this map, which nobody else knows.
            unsafe { libc::munmap(self.words.cast(), SIZE) };
        }
    }
}

/// Words that the child writes. They are read through the descriptor and never mapped here: whatever the child does to them, reading is safe.
#[derive(Debug)]
pub(crate) struct Words {
    file: OwnedFd,
}

impl Words {
    pub fn new() -> io::Result<Words> {
        let file = memory()?;
        #[cfg(target_os = "linux")]
        seal(&file, libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL)?;
        Ok(Words { file })
    }

    pub fn file(&self) -> impl AsFd {
        &self.file
    }

    /// The first four words; zero where there are none.
    pub fn read(&self) -> [u32; 4] {
        let mut bytes = [0u8; 16];
        // SAFETY: reads at most 16 bytes into an array of 16.
        unsafe { libc::pread(self.file.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), 0) };
        let word = |i: usize| u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        [word(0), word(1), word(2), word(3)]
    }
}

/// Anonymous memory as a file of `SIZE` bytes, all zero.
#[cfg(target_os = "linux")]
fn memory() -> io::Result<OwnedFd> {
    use std::os::fd::FromRawFd;
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a constant with its terminating zero.
    let fd = unsafe { libc::memfd_create(c"testudo".as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just made, owned by nobody else.
    let file = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: sets the length of an open file.
    if unsafe { libc::ftruncate(fd, SIZE as libc::off_t) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}

/// A file without a name: it goes with its last descriptor.
#[cfg(not(target_os = "linux"))]
fn memory() -> io::Result<OwnedFd> {
    use std::sync::atomic::AtomicU64;
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("testudo-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let file = std::fs::File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    file.set_len(SIZE as u64)?;
    Ok(file.into())
}

#[cfg(target_os = "linux")]
fn seal(file: &OwnedFd, seals: libc::c_int) -> io::Result<()> {
    // SAFETY: adds seals to an open file.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use super::*;

    #[test]
    fn the_page_cannot_be_written_or_cut_through_its_descriptor() {
        let page = Page::new().unwrap();
        let mut copy = File::from(page.file().as_fd().try_clone_to_owned().unwrap());
        assert!(copy.write_all(&[1; 8]).is_err() && copy.set_len(0).is_err() && copy.set_len(8192).is_err());
        let by_name = format!("/proc/self/fd/{}", copy.as_raw_fd());
        let again = File::options().read(true).write(true).open(by_name).unwrap();
        // SAFETY: asks for a map that is refused.
        let map = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), SIZE, access, libc::MAP_SHARED, again.as_raw_fd(), 0)
        };
        assert_eq!(map, libc::MAP_FAILED);
        page.count(Kind::Ipc);
        assert_eq!((page.counted(Kind::Ipc), page.counted(Kind::Files)), (1, 0));
    }

    #[test]
    fn the_words_can_be_written_but_not_cut() {
        let words = Words::new().unwrap();
        let mut copy = File::from(words.file().as_fd().try_clone_to_owned().unwrap());
        assert!(copy.set_len(0).is_err());
        copy.write_all(&[7, 0, 0, 0, 1, 1]).unwrap();
        assert_eq!(words.read(), [7, 257, 0, 0]);
    }
}
