//! A child JVM with its two pipes, watched by a thread that reads its frames. Owns spawning, descriptors, limits, the end of
//! the process and its captured output; never knows what a frame means.
//!
//! The thread that reads is also the one that started the child: the kernel kills the child when that thread ends, so no
//! JVM outlives us, however we end.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::protocol::MAX_FRAME;
use crate::sandbox::{Attempt, Policy, Sandbox, Seen, Words};

/// Where the child finds its ends of the pipes, the counters of what it tried, and the words that tell where it is.
const CHILD_READS: i32 = 3;
const CHILD_WRITES: i32 = 4;
const CHILD_COUNTERS: i32 = 5;
const CHILD_PROGRESS: i32 = 6;
/// Its own folder of `/proc`, which the sandbox keeps open.
pub(crate) const CHILD_ITSELF: i32 = 7;
const PIPE_SIZE: i32 = 1 << 20;
/// Of frames that nobody has looked at yet, in bytes.
const MAX_WAITING: usize = 64 << 20;
/// A file written by the child may not grow beyond this.
#[cfg(target_os = "linux")]
const MAX_FILE: u64 = 256 << 20;
/// The capture file is cut when it grows beyond this, and no more of it is ever read.
const MAX_OUTPUT: u64 = 1 << 20;
/// Of it in messages, in bytes.
const SHOWN_OUTPUT: u64 = 2000;
/// How long a child that closed its pipe may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// How to start a child.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(&'static str, OsString)>,
    pub folder: PathBuf,
    /// Gets standard output and error.
    pub output: PathBuf,
    /// `None`: the child runs with our rights.
    pub sandbox: Option<Policy>,
}

/// What the child did.
#[derive(Debug)]
pub enum Event {
    Frame {
        kind: u8,
        payload: Vec<u8>,
    },
    /// The last event.
    Ended(End),
}

/// How the child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub status: Option<ExitStatus>,
    /// Its last frame was cut or impossible.
    pub broken: Option<String>,
}

/// Answers a frame at once, from the reading thread: gives the frames to send back, or leaves it to the receiver.
pub type Answer = Box<dyn FnMut(u8, &[u8]) -> Option<Vec<u8>> + Send>;

/// A running child.
#[derive(Debug)]
pub struct Process {
    pid: u32,
    child: Arc<Mutex<Child>>,
    outbox: Sender<Vec<u8>>,
    events: Receiver<Event>,
    output: File,
    reader: Option<thread::JoinHandle<()>>,
    /// The child's end of the pipe is closed.
    closed: Arc<AtomicBool>,
    heard: Arc<AtomicU32>,
    waiting: Arc<AtomicUsize>,
    seen: Seen,
    progress: Words,
}

