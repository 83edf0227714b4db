//! What a child tried that reaches outside of it. Owns the kinds and their numbers, which the Java side knows too; never decides what is refused.

use std::path::PathBuf;

/// A way to reach outside. Its bit is the same in `testudo.runtime.KernelWatch` and on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Creates, writes, deletes, renames or links files, or changes their attributes.
    Files = 1,
    Network = 2,
    /// Starts a program or a process.
    Program = 4,
    /// Signals, traces, limits or schedules processes.
    Process = 8,
    /// Shared memory, semaphores, message queues.
    Ipc = 16,
    /// Any other call that is refused.
    Other = 32,
    /// Changes the JVM as a whole. Seen in Java only.
    State = 64,
    /// Depends on what is on this machine.
    Looks = 128,
}

impl Kind {
    pub const ALL: [Kind; 8] =
        [Kind::Files, Kind::Network, Kind::Program, Kind::Process, Kind::Ipc, Kind::Other, Kind::State, Kind::Looks];

    pub fn bit(self) -> u8 {
        self as u8
    }

    /// The word of the counter page that counts this kind; word 0 is the total.
    pub(crate) fn word(self) -> usize {
        1 + self.bit().trailing_zeros() as usize
    }
}

/// One call that reached outside, or would have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub kind: Kind,
    /// The system call's name.
    pub call: &'static str,
    /// The file it names, as far as that could be read. For messages only: the child may change it while we look.
    pub path: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_bit_and_its_word() {
        for (i, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!((kind.bit(), kind.word()), (1 << i, i + 1));
        }
    }
}
