//! From archive to suite: few tests, each small, none without a goal of its own. `cover` picks, `shrink` makes small; `runner` is how both try things out.

pub mod cover;
pub mod runner;
pub mod shrink;
