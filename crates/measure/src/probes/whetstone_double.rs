//! Double-precision Whetstone as UnixBench runs it: floating point and the functions of libm.
//!
//! Method: Longbottom's eight loops in C, compiled by gcc -O3 -ffast-math; a first part finds out how often all loops fit the time, then
//! they run so often, each timed by itself. Millions of Whetstone instructions per second of the loops' time.
//! Limits: libm decides two of the loops, so versions of glibc differ. Nine tenths of the first loop are not timed, as in the original.
//! Source: H. Curnow and B. Wichmann, Computer Journal 19 (1976) 1; R. Longbottom's C version; UnixBench test whetstone-double.
use crate::{
    bench::Bench,
    probe::{Probe, Setting},
    unixbench::{self, Work},
};
use record::{Case, Machine, Reason, Series};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct WhetstoneDouble;

const WORK: Work = Work::Whetstone;

impl Probe for WhetstoneDouble {
    fn title(&self) -> &'static str {
        "UnixBench: Whetstone"
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
