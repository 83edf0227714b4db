//! The command as users run it: real JVMs, real files. One binary for all end-to-end tests; each module owns one promise.

mod assess;
mod budget;
mod demo;
mod determinism;
mod errors;
mod hostile;
mod interrupt;
mod lab;
mod minimize;
mod platform;
mod schema;
mod suites;
