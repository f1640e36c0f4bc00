//! Peak memory bandwidth: read, write, non-temporal write, copy, non-temporal copy, and from standard depth on mixes of
//! reads and writes; on one thread, on all of a node, and on all.
//!
//! Method: assembly loops over a buffer per thread, together twelve times the last-level caches, on huge pages where
//! they can be had, filled with random data; every variant this machine can run is tried and the fastest is measured and
//! named. Bytes are those the program asked for: `write`, `copy` and `triad` also read the lines they store to, which is
//! not counted; `mix_3_1`, `mix_2_1` and `mix_1_1` change their lines in place, so that the ratio of reads to writes in
//! the name is that of the traffic, and everything is counted. With several threads the time runs from the first start
//! to the last end. Limits: DRAM refresh, prefetchers and page policy are as the machine has them.
use crate::{
    bench::Bench,
    guard,
    probe::{Depth, Probe, Setting},
    together::{self, Job},
};
use record::{Case, Reason, Series};

/// Bytes per second by kernel and thread count.
#[derive(Debug)]
pub struct Bandwidth;

const KERNELS: &[&str] = &["read", "write", "write_nt", "copy", "copy_nt"];
/// What Intel's Memory Latency Checker lists as peak injection rates, beside the reads above; with non-temporal stores
/// `copy_nt` is one read for one write, and `triad_nt` two.
const MIXES: &[&str] = &["mix_3_1", "mix_2_1", "mix_1_1", "triad", "triad_nt"];

impl Probe for Bandwidth {
    fn title(&self) -> &'static str {
        "Memory bandwidth: read, write, copy, mixes"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        let seconds = setting.depth.pick(0.6, 0.9, 4.0);
        let more = setting.depth > Depth::Quick || setting.every_variant();
        let mut cases = vec![];
        for (threads, cpus) in guard::thread_sets(setting) {
            let kernels: Vec<&str> = match threads {
                "node" if !more => vec!["read"],
                _ if more => KERNELS.iter().chain(MIXES).copied().collect(),
                _ => KERNELS.to_vec(),
            };
            for kernel in kernels {
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
        let budget = bench.depth.pick(0.4, 0.6, 3.0);
        guard::guarded(case, bench, |bench| {
            together::measure(case, bench, std::slice::from_ref(&job), budget)
        })
    }
}
