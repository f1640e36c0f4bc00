//! The machine drifted too much between cases for small differences.
//!
//! The reference sample, a short fixed workload, runs between the cases. Where its frequency or cache latency moves by more
//! than 5 %, other figures may have moved as much, so figures measured at different times differ for no reason of their
//! own. Findings stay valid, because each is beyond the noise of its own samples. Small differences to another record do
//! not. Source: the reference sample (docs/method.md), which stays within 1 to 2 % on quiet machines.
use crate::cost::{Cost, Demand};
use crate::drift::RANGE;
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::percent;
use record::Reason;

pub(crate) static RULE: Rule = Rule {
    title: "The machine is too noisy for small differences",
    demands: Demand::ALL,
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let drift = evidence.drift()?;
    let moved = drift.frequency_range.max(drift.chase_range);
    Ok((moved > RANGE).then(|| Finding {
        claim: format!(
            "The reference sample moved by {} between cases, so this record shows no smaller differences.",
            percent(moved)
        ),
        advice: "Measure again while nothing else runs: with a fixed frequency on your own machine, with dedicated CPUs on a rented one. Compare only what several records agree on.".into(),
        confirm_with: "cpulens run again: the reference sample stays within 5 %".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let drift = evidence.drift()?;
    Err(Missing(Reason::new(format!(
        "it is about the validity of figures: differences below {} are not significant",
        percent(drift.frequency_range.max(drift.chase_range))
    ))))
}
