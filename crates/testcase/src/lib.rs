//! Tests as data: types, operations, sequences, what executions show, assertions, suites, and the JUnit writer.
//! Pure data and pure functions; never runs anything and does not know who generates.

pub mod assertion;
pub mod execution;
pub mod executor;
pub mod operation;
pub mod sequence;
pub mod types;
pub mod value;