impl Process {
    pub fn start(launch: Launch, answer: Answer) -> io::Result<Process> {
        let output = open_output(&launch.output)?;
        let captured = output.try_clone()?;
        let (seen, progress) = (Seen::new()?, Words::new()?);
        let shared = Shared { seen: seen.clone(), progress: progress.file().as_fd().try_clone_to_owned()? };
        let (report, started) = channel();
        let (sender, events) = channel();
        let (outbox, queue) = channel();
        let answers = outbox.clone();
        let closed = Arc::new(AtomicBool::new(false));
        let shut = closed.clone();
        let heard = Arc::new(AtomicU32::new(0));
        let count = heard.clone();
        let waiting = Arc::new(AtomicUsize::new(0));
        let room = waiting.clone();
        let reader = thread::Builder::new().name("testudo-jvm".to_owned()).spawn(move || {
            match spawn(&launch, captured, &shared) {
                Err(problem) => {
                    let _ = report.send(Err(problem));
                }
                Ok((child, input, pipe)) => {
                    let child = Arc::new(Mutex::new(child));
                    // The receiver waits for exactly this message.
                    let _ = report.send(Ok((child.clone(), input)));
                    let broken = read_frames(pipe, &answers, &sender, &count, &room, answer);
                    shut.store(true, Ordering::Release);
                    let status = reap(&child);
                    // Nobody listens any more when the owner is gone: nothing to tell then.
                    let _ = sender.send(Event::Ended(End { status, broken }));
                }
            }
        })?;
        let (child, input) = started.recv().map_err(io::Error::other)??;
        // A child that does not read must not stop us from looking after it: writing has a thread of its own.
        thread::Builder::new().name("testudo-jvm-input".to_owned()).spawn(move || write_frames(input, &queue))?;
        let pid = lock(&child).id();
        Ok(Process { pid, child, outbox, events, output, reader: Some(reader), closed, heard, waiting, seen, progress })
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whole frames, written in the background. If the child is gone, [`Event::Ended`] tells why.
    pub fn send(&self, frames: Vec<u8>) {
        // Fails only when the writing thread met the end of the child.
        let _ = self.outbox.send(frames);
    }

    /// `None` when nothing came in time.
    pub fn next(&self, timeout: Duration) -> Option<Event> {
        match self.events.recv_timeout(timeout) {
            Ok(event) => {
                if let Event::Frame { payload, .. } = &event {
                    self.waiting.fetch_sub(payload.len(), Ordering::AcqRel);
                }
                Some(event)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Ended(End { status: None, broken: None })),
        }
    }

    /// Ends the child and whatever it started.
    pub fn kill(&self) {
        // Fails only if the child was already reaped.
        let _ = lock(&self.child).kill();
        if !self.closed.load(Ordering::Acquire) {
            // Somebody still holds the pipe, so the group (the child leads its own) has members and its number is not reused.
            // SAFETY: sends a signal; no memory is involved.
            unsafe { libc::kill(-(self.pid as i32), libc::SIGKILL) };
        }
    }

    /// Counts frames, once when they come and once when they were answered: it is odd while the child waits for our answer.
    pub fn heard(&self) -> u32 {
        self.heard.load(Ordering::Acquire)
    }

    /// CPU time used by all its threads; zero where that is not known.
    pub fn cpu_time(&self) -> Duration {
        let ticks = || -> Option<u64> {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid)).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
            Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
        };
        // The kernel reports in USER_HZ, which is 100 everywhere.
        Duration::from_millis(ticks().unwrap_or(0) * 10)
    }

    /// Some thread runs or waits for a CPU (or the disk), as opposed to all being asleep.
    pub fn is_busy(&self) -> bool {
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{}/task", self.pid)) else {
            return false;
        };
        tasks.flatten().any(|task| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(')')
                .is_some_and(|(_, rest)| matches!(rest.trim_start().as_bytes().first(), Some(b'R' | b'D')))
        })
    }

    /// What the child tried last that reaches outside of it, oldest first.
    pub fn attempts(&self) -> Vec<Attempt> {
        self.seen.attempts()
    }

    /// The words in which the child tells where it is.
    pub fn progress(&self) -> [u32; 4] {
        self.progress.read()
    }

    /// What the JVM printed last, for messages.
    pub fn output_tail(&self) -> String {
        self.last_output(SHOWN_OUTPUT).trim().to_owned()
    }

    /// All that is left of what it printed.
    pub fn output(&self) -> String {
        self.last_output(MAX_OUTPUT)
    }

    fn last_output(&self, bytes: u64) -> String {
        let length = self.output.metadata().map_or(0, |m| m.len());
        let mut last = vec![0; length.min(bytes) as usize];
        let read = self.output.read_at(&mut last, length.saturating_sub(bytes)).unwrap_or(0);
        String::from_utf8_lossy(&last[..read]).into_owned()
    }

    /// Keeps the capture file from filling the disk.
    pub fn trim_output(&self) {
        if self.output.metadata().is_ok_and(|m| m.len() > MAX_OUTPUT) {
            // The child appends, so it goes on at the new end.
            let _ = self.output.set_len(0);
        }
    }
}

/// The file that takes what the child prints; the child gets its descriptor and cannot reach it by name.
fn open_output(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).read(true).append(true).custom_flags(libc::O_NOFOLLOW).open(path)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        let patience = GRACE + Duration::from_secs(1);
        while let Some(event) = self.next(patience) {
            if matches!(event, Event::Ended(_)) {
                if let Some(reader) = self.reader.take() {
                    let _ = reader.join();
                }
                return;
            }
        }
        // A process that left the group holds the pipe: its thread is left to wait for it.
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic runs while these locks are held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What both sides have of a child's shared memory.
struct Shared {
    seen: Seen,
    progress: OwnedFd,
}

