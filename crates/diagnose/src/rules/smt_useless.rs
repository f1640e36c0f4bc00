//! SMT adds nothing to a workload.
//!
//! On one and the same processor a second thread of a core added 2 to 4 % to a loop of divisions and 50 to 90 % to a
//! database, so this is a property of a workload and not of a processor. The rule fires where the whole interval (95 %) of
//! the gain is below 6 %: the workload needs no more threads than cores. `smt_harmful` reports losses. Source: published
//! prime and point-select runs on Zen 1, 1.02 to 1.04 and 1.47 to 1.90.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::scaling_runs::{harms, times};

/// A gain that is surely less than this is next to nothing.
const NOTHING: f64 = 1.06;

pub(crate) static RULE: Rule = Rule::without_cost(
    say::SMT_USELESS_TITLE,
    &[Demand::Cycles],
    check,
    say::SMT_USELESS_COST,
    None,
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gains = evidence.sibling_gains()?;
    let found = gains.iter().find(|(.., found)| found.interval.high < NOTHING && !harms(found));
    Ok(found.map(|(scaling_run, gain, found)| {
        Finding::new(
            say::smt_useless_claim(&scaling_run.workload, &gain.step, times(found), &gain.with),
            say::SMT_USELESS_ADVICE,
            say::SMT_USELESS_VERIFY,
        )
        .of(&scaling_run.workload)
    }))
}
