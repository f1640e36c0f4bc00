//! Processes that do nothing but end.
//!
//! Method: a small dynamically linked program forks, and waits for the child, which exits at once.
//! Limits: the cost grows with what the parent has mapped; this one has as little as the original.
//! Source: fork(2); UnixBench test spawn.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Spawn;

const WORK: Work = Work::Spawn;

impl Probe for Spawn {
    fn title(&self) -> &'static str {
        "UnixBench: Process Creation"
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
