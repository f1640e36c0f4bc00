//! The core frequency: as fast as advertised, and steady.
use super::{Cause, Objection, others::cannot_tell, warn};
use crate::facts;
use crate::report::Report;
use crate::say;
use crate::words::{frequency, percent};
use record::{Metric, ProbeId};
use stats::Sample;

/// The add chain is exact to 0.1 %, and advertised frequencies are rounded to 1 to 2 %; a core 5 % below them is slowed.
pub const FREQUENCY_BELOW: f64 = 0.05;
/// p95 - p5 over the median, of [`WINDOWS`]. A steady frequency shows 0.4 %; at 3 % cycles cannot be had from times taken a
/// second apart.
const UNSTABLE: f64 = 0.03;
/// Windows of which the median counts, 1 ms together. An interrupt of the host slows one or two of them (in guests up to 15 %
/// of all windows); a frequency lasts for longer than these.
const WINDOWS: usize = 10;

pub(super) fn below(report: &Report<'_>) -> Option<Objection> {
    let measured = match report.median(ProbeId::CoreFrequency, Metric::Frequency) {
        Ok(hertz) => hertz,
        Err(why) => return Some(cannot_tell(say::HOW_FAST_CORE, &why)),
    };
    let cpu = report.record.runs.iter().find(|r| r.case.probe == ProbeId::CoreFrequency);
    let cpu = cpu.and_then(|r| r.case.place.cpus.first());
    let advertised = match facts::rated_frequencies(&report.record.machine, cpu) {
        Ok(frequencies) => frequencies,
        Err(why) => return Some(cannot_tell(say::CORE_AS_ADVERTISED, &why)),
    };
    let slow = facts::below(measured, &advertised, FREQUENCY_BELOW)?;
    let [at, rated] = [measured, slow.hertz].map(frequency);
    let below = percent(1.0 - measured / slow.hertz);
    let why = match slow.name {
        "base" => say::core_below_base(at, below, rated),
        _ => say::core_below_maximum(at, below, rated),
    };
    let (why, remedy) = match report.record.machine.text(facts::GOVERNOR) {
        Some(governor) if !facts::only_performance(governor) => {
            (say::and_governor(why, governor), say::SET_GOVERNOR)
        }
        _ => (why, say::LOOK_FOR_HEAT),
    };
    Some(warn(
        Cause::FrequencyBelowRated { measured, rated: slow.hertz, name: slow.name },
        why,
        remedy,
    ))
}

pub(super) fn unstable(report: &Report<'_>) -> Option<Objection> {
    let windows = report.samples(ProbeId::CoreFrequency, Metric::Frequency).ok()?;
    let values: Vec<f64> = windows.chunks(WINDOWS).filter_map(stats::median).collect();
    let sample = Sample::new(&values)?;
    let (low, high) = (sample.quantile(0.05), sample.quantile(0.95));
    let spread = sample.range().filter(|spread| *spread > UNSTABLE)?;
    Some(warn(
        Cause::FrequencyUnsteady { low, high },
        say::core_unsteady(frequency(low), frequency(high), percent(spread)),
        say::STEADY_GOVERNOR,
    ))
}
