//! 512 bytes into a pipe and out of it, by one process.
//!
//! Method: two system calls a turn, and no switch to another process.
//! Limits: it measures entries into the kernel and the pipe's lock.
//! Source: pipe(7); UnixBench test pipe.
use crate::unixbench::{About, Test, Work, probe};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Pipe;

impl Test for Pipe {
    const ABOUT: About = About::new(410, 1, "UnixBench: Pipe Throughput");
    const WORK: Work = Work::Pipe;
}
probe!(Pipe);
