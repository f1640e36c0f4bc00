//! Memory bandwidth: read, write, copy, with ordinary and non-temporal stores, and mixes of reads and writes.
//!
//! Method: assembly loops over one buffer per thread, together twelve times the last-level caches, on huge pages if
//! available, filled with random data. All variants are tried; the fastest is measured and named. Bytes are those that
//! the program requested. `write`, `copy` and `triad` also read the lines they store to, which is not counted.
//! `mix_3_1`, `mix_2_1` and `mix_1_1` change lines in place, so all traffic is counted. With several threads time runs
//! from the first start to the last end. `node` is the main CPU's NUMA node; the others are in numa_matrix.
//! Limits: DRAM refresh, prefetchers and page policy are the machine's.
use crate::prelude::*;
use measure::{
    memory_kernels::{Job, Takes, parts::Parts},
    scalable_work::{CopyResources, ScalableWork, Work},
};

/// Bytes per second by kernel and thread count.
pub static PROBE: Probe = Probe {
    visits: 3,
    own_process: true,
    scalable_work: || Some(&SCALABLE_WORK),
    ..Probe::new(150, 1, "Memory bandwidth: read, write, copy, mixes", cases, run)
};

const KERNELS: &[&str] = &["read", "write", "write_nt", "copy", "copy_nt"];
/// What Intel's Memory Latency Checker lists as peak injection rates, beside the reads above; with non-temporal stores
/// `copy_nt` is one read for one write, and `triad_nt` two.
const MIXES: &[&str] = &["mix_3_1", "mix_2_1", "mix_1_1", "triad", "triad_nt"];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    // Its kernels share a buffer.
    let takes = Takes { common: setting.depth.pick(0.55, 0.65, 4.0), per_byte: 0.4e-9 };
    let more = setting.depth > Depth::Quick || setting.every_variant();
    let mut cases = vec![];
    for (threads, cpus) in placement_check::thread_sets(setting) {
        let kernels: Vec<&str> = match threads {
            "node" if !more => vec!["read"],
            _ if more => KERNELS.iter().chain(MIXES).copied().collect(),
            _ => KERNELS.to_vec(),
        };
        for kernel in kernels {
            let params = [param::KERNEL.set(kernel), param::ONE_OR_ALL.set(threads)];
            cases.push(memory_kernels::case(setting, &cpus, &params, takes));
        }
    }
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let job = Job::named(case.get(param::KERNEL).unwrap_or_default())?;
    let budget = bench.depth.pick(0.3, 0.35, 3.0);
    placement_check::checked(case, bench, |bench| {
        memory_kernels::measure(case, bench, std::slice::from_ref(&job), budget)
    })
}

/// Bytes of a step of copied work: short enough that copies stop together.
const PART: usize = 4 << 20;

/// Bytes per second, by the most specialised variant: the same code on every step of a scaling run.
static SCALABLE_WORK: ScalableWork = ScalableWork {
    unit: Unit::BytesPerSecond,
    parameter: param::KERNEL,
    kinds: || KERNELS.iter().chain(MIXES).copied().collect(),
    llc_multiple: place::LLC_MULTIPLE_BANDWIDTH,
    prepare: prepare_copy,
};

fn prepare_copy(copy: CopyResources<'_>, go: &mut dyn FnMut(Work<'_>)) -> Result<(), Reason> {
    let (_, kernel) = memory_kernels::find(copy.kind)?;
    let (_, run) = memory_kernels::specialised(kernel, &copy.features);
    let mut parts = Parts::of(copy.memory, PART);
    let each = kernel.work.bytes_per_pass(parts.bytes()) as f64;
    go(&mut |steps| {
        parts.run(copy.memory, run, steps);
        steps as f64 * each
    });
    Ok(())
}
