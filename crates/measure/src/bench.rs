//! The services of a probe: time, repetition, placement and memory. A probe never reads a clock itself.
use crate::{
    memory_kernels::kept::Kept,
    place,
    probe::Depth,
    timing::{self, Limits},
};
use host::{clock::Clock, cpus, disturb::Watcher, pages, threads};
use kernels::{
    Arena, Features, Line, Run,
    answers::{self, Answer},
    compute::NATIVE_ONLY,
};
use record::{Buffer, Case, CpuSet, Machine, Pages, Reading, Reason, Series, Thread};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

/// Length of a clock window in seconds: short enough that the clock is constant in it, long enough that
/// reading the time costs under 0.1 %.
pub const CLOCK_WINDOW: f64 = 50e-6;

record::named! {
    /// The content of a buffer. Some processors move lines of zeros with far less traffic than others.
    pub enum Content {
        /// Unlike words, as everything is measured on that does not say otherwise.
        Random = "random",
        /// Zeros.
        Zero = "zero",
        /// STREAM's: three arrays, each full of one number.
        Constant = "constant",
    }
}

impl Content {
    /// Fills memory that holds random words so far, and says so.
    pub fn fill(self, arena: &mut Arena, buffer: &mut Buffer) {
        let lines = arena.lines_mut();
        match self {
            Content::Random => {}
            Content::Zero => kernels::fill_zero(lines),
            Content::Constant => {
                let part = (lines.len() / 3).max(1);
                for (part, number) in lines.chunks_mut(part).zip([1.0f64, 2.0, 0.5, 0.5]) {
                    part.fill(Line([number.to_bits(); 8]));
                }
            }
        }
        buffer.content = self.name().into();
    }
}

/// The measuring instrument that a probe is handed.
#[allow(missing_debug_implementations, reason = "it borrows callbacks")]
pub struct Bench<'a> {
    /// The monotonic raw clock.
    pub clock: &'a (dyn Clock + Sync),
    /// The machine that is measured.
    pub machine: &'a Machine,
    /// The depth of the run.
    pub depth: Depth,
    /// Seed of every random order and buffer.
    pub seed: u64,
    /// The instruction set extensions of this machine.
    pub features: Features,
    /// Factor on every series' budget, below 1 where `--time-budget` is short.
    pub time_scale: f64,
    /// The number of this visit of the case, from 0.
    pub visit: usize,
    /// Seconds that a quiet moment is waited for before the first case.
    pub patience: f64,
    /// When the clock reads this, the case is not repeated any more.
    pub repeat_until: f64,
    /// Set when the user interrupts.
    pub cancel: &'a AtomicBool,
    /// Called with the share of the case that is done, between samples and never during one.
    pub tick: &'a mut dyn FnMut(f64),
    /// The threads of this case, as verified.
    pub threads: Vec<Thread>,
    /// Readings of this case beyond the samplers'.
    pub readings: Vec<Reading>,
    /// Parts of this case that could not be measured, by name, and why.
    pub unread: BTreeMap<String, Reason>,
    /// Buffers of the last visit.
    pub kept: Kept,
    /// The reason why the other cases of this probe would fail as well, if none has succeeded: they are then left out.
    pub hopeless: Option<Reason>,
}

impl<'a> Bench<'a> {
    /// An instrument for one case by itself: at quick depth, with the first seed, and no hurry.
    pub fn new(
        clock: &'a (dyn Clock + Sync),
        machine: &'a Machine,
        features: Features,
        cancel: &'a AtomicBool,
        tick: &'a mut dyn FnMut(f64),
    ) -> Bench<'a> {
        Bench {
            clock,
            machine,
            depth: Depth::Quick,
            seed: 1,
            features,
            time_scale: 1.0,
            visit: 0,
            patience: 0.0,
            repeat_until: f64::INFINITY,
            cancel,
            tick,
            threads: vec![],
            readings: vec![],
            unread: BTreeMap::new(),
            kept: Kept::default(),
            hopeless: None,
        }
    }
}

