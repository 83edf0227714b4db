//! Mutants against real JVMs: which there are, that a class with all of them does the same as without when none is
//! switched on, what each of them does, and that verifiers accept every JDK class written this way. With
//! `TESTUDO_FULL=1` every class is verified instead of a sample.

mod behaviour;
#[path = "../jdk/mod.rs"]
mod jdk;
mod listing;
#[path = "../instrument/support.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod support;
mod verify;

use bytecode::instrument::{Plan, Schemata, instrument, schemata};
use bytecode::names::ClassName;

fn runtime() -> ClassName {
    ClassName::new("testudo/runtime/Mutants")
}

/// A class with its mutants, instrumented as in a worker.
fn switchable(bytes: &[u8], first: u32) -> (Schemata, Vec<u8>) {
    let schemata = schemata(bytes, &runtime(), &[], first).unwrap();
    let plan = Plan { edges: false, lines: false, operands: false, ..support::everything() };
    let bytes = instrument(&schemata.bytes, &plan).unwrap().bytes;
    (schemata, bytes)
}

/// The runtime's own source.
fn mutants_source() -> String {
    format!("{}/../../runtime/src/testudo/runtime/Mutants.java", env!("CARGO_MANIFEST_DIR"))
}
