//! Evolution of tests. Owns nothing but the names of its styles.

pub mod gp;
