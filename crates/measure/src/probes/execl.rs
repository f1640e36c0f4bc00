//! A program that replaces itself by itself, over and over.
//!
//! Method: a small program, dynamically linked with glibc, counts itself and calls execl on its own file until the time is over: the cost of
//! mapping a program, its loader and libc, and of tearing them down.
//! Limits: in a virtual machine every CPUID of the loader leaves it, which can be a third of the time. Many copies share one file's locks.
//! Source: execve(2), ld.so(8); UnixBench test execl.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Execl;

const WORK: Work = Work::Execl;

impl Probe for Execl {
    fn title(&self) -> &'static str {
        "UnixBench: Execl Throughput"
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
