//! One entry of an image: where a resource lies and the parts of its name. Owns the attribute encoding.

use super::JimageProblem;
use crate::names::ClassName;

/// A resource's place. Name parts are offsets into the string table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    /// From the end of the string table.
    pub offset: u64,
    /// 0 if stored plainly.
    pub compressed_size: u64,
    pub size: u64,
}

impl Location {
    /// Decodes attributes until the end mark; `start` is where `bytes` begins in the image.
    pub fn read(bytes: &[u8], start: usize) -> Result<Location, JimageProblem> {
        let mut location = Location::default();
        let mut at = 0;
        loop {
            let cut = || JimageProblem::Truncated { offset: start + at, expected: "a location" };
            let head = *bytes.get(at).ok_or_else(cut)?;
            let (kind, length) = (head >> 3, usize::from(head & 7) + 1);
            if kind == 0 {
                return Ok(location);
            }
            let value = bytes.get(at + 1..at + 1 + length).ok_or_else(cut)?;
            let value = value.iter().fold(0u64, |v, b| v << 8 | u64::from(*b));
            match kind {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed_size = value,
                7 => location.size = value,
                // Newer images may have more attributes.
                _ => {}
            }
            at += 1 + length;
        }
    }

    pub fn parts<'a>(&self, strings: Strings<'a>) -> Result<Parts<'a>, JimageProblem> {
        Ok(Parts {
            module: strings.get(self.module)?,
            parent: strings.get(self.parent)?,
            base: strings.get(self.base)?,
            extension: strings.get(self.extension)?,
        })
    }

    /// Whether this is the location of that full path. Compares bytes: looking up is the hottest operation on an image.
    pub fn is_at(&self, path: &[u8], strings: Strings<'_>) -> bool {
        let mut rest = path;
        let mut eat = |before: &[u8], part: u64, after: &[u8]| {
            let Some(text) = strings.bytes_at(part) else { return false };
            if text.is_empty() {
                return true;
            }
            let behind =
                rest.strip_prefix(before).and_then(|r| r.strip_prefix(text)).and_then(|r| r.strip_prefix(after));
            rest = behind.unwrap_or_default();
            behind.is_some()
        };
        eat(b"/", self.module, b"/")
            && eat(b"", self.parent, b"/")
            && eat(b"", self.base, b"")
            && eat(b".", self.extension, b"")
            && rest.is_empty()
    }
}

/// The name of a resource: `/module/parent/base.extension`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub module: &'a str,
    pub parent: &'a str,
    pub base: &'a str,
    pub extension: &'a str,
}

impl Parts<'_> {
    pub fn class_name(&self) -> ClassName {
        if self.parent.is_empty() {
            ClassName::new(self.base)
        } else {
            ClassName::new([self.parent, "/", self.base].concat())
        }
    }
}

/// The string table: texts ended by a zero byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strings<'a> {
    pub bytes: &'a [u8],
    /// Where the table begins in the image.
    pub start: usize,
}

impl<'a> Strings<'a> {
    pub fn get(self, offset: u64) -> Result<&'a str, JimageProblem> {
        let text = self.bytes_at(offset).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.ok_or(JimageProblem::Malformed { offset: self.start, expected: "a string in the table" })
    }

    fn bytes_at(self, offset: u64) -> Option<&'a [u8]> {
        let rest = self.bytes.get(usize::try_from(offset).ok()?..)?;
        Some(&rest[..rest.iter().position(|b| *b == 0)?])
    }
}
