//! A workload does more when each copy is bound to a CPU than when the scheduler places it.
//!
//! A migration leaves warm caches behind, and a scheduler that spreads load puts copies on one core's threads while others
//! idle. What binding is worth depends on the workload, so this is told of the measured one, where the largest step does less
//! unpinned beyond noise (95 %) and by more than 1 %. Where it is the other way round, `pinning_harmful` says so, and where
//! neither is beyond noise nothing is advised. Source: UnixBench with one-to-one pinning and without; a loop of a kernel module
//! on an idle machine, 5 % slower where it migrates.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::scaling_run::{harms, times};

pub(crate) static RULE: Rule = Rule {
    title: "A workload loses by not being pinned",
    demands: Demand::ALL,
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let gains = evidence.unpinned_gains()?;
    Ok(gains.into_iter().find(|(.., found)| harms(found)).map(|(scaling_run, gain, found)| {
        Finding {
            claim: format!(
                "On {} {} does {} as much unpinned as with a CPU for each copy.",
                gain.step,
                scaling_run.workload,
                times(found)
            ),
            advice: "Bind its copies: cpulens place says where, cpulens spread -- COMMAND does it."
                .into(),
            confirm_with:
                "cpulens spread --prove -- COMMAND: bound and unbound are the same within noise"
                    .into(),
        }
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let gains = evidence.unpinned_gains()?;
    let (.., found) =
        gains.into_iter().find(|(.., found)| harms(found)).ok_or_else(Missing::figure)?;
    Cost::on_ladder(found.interval.low, found.interval.high)
}
