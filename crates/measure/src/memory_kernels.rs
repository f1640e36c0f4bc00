//! Memory kernels on one or many pinned threads at once, each on a buffer of its own: time from the first start to the last
//! end.
pub mod kept;
pub mod parts;
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
use kept::Filled;
use kernels::{Features, Kernel, Line, Run};
use parts::Parts;
use record::{Better, Buffer, Case, CpuSet, Metric, Pages, Reason, Series, Unit, Value};
use std::{cell::RefCell, collections::BTreeMap, sync::Mutex};
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

/// Measures the jobs one after another on the case's CPUs, a thread and a buffer of its own on each. The buffers are those that
/// the visit before left, if it was of this probe in this place.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn measure(
    case: &Case,
    bench: &mut Bench<'_>,
    jobs: &[Job],
    budget: f64,
) -> Result<Vec<Series>, Reason> {
    let limits = Limits { sample: bench.depth.pick(10e-3, 20e-3, 40e-3), ..bench.limits(budget) };
    let kept = bench.kept.take(case, bench.visit);
    let bytes = match kept.first().and_then(|buffers| buffers.first()) {
        Some(first) => first.buffer.bytes,
        None => place::bandwidth_bytes(bench.machine, &case.place.cpus, free_for(bench, case)),
    };
    let (series, buffers) =
        measure_on(kept, case, bench, jobs, bytes, &limits, Sequence::OneByOne)?;
    bench.kept.keep(case, bench.visit, buffers);
    Ok(series)
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
    measure_on(vec![], case, bench, jobs, bytes, limits, sequence).map(|(series, _)| series)
}

/// [`measure_in`] for two groups of jobs with the same contents, one after the other on the same buffers: for reads before writes,
/// which end the contents.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn measure_apart(
    case: &Case,
    bench: &mut Bench<'_>,
    [first, second]: [&[Job]; 2],
    bytes: u64,
    limits: &Limits,
    sequence: Sequence,
) -> Result<Vec<Series>, Reason> {
    let (mut all, left) = measure_on(vec![], case, bench, first, bytes, limits, sequence)?;
    all.extend(measure_on(left, case, bench, second, bytes, limits, sequence)?.0);
    Ok(all)
}

