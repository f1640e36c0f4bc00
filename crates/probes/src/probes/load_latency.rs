//! Load-to-use latency over the working set: L1, L2, L3 and memory.
//!
//! Method: dependent loads around a ring. Order `random`: one random cycle through a slot every `stride` bytes (64 by
//! default). `grouped`: every 256 bytes inside groups of 256 KiB, group after group, which spares the TLB. `stride`:
//! ascending addresses, as lat_mem_rd without -t. Pages: 4 KiB with huge pages refused, THP, or hugetlb; buffers hold
//! random data. Before timing, a ring of up to three times the last-level cache is read once; for larger rings other
//! memory is read until the cache holds nothing of the ring. Then 50,000 loads, or a turn, fill the TLBs. Core
//! frequency is measured between samples.
//! Limits: `stride` shows prefetchers, not latency. A hypervisor may back huge pages by small ones (see tlb_reach). A
//! working set below four times the last-level cache is not memory. A guest's cache share is what its neighbours leave.
//! Source: orders `random` and `grouped` are those of google/multichase, `-T` over all memory and by default.
use crate::{
    cache_eviction::{EvictionBuffer, TURNS},
    prelude::*,
};
use kernels::{Order, Ring};
use measure::scalable_work::{CopyResources, ScalableWork, Work};
use record::HugePool;

/// Latency of one load when each needs the last.
pub static PROBE: Probe = Probe {
    visits: 3,
    own_process: true,
    refuses,
    scalable_work: || Some(&SCALABLE_WORK),
    ..Probe::new(90, 2, "Load latency by working set", cases, run)
};

/// Smallest working set.
const LEAST: u64 = 8 << 10;
/// Loads before the first sample: a whole turn of a small ring; of a large one they fill the TLBs.
const WARM_UP: u64 = 50_000;
/// A ring up to this many times the last-level cache is read before it is walked, so that the caches hold of it what they
/// can; a larger one would lose its last-read part to the caches, which are emptied of it instead.
const KEPT: u64 = 3;
/// Stride and group of the TLB-friendly order, as multichase has them.
const STRIDE_GROUPED: u64 = 256;
const GROUP: usize = 256 << 10;
/// A working set from so many times the last-level cache is held to be memory.
const MEMORY: u64 = 4;
/// The stride of random rings: every line.
const EVERY_LINE: u64 = 64;
/// Bytes of reserved pages that must be free for a curve on them.
const RESERVED: u64 = 64 << 20;
/// The memory that the remedy asks for: the end of a curve on most machines.
const RESERVED_WELL: u64 = 512 << 20;
/// Strides where every variant is measured: the next line, and what skips adjacent-line prefetchers.
const STRIDES: [u64; 3] = [EVERY_LINE, 128, 256];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let cpu = setting.main_cpu();
    let pools = pools(setting.machine, cpu).map_or(&[][..], |(_, pools)| pools);
    let mut kinds = vec![Pages::Base, Pages::Thp];
    let reserved = pools.iter().filter(|p| enough(p)).max_by_key(|p| p.page);
    kinds.extend(reserved.map(|p| Pages::Hugetlb(p.page)));
    let mut shapes: Vec<(Pages, &str, u64)> =
        kinds.iter().map(|pages| (*pages, "random", EVERY_LINE)).collect();
    shapes.insert(2.min(shapes.len()), (Pages::Base, "grouped", STRIDE_GROUPED));
    if setting.every_variant() {
        // If no page is reserved, the reason says what to do for the size nearest to 2 MiB.
        let none = pools.iter().filter(|_| reserved.is_none());
        let none = none.min_by_key(|p| p.page.abs_diff(2 << 20));
        shapes.extend(none.map(|p| (Pages::Hugetlb(p.page), "random", EVERY_LINE)));
        for pages in &kinds {
            let more = STRIDES.iter().flat_map(|s| [("random", *s), ("stride", *s)]);
            for (order, stride) in more.chain([("grouped", STRIDE_GROUPED)]) {
                if !shapes.contains(&(*pages, order, stride)) {
                    shapes.push((*pages, order, stride));
                }
            }
        }
    }
    let case = |(pages, order, stride): (Pages, &str, u64)| {
        let word = match pages {
            Pages::Base => "base",
            Pages::Thp => "thp",
            Pages::Hugetlb(_) => "hugetlb",
        };
        let params = [param::PAGES.set(word), param::ORDER.set(order), param::STRIDE.set(stride)];
        place::on_pages(pages, setting.single(&params, seconds(setting, order, stride)))
    };
    Ok(shapes.into_iter().map(case).collect())
}

