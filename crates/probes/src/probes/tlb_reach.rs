//! TLB reach and miss penalty, and whether huge pages are real.
//!
//! Method: a chase through one line in each of many base pages (`layout` = `spread`), in random order, beside one
//! through as many densely packed lines (`dense`), which costs the same but for the TLB. The lines lie at random
//! offsets that fill all cache sets evenly. On THP the lines lie in small pages of 16 huge pages: real huge pages need
//! 16 entries; if a hypervisor backs them by small pages, they miss like base pages.
//! Limits: adjacent base pages may share an entry on some processors. Lines beyond a quarter of the L2 collide there,
//! so its misses are included.
//! Source: Saavedra and Smith 1995 (one access in each page); lmbench's `tlb` counts pages in the same way.
use crate::prelude::*;
use kernels::{Arena, Ring};
use record::Buffer;
use stats::rng::Rng;

/// One load in each of many pages.
pub static PROBE: Probe = Probe {
    visits: 3,
    refuses: super::load_latency::refuses,
    ..Probe::new(100, 1, "TLB reach, and the cost of a miss", cases, run)
};

/// Pages: from few to more than any second-level TLB of today holds (AMD Zen 5: 4096, Arm and Intel: 2048).
const LEAST: u64 = 8;
const MOST: u64 = 16_384;
/// Steps a doubling: 1.19 from one number of pages to the next.
const PER_OCTAVE: u32 = 4;
/// Huge pages of the test, and small pages in them: between the reach of first-level TLBs (32 to 96) and a part of the
/// second's.
const HUGE: u64 = 16;
const MOST_SMALL: u64 = 1024;
/// Bytes that the small pages may take in all: on kernels with pages of 64 KiB the count ends earlier.
const ROOM: u64 = 256 << 20;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let seconds = setting.depth.pick([0.6, 0.35], [1.0, 0.6], [4.0, 2.5]);
    let case = |(pages, word, seconds): (Pages, &str, f64)| {
        place::on_pages(pages, setting.single(&[param::PAGES.set(word)], seconds))
    };
    let kinds = [(Pages::Base, "base", seconds[0]), (Pages::Thp, "thp", seconds[1])];
    Ok(kinds.map(case).into())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let node = bench.machine.topology.memory_of(cpu);
    let page = host::pages::base_page();
    let free = host::pages::free_on_node(node);
    let huge = case.place.pages != Pages::Base;
    let wanted = if huge { HUGE * (2 << 20) } else { MOST * page };
    let bytes = place::within(wanted.min(ROOM), 1, free);
    let (mut arena, buffer) = bench.buffer(bytes, case.place.pages, node, cpu)?;
    let there = arena.bytes() as u64 / page;
    let most = if huge { there.min(MOST_SMALL) } else { there };
    let counts = counts(most);
    if counts.len() < 2 {
        return Err(Reason::new(format!("only {there} pages of {page} bytes may be used")));
    }
    let limits = Limits {
        sample: bench.depth.pick(0.3e-3, 0.8e-3, 2e-3),
        ..bench.limits(bench.depth.pick(6e-3, 20e-3, 100e-3))
    };
    bench.each(&counts, |bench, count| {
        // Small pages of all huge ones, so that each count asks for as many huge pages.
        let among = if huge { there } else { *count };
        let spread = spread(*count, among, page / Line::BYTES as u64, bench.seed ^ count);
        let dense = shuffled(*count, &mut Rng::new(bench.seed ^ count));
        let mut timed = |path| timed(bench, &mut arena, &buffer, path, &limits);
        Ok([timed(("spread", &spread))?, timed(("dense", &dense))?])
    })
}

fn timed(
    bench: &mut Bench<'_>,
    arena: &mut Arena,
    buffer: &Buffer,
    (layout, path): (&str, &[u32]),
    limits: &Limits,
) -> Result<Series, Reason> {
    let mut series = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower)
        .at(param::PAGES_TOUCHED, path.len() as u64)
        .at(param::LAYOUT, layout);
    series.buffer = Some(buffer.clone());
    let mut ring = Ring::through(arena.lines_mut(), path, bench.seed)
        .ok_or("the buffer is too small for a ring")?;
    ring.walk(2 * path.len() as u64);
    bench.series(series, limits, 1.0, |n| ring.walk(n))
}

/// Numbers of pages, each 1.19 times the last.
fn counts(most: u64) -> Vec<u64> {
    let mut counts: Vec<u64> = (0..)
        .map(|i| (LEAST as f64 * 2f64.powf(f64::from(i) / f64::from(PER_OCTAVE))).round() as u64)
        .take_while(|count| *count <= most)
        .collect();
    counts.dedup();
    counts
}

/// A line in each of `count` of the first `among` pages of `lines` lines, in random order. Each 64 of them use each of the
/// 64 places that decide a line's set in a first-level cache once.
fn spread(count: u64, among: u64, lines: u64, seed: u64) -> Vec<u32> {
    let sets = 64.min(lines);
    let mut rng = Rng::new(seed);
    let mut places = vec![];
    let mut of: Vec<u32> = vec![];
    for (i, page) in (0..count).zip(shuffled(among, &mut rng)) {
        if i % sets == 0 {
            places = shuffled(sets, &mut rng);
        }
        let within = u64::from(places[(i % sets) as usize]) + rng.below(lines / sets) * sets;
        of.push((u64::from(page) * lines + within) as u32);
    }
    of
}

fn shuffled(count: u64, rng: &mut Rng) -> Vec<u32> {
    let mut items: Vec<u32> = (0..count as u32).collect();
    rng.shuffle(&mut items);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn counts_grow_by_a_fifth() {
        let counts = counts(MOST);
        assert_eq!((counts[0], counts.last()), (LEAST, Some(&MOST)));
        assert!(counts.windows(2).all(|w| w[0] < w[1] && w[1] as f64 <= w[0] as f64 * 1.25));
    }

    #[test]
    fn every_page_has_one_line_and_every_set_as_many() {
        for (count, among, lines) in
            [(8, 8, 64), (100, 100, 64), (1024, 8192, 64), (300, 600, 1024)]
        {
            let path = spread(count, among, lines, 5);
            let pages: BTreeSet<u64> = path.iter().map(|l| u64::from(*l) / lines).collect();
            assert_eq!((path.len() as u64, pages.len() as u64), (count, count));
            assert!(pages.last().is_some_and(|last| *last < among));
            let mut sets = [0; 64];
            path.iter().for_each(|l| sets[*l as usize % 64] += 1);
            assert!(sets.iter().max().unwrap() - sets.iter().min().unwrap() <= 1, "{sets:?}");
        }
    }
}
