//! Bandwidth of one core over the working set: each cache level, then memory.
//!
//! Method: repeated passes over the first bytes of one buffer, on huge pages if available, from 8 KiB to four times the
//! last-level cache (above 256 MiB: 1 GiB or three times it), two sizes per octave, more from standard depth on, and
//! the whole buffer. Each size is passed twice; then all variants are tried, and the fastest is measured and named. Reads;
//! at thorough depth also writes and copies. Bytes are those that the program requested.
//! Limits: each pass ends in a mispredicted branch, a few percent at small sizes. For memory see `bandwidth`, whose
//! buffer is larger.
use crate::cache_eviction::TURNS;
use crate::prelude::*;
use kernels::Run;
use measure::{memory_kernels::parts::Parts, timing};

/// Bytes per second by working set.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(140, 1, "Cache bandwidth of one core over working set", cases, run)
};

const LEAST: u64 = 8 << 10;
/// The curve ends here however large the cache, unless more is needed for a size that is memory.
const MOST: u64 = 1 << 30;
/// From so many times the last-level cache on the report takes a size for memory.
const MEMORY: u64 = 3;
/// The largest working set behind a last-level cache of 32 MiB.
const COMMON: u64 = 128 << 20;
/// Seconds of a trial of one variant.
const TRIAL: f64 = 0.2e-3;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let cpu = setting.main_cpu();
    let llc = setting.machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
    // Beyond what the common ones have, time grows with the size.
    let further = wanted(llc).saturating_sub(COMMON) as f64 / COMMON as f64;
    let seconds = setting.depth.pick(1.1, 2.5, 12.0) + setting.depth.pick(0.3, 0.5, 0.8) * further;
    let kernels: &[&str] =
        if setting.every_variant() { &["read", "write", "copy"] } else { &["read"] };
    let pages = memory_kernels::pages(setting.machine);
    let case = |kernel: &&str| setting.single(&[param::KERNEL.set(*kernel)], seconds);
    Ok(kernels.iter().map(|kernel| place::on_pages(pages, case(kernel))).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let (_, kernel) = memory_kernels::find(case.get(param::KERNEL).unwrap_or_default())?;
    let node = bench.machine.topology.memory_of(cpu);
    let llc = bench.machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
    let bytes = place::within(wanted(llc), 1, host::pages::free_on_node(node));
    let (mut arena, buffer) = bench.buffer(bytes, case.place.pages, node, cpu)?;
    let codes: Vec<(&'static str, Run)> =
        kernel.variants.iter().filter_map(|v| Some((v.name, (v.get)(&bench.features)?))).collect();
    let sizes = sizes(arena.bytes() as u64, bench.depth.pick(2, 4, 8));
    let limits = Limits { most: 51, ..bench.limits(bench.depth.pick(0.02, 0.035, 0.3)) };
    bench.each(&sizes, |bench, size| {
        let lines = &mut arena.lines_mut()[..(*size / 64) as usize];
        let mut parts = Parts::new(lines);
        // The caches hold of it what they can; some replacement policies need a second pass for that.
        if let Some((_, run)) = codes.last() {
            parts.pass(lines, *run, TURNS.into());
        }
        let clock = bench.clock;
        let fastest = timing::fastest(clock, TRIAL, codes.len(), &mut |this, steps| {
            parts.run(lines, codes[this].1, steps);
        });
        let Some((name, run)) = fastest.map(|this| codes[this]) else { return Ok(None) };
        let mut series = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher)
            .at(param::WORKING_SET, *size);
        series.buffer = Some(bench::part(&buffer, *size));
        series.variant = Some(name.into());
        let each = kernel.work.bytes_per_pass(parts.bytes()) as f64;
        let mut series =
            bench.series(series, &limits, 1.0, |steps| parts.run(lines, run, steps))?;
        series.samples.iter_mut().for_each(|s| *s = each / s.max(1e-12));
        Ok(Some(series))
    })
}

/// Bytes of the largest working set behind a last-level cache, whole 2 MiB.
fn wanted(llc: u64) -> u64 {
    (place::LLC_MULTIPLE * llc).min(MOST.max(MEMORY * llc)).next_multiple_of(2 << 20)
}

/// Working sets of whole 4 KiB (1 KiB below 32 KiB), so many a doubling, from 8 KiB, and the whole buffer.
fn sizes(most: u64, per_octave: u64) -> Vec<u64> {
    let mut sizes = vec![];
    let mut octave = LEAST;
    while octave <= most {
        let steps = (0..per_octave).map(|step| octave + octave * step / per_octave);
        sizes.extend(steps.filter(|size| *size <= most));
        octave *= 2;
    }
    if sizes.last().is_some_and(|last| *last < most) {
        sizes.push(most);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_in_whole_blocks() {
        for per_octave in [2, 4, 8] {
            let sizes = sizes(128 << 20, per_octave);
            assert!(sizes.windows(2).all(|w| w[0] < w[1]), "{sizes:?}");
            assert!(sizes.iter().all(|s| s % 1024 == 0), "{sizes:?}");
            assert_eq!((sizes[0], *sizes.last().unwrap()), (LEAST, 128 << 20));
            assert_eq!(sizes.len() as u64, 14 * per_octave + 1);
        }
        assert!(sizes(4096, 2).is_empty());
    }

    #[test]
    fn a_size_is_memory_however_large_the_cache() {
        for llc in [256 << 10, 1408 << 10, 32 << 20, 45 << 20, 320 << 20, 504 << 20, 1152 << 20] {
            let wanted = wanted(llc);
            let last = *sizes(wanted, 2).last().unwrap();
            assert!(last == wanted && last >= MEMORY * llc, "{last} of {llc}");
            assert!(wanted <= (4 * llc).max(2 << 20) + (2 << 20), "{wanted} of {llc}");
        }
        assert_eq!((wanted(32 << 20), wanted(320 << 20)), (128 << 20, 1 << 30));
    }
}