pub(super) fn refuses(case: &Case, machine: &Machine) -> Option<Reason> {
    match case.place.pages {
        Pages::Base => None,
        Pages::Thp => place::no_huge_pages(machine),
        Pages::Hugetlb(page) => {
            let (node, pools) = pools(machine, case.place.cpus.first()?)?;
            let few = !pools.iter().any(|p| p.page == page && enough(p));
            few.then(|| {
                let (pages, kib) = ((RESERVED_WELL / page.max(1)).max(1), page / 1024);
                Reason::mended_by(
                    format!(
                        "fewer than {} MiB of reserved pages of {kib} KiB are free on node {node}",
                        RESERVED >> 20
                    ),
                    format!(
                        "echo {pages} | sudo tee /sys/devices/system/node/node{node}/hugepages/hugepages-{kib}kB/nr_hugepages"
                    ),
                )
            })
        }
    }
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let node = bench.machine.topology.memory_of(cpu);
    let pages = case.place.pages;
    let room = host::pages::free_on_node(node);
    let free = match pages {
        Pages::Hugetlb(page) => node
            .and_then(|n| bench.machine.topology.node(n))
            .and_then(|n| n.huge.iter().find(|p| p.page == page))
            .map(|p| p.free * p.page * 2),
        _ => room,
    };
    let llc = bench.machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
    // The other memory that empties the cache comes first out of the room there is: without it the largest working sets
    // would have to be walked whole. It is never on reserved pages, of which the curve may have all.
    let flush = EvictionBuffer::bytes(bench.machine, cpu, room);
    let left = match pages {
        Pages::Hugetlb(_) => free,
        _ => free.map(|free| free.saturating_sub(2 * flush)),
    };
    let bytes = place::latency_bytes(bench.machine, cpu, left, most(bench.depth));
    let (mut arena, buffer) = bench.buffer(bytes, pages, node, cpu)?;
    let other = if bytes > KEPT * llc { EvictionBuffer::map(flush, pages)? } else { None };

    let mut sizes = sizes(arena.bytes() as u64, bench.depth.pick(4, 5, 12));
    add_evicted(&mut sizes, llc);
    let mut limits = bench.limits(bench.depth.pick(0.012, 0.03, 0.4));
    limits.sample = bench.depth.pick(1.2e-3, 2e-3, 4e-3);
    let stride = case.get(param::STRIDE).map(|s| s as usize);
    let stride = stride.filter(|s| *s >= Line::BYTES);
    let order = match case.get(param::ORDER) {
        Some("grouped") => {
            Some(Order::Grouped { stride: stride.unwrap_or(STRIDE_GROUPED as usize), group: GROUP })
        }
        Some("stride") => Some(Order::Sequential { stride: stride.unwrap_or(Line::BYTES) }),
        _ => None,
    };
    let random = stride.unwrap_or(Line::BYTES);
    let lines = arena.lines_mut();
    let mut rings = match order {
        Some(order) => Rings::Anew(lines, order),
        None => Rings::Growing(
            Ring::growing(lines, random, bench.seed).ok_or("the buffer is too small for a ring")?,
        ),
    };
    let all = bench.each(&sizes, |bench, size| {
        // Memory is shared with neighbours, who change from one tenth of a second to the next.
        let budget = if *size >= MEMORY * llc { 2.0 } else { 1.0 } * limits.budget;
        let limits = Limits { budget, ..limits };
        let mut series = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower)
            .at(param::WORKING_SET, *size);
        series.buffer = Some(bench::part(&buffer, *size));
        let measured = rings.with(*size, bench.seed, |ring| {
            // The ring is in the caches or, where it is large, not in them.
            match other.as_ref().filter(|_| *size > KEPT * llc) {
                Some(other) => other.read(),
                None => (0..TURNS).for_each(|_| ring.touch()),
            }
            ring.walk(WARM_UP.min(ring.len() as u64));
            bench.series(series, &limits, 1.0, |n| ring.walk(n))
        });
        measured.transpose()
    })?;
    if all.is_empty() {
        return Err(Reason::new("the buffer is too small for a ring"));
    }
    Ok(all)
}

/// The node that a CPU's memory comes from, and its reserved pages by size.
fn pools(machine: &Machine, cpu: u32) -> Option<(u32, &[HugePool])> {
    let node = machine.topology.node(machine.topology.memory_of(cpu)?)?;
    Some((node.id, &node.huge))
}

fn enough(pool: &HugePool) -> bool {
    pool.free.saturating_mul(pool.page) >= RESERVED
}

/// Dependent loads per second, each copy around a ring of its own that is memory and no cache.
static SCALABLE_WORK: ScalableWork = ScalableWork {
    unit: Unit::PerSecond,
    parameter: param::ORDER,
    kinds: || vec!["random", "grouped"],
    llc_multiple: place::LLC_MULTIPLE,
    prepare: prepare_copy,
};

fn prepare_copy(copy: CopyResources<'_>, go: &mut dyn FnMut(Work<'_>)) -> Result<(), Reason> {
    let order = match copy.kind {
        "random" => Order::Random { stride: EVERY_LINE as usize },
        "grouped" => Order::Grouped { stride: STRIDE_GROUPED as usize, group: GROUP },
        kind => return Err(Reason::new(format!("there is no order {kind}"))),
    };
    let mut ring =
        Ring::build(copy.memory, order, copy.seed).ok_or("the buffer is too small for a ring")?;
    go(&mut |steps| {
        let loads = steps * LOADS;
        std::hint::black_box(ring.walk(loads));
        loads as f64
    });
    Ok(())
}

