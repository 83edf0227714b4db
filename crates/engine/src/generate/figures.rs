//! What techniques tell of their work when it is done, as one value: a technique fills in what it has. Owns these
//! types; who shows them decides how.

use super::stuck::Solved;

/// How far a search got, in the terms of the techniques that took part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Of techniques that explore states.
    pub explored: Option<Explored>,
    /// Of techniques that breed tests.
    pub evolved: Option<Evolved>,
    /// Of solving for branches that stay open.
    pub solved: Option<Solved>,
    /// What each did, where several share a search.
    pub shares: Vec<Share>,
    /// Sentences for the user.
    pub notes: Vec<String>,
}

impl Figures {
    /// Adds those of another technique on the same search; where both have one, the first stays.
    pub fn add(&mut self, other: Figures) {
        self.explored = self.explored.or(other.explored);
        self.evolved = self.evolved.or(other.evolved);
        self.solved = self.solved.take().or(other.solved);
        self.shares.extend(other.shares);
        self.notes.extend(other.notes);
    }
}

/// What a technique that explores states has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Iterations that are complete.
    pub iterations: u32,
    /// Different states of objects under test.
    pub states: usize,
    /// Different method executions, those of existing tests not included.
    pub executions: usize,
    /// No new states were left, or all iterations asked for are done and no state was refused.
    pub complete: bool,
}

/// What a technique that breeds tests has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evolved {
    /// Times that the population was renewed.
    pub generations: u64,
    /// Tests whose distances to goals were measured.
    pub evaluations: u64,
    /// Those of them that were made from others.
    pub bred: u64,
}

/// What a member of a portfolio did, over the whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub name: &'static str,
    pub executions: u64,
    /// What its thinking cost, in executions.
    pub thinking: u64,
    /// Goals covered for the first time.
    pub goals: u64,
}
