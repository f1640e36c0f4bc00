//! Loaded latency: memory latency of one core while other cores use bandwidth.
//!
//! Method: the main CPU walks a random ring (stride 64 B), as large as the end of a latency curve, on huge pages if
//! available. One thread on every other core of its NUMA node reads its own buffer there, in bursts of 64 KiB with a
//! delay of dependent additions after each. Eleven levels: from idle (level 0, measured first) to no delay (level 10).
//! The threads count what they read. If the node has no other core, cores of other nodes inject. `inject` names their
//! kernel. Before, other memory is read until the cache holds nothing of the ring.
//! Limits: the ring's own loads are not counted. SMT siblings do not inject. Neighbours of a guest load the same
//! memory.
//! Source: Intel's
//! MLC and multichase's `chaseload`.
use crate::{
    cache_eviction::{EvictionBuffer, evict_caches},
    prelude::*,
    probes::load_latency,
};
use host::{clock::Clock, disturb::Watcher};
use kernels::{Features, Order, Ring, Run};
use measure::{
    bench::{CoreFrequency, buffer, compute_kernel, still_on},
    threads::Member,
    timing::{self, Disturbance},
};
use record::Buffer;
use std::{
    sync::atomic::{
        AtomicBool, AtomicU64,
        Ordering::{Acquire, Relaxed, Release},
    },
    time::Duration,
};

/// Latency against injected bandwidth.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(170, 3, "Loaded latency: one core while others use the bandwidth", cases, run)
};

/// The highest level; there is one for each tenth of the peak.
const LEVELS: u64 = 10;
/// A sample in which the injectors read less than this share of what their level should have is marked: they did not run.
/// Memory that is shared slows all of them by less.
const RAN: f64 = 0.5;
/// Bytes that are read between two delays: long against a loop, and hundreds of them in a sample.
const BURST: usize = 64 << 10;
/// Seconds that a new level is given before it is measured.
const SETTLE: f64 = 3e-3;
/// Windows of [`SETTLE`] in which the peak is looked for, and seconds after which injectors that do not run are given up.
const WINDOWS: u32 = 6;
const PATIENCE: f64 = 2.0;
/// The sleep of an injector without an order, so that level 0 is an idle machine. Longer would make a level's
/// begin late, shorter would keep its core awake.
const NAP: Duration = Duration::from_micros(200);
/// Orders that are no delay.
const REST: u64 = u64::MAX;
const QUIT: u64 = u64::MAX - 1;
/// Each injector's buffer at least, and all of them together at most this share of the room there is.
const EACH: u64 = 16 << 20;
const SHARE: u64 = 4;
/// The ring behind a last-level cache of 32 MiB and less, and seconds that it takes to fill and link as much again.
const COMMON: u64 = 512 << 20;
const LINKED: f64 = 0.5;
/// Loads that fill the TLBs, as for the latency curve.
const WARM_UP: u64 = 50_000;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let main = setting.main_cpu();
    let injectors = injectors(setting.machine, &setting.cpus, main);
    if injectors.is_empty() {
        return Err(Reason::mended_by(
            "there is only one core to measure on, and nobody to load the memory",
            "allow more cores: --cpus, or a wider cpuset",
        ));
    }
    let cpus: CpuSet = injectors.iter().chain([main]).collect();
    let kinds: &[&str] = match setting.every_variant() {
        true => &["read", "copy_nt", "write_nt"],
        false => &["read"],
    };
    let ring = place::latency_bytes(
        setting.machine,
        main,
        Some(u64::MAX),
        load_latency::most(setting.depth),
    );
    let further = ring.saturating_sub(COMMON) as f64 / COMMON as f64;
    let seconds = setting.depth.pick(2.4, 3.4, 8.0) + LINKED * further;
    let case = |kind: &&str| {
        let mut case = setting.case(cpus.clone(), &[param::INJECT.set(*kind)], seconds);
        case.place.node = setting.machine.topology.memory_of(main);
        case.place.pages = memory_kernels::pages(setting.machine);
        case
    };
    Ok(kinds.iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    placement_check::checked(case, bench, |bench| levels(case, bench))
}

