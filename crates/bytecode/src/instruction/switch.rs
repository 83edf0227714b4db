//! `tableswitch` and `lookupswitch`. Owns their layout; the view reads cases from the code on demand and copies
//! nothing.

use crate::problem::{Problem, ProblemKind};

/// A switch whose cases all jump into the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'a> {
    pc: u32,
    default_target: u32,
    /// `Some(low)` for a `tableswitch`.
    low: Option<i32>,
    /// 4 bytes per case of a `tableswitch`, 8 per case of a `lookupswitch`.
    rows: &'a [u8],
}

fn i4(bytes: &[u8], at: usize) -> Option<i32> {
    let b = bytes.get(at..at + 4)?;
    Some(i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

impl<'a> Switch<'a> {
    /// Decodes the switch at `pc`; gives its length too, padding included.
    pub(super) fn decode(code: &'a [u8], start: usize, pc: u32) -> Result<(Switch<'a>, u32), Problem> {
        let problem = |kind| Problem::new(start + pc as usize, kind);
        let cut = || problem(ProblemKind::Operands { pc });
        let base = (pc as usize & !3) + 4;
        let default = i4(code, base).ok_or_else(cut)?;
        let first = i4(code, base + 4).ok_or_else(cut)?;
        let (low, rows_start, size) = if code[pc as usize] == super::op::TABLESWITCH {
            let high = i4(code, base + 8).ok_or_else(cut)?;
            let count = i64::from(high) - i64::from(first) + 1;
            if count < 1 {
                return Err(problem(ProblemKind::Switch { pc }));
            }
            (Some(first), base + 12, count * 4)
        } else {
            if first < 0 {
                return Err(problem(ProblemKind::Switch { pc }));
            }
            (None, base + 8, i64::from(first) * 8)
        };
        let end = usize::try_from(size).ok().and_then(|s| s.checked_add(rows_start)).ok_or_else(cut)?;
        let rows = code.get(rows_start..end).ok_or_else(cut)?;
        let target = |offset: i32| {
            let target = i64::from(pc) + i64::from(offset);
            if target < 0 || target >= code.len() as i64 {
                return Err(problem(ProblemKind::JumpTarget { pc, target }));
            }
            Ok(target as u32)
        };
        let switch = Switch { pc, default_target: target(default)?, low, rows };
        let mut previous = None;
        for (key, offset) in switch.offsets() {
            target(offset)?;
            if previous.is_some_and(|p| p >= key) {
                return Err(problem(ProblemKind::Switch { pc }));
            }
            previous = Some(key);
        }
        Ok((switch, (end - pc as usize) as u32))
    }

    fn offsets(self) -> impl ExactSizeIterator<Item = (i32, i32)> + use<'a> {
        let size = if self.low.is_some() { 4 } else { 8 };
        self.rows.chunks_exact(size).enumerate().map(move |(n, row)| {
            let last = i32::from_be_bytes([row[size - 4], row[size - 3], row[size - 2], row[size - 1]]);
            match self.low {
                Some(low) => (low.wrapping_add(n as i32), last),
                None => (i32::from_be_bytes([row[0], row[1], row[2], row[3]]), last),
            }
        })
    }

    pub fn is_table(self) -> bool {
        self.low.is_some()
    }

    pub fn default_target(self) -> u32 {
        self.default_target
    }

    /// Keys in ascending order with the pc each goes to. A `tableswitch` fills its gaps with cases that go to the
    /// default target.
    pub fn cases(self) -> impl ExactSizeIterator<Item = (i32, u32)> + use<'a> {
        let pc = self.pc;
        // `decode` has checked every offset against the code.
        self.offsets().map(move |(key, offset)| (key, pc.wrapping_add_signed(offset)))
    }
}
