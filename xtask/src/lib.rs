//! Code that chores share with the checks of `checks/`: starting programs, building and unpacking, and paths.
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

/// The exit code of a chore's program.
pub fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
