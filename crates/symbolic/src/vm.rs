//! The symbolic machine: an interpreter of bytecode whose values are concrete and, where inputs reach, terms as well.
//! Owns classes, heap and instructions of one running program. Reads classes from a source it is given and touches
//! nothing else: no file, no process, no clock.
//!
//! What it cannot do ends a run with a reason ([`Stop`]), never with a wrong answer.

mod aim;
mod arithmetic;
mod blame;
mod boot;
mod class;
mod decode;
mod dynamic;
mod exception;
mod functional;
mod graph;
mod heap;
mod init;
mod input;
mod inquire;
mod insn;
mod invoke;
mod lambda;
mod layout;
mod linearize;
mod load;
mod machine;
mod mirror;
mod natives;
mod observe;
mod path;
mod pattern;
mod polymorphic;
mod reason;
mod record;
mod reference;
mod resolve;
mod run;
mod shape;
mod state;
mod statement;
mod stop;
mod symbols;
mod synthetic;
mod text;
mod unstable;
mod verify;
mod watch;

pub use boot::BootProblem;
pub use class::{ClassId, MethodId};
pub use graph::{Graph, Held};
pub use heap::Ref;
pub use linearize::Unknown;
pub use machine::{Limits, Machine};
pub use path::{Check, Path, PathStep, Representation, Site};
pub(crate) use reason::FILLING;
pub(crate) use state::word;
pub use state::{Outdated, Snapshot};
pub use stop::{Run, Stop, Trap, Unmodelled};
pub use unstable::Unstable;
pub use watch::{Access, Call, Outcome, Way};
