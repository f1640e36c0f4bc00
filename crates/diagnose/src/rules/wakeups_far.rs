//! The scheduler places two communicating processes on different cores.
//!
//! A wake-up on another core costs more than the message: the cache line, the wake-up of an idle core and an interrupt.
//! Kernels decide by how many others a process wakes (`wake_wide`), so they treat many pairs at once as servers and spread
//! them. The rule fires where pairs that are pinned one to one switch far more often than unpinned ones, in all repeats.
//! Source: UnixBench's Pipe-based Context Switching, 6.9 times as often pinned, and 977 against 227 between two kernels.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::unixbench::PlacementGain;
use crate::words::number;

/// A smaller gain is not worth binding for.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule = Rule::new(say::WAKEUPS_TITLE, &[Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gain = gain(evidence)?;
    if gain.ratio < MORE || gain.apart != Some(true) {
        return Ok(None);
    }
    let against = match gain.against.0.as_str() {
        "none" => say::WAKEUPS_LEFT_TO_SCHEDULER,
        _ => say::WAKEUPS_IN_RANGE,
    };
    let (ratio, placement) = (number(gain.ratio), &gain.placement.0);
    Ok(Some(Finding::new(
        match gain.copies {
            0 => say::wakeups_claim(ratio, placement, against),
            n => say::wakeups_claim_copies(ratio, placement, against, n),
        },
        say::WAKEUPS_ADVICE,
        say::WAKEUPS_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let gain = gain(evidence)?;
    Cost::up_to(1.0 - 1.0 / gain.ratio, Confidence::Measured, say::WAKEUPS_COST)
}

/// The largest gain in switches by another placement.
fn gain<'a>(evidence: &'a Evidence<'_>) -> Result<&'a PlacementGain, Reason> {
    let all = evidence.unixbench()?.gains.iter();
    let gains = all.filter(|g| g.test.id == "context1" && g.apart.is_some());
    let most = gains.max_by(|a, b| a.ratio.total_cmp(&b.ratio)).or_why(
        say::WAKEUPS_MISSING,
        "cpulens unixbench context1 --placement none,one-to-one --repeats 3",
    )?;
    evidence.note(say::wakeups_read(number(most.ratio), &most.placement.0, &most.against.0));
    Ok(most)
}
