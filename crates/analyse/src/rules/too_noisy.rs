//! The machine moved too much between cases to be judged finely.
//!
//! A short fixed workload runs between the cases; where its frequency or its cache's latency moves by more than 5 %, so may have
//! everything else, and figures that were taken at different times differ for no reason of theirs. Findings stay what they are,
//! for each is beyond the noise of its own samples; small differences to another record are not. Source: the reference sample
//! (docs/method.md), whose beats stay within 1 to 2 % on quiet machines.
use crate::cost::{Cost, Demand};
use crate::drift::RANGE;
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::percent;
use record::{Reason, Record, ReferenceSample};

/// See the file's header.
#[derive(Debug)]
pub struct TooNoisy;

impl Rule for TooNoisy {
    fn title(&self) -> &'static str {
        "The machine is too noisy for small differences"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
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

    fn demands(&self) -> &'static [Demand] {
        Demand::ALL
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let drift = evidence.drift()?;
        Err(Missing(Reason::new(format!(
            "it is a doubt about figures: what differs by less than {} cannot be told",
            percent(drift.frequency_range.max(drift.chase_range))
        ))))
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a cache that takes a third longer at times",
                build: |r| beats(r, &[1.0, 1.3, 1.02]),
                expect: Expect::Fires,
            },
            Example {
                about: "within 2 %",
                build: |r| beats(r, &[1.0, 1.02, 1.01]),
                expect: Expect::Clear,
            },
            Example { about: "one beat", build: |r| beats(r, &[1.0]), expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

fn beats(record: &mut Record, chases: &[f64]) {
    record.reference_samples = chases
        .iter()
        .map(|chase| ReferenceSample {
            at: 0.0,
            cpu: 0,
            frequency: vec![3e9],
            chase: vec![chase * 1e-9],
        })
        .collect();
}
