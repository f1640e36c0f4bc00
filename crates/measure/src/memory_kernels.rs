//! Memory kernels on one or many pinned threads at once, each on a buffer of its own: time from the first start to the last
//! end.
mod variants;

use crate::{
    bench::{Bench, Content, buffer},
    place,
    probe::Setting,
    threads::{
        self,
        elapsed::{Elapsed, Span, Work},
    },
    timing::{Limits, Timed},
};
use kernels::{Arena, Features, Kernel, Line, Run};
use record::{Better, Buffer, Case, CpuSet, Metric, Pages, Reason, Series, Unit, Value};
use std::{cell::RefCell, collections::BTreeMap};
use variants::Variants;

/// One quantity: a kernel, and what its series is called.
#[derive(Debug, Clone)]
pub struct Job {
    /// The kernel's id.
    pub kernel: &'static str,
    /// The series without samples: metric, coordinates.
    pub series: Series,
    /// The variant to run.
    pub code: Code,
    /// The content of its buffer.
    pub content: Content,
    /// Arrays that the buffer holds where the kernel uses only the first of them; nothing where it uses all of the buffer.
    pub arrays: Option<usize>,
}

/// The choice of a kernel's variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The fastest in trials.
    Fastest,
    /// The most specialised one, without trials.
    Specialised,
    /// The one that wins on this kernel, if the job's own kernel has one of that name: what differs between two such jobs
    /// is then not the instructions, and one trial serves both.
    Like(&'static str),
    /// The one of this name, if there is one.
    Named(&'static str),
}

/// The sequence of the samples of several jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    /// All of a job before the next.
    OneByOne,
    /// One of each in turn, as those of STREAM's kernels are.
    Interleaved,
}

impl Job {
    /// A bandwidth job.
    pub fn bandwidth(kernel: &'static str) -> Job {
        Job {
            kernel,
            series: Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher),
            code: Code::Fastest,
            content: Content::Random,
            arrays: None,
        }
    }
    /// The number of a buffer's lines that the kernel uses.
    fn lines(&self, kernel: &Kernel, all: usize) -> usize {
        self.arrays.map_or(all, |arrays| all / arrays * kernel.work.arrays.min(arrays))
    }
    /// Finds a kernel's jobs by case parameter.
    ///
    /// # Errors
    /// There is no such kernel.
    pub fn named(kernel: &str) -> Result<Job, Reason> {
        let (id, _) = find(kernel)?;
        Ok(Job::bandwidth(id))
    }
}

/// The kernel with this name.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<(&'static str, &'static Kernel), Reason> {
    let found = kernels::memory::ALL.iter().find(|(id, _)| *id == name);
    found.map(|(id, k)| (*id, *k)).ok_or_else(|| Reason::new(format!("there is no kernel {name}")))
}

/// A kernel's variant of that name.
pub fn variant(kernel: &str, name: &str) -> Option<&'static str> {
    let (_, kernel) = find(kernel).ok()?;
    kernel.variants.iter().map(|v| v.name).find(|known| *known == name)
}

/// Bytes of the buffer behind a last-level cache of 32 MiB.
const COMMON: u64 = place::LLC_MULTIPLE_BANDWIDTH * (32 << 20);

/// The most specialised variant that this machine can run: the same one every time.
pub fn specialised(kernel: &Kernel, features: &Features) -> (&'static str, Run) {
    let found = kernel.variants.iter().rev().find_map(|v| Some((v.name, (v.get)(features)?)));
    found.unwrap_or(("none", |_, _| 0))
}

/// Measures the jobs one after another on the case's CPUs, a thread and a buffer of its own on each.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn measure(
    case: &Case,
    bench: &mut Bench<'_>,
    jobs: &[Job],
    budget: f64,
) -> Result<Vec<Series>, Reason> {
    let bytes = place::bandwidth_bytes(bench.machine, &case.place.cpus, free_for(bench, case));
    let limits = Limits { sample: bench.depth.pick(10e-3, 20e-3, 40e-3), ..bench.limits(budget) };
    measure_in(case, bench, jobs, bytes, &limits, Sequence::OneByOne)
}

