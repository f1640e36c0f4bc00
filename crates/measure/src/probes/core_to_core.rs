//! Core to core: the round-trip time of one cache line between every two CPUs.
//!
//! Method: two pinned threads hand one word back and forth by compare-and-swap (`cas`) or, beyond quick depth, also by
//! plain loads and stores (`store`), in a tight loop without a pause, on fresh pages for every pair and eight addresses in
//! turn (recycled lines give wrong numbers); 1000 round trips a sample. Half a round trip is the one-way time that other
//! tools print. On many CPUs a sample that touches every last-level cache is taken unless the depth is thorough. Limits:
//! two states far apart mean that a hypervisor moved the CPUs meanwhile.
use crate::{
    bench::Bench,
    guard, place,
    probe::{Probe, Setting},
    timing::Timed,
};
use host::{disturb::Watcher, pages, team::team};
use kernels::sync::{Shared, cas_ping, cas_pong, store_ping, store_pong};
use record::{Better, Case, Pages, Reason, Series, Unit};
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// Round trips of a line between two CPUs.
#[derive(Debug)]
pub struct CoreToCore;

/// Round trips in a sample: 20 us at least, over 100 times any raw clock's resolution.
const ROUNDS: u64 = 1000;
/// Addresses used in turn.
const ADDRESSES: usize = 8;
/// Pages of fresh words for a pair.
const BYTES: usize = 64 << 10;
/// A pair takes no longer than this many seconds, times the run's haste, once it has [`LEAST`] samples: on a
/// machine with other work, two threads seldom run at the same time.
const PATIENCE: f64 = 0.2;
const LEAST: usize = 8;
/// Seconds after that at which any number of samples is enough: the two threads take turns on one CPU, or are emulated.
const HOPELESS: f64 = 2.0;
/// Seconds per sample between sockets that are far apart.
const PER_SAMPLE: f64 = 4e-4;
/// Seconds per pair, threads and pages included: for the plan's estimate.
const PER_PAIR: f64 = 0.02;

impl Probe for CoreToCore {
    fn title(&self) -> &'static str {
        "Core to core: round trip of a cache line"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        if setting.cpus.len() < 2 {
            return Err(Reason::mended_by(
                "there is only one CPU to measure on",
                "allow more CPUs: --cpus, or a wider cpuset",
            ));
        }
        let cpus =
            place::spread(setting.machine, &setting.cpus, setting.depth.pick(24, 64, usize::MAX));
        let pairs = cpus.len() * (cpus.len() - 1) / 2;
        let sample = format!("{} of {} CPUs", cpus.len(), setting.cpus.len());
        let seconds = pairs as f64 * (f64::from(samples(setting.depth)) * PER_SAMPLE + PER_PAIR);
        let methods: &[&str] = setting.depth.pick(&["cas"], &["cas", "store"], &["cas", "store"]);
        let case = |method: &&str| {
            let mut params = vec![("method", (*method).into())];
            if cpus.len() < setting.cpus.len() {
                params.push(("sample", sample.as_str().into()));
            }
            setting.case(cpus.clone(), &params, seconds)
        };
        Ok(methods.iter().map(case).collect())
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        guard::guarded(case, bench, |bench| matrix(case, bench))
    }
}

fn matrix(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let pairs = cpus.len() * (cpus.len() - 1) / 2;
    let method = if case.text("method") == Some("store") { STORE } else { CAS };
    let mut all: Vec<Series> = vec![];
    for (i, from) in cpus.iter().enumerate() {
        for to in &cpus[i + 1..] {
            let timed = round_trips(*from, *to, method, samples(bench.depth), bench)?;
            let mut series = Series::new("round_trip", Unit::Seconds, Better::Lower)
                .at("from", *from)
                .at("to", *to);
            series.samples = timed.samples;
            series.marks = timed.marks;
            series.steps = timed.steps;
            all.push(series);
            bench.done(all.len() as f64 / pairs as f64);
            if bench.cancelled() {
                return Ok(all);
            }
        }
    }
    Ok(all)
}

fn samples(depth: crate::probe::Depth) -> u32 {
    depth.pick(48, 80, 160)
}

/// One side of the hand-off: a word, how often, and when to give up.
type Side = fn(&Shared, u64, &AtomicBool) -> u64;
/// By compare-and-swap: the starting side and the answering one.
pub(crate) const CAS: [Side; 2] = [cas_ping, cas_pong];
/// By plain loads and stores.
const STORE: [Side; 2] = [store_ping, store_pong];

/// Hands a line back and forth between two CPUs; seconds per round trip.
///
/// # Errors
/// A CPU cannot be used, or there is no memory.
pub(crate) fn round_trips(
    from: u32,
    to: u32,
    [ping, pong]: [Side; 2],
    samples: u32,
    bench: &mut Bench<'_>,
) -> Result<Timed, Reason> {
    let node = bench.machine.topology.node_of(from);
    let mut arena = pages::map(&pages::Request { bytes: BYTES, pages: Pages::Base, node })?;
    let words = Shared::carve(arena.lines_mut());
    let (clock, stop) = (bench.clock, bench.cancel);
    let timed = Mutex::new(Timed { steps: ROUNDS, ..Timed::default() });
    let enough = AtomicBool::new(false);
    let deadline = clock.now() + PATIENCE * bench.haste;
    let results = team(&[from, to], |worker| {
        let mut watch = Watcher::new();
        for sample in 0..=samples {
            // One word in every 4 KiB, and another one of it for each further sample.
            let word = &words[(sample as usize % ADDRESSES) * (words.len() / ADDRESSES) + 1];
            worker.barrier();
            if enough.load(Relaxed) {
                break;
            }
            // Two threads on one CPU, since the other was taken away, need a time slice for each hand-off. The team fails
            // when it has ended; here it ends soon.
            let strayed = || host::cpus::current_cpu().is_some_and(|found| found != worker.cpu);
            if worker.index == 1 {
                pong(word, ROUNDS, stop);
                enough.fetch_or(strayed(), Relaxed);
                continue;
            }
            watch.mark();
            let begin = clock.now();
            let done = ping(word, ROUNDS, stop);
            let end = clock.now();
            let why = watch.since();
            // The first sample warms both cores up; an interrupted one is none.
            if sample > 0 && done == ROUNDS {
                let mut timed = timed.lock().unwrap_or_else(|e| e.into_inner());
                timed.push((end - begin) / ROUNDS as f64, why);
                // The partner looks at this after the next barrier, as this thread does.
                let late = end > deadline && timed.samples.len() >= LEAST;
                enough.fetch_or(late || end > deadline + HOPELESS, Relaxed);
            }
            enough.fetch_or(strayed(), Relaxed);
        }
    })?;
    for (thread, ()) in results {
        if !bench.threads.contains(&thread) {
            bench.threads.push(thread);
        }
    }
    let timed = timed.into_inner().unwrap_or_else(|e| e.into_inner());
    if timed.samples.is_empty() {
        return Err(Reason::new(format!("interrupted between CPU {from} and CPU {to}")));
    }
    Ok(timed)
}
