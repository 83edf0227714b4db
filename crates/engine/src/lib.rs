//! The search: goals, archive, pool, generators, oracles, reduction. Deterministic; no IO, no clock, no processes.
