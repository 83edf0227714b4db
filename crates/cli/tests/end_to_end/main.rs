//! The command as users run it: real JVMs, real files. One binary for all end-to-end tests; each module owns one promise.

mod arguments;
mod assess;
mod budget;
mod delivered;
mod demo;
mod determinism;
mod errors;
mod findings;
mod flakiness;
mod from_tests;
mod hostile;
mod infeasible;
mod interrupt;
#[path = "../../../exec/tests/suites_support/jars.rs"]
mod jars;
mod lab;
mod minimize;
mod mutation;
mod platform;
mod schema;
mod shared;
mod solving;
mod suites;
