//! The `testudo` command. Owns the process: arguments in, exit code out. Never decides search policy.

fn main() {
    println!("testudo {}", env!("CARGO_PKG_VERSION"));
}
