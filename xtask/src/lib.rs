//! What chores share with the checks of `checks/`: programs that are started, what is built and unpacked, and where it lies.
#![allow(clippy::print_stdout, reason = "chores talk to a developer's terminal")]

pub mod children;
pub mod dist;
pub mod setup;
pub mod tree;
