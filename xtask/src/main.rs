//! Developer chores. `cargo xtask help` lists them.

fn main() {}
