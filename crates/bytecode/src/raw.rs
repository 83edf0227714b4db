//! A class file as slices of the bytes it came in: pool, members, attributes, code. Owns the layout of JVMS chapter 4;
//! copies no bytes, interprets no attribute but `Code`, and answers malformed input with a [`Problem`].

pub mod attribute;
pub mod code;
pub mod cursor;
pub mod pool;
pub mod text;

pub use attribute::{Attributes, RawAttribute};
pub use code::{Handler, RawCode};
pub use cursor::Cursor;
pub use pool::{Constant, DynamicRef, MemberKind, MemberRef, Pool};
pub use text::Text;

use crate::access::Access;
use crate::problem::{Problem, ProblemKind};

/// The newest class-file major version understood (Java 25).
pub const NEWEST_VERSION: u16 = 69;

/// A parsed class file.
#[derive(Clone, Debug)]
pub struct RawClass<'a> {
    pub bytes: &'a [u8],
    /// Major and minor version.
    pub version: (u16, u16),
    pub pool: Pool<'a>,
    pub access: Access,
    /// Pool indices; `super_class` is 0 for `java/lang/Object` and modules.
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<RawMember<'a>>,
    pub methods: Vec<RawMember<'a>>,
    pub attributes: Attributes<'a>,
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct RawMember<'a> {
    pub access: Access,
    pub name: Text<'a>,
    pub descriptor: Text<'a>,
    pub attributes: Attributes<'a>,
}

impl<'a> RawClass<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<RawClass<'a>, Problem> {
        let mut cursor = Cursor::new(bytes, 0);
        if bytes.get(..4) != Some(&[0xca, 0xfe, 0xba, 0xbe]) || u32::try_from(bytes.len()).is_err() {
            return Err(Problem::new(0, ProblemKind::NotAClassFile));
        }
        cursor.u4("the magic number")?;
        let minor = cursor.u2("the version")?;
        let major = cursor.u2("the version")?;
        if !(45..=NEWEST_VERSION).contains(&major) {
            return Err(Problem::new(4, ProblemKind::Version { major, minor }));
        }
        let pool = Pool::read(bytes, &mut cursor)?;
        let access = Access(cursor.u2("the access flags")?);
        let this_class = cursor.u2("the class")?;
        pool.class(this_class)?;
        let super_class = cursor.u2("the superclass")?;
        pool.optional_class(super_class)?;
        let count = usize::from(cursor.u2("the interfaces")?);
        let interfaces: Vec<u16> = cursor
            .take(count * 2, "the interfaces")?
            .chunks_exact(2)
            .map(|c| u16::from_be_bytes([c[0], c[1]]))
            .collect();
        for i in &interfaces {
            pool.class(*i)?;
        }
        let fields = Self::members(&mut cursor, bytes, &pool, "a field")?;
        let methods = Self::members(&mut cursor, bytes, &pool, "a method")?;
        let attributes = Attributes::read(&mut cursor, bytes, &pool)?;
        if cursor.remaining() != 0 {
            let kind = ProblemKind::TrailingBytes { count: cursor.remaining() };
            return Err(Problem::new(cursor.position(), kind));
        }
        Ok(RawClass {
            bytes,
            version: (major, minor),
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    fn members(
        cursor: &mut Cursor<'a>,
        bytes: &'a [u8],
        pool: &Pool<'a>,
        expected: &'static str,
    ) -> Result<Vec<RawMember<'a>>, Problem> {
        let count = usize::from(cursor.u2(expected)?);
        // A member takes at least 8 bytes: a count the file cannot hold must not reserve memory.
        let mut members = Vec::with_capacity(count.min(cursor.remaining() / 8));
        for _ in 0..count {
            members.push(RawMember {
                access: Access(cursor.u2(expected)?),
                name: pool.text(cursor.u2(expected)?)?,
                descriptor: pool.text(cursor.u2(expected)?)?,
                attributes: Attributes::read(cursor, bytes, pool)?,
            });
        }
        Ok(members)
    }

    /// The class's own internal name.
    pub fn name(&self) -> Text<'a> {
        // `parse` has looked it up once already, so it cannot fail.
        self.pool.class(self.this_class).unwrap_or(Text(b""))
    }

    pub fn super_name(&self) -> Option<Text<'a>> {
        // `parse` has looked it up once already, so it cannot fail.
        self.pool.optional_class(self.super_class).unwrap_or(None)
    }

    /// A method's code; `None` for abstract and native methods.
    pub fn code(&self, method: &RawMember<'a>) -> Result<Option<RawCode<'a>>, Problem> {
        match method.attributes.find(&self.pool, "Code") {
            Some(a) => RawCode::read(self.bytes, a.range, &self.pool).map(Some),
            None => Ok(None),
        }
    }
}
