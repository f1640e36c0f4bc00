//! A workload is faster with each copy pinned to a CPU than unpinned.
//!
//! A migration loses warm caches, and a scheduler that balances load puts copies on both threads of a core while other
//! cores idle. The benefit of pinning depends on the workload, so the finding is about the measured one. It fires where the
//! largest scaling point does less unpinned, beyond noise (95 %) and by more than 1 %. `pinning_harmful` is the opposite;
//! where neither is beyond noise there is no advice. Source: UnixBench with one-to-one pinning and without; a loop of a
//! kernel module on an idle machine, 5 % slower where it migrates.
use crate::rule::{Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{times, worst};

pub(crate) static RULE: Rule = Rule::new(say::MIGRATIONS_TITLE, &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    Ok(worst(evidence.unpinned_gains()?).map(|(scaling_run, gain, found)| {
        Finding::new(
            say::migrations_claim(&scaling_run.workload, &gain.step, times(found)),
            say::MIGRATIONS_ADVICE,
            say::MIGRATIONS_VERIFY,
        )
        .of(&scaling_run.workload)
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (.., found) = worst(evidence.unpinned_gains()?).ok_or_else(no_figure)?;
    Cost::on_scaling_run(found.interval.low, found.interval.high)
}
