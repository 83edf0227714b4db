//! Attributes as named slices. Owns finding them; never looks inside one.

use super::cursor::Cursor;
use super::pool::Pool;
use super::text::Text;
use crate::problem::Problem;
use std::ops::Range;

/// A list of attributes that has been checked to lie inside the file; iterating it copies nothing.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    bytes: &'a [u8],
    /// Offset of the first attribute, behind the count.
    start: usize,
    end: usize,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawAttribute<'a> {
    pub name: Text<'a>,
    pub name_index: u16,
    /// Its content, without name and length.
    pub content: &'a [u8],
    /// Where `content` lies in the class file.
    pub range: Range<usize>,
}

impl<'a> Attributes<'a> {
    pub(crate) fn read(cursor: &mut Cursor<'a>, bytes: &'a [u8], pool: &Pool<'a>) -> Result<Attributes<'a>, Problem> {
        let count = cursor.u2("an attribute count")?;
        let start = cursor.position();
        for _ in 0..count {
            pool.text(cursor.u2("an attribute")?)?;
            let length = cursor.u4("an attribute")?;
            cursor.take(length as usize, "an attribute")?;
        }
        Ok(Attributes { bytes, start, end: cursor.position() })
    }

    /// Where the list lies in the class file, from behind the count to behind the last attribute.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub fn iter<'p>(&self, pool: &'p Pool<'a>) -> impl Iterator<Item = RawAttribute<'a>> + use<'a, 'p> {
        let bytes = self.bytes;
        let mut at = self.start;
        let end = self.end;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            // `read` has walked these same bytes: header and content are inside the file, the name is a string.
            let name_index = u16::from_be_bytes([bytes[at], bytes[at + 1]]);
            let length = u32::from_be_bytes([bytes[at + 2], bytes[at + 3], bytes[at + 4], bytes[at + 5]]) as usize;
            let range = at + 6..at + 6 + length;
            at = range.end;
            Some(RawAttribute { name: pool.text(name_index).ok()?, name_index, content: &bytes[range.clone()], range })
        })
    }

    /// The first attribute of a name.
    pub fn find(&self, pool: &Pool<'a>, name: &str) -> Option<RawAttribute<'a>> {
        self.iter(pool).find(|a| a.name == name)
    }
}
