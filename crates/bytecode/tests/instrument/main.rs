//! The rewriter and the instrumenter against real JVMs: every class of every JDK found, programs that must behave the
//! same, old and odd class files, and garbage. With `TESTUDO_FULL=1` every class is verified instead of a sample.

mod behaviour;
mod garbage;
#[path = "../jdk/mod.rs"]
mod jdk;
mod limits;
mod old;
mod platform;
mod roundtrip;
mod support;
mod verify;
