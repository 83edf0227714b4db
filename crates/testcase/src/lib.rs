//! Tests as data: types, operations, sequences, what executions show, assertions, suites, and the JUnit writer.
//! Pure data and pure functions; never runs anything and does not know who generates.

pub mod assertion;
pub mod classes;
pub mod cost;
pub mod execution;
pub mod executor;
pub mod generic;
pub mod junit;
pub mod members;
pub mod observed;
pub mod operation;
pub mod sequence;
mod substitution;
pub mod subtyping;
pub mod suite;
pub mod suite_name;
pub mod text;
pub mod types;
pub mod value;
pub mod verify;
