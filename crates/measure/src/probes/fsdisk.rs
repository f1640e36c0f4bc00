//! A file of 8000 KiB into another by buffers of 4096 bytes, in the page cache.
//!
//! Method: as `fstime`, a page at a time.
//! Limits: as `fstime`; for all its name the disk is hardly involved.
//! Source: read(2), write(2); UnixBench test fsdisk.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Fsdisk;

const WORK: Work = Work::Copy { size: 4096, kib: 8000 };

impl Probe for Fsdisk {
    fn title(&self) -> &'static str {
        "UnixBench: File Copy 4096"
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
