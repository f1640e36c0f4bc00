//! The scheduler puts two processes that talk to each other on different cores.
//!
//! When one wakes the other the line, the idle core's wake-up and an interrupt cost more than the message. Kernels decide by
//! how many others a process wakes (`wake_wide`), so many pairs at once look like servers and are spread. It is told where
//! pairs that are pinned one to one switch far more often than those left alone, all repeats apart. Source: UnixBench's
//! Pipe-based Context Switching, 6.9 times as often pinned, and 977 against 227 between two kernels.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, bench};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::unixbench::PlacementGain;
use crate::words::number;
use record::{Reason, Record};

/// A smaller gain is not worth binding for.
const MORE: f64 = 1.1;

/// See the file's header.
#[derive(Debug)]
pub struct WakeupsFar;

impl Rule for WakeupsFar {
    fn title(&self) -> &'static str {
        "Processes that talk to each other are put apart"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
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

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Kernel]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let gain = gain(evidence)?;
        Cost::between(
            0.0,
            1.0 - 1.0 / gain.ratio,
            Sure::Measured,
            "From nothing, for what seldom switches, to what the test loses, which does nothing but switch.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "pinned pairs switch nearly seven times as often",
                build: |r| pairs(r, &[1.36e6, 1.61e6, 1.37e6], &[9.97e6, 9.98e6, 9.96e6]),
                expect: Expect::Fires,
            },
            Example {
                about: "more often at times, and less at others: noise",
                build: |r| pairs(r, &[1.3e6, 1.6e6, 1.4e6], &[1.5e6, 1.9e6, 1.2e6]),
                expect: Expect::Clear,
            },
            Example {
                about: "one repeat of each cannot be told from noise",
                build: |r| pairs(r, &[1.3e6], &[9.9e6]),
                expect: Expect::CannotTell,
            },
            Example { about: "not run", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
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

/// A repeat for each score, of pairs in a range and pinned.
fn pairs(record: &mut Record, range: &[f64], pinned: &[f64]) {
    for (placement, scores) in [("range", range), ("one-to-one", pinned)] {
        for score in scores {
            bench(record, "context1", placement, 80, &[score * 10.0], 0.9);
        }
    }
}
