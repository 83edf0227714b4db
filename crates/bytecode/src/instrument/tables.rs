//! Tables of a `Code` attribute that hold pcs: exception table, line numbers, local variables, type annotations. Owns
//! moving them to new positions; frames are moved elsewhere.

use super::relocate::{Landing, Relocated};
use super::report::SkipReason;
use crate::problem::Problem;
use crate::raw::{Cursor, Handler};

/// Annotations nested deeper than this are refused, so that hostile input cannot exhaust our stack.
const DEEPEST_ANNOTATION: u32 = 50;

/// The moved exception table and, for each old row, the index of the first row made of it.
pub(super) struct MovedHandlers {
    pub rows: Vec<Handler>,
    first_row: Vec<u16>,
}

/// Moves the exception table. `entry_of` names another entry for a handler (new position) than the label of its pc.
pub(super) fn move_handlers(
    handlers: &[Handler],
    moved: &Relocated,
    entry_of: impl Fn(u16) -> Option<u32>,
) -> Result<MovedHandlers, SkipReason> {
    let bad = || SkipReason::ExceptionTable;
    let mut rows = Vec::with_capacity(handlers.len());
    let mut first_row = Vec::with_capacity(handlers.len());
    for h in handlers {
        let mut start = moved.label(u32::from(h.start_pc)).ok_or_else(bad)?;
        let end = moved.label(u32::from(h.end_pc)).ok_or_else(bad)?;
        let handler_pc = match entry_of(h.handler_pc) {
            Some(position) => position as u16,
            None => moved.label(u32::from(h.handler_pc)).ok_or_else(bad)?,
        };
        first_row.push(u16::try_from(rows.len()).map_err(|_| SkipReason::TooManyHandlers)?);
        let row = |start_pc, end_pc| Handler { start_pc, end_pc, handler_pc, catch_type: h.catch_type };
        for (from, to) in moved.islands_within(start, end) {
            if start < from {
                rows.push(row(start, from));
            }
            start = to;
        }
        if start < end || h.start_pc >= h.end_pc {
            rows.push(row(start, end));
        }
    }
    if rows.len() > usize::from(u16::MAX) {
        return Err(SkipReason::TooManyHandlers);
    }
    Ok(MovedHandlers { rows, first_row })
}

impl MovedHandlers {
    /// Rows behind all others, for what they do not catch.
    pub fn add(&mut self, landing: &Landing, moved: &Relocated) -> Result<(), SkipReason> {
        // Positions are below 65,536 once the code has been laid out.
        let [mut start, end, handler_pc] = [landing.start, landing.end, landing.position].map(|p| p as u16);
        let row = |start_pc, end_pc| Handler { start_pc, end_pc, handler_pc, catch_type: 0 };
        for (from, to) in moved.islands_within(start, end) {
            if start < from {
                self.rows.push(row(start, from));
            }
            start = to;
        }
        if start < end {
            self.rows.push(row(start, end));
        }
        if self.rows.len() > usize::from(u16::MAX) {
            return Err(SkipReason::TooManyHandlers);
        }
        Ok(())
    }
}

