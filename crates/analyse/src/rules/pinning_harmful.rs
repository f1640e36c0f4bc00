//! A workload does more when the scheduler places it than when each copy is bound to a CPU.
//!
//! Binding spares migrations, and takes from the scheduler what it needs to go around interrupts, other programs and
//! processes that a copy starts, which inherit its one CPU. What is worth more depends on the workload: published pairs of
//! runs differ from 7 times faster to 35 % slower. The finding is of the largest step, beyond noise (95 %) and by more than
//! 1 %; where it fires no advice to bind holds for this workload. Source: UnixBench with one-to-one pinning and without,
//! three runs each.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::scaling_run::{helps, times};

pub(crate) static RULE: Rule = Rule {
    title: "A workload loses by being pinned",
    demands: Demand::ALL,
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let gains = evidence.unpinned_gains()?;
    Ok(gains.into_iter().find(|(.., found)| helps(found)).map(|(scaling_run, gain, found)| Finding {
        claim: format!(
            "Pinning harms {}: on {} it does {} as much unpinned as with a CPU for each copy.",
            scaling_run.workload,
            gain.step,
            times(found)
        ),
        advice: "Do not bind this workload to single CPUs; bind it to a node, or not at all.".into(),
        confirm_with: "cpulens scale --policy one-to-one,range,unpinned with more --repeats: the interval stays above 1".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let gains = evidence.unpinned_gains()?;
    let surely = gains.into_iter().map(|(.., found)| found).filter(|f| helps(f));
    let most = surely.max_by(|a, b| a.estimate.total_cmp(&b.estimate));
    let found = most.ok_or_else(Missing::figure)?.interval;
    // What it does pinned of what it would unpinned.
    Cost::on_ladder(1.0 / found.high, 1.0 / found.low)
}
