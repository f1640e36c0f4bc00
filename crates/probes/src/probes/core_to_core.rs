//! Core-to-core latency: round trip of one cache line between every two CPUs.
//!
//! Method: two pinned threads pass a word back and forth by compare-and-swap (`cas`), from standard depth on also by
//! loads and stores (`store`), in a tight loop. Each pair uses eight new lines in turn, each on its own page (recycled
//! lines give wrong numbers) and at its own offset (on AMD Zen low address bits choose the cache slice). A sample has
//! 1000 round trips. Half a round trip is the one-way time of other tools. All pairs if the depth has time, or with
//! `--all-pairs`; else random pairs of each relation.
//! Limits: two distant modes mean that a hypervisor moved the vCPUs. The line is on the first CPU's NUMA node.
use crate::{pairs, prelude::*};
use host::{cpus, disturb::Watcher, pages, threads::run_pinned};
use kernels::{
    Arena,
    sync::{Shared, cas_ping, cas_pong, store_ping, store_pong},
};
use record::Relation;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// Round trips of a line between two CPUs.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(110, 3, "Core to core: round trip of a cache line", cases, run)
};

/// Round trips in a sample: 20 us at least, over 100 times any raw clock's resolution.
const ROUNDS: u64 = 1000;
/// Addresses used in turn, each on a page of its own.
const ADDRESSES: usize = 8;
/// Bytes of fresh pages for the pairs from the CPUs of a node, where there is room; a case with more pairs goes on with
/// other lines of them, and with new pages when these are used up.
const POOL: usize = 32 << 20;
/// A pair takes no longer than this many seconds, times the run's time_scale, once it has [`LEAST`] samples: on a
/// machine with other work, two threads seldom run at the same time.
const PATIENCE: f64 = 0.2;
const LEAST: usize = 8;
/// Seconds after that at which any number of samples is enough: the two threads take turns on one CPU, or are emulated.
const HOPELESS: f64 = 2.0;
/// Seconds per pair, threads and pages included: for the plan's estimate.
const PER_PAIR: f64 = 4e-3;
/// Beyond so many pairs each gets a third of the samples: its class says what is typical.
const FEW_PAIRS: usize = 64;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if setting.cpus.len() < 2 {
        return Err(Reason::mended_by(
            "there is only one CPU to measure on",
            "allow more CPUs: --cpus, or a wider cpuset",
        ));
    }
    let depth = setting.depth;
    let most = depth.pick(4.0, 30.0, 300.0);
    let mut per_class = None;
    let mut seconds = seconds(&pairs::choose(setting.machine, &setting.cpus, None), depth);
    if seconds > most && !setting.options.all_pairs {
        per_class = Some(depth.pick(24, 64, 200));
        seconds = self::seconds(&pairs::choose(setting.machine, &setting.cpus, per_class), depth);
    }
    let both = depth > Depth::Quick || setting.every_variant();
    let methods: &[&str] = if both { &["cas", "store"] } else { &["cas"] };
    let case = |method: &&str| {
        let mut params = vec![param::METHOD.set(*method)];
        params.extend(per_class.map(|n| param::PER_CLASS.set(n)));
        setting.case(setting.cpus.clone(), &params, seconds)
    };
    Ok(methods.iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    placement_check::checked(case, bench, |bench| matrix(case, bench))
}

/// The estimated seconds of these pairs. A sample is [`ROUNDS`] round trips; their times are those of two-socket servers
/// of 2024, far ends.
fn seconds(pairs: &[pairs::Pair], depth: Depth) -> f64 {
    let sample = |relation| match relation {
        Relation::Siblings => 4e-5,
        Relation::Cluster => 1e-4,
        Relation::LastLevel => 1.5e-4,
        Relation::Die | Relation::Node | Relation::Socket | Relation::Unknown => 3e-4,
        Relation::Apart => 6e-4,
    };
    let samples = f64::from(samples(depth, pairs.len()));
    // The placement checks before and after.
    pairs.iter().map(|p| samples * sample(p.2) + PER_PAIR).sum::<f64>() + 0.15
}

fn samples(depth: Depth, pairs: usize) -> u32 {
    let all = depth.pick(48, 80, 160);
    if pairs <= FEW_PAIRS { all } else { all / 3 }
}