/// The code of a compute kernel that suits this machine best: the most specialised variant.
///
/// # Errors
/// The machine lacks the instruction that the kernel is named after. There is no kernel of that name, which is a defect.
pub fn compute_kernel(
    name: &str,
    features: &Features,
) -> Result<(&'static str, Run, kernels::Work), Reason> {
    let (_, kernel) = kernels::compute::ALL
        .iter()
        .find(|(id, _)| *id == name)
        .ok_or_else(|| Reason::new(format!("there is no kernel {name}")))?;
    kernel
        .variants
        .iter()
        .skip(usize::from(NATIVE_ONLY.contains(&name)))
        .rev()
        .find_map(|v| Some((v.name, (v.get)(features)?, v.work.unwrap_or(kernel.work))))
        .ok_or_else(|| Reason::new(format!("kernel {name} has no variant for this machine")))
}

/// Runs the code of a compute kernel once, before it is timed.
///
/// # Errors
/// Its result is not the one that is known.
pub fn right(name: &str, variant: &str, run: Run) -> Result<(), Reason> {
    let known = |answer: &&Answer| answer.name.strip_prefix("compute/") == Some(name);
    match answers::ALL.iter().find(known).map(|answer| answer.error(run, &mut [])) {
        Some(wrong) if wrong != 0 => Err(Reason::mended_by(
            format!("{variant} instructions of {name} gave a wrong result, so they were not timed"),
            "cpulens run --only verify --details",
        )),
        _ => Ok(()),
    }
}

/// Measures the core frequency by dependent adds, which take one cycle each on every architecture we know; the
/// claim is checked by `core_frequency` against multiplications.
#[derive(Debug)]
pub struct CoreFrequency {
    run: Run,
    adds: f64,
    steps: u64,
}

impl CoreFrequency {
    /// Prepares windows of [`CLOCK_WINDOW`].
    ///
    /// # Errors
    /// There is no dependent-operation kernel, which is a defect.
    pub fn new(
        clock: &dyn Clock,
        features: &Features,
        chain: &str,
    ) -> Result<CoreFrequency, Reason> {
        let (_, run, work) = compute_kernel(chain, features)?;
        let limits = Limits::once(CLOCK_WINDOW);
        // On a busy machine one search in some hundreds ends too soon, and its windows would be mostly clock.
        let search = |_| timing::calibrate(clock, &limits, |n| run(&mut [], n)).0;
        let steps = (0..3).map(search).max().unwrap_or(1);
        Ok(CoreFrequency { run, adds: work.ops as f64, steps })
    }
    /// Steps of a window.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Dependent operations per second in one window.
    pub fn window(&self, clock: &dyn Clock) -> f64 {
        let begin = clock.now();
        std::hint::black_box((self.run)(&mut [], self.steps));
        let took = clock.now() - begin;
        self.steps as f64 * self.adds / took.max(1e-12)
    }
}

