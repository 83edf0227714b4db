//! Constants appended to a pool. Old indices stay valid, so code that is copied needs no change. Owns the appended
//! bytes; never touches the existing pool.

use crate::raw::pool::tag;
use rustc_hash::FxHashMap;

/// The pool has no room for another constant (65,535 slots).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PoolFull;

pub(super) struct NewConstants {
    bytes: Vec<u8>,
    next: u16,
    /// What was appended already, by its encoding.
    known: FxHashMap<Box<[u8]>, u16>,
    integers: FxHashMap<i32, u16>,
}

impl NewConstants {
    /// `slots`: slots of the existing pool, slot 0 included.
    pub fn new(slots: u16) -> NewConstants {
        NewConstants { bytes: Vec::new(), next: slots, known: FxHashMap::default(), integers: FxHashMap::default() }
    }

    /// The appended constants, encoded.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The constant-pool count of the new class file.
    pub fn count(&self) -> u16 {
        self.next
    }

    fn append(&mut self, encoded: &[u8]) -> Result<u16, PoolFull> {
        // The count is a u16 too, so the last index is 65534.
        if self.next == u16::MAX {
            return Err(PoolFull);
        }
        self.bytes.extend_from_slice(encoded);
        self.next += 1;
        Ok(self.next - 1)
    }

    fn share(&mut self, encoded: &[u8]) -> Result<u16, PoolFull> {
        if let Some(index) = self.known.get(encoded) {
            return Ok(*index);
        }
        let index = self.append(encoded)?;
        self.known.insert(encoded.into(), index);
        Ok(index)
    }

    fn share_pair(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, PoolFull> {
        let [a, b] = first.to_be_bytes();
        let [c, d] = second.to_be_bytes();
        self.share(&[tag, a, b, c, d])
    }

    /// `text` must be modified UTF-8 of at most 65,535 bytes; longer text cannot be a name and is refused like a full
    /// pool.
    pub fn utf8(&mut self, text: &[u8]) -> Result<u16, PoolFull> {
        let length = u16::try_from(text.len()).map_err(|_| PoolFull)?;
        let mut encoded = Vec::with_capacity(text.len() + 3);
        encoded.push(tag::UTF8);
        encoded.extend(length.to_be_bytes());
        encoded.extend_from_slice(text);
        self.share(&encoded)
    }

    /// `text` as for [`NewConstants::utf8`].
    pub fn string(&mut self, text: &[u8]) -> Result<u16, PoolFull> {
        let [a, b] = self.utf8(text)?.to_be_bytes();
        self.share(&[tag::STRING, a, b])
    }

    pub fn class(&mut self, name: &[u8]) -> Result<u16, PoolFull> {
        let [a, b] = self.utf8(name)?.to_be_bytes();
        self.share(&[tag::CLASS, a, b])
    }

    pub fn field(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16, PoolFull> {
        self.member(tag::FIELD, owner, name, descriptor)
    }

    pub fn method(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16, PoolFull> {
        self.member(tag::METHOD, owner, name, descriptor)
    }

    fn member(&mut self, tag: u8, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16, PoolFull> {
        let class = self.class(owner)?;
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        let name_and_type = self.share_pair(tag::NAME_AND_TYPE, name, descriptor)?;
        self.share_pair(tag, class, name_and_type)
    }

    pub fn integer(&mut self, value: i32) -> Result<u16, PoolFull> {
        if let Some(index) = self.integers.get(&value) {
            return Ok(*index);
        }
        let [a, b, c, d] = value.to_be_bytes();
        let index = self.append(&[tag::INTEGER, a, b, c, d])?;
        self.integers.insert(value, index);
        Ok(index)
    }
}
