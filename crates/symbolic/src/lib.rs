//! Symbolic execution: terms over a program's inputs, and the solver that finds inputs for them.
//! Never starts a process, reads a file or looks at the clock: what lies outside arrives as values and callbacks.

pub mod executor;
pub mod expr;
pub mod solver;
pub mod state;
pub mod trace;
pub mod vm;
