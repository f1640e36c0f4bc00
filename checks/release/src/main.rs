//! `cargo xtask release`: packages of the static binaries in `dist/`, in a folder, with checksums and a list of components.
//! The same binaries and the same commit give the same bytes.
#![allow(clippy::print_stdout, reason = "chores talk to a developer's terminal")]

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| xtask::tree::root().join("dist/release"), PathBuf::from);
    let print = |file| println!("{}", folder.join(file).display());
    xtask::ended(
        release::release(&folder).map(|files: Vec<String>| files.into_iter().for_each(print)),
    )
}