/// Measures on each thread's buffers that are there already, one for each content, or on new ones. Also returns them.
fn measure_on(
    kept: Vec<Vec<Filled>>,
    case: &Case,
    bench: &mut Bench<'_>,
    jobs: &[Job],
    bytes: u64,
    limits: &Limits,
    sequence: Sequence,
) -> Result<(Vec<Series>, Vec<Vec<Filled>>), Reason> {
    let contents = record::distinct(jobs.iter().map(|job| job.content));
    let bytes = place::shared(bytes, contents.len());
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let machine = bench.machine;
    let kernels: Vec<&Kernel> =
        jobs.iter().map(|j| find(j.kernel).map(|f| f.1)).collect::<Result<_, _>>()?;
    let (clock, features, seed) = (bench.clock, bench.features, bench.seed);
    let index_of = |job: &Job| contents.iter().position(|c| *c == job.content).unwrap_or(0);

    let kept: Vec<Mutex<Vec<Filled>>> = kept.into_iter().map(Mutex::new).collect();
    let prepare = |member: &threads::Member<'_, Span>| -> Result<Vec<Filled>, Reason> {
        let node = case.place.node.or_else(|| machine.topology.memory_of(member.cpu()));
        let seed = seed ^ u64::from(member.cpu());
        let kept = kept.get(member.index()).map(|f| f.lock().unwrap_or_else(|e| e.into_inner()));
        let mut kept =
            kept.map_or_else(Vec::new, |mut buffers| std::mem::take(&mut *buffers)).into_iter();
        let filled = |content: &Content| {
            let (mut arena, mut buffer) = match kept.next() {
                Some(Filled { overwritten: false, arena, buffer }) => {
                    return Ok(Filled { arena, buffer, overwritten: false });
                }
                Some(Filled { mut arena, buffer, .. }) => {
                    kernels::fill_random(arena.lines_mut(), seed);
                    (arena, buffer)
                }
                None => buffer(machine, seed, bytes, case.place.pages, node, &case.place.cpus)?,
            };
            content.fill(&mut arena, &mut buffer);
            Ok(Filled { arena, buffer, overwritten: false })
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
            // Several jobs work on one buffer, though never at once.
            let lines: Vec<RefCell<&mut [Line]>> =
                memory.iter_mut().map(|filled| RefCell::new(filled.arena.lines_mut())).collect();
            let mut works: Vec<Work<'_>> = vec![];
            for (job, kernel) in jobs.iter().zip(&kernels) {
                let shared = &lines[index_of(job)];
                let mut lines = shared.borrow_mut();
                let own = job.lines(kernel, lines.len());
                // STREAM passes over its arrays.
                let of = if job.arrays.is_some() { Parts::whole } else { Parts::new };
                let mut parts = of(&lines[..own]);
                let (name, run) = variants.choose(job, &mut lines[..own], &mut elapsed)?;
                codes.push((name, kernel.work.bytes_per_pass(parts.bytes())));
                drop(lines);
                works.push(Box::new(move |n| parts.run(&mut shared.borrow_mut(), run, n)));
                if sequence == Sequence::OneByOne {
                    let (timed, stopped) = elapsed.time(limits, &mut works[all.len()])?;
                    all.push(timed);
                    if stopped {
                        break;
                    }
                }
            }
            if sequence == Sequence::Interleaved {
                all = elapsed.time_interleaved(limits, &mut works)?;
            }
            drop(works);
            drop(lines);
            let per_byte = |((name, bytes), timed): ((&'static str, u64), Timed)| {
                (name, timed.map(|s| s / bytes as f64))
            };
            let all: Vec<_> = codes.into_iter().zip(all).map(per_byte).collect();
            Ok((memory, all))
        },
    )?;

    if case.place.node.is_some() {
        bench.threads.iter_mut().for_each(|thread| thread.node = case.place.node);
    }
    let mut buffers: Vec<Vec<Buffer>> = contents.iter().map(|_| vec![]).collect();
    let mut timed: Option<Vec<(&str, Timed)>> = None;
    let mut left = vec![];
    let overwritten = kernels.iter().any(|kernel| stores_other_words(&kernel.work));
    for (mut memory, all) in results {
        for (all, filled) in buffers.iter_mut().zip(&mut memory) {
            all.push(filled.buffer.clone());
            filled.overwritten = overwritten;
        }
        left.push(memory);
        timed.get_or_insert(all);
    }
    let whole: Vec<Buffer> = buffers.iter().map(|b| added_up(b)).collect();
    let timed = timed.ok_or("no thread measured anything")?;
    let series = jobs
        .iter()
        .zip(timed)
        .map(|(job, (variant, timed))| {
            let threads = cpus.len() as f64;
            let mut series = timed.map(|s| threads / s.max(1e-20)).into_series(job.series.clone());
            series.variant = Some(variant.into());
            series.buffer =
                contents.iter().position(|c| *c == job.content).map(|i| whole[i].clone());
            series
        })
        .collect();
    Ok((series, left))
}

/// Whether a kernel stores words that its buffer did not hold: all do but those that read or copy.
fn stores_other_words(work: &kernels::Work) -> bool {
    let copies = (work.arrays, work.reads, work.flops) == (2, 1, 0);
    work.writes > 0 && !copies
}

/// The estimated time of a case, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Takes {
    /// Behind a last-level cache of 32 MiB.
    pub common: f64,
    /// For each byte by which a larger cache makes a thread's buffer larger.
    pub per_byte: f64,
}

impl Takes {
    /// The estimate of a case on these CPUs.
    pub fn seconds(self, machine: &record::Machine, cpus: &CpuSet) -> f64 {
        let bytes = place::bandwidth_bytes(machine, cpus, Some(u64::MAX));
        self.common + bytes.saturating_sub(COMMON) as f64 * self.per_byte
    }
}

/// A case whose buffers exceed the caches, on our pages.
pub fn case(setting: &Setting<'_>, cpus: &CpuSet, params: &[(&str, Value)], takes: Takes) -> Case {
    let seconds = takes.seconds(setting.machine, cpus);
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
