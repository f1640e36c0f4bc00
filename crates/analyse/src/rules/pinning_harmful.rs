//! A workload does more when the scheduler places it than when each copy is bound to a CPU.
//!
//! Binding spares migrations, and takes from the scheduler what it needs to go around interrupts, other programs and
//! processes that a copy starts, which inherit its one CPU. What is worth more depends on the workload: published pairs of
//! runs differ from 7 times faster to 35 % slower. The finding is of the largest step, beyond noise (95 %) and by more than
//! 1 %; where it fires no advice to bind holds for this workload. Source: UnixBench with one-to-one pinning and without,
//! three runs each.
use crate::cost::Cost;
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, climb};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::scaling_run::{helps, times};

/// See the file's header.
#[derive(Debug)]
pub struct PinningHarmful;

impl Rule for PinningHarmful {
    fn title(&self) -> &'static str {
        "A workload loses by being pinned"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let gains = evidence.unpinned_gains()?;
        Ok(gains.into_iter().find(|(.., found)| helps(found)).map(|(scaling_run, gain, found)| Finding {
            claim: format!(
                "Pinning harms {}: on {} it does {} as much unpinned as with a CPU for each copy.",
                scaling_run.workload,
                gain.step,
                times(found)
            ),
            advice: "Do not bind this workload to single CPUs; bind it to a node, or not at all.".into(),
            confirm_with: "cpulens scale --policy one-to-one,range,unpinned with more --repeats: the interval stays above 1".into(),
        }))
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let gains = evidence.unpinned_gains()?;
        let surely = gains.into_iter().map(|(.., found)| found).filter(|f| helps(f));
        let most = surely.max_by(|a, b| a.estimate.total_cmp(&b.estimate));
        let found = most.ok_or_else(Missing::figure)?.interval;
        // What it does pinned of what it would unpinned.
        Cost::on_ladder(1.0 / found.high, 1.0 / found.low)
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a script that starts programs, which all share its CPU",
                build: |r| {
                    climb(r, "one-to-one", &[("all cores", 4, 4, 100.0, 3.0)]);
                    climb(r, "unpinned", &[("all cores", 4, 4, 135.0, 4.0)]);
                },
                expect: Expect::Fires,
            },
            Example {
                about: "copies that migrate when nobody holds them",
                build: |r| {
                    climb(r, "one-to-one", &[("all cores", 4, 4, 100.0, 4.0)]);
                    climb(r, "unpinned", &[("all cores", 4, 4, 93.0, 4.0)]);
                },
                expect: Expect::Clear,
            },
            Example {
                about: "pinned only",
                build: |r| climb(r, "one-to-one", &[("all cores", 4, 4, 100.0, 4.0)]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}