/// Measures the jobs with a given buffer per thread in bytes, and given limits. Jobs with unlike contents share the bytes: each
/// content has a buffer of its own.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn measure_in(
    case: &Case,
    bench: &mut Bench<'_>,
    jobs: &[Job],
    bytes: u64,
    limits: &Limits,
    sequence: Sequence,
) -> Result<Vec<Series>, Reason> {
    let contents = record::distinct(jobs.iter().map(|job| job.content));
    let bytes = place::shared(bytes, contents.len());
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let machine = bench.machine;
    let kernels: Vec<&Kernel> =
        jobs.iter().map(|j| find(j.kernel).map(|f| f.1)).collect::<Result<_, _>>()?;
    let (clock, features, seed) = (bench.clock, bench.features, bench.seed);
    let index_of = |job: &Job| contents.iter().position(|c| *c == job.content).unwrap_or(0);

    let prepare = |member: &threads::Member<'_, Span>| -> Result<Vec<(Arena, Buffer)>, Reason> {
        let node = case.place.node.or_else(|| machine.topology.memory_of(member.cpu()));
        let seed = seed ^ u64::from(member.cpu());
        let filled = |content: &Content| {
            let (mut arena, mut found) =
                buffer(machine, seed, bytes, case.place.pages, node, &case.place.cpus)?;
            content.fill(&mut arena, &mut found);
            Ok((arena, found))
        };
        contents.iter().map(filled).collect()
    };
    let results = threads::run(
        &threads::pinned(cpus.iter().copied()),
        bench,
        prepare,
        |member, mut memory| {
            let mut elapsed = Elapsed::new(member, clock);
            let mut variants = Variants::new(&features);
            let mut codes = vec![];
            let mut all = vec![];
            for (job, kernel) in jobs.iter().zip(&kernels) {
                let lines = memory[index_of(job)].0.lines_mut();
                let own = job.lines(kernel, lines.len());
                let lines = &mut lines[..own];
                let (name, run) = variants.choose(job, lines, &mut elapsed)?;
                codes.push((name, run));
                if sequence == Sequence::Interleaved {
                    continue;
                }
                let (timed, stopped) = elapsed.time(limits, &mut |n| {
                    std::hint::black_box(run(lines, n));
                })?;
                all.push((name, timed));
                if stopped {
                    break;
                }
            }
            if sequence == Sequence::Interleaved {
                // Several jobs work on one buffer, though never at once.
                let lines: Vec<RefCell<&mut [Line]>> =
                    memory.iter_mut().map(|(arena, _)| RefCell::new(arena.lines_mut())).collect();
                let work =
                    |((job, kernel), (_, run)): ((&Job, &&Kernel), &(&str, Run))| -> Work<'_> {
                        let (lines, run) = (&lines[index_of(job)], *run);
                        let own = job.lines(kernel, lines.borrow().len());
                        Box::new(move |n| {
                            std::hint::black_box(run(&mut lines.borrow_mut()[..own], n));
                        })
                    };
                let mut works: Vec<_> = jobs.iter().zip(&kernels).zip(&codes).map(work).collect();
                let timed = elapsed.time_interleaved(limits, &mut works)?;
                all = codes.iter().map(|(name, _)| *name).zip(timed).collect();
            }
            Ok((memory.into_iter().map(|(_, found)| found).collect::<Vec<_>>(), all))
        },
    )?;

    if case.place.node.is_some() {
        bench.threads.iter_mut().for_each(|thread| thread.node = case.place.node);
    }
    let mut buffers: Vec<Vec<Buffer>> = contents.iter().map(|_| vec![]).collect();
    let mut timed: Option<Vec<(&str, Timed)>> = None;
    for (found, all) in results {
        for (all, one) in buffers.iter_mut().zip(found) {
            all.push(one);
        }
        timed.get_or_insert(all);
    }
    let whole: Vec<Buffer> = buffers.iter().map(|b| added_up(b)).collect();
    let each = buffers.first().and_then(|b| b.first()).map_or(0, |b| b.bytes);
    let timed = timed.ok_or("no thread measured anything")?;
    Ok(jobs
        .iter()
        .zip(kernels)
        .zip(timed)
        .map(|((job, kernel), (variant, timed))| {
            let own = job.lines(kernel, each as usize / Line::BYTES) * Line::BYTES;
            let bytes = kernel.work.bytes_per_pass(own) as f64 * cpus.len() as f64;
            let mut series = timed.map(|s| bytes / s.max(1e-12)).into_series(job.series.clone());
            series.variant = Some(variant.into());
            series.buffer =
                contents.iter().position(|c| *c == job.content).map(|i| whole[i].clone());
            series
        })
        .collect())
}

