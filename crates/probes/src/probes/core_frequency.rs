//! Core frequency, measured without counters or privileges.
//!
//! Method: windows of 50 us of dependent additions, one cycle each, against CLOCK_MONOTONIC_RAW; the median of 1000,
//! 3000 or 10,000 windows by depth, since interrupts hit single windows. A chain of multiplications checks the
//! assumption: its ratio to the additions must be a whole number.
//! Limits: scalar integer code on one busy core; more busy cores or wide vectors may lower the frequency.
//! Source: docs/validation/memory.md (lmbench mhz agrees).
use crate::prelude::*;
use host::disturb::Watcher;

/// Dependent adds and multiplications per second.
pub static PROBE: Probe = Probe { visits: 3, ..Probe::new(30, 1, "Core frequency", cases, run) };

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(setting.per_kind(setting.depth.pick(0.3, 0.9, 2.0)))
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let mut chains = vec![];
    for chain in ["add", "mul"] {
        let kernel = format!("{chain}_chain");
        let core = bench::CoreFrequency::new(bench.clock, &bench.features, &kernel)?;
        chains.push((chain, core, Timed::default()));
    }
    let windows = bench.depth.pick(1000u32, 3000, 10_000);
    let mut watch = Watcher::open();
    for window in 0..windows {
        for (_, core, timed) in &mut chains {
            watch.mark();
            let hertz = core.window(bench.clock);
            timed.push(hertz, watch.since());
        }
        if window % 100 == 0 && !bench.done(f64::from(window) / f64::from(windows)) {
            break;
        }
    }
    bench::still_on(Some(cpu))?;
    let series = |(chain, _, timed): (&str, _, Timed)| {
        let series = Series::new(Metric::Frequency, Unit::Hertz, Better::Higher);
        timed.into_series(series.at(param::CHAIN, chain))
    };
    Ok(chains.into_iter().map(series).collect())
}
