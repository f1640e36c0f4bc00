//! Five short system calls: dup, close, getpid, getuid, umask.
//!
//! Method: one count is all five. 6.0 duplicates the end of a pipe of its own; earlier versions the standard input that all copies share, which
//! makes many copies wait for its reference count.
//! Limits: it measures the entry into the kernel, and mitigations of the processor's flaws with it.
//! Source: UnixBench test syscall.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Syscall;

const WORK: Work = Work::Syscall;

impl Probe for Syscall {
    fn title(&self) -> &'static str {
        "UnixBench: System Call Overhead"
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
