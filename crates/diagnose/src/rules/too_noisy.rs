//! The machine drifted too much between cases for small differences.
//!
//! The reference sample, a short fixed workload, runs between the cases. It watches the core's frequency, its operations per
//! cycle and its L2 latency (limit 5 %), the L3 latency (30 %) and the memory latency (10 %). Where one moves further, the
//! figures that rest on it may have moved as much, so those measured at different times differ for no reason of their own.
//! Findings stay valid, because each is beyond the noise of its own samples. Small differences to another record do not.
//! Source: the reference sample (docs/method.md), which stays within 1 to 2 % on quiet machines.
use crate::rule::{Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::percent;

pub(crate) static RULE: Rule = Rule::new(say::NOISY_TITLE, &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let drift = evidence.drift()?;
    Ok(drift.furthest().filter(|moved| moved.too_far()).map(|moved| {
        Finding::new(
            say::noisy_claim(moved.resource.name(), percent(moved.range)),
            say::NOISY_ADVICE,
            say::NOISY_VERIFY,
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let drift = evidence.drift()?;
    Err(Reason::new(say::noisy_cost(percent(drift.furthest().map_or(0.0, |moved| moved.range)))))
}
