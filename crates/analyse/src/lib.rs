//! Placement, conclusions and the summary. Pure: the same record gives the same report on any machine, on any day.
#![deny(missing_docs)]

mod analyses;
#[cfg(test)]
#[path = "../../estimates/tests/example/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod paired;
pub mod place;
mod say {
    i18n::messages!("analyse");
}
pub mod summary;

pub use analyses::conclusions::Conclusions;
pub use analyses::nearest::Nearest;
pub use analyses::peers::Peers;
pub use benchmarks::analyses::{databases, noise, references, unixbench};
pub use benchmarks::program;
pub use benchmarks::quantities::{Grade, copies};
pub use comparison::{aa, compare, equivalent, explain, nearest};
pub use diagnose::{Finding, Rule, RuleVerdict, Verdict, Verdicts};
pub use diagnose::{cost, diagnosis, proof, rules, whatif};
pub use estimates::analyses::expected;
pub use estimates::groups::by_key;
pub use estimates::unit_of_tool::{UnitOfTool, unit_of_tool};
pub use estimates::verified::verified;
pub use estimates::{quantity, words};

use benchmarks::analyses::scaling_runs;
use estimates::analyses::{
    bandwidth_scalings, cache_bandwidth, curves, drift, energy, loaded, loaded_frequencies,
    matrices, mispredictions, numa, operations, shared_core, theoretical, tlb, undisturbed_speeds,
    zeros,
};
use estimates::{analysis, estimate, facts, report};

pub use bandwidth_scalings::{BandwidthScaling, BandwidthScalingPoint, Saturated};
pub use cache_bandwidth::{BandwidthCurve, BandwidthLevel, BandwidthPoint, Delivered};
pub use curves::{Curve, CurvePoint, Level, Plateau, Served};
pub use drift::{Drift, Moved, Resource, placed, placement};
pub use energy::{CaseEnergy, PerOperation};
pub use estimate::{Estimate, State};
pub use expected::AsExpected;
pub use loaded::{Loaded, LoadedPoint};
pub use loaded_frequencies::{Held, LoadedFrequency};
pub use matrices::{Cell, Class, Cluster, Matrix};
pub use mispredictions::Misprediction;
pub use numa::{Numa, NumaCell, Stated};
pub use operations::Operation;
pub use report::Report;
pub use scaling_runs::{ByIpc, Gain, Limit, ScalingPoint, ScalingRun, ScalingRuns};
pub use theoretical::{Theoretical, filled_channels};
pub use tlb::{Backing, Tlb, TlbCost, TlbLevel};
pub use undisturbed_speeds::{RunMode, Speed, UndisturbedSpeed};
pub use zeros::ZeroGain;

pub use stats::Interval;

use record::Record;

/// Everything that follows from a record, each part computed when it is asked for.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = br#"{"schema": 1, "provenance": {"tool": "cpulens", "version": "0.1.0"},
///     "machine": {"facts": {}, "topology": {"cpus": [], "caches": [], "nodes": [], "dimms": []}}, "runs": []}"#;
/// let record = record::from_slice(bytes)?;
/// let report = analyse::analyse(&record);
/// assert!(report.estimates.is_empty());
/// let judgement = report.get::<record::Judgement>();
/// assert!(judgement.reasons[0].why.starts_with("It is unknown"));
/// # Ok(())
/// # }
/// ```
pub fn analyse(record: &Record) -> Report<'_> {
    Report::new(record)
}

/// Every analysis and its id, in the order of a report.
pub fn analyses() -> Vec<(&'static str, &'static analysis::Entry)> {
    analysis::in_order(&[
        estimates::analyses::ALL,
        benchmarks::analyses::ALL,
        diagnose::analyses::ALL,
        analyses::ALL,
    ])
}