/// The estimated seconds of a case that takes `common` seconds on common caches: larger ones need larger buffers.
pub fn seconds(machine: &record::Machine, cpus: &CpuSet, common: f64) -> f64 {
    let bytes = place::bandwidth_bytes(machine, cpus, Some(u64::MAX));
    common * (bytes as f64 / COMMON as f64).max(1.0)
}

/// A case whose buffers exceed the caches, on our pages; `common` as for [`seconds`].
pub fn case(setting: &Setting<'_>, cpus: &CpuSet, params: &[(&str, Value)], common: f64) -> Case {
    let seconds = seconds(setting.machine, cpus, common);
    place::on_pages(pages(setting.machine), setting.case(cpus.clone(), params, seconds))
}

/// Free memory for the case: the least of its nodes' times their number, since threads share a node's evenly.
pub fn free_for(bench: &Bench<'_>, case: &Case) -> Option<u64> {
    let node = |cpu| case.place.node.or_else(|| bench.machine.topology.memory_of(cpu));
    let threads = record::counts(case.place.cpus.iter().map(node));
    let total = case.place.cpus.len() as u64;
    let each = threads
        .iter()
        .filter_map(|(node, n)| Some(host::pages::free_on_node(*node)? / *n as u64))
        .min()?;
    Some((each * total).min(host::pages::free_on_node(None).unwrap_or(u64::MAX)))
}

/// The buffers of all threads as one: sizes added, shares averaged.
pub(crate) fn added_up(buffers: &[Buffer]) -> Buffer {
    let Some(first) = buffers.first() else { return Buffer::default() };
    let count = buffers.len() as f64;
    let mut whole = first.clone();
    whole.bytes = buffers.iter().map(|b| b.bytes).sum();
    whole.huge_share = buffers.iter().map(|b| b.huge_share).sum::<Option<f64>>().map(|s| s / count);
    whole.llc_ratio = buffers.iter().map(|b| b.llc_ratio).sum();
    whole.nodes = BTreeMap::new();
    for (node, share) in buffers.iter().flat_map(|b| &b.nodes) {
        *whole.nodes.entry(*node).or_default() += share / count;
    }
    whole
}

/// The pages that bandwidth is measured on: huge where they can be had, since TLB misses are the curve's subject.
pub fn pages(machine: &record::Machine) -> Pages {
    let known = machine.text("memory.thp.enabled").is_some();
    if known && place::no_huge_pages(machine).is_none() { Pages::Thp } else { Pages::Base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_of_two_arrays_leaves_the_third_alone() {
        let job =
            |kernel| (Job { arrays: Some(3), ..Job::bandwidth(kernel) }, find(kernel).unwrap().1);
        for (kernel, own) in [("copy", 66), ("triad", 99), ("read", 33)] {
            let (job, kernel) = job(kernel);
            assert_eq!(job.lines(kernel, 100), own);
            assert_eq!(Job { arrays: None, ..job }.lines(kernel, 100), 100);
        }
    }

    #[test]
    fn buffers_add_up() {
        let one = |node| Buffer {
            bytes: 10,
            huge_share: Some(0.5),
            llc_ratio: Some(2.0),
            nodes: [(node, 1.0)].into(),
            ..Buffer::default()
        };
        let whole = added_up(&[one(0), one(1)]);
        assert_eq!((whole.bytes, whole.huge_share, whole.llc_ratio), (20, Some(0.5), Some(4.0)));
        assert_eq!(whole.nodes, [(0, 0.5), (1, 0.5)].into());
    }
}