impl Bench<'_> {
    /// Limits for a series that may take so many seconds.
    pub fn limits(&self, budget: f64) -> Limits {
        Limits {
            sample: self.depth.pick(1e-3, 2e-3, 4e-3),
            target: self.depth.pick(0.02, 0.01, 0.01),
            budget: budget * self.time_scale,
            least: 7,
            most: self.depth.pick(101, 301, 1001),
        }
    }
    /// Whether the user wants to stop.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
    /// Whether there is time to repeat what took so many seconds.
    pub fn may_repeat(&self, took: f64) -> bool {
        self.clock.now() + took <= self.repeat_until
    }
    /// Tells that this share of the case is done. Whether to go on with it: the user may want to stop.
    pub fn done(&mut self, share: f64) -> bool {
        (self.tick)(share);
        !self.cancelled()
    }
    /// Pins the calling thread to the case's first CPU, as [`Bench::pin`] does.
    ///
    /// # Errors
    /// There is none, or it cannot be used, and why.
    pub fn pin_first(&mut self, case: &Case) -> Result<(u32, cpus::Pinned), Reason> {
        let cpu = case.place.cpus.first().ok_or("no CPU to run on")?;
        Ok((cpu, self.pin(cpu)?))
    }
    /// Pins the calling thread until the guard is dropped, verifies it, and notes it in the record.
    ///
    /// # Errors
    /// The CPU cannot be used, and why.
    pub fn pin(&mut self, cpu: u32) -> Result<cpus::Pinned, Reason> {
        let pinned = cpus::pin(cpu).map_err(|e| cpus::refusal(cpu, &e))?;
        let found = cpus::current_cpu().unwrap_or(cpu);
        let node = self.machine.topology.memory_of(cpu);
        self.threads.push(Thread { asked: cpu, found, node });
        if found != cpu {
            return Err(threads::moved_off_cpu(cpu, found));
        }
        Ok(pinned)
    }
    /// Notes a thread of the case, and where it was found: once, however often it ran.
    pub fn ran(&mut self, thread: Thread) {
        let known = |t: &Thread| (t.asked, t.found) == (thread.asked, thread.found);
        if !self.threads.iter().any(known) {
            let node = self.machine.topology.memory_of(thread.asked);
            self.threads.push(Thread { node, ..thread });
        }
    }
    /// Memory of its own pages, filled with random data by the calling thread, which must be pinned to this CPU, and what was
    /// verified about it.
    ///
    /// # Errors
    /// The memory cannot be had, and what would let it.
    pub fn buffer(
        &self,
        bytes: u64,
        pages: Pages,
        node: Option<u32>,
        cpu: u32,
    ) -> Result<(Arena, Buffer), Reason> {
        buffer(self.machine, self.seed, bytes, pages, node, &[cpu].into_iter().collect())
    }
    /// Measures each item and tells the share that is done, until the user wants to stop.
    ///
    /// # Errors
    /// An item could not be measured.
    pub fn each<T, S: IntoIterator<Item = Series>>(
        &mut self,
        items: &[T],
        mut measure: impl FnMut(&mut Self, &T) -> Result<S, Reason>,
    ) -> Result<Vec<Series>, Reason> {
        let mut all = vec![];
        for (done, item) in (1u32..).zip(items) {
            all.extend(measure(self, item)?);
            if !self.done(f64::from(done) / items.len() as f64) {
                break;
            }
        }
        Ok(all)
    }
    /// Times `count` samples of at least `seconds`, each prepared anew and of whole turns of `turn` steps, with the core
    /// clock measured between them.
    ///
    /// # Errors
    /// The core frequency cannot be measured, or the CPU that the thread is pinned to was taken away meanwhile.
    pub fn intervals(
        &mut self,
        series: Series,
        interval: (f64, usize, u64),
        subject: &mut dyn timing::Prepared,
    ) -> Result<Series, Reason> {
        self.with_frequency(series, &mut |clock, watch, between| {
            timing::intervals(clock, watch, interval, subject, between)
        })
    }
    /// Times `work` on the calling thread, with the core frequency measured between the samples.
    ///
    /// # Errors
    /// The core frequency cannot be measured, or the CPU that the thread is pinned to was taken away meanwhile.
    pub fn series<T>(
        &mut self,
        series: Series,
        limits: &Limits,
        per_step: f64,
        mut work: impl FnMut(u64) -> T,
    ) -> Result<Series, Reason> {
        let work = &mut |steps| _ = std::hint::black_box(work(steps));
        self.with_frequency(series, &mut |clock, watch, between| {
            timing::time(clock, watch, limits, work, between).map(|s| s / per_step)
        })
    }
    fn with_frequency(&mut self, series: Series, timed: Timing<'_>) -> Result<Series, Reason> {
        let core = CoreFrequency::new(self.clock, &self.features, "add_chain")?;
        let mut hertz = vec![core.window(self.clock)];
        let (clock, cancel) = (self.clock, self.cancel);
        let timed = timed(clock, &mut Watcher::open(), &mut || {
            hertz.push(core.window(clock));
            !cancel.load(Ordering::Relaxed)
        });
        still_on(cpus::pinned_to())?;
        let mut series = timed.into_series(series);
        series.frequency = stats::median(&hertz);
        Ok(series)
    }
}

/// Takes samples by a clock, watched, with something between them that says whether to go on.
type Timing<'a> =
    &'a mut dyn FnMut(&dyn Clock, &mut Watcher, &mut dyn FnMut() -> bool) -> timing::Timed;

/// Whether the calling thread is on this CPU, to which it was pinned before it measured.
///
/// # Errors
/// Its CPU went offline or out of the cpuset, and it is elsewhere now.
pub fn still_on(cpu: Option<u32>) -> Result<(), Reason> {
    match (cpu, cpus::current_cpu()) {
        (Some(asked), Some(found)) if asked != found => Err(threads::moved_off_cpu(asked, found)),
        _ => Ok(()),
    }
}

