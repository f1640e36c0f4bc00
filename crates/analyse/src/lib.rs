//! What follows from a record. Pure: the same record gives the same report on any machine, on any day.
#![deny(missing_docs)]

mod conclusions;
pub mod cost;
pub mod diagnosis;
mod evidence;
#[cfg(test)]
#[path = "../../estimates/src/example.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod place;
pub mod proof;
mod report;
mod rule;
pub mod rules;
pub mod whatif;

pub use comparison::{compare, equivalent, explain, nearest};
pub use estimates::{database, noise, program, unixbench};

use estimates::{
    bandwidth_scaling, cache_bandwidth, channels, curve, data_content, drift, environment,
    estimate, facts, loaded, matrix, memory_speed, numa, observed, operations, scaling_run,
    software, tlb, undisturbed_speed, words,
};

pub use bandwidth_scaling::{BandwidthScaling, BandwidthScalingPoint, Saturated};
pub use cache_bandwidth::{BandwidthCurve, BandwidthLevel, BandwidthPoint, Delivered};
pub use channels::Theoretical;
pub use curve::{Curve, CurvePoint, Level, Plateau, Served};
pub use data_content::ZeroGain;
pub use drift::Drift;
pub use estimate::{Estimate, State};
pub use loaded::{Loaded, LoadedPoint};
pub use matrix::{Cell, Class, Cluster, Matrix};
pub use numa::{Numa, NumaCell, Stated};
pub use operations::{Held, LoadedFrequency, Misprediction, Operation};
pub use report::Report;
pub use rule::{Finding, Rule, Verdict};
pub use scaling_run::{ByIpc, Gain, Limit, ScalingPoint, ScalingRun};
pub use tlb::{Backing, Tlb, TlbCost, TlbLevel};
pub use undisturbed_speed::{RunMode, Speed, UndisturbedSpeed};

pub use stats::Interval;

use evidence::Evidence;
use observed::Observed;
use record::{Judgement, Record};

/// Whether the machine was fit to be measured: what [`analyse`] says of it, without the rest.
pub fn judgement(record: &Record) -> Judgement {
    let (estimates, _) = estimates(record);
    let drift = drift::drift(record);
    environment::judge(&Observed { record, estimates: &estimates }, drift.as_ref())
}

/// Those of ours, and those that were imported: other tools' numbers are shown, but nothing is concluded from them, for their
/// definitions are not ours.
fn estimates(record: &Record) -> (Vec<Estimate>, Vec<Estimate>) {
    estimate::estimates(record)
        .into_iter()
        .partition(|e| record.runs.get(e.run).is_some_and(|r| r.origin.is_none()))
}

/// What each rule says of a record, by rule id, without the rest of its report.
pub fn verdicts(record: &Record) -> Vec<(&'static str, Verdict)> {
    let (estimates, _) = estimates(record);
    judged(Observed { record, estimates: &estimates })
}

fn judged(seen: Observed<'_>) -> Vec<(&'static str, Verdict)> {
    let evidence = Evidence::over(seen);
    rules::ALL.iter().map(|(id, rule)| (*id, rule.verdict(&evidence))).collect()
}

/// Everything that follows from a record.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = br#"{"schema": 1, "provenance": {"tool": "cpulens", "version": "0.1.0"},
///     "machine": {"facts": {}, "topology": {"cpus": [], "caches": [], "nodes": [], "dimms": []}}, "runs": []}"#;
/// let record = record::from_slice(bytes)?;
/// let report = analyse::analyse(&record);
/// assert!(report.estimates.is_empty());
/// assert!(report.judgement.reasons[0].why.starts_with("It is unknown"));
/// # Ok(())
/// # }
/// ```
pub fn analyse(record: &Record) -> Report<'_> {
    let (mut estimates, imported) = estimates(record);
    let curves = curve::curves(record, &estimates);
    let tlb = tlb::tlb(&Observed { record, estimates: &estimates }, &curves);
    let matrices = matrix::matrices(record, &estimates);
    let numa = numa::numa(record, &estimates);
    let loaded = loaded::loaded(record, &estimates);
    let drift = drift::drift(record);
    let seen = Observed { record, estimates: &estimates };
    let bandwidth_scalings = bandwidth_scaling::bandwidth_scalings(&seen);
    let scaling_runs = scaling_run::scaling_runs(&seen);
    let databases = database::databases(&seen);
    let judgement = environment::judge(&seen, drift.as_ref());
    let verdicts = judged(seen);
    let noise = noise::noise(&seen);
    let conclusions = conclusions::conclusions(&conclusions::Known {
        seen,
        curves: &curves,
        tlb: tlb.as_ref(),
        matrices: &matrices,
        bandwidth_scalings: &bandwidth_scalings,
        scaling_runs: &scaling_runs,
        databases: &databases,
        numa: numa.as_ref(),
        loaded: &loaded,
        noise: noise.as_ref(),
        judgement: &judgement,
        verdicts: &verdicts,
    });
    let (cache_bandwidth, zeros) = (cache_bandwidth::curves(&seen), data_content::gains(&seen));
    let theoretical = channels::theoretical(&seen);
    let operations = operations::operations(&seen);
    let mispredictions = operations::mispredictions(&seen);
    let loaded_frequencies = operations::loaded_frequencies(&seen);
    let unixbench = unixbench::unixbench(&seen);
    // After ours, whose places in the list others point at.
    estimates.extend(imported);
    Report {
        record,
        judgement,
        curves,
        tlb,
        matrices,
        cache_bandwidth,
        bandwidth_scalings,
        scaling_runs,
        databases,
        zeros,
        operations,
        mispredictions,
        loaded_frequencies,
        theoretical,
        numa,
        loaded,
        undisturbed_speeds: undisturbed_speed::undisturbed_speed(record),
        unixbench,
        noise,
        drift,
        verdicts,
        conclusions,
        references: vec![],
        nearest: vec![],
        estimates,
    }
}
