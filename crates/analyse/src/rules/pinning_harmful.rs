//! A workload is faster unpinned than with each copy pinned to a CPU.
//!
//! Pinning avoids migrations, but the scheduler can no longer avoid interrupts, other programs and the processes that a
//! copy starts, which inherit its one CPU. The balance depends on the workload: published pairs of runs differ from 7 times
//! faster to 35 % slower. The finding is about the largest scaling point, beyond noise (95 %) and by more than 1 %. Where
//! it fires, no advice to pin applies to this workload. Source: UnixBench with one-to-one pinning and without, three runs
//! each.
use crate::rule::{Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::scaling_runs::{helps, times};

pub(crate) static RULE: Rule = Rule::new("A workload is slower pinned", &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gains = evidence.unpinned_gains()?;
    Ok(gains.into_iter().find(|(.., found)| helps(found)).map(|(scaling_run, gain, found)| Finding::new(
        format!(
            "Pinning harms {}: on {} it does {} as much unpinned as with each copy pinned to a CPU.",
            scaling_run.workload,
            gain.step,
            times(found)
        ),
        "Do not pin this workload to single CPUs. Bind it to a node, or not at all.",
        "cpulens scale --policy one-to-one,range,unpinned with more --repeats: not confirmed if the interval reaches below 1",
    ).of(&scaling_run.workload)))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let gains = evidence.unpinned_gains()?;
    let surely = gains.into_iter().map(|(.., found)| found).filter(|f| helps(f));
    let most = surely.max_by(|a, b| a.estimate.total_cmp(&b.estimate));
    let found = most.ok_or_else(no_figure)?.interval;
    // What it does pinned of what it would unpinned.
    Cost::on_scaling_run(1.0 / found.high, 1.0 / found.low)
}
