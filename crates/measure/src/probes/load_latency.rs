//! Load-to-use latency against working set: the curve that shows L1, L2, L3 and memory.
//!
//! Method: dependent loads around one random cycle through every line (stride 64 B, `order` random) or through every
//! fourth line inside 256 KiB groups (`grouped`, which spares the TLB); 4 KiB pages with huge pages refused, transparent
//! huge pages, or reserved ones; buffers hold random data; before it is timed the ring is walked until nothing of what its
//! builder left is in the caches. The clock is measured between samples, so that cycles stand beside nanoseconds.
//! Limits: a hypervisor may back huge pages by small ones; a working set below four times the last-level cache is not
//! memory; the cache share of a guest is what its neighbours leave.
use crate::{
    bench::Bench,
    place,
    probe::{Probe, Setting},
};
use kernels::{Order, Ring};
use record::{Better, Case, CpuSet, Machine, Pages, Reason, Series, Unit, Value};

/// Latency of one load when each needs the last.
#[derive(Debug)]
pub struct LoadLatency;

/// Smallest working set.
const LEAST: u64 = 4 << 10;
/// Building a ring leaves its last lines in the caches. A ring up to three times the last-level cache is walked once
/// untimed; of a larger one, twice as many lines as that cache holds are enough to push the builder's out, up to a bound
/// in loads that keeps a curve short on machines with very large caches.
fn warm_up(slots: u64, size: u64, llc: u64) -> u64 {
    if size <= 3 * llc { slots } else { slots.min((2 * llc / 64).min(2_000_000)) }
}
/// Stride and group of the TLB-friendly order, as multichase has them.
const GROUPED: Order = Order::Grouped { stride: 256, group: 256 << 10 };

impl Probe for LoadLatency {
    fn title(&self) -> &'static str {
        "Load latency by working set"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        let seconds = setting.depth.pick(9.0, 18.0, 45.0);
        let mut kinds = vec![(Pages::Base, "random"), (Pages::Transparent, "random")];
        if setting.depth > crate::probe::Depth::Quick || setting.every_variant() {
            kinds.push((Pages::Base, "grouped"));
        }
        let cpu = setting.main_cpu();
        let node =
            setting.machine.topology.node_of(cpu).and_then(|n| setting.machine.topology.node(n));
        if let Some(pool) = node.and_then(|n| {
            n.huge.iter().filter(|p| p.free * p.page >= 64 << 20).max_by_key(|p| p.page)
        }) {
            kinds.push((Pages::Reserved(pool.page), "random"));
        }
        Ok(kinds
            .into_iter()
            .map(|(pages, order)| {
                let word = match pages {
                    Pages::Base => "base",
                    Pages::Transparent => "transparent",
                    Pages::Reserved(_) => "reserved",
                };
                let mut case =
                    setting.single(&[("pages", word.into()), ("order", order.into())], seconds);
                case.place.pages = pages;
                case
            })
            .collect())
    }
    fn refuses(&self, case: &Case, machine: &Machine) -> Option<Reason> {
        let off = machine.text("memory.thp.enabled") == Some("never");
        (off && case.place.pages == Pages::Transparent).then(|| {
            Reason::mended_by(
                "transparent huge pages are off",
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            )
        })
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let cpu = case.place.cpus.first().ok_or_else(|| Reason::new("no CPU to run on"))?;
        let _pinned = bench.pin(cpu)?;
        let node = bench.machine.topology.node_of(cpu);
        let free = match case.place.pages {
            Pages::Reserved(page) => node
                .and_then(|n| bench.machine.topology.node(n))
                .and_then(|n| n.huge.iter().find(|p| p.page == page))
                .map(|p| p.free * p.page * 2),
            _ => host::pages::free_on_node(node),
        };
        let most = bench.depth.pick(1 << 30, 2 << 30, 4 << 30);
        let bytes = place::latency_bytes(bench.machine, cpu, free, most);
        let here: CpuSet = [cpu].into_iter().collect();
        let (mut arena, buffer) = bench.buffer(bytes, case.place.pages, node, &here)?;
        let llc = bench.machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);

        let sizes = sizes(arena.bytes() as u64, bench.depth.pick(4, 6, 12));
        let limits = bench.limits(bench.depth.pick(0.08, 0.15, 0.4));
        let order = match case.text("order") {
            Some("grouped") => GROUPED,
            _ => Order::Random { stride: 64 },
        };
        let mut all = vec![];
        for (i, size) in sizes.iter().enumerate() {
            let lines = &mut arena.lines_mut()[..(*size / 64) as usize];
            let Some(mut ring) = Ring::build(lines, order, bench.seed ^ *size) else { continue };
            let slots = ring.len() as u64;
            ring.walk(warm_up(slots, *size, llc));
            let mut series = Series::new("load_to_use", Unit::Seconds, Better::Lower)
                .at("working_set", Value::Integer(*size));
            let mut here = buffer.clone();
            here.bytes = *size;
            here.llc_ratio = buffer.llc_ratio.map(|r| r * *size as f64 / buffer.bytes as f64);
            series.buffer = Some(here);
            all.push(bench.series(series, &limits, 1.0, &mut |n| {
                std::hint::black_box(ring.walk(n));
            })?);
            bench.done((i + 1) as f64 / sizes.len() as f64);
            if bench.cancelled() {
                break;
            }
        }
        if all.is_empty() {
            return Err(Reason::new("the buffer is too small for a ring"));
        }
        Ok(all)
    }
}

/// Working sets from 4 KiB to `most`, `per_octave` steps a doubling up to 128 MiB and two beyond, whole lines.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_from_a_page_to_the_whole_buffer() {
        for per_octave in [1, 3, 4, 12] {
            for most in [4096, 100 << 10, 64 << 20, (512 << 20) + 4096] {
                let sizes = sizes(most, per_octave);
                assert!(sizes.windows(2).all(|w| w[0] < w[1]), "{sizes:?}");
                assert_eq!((sizes[0], *sizes.last().unwrap()), (4096, most));
            }
        }
        assert_eq!(sizes(512 << 20, 3).len(), 3 * 15 + 2 * 2 + 1);
    }
}