fn spawn(launch: &Launch, output: File, shared: &Shared) -> io::Result<(Child, io::PipeWriter, io::PipeReader)> {
    let (child_reads, we_write) = io::pipe()?;
    let (we_read, child_writes) = io::pipe()?;
    // The child's ends are moved out of the way of their places in the child, so that `dup2` never meets its own source. (If
    // it closes the pipe through which `Command` reports a failed `exec`, that failure shows as a child that ends at once.)
    let (child_reads, child_writes) = (high(child_reads.into())?, high(child_writes.into())?);
    let counters = high(shared.seen.page.file().as_fd().try_clone_to_owned()?)?;
    let progress = high(shared.progress.try_clone()?)?;
    for fd in [we_write.as_raw_fd(), we_read.as_raw_fd()] {
        grow_pipe(fd);
    }
    let mut sandbox = launch.sandbox.as_ref().map(|policy| Sandbox::prepare(policy, &shared.seen)).transpose()?;
    let mut command = Command::new(&launch.program);
    command
        .args(&launch.args)
        .env_clear()
        .envs(launch.env.iter().map(|(k, v)| (k, v)))
        .current_dir(&launch.folder)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        // Ctrl-C in a terminal is for us; we end the children when we are done.
        .process_group(0);
    let places = [
        (child_reads.as_raw_fd(), CHILD_READS),
        (child_writes.as_raw_fd(), CHILD_WRITES),
        (counters.as_raw_fd(), CHILD_COUNTERS),
        (progress.as_raw_fd(), CHILD_PROGRESS),
    ];
    let enter = move || -> io::Result<()> {
        for (from, to) in places {
            // SAFETY: the descriptors are open in the child and differ from the targets.
            if unsafe { libc::dup2(from, to) } < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        limit()?;
        match &mut sandbox {
            Some(sandbox) => sandbox.enter(),
            None => Ok(()),
        }
    };
    // SAFETY: the closure makes system calls on data prepared before `fork`; it neither allocates nor takes locks.
    unsafe { command.pre_exec(enter) };
    let child = command.spawn()?;
    Ok((child, we_write, we_read))
}

/// The same file under a descriptor above those the child uses.
pub(crate) fn high(fd: OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: duplicates an open descriptor.
    let copy = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, CHILD_ITSELF + 1) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just made, owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

#[cfg(target_os = "linux")]
fn grow_pipe(fd: i32) {
    // SAFETY: sets a property of an open pipe; a refusal leaves the usual size, which works too.
    unsafe { libc::fcntl(fd, libc::F_SETPIPE_SZ, PIPE_SIZE) };
}

#[cfg(not(target_os = "linux"))]
fn grow_pipe(_: i32) {}

/// In the child: dies with us, leaves no core file, writes no endless file.
fn limit() -> io::Result<()> {
    // SAFETY: plain system calls on constants and local structs.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::setrlimit(libc::RLIMIT_CORE, &raw const none) != 0 {
            return Err(io::Error::last_os_error());
        }
        #[cfg(target_os = "linux")]
        {
            let file = libc::rlimit { rlim_cur: MAX_FILE, rlim_max: MAX_FILE };
            if libc::setrlimit(libc::RLIMIT_FSIZE, &raw const file) != 0
                || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0
            {
                return Err(io::Error::last_os_error());
            }
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
    }
    Ok(())
}

/// Until the pipe closes; gives what was wrong with the last frame, if anything.
fn read_frames(
    mut pipe: io::PipeReader,
    answers: &Sender<Vec<u8>>,
    events: &Sender<Event>,
    heard: &AtomicU32,
    waiting: &AtomicUsize,
    mut answer: Answer,
) -> Option<String> {
    loop {
        let mut header = [0u8; 5];
        match read_fully(&mut pipe, &mut header) {
            Ok(0) => return None,
            Ok(5) => {}
            Ok(n) => {
                return Some(format!("the stream ends after {n} bytes of a frame's header"));
            }
            Err(e) => return Some(e.to_string()),
        }
        let length = u32::from_le_bytes([header[0], header[1], header[2], header[3]]) as usize;
        if !(1..=MAX_FRAME).contains(&length) {
            return Some(format!("a frame of {length} bytes"));
        }
        let (kind, wanted) = (header[4], length - 1);
        let mut payload = Vec::with_capacity(wanted.min(1 << 20));
        match (&mut pipe).take(wanted as u64).read_to_end(&mut payload) {
            Ok(n) if n == wanted => {}
            Ok(n) => {
                return Some(format!("the stream ends after {n} of {wanted} bytes of a frame"));
            }
            Err(e) => return Some(e.to_string()),
        }
        heard.fetch_add(1, Ordering::AcqRel);
        let reply = answer(kind, &payload);
        heard.fetch_add(1, Ordering::AcqRel);
        match reply {
            // A child that cannot be written to is ending: the next read says so.
            Some(frames) => drop(answers.send(frames)),
            None => {
                // What nobody has taken yet stays in the pipe: a child that talks faster than we listen waits.
                while waiting.load(Ordering::Acquire) > MAX_WAITING {
                    thread::sleep(Duration::from_millis(1));
                }
                waiting.fetch_add(payload.len(), Ordering::AcqRel);
                if events.send(Event::Frame { kind, payload }).is_err() {
                    return None;
                }
            }
        }
    }
}

/// Until nobody has anything to say, or the child does not listen any more.
fn write_frames(mut pipe: io::PipeWriter, queue: &Receiver<Vec<u8>>) {
    while let Ok(frames) = queue.recv() {
        if pipe.write_all(&frames).is_err() {
            return;
        }
    }
}

fn read_fully(pipe: &mut io::PipeReader, buffer: &mut [u8]) -> io::Result<usize> {
    let mut have = 0;
    while have < buffer.len() {
        match pipe.read(&mut buffer[have..]) {
            Ok(0) => break,
            Ok(n) => have += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(have)
}

/// Waits for the child to end by itself for a while, then ends it.
fn reap(child: &Mutex<Child>) -> Option<ExitStatus> {
    const STEP: Duration = Duration::from_millis(2);
    let mut waited = Duration::ZERO;
    loop {
        let mut child = lock(child);
        match child.try_wait() {
            Ok(None) if waited < GRACE => {}
            Ok(None) => {
                let _ = child.kill();
                return child.wait().ok();
            }
            Ok(status) => return status,
            Err(_) => return None,
        }
        drop(child);
        thread::sleep(STEP);
        waited += STEP;
    }
}
