//! Runs of a shell script that sorts, dumps, searches and counts a small text.
//!
//! Method: each count is one run of a script that starts one other script in the background and waits; that one runs sort, od, sort, grep, tee, wc
//! and rm of this machine on a text of 362 lines.
//! Limits: which shell /bin/sh is, whether the locale is installed, and the scratch folder's filesystem move it by a tenth and more; all are stated.
//! Source: sh(1); UnixBench test shell1.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Shell1;

const WORK: Work = Work::Shell(1);

impl Probe for Shell1 {
    fn title(&self) -> &'static str {
        "UnixBench: Shell Scripts (1 concurrent)"
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
