//! Bounds-checked big-endian reading. Owns a position in a byte slice; never looks at what the bytes mean.

use crate::problem::{Problem, ProblemKind};

/// Reads forward through a slice; offsets in problems are offsets in that slice.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over the whole class file, so that offsets are offsets in the file.
    pub fn new(bytes: &'a [u8], position: usize) -> Cursor<'a> {
        Cursor { bytes, position }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// What is left to read.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    #[inline]
    pub fn take(&mut self, count: usize, expected: &'static str) -> Result<&'a [u8], Problem> {
        let slice = self
            .position
            .checked_add(count)
            .and_then(|end| self.bytes.get(self.position..end))
            .ok_or(Problem { offset: self.position, kind: ProblemKind::Truncated { expected } })?;
        self.position += count;
        Ok(slice)
    }

    #[inline]
    pub fn u1(&mut self, expected: &'static str) -> Result<u8, Problem> {
        Ok(self.take(1, expected)?[0])
    }

    #[inline]
    pub fn u2(&mut self, expected: &'static str) -> Result<u16, Problem> {
        let b = self.take(2, expected)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    #[inline]
    pub fn u4(&mut self, expected: &'static str) -> Result<u32, Problem> {
        let b = self.take(4, expected)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }
}
