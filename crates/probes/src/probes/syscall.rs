//! Five short system calls: dup, close, getpid, getuid, umask.
//!
//! Method: one count is all five. 6.0 duplicates the end of its own pipe; earlier versions the standard input that all
//! copies share, which makes many copies wait for its reference count.
//! Limits: it measures kernel entry, including mitigations.
//! Source: UnixBench test syscall.
use crate::unixbench::{About, Test, Work, probe};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Syscall;

impl Test for Syscall {
    const ABOUT: About = About::new(440, 1, "UnixBench: System Call Overhead");
    const WORK: Work = Work::Syscall;
}
probe!(Syscall);
