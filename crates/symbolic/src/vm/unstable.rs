//! What a run used that differs from JVM to JVM. Owns the kinds; code that uses one says so where it is used.

use std::fmt;

/// A set of such things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unstable(u8);

impl Unstable {
    pub const IDENTITY: Unstable = Unstable(1);
    pub const CLOCK: Unstable = Unstable(2);
    /// How deep a stack trace is depends on what made the outermost call.
    pub const TRACE: Unstable = Unstable(4);
    /// A JVM orders methods by where their names happen to lie.
    pub const ORDER: Unstable = Unstable(8);

    /// Numbers left to chance begin with the number of the thread, in later JDKs.
    pub const THREAD: Unstable = Unstable(16);

    /// Sets and maps that cannot be changed are in an order that a JVM chooses by chance when it starts.
    pub const SALT: Unstable = Unstable(32);

    const NAMES: [(Unstable, &str); 6] = [
        (Unstable::IDENTITY, "identity hashes"),
        (Unstable::CLOCK, "the real clock"),
        (Unstable::TRACE, "stack traces"),
        (Unstable::ORDER, "the order of methods"),
        (Unstable::THREAD, "the number of the thread"),
        (Unstable::SALT, "the salt of immutable sets"),
    ];

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, other: Unstable) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is nothing in it but some of the others.
    pub fn is_within(self, others: &[Unstable]) -> bool {
        others.iter().fold(self.0, |left, other| left & !other.0) == 0
    }

    pub(super) fn add(&mut self, other: Unstable) {
        self.0 |= other.0;
    }

    pub(super) fn bits(self) -> u64 {
        u64::from(self.0)
    }

    pub(super) fn of_bits(bits: u64) -> Unstable {
        Unstable(bits as u8)
    }
}

impl fmt::Display for Unstable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Unstable::NAMES.iter().filter(|(one, _)| self.contains(*one)).map(|(_, n)| *n).collect();
        f.write_str(&names.join(", "))
    }
}
