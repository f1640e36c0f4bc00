//! A workload does less with both SMT threads of its cores than with one.
//!
//! Two threads of a core share its execution units and caches. Most workloads gain from the second thread, by 2 to 90 % on
//! one and the same processor, because it fills the stalls of the first. A workload without stalls, or whose data then no
//! longer fit the caches, loses. The finding is about this workload alone. It fires where a scaling point with SMT does
//! less, beyond noise (95 %) and by more than 1 %. Source: published prime and point-select runs on one model of processor,
//! with a yield of 1.02 and of 1.9.
use crate::rule::{Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{times, worst};

pub(crate) static RULE: Rule = Rule::new(say::SMT_HARMFUL_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    Ok(worst(evidence.sibling_gains()?).map(|(scaling_run, gain, found)| {
        Finding::new(
            say::smt_harmful_claim(&scaling_run.workload, &gain.step, times(found), &gain.with),
            say::SMT_HARMFUL_ADVICE,
            say::SMT_HARMFUL_VERIFY,
        )
        .of(&scaling_run.workload)
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (.., found) = worst(evidence.sibling_gains()?).ok_or_else(no_figure)?;
    Cost::on_scaling_run(found.interval.low, found.interval.high)
}