/// The injectors: one thread of every other core on the same node; without one, of every other core.
fn injectors(machine: &Machine, cpus: &CpuSet, main: u32) -> CpuSet {
    let topology = &machine.topology;
    let core = |cpu: u32| topology.cpu(cpu).map(|c| c.siblings.clone()).unwrap_or_default();
    let others: CpuSet = place::one_per_core(machine, cpus)
        .iter()
        .filter(|cpu| *cpu != main && !core(main).contains(*cpu))
        .collect();
    let near: CpuSet =
        others.iter().filter(|cpu| topology.node_of(*cpu) == topology.node_of(main)).collect();
    if near.is_empty() { others } else { near }
}

/// Bytes of the ring, and of each injector's buffer; together half of what is free at most.
fn sizes(
    machine: &Machine,
    main: u32,
    injectors: &CpuSet,
    free: Option<u64>,
    depth: Depth,
) -> (u64, u64) {
    let threads = injectors.len().max(1) as u64;
    let llc = place::last_levels(machine, injectors).unwrap_or(place::UNKNOWN_LLC);
    let each = (place::LLC_MULTIPLE * llc / threads).max(EACH);
    let each = place::within(each, injectors.len(), free.map(|free| free / SHARE));
    let left = free.map(|free| free.saturating_sub(2 * each * threads));
    (place::latency_bytes(machine, main, left, load_latency::most(depth)), each)
}

/// State that the threads share. Counters have lines of their own (128 bytes: lines are fetched in pairs).
struct SharedState {
    /// Additions after each burst, or [`REST`], or [`QUIT`].
    order: PaddedCounter,
    /// Bursts that each injector has read.
    bursts: Vec<PaddedCounter>,
}

#[derive(Default)]
#[repr(align(128))]
struct PaddedCounter(AtomicU64);

impl SharedState {
    fn bursts(&self) -> u64 {
        self.bursts.iter().map(|b| b.0.load(Relaxed)).sum()
    }
}

/// Watches a sample: what disturbed the chasing thread, what the others read meanwhile, and whether they ran at all.
struct Load<'a> {
    plan: &'a Plan<'a>,
    watch: Watcher,
    /// Bursts per second that this level should have.
    expected: f64,
    begun: (f64, u64),
    /// Bytes per second in each sample.
    injected: Vec<f64>,
}

impl Disturbance for Load<'_> {
    /// The look at the counters is the last thing before the sample, and the first after it.
    fn begin(&mut self) {
        self.begun = (self.plan.clock.now(), self.plan.desk.bursts());
        self.watch.mark();
    }
    fn end(&mut self) -> Vec<&'static str> {
        let mut why = self.watch.since();
        let (end, bursts) = (self.plan.clock.now(), self.plan.desk.bursts());
        let rate = (bursts - self.begun.1) as f64 / (end - self.begun.0).max(1e-12);
        if rate < self.expected * RAN {
            why.push(record::INJECTORS_PAUSED);
        }
        self.injected.push(rate * self.plan.burst);
        why
    }
}

/// Sends the injectors home on every way out, or they would never end.
struct StopOnDrop<'a>(&'a SharedState);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.order.0.store(QUIT, Release);
    }
}

/// Constants that all threads share.
struct Plan<'a> {
    desk: &'a SharedState,
    clock: &'a (dyn Clock + Sync),
    cancel: &'a AtomicBool,
    features: Features,
    /// The loop that takes time and no memory.
    delay: Run,
    /// Bytes of a burst as the kernel counts them.
    burst: f64,
    limits: Limits,
    seed: u64,
    /// Bytes of other memory by which the ring is driven out of the cache.
    eviction: u64,
}

