//! A file of 2000 KiB into another by buffers of 1024 bytes, in the page cache.
//!
//! Method: every copy reads a buffer and writes it, from start to end and again, for the time of a pass. Bytes copied per second.
//! Limits: the disk is hardly involved: it measures the page cache and the filesystem of the scratch folder, which is stated with it (tmpfs is a
//! tenth faster than ext4). Before the timed part files are written once; with --exact there are the original's phases.
//! Source: read(2), write(2); UnixBench test fstime.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Fstime;

const WORK: Work = Work::Copy { size: 1024, kib: 2000 };

impl Probe for Fstime {
    fn title(&self) -> &'static str {
        "UnixBench: File Copy 1024"
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
