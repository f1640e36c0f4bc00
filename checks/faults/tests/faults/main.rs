//! Faults of every kind, thrown at the program as it is shipped: nothing is left behind, the record is valid or absent, the exit
//! code follows the rule, and nothing is taken for a defect. Random ones have a seed (`random.rs`).
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests, and the functions they share")]
#[path = "../../../../crates/cli/tests/sandbox.rs"]
#[allow(dead_code, reason = "shared with the tests of the program's own crate")]
mod sandbox;

#[path = "../../../../crates/cli/tests/denied.rs"]
mod denied;

mod accounts;
mod alone;
mod disks;
mod host_unchanged;
mod machine_limits;
mod places;
mod random;
