//! STREAM's four kernels, copy, scale, add, triad, with McCalpin's byte counting, on one thread and on all; the same with
//! non-temporal stores beside them.
//!
//! Method: three arrays of doubles in each thread's own buffer, together twelve times the last-level caches, huge pages
//! where they can be had; 16, 16, 24 and 24 bytes per element, write-allocate not counted, as STREAM does. STREAM
//! prints the best of ten; here the median and its interval are reported, and the best is among the samples.
//! Limits: kernels are our own vector loops, so a compiler that does worse shows less; `*_nt` series are what compilers
//! that emit non-temporal stores get. Source: McCalpin, STREAM: Sustainable Memory Bandwidth in High Performance Computers.
use crate::{
    bench::Bench,
    guard,
    probe::{Probe, Setting},
    together::{self, Job},
};
use record::{Case, Reason, Series};

/// Bytes per second by STREAM kernel.
#[derive(Debug)]
pub struct Stream;

const KERNELS: [&str; 8] =
    ["copy", "scale", "add", "triad", "copy_nt", "scale_nt", "add_nt", "triad_nt"];

impl Probe for Stream {
    fn title(&self) -> &'static str {
        "STREAM: copy, scale, add, triad"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        Ok(guard::thread_counts(setting)
            .into_iter()
            .map(|(threads, cpus)| {
                let seconds = setting.depth.pick(4.0, 9.0, 25.0);
                let mut case = setting.case(cpus, &[("threads", threads.into())], seconds);
                case.place.pages = together::pages(setting.machine);
                case
            })
            .collect())
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let jobs: Vec<Job> = KERNELS
            .iter()
            .map(|kernel| {
                let mut job = Job::bandwidth(kernel);
                job.series = job.series.at("kernel", *kernel);
                job
            })
            .collect();
        let budget = bench.depth.pick(0.3, 0.8, 2.5);
        guard::guarded(case, bench, |bench| together::measure(case, bench, &jobs, budget))
    }
}
