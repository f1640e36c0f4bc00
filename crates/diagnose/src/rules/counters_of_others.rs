//! Counters cover the whole machine and are read as those of one program.
//!
//! `perf stat -a` prints the cycles of all CPUs beside the time of one command. Their ratio is no program's IPC: on a
//! machine with many idle CPUs it is that of housekeeping. The rule fires where the cycles do not fit into the program's
//! CPU time at any frequency of the processor, or where the scope is stated. Such counts are excluded from comparisons.
//! Source: run time = instructions / (frequency x IPC); published IPCs of 0.43 and 0.92 that were system-wide, against 1.84
//! and 2.19 of the program alone.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;

pub(crate) static RULE: Rule =
    Rule::without_cost(say::COUNTERS, &Demand::ALL, check, say::VALIDITY_SLOWS_NONE, None);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let wrong = evidence.counts_of_others()?;
    Ok(wrong.map(|(name, why)| {
        Finding::new(say::counters_claim(&name, &why), say::COUNTERS_ADVICE, say::COUNTERS_CONFIRM)
    }))
}
