//! Memory kernels on one or many pinned threads at once: a barrier, the passes, and the time from the first start to the
//! last end. All threads reach the same decisions from the same shared numbers, so no leader is waited for.
use crate::{
    bench::{Bench, buffer},
    place,
    timing::{self, Limits, Timed},
};
use host::{clock::Clock, disturb::Watcher, team::Worker};
use kernels::{Features, Kernel, Line, Run};
use record::{Better, Buffer, Case, Pages, Reason, Series, Thread, Unit};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

/// One quantity: a kernel, and what its series is called.
#[derive(Debug, Clone)]
pub struct Job {
    /// The kernel's id.
    pub kernel: &'static str,
    /// The series without samples: metric, coordinates.
    pub series: Series,
    /// Whether variants are tried for the fastest; otherwise the most specialised one runs.
    pub tried: bool,
}

impl Job {
    /// A bandwidth job.
    pub fn bandwidth(kernel: &'static str) -> Job {
        Job {
            kernel,
            series: Series::new("bandwidth", Unit::BytesPerSecond, Better::Higher),
            tried: true,
        }
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

pub(crate) fn find(name: &str) -> Result<(&'static str, &'static Kernel), Reason> {
    let found = kernels::memory::ALL.iter().find(|(id, _)| *id == name);
    found.map(|(id, k)| (*id, *k)).ok_or_else(|| Reason::new(format!("there is no kernel {name}")))
}

/// What the threads share: when each began and ended, what disturbed it, and whether the user wants to stop.
#[derive(Debug)]
pub(crate) struct Board {
    spans: Vec<[AtomicU64; 2]>,
    disturbed: Mutex<Vec<&'static str>>,
    stop: AtomicBool,
}

impl Board {
    /// For so many threads.
    pub(crate) fn new(threads: usize) -> Board {
        Board {
            spans: (0..threads).map(|_| Default::default()).collect(),
            disturbed: Mutex::default(),
            stop: AtomicBool::new(false),
        }
    }
}

/// One thread's view of a common measurement.
pub(crate) struct Common<'a> {
    worker: &'a Worker<'a>,
    board: &'a Board,
    clock: &'a (dyn Clock + Sync),
    cancel: &'a AtomicBool,
    watch: Watcher,
}

/// What came of one common sample: equal on all threads.
struct Shared {
    seconds: f64,
    why: Vec<&'static str>,
    stop: bool,
}

impl<'a> Common<'a> {
    /// The view of one worker; all of the team must share the board.
    pub(crate) fn new(
        worker: &'a Worker<'a>,
        board: &'a Board,
        clock: &'a (dyn Clock + Sync),
        cancel: &'a AtomicBool,
    ) -> Common<'a> {
        Common { worker, board, clock, cancel, watch: Watcher::new() }
    }

    /// Runs `work` on all threads at once.
    fn sample(&mut self, work: impl FnOnce()) -> Shared {
        if self.worker.index == 0 {
            self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner()).clear();
            self.board.stop.store(self.cancel.load(Relaxed), Relaxed);
        }
        self.worker.barrier();
        // A thread whose CPU was taken away shares another's: nothing more can be learnt, and each barrier takes time
        // slices. The team fails when it has ended.
        if host::cpus::current_cpu().is_some_and(|found| found != self.worker.cpu) {
            self.board.stop.store(true, Relaxed);
        }
        self.watch.mark();
        let begin = self.clock.now();
        work();
        let end = self.clock.now();
        let why = self.watch.since();
        let [b, e] = &self.board.spans[self.worker.index];
        b.store(begin.to_bits(), Relaxed);
        e.store(end.to_bits(), Relaxed);
        if !why.is_empty() {
            let mut all = self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner());
            all.extend(why);
            all.sort_unstable();
            all.dedup();
        }
        self.worker.barrier();
        let time = |bits: &AtomicU64| f64::from_bits(bits.load(Relaxed));
        let first = self.board.spans.iter().map(|s| time(&s[0])).fold(f64::INFINITY, f64::min);
        let last = self.board.spans.iter().map(|s| time(&s[1])).fold(0.0, f64::max);
        let shared = Shared {
            seconds: last - first,
            why: self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner()).clone(),
            stop: self.board.stop.load(Relaxed),
        };
        // Nobody clears the board before everybody has read it.
        self.worker.barrier();
        shared
    }

    /// Finds how many passes make a sample; see [`crate::timing::calibrate`].
    fn calibrate(&mut self, limits: &Limits, work: &mut dyn FnMut(u64)) -> (u64, f64) {
        let clock = self.clock;
        timing::steps_for(clock, limits, &mut |steps| self.sample(|| work(steps)).seconds)
    }

    /// Times `work`; see [`crate::timing::time`].
    pub(crate) fn time(&mut self, limits: &Limits, work: &mut dyn FnMut(u64)) -> Timed {
        let (steps, _) = self.calibrate(limits, work);
        let mut timed = Timed { steps, ..Timed::default() };
        let mut spent = 0.0;
        loop {
            let shared = self.sample(|| work(steps));
            spent += shared.seconds;
            timed.push(shared.seconds / steps as f64, shared.why);
            let count = timed.samples.len();
            let over = spent >= limits.budget && count >= limits.least.min(3);
            if count >= limits.most || over || shared.stop || timed.settled(limits) {
                return timed;
            }
        }
    }

    /// The fastest variant of a kernel here: each is calibrated, then all are tried in turn, three times, so that a
    /// disturbance or a slower minute does not decide.
    fn choose(
        &mut self,
        kernel: &Kernel,
        features: &Features,
        lines: &mut [Line],
    ) -> (&'static str, Run) {
        let trial = Limits { sample: 5e-3, target: 1.0, budget: 0.0, least: 1, most: 1 };
        let mut tried: Vec<(f64, u64, &'static str, Run)> = vec![];
        for variant in kernel.variants {
            let Some(run) = (variant.get)(features) else { continue };
            let (steps, took) = self.calibrate(&trial, &mut |n| {
                std::hint::black_box(run(lines, n));
            });
            tried.push((took, steps, variant.name, run));
        }
        for _ in 0..if tried.len() > 1 { 3 } else { 0 } {
            for (least, steps, _, run) in &mut tried {
                let took = self.sample(|| {
                    std::hint::black_box(run(lines, *steps));
                });
                *least = least.min(took.seconds / *steps as f64);
            }
        }
        let best = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(("none", |_, _| 0), |(_, _, name, run)| (name, run))
    }
}

