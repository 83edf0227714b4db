//! Why a run ended without a result of the program's own. Owns the reasons; the code that runs the machine counts every
//! one.

use std::fmt;
use std::sync::Arc;

use super::heap::Ref;

/// The end of a path that is not behaviour of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Something the machine has no model of. Never a wrong answer instead.
    Unmodelled(Unmodelled),
    /// Too many instructions.
    Steps,
    /// Too many frames: on a JVM a stack overflow.
    Depth,
    /// More heap than allowed.
    Memory,
    /// The program asked to end the process.
    Exit(i32),
    /// Code that no compiler makes and a JVM's verifier refuses.
    Malformed(Arc<str>),
}

/// What is not modelled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unmodelled {
    /// A native method.
    Native(Arc<str>),
    /// A bootstrap method, or a constant made by one.
    Bootstrap(Arc<str>),
    /// Calls of the machine to itself that nest too deeply: on a JVM they may return.
    Nesting,
    /// Anything else, in words.
    Other(Arc<str>),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unmodelled(Unmodelled::Native(name)) => write!(f, "native method {name}"),
            Stop::Unmodelled(Unmodelled::Bootstrap(name)) => write!(f, "bootstrap method {name}"),
            Stop::Unmodelled(Unmodelled::Nesting) => f.write_str("calls of the machine to itself nest too deeply"),
            Stop::Unmodelled(Unmodelled::Other(what)) => f.write_str(what),
            Stop::Steps => f.write_str("step limit"),
            Stop::Depth => f.write_str("stack depth"),
            Stop::Memory => f.write_str("heap limit"),
            Stop::Exit(status) => write!(f, "exit {status}"),
            Stop::Malformed(why) => write!(f, "malformed code: {why}"),
        }
    }
}

impl Stop {
    pub fn unmodelled(what: impl Into<Arc<str>>) -> Stop {
        Stop::Unmodelled(Unmodelled::Other(what.into()))
    }
}

/// How an instruction ends if control does not simply continue.
#[derive(Clone, Debug)]
pub enum Trap {
    /// A Java exception.
    Throw(Ref),
    Stop(Box<Stop>),
}

impl From<Stop> for Trap {
    #[cold]
    fn from(stop: Stop) -> Trap {
        Trap::Stop(Box::new(stop))
    }
}

/// Shorthand for natives and instructions.
pub type Run<T> = Result<T, Trap>;