fn matrix(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let pairs = pairs::choose(bench.machine, &case.place.cpus, case.get(param::PER_CLASS));
    let method = if case.get(param::METHOD) == Some("store") { STORE } else { CAS };
    let samples = samples(bench.depth, pairs.len());
    let mut fresh = UnusedLines::default();
    let mut all: Vec<Series> = vec![];
    for (from, to, _) in &pairs {
        let node = bench.machine.topology.memory_of(*from);
        let words = fresh.take(node, pairs.len())?;
        let timed = hand_over([*from, *to], method, samples, words, bench)?;
        let series = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower)
            .at(param::FROM, *from)
            .at(param::TO, *to);
        all.push(timed.into_series(series));
        if !bench.done(all.len() as f64 / pairs.len() as f64) {
            break;
        }
    }
    Ok(all)
}

/// One side of the hand-off: a word, how often, and when to give up.
type Side = fn(&Shared, u64, &AtomicBool) -> u64;
/// By compare-and-swap: the starting side and the answering one.
const CAS: [Side; 2] = [cas_ping, cas_pong];
/// By plain loads and stores.
const STORE: [Side; 2] = [store_ping, store_pong];

/// Pages with lines that no pair has used yet, by the node they are on, and how many pairs have had some.
#[derive(Default)]
struct UnusedLines(BTreeMap<Option<u32>, (Arena, usize)>);

/// Memory for one pair: a page for each address, and which of the words that fit into a page is the pair's.
struct PairWords<'a> {
    pages: &'a mut [kernels::Line],
    word: usize,
}

/// Lines of one word and of what keeps it apart.
const LINES: usize = size_of::<Shared>() / kernels::Line::BYTES;

/// Words of a page, a line for each address. The first is left alone, and so is the last: in it there is no room for
/// the neighbours of the last address.
fn words_of_page() -> usize {
    pages::base_page() as usize / (ADDRESSES * kernels::Line::BYTES) - 1
}

impl UnusedLines {
    /// Pages for the next pair of up to `pairs` on a node.
    fn take(&mut self, node: Option<u32>, pairs: usize) -> Result<PairWords<'_>, Reason> {
        let each = ADDRESSES * pages::base_page() as usize;
        let map = || {
            let room = place::within(POOL as u64, 1, pages::free_on_node(node)) as usize;
            let bytes = (each * pairs).min(room).max(each);
            pages::map(&pages::Request { bytes, pages: Pages::Base, node })
        };
        let (arena, taken) = match self.0.entry(node) {
            Entry::Occupied(pool) => {
                let pool = pool.into_mut();
                // Every word has had its pair: lines that come back would give wrong numbers.
                if pool.1 == pool.0.bytes() / each * (words_of_page() - 1) {
                    *pool = (map()?, 0);
                }
                pool
            }
            Entry::Vacant(none) => none.insert((map()?, 0)),
        };
        let parts = arena.bytes() / each;
        let (part, again) = (*taken % parts, *taken / parts);
        *taken += 1;
        let lines = each / kernels::Line::BYTES;
        let pages = &mut arena.lines_mut()[part * lines..(part + 1) * lines];
        Ok(PairWords { pages, word: 1 + again })
    }
}

impl<'a> PairWords<'a> {
    /// The pair's word of each page, written by the calling thread, in each page a line further on than in the last: where the
    /// low bits of an address choose the slice of the cache (AMD's Zen), lines at one place of all pages are in one slice. The
    /// rest of the pages is left as it is: other words are for other pairs.
    fn carve(self) -> Vec<&'a Shared> {
        let page = pages::base_page() as usize / kernels::Line::BYTES;
        let pages = self.pages.chunks_mut(page).enumerate();
        let words = pages.filter_map(|(address, page)| {
            let first = self.word * ADDRESSES + address;
            Shared::carve(page.get_mut(first..first + LINES)?).first()
        });
        words.collect()
    }
}

/// Hands a line back and forth between two CPUs by compare-and-swap; seconds per round trip.
///
/// # Errors
/// A CPU cannot be used, or there is no memory.
pub(crate) fn round_trips(
    [from, to]: [u32; 2],
    samples: u32,
    bench: &mut Bench<'_>,
) -> Result<Timed, Reason> {
    let node = bench.machine.topology.memory_of(from);
    let mut fresh = UnusedLines::default();
    hand_over([from, to], CAS, samples, fresh.take(node, 1)?, bench)
}

