//! The constant pool: where each constant starts and typed looks at it. Owns no bytes and never resolves a name to a
//! class.

use super::cursor::Cursor;
use super::text::Text;
use crate::problem::{Problem, ProblemKind};

/// A constant as stored: references are still indices. Floats are bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant<'a> {
    Utf8(Text<'a>),
    Integer(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class { name: u16 },
    String { text: u16 },
    Field { class: u16, name_and_type: u16 },
    Method { class: u16, name_and_type: u16 },
    InterfaceMethod { class: u16, name_and_type: u16 },
    NameAndType { name: u16, descriptor: u16 },
    MethodHandle { kind: u8, reference: u16 },
    MethodType { descriptor: u16 },
    Dynamic { bootstrap: u16, name_and_type: u16 },
    InvokeDynamic { bootstrap: u16, name_and_type: u16 },
    Module { name: u16 },
    Package { name: u16 },
}

/// A field or method reference with its names looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// Internal name, or a descriptor if the owner is an array.
    pub owner: Text<'a>,
    pub name: Text<'a>,
    pub descriptor: Text<'a>,
    pub kind: MemberKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    Method,
    InterfaceMethod,
}

/// A `CONSTANT_Dynamic` or `CONSTANT_InvokeDynamic` with its names looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicRef<'a> {
    /// Index into the `BootstrapMethods` attribute.
    pub bootstrap: u16,
    pub name: Text<'a>,
    pub descriptor: Text<'a>,
}

/// The constant pool of one class file.
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    bytes: &'a [u8],
    /// Offset of the tag of each constant; 0 for slot 0 and for the second slot of longs and doubles.
    starts: Vec<u32>,
    end: usize,
}

pub(crate) mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

impl<'a> Pool<'a> {
    pub(super) fn read(bytes: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Pool<'a>, Problem> {
        let at = cursor.position();
        let count = cursor.u2("the constant-pool count")?;
        if count == 0 {
            return Err(Problem::malformed(at, "a constant-pool count of at least 1"));
        }
        // The smallest constant takes 3 bytes: a count the file cannot hold must not reserve memory.
        let mut starts = Vec::with_capacity(usize::from(count).min(cursor.remaining() / 3 + 2));
        starts.push(0);
        while starts.len() < usize::from(count) {
            let start = cursor.position();
            // Class files of 4 GiB are refused before we come here, so offsets fit.
            starts.push(start as u32);
            let tag = cursor.u1("a constant")?;
            let size = match tag {
                tag::UTF8 => usize::from(cursor.u2("the length of a string constant")?),
                tag::INTEGER | tag::FLOAT => 4,
                tag::LONG | tag::DOUBLE => {
                    if starts.len() == usize::from(count) {
                        return Err(Problem::malformed(start, "two pool slots for a long or double constant"));
                    }
                    starts.push(0);
                    8
                }
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 2,
                tag::FIELD
                | tag::METHOD
                | tag::INTERFACE_METHOD
                | tag::NAME_AND_TYPE
                | tag::DYNAMIC
                | tag::INVOKE_DYNAMIC => 4,
                tag::METHOD_HANDLE => 3,
                tag => return Err(Problem::new(start, ProblemKind::ConstantTag { tag })),
            };
            cursor.take(size, "a constant")?;
        }
        Ok(Pool { bytes, starts, end: cursor.position() })
    }

    /// Number of slots, slot 0 included: valid indices are below it.
    #[expect(clippy::len_without_is_empty, reason = "slot 0 is always there, so a pool is never empty")]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Offset of the first byte behind the last constant.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Offset of a constant's tag in the class file, if there is such a constant.
    pub fn start(&self, index: u16) -> Option<usize> {
        self.starts.get(usize::from(index)).filter(|s| **s != 0).map(|s| *s as usize)
    }

