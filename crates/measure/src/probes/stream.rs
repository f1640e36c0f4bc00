//! STREAM's four kernels, copy, scale, add, triad, with McCalpin's byte counting, on one thread and on all; the same with
//! non-temporal stores beside them.
//!
//! Method: three arrays of doubles in each thread's own buffer, together twelve times the last-level caches: each array
//! is four times them, which is STREAM's rule; huge pages where they can be had. The kernels take turns as STREAM's do,
//! nine times at least; 16, 16, 24 and 24 bytes per element, write-allocate not counted. The median is reported, and the
//! best beside it, which is what STREAM prints. `pages` = `base` (thorough depth, or asked for) is STREAM's own
//! setting: 4 KiB pages and arrays that each hold one number. Limits: kernels are our own vector loops, so a compiler
//! that does worse shows less; `*_nt` series are what compilers that emit non-temporal stores get.
//! Source: McCalpin, STREAM: Sustainable Memory Bandwidth in High Performance Computers.
use crate::{
    bench::{Bench, Content},
    guard, place,
    probe::{Probe, Setting},
    timing::Limits,
    together::{self, Code, Job},
};
use record::{Case, Pages, Reason, Series};

/// Bytes per second by STREAM kernel.
#[derive(Debug)]
pub struct Stream;

/// The kernels, and the one whose trial decides which instructions all of its kind use: the loops differ in what they
/// compute only.
const KERNELS: [(&str, &str); 8] = [
    ("copy", "triad"),
    ("scale", "triad"),
    ("add", "triad"),
    ("triad", "triad"),
    ("copy_nt", "copy_nt"),
    ("scale_nt", "triad_nt"),
    ("add_nt", "triad_nt"),
    ("triad_nt", "triad_nt"),
];
/// STREAM runs each kernel ten times and leaves the first out.
const TURNS: usize = 9;

impl Probe for Stream {
    fn title(&self) -> &'static str {
        "STREAM: copy, scale, add, triad"
    }
    fn version(&self) -> u32 {
        2
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        let seconds = setting.depth.pick(2.2, 3.5, 15.0);
        let ours = together::pages(setting.machine);
        let mut kinds = vec![ours];
        if setting.every_variant() && ours != Pages::Base {
            kinds.push(Pages::Base);
        }
        let mut cases = vec![];
        for pages in kinds {
            for (threads, cpus) in guard::thread_counts(setting) {
                let word = if pages == Pages::Base { "base" } else { "transparent" };
                let params = [("threads", threads.into()), ("pages", word.into())];
                let mut case = setting.case(cpus, &params, seconds);
                case.place.pages = pages;
                cases.push(case);
            }
        }
        Ok(cases)
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let content =
            if case.place.pages == Pages::Base { Content::Constant } else { Content::Random };
        let jobs: Vec<Job> = KERNELS
            .iter()
            .map(|(kernel, like)| {
                let mut job = Job::bandwidth(kernel).with(Code::Like(like)).on(content);
                job.series = job.series.at("kernel", *kernel);
                job
            })
            .collect();
        let limits = Limits {
            sample: bench.depth.pick(5e-3, 10e-3, 40e-3),
            least: TURNS,
            ..bench.limits(bench.depth.pick(0.2, 0.4, 2.0))
        };
        guard::guarded(case, bench, |bench| {
            let cpus = &case.place.cpus;
            let bytes =
                place::bandwidth_bytes(bench.machine, cpus, together::free_for(bench, case));
            together::measure_in_turn(case, bench, &jobs, bytes, &limits)
        })
    }
}
