//! A file of 500 KiB into another by buffers of 256 bytes, in the page cache.
//!
//! Method: as `fstime`, with buffers so small that the two system calls of each dominate.
//! Limits: as `fstime`.
//! Source: read(2), write(2); UnixBench test fsbuffer.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Fsbuffer;

const WORK: Work = Work::Copy { size: 256, kib: 500 };

impl Probe for Fsbuffer {
    fn title(&self) -> &'static str {
        "UnixBench: File Copy 256"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        unixbench::cases(WORK, setting)
    }
    fn refuses(&self, case: &Case, machine: &Machine) -> Option<Reason> {
        unixbench::refuses(case, machine)
    }
    fn lacks(&self, case: &Case) -> Option<Reason> {
        unixbench::lacks(WORK, case)
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        unixbench::run(WORK, case, bench)
    }
}
