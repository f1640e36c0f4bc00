//! A workload does less with the sibling threads of its cores than without.
//!
//! Two threads of a core share its units and its caches. Most workloads gain from the second thread, by 2 to 90 % on one
//! and the same processor, since what it fills are the waits of the first; one that leaves no waits, or whose data then
//! no longer fits the caches, loses. The finding is of this workload alone. It fires where a step with siblings does less
//! beyond noise (95 %) and by more than 1 %. Source: published prime and point-select runs on one model of processor, with
//! a yield of 1.02 and of 1.9.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::scaling_run::{harms, times};

pub(crate) static RULE: Rule = Rule {
    title: "A workload loses by sibling threads",
    demands: &[Demand::Cycles],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let gains = evidence.sibling_gains()?;
    let found = gains.iter().find(|(.., found)| harms(found));
    Ok(found.map(|(scaling_run, gain, found)| Finding {
        claim: format!(
            "Sibling threads harm {}: {} does {} what {} does.",
            scaling_run.workload,
            gain.step,
            times(found),
            gain.with
        ),
        advice: "Give this workload one thread a core (numactl -C, cpuset.cpus, or as many workers as cores). Other workloads may well gain, so SMT is not to be switched off for it.".into(),
        confirm_with: "cpulens scale with more --repeats: the interval stays below 1".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let all = evidence.sibling_gains()?;
    let worst = all.iter().map(|(.., found)| found).filter(|f| harms(f));
    let worst =
        worst.min_by(|a, b| a.estimate.total_cmp(&b.estimate)).ok_or_else(Missing::figure)?;
    Cost::on_ladder(worst.interval.low, worst.interval.high)
}
