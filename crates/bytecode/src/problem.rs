//! What can be wrong with a class file. Owns the typed problem (where, what, what was expected); never decides what to
//! do about it.

/// A class file is malformed, or of a kind this crate does not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Problem {
    /// Offset from the start of the class file.
    pub offset: usize,
    pub kind: ProblemKind,
}

impl Problem {
    pub fn new(offset: usize, kind: ProblemKind) -> Problem {
        Problem { offset, kind }
    }

    /// A class that is well-formed and still not what was expected.
    pub fn of_content(expected: &'static str) -> Problem {
        Problem::malformed(0, expected)
    }

    pub(crate) fn malformed(offset: usize, expected: &'static str) -> Problem {
        Problem { offset, kind: ProblemKind::Malformed { expected } }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    #[error("not a class file (it does not start with CAFEBABE)")]
    NotAClassFile,
    #[error("class-file version {major}.{minor} is not supported (45 to 69, Java 1.0 to 25, are)")]
    Version { major: u16, minor: u16 },
    #[error("the file ends in the middle of {expected}")]
    Truncated { expected: &'static str },
    #[error("{count} bytes follow the end of the class")]
    TrailingBytes { count: usize },
    #[error("unknown constant-pool tag {tag}")]
    ConstantTag { tag: u8 },
    #[error("constant {index} is not {expected}")]
    Constant { index: u16, expected: &'static str },
    #[error("unknown opcode {opcode:#04x} at pc {pc}")]
    Opcode { opcode: u8, pc: u32 },
    #[error("the instruction at pc {pc} ends beyond the code")]
    Operands { pc: u32 },
    #[error("the switch at pc {pc} has impossible bounds or unsorted keys")]
    Switch { pc: u32 },
    #[error("the jump at pc {pc} goes to {target}, which is not the start of an instruction")]
    JumpTarget { pc: u32, target: i64 },
    #[error("expected {expected}")]
    Malformed { expected: &'static str },
}
