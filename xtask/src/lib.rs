//! What chores share with the checks of `checks/`: programs that are started, what is built and unpacked, and where it lies.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a developer's terminal"
)]

pub mod children;
pub mod dist;
pub mod setup;
pub mod tree;

use std::process::ExitCode;

/// How a chore's program ends.
pub fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
