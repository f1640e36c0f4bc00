//! The time source: cost and resolution of the clock, tick rate, loop overhead.
//!
//! Method: CLOCK_MONOTONIC_RAW read back to back; the rate of the time-stamp counter (x86) or generic timer (Arm)
//! against it over windows of 50 ms; an empty assembly loop like the compute kernels'. Every other sample is at least
//! 100 times longer than this resolution.
//! Limits: the raw clock itself is trusted.
use crate::prelude::*;
use host::clock::tick_rate;
use measure::bench::compute_kernel;

/// Clock cost, resolution, counter rate, loop overhead.
pub static PROBE: Probe = Probe {
    always: true,
    ..Probe::new(
        20,
        1,
        "Measurement overhead: clock cost and resolution, counter rate, loop overhead",
        cases,
        run,
    )
};

/// Readings per sample: long enough that two extra readings are 0.1 %.
const READINGS: u64 = 2000;
/// Seconds over which the counter's rate is taken: the clock's own jitter is then under 10 ppm.
const RATE_WINDOW: f64 = 0.05;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(vec![setting.single(&[], 0.5)])
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (_cpu, _pinned) = bench.pin_first(case)?;
    let clock = bench.clock;
    let mut all = vec![];

    let mut cost = Series::new(Metric::ClockCost, Unit::Seconds, Better::Lower);
    let mut resolution = Series::new(Metric::ClockResolution, Unit::Seconds, Better::Lower);
    for _ in 0..11 {
        let begin = clock.now();
        for _ in 0..READINGS {
            std::hint::black_box(clock.now());
        }
        cost.samples.push((clock.now() - begin) / (READINGS + 1) as f64);
        resolution.samples.push(smallest_step(&|| clock.now()));
    }
    cost.steps = READINGS;
    all.extend([cost, resolution]);

    let limits = bench.limits(0.05);
    let ticks = Series::new(Metric::TickCost, Unit::Seconds, Better::Lower);
    all.push(bench.series(ticks, &limits, 1.0, &mut |n| {
        for _ in 0..n {
            std::hint::black_box(kernels::arch::ticks_begin());
        }
    })?);
    bench.done(0.5);

    let mut rate = Series::new(Metric::TickRate, Unit::Hertz, Better::Neither);
    rate.samples = (0..5).filter_map(|_| tick_rate(clock, RATE_WINDOW)).collect();
    if !rate.samples.is_empty() {
        all.push(rate);
    }

    let (name, run, _) = compute_kernel("empty", &bench.features)?;
    let mut overhead = Series::new(Metric::LoopOverhead, Unit::Seconds, Better::Lower);
    overhead.variant = Some(name.into());
    all.push(bench.series(overhead, &limits, 1.0, |n| run(&mut [], n))?);
    Ok(all)
}

/// The smallest step seen between readings that differ, of 200: what the clock can tell apart.
fn smallest_step(now: &dyn Fn() -> f64) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..200 {
        let begin = now();
        let mut end = now();
        let mut spins = 0u32;
        while end <= begin && spins < 1_000_000 {
            end = now();
            spins += 1;
        }
        if end > begin {
            least = least.min(end - begin);
        }
    }
    if least.is_finite() { least } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_step_of_a_coarse_clock_is_found() {
        let reads = Cell::new(0u64);
        let now = || {
            reads.set(reads.get() + 1);
            (reads.get() / 7) as f64 * 1e-6
        };
        assert!((smallest_step(&now) - 1e-6).abs() < 1e-12);
    }
}
