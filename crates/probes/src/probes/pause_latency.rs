//! PAUSE / YIELD latency: the cost of a spin-loop hint.
//!
//! Method: one pinned thread runs sixteen of the instruction in a row in a loop, with core frequency measured between
//! samples: `pause` on x86-64; `yield` and `isb` on aarch64; elsewhere the standard library's hint.
//! Limits: there is nothing to wait for. `pause` took about ten cycles until Skylake made it about 140, so locks tuned
//! for one spin too long or too short on the other. A hypervisor may intercept many in a row, which shows as disturbed
//! or widely spread samples. `wfe` is not measured: it sleeps until another core acts.
//! Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, on PAUSE; Arm ARM, on YIELD and ISB.
use crate::prelude::*;
use kernels::spin;

/// Seconds per hint.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(60, 1, "Latency of the spin-loop hint (PAUSE, YIELD, ISB)", cases, run)
};

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(setting.per_kind(setting.depth.pick(0.05, 0.1, 0.3)))
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (_cpu, _pinned) = bench.pin_first(case)?;
    let limits = bench.limits(bench.depth.pick(0.05, 0.1, 0.3));
    let mut all = vec![];
    for hint in spin::HINTS {
        let series = Series::new(Metric::TimePerHint, Unit::Seconds, Better::Neither)
            .at(param::HINT, hint.name);
        all.push(bench.series(series, &limits, spin::PER_STEP as f64, |steps| (hint.run)(steps))?);
    }
    Ok(all)
}