    /// Every constant with its index, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> + '_ {
        (1..self.starts.len()).filter_map(|i| {
            // The count was a u16, so every index is.
            let index = i as u16;
            self.get(index).map(|c| (index, c))
        })
    }

    /// The constant at an index; `None` for slot 0, second slots and indices beyond the pool.
    #[inline]
    pub fn get(&self, index: u16) -> Option<Constant<'a>> {
        let start = self.start(index)?;
        let rest = self.bytes.get(start..)?;
        let u2 = |at: usize| u16::from_be_bytes([rest[at], rest[at + 1]]);
        let u4 = |at: usize| u32::from(u2(at)) << 16 | u32::from(u2(at + 2));
        let u8 = |at: usize| u64::from(u4(at)) << 32 | u64::from(u4(at + 4));
        // `read` has checked that each constant lies wholly inside the file, so the indexing below holds.
        Some(match rest[0] {
            tag::UTF8 => Constant::Utf8(Text(&rest[3..3 + usize::from(u2(1))])),
            tag::INTEGER => Constant::Integer(u4(1) as i32),
            tag::FLOAT => Constant::Float(u4(1)),
            tag::LONG => Constant::Long(u8(1) as i64),
            tag::DOUBLE => Constant::Double(u8(1)),
            tag::CLASS => Constant::Class { name: u2(1) },
            tag::STRING => Constant::String { text: u2(1) },
            tag::FIELD => Constant::Field { class: u2(1), name_and_type: u2(3) },
            tag::METHOD => Constant::Method { class: u2(1), name_and_type: u2(3) },
            tag::INTERFACE_METHOD => Constant::InterfaceMethod { class: u2(1), name_and_type: u2(3) },
            tag::NAME_AND_TYPE => Constant::NameAndType { name: u2(1), descriptor: u2(3) },
            tag::METHOD_HANDLE => Constant::MethodHandle { kind: rest[1], reference: u2(2) },
            tag::METHOD_TYPE => Constant::MethodType { descriptor: u2(1) },
            tag::DYNAMIC => Constant::Dynamic { bootstrap: u2(1), name_and_type: u2(3) },
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic { bootstrap: u2(1), name_and_type: u2(3) },
            tag::MODULE => Constant::Module { name: u2(1) },
            tag::PACKAGE => Constant::Package { name: u2(1) },
            _ => return None,
        })
    }

    fn wrong(&self, index: u16, expected: &'static str) -> Problem {
        Problem::new(self.start(index).unwrap_or(self.end), ProblemKind::Constant { index, expected })
    }

    /// A string constant's bytes (`CONSTANT_Utf8`).
    #[inline]
    pub fn text(&self, index: u16) -> Result<Text<'a>, Problem> {
        // The same as through `get`, which would look at every tag first: names are asked for all the time.
        if let Some(rest) = self.start(index).and_then(|start| self.bytes.get(start..))
            && let [tag::UTF8, a, b, rest @ ..] = rest
            && let Some(text) = rest.get(..usize::from(u16::from_be_bytes([*a, *b])))
        {
            return Ok(Text(text));
        }
        Err(self.wrong(index, "a string (Utf8)"))
    }

    /// The name a `CONSTANT_Class` holds: internal name, or a descriptor for arrays.
    pub fn class(&self, index: u16) -> Result<Text<'a>, Problem> {
        match self.get(index) {
            Some(Constant::Class { name }) => self.text(name),
            _ => Err(self.wrong(index, "a class")),
        }
    }

    /// Like [`Pool::class`], with 0 meaning none.
    pub fn optional_class(&self, index: u16) -> Result<Option<Text<'a>>, Problem> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    /// The text of a `CONSTANT_String`.
    pub fn string(&self, index: u16) -> Result<Text<'a>, Problem> {
        match self.get(index) {
            Some(Constant::String { text }) => self.text(text),
            _ => Err(self.wrong(index, "a String")),
        }
    }

    /// Name and descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<(Text<'a>, Text<'a>), Problem> {
        match self.get(index) {
            Some(Constant::NameAndType { name, descriptor }) => Ok((self.text(name)?, self.text(descriptor)?)),
            _ => Err(self.wrong(index, "a name and type")),
        }
    }

    /// A field, method or interface-method reference.
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, Problem> {
        let (class, name_and_type, kind) = match self.get(index) {
            Some(Constant::Field { class, name_and_type }) => (class, name_and_type, MemberKind::Field),
            Some(Constant::Method { class, name_and_type }) => (class, name_and_type, MemberKind::Method),
            Some(Constant::InterfaceMethod { class, name_and_type }) => {
                (class, name_and_type, MemberKind::InterfaceMethod)
            }
            _ => return Err(self.wrong(index, "a field or method reference")),
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef { owner: self.class(class)?, name, descriptor, kind })
    }

    /// A dynamically computed constant or call site.
    pub fn dynamic(&self, index: u16) -> Result<DynamicRef<'a>, Problem> {
        match self.get(index) {
            Some(
                Constant::Dynamic { bootstrap, name_and_type } | Constant::InvokeDynamic { bootstrap, name_and_type },
            ) => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok(DynamicRef { bootstrap, name, descriptor })
            }
            _ => Err(self.wrong(index, "a dynamic constant or call site")),
        }
    }

    /// Reference kind (JVMS table 5.4.3.5-A) and member of a method handle.
    pub fn method_handle(&self, index: u16) -> Result<(u8, MemberRef<'a>), Problem> {
        match self.get(index) {
            Some(Constant::MethodHandle { kind, reference }) => Ok((kind, self.member(reference)?)),
            _ => Err(self.wrong(index, "a method handle")),
        }
    }
}
