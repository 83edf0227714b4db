//! The sequence: a test input as an immutable value. Owns statements and how sequences are joined, cut, hashed and ordered by cost.
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
    /// The same value in a sequence that has `offset` statements put before it.
    pub fn shifted(self, offset: usize) -> Var {
        Var((self.index() + offset) as u16)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub op: OpId,
    pub args: SmallVec<[Var; 4]>,
}

impl Statement {
    pub fn new(op: OpId, args: &[Var]) -> Statement {
        Statement { op, args: SmallVec::from_slice(args) }
    }
    fn shifted(&self, offset: usize) -> Statement {
        Statement { op: self.op, args: self.args.iter().map(|v| v.shifted(offset)).collect() }
    }
}

/// A list of statements, each using values made by earlier ones. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence(Arc<[Statement]>);

/// A sequence made from another by leaving statements out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub sequence: Sequence,
    /// For each statement of the original its number in the cut one, or `None` if it was left out.
    pub renumbered: Vec<Option<Var>>,
}

impl Cut {
    /// Where a value of the original went.
    pub fn var(&self, old: Var) -> Option<Var> {
        self.renumbered.get(old.index()).copied().flatten()
    }
}

/// Which statements besides the used values a slice keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceMode {
    /// Only the values that the wanted statement needs, directly or not.
    Values,
    /// Also every earlier call whose first argument is a kept value (calls that may have changed a kept receiver), with what these need.
    Effects,
}

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
    /// The value of the last statement.
    pub fn last_var(&self) -> Option<Var> {
        self.0.len().checked_sub(1).map(|i| Var(i as u16))
    }

    /// The parts one after the other. The value `v` of part `i` becomes `v.shifted(offsets[i])`.
    pub fn concat(parts: &[&Sequence]) -> (Sequence, SmallVec<[usize; 8]>) {
        let mut builder = SequenceBuilder::with_capacity(parts.iter().map(|p| p.len()).sum());
        let offsets = parts.iter().map(|p| builder.extend(p)).collect();
        (builder.finish(), offsets)
    }

    /// With one more statement at the end.
    pub fn append(&self, op: OpId, args: &[Var]) -> Sequence {
        let mut builder = SequenceBuilder::with_capacity(self.len() + 1);
        builder.extend(self);
        builder.push(op, args);
        builder.finish()
    }

    /// The numbers of the statements that take `var`, in order.
    pub fn uses(&self, var: Var) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(move |(_, s)| s.args.contains(&var)).map(|(i, _)| i)
    }

    /// How many arguments each value is used as.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        for arg in self.0.iter().flat_map(|s| &s.args) {
            if let Some(count) = counts.get_mut(arg.index()) {
                *count += 1;
            }
        }
        counts
    }

    /// The statement and what it needs, nothing behind it. An empty cut if there is no such statement.
    pub fn slice(&self, statement: usize, mode: SliceMode) -> Cut {
        let mut keep = vec![false; self.len()];
        if let Some(wanted) = keep.get_mut(statement) {
            *wanted = true;
            self.close_backwards(&mut keep, statement, mode);
        }
        self.keep(&keep)
    }

    /// Marks what the marked statements up to `last` need.
    fn close_backwards(&self, keep: &mut [bool], last: usize, mode: SliceMode) {
        loop {
            for i in (0..=last).rev() {
                if keep[i] {
                    for arg in &self.0[i].args {
                        if let Some(k) = keep.get_mut(arg.index()) {
                            *k = true;
                        }
                    }
                }
            }
            if mode == SliceMode::Values {
                return;
            }
            let mut grown = false;
            for i in 0..last {
                let touches_kept = self.0[i].args.first().is_some_and(|a| keep.get(a.index()) == Some(&true));
                if touches_kept && !keep[i] {
                    keep[i] = true;
                    grown = true;
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// Without the statement and everything that needs its value, directly or not.
    pub fn without(&self, statement: usize) -> Cut {
        let mut keep = vec![true; self.len()];
        for i in 0..self.len() {
            keep[i] = i != statement && self.0[i].args.iter().all(|a| keep.get(a.index()).copied().unwrap_or(true));
        }
        self.keep(&keep)
    }

    /// Only the statements marked; a marked statement whose argument is not marked is left out too.
    pub fn keep(&self, keep: &[bool]) -> Cut {
        let mut renumbered: Vec<Option<Var>> = Vec::with_capacity(self.len());
        let mut kept: Vec<Statement> = Vec::new();
        for (i, statement) in self.0.iter().enumerate() {
            let args: Option<SmallVec<[Var; 4]>> =
                statement.args.iter().map(|a| renumbered.get(a.index()).copied().flatten()).collect();
            match args {
                Some(args) if keep.get(i).copied().unwrap_or(false) => {
                    renumbered.push(Some(Var(kept.len() as u16)));
                    kept.push(Statement { op: statement.op, args });
                }
                _ => renumbered.push(None),
            }
        }
        Cut { sequence: Sequence::new(kept), renumbered }
    }

    /// With another operation at one place, same arguments. Unchanged if there is no such statement.
    pub fn replace_op(&self, statement: usize, op: OpId) -> Sequence {
        let mut statements = self.0.to_vec();
        if let Some(s) = statements.get_mut(statement) {
            s.op = op;
        }
        Sequence::new(statements)
    }

    /// With another statement at one place. Unchanged if there is no such statement.
    pub fn replace(&self, statement: usize, op: OpId, args: &[Var]) -> Sequence {
        let mut statements = self.0.to_vec();
        if let Some(s) = statements.get_mut(statement) {
            *s = Statement::new(op, args);
        }
        Sequence::new(statements)
    }

    /// A hash of the structure (operation numbers and arguments), the same in every run and on every machine.
    pub fn hash128(&self) -> u128 {
        let mut hasher = StructureHasher::default();
        for statement in self.0.iter() {
            hasher.statement(statement.op, statement.args.iter().copied());
        }
        hasher.finish()
    }
}

/// Collects statements for a sequence without intermediate copies.
#[derive(Clone, Debug, Default)]
pub struct SequenceBuilder {
    statements: Vec<Statement>,
}

impl SequenceBuilder {
    pub fn with_capacity(statements: usize) -> SequenceBuilder {
        SequenceBuilder { statements: Vec::with_capacity(statements) }
    }
    pub fn len(&self) -> usize {
        self.statements.len()
    }
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }
    pub fn clear(&mut self) {
        self.statements.clear();
    }
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }
    pub fn push(&mut self, op: OpId, args: &[Var]) -> Var {
        self.statements.push(Statement::new(op, args));
        Var((self.statements.len() - 1) as u16)
    }
    /// Puts a whole sequence at the end; gives the offset of its values.
    pub fn extend(&mut self, part: &Sequence) -> usize {
        let offset = self.statements.len();
        if offset == 0 {
            self.statements.extend_from_slice(&part.0);
        } else {
            self.statements.extend(part.0.iter().map(|s| s.shifted(offset)));
        }
        offset
    }
    /// The hash that the finished sequence would have.
    pub fn hash128(&self) -> u128 {
        let mut hasher = StructureHasher::default();
        for statement in &self.statements {
            hasher.statement(statement.op, statement.args.iter().copied());
        }
        hasher.finish()
    }
    pub fn finish(self) -> Sequence {
        Sequence::new(self.statements)
    }
}

/// Hashes statements in order: two independent 64-bit multiply-and-fold lanes.
#[derive(Clone, Debug)]
pub struct StructureHasher {
    low: u64,
    high: u64,
}

impl Default for StructureHasher {
    fn default() -> Self {
        StructureHasher { low: 0x243f_6a88_85a3_08d3, high: 0x1319_8a2e_0370_7344 }
    }
}

impl StructureHasher {
    pub fn statement(&mut self, op: OpId, args: impl ExactSizeIterator<Item = Var>) {
        self.word(u64::from(op.0) << 16 | args.len() as u64);
        for arg in args {
            self.word(u64::from(arg.0) | 1 << 63);
        }
    }
    fn word(&mut self, word: u64) {
        self.low = fold(self.low ^ word, 0x9e37_79b9_7f4a_7c15);
        self.high =
            fold(self.high ^ word.rotate_left(29), 0xd6e8_feb8_6659_fd93).wrapping_add(self.low.rotate_left(17));
    }
    pub fn finish(&self) -> u128 {
        u128::from(fold(self.high, 0xa076_1d64_78bd_642f)) << 64 | u128::from(fold(self.low, 0xe703_7ed1_a0b4_28db))
    }
}

/// Both halves of the 128-bit product, folded.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ b.rotate_left(32)) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(23)
}

#[cfg(test)]
mod tests;
