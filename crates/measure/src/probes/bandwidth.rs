//! Peak memory bandwidth: read, write, non-temporal write, copy, non-temporal copy; on one thread and on all.
//!
//! Method: assembly loops over a buffer per thread, together twelve times the last-level caches, on huge pages where
//! they can be had, filled with random data; every variant this machine can run is tried and the fastest is measured and
//! named. Bytes are those the program asked for: ordinary stores also read each line first, which is not counted.
//! With several threads the time runs from the first start to the last end. Limits: DRAM refresh, prefetchers and page
//! policy are as the machine has them.
use crate::{
    bench::Bench,
    guard,
    probe::{Probe, Setting},
    together::{self, Job},
};
use record::{Case, Reason, Series};

/// Bytes per second by kernel and thread count.
#[derive(Debug)]
pub struct Bandwidth;

const KERNELS: [&str; 5] = ["read", "write", "write_nt", "copy", "copy_nt"];

impl Probe for Bandwidth {
    fn title(&self) -> &'static str {
        "Memory bandwidth: read, write, copy"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        let seconds = setting.depth.pick(1.1, 2.5, 6.0);
        let mut cases = vec![];
        for (threads, cpus) in guard::thread_counts(setting) {
            for kernel in KERNELS {
                let mut case = setting.case(
                    cpus.clone(),
                    &[("kernel", kernel.into()), ("threads", threads.into())],
                    seconds,
                );
                case.place.pages = together::pages(setting.machine);
                cases.push(case);
            }
        }
        Ok(cases)
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let job = Job::named(case.text("kernel").unwrap_or_default())?;
        let budget = bench.depth.pick(0.4, 1.0, 3.0);
        guard::guarded(case, bench, |bench| {
            together::measure(case, bench, std::slice::from_ref(&job), budget)
        })
    }
}
