//! Constant-pool strings: bytes in modified UTF-8, which real classes fill with lone surrogates and overlong forms.
//! Owns their views as `str` and UTF-16; never changes the bytes.

use std::borrow::Cow;
use std::fmt;

/// A `CONSTANT_Utf8` as it stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// As a string; what no Rust string can hold (lone surrogates, broken bytes) becomes U+FFFD.
    pub fn lossy(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(plain) => Cow::Borrowed(plain),
            Err(_) => Cow::Owned(String::from_utf16_lossy(&self.utf16())),
        }
    }

    /// The exact UTF-16 units. Bytes that are no modified UTF-8 become U+FFFD each.
    pub fn utf16(self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        let mut rest = self.0;
        while let [first, tail @ ..] = rest {
            let (unit, length) = match (first, tail) {
                (0x00..=0x7f, _) => (u16::from(*first), 1),
                (0xc0..=0xdf, [b @ 0x80..=0xbf, ..]) => (u16::from(first & 0x1f) << 6 | u16::from(b & 0x3f), 2),
                (0xe0..=0xef, [b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..]) => {
                    (u16::from(first & 0x0f) << 12 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f), 3)
                }
                _ => (0xfffd, 1),
            };
            units.push(unit);
            rest = &rest[length..];
        }
        units
    }

    /// Modified UTF-8 of UTF-16 units: the inverse of [`Text::utf16`] on well-formed input.
    pub fn encode(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for u in units {
            match u {
                0x01..=0x7f => bytes.push(u as u8),
                0x00 | 0x80..=0x7ff => bytes.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
                _ => bytes.extend([0xe0 | (u >> 12) as u8, 0x80 | (u >> 6 & 0x3f) as u8, 0x80 | (u & 0x3f) as u8]),
            }
        }
        bytes
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.lossy(), f)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_survive_the_round_trip() {
        for units in [vec![0u16, 1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff], vec![0xd83d, 0xde00], vec![0xde00, 0xd83d]] {
            assert_eq!(Text(&Text::encode(units.clone())).utf16(), units);
        }
    }

    #[test]
    fn broken_bytes_become_replacement_characters() {
        assert_eq!(Text(b"a\xff\xc3").lossy(), "a\u{fffd}\u{fffd}");
        assert_eq!(Text(b"\xe2\x82").utf16(), [0xfffd, 0xfffd]);
        assert_eq!(Text(b"\xc0\x80").lossy(), "\0");
        assert_eq!(Text(b"\xed\xa0\xbd\xed\xb8\x80").lossy(), "😀");
    }
}
