//! The machine moved too much between cases to be judged finely.
//!
//! A short fixed workload runs between the cases; where its frequency or its cache's latency moves by more than 5 %, so may have
//! everything else, and figures that were taken at different times differ for no reason of theirs. Findings stay what they are,
//! for each is beyond the noise of its own samples; small differences to another record are not. Source: the reference sample
//! (docs/method.md), whose beats stay within 1 to 2 % on quiet machines.
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
            "Between cases one and the same work moved by {}, so differences below that are not to be told from this record.",
            percent(moved)
        ),
        advice: "Measure again while nothing else runs, on your own machine with a fixed frequency, on a rented one on dedicated CPUs; and compare only what several records agree on.".into(),
        confirm_with: "cpulens run once more: the beats of the reference sample stay within 5 %".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let drift = evidence.drift()?;
    Err(Missing(Reason::new(format!(
        "it is a doubt about figures: what differs by less than {} cannot be told",
        percent(drift.frequency_range.max(drift.chase_range))
    ))))
}
