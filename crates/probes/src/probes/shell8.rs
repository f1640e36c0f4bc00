//! As `shell1`, with eight scripts at once in every run.
//!
//! Method: as `shell1`; even one copy uses many CPUs, so that pinning a copy to one of them makes it slower.
//! Limits: as `shell1`.
//! Source: sh(1); UnixBench test shell8.
use crate::unixbench::{About, Test, Work, probe};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Shell8;

impl Test for Shell8 {
    const ABOUT: About = About::new(460, 1, "UnixBench: Shell Scripts (8 concurrent)");
    const WORK: Work = Work::Shell(8);
}
probe!(Shell8);