/// See [`Bench::buffer`]; free-standing so that worker threads can call it. `cpus` are those that will work on all buffers of
/// the case together.
///
/// # Errors
/// The memory cannot be had, and what would let it.
pub fn buffer(
    machine: &Machine,
    seed: u64,
    bytes: u64,
    pages: Pages,
    node: Option<u32>,
    cpus: &CpuSet,
) -> Result<(Arena, Buffer), Reason> {
    touched(machine, seed, bytes, (pages, node), cpus, &mut |_| ())
}

/// The same memory, after `touch` has been the first to write to it: the kernel hands pages out in that order, and pages that
/// follow each other in time mostly do so in memory.
///
/// # Errors
/// The memory cannot be had, and what would let it.
pub fn touched(
    machine: &Machine,
    seed: u64,
    bytes: u64,
    (pages, node): (Pages, Option<u32>),
    cpus: &CpuSet,
    touch: &mut dyn FnMut(&mut [Line]),
) -> Result<(Arena, Buffer), Reason> {
    if bytes < place::LEAST {
        return Err(Reason::mended_by(
            format!("only {bytes} bytes of memory may be used, which is half of what is free"),
            "free some memory, or raise the cgroup's memory limit",
        ));
    }
    let mut arena = pages::map(&pages::Request { bytes: bytes as usize, pages, node })?;
    touch(arena.lines_mut());
    kernels::fill_random(arena.lines_mut(), seed);
    let verified = pages::verify(&arena);
    let buffer = Buffer {
        bytes: arena.bytes() as u64,
        pages,
        base_page: verified.base_page,
        huge_share: verified.huge_share,
        nodes: verified.nodes,
        content: "random".into(),
        llc_ratio: place::ratio(machine, cpus, arena.bytes() as u64),
    };
    Ok((arena, buffer))
}

/// The buffer of which the first bytes are used.
pub fn part(whole: &Buffer, bytes: u64) -> Buffer {
    let llc_ratio = whole.llc_ratio.map(|r| r * bytes as f64 / whole.bytes as f64);
    Buffer { bytes, llc_ratio, ..whole.clone() }
}

/// A small buffer on the calling thread's stack of memory: a few lines for kernels that load and store in L1.
pub fn few_lines(seed: u64) -> Vec<Line> {
    let mut lines = vec![Line::ZERO; 64];
    kernels::fill_random(&mut lines, seed);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use record::Metric;

    /// A CPU that goes offline leaves its thread to another, and that thread's mask wider than one CPU: also where this
    /// happens before a series begins, its numbers would be those of another CPU.
    #[test]
    fn a_thread_that_is_elsewhere_measures_nothing() {
        let all = cpus::affinity().unwrap();
        let (first, last) = (all.first().unwrap(), all.iter().next_back().unwrap());
        if first == last {
            return eprintln!("skipped: one CPU");
        }
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::detect(), &cancel, &mut tick);
        let series = || Series::new(Metric::Time, record::Unit::Seconds, record::Better::Lower);
        let limits = Limits::once(1e-6);
        let _pinned = bench.pin(last).unwrap();
        let mut work = |steps: u64| {
            std::hint::black_box((0..steps).fold(0, |sum, step| sum ^ std::hint::black_box(step)));
        };
        for moved in [false, true] {
            if moved {
                cpus::confine(0, &[first].into_iter().collect()).unwrap();
            }
            let ends = [
                bench.series(series(), &limits, 1.0, &mut work),
                bench.intervals(series(), (1e-6, 1, 1), &mut work),
            ];
            for end in ends {
                let away = end.is_err_and(|reason| reason.why.contains("was taken away"));
                assert_eq!(away, moved);
            }
        }
    }

    #[test]
    fn contents_are_what_their_names_say() {
        let filled = |content: Content| {
            let mut arena = Arena::heap(600 * Line::BYTES);
            kernels::fill_random(arena.lines_mut(), 1);
            let mut buffer = Buffer::default();
            content.fill(&mut arena, &mut buffer);
            assert_eq!(buffer.content, content.name());
            let mut words: Vec<u64> = arena.lines().iter().flat_map(|l| l.0).collect();
            words.dedup();
            words
        };
        assert!(filled(Content::Random).len() > 4000);
        assert_eq!(filled(Content::Zero), [0]);
        assert_eq!(filled(Content::Constant), [1.0, 2.0, 0.5].map(f64::to_bits));
    }
}
