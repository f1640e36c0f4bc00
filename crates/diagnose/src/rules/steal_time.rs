//! The hypervisor runs other guests while this machine wants to run (steal time).
//!
//! Steal time is time in which a virtual CPU was ready and the host ran something else: the host is overcommitted, or the
//! instance has used its CPU credits. The guest cannot change it. Source: proc_stat(5).
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::words::percent;
use record::{Metric, ProbeId};

/// Below 1 % medians hold and only tails show it.
const STEAL: f64 = 0.01;

pub(crate) static RULE: Rule =
    Rule::new("The hypervisor steals CPU time", &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let found = evidence.estimate(ProbeId::Preflight, Metric::Steal)?;
    let steal = found.median;
    Ok((found.ends().0 > STEAL).then(|| {
        Finding::new(
            format!(
                "Steal time is {} of the CPU time: the hypervisor runs other guests.",
                percent(steal)
            ),
            "Move to an instance with dedicated CPUs or CPU credits left, or to another host.",
            "vmstat 1: not confirmed if the column st stays 0",
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let steal = evidence.estimate(ProbeId::Preflight, Metric::Steal)?;
    Cost::between(
        steal.min,
        steal.max,
        Confidence::Measured,
        "The share of steal time while it was sampled.",
    )
}
