//! Writing frames into a reusable buffer. Owns the primitive encodings; never knows what a message means.

/// A growing buffer of whole frames.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Where the open frame's length goes.
    open: usize,
}

impl Writer {
    pub fn begin(&mut self, kind: u8) {
        self.open = self.bytes.len();
        self.bytes.extend([0, 0, 0, 0, kind]);
    }

    pub fn end(&mut self) {
        let length = (self.bytes.len() - self.open - 4) as u32;
        self.bytes[self.open..self.open + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// All frames written since the last [`Writer::clear`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The frames, leaving the writer empty.
    pub fn take(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.bytes.len());
        std::mem::replace(&mut self.bytes, next)
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Whole frames encoded earlier.
    pub fn raw(&mut self, frames: &[u8]) {
        self.bytes.extend_from_slice(frames);
    }

    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    #[inline]
    pub fn v(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub fn len(&mut self, length: usize) {
        self.v(length as u64);
    }

    pub fn z(&mut self, value: i64) {
        self.v(((value << 1) ^ (value >> 63)) as u64);
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn str(&mut self, text: &str) {
        if text.bytes().all(|b| b < 0x80) {
            self.blob(text.as_bytes());
        } else {
            let units: Vec<u16> = text.encode_utf16().collect();
            self.utf16(&units);
        }
    }

    /// Each UTF-16 unit by itself in one to three bytes, so that lone surrogates survive.
    pub fn utf16(&mut self, units: &[u16]) {
        let length: usize = units
            .iter()
            .map(|&u| {
                if u < 0x80 {
                    1
                } else if u < 0x800 {
                    2
                } else {
                    3
                }
            })
            .sum();
        self.len(length);
        for &unit in units {
            let [high, low] = [(unit >> 6) as u8, (unit & 0x3f) as u8];
            match unit {
                0..0x80 => self.bytes.push(unit as u8),
                0x80..0x800 => self.bytes.extend([0xc0 | high, 0x80 | low]),
                _ => self.bytes.extend([0xe0 | (unit >> 12) as u8, 0x80 | (high & 0x3f), 0x80 | low]),
            }
        }
    }

    pub fn blob(&mut self, data: &[u8]) {
        self.len(data.len());
        self.bytes.extend_from_slice(data);
    }
}
