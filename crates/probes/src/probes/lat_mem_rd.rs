//! The curve of lmbench's `lat_mem_rd -t`, for comparison with its published numbers.
//!
//! Method: the same ring (each load on another page, lines of a page in bit-reversed order), the same sizes, the ring
//! rewritten before each of five intervals of at least 5 ms and one turn. lmbench prints the minimum of five. `lineage`
//! = `intel` scatters each size over all pages and has 8 sizes per octave; `a9` (lmbench 3.0-a9) keeps each size
//! together and has 2. Above 64 MiB only powers of two are measured. Of `intel`, a ring of up to 16 pages uses other
//! pages in each interval, and one of up to 4 MiB a mapping of its own.
//! Limits: at twice the last-level cache part of the ring is still cached, so values vary by half and are not memory.
//! Every load misses the first-level TLB. Beyond 270,000 loads a turn is not walked whole: 135,000 are untimed, the
//! next 135,000 timed (beyond 64 MiB the next eighth). Partial pages are visited in part, as in lmbench.
//! Source: McVoy and Staelin, lmbench 3; the lineages github.com/intel/lmbench and 3.0-a9.
use crate::prelude::*;
use kernels::{Ring, Thrash};
use measure::{bench::Content, timing::Prepared};

/// lmbench's memory latency.
pub static PROBE: Probe = Probe::new(200, 3, "Latency as lmbench's lat_mem_rd -t", cases, run);

/// Smallest size in bytes.
const LOWER: u64 = 512;
/// The default on machines with pointers of 8 bytes.
const STRIDE: u64 = 64;
/// `-N 5` as the wrappers of lmbench call it, and the shortest interval that its harness settles on: with 10 ms all sizes
/// would take longer than the 10 s that the curve may.
const INTERVALS: usize = 5;
const INTERVAL: f64 = 5e-3;
/// Turns of more loads than this are walked in part, the first half of them untimed: a turn around 16 MiB is the longest
/// walked whole.
const LONG: u64 = 270_000;
/// Pages up to which each interval has a ring on other pages. The order is the same in every run, where lmbench draws one
/// from its process id for every size: of a handful of pages, two may want the same way of the first-level cache (a Zen core
/// predicts the way by a hash of the address; Lipp and others, Take A Way, 2020) and drive each other out, which two in a
/// hundred of lmbench's draws do, and a single draw of ours would always or never do. The least of five is without.
const FEW: usize = 16;
/// Bytes up to which rings have a mapping of their own, of which no other page is touched, as lmbench has a new one for each
/// size: where the pages beside them are there, too, 32 KiB took 1.30 ns on a Zen 4 core, and 1.12 where they are not.
const ALONE: u64 = 4 << 20;
/// Sizes in MiB up to which all of lmbench's are measured.
const ALL_SIZES: u64 = 64;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let case = |(lineage, size, stride, seconds): (&str, u64, u64, f64)| {
        let params = [
            param::LINEAGE.set(lineage),
            param::SIZE.set(size),
            param::STRIDE.set(stride),
            param::PAGES.set("base"),
        ];
        setting.single(&params, seconds)
    };
    let mut shapes = vec![];
    // It is long: planned when it is named.
    let named = setting.is_named(ProbeId::LatMemRd);
    if setting.depth > Depth::Quick || setting.every_variant() || named {
        shapes.push(("intel", 64, STRIDE, 9.0));
    }
    if setting.every_variant() {
        shapes.push(("a9", 64, STRIDE, 3.5));
        shapes.push(("intel", 64, 256, 7.0));
        shapes.push(("intel", 512, STRIDE, 11.0));
    }
    if shapes.is_empty() {
        return Err(Reason::by_plan(
            "it repeats load_latency as lmbench does and takes as long as the rest of a quick run",
            "cpulens run --only lat_mem_rd",
        ));
    }
    Ok(shapes.into_iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let size = case.get(param::SIZE).unwrap_or(ALL_SIZES) << 20;
    let stride = case.get(param::STRIDE).map_or(STRIDE as usize, |bytes| bytes as usize);
    let scattered = case.get(param::LINEAGE) != Some("a9");
    let node = bench.machine.topology.memory_of(cpu);
    let page = host::pages::base_page();
    let bytes = place::within(size, 1, host::pages::free_on_node(node));
    if bytes < size {
        return Err(Reason::mended_by(
            format!("only {} MiB may be used, which is half of what is free", bytes >> 20),
            "free some memory, or raise the cgroup's memory limit",
        ));
    }
    let order = |bytes: u64, seed: u64| {
        Thrash::new((bytes / page).max(1) as u32, page as usize, stride, seed).ok_or_else(|| {
            Reason::new(format!("a stride of {stride} bytes does not fit its pages"))
        })
    };
    let whole = order(size, bench.seed)?;
    // lmbench asks for new memory for each size and touches it page by page in the ring's order.
    let mut touch = |lines: &mut [Line]| {
        let per = page as usize / Line::BYTES;
        for number in whole.pages().iter().filter(|_| scattered) {
            lines[*number as usize * per] = Line::ZERO;
        }
    };
    let here: CpuSet = [cpu].into_iter().collect();
    let pages = (case.place.pages, node);
    let (mut arena, buffer) =
        bench::touched(bench.machine, bench.seed, size, pages, &here, &mut touch)?;
    let sizes = sizes(size, scattered);
    // One for the search of how many turns make an interval, too.
    let drawn: Vec<Thrash> = (0..=INTERVALS).map(|n| whole.begun_at(n * FEW)).collect();
    let mut alone = host::pages::map(&host::pages::Request {
        bytes: size as usize,
        pages: case.place.pages,
        node,
    })?;
    bench.each(&sizes, |bench, bytes| {
        let few = *bytes <= FEW as u64 * page;
        let orders = match scattered {
            true if few => drawn.clone(),
            true => vec![whole.clone()],
            false => vec![order(*bytes, bench.seed ^ bytes)?],
        };
        let apart = scattered && *bytes <= ALONE;
        let lines = if apart { alone.lines_mut() } else { arena.lines_mut() };
        let ring = orders.first().and_then(|o| Ring::thrash(lines, *bytes as usize, o));
        let Some(ring) = ring else { return Ok(None) };
        let mut series = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower)
            .at(param::WORKING_SET, *bytes);
        let mut this = bench::part(&buffer, *bytes);
        if apart {
            this.content = Content::Zero.name().into();
        }
        series.buffer = Some(this);
        let slots = ring.len() as u64;
        let skipped = if slots > LONG { LONG / 2 } else { 0 };
        let turn = if slots > LONG { part(slots) } else { whole_turns(slots) };
        let mut subject =
            Thrashed { ring, bytes: *bytes as usize, orders: &orders, next: 0, skipped };
        bench.intervals(series, (INTERVAL, INTERVALS, turn), &mut subject).map(Some)
    })
}

