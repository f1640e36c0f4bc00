//! The scheduler puts two processes that talk to each other on different cores.
//!
//! When one wakes the other the line, the idle core's wake-up and an interrupt cost more than the message. Kernels decide by
//! how many others a process wakes (`wake_wide`), so many pairs at once look like servers and are spread. It is told where
//! pairs that are pinned one to one switch far more often than those left alone, all repeats apart. Source: UnixBench's
//! Pipe-based Context Switching, 6.9 times as often pinned, and 977 against 227 between two kernels.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::unixbench::PlacementGain;
use crate::words::number;
use record::Reason;

/// A smaller gain is not worth binding for.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule = Rule {
    title: "Processes that talk to each other are put apart",
    demands: &[Demand::Kernel],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let gain = gain(evidence)?;
    if gain.ratio < MORE || gain.apart != Some(true) {
        return Ok(None);
    }
    Ok(Some(Finding {
        claim: format!(
            "Two processes that wake each other switch {} times as often pinned {} as {} ({} copies): the scheduler puts them on different cores.",
            number(gain.ratio),
            gain.placement.0,
            match gain.against.0.as_str() {
                "none" => "left to the scheduler",
                _ => "anywhere in a range",
            },
            gain.copies
        ),
        advice: "Put both ends of a busy pipe or socket on one core or its sibling (taskset, cpuset.cpus), or in one process; measure the program itself first, for those that fork lose by it.".into(),
        confirm_with: "cpulens unixbench context1 --placement none,one-to-one with more repeats: both are the same".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let gain = gain(evidence)?;
    Cost::between(
        0.0,
        1.0 - 1.0 / gain.ratio,
        Sure::Measured,
        "From nothing, for what seldom switches, to what the test loses, which does nothing but switch.",
    )
}

/// What another placement gains in switches, the largest.
fn gain(evidence: &Evidence<'_>) -> Result<PlacementGain, Missing> {
    let all = evidence.unixbench()?.gains;
    let told = all.into_iter().filter(|g| g.test.id == "context1" && g.apart.is_some());
    let most = told.max_by(|a, b| a.ratio.total_cmp(&b.ratio)).ok_or_else(|| {
        Missing(Reason::mended_by(
            "context switches were not measured in two placements, twice each or more",
            "cpulens unixbench context1 --placement none,one-to-one --repeats 3",
        ))
    })?;
    evidence.noted(format!(
        "context1: {} times {} over {}",
        number(most.ratio),
        most.placement.0,
        most.against.0
    ));
    Ok(most)
}