/// The most specialised variant that this machine can run: the same one every time.
pub(crate) fn specialised(kernel: &Kernel, features: &Features) -> (&'static str, Run) {
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
    measure_in(case, bench, jobs, bytes, &limits)
}

/// The same with a given buffer per thread in bytes, and given limits.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn measure_in(
    case: &Case,
    bench: &mut Bench<'_>,
    jobs: &[Job],
    bytes: u64,
    limits: &Limits,
) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let machine = bench.machine;
    let board = Board::new(cpus.len());
    let kernels: Vec<&Kernel> =
        jobs.iter().map(|j| find(j.kernel).map(|f| f.1)).collect::<Result<_, _>>()?;
    let (clock, cancel, features, seed) = (bench.clock, bench.cancel, bench.features, bench.seed);
    let failed = AtomicBool::new(false);

    let results = host::team::team(&cpus, |worker| {
        let node = case.place.node.or_else(|| machine.topology.node_of(worker.cpu));
        let memory = buffer(
            machine,
            seed ^ u64::from(worker.cpu),
            bytes,
            case.place.pages,
            node,
            &case.place.cpus,
        );
        if memory.is_err() {
            failed.store(true, Relaxed);
        }
        worker.barrier();
        // All threads leave together, or the others would wait at a barrier for ever.
        if failed.load(Relaxed) {
            return memory.map(|_| None);
        }
        let (mut arena, found) = memory?;
        let mut common = Common::new(worker, &board, clock, cancel);
        let mut all = vec![];
        for (job, kernel) in jobs.iter().zip(&kernels) {
            let (name, run) = if job.tried {
                common.choose(kernel, &features, arena.lines_mut())
            } else {
                specialised(kernel, &features)
            };
            let mut work = |n| {
                std::hint::black_box(run(arena.lines_mut(), n));
            };
            let timed = common.time(limits, &mut work);
            let stopped = board.stop.load(Relaxed);
            worker.barrier();
            all.push((name, timed));
            if stopped {
                break;
            }
        }
        Ok(Some((found, all)))
    })?;

    let mut buffers = vec![];
    let mut timed = None;
    for (thread, result) in results {
        let node = case.place.node.or_else(|| machine.topology.node_of(thread.asked));
        bench.threads.push(Thread { node, ..thread });
        if let Some((found, all)) = result? {
            buffers.push(found);
            timed.get_or_insert(all);
        }
    }
    let whole = together(&buffers);
    let each = buffers.first().map_or(0, |b| b.bytes);
    let timed = timed.ok_or_else(|| Reason::new("no thread measured anything"))?;
    Ok(jobs
        .iter()
        .zip(kernels)
        .zip(timed)
        .map(|((job, kernel), (variant, timed))| {
            let bytes = kernel.work.bytes_per_pass(each as usize) as f64 * cpus.len() as f64;
            let mut series = job.series.clone();
            series.samples = timed.samples.iter().map(|s| bytes / s.max(1e-12)).collect();
            series.marks = timed.marks;
            series.steps = timed.steps;
            series.variant = Some(variant.into());
            series.buffer = Some(whole.clone());
            series
        })
        .collect())
}

/// Free memory for the case: the least of its nodes' times their number, since threads share a node's evenly.
pub(crate) fn free_for(bench: &Bench<'_>, case: &Case) -> Option<u64> {
    let mut threads: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    for cpu in case.place.cpus.iter() {
        *threads
            .entry(case.place.node.or_else(|| bench.machine.topology.node_of(cpu)))
            .or_default() += 1;
    }
    let total = case.place.cpus.len() as u64;
    let each =
        threads.iter().filter_map(|(node, n)| Some(host::pages::free_on_node(*node)? / n)).min()?;
    Some((each * total).min(host::pages::free_on_node(None).unwrap_or(u64::MAX)))
}

/// All threads' buffers as one: sizes added, shares averaged.
fn together(buffers: &[Buffer]) -> Buffer {
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
    match machine.text("memory.thp.enabled") {
        Some("never") | None => Pages::Base,
        Some(_) => Pages::Transparent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_add_up() {
        let one = |node| Buffer {
            bytes: 10,
            huge_share: Some(0.5),
            llc_ratio: Some(2.0),
            nodes: [(node, 1.0)].into(),
            ..Buffer::default()
        };
        let whole = together(&[one(0), one(1)]);
        assert_eq!((whole.bytes, whole.huge_share, whole.llc_ratio), (20, Some(0.5), Some(4.0)));
        assert_eq!(whole.nodes, [(0, 0.5), (1, 0.5)].into());
    }
}
