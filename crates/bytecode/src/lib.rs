//! Everything about class files as data: names, reading, instructions, analysis, instrumentation, writing,
//! and the `World` (hierarchy over supplied bytes). Does no IO and knows nothing of sequences, goals or processes.

pub mod access;
pub mod analysis;
pub mod assemble;
pub mod class_info;
pub mod instruction;
pub mod instrument;
pub mod jimage;
pub mod mutate;
pub mod names;
pub mod problem;
pub mod raw;
mod read;
pub mod signature;
pub mod world;