fn hand_over(
    [from, to]: [u32; 2],
    [ping, pong]: [Side; 2],
    samples: u32,
    words: PairWords<'_>,
    bench: &mut Bench<'_>,
) -> Result<Timed, Reason> {
    // The CPU that starts touches the pages first: no third core ever has the line.
    let pinned = cpus::pin(from).map_err(|e| cpus::refusal(from, &e))?;
    let words = words.carve();
    drop(pinned);
    let (clock, stop) = (bench.clock, bench.cancel);
    let timed = Mutex::new(Timed { steps: ROUNDS, ..Timed::default() });
    let enough = AtomicBool::new(false);
    let deadline = clock.now() + PATIENCE * bench.time_scale;
    let results = run_pinned(&[from, to], |worker| {
        let mut watch = Watcher::open();
        for sample in 0..=samples {
            let word = words[sample as usize % words.len()];
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

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Machine};

    fn machine(cpus: u32) -> Machine {
        let mut machine = Machine::default();
        for id in 0..cpus {
            let siblings = [id].into_iter().collect();
            let (online, allowed, package) = (true, true, Some(id * 2 / cpus));
            let cpu = Cpu { id, online, allowed, package, siblings, ..Cpu::default() };
            machine.topology.cpus.push(cpu);
        }
        machine
    }

    #[test]
    fn many_cpus_are_sampled_by_class_unless_all_pairs_are_asked_for() {
        let plan = |cpus, depth, all_pairs| {
            let machine = machine(cpus);
            let mut setting = Setting::new(&machine, machine.topology.usable(), depth);
            setting.options.all_pairs = all_pairs;
            let case = cases(&setting).unwrap().remove(0);
            (case.get(param::PER_CLASS), case.estimate)
        };
        for depth in Depth::ALL {
            let (few, short) = plan(2, depth, false);
            assert!(few.is_none() && short < 0.4, "{short} s");
        }
        let (sampled, short) = plan(512, Depth::Quick, false);
        let (all, long) = plan(512, Depth::Quick, true);
        assert!(sampled.is_some() && all.is_none());
        assert!(short < 5.0 && long > 100.0 * short, "{short} s and {long} s");
    }

    /// Recycled lines give wrong numbers.
    #[test]
    fn no_line_serves_two_pairs() {
        let mut fresh = UnusedLines::default();
        let mut seen = std::collections::BTreeSet::new();
        let pairs = words_of_page() * POOL / (ADDRESSES * pages::base_page() as usize);
        for _ in 0..pairs {
            let words = fresh.take(None, pairs).unwrap();
            assert!(words.word > 0 && words.word < words_of_page());
            assert!(seen.insert((words.pages.as_ptr() as usize, words.word)));
        }
        assert_eq!(fresh.0.len(), 1);
    }

    #[test]
    fn who_comes_when_every_word_is_used_gets_new_pages() {
        let mut fresh = UnusedLines::default();
        let mut take = || {
            let words = fresh.take(None, 1).unwrap();
            (words.pages.as_ptr() as usize, words.word)
        };
        let first: Vec<_> = (1..words_of_page()).map(|_| take()).collect();
        assert!(first.iter().all(|(pages, _)| *pages == first[0].0), "{first:?}");
        let (pages, word) = take();
        assert!(pages != first[0].0 && word == 1, "{word}");
    }

    /// A pair that wrote to whole pages would leave its core's mark on the lines of those that come after it.
    #[test]
    fn a_pair_writes_to_no_line_but_its_own() {
        let mut fresh = UnusedLines::default();
        for pair in 1..=2 {
            let words = fresh.take(None, 1).unwrap();
            words.pages.fill(kernels::Line([7; 8]));
            let all = words.carve();
            let at: Vec<usize> = all.iter().map(|w| std::ptr::from_ref(*w) as usize).collect();
            let page = pages::base_page() as usize;
            let line = kernels::Line::BYTES;
            assert!(at.windows(2).all(|w| w[1] - w[0] == page + line), "{at:?}");
            assert!(at.len() == ADDRESSES && at[0] % page == pair * ADDRESSES * line);
            let lines = fresh.0[&None].0.lines();
            assert_eq!(lines.iter().filter(|l| l.0 != [7; 8]).count(), ADDRESSES * LINES);
        }
    }

    /// One thread on each of two nodes: each gets pages of its own.
    #[test]
    fn a_pool_is_no_larger_than_its_pairs_need() {
        let mut fresh = UnusedLines::default();
        fresh.take(None, 1).unwrap();
        let (arena, taken) = &fresh.0[&None];
        assert_eq!((arena.bytes(), *taken), (ADDRESSES * pages::base_page() as usize, 1));
    }
}
