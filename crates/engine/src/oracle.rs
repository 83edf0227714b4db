//! Oracles: what tells a right execution from a wrong one. `suspicion` collects what might be a bug while the search runs, `contracts` turns
//! confirmed suspicions into findings by the rules of `legality`, `confidence` says how sure they are, `regression` writes down what correct runs showed,
//! `unsteady` finds calls that do not do the same twice, `peek` has the calls that show what is in containers.

pub mod confidence;
pub mod contracts;
pub mod legality;
pub(crate) mod peek;
pub mod regression;
pub mod suspicion;
pub mod unsteady;
