//! The constant pool of a class being built. Owns deduplication, modified UTF-8 encoding and the 65535 limit.
//! Never renumbers: an index once given stays valid.

use rustc_hash::FxHashMap;

use super::{AssembleProblem, put_u16, put_u32};
use crate::class_info::ConstantValue;
use crate::names::FieldType;
use crate::raw::Text;
use crate::raw::pool::tag;

/// A growing constant pool. Overflow is remembered and reported when the class is finished; until then index 0 stands
/// in.
#[derive(Debug, Default)]
pub struct PoolBuilder {
    bytes: Vec<u8>,
    texts: FxHashMap<Box<[u8]>, u16>,
    entries: FxHashMap<Entry, u16>,
    /// Indices used so far, the unusable second halves of `long` and `double` included; index 0 is not counted.
    used: usize,
    problem: Option<AssembleProblem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    /// Tag and one index: class, string.
    One(u8, u16),
    /// Tag and two indices: member references, name-and-type.
    Two(u8, u16, u16),
}

impl PoolBuilder {
    /// Indices in use; the class file allows 65534.
    #[expect(clippy::len_without_is_empty, reason = "an empty pool is no state anybody asks about")]
    pub fn len(&self) -> usize {
        self.used
    }

    pub(super) fn problem(&self) -> Option<AssembleProblem> {
        self.problem.clone()
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        if text.bytes().all(|b| b != 0 && b < 0x80) {
            return self.modified_utf8(text.as_bytes());
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.utf16(&units)
    }

    fn utf16(&mut self, units: &[u16]) -> u16 {
        self.modified_utf8(&Text::encode(units.iter().copied()))
    }

    fn modified_utf8(&mut self, bytes: &[u8]) -> u16 {
        if let Some(&index) = self.texts.get(bytes) {
            return index;
        }
        if bytes.len() > 65_535 {
            self.problem.get_or_insert(AssembleProblem::TextTooLong { length: bytes.len() });
            return 0;
        }
        let Some(index) = self.take(1) else { return 0 };
        self.bytes.push(tag::UTF8);
        put_u16(&mut self.bytes, bytes.len() as u16);
        self.bytes.extend_from_slice(bytes);
        self.texts.insert(bytes.into(), index);
        index
    }

    /// A class, or an array class spelled as a descriptor.
    pub fn class(&mut self, operand: &str) -> u16 {
        let name = self.utf8(operand);
        self.entry(Entry::One(tag::CLASS, name))
    }

    pub fn string(&mut self, units: &[u16]) -> u16 {
        let text = self.utf16(units);
        self.entry(Entry::One(tag::STRING, text))
    }

    pub fn int(&mut self, value: i32) -> u16 {
        self.entry(Entry::Int(value))
    }

    pub fn long(&mut self, value: i64) -> u16 {
        self.entry(Entry::Long(value))
    }

    pub fn float_bits(&mut self, bits: u32) -> u16 {
        self.entry(Entry::Float(bits))
    }

    pub fn double_bits(&mut self, bits: u64) -> u16 {
        self.entry(Entry::Double(bits))
    }

    pub fn field(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        self.member(tag::FIELD, owner, name, descriptor)
    }

    /// `on_interface` says whether `owner` is an interface: the two kinds of method reference are different constants.
    pub fn method(&mut self, owner: &str, on_interface: bool, name: &str, descriptor: &str) -> u16 {
        let tag = if on_interface { tag::INTERFACE_METHOD } else { tag::METHOD };
        self.member(tag, owner, name, descriptor)
    }

    /// Any loadable constant. A primitive class constant does not exist in pools; index 0 with no problem would be
    /// wrong, so the caller has to use the box class's `TYPE` field, and such a request counts as a bad descriptor.
    pub fn constant(&mut self, value: &ConstantValue) -> u16 {
        match value {
            ConstantValue::Int(v) => self.int(*v),
            ConstantValue::Long(v) => self.long(*v),
            ConstantValue::Float(bits) => self.float_bits(*bits),
            ConstantValue::Double(bits) => self.double_bits(*bits),
            ConstantValue::String(units) => self.string(units),
            ConstantValue::Class(FieldType::Primitive(p)) => {
                self.problem.get_or_insert(AssembleProblem::BadDescriptor {
                    method: "constant pool".to_owned(),
                    descriptor: p.descriptor().to_string(),
                });
                0
            }
            ConstantValue::Class(FieldType::Class(name)) => self.class(name.internal()),
            ConstantValue::Class(array @ FieldType::Array(_)) => self.class(&array.to_string()),
        }
    }

    fn member(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> u16 {
        let owner = self.class(owner);
        let name = self.utf8(name);
        let descriptor = self.utf8(descriptor);
        let pair = self.entry(Entry::Two(tag::NAME_AND_TYPE, name, descriptor));
        self.entry(Entry::Two(tag, owner, pair))
    }

    fn entry(&mut self, entry: Entry) -> u16 {
        if let Some(&index) = self.entries.get(&entry) {
            return index;
        }
        let wide = matches!(entry, Entry::Long(_) | Entry::Double(_));
        let Some(index) = self.take(if wide { 2 } else { 1 }) else { return 0 };
        let out = &mut self.bytes;
        match entry {
            Entry::Int(v) => {
                out.push(tag::INTEGER);
                out.extend(v.to_be_bytes());
            }
            Entry::Float(bits) => {
                out.push(tag::FLOAT);
                put_u32(out, bits);
            }
            Entry::Long(v) => {
                out.push(tag::LONG);
                out.extend(v.to_be_bytes());
            }
            Entry::Double(bits) => {
                out.push(tag::DOUBLE);
                out.extend(bits.to_be_bytes());
            }
            Entry::One(tag, a) => {
                out.push(tag);
                put_u16(out, a);
            }
            Entry::Two(tag, a, b) => {
                out.push(tag);
                put_u16(out, a);
                put_u16(out, b);
            }
        }
        self.entries.insert(entry, index);
        index
    }

    fn take(&mut self, slots: usize) -> Option<u16> {
        let index = self.used + 1;
        if index + slots > 65_535 {
            self.problem.get_or_insert(AssembleProblem::TooManyConstants);
            return None;
        }
        self.used += slots;
        Some(index as u16)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        put_u16(out, self.used as u16 + 1);
        out.extend_from_slice(&self.bytes);
    }
}