fn put(out: &mut [u8], at: usize, value: u16) {
    out[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

fn u2(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// Rows of a table that starts with their number; checks that the content is exactly that long.
fn rows(content: &[u8], start: usize, size: usize) -> Result<usize, Problem> {
    let count = Cursor::new(content, 0).u2("a table")?;
    if content.len() != 2 + usize::from(count) * size {
        return Err(Problem::malformed(start, "a table as long as its number of rows says"));
    }
    Ok(usize::from(count))
}

/// The `(pc, line)` rows of a `LineNumberTable`.
pub(super) fn line_rows(content: &[u8], start: usize) -> Result<impl Iterator<Item = (u16, u16)>, Problem> {
    rows(content, start, 4)?;
    Ok(content[2..].chunks_exact(4).map(|r| (u2(r, 0), u2(r, 2))))
}

/// A `LineNumberTable` for the new code.
pub(super) fn move_lines(content: &[u8], start: usize, moved: &Relocated) -> Result<Vec<u8>, Problem> {
    let mut out = content.to_vec();
    for n in 0..rows(content, start, 4)? {
        let at = 2 + n * 4;
        put(&mut out, at, moved.near(u32::from(u2(content, at))));
    }
    Ok(out)
}

/// A `LocalVariableTable` or `LocalVariableTypeTable` for the new code.
pub(super) fn move_variables(content: &[u8], start: usize, moved: &Relocated) -> Result<Vec<u8>, Problem> {
    let mut out = content.to_vec();
    for n in 0..rows(content, start, 10)? {
        move_range(&mut out, 2 + n * 10, moved);
    }
    Ok(out)
}

/// A start pc and a length, in place. What did not lie in the old code stays as wrong as it was.
fn move_range(out: &mut [u8], at: usize, moved: &Relocated) {
    let (start, length) = (u32::from(u2(out, at)), u32::from(u2(out, at + 2)));
    if start + length > moved.old_length() {
        return;
    }
    let (new_start, new_end) = (moved.near(start), moved.near(start + length));
    put(out, at, new_start);
    put(out, at + 2, new_end.saturating_sub(new_start));
}

/// A `Runtime(In)VisibleTypeAnnotations` of a `Code` attribute for the new code.
pub(super) fn move_type_annotations(
    content: &[u8],
    start: usize,
    moved: &Relocated,
    handlers: &MovedHandlers,
) -> Result<Vec<u8>, Problem> {
    const WHAT: &str = "a type annotation";
    let mut out = content.to_vec();
    let mut cursor = Cursor::new(content, 0);
    for _ in 0..cursor.u2(WHAT)? {
        match cursor.u1(WHAT)? {
            0x40 | 0x41 => {
                for _ in 0..cursor.u2(WHAT)? {
                    let at = cursor.position();
                    cursor.take(6, WHAT)?;
                    move_range(&mut out, at, moved);
                }
            }
            0x42 => {
                let at = cursor.position();
                let row = cursor.u2(WHAT)?;
                let missing = Problem::malformed(start + at, "a row of the exception table");
                put(&mut out, at, *handlers.first_row.get(usize::from(row)).ok_or(missing)?);
            }
            target @ 0x43..=0x4b => {
                let at = cursor.position();
                let pc = cursor.u2(WHAT)?;
                let position = moved.position(u32::from(pc)).unwrap_or_else(|| moved.near(u32::from(pc)));
                put(&mut out, at, position);
                if target >= 0x47 {
                    cursor.u1(WHAT)?;
                }
            }
            _ => {
                return Err(Problem::malformed(start + cursor.position(), "a target that exists in code"));
            }
        }
        let path = cursor.u1(WHAT)?;
        cursor.take(usize::from(path) * 2, WHAT)?;
        skip_annotation(&mut cursor, start, 0)?;
    }
    Ok(out)
}

fn skip_annotation(cursor: &mut Cursor<'_>, start: usize, depth: u32) -> Result<(), Problem> {
    cursor.u2("an annotation")?;
    for _ in 0..cursor.u2("an annotation")? {
        cursor.u2("an annotation")?;
        skip_value(cursor, start, depth)?;
    }
    Ok(())
}

fn skip_value(cursor: &mut Cursor<'_>, start: usize, depth: u32) -> Result<(), Problem> {
    if depth > DEEPEST_ANNOTATION {
        return Err(Problem::malformed(start + cursor.position(), "annotations of a reasonable depth"));
    }
    match cursor.u1("an annotation")? {
        b'e' => cursor.take(4, "an annotation").map(drop),
        b'@' => skip_annotation(cursor, start, depth + 1),
        b'[' => {
            for _ in 0..cursor.u2("an annotation")? {
                skip_value(cursor, start, depth + 1)?;
            }
            Ok(())
        }
        _ => cursor.take(2, "an annotation").map(drop),
    }
}
