//! Running things on real JVMs: protocol, workers, triage, sandbox, class path and JDK discovery.
//! Never knows goals or generators.

pub mod classpath;
pub mod compiler;
pub mod dispatch;
pub mod executor;
pub mod folder;
pub mod jdk;
pub mod library;
pub mod limits;
pub mod process;
pub mod protocol;
pub mod runner;
pub mod runtime;
pub mod sandbox;
pub mod sources;
pub mod suite;
pub mod transcript;
pub mod triage;
pub mod worker;
