//! SMT adds nothing to a workload.
//!
//! On one and the same processor a second thread of a core added 2 to 4 % to a loop of divisions and 50 to 90 % to a
//! database, so this is a property of a workload and not of a processor. The rule fires where the whole interval (95 %) of
//! the gain is below 6 %: the workload needs no more threads than cores. `smt_harmful` reports losses. Source: published
//! prime and point-select runs on Zen 1, 1.02 to 1.04 and 1.47 to 1.90.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::scaling_runs::{harms, times};

/// A gain that is surely less than this is next to nothing.
const NOTHING: f64 = 1.06;

pub(crate) static RULE: Rule = Rule::without_cost(
    "SMT adds nothing to a workload",
    &[Demand::Cycles],
    check,
    "a thread that adds nothing costs no throughput; it costs money where CPUs are paid by threads",
    None,
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gains = evidence.sibling_gains()?;
    let found = gains.iter().find(|(.., found)| found.interval.high < NOTHING && !harms(found));
    Ok(found.map(|(scaling_run, gain, found)| Finding::new(
        format!(
            "SMT adds nothing to {}: {} does {} what {} does.",
            scaling_run.workload,
            gain.step,
            times(found),
            gain.with
        ),
        "Run as many workers as cores, one thread of each. Other workloads gain from SMT, so measure a scaling run of each.",
        "cpulens scale with more --repeats: not confirmed if the interval reaches above 1.06",
    ).of(&scaling_run.workload)))
}
