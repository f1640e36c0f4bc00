//! 512 bytes into a pipe and out of it, by one process.
//!
//! Method: two system calls a turn, and no switch to another process.
//! Limits: it measures entries into the kernel and the pipe's lock.
//! Source: pipe(7); UnixBench test pipe.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Pipe;

const WORK: Work = Work::Pipe;

impl Probe for Pipe {
    fn title(&self) -> &'static str {
        "UnixBench: Pipe Throughput"
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
