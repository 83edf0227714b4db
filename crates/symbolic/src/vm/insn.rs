//! Translated instructions: operands decoded, jumps as instruction numbers, places of members filled in when first run.
//! Owns the format; never executes anything.

use super::class::MethodId;

/// What to do. Names ending in `Pool` carry a pool index and are replaced by the form without it when first executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    Nop,
    /// One slot, value in `a` (sign-extended) or bits.
    ConstInt,
    ConstWord,
    /// Two slots, value in `a` and `b`.
    ConstLong,
    ConstRef,
    LdcPool,
    Load,
    Load2,
    Store,
    Store2,
    ArrayLoad,
    ArrayLoad2,
    ArrayStore,
    ArrayStore2,
    ReferenceStore,
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    /// `c` is the class file's opcode from `iadd` to `lxor` and from `i2l` to `dcmpg`.
    Arithmetic,
    IntAdd,
    IntSub,
    Increment,
    /// `c` is the class file's opcode.
    IfZero,
    IfInt,
    IfReference,
    IfNull,
    Goto,
    Jsr,
    Ret,
    TableSwitch,
    LookupSwitch,
    Return,
    ReturnOne,
    ReturnTwo,
    GetStaticPool,
    PutStaticPool,
    GetFieldPool,
    PutFieldPool,
    GetStatic,
    GetStatic2,
    /// Of what a JVM chooses by chance; two slots if `n` is 1.
    GetSalt,
    PutStatic,
    PutStatic2,
    GetField,
    GetField2,
    PutField,
    PutField2,
    InvokeVirtualPool,
    InvokeSpecialPool,
    InvokeStaticPool,
    InvokeInterfacePool,
    InvokeDynamicPool,
    /// `a` = method, `b` = vtable slot, `c` = argument slots.
    InvokeVirtual,
    /// `a` = method; `c` = argument slots. Checks the receiver.
    InvokeSpecial,
    /// `a` = method, `b` = statics of its class; `c` = width of the argument if it makes boxes.
    InvokeStatic,
    InvokeInterface,
    /// A signature-polymorphic call: `a` = number of the site.
    InvokePolymorphic,
    /// `a` = number of the switch site.
    PatternSwitch,
    NewPool,
    New,
    NewArray,
    NewReferenceArrayPool,
    MultiNewArrayPool,
    ArrayLength,
    Throw,
    CheckCastPool,
    CheckCast,
    InstanceOfPool,
    InstanceOf,
    MonitorEnter,
    MonitorExit,
    /// Control would run over the end of the code.
    FellOff,
    /// Ends a call made by the machine itself.
    Exit,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Insn {
    pub op: Op,
    pub n: u8,
    pub c: u16,
    pub a: u32,
    pub b: u32,
}

impl Insn {
    pub fn new(op: Op) -> Insn {
        Insn { op, n: 0, c: 0, a: 0, b: 0 }
    }

    pub fn a(op: Op, a: u32) -> Insn {
        Insn { a, ..Insn::new(op) }
    }

    pub fn ab(op: Op, a: u32, b: u32) -> Insn {
        Insn { a, b, ..Insn::new(op) }
    }

    pub fn long(value: u64) -> Insn {
        Insn::ab(Op::ConstLong, value as u32, (value >> 32) as u32)
    }

    pub fn word(self) -> u64 {
        u64::from(self.a) | u64::from(self.b) << 32
    }

    pub fn method(self) -> MethodId {
        MethodId(self.a)
    }
}

/// A switch, sorted by key.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    pub default: u32,
    pub keys: Box<[i32]>,
    pub targets: Box<[u32]>,
}
