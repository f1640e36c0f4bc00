//! The scheduler places two communicating processes on different cores.
//!
//! A wake-up on another core costs more than the message: the cache line, the wake-up of an idle core and an interrupt.
//! Kernels decide by how many others a process wakes (`wake_wide`), so they treat many pairs at once as servers and spread
//! them. The rule fires where pairs that are pinned one to one switch far more often than unpinned ones, in all repeats.
//! Source: UnixBench's Pipe-based Context Switching, 6.9 times as often pinned, and 977 against 227 between two kernels.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::unixbench::PlacementGain;
use crate::words::number;

/// A smaller gain is not worth binding for.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule =
    Rule::new("Communicating processes run on different cores", &[Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gain = gain(evidence)?;
    if gain.ratio < MORE || gain.apart != Some(true) {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        format!(
            "Two processes that wake each other switch {} times as often pinned {} as {}{}. The scheduler puts them on different cores.",
            number(gain.ratio),
            gain.placement.0,
            match gain.against.0.as_str() {
                "none" => "left to the scheduler",
                _ => "anywhere in a range",
            },
            match gain.copies {
                0 => String::new(),
                n => format!(" ({n} copies)"),
            }
        ),
        "Put both ends of a busy pipe or socket on one core or its sibling (taskset, cpuset.cpus), or in one process. Measure the program first: programs that fork lose by pinning.",
        "cpulens unixbench context1 --placement none,one-to-one with more repeats: not confirmed if the difference is not significant",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let gain = gain(evidence)?;
    Cost::up_to(
        1.0 - 1.0 / gain.ratio,
        Confidence::Measured,
        "From nothing, for a program that seldom switches, to the loss of the test, which does nothing else.",
    )
}

/// The largest gain in switches by another placement.
fn gain<'a>(evidence: &'a Evidence<'_>) -> Result<&'a PlacementGain, Reason> {
    let all = evidence.unixbench()?.gains.iter();
    let gains = all.filter(|g| g.test.id == "context1" && g.apart.is_some());
    let most = gains.max_by(|a, b| a.ratio.total_cmp(&b.ratio)).or_why(
        "context switches were not measured in two placements, twice each or more",
        "cpulens unixbench context1 --placement none,one-to-one --repeats 3",
    )?;
    evidence.note(format!(
        "context1: {} times {} over {}",
        number(most.ratio),
        most.placement.0,
        most.against.0
    ));
    Ok(most)
}
