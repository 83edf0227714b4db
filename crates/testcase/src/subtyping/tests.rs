//! Tests of subtyping.
