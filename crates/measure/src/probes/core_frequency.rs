//! Core frequency, measured without counters or privileges.
//!
//! Method: windows of 50 us of dependent additions, one cycle each, against CLOCK_MONOTONIC_RAW; the median of 1000,
//! 3000 or 10,000 windows by depth, since interrupts hit single windows. A chain of multiplications checks the
//! assumption: its ratio to the additions must be a whole number.
//! Limits: scalar integer code on one busy core; more busy cores or wide vectors may lower the frequency.
//! Source: docs/validation/memory.md (lmbench mhz agrees).
use crate::{
    bench::{self, Bench},
    probe::{About, Probe, Setting},
};
use record::{Better, Case, Metric, Reason, Series, Unit, param};

/// Dependent adds and multiplications per second.
#[derive(Debug)]
pub struct CoreFrequency;

impl Probe for CoreFrequency {
    fn about(&self) -> About {
        About { visits: 3, ..About::new(30, 1, "Core frequency") }
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        Ok(setting.per_kind(setting.depth.pick(0.5, 1.5, 3.0)))
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let cpu = case.place.cpus.first().ok_or_else(|| Reason::new("no CPU to run on"))?;
        let _pinned = bench.pin(cpu)?;
        let chains = ["add", "mul"];
        let mut cores = vec![];
        let mut all: Vec<Series> = vec![];
        for chain in chains {
            let core =
                bench::CoreFrequency::new(bench.clock, &bench.features, &format!("{chain}_chain"))?;
            cores.push(core);
            all.push(
                Series::new(Metric::Frequency, Unit::Hertz, Better::Higher).at(param::CHAIN, chain),
            );
        }
        let windows = bench.depth.pick(1000u32, 3000, 10_000);
        let mut watch = crate::bench::watcher();
        for window in 0..windows {
            for (core, series) in cores.iter().zip(&mut all) {
                crate::timing::Disturbance::begin(&mut watch);
                let hertz = core.window(bench.clock);
                let sample = series.samples.len() as u32;
                let why = crate::timing::Disturbance::end(&mut watch);
                series.disturbed.extend(
                    why.into_iter().map(|why| record::Disturbed { sample, why: why.into() }),
                );
                series.samples.push(hertz);
            }
            if window % 100 == 0 {
                bench.done(f64::from(window) / f64::from(windows));
                if bench.cancelled() {
                    break;
                }
            }
        }
        bench::still_on(Some(cpu))?;
        Ok(all)
    }
}
