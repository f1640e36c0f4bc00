//! The hypervisor runs others while this machine wants to run.
//!
//! Steal is time in which a virtual CPU was ready and the host ran something else: the host is overcommitted or the
//! instance has used up its credits. Nothing inside the machine can mend it. Source: proc_stat(5).
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::percent;

/// Below 1 % medians hold and only tails show it.
const STEAL: f64 = 0.01;

pub(crate) static RULE: Rule = Rule {
    title: "The hypervisor takes CPU time away",
    demands: &[Demand::Cycles],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let found = evidence.estimate("preflight", "steal", &[])?;
    let steal = found.median;
    Ok((found.ends().0 > STEAL).then(|| Finding {
        claim: format!(
            "The hypervisor takes {} of the CPU time away to run others.",
            percent(steal)
        ),
        advice: "Move to an instance with dedicated CPUs or CPU credits left, or to another host."
            .into(),
        confirm_with: "vmstat 1: the column st stays 0".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let steal = evidence.estimate("preflight", "steal", &[])?;
    Cost::between(
        steal.min,
        steal.max,
        Sure::Measured,
        "The share of time that was taken while it was looked at.",
    )
}