/// Loads of a long turn that are timed: beyond 64 MiB an eighth of it, since of short intervals the least is lower than of turns
/// that take a second.
fn part(slots: u64) -> u64 {
    (LONG / 2).max(slots / 8)
}

/// A turn as lmbench counts it: 100 loads more than there are slots, rounded down to hundreds.
fn whole_turns(slots: u64) -> u64 {
    100 * (slots / 100 + 1)
}

struct Thrashed<'a> {
    ring: Ring<'a>,
    bytes: usize,
    /// One after the other, an interval each.
    orders: &'a [Thrash],
    next: usize,
    /// Loads after writing the ring that are not timed.
    skipped: u64,
}

impl Prepared for Thrashed<'_> {
    fn prepare(&mut self) {
        if let Some(order) = self.orders.get(self.next % self.orders.len().max(1)) {
            self.ring.rewrite(self.bytes, order);
        }
        self.next += 1;
        std::hint::black_box(self.ring.walk(self.skipped));
    }
    fn work(&mut self, steps: u64) {
        std::hint::black_box(self.ring.walk(steps));
    }
}

/// lmbench's sizes: from 512 bytes in steps of a KiB to 4 KiB, then in steps of a share of the power of two above. The
/// intel lineage takes a sixteenth of it, and counts from 32 KiB at least; a9 takes a quarter. Beyond 64 MiB in all, powers
/// of two only.
fn sizes(most: u64, intel: bool) -> Vec<u64> {
    let (least, share) = if intel { (32 << 10, 16) } else { (4 << 10, 4) };
    let all = std::iter::successors(Some(LOWER), |size| {
        Some(match *size {
            k if k < 1 << 10 => k * 2,
            k if k < 4 << 10 => k + (1 << 10),
            k => k + (k + 1).next_power_of_two().max(least) / share,
        })
    });
    let coarse = most > ALL_SIZES << 20;
    all.take_while(|size| *size <= most).filter(|s| !coarse || s.is_power_of_two()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Machine;

    #[test]
    fn a_quick_run_has_it_only_where_it_is_named() {
        let machine = Machine::default();
        let mut setting = Setting::new(&machine, [0].into_iter().collect(), Depth::Quick);
        assert!(cases(&setting).unwrap_err().remedy.is_some());
        setting.options.named = vec![ProbeId::LatMemRd];
        let [case] = &cases(&setting).unwrap()[..] else { panic!("one curve") };
        assert_eq!((case.get(param::LINEAGE), case.get(param::SIZE)), (Some("intel"), Some(64)));
        setting.options.named = vec![ProbeId::LoadLatency];
        assert!(cases(&setting).is_err());
    }

    #[test]
    fn the_sizes_are_those_of_the_lineages() {
        let intel = sizes(64 << 20, true);
        assert_eq!(intel.len(), 107);
        assert_eq!(intel[..7], [512, 1024, 2048, 3072, 4096, 6144, 8192]);
        assert!([32, 36, 40, 64, 72].iter().all(|k| intel.contains(&(k << 10))));
        let a9 = sizes(64 << 20, false);
        assert_eq!(a9.len(), 33);
        assert_eq!(a9[4..9], [4096, 6144, 8192, 12_288, 16_384]);
        assert_eq!((intel.last(), a9.last()), (Some(&(64 << 20)), Some(&(64 << 20))));
        let coarse = sizes(512 << 20, true);
        assert_eq!((coarse.len(), coarse.last()), (21, Some(&(512 << 20))));
    }

    #[test]
    fn each_interval_has_the_next_order_and_the_first_again_after_the_last() {
        let bytes = 4 * 4096;
        let orders = [1, 2, 3].map(|seed| Thrash::new(64, 4096, 64, seed).unwrap());
        let mut arena = kernels::Arena::heap(64 * 4096);
        let ring = Ring::thrash(arena.lines_mut(), bytes, &orders[0]).unwrap();
        let mut subject = Thrashed { ring, bytes, orders: &orders, next: 0, skipped: 0 };
        for order in orders.iter().cycle().take(5) {
            subject.prepare();
            let mut pages: Vec<u32> =
                (0..4).map(|_| subject.ring.walk(1) as u32 * 64 / 4096).collect();
            pages.rotate_right(1);
            assert_eq!(pages, order.pages()[..4]);
        }
    }

    #[test]
    fn a_turn_is_counted_as_lmbench_does() {
        assert_eq!((part(1 << 20), part(1 << 23)), (LONG / 2, 1 << 20));
        assert_eq!(
            (whole_turns(8), whole_turns(100), whole_turns(1_048_576)),
            (100, 200, 1_048_600)
        );
    }
}
