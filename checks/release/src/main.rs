//! `cargo xtask release`: packages of the static binaries in `dist/`, in a folder, with checksums and a list of components.
//! The same binaries and the same commit give the same bytes.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a developer's terminal"
)]

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| xtask::tree::root().join("dist/release"), PathBuf::from);
    match release::release(&folder) {
        Ok(files) => {
            for file in files {
                println!("{}", folder.join(file).display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