/// Loads in a step of copied work: some ten microseconds of memory.
const LOADS: u64 = 100;

/// The way in which the ring of the next size is made.
enum Rings<'a> {
    /// One random ring takes in what is new.
    Growing(Ring<'a>),
    /// Each is built for itself.
    Anew(&'a mut [Line], Order),
}

impl Rings<'_> {
    /// Hands the ring of a working set to `measure`; nothing if there is no room for one.
    fn with<T>(
        &mut self,
        bytes: u64,
        seed: u64,
        measure: impl FnOnce(&mut Ring<'_>) -> T,
    ) -> Option<T> {
        match self {
            Rings::Growing(ring) => {
                ring.grow(bytes as usize);
                Some(measure(ring))
            }
            Rings::Anew(lines, order) => {
                let lines = lines.get_mut(..bytes as usize / Line::BYTES)?;
                Some(measure(&mut Ring::build(lines, *order, seed ^ bytes)?))
            }
        }
    }
}

/// Largest working set by depth, where the cache does not ask for more; `loaded_latency` has a ring like it.
pub(super) fn most(depth: Depth) -> u64 {
    depth.pick(1 << 30, 2 << 30, 4 << 30)
}

/// The largest working set behind a last-level cache of 32 MiB, and seconds that each byte more takes to fill and link.
const COMMON: u64 = 512 << 20;
const LINKED: f64 = 4e-9;

/// The estimated seconds of a curve.
fn seconds(setting: &Setting<'_>, order: &str, stride: u64) -> f64 {
    let whole = match order {
        "random" => setting.depth.pick(2.3, 3.6, 25.0),
        _ => setting.depth.pick(1.5, 2.7, 22.0),
    };
    let bytes = place::latency_bytes(
        setting.machine,
        setting.main_cpu(),
        Some(u64::MAX),
        most(setting.depth),
    );
    let whole = whole + bytes.saturating_sub(COMMON) as f64 * LINKED;
    // Untimed turns and building shrink with the number of slots.
    if stride > EVERY_LINE && order == "random" { whole * 0.7 } else { whole }
}

/// Working sets from 8 KiB to `most`, `per_octave` steps a doubling up to 128 MiB and two beyond, whole lines.
fn sizes(most: u64, per_octave: u32) -> Vec<u64> {
    let mut sizes = vec![];
    let mut octave = LEAST;
    while octave <= most {
        let steps = if octave < 128 << 20 { per_octave } else { 2 };
        for step in 0..steps {
            let size = (octave as f64 * 2f64.powf(f64::from(step) / f64::from(steps))) as u64
                / 1024
                * 1024;
            if size <= most {
                sizes.push(size);
            }
        }
        octave *= 2;
    }
    if sizes.last().is_some_and(|last| *last < most / 4096 * 4096) {
        sizes.push(most / 4096 * 4096);
    }
    sizes.dedup();
    sizes
}

/// Adds a size just above those that are kept in the last-level cache where the curve ends soon after: two sizes of memory alone
/// show that it is flat.
fn add_evicted(sizes: &mut Vec<u64>, llc: u64) {
    let size = (KEPT * llc + llc / 8) / 4096 * 4096;
    let beyond = sizes.iter().filter(|s| **s >= MEMORY * llc).count();
    if let Some(at) = sizes.iter().position(|s| *s > size).filter(|_| beyond == 1) {
        sizes.insert(at, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_behind_a_large_cache_ends_with_two_sizes_of_memory_alone() {
        for (mib, most) in [(32, 1024), (128, 1024), (260, 1040), (504, 2016), (1152, 4608)] {
            let mut sizes = sizes(most << 20, 4);
            add_evicted(&mut sizes, mib << 20);
            assert!(sizes.windows(2).all(|w| w[0] < w[1]), "{sizes:?}");
            let beyond: Vec<u64> = sizes.into_iter().filter(|s| *s > (KEPT * mib) << 20).collect();
            let (first, last) = (beyond[0] as f64, beyond[beyond.len() - 1] as f64);
            assert!(beyond.len() >= 2 && first < 0.85 * last, "{mib}: {beyond:?}");
        }
    }

    #[test]
    fn sizes_ascend_from_two_pages_to_the_whole_buffer() {
        for per_octave in [1, 3, 4, 12] {
            for most in [8192, 100 << 10, 64 << 20, (512 << 20) + 4096] {
                let sizes = sizes(most, per_octave);
                assert!(sizes.windows(2).all(|w| w[0] < w[1]), "{sizes:?}");
                assert_eq!((sizes[0], *sizes.last().unwrap()), (8192, most));
            }
        }
        assert_eq!(sizes(512 << 20, 4).len(), 61);
    }
}
