//! The search: goals, pool, archive, generators, oracles, reduction. Deterministic: one seeded source of chance, no clock, no IO, no processes.
//! Knows sequences and executions; never how they are run.

pub mod archive;
pub mod budget;
pub mod catalog;
pub mod checks;
pub mod constants;
pub(crate) mod costs;
pub mod distance;
mod disturbance;
mod finish;
pub mod generate;
pub mod goal;
mod health;
mod initialiser;
pub mod library;
pub mod mutation;
pub mod options;
pub mod oracle;
pub mod outcome;
pub mod pool;
pub mod prices;
pub mod proposal;
pub mod reason;
pub mod record;
pub mod reduce;
mod rehearse;
pub mod rng;
pub mod search;
pub mod seen;
pub mod session;
pub mod state;
pub mod supply;
pub mod target;
pub mod world_library;
