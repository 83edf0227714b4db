//! The `Code` attribute. Owns its layout; never decodes instructions.

use super::attribute::Attributes;
use super::cursor::Cursor;
use super::pool::Pool;
use crate::problem::Problem;

/// A method's code, as slices and offsets of the class file.
#[derive(Clone, Debug)]
pub struct RawCode<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: &'a [u8],
    /// Offset of the first instruction in the class file.
    pub code_start: usize,
    pub handlers: Vec<Handler>,
    pub attributes: Attributes<'a>,
}

/// A row of the exception table. `catch_type` is 0 for handlers of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start_pc: u16,
    /// Exclusive; may equal the code length, which may be 65535 or (in theory) more than fits.
    pub end_pc: u16,
    pub handler_pc: u16,
    pub catch_type: u16,
}

impl<'a> RawCode<'a> {
    pub(super) fn read(
        bytes: &'a [u8],
        range: std::ops::Range<usize>,
        pool: &Pool<'a>,
    ) -> Result<RawCode<'a>, Problem> {
        // The attribute's range was cut out of `bytes` when the attribute was read.
        let mut cursor = Cursor::new(&bytes[..range.end], range.start);
        let (max_stack, max_locals) = (cursor.u2("max_stack")?, cursor.u2("max_locals")?);
        let length = cursor.u4("the code length")?;
        if length == 0 || length > 0xffff {
            return Err(Problem::malformed(cursor.position(), "between 1 and 65535 bytes of code"));
        }
        let code_start = cursor.position();
        let code = cursor.take(length as usize, "the code")?;
        let count = usize::from(cursor.u2("the length of the exception table")?);
        let rows = cursor.take(count * 8, "the exception table")?;
        let handlers = rows
            .chunks_exact(8)
            .map(|r| Handler {
                start_pc: u16::from_be_bytes([r[0], r[1]]),
                end_pc: u16::from_be_bytes([r[2], r[3]]),
                handler_pc: u16::from_be_bytes([r[4], r[5]]),
                catch_type: u16::from_be_bytes([r[6], r[7]]),
            })
            .collect();
        let attributes = Attributes::read(&mut cursor, bytes, pool)?;
        if cursor.remaining() != 0 {
            return Err(Problem::malformed(cursor.position(), "the Code attribute to end here"));
        }
        Ok(RawCode { max_stack, max_locals, code, code_start, handlers, attributes })
    }
}
