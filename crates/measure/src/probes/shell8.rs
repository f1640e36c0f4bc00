//! As `shell1`, with eight scripts at once in every run.
//!
//! Method: as `shell1`; even one copy uses many CPUs, so that pinning a copy to one of them makes it slower.
//! Limits: as `shell1`.
//! Source: sh(1); UnixBench test shell8.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Shell8;

const WORK: Work = Work::Shell(8);

impl Probe for Shell8 {
    fn title(&self) -> &'static str {
        "UnixBench: Shell Scripts (8 concurrent)"
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
