//! Running things on real JVMs: protocol, workers, triage, sandbox, class path and JDK discovery.
//! Never knows goals or generators.
