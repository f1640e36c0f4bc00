//! Data-content effect: reads and writes of zeros beside other data, on one thread.
//!
//! Method: two buffers, together twelve times the last-level caches, one of random words and one of zeros, interleaved.
//! Reads see these words or zeros; writes beside zeros store one repeated byte that is not zero, also called `random`.
//! `read` and `write` use the same variant on both; non-temporal writes each use their fastest. Some processors move
//! zero lines with far less traffic, so benchmarks on zeroed buffers overstate bandwidth.
//! Limits: a hypervisor may have merged zero pages, which are then read from a cache.
use crate::prelude::*;
use measure::{
    bench::Content,
    memory_kernels::{Code, Job, Sequence, Takes},
};

/// Bytes per second by kernel and content.
pub static PROBE: Probe =
    Probe { visits: 3, ..Probe::new(210, 1, "Bandwidth of zero and of random data", cases, run) };

/// The operation, the kernel that does it with zeros, and whether that runs the same instructions.
const WRITES: [(&str, &str, bool); 2] =
    [("write", "write_zero", true), ("write_nt", "zero", false)];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let here = [setting.main_cpu()].into_iter().collect();
    let takes = Takes { common: setting.depth.pick(1.4, 1.9, 4.0), per_byte: 0.9e-9 };
    Ok(vec![memory_kernels::case(setting, &here, &[], takes)])
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let job = |code: &'static str, kernel: &str, content: Content| {
        let job = Job::bandwidth(code);
        let series = job.series.at(param::KERNEL, kernel).at(param::CONTENT, content.name());
        Job { series, content, ..job }
    };
    let like = |kernel, job| Job { code: Code::Like(kernel), ..job };
    let reads =
        [Content::Random, Content::Zero].map(|content| like("read", job("read", "read", content)));
    let mut writes = vec![];
    for (kernel, zero, same) in WRITES {
        writes.push(job(kernel, kernel, Content::Random));
        let zeros = job(zero, kernel, Content::Zero);
        writes.push(if same { like(kernel, zeros) } else { zeros });
    }
    let cpus = &case.place.cpus;
    let bytes = place::bandwidth_bytes(bench.machine, cpus, memory_kernels::free_for(bench, case));
    let limits = Limits {
        sample: bench.depth.pick(5e-3, 10e-3, 40e-3),
        ..bench.limits(bench.depth.pick(0.08, 0.12, 0.5))
    };
    let (apart, turns) = ([&reads[..], &writes], Sequence::Interleaved);
    memory_kernels::measure_apart(case, bench, apart, bytes, &limits, turns)
}