fn levels(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let machine = bench.machine;
    let main = Setting::new(machine, case.place.cpus.clone(), bench.depth).main_cpu();
    let others: CpuSet = case.place.cpus.iter().filter(|cpu| *cpu != main).collect();
    let free = memory_kernels::free_for(bench, case);
    let eviction = EvictionBuffer::bytes(machine, main, free);
    let left = free.map(|free| free.saturating_sub(2 * eviction));
    let (ring, each) = sizes(machine, main, &others, left, bench.depth);
    let (_, kernel) = memory_kernels::find(case.get(param::INJECT).unwrap_or("read"))?;
    let (variant, inject) = memory_kernels::specialised(kernel, &bench.features);
    let (_, delay, _) = compute_kernel("add_chain", &bench.features)?;
    // The chaser comes first: it is the worker with index 0.
    let ids: Vec<u32> = std::iter::once(main).chain(others.iter()).collect();
    let desk = SharedState {
        order: PaddedCounter(AtomicU64::new(REST)),
        bursts: others.iter().map(|_| PaddedCounter::default()).collect(),
    };
    let burst = BURST.min(each as usize);
    let plan = Plan {
        desk: &desk,
        clock: bench.clock,
        cancel: bench.cancel,
        features: bench.features,
        delay,
        burst: kernel.work.bytes_per_pass(burst) as f64,
        limits: bench.limits(bench.depth.pick(0.05, 0.1, 0.3)),
        seed: bench.seed,
        eviction,
    };
    let (pages, node) = (case.place.pages, case.place.node);
    let prepare = |member: &Member<'_, ()>| {
        let (bytes, here) = match member.index() {
            0 => (ring, [main].into_iter().collect()),
            _ => (each, others.clone()),
        };
        buffer(machine, plan.seed ^ u64::from(member.cpu()), bytes, pages, node, &here)
    };
    let results =
        threads::run(&threads::pinned(ids), bench, prepare, |member, (mut arena, found)| {
            if member.index() == 0 {
                return chase(&plan, member, arena.lines_mut(), found);
            }
            // No thread injects before the ring is linked.
            member.barrier();
            let bursts = &desk.bursts[member.index() - 1].0;
            serve(&plan, bursts, inject, arena.lines_mut(), burst / Line::BYTES);
            Ok(vec![])
        })?;
    let mut all: Vec<Series> = results.into_iter().flatten().collect();
    for series in all.iter_mut().filter(|s: &&mut Series| s.metric == Metric::Injected) {
        series.variant = Some(variant.into());
    }
    if all.is_empty() {
        return Err(Reason::new("no thread measured anything"));
    }
    Ok(all)
}

/// Bursts and delays as ordered, until the order is to quit.
fn serve(plan: &Plan<'_>, bursts: &AtomicU64, inject: Run, lines: &mut [Line], burst: usize) {
    let (mut at, mut done) = (0, 0);
    loop {
        match plan.desk.order.0.load(Acquire) {
            QUIT => return,
            REST => host::clock::sleep(NAP),
            delay => {
                at = if at + 2 * burst > lines.len() { 0 } else { at + burst };
                std::hint::black_box(inject(&mut lines[at..at + burst], 1));
                done += 1;
                bursts.store(done, Relaxed);
                if delay > 0 {
                    std::hint::black_box((plan.delay)(&mut [], delay));
                }
            }
        }
        if plan.cancel.load(Relaxed) {
            return;
        }
    }
}

