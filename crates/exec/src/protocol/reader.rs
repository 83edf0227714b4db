//! Reading the primitive encodings from one message. Owns bounds checks; never knows what a message means.

use testcase::value::JavaString;

use super::WireProblem;

/// A cursor over a payload.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Everything was read.
    pub fn finish(&self) -> Result<(), WireProblem> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            count => Err(WireProblem::LeftOver { count }),
        }
    }

    pub fn impossible<T>(&self, what: &'static str, value: u64) -> Result<T, WireProblem> {
        Err(WireProblem::Impossible { at: self.at, what, value })
    }

    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], WireProblem> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or(WireProblem::Truncated { at: self.at, what })?;
        self.at += count;
        Ok(taken)
    }

    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8, WireProblem> {
        let byte = *self.bytes.get(self.at).ok_or(WireProblem::Truncated { at: self.at, what })?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub fn v(&mut self, what: &'static str) -> Result<u64, WireProblem> {
        let first = self.u8(what)?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..70).step_by(7) {
            let byte = self.u8(what)?;
            if shift == 63 && byte > 1 {
                return self.impossible(what, u64::from(byte));
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.impossible(what, value)
    }

    pub fn z(&mut self, what: &'static str) -> Result<i64, WireProblem> {
        let value = self.v(what)?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number that must fit the narrower type.
    pub fn number<T: TryFrom<u64>>(&mut self, what: &'static str) -> Result<T, WireProblem> {
        let value = self.v(what)?;
        T::try_from(value).or_else(|_| self.impossible(what, value))
    }

    pub fn signed<T: TryFrom<i64>>(&mut self, what: &'static str) -> Result<T, WireProblem> {
        let value = self.z(what)?;
        T::try_from(value).or_else(|_| self.impossible(what, value as u64))
    }

    /// How many things follow. Each takes at least one byte, so more than what is left is a lie.
    pub fn count(&mut self, what: &'static str) -> Result<usize, WireProblem> {
        let count: usize = self.number(what)?;
        if count > self.bytes.len() - self.at {
            return self.impossible(what, count as u64);
        }
        Ok(count)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, WireProblem> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4, what)?);
        Ok(u32::from_le_bytes(bytes))
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, WireProblem> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8, what)?);
        Ok(u64::from_le_bytes(bytes))
    }

    pub fn blob(&mut self, what: &'static str) -> Result<&'a [u8], WireProblem> {
        let count = self.count(what)?;
        self.take(count, what)
    }

    /// Text for messages and names: lone surrogates become replacement characters.
    pub fn str(&mut self, what: &'static str) -> Result<String, WireProblem> {
        let (start, raw) = (self.at, self.blob(what)?);
        if raw.is_ascii() {
            return Ok(String::from_utf8_lossy(raw).into_owned());
        }
        Ok(String::from_utf16_lossy(&units(raw, start, what)?))
    }

    pub fn java_string(&mut self, what: &'static str) -> Result<JavaString, WireProblem> {
        let (start, raw) = (self.at, self.blob(what)?);
        Ok(JavaString::new(&units(raw, start, what)?))
    }
}

fn units(raw: &[u8], start: usize, what: &'static str) -> Result<Vec<u16>, WireProblem> {
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    let more = |at: usize| match raw.get(at) {
        Some(&b) if b & 0xc0 == 0x80 => Ok(u16::from(b & 0x3f)),
        Some(&b) => Err(WireProblem::Impossible { at: start + at, what, value: u64::from(b) }),
        None => Err(WireProblem::Truncated { at: start + at, what }),
    };
    while let Some(&first) = raw.get(at) {
        let head = u16::from(first);
        match first {
            0..0x80 => {
                out.push(head);
                at += 1;
            }
            0xc0..0xe0 => {
                out.push(((head & 0x1f) << 6) | more(at + 1)?);
                at += 2;
            }
            0xe0..0xf0 => {
                out.push(((head & 0xf) << 12) | (more(at + 1)? << 6) | more(at + 2)?);
                at += 3;
            }
            _ => {
                return Err(WireProblem::Impossible { at: start + at, what, value: u64::from(first) });
            }
        }
    }
    Ok(out)
}
