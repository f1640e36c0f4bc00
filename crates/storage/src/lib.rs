//! Records, digests and pages in files: where they are, how they are saved and read, and what else can be read as one.

pub mod digests;
pub mod files;
pub mod foreign;
pub mod named;
pub mod store;
pub mod tables;

use std::io::{self, Write as _};

/// Writes a line to standard error. A closed standard error is no failure.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", record::visible(line));
}
