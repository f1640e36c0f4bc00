//! A number to another process and back through two pipes.
//!
//! Method: each turn is two wake-ups. The two processes are wherever the scheduler puts them; `--context` asks for one CPU, two threads of a
//! core, two cores of a node, or two nodes, with one copy.
//! Limits: where the scheduler puts the two decides more than anything else: on one CPU it is several times as fast as across two, whose idle
//! states have to be left.
//! Source: pipe(7), sched(7); UnixBench test context1.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Context1;

const WORK: Work = Work::Context;

impl Probe for Context1 {
    fn title(&self) -> &'static str {
        "UnixBench: Pipe-based Context Switching"
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
