//! Text without some members. Owns the white space around what is taken out; everything else stays byte for byte.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{MemberKind, SourceFile};

/// The text without some members (indices into `SourceFile::members`; fields and initialisers stay even if named), their comments, and the blank
/// lines that set them apart. Removing nothing gives the same text.
pub fn remove(text: &str, file: &SourceFile, members: &BTreeSet<usize>) -> String {
    let mut gone: Vec<Range<usize>> = members
        .iter()
        .filter_map(|m| file.members.get(*m))
        .filter(|m| m.kind != MemberKind::Other)
        .map(|m| m.extent.clone())
        .collect();
    gone.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    let mut pieces: Vec<Range<usize>> = Vec::with_capacity(gone.len());
    for range in gone {
        match pieces.last_mut() {
            // Inside of a class that goes as a whole.
            Some(last) if range.end <= last.end => {}
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => pieces.push(range),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for piece in pieces {
        let cut = Cut { text, file }.around(piece);
        out.push_str(&text[copied..cut.start.max(copied)]);
        copied = cut.end.max(copied);
    }
    out.push_str(&text[copied..]);
    out
}

struct Cut<'t> {
    text: &'t str,
    file: &'t SourceFile,
}

impl Cut<'_> {
    /// The piece with the white space that goes with it.
    fn around(&self, piece: Range<usize>) -> Range<usize> {
        let (before, after) = (&self.text[..piece.start], &self.text[piece.end..]);
        let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
        let behind = after.len() - after.trim_start_matches([' ', '\t']).len();
        let (line_start, line_rest) = (piece.start - indent, piece.end + behind);
        let starts_line = line_start == 0 || before[..line_start].ends_with(['\n', '\r']);
        let line_end = newline(&self.text[line_rest..]);
        let ends_line = line_end > 0 || line_rest == self.text.len();
        match (starts_line, ends_line) {
            (true, true) => self.whole_lines(line_start, line_rest + line_end),
            // Something follows on the line and gets its place.
            (true, false) => piece.start..line_rest,
            (false, true) => line_start..line_rest,
            (false, false) => line_start..piece.end,
        }
    }

    /// Lines that go, with the blank lines on one side of them.
    fn whole_lines(&self, start: usize, end: usize) -> Range<usize> {
        let blank_before = blank_lines_before(&self.text[..start]);
        let blank_after = blank_lines_after(&self.text[end..]);
        let (first, last) = (start - blank_before, end + blank_after);
        let opens = |at: usize| self.file.classes.iter().any(|c| c.body.start == at);
        let closes = |at: usize| self.file.classes.iter().any(|c| c.body.end == at);
        let is_first = opens(self.text[..first].trim_end().len());
        let is_last = closes(self.text.len() - self.text[last..].trim_start().len());
        match (is_first, is_last) {
            (true, true) => first..last,
            (true, false) => start..last,
            (false, true) => first..end,
            (false, false) if blank_after > blank_before => first..end,
            (false, false) => start..last,
        }
    }
}

/// Bytes of the line end a text starts with.
fn newline(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Bytes of the blank lines a text starts with.
fn blank_lines_after(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let inner = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match newline(&rest[inner..]) {
            0 => return at,
            end => at += inner + end,
        }
    }
}

/// Bytes of the blank lines a text ends with. The text ends where a line starts.
fn blank_lines_before(text: &str) -> usize {
    let mut end = text.len();
    loop {
        let line = text[..end].strip_suffix('\n').map(|t| t.strip_suffix('\r').unwrap_or(t));
        let Some(line) = line.or_else(|| text[..end].strip_suffix('\r')) else {
            return text.len() - end;
        };
        let trimmed = line.trim_end_matches([' ', '\t']);
        if !(trimmed.is_empty() || trimmed.ends_with(['\n', '\r'])) {
            return text.len() - end;
        }
        end = trimmed.len();
        if end == 0 {
            return text.len();
        }
    }
}
