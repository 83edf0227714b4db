//! Access flags of classes, fields and methods. Owns the bit meanings only; which flag applies where is the reader's
//! business.

/// A set of access flags as stored in a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Access(pub u16);

impl Access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SUPER: u16 = 0x0020;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const BRIDGE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const TRANSIENT: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }
    pub fn is_public(self) -> bool {
        self.has(Self::PUBLIC)
    }
    pub fn is_private(self) -> bool {
        self.has(Self::PRIVATE)
    }
    pub fn is_protected(self) -> bool {
        self.has(Self::PROTECTED)
    }
    /// Neither public, protected nor private.
    pub fn is_package_private(self) -> bool {
        self.0 & (Self::PUBLIC | Self::PROTECTED | Self::PRIVATE) == 0
    }
    pub fn is_static(self) -> bool {
        self.has(Self::STATIC)
    }
    pub fn is_final(self) -> bool {
        self.has(Self::FINAL)
    }
    pub fn is_abstract(self) -> bool {
        self.has(Self::ABSTRACT)
    }
    pub fn is_interface(self) -> bool {
        self.has(Self::INTERFACE)
    }
    pub fn is_enum(self) -> bool {
        self.has(Self::ENUM)
    }
    pub fn is_synthetic(self) -> bool {
        self.has(Self::SYNTHETIC)
    }
}