/// The core whose latency is measured: sets each level and walks.
fn chase(
    plan: &Plan<'_>,
    member: &Member<'_, ()>,
    lines: &mut [Line],
    buffer: Buffer,
) -> Result<Vec<Series>, Reason> {
    let closing = StopOnDrop(plan.desk);
    let ring = Ring::build(lines, Order::Random { stride: 64 }, plan.seed);
    member.barrier();
    let mut ring = ring.ok_or("the buffer is too small for a ring")?;
    evict_caches(&mut ring, plan.eviction, buffer.pages)?;
    ring.walk(WARM_UP.min(ring.len() as u64));
    let core = CoreFrequency::new(plan.clock, &plan.features, "add_chain")?;
    let mut all = vec![];
    let mut level = |level: u64, delay: u64, expected: f64, ring: &mut Ring<'_>| {
        plan.desk.order.0.store(delay, Release);
        walk_for(plan, ring, SETTLE);
        let mut hertz = vec![core.window(plan.clock)];
        let watch = Watcher::open();
        let mut load = Load { plan, watch, expected, begun: (0.0, 0), injected: vec![] };
        let timed = timing::time(
            plan.clock,
            &mut load,
            &plan.limits,
            &mut |n| {
                std::hint::black_box(ring.walk(n));
            },
            &mut || {
                hertz.push(core.window(plan.clock));
                !plan.cancel.load(Relaxed)
            },
        );
        let injected = load.injected;
        still_on(Some(member.cpu()))?;
        let latency = Series::new(Metric::LoadedLatency, Unit::Seconds, Better::Lower)
            .at(param::LEVEL, level);
        let mut latency = timed.clone().into_series(latency);
        latency.frequency = stats::median(&hertz);
        latency.buffer = Some(buffer.clone());
        let mut others = Series::new(Metric::Injected, Unit::BytesPerSecond, Better::Higher)
            .at(param::LEVEL, level);
        others.samples = injected;
        others.disturbed = timed.marks;
        all.extend([latency, others]);
        Ok::<_, Reason>(!plan.cancel.load(Relaxed))
    };

    // Before anybody has injected: what the others read pushes out what the cache holds of the ring's page tables, which a
    // walk takes tens of milliseconds to bring back.
    let mut goes_on = level(0, REST, 0.0, &mut ring)?;
    // All they can, to know how long a burst takes; the levels' delays follow from that.
    plan.desk.order.0.store(0, Release);
    let fastest = fastest(plan, &mut ring);
    goes_on &= !plan.cancel.load(Relaxed);
    if fastest == 0.0 && goes_on {
        return Err(Reason::mended_by(
            "the injecting threads did not run",
            "leave the other CPUs to cpulens while it measures",
        ));
    }
    let (per_burst, per_step) = (plan.desk.bursts.len() as f64 / fastest, step(plan));
    for at in 1..=LEVELS {
        let share = at as f64 / LEVELS as f64;
        let delay = (per_burst * (1.0 / share - 1.0) / per_step).round() as u64;
        goes_on = goes_on && level(at, delay, share * fastest, &mut ring)?;
    }
    drop(closing);
    Ok(all)
}

/// Bursts per second of all injectors, in the best of some windows: in others something else may have run.
fn fastest(plan: &Plan<'_>, ring: &mut Ring<'_>) -> f64 {
    let start = plan.clock.now();
    let mut fastest: f64 = 0.0;
    for window in 0.. {
        let (begin, before) = (plan.clock.now(), plan.desk.bursts());
        walk_for(plan, ring, SETTLE);
        let (end, after) = (plan.clock.now(), plan.desk.bursts());
        // The first window is the one in which they wake up.
        if window > 0 {
            fastest = fastest.max((after - before) as f64 / (end - begin));
        }
        let enough = window >= WINDOWS && fastest > 0.0;
        if enough || end - start > PATIENCE || plan.cancel.load(Relaxed) {
            break;
        }
    }
    fastest
}

/// Seconds that a step of the delay takes.
fn step(plan: &Plan<'_>) -> f64 {
    let limits = Limits::once(5e-5);
    timing::calibrate(plan.clock, &limits, |steps| (plan.delay)(&mut [], steps)).1.max(1e-12)
}

/// Walks for about so many seconds.
fn walk_for(plan: &Plan<'_>, ring: &mut Ring<'_>, seconds: f64) {
    let begin = plan.clock.now();
    while plan.clock.now() - begin < seconds {
        std::hint::black_box(ring.walk(1000));
    }
}
