//! A file of 500 KiB into another by buffers of 256 bytes, in the page cache.
//!
//! Method: as `fstime`, with buffers so small that the two system calls of each dominate.
//! Limits: as `fstime`.
//! Source: read(2), write(2); UnixBench test fsbuffer.
use crate::unixbench::{About, Test, Work, probe};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Fsbuffer;

impl Test for Fsbuffer {
    const ABOUT: About = About::new(390, 1, "UnixBench: File Copy 256");
    const WORK: Work = Work::Copy { size: 256, kib: 500 };
}
probe!(Fsbuffer);
