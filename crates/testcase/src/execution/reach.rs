//! What a run reached outside of what it made itself. Owns the kinds and their words; a test may do none of it.

use std::fmt;
use std::sync::Arc;

/// A set of ways to reach outside, as in `docs/protocol.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kinds(pub u8);

impl Kinds {
    /// Creates, writes, deletes, renames, links or changes attributes of files.
    pub const FILES: Kinds = Kinds(1);
    pub const NETWORK: Kinds = Kinds(2);
    /// Starts a program.
    pub const PROGRAM: Kinds = Kinds(4);
    /// Signals, traces, limits or schedules processes.
    pub const PROCESS: Kinds = Kinds(8);
    /// Shared memory, semaphores, message queues.
    pub const IPC: Kinds = Kinds(16);
    /// Any other call of the system that was refused.
    pub const OTHER: Kinds = Kinds(32);
    /// Changes the JVM as a whole.
    pub const STATE: Kinds = Kinds(64);
    /// Depends on what is on this machine.
    pub const LOOKS: Kinds = Kinds(128);

    /// In the order in which they are named: the worst first.
    const WORDS: [(Kinds, &'static str); 8] = [
        (Kinds::FILES, "writes files"),
        (Kinds::PROGRAM, "starts programs"),
        (Kinds::NETWORK, "uses the network"),
        (Kinds::PROCESS, "acts on processes"),
        (Kinds::IPC, "uses memory or queues shared between processes"),
        (Kinds::OTHER, "makes system calls that tests must not make"),
        (Kinds::STATE, "changes settings of the JVM"),
        (Kinds::LOOKS, "looks at this machine"),
    ];

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn has(self, kind: Kinds) -> bool {
        self.0 & kind.0 == kind.0
    }

    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// As the end of a sentence about code: "writes files, uses the network".
impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (_, words) in Kinds::WORDS.iter().filter(|(kind, _)| self.has(*kind)) {
            write!(f, "{between}{words}")?;
            between = ", ";
        }
        Ok(())
    }
}

/// What one run reached. Empty for most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    pub kinds: Kinds,
    /// The statement that did it first, if known.
    pub statement: Option<u16>,
    /// What was called or changed first, if known: `java.io.FileWriter`.
    pub by: Option<Arc<str>>,
}

impl Reach {
    /// Longer names of calls are cut: they come from a child process.
    const LONGEST: usize = 160;

    /// What a child process said: a name may be anything, and is made fit to be shown.
    pub fn told(kinds: u8, statement: Option<u16>, by: &str) -> Reach {
        let shown: String = by.chars().filter(|c| !c.is_control()).take(Self::LONGEST).collect();
        Reach { kinds: Kinds(kinds), statement, by: (!shown.is_empty()).then(|| shown.into()) }
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

/// "writes files (java.io.FileWriter)"
impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some(by) => write!(f, "{} ({by})", self.kinds),
            None => self.kinds.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_the_worst_first() {
        let all = Kinds::LOOKS.and(Kinds::FILES);
        assert_eq!(all.to_string(), "writes files, looks at this machine");
        assert_eq!(Reach::told(1, None, "java.io.File\u{1b}Writer").to_string(), "writes files (java.io.FileWriter)");
        assert_eq!(Reach::told(2, None, "").to_string(), "uses the network");
    }
}
