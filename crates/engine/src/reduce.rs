//! From archive to suite: few tests, each small, none without a goal of its own. `cover` picks, `shrink` makes small by what `plain` and `replace` offer, in
//! the order of `order`; `runner` is how all try things out.

pub mod cover;
pub mod order;
mod plain;
mod replace;
pub mod runner;
pub mod shrink;
