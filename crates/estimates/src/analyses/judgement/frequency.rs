//! The core frequency: as fast as advertised, and steady.
use super::{Cause, Objection, others::cannot_tell, warn};
use crate::facts;
use crate::report::Report;
use crate::words::{frequency, percent};
use record::{Metric, ProbeId};
use stats::Sample;

/// The add chain is exact to 0.1 %, and advertised frequencies are rounded to 1 to 2 %; a core 5 % below them is slowed.
pub const FREQUENCY_BELOW: f64 = 0.05;
/// p95 - p5 over the median. A steady frequency shows 0.4 % over windows of 50 us; at 3 % cycles cannot be had from
/// times taken a second apart.
const UNSTABLE: f64 = 0.03;

pub(super) fn below(report: &Report<'_>) -> Option<Objection> {
    let measured = match report.median(ProbeId::CoreFrequency, Metric::Frequency) {
        Ok(hertz) => hertz,
        Err(why) => return Some(cannot_tell("how fast the core ran", &why)),
    };
    let cpu = report.record.runs.iter().find(|r| r.case.probe == ProbeId::CoreFrequency);
    let cpu = cpu.and_then(|r| r.case.place.cpus.first());
    let advertised = match facts::rated_frequencies(&report.record.machine, cpu) {
        Ok(frequencies) => frequencies,
        Err(why) => return Some(cannot_tell("whether the core ran as fast as advertised", &why)),
    };
    let slow = facts::below(measured, &advertised, FREQUENCY_BELOW)?;
    let (why, remedy) = match report.record.machine.text(facts::GOVERNOR) {
        Some(governor) if !facts::only_performance(governor) => (
            format!("; the frequency governor is '{governor}'"),
            "sudo cpupower frequency-set -g performance, then measure again".to_owned(),
        ),
        _ => (
            String::new(),
            "look for heat, a power limit, or a full machine: sudo turbostat shows the frequency and why it is held back".to_owned(),
        ),
    };
    Some(warn(
        Cause::FrequencyBelowRated { measured, rated: slow.hertz, name: slow.name },
        format!(
            "The core ran at {}, {} below its {} frequency of {}{why}",
            frequency(measured),
            percent(1.0 - measured / slow.hertz),
            slow.name,
            frequency(slow.hertz)
        ),
        remedy,
    ))
}

pub(super) fn unstable(report: &Report<'_>) -> Option<Objection> {
    let values = report.samples(ProbeId::CoreFrequency, Metric::Frequency).unwrap_or_else(|_| {
        report.record.reference_samples.iter().flat_map(|b| b.frequency.clone()).collect()
    });
    let sample = Sample::new(&values)?;
    let (low, high) = (sample.quantile(0.05), sample.quantile(0.95));
    let spread = (high - low) / sample.median();
    if spread <= UNSTABLE || !spread.is_finite() {
        return None;
    }
    Some(warn(
        Cause::FrequencyUnsteady { low, high },
        format!(
            "The core frequency was not steady: 90 % of its windows lie between {} and {}, {} apart",
            frequency(low),
            frequency(high),
            percent(spread)
        ),
        "measure while nothing else runs; on your own machine, sudo cpupower frequency-set -g performance",
    ))
}
