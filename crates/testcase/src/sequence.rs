//! The sequence: a test input as an immutable value. Owns statements and how sequences are joined and cut.
//! Never knows Java syntax or how it is run. `verify` lists and checks the invariants.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::operation::OpId;

/// The value made by the statement with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u16);

impl Var {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub op: OpId,
    pub args: SmallVec<[Var; 4]>,
}

/// A list of statements, each using values made by earlier ones. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence(Arc<[Statement]>);

impl Sequence {
    /// More statements than this cannot be addressed by [`Var`].
    pub const MAX_LEN: usize = 4096;

    pub fn new(statements: impl Into<Arc<[Statement]>>) -> Sequence {
        Sequence(statements.into())
    }
    pub fn empty() -> Sequence {
        Sequence(Arc::from([]))
    }
    pub fn statements(&self) -> &[Statement] {
        &self.0
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn last(&self) -> Option<&Statement> {
        self.0.last()
    }
}
