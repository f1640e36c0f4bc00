//! A workload does less with both SMT threads of its cores than with one.
//!
//! Two threads of a core share its execution units and caches. Most workloads gain from the second thread, by 2 to 90 % on
//! one and the same processor, because it fills the stalls of the first. A workload without stalls, or whose data then no
//! longer fit the caches, loses. The finding is about this workload alone. It fires where a scaling point with SMT does
//! less, beyond noise (95 %) and by more than 1 %. Source: published prime and point-select runs on one model of processor,
//! with a yield of 1.02 and of 1.9.
use crate::rule::{Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::scaling_runs::{times, worst};

pub(crate) static RULE: Rule =
    Rule::new("SMT slows a workload down", &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    Ok(worst(evidence.sibling_gains()?).map(|(scaling_run, gain, found)| Finding::new(
        format!(
            "SMT harms {}: {} does {} what {} does.",
            scaling_run.workload,
            gain.step,
            times(found),
            gain.with
        ),
        "Give this workload one thread per core (numactl -C, cpuset.cpus, or as many workers as cores). Other workloads may gain, so do not switch SMT off for it.",
        "cpulens scale with more --repeats: not confirmed if the interval reaches above 1",
    ).of(&scaling_run.workload)))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (.., found) = worst(evidence.sibling_gains()?).ok_or_else(no_figure)?;
    Cost::on_scaling_run(found.interval.low, found.interval.high)
}
