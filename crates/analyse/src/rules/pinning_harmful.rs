//! A workload does more when the scheduler places it than when each copy is bound to a CPU.
//!
//! Binding spares migrations, and takes from the scheduler what it needs to go around interrupts, other programs and
//! processes that a copy starts, which inherit its one CPU. What is worth more depends on the workload: published pairs of
//! runs differ from 7 times faster to 35 % slower. The finding is of the largest step, beyond noise (95 %) and by more than
//! 1 %; where it fires no advice to bind holds for this workload. Source: UnixBench with one-to-one pinning and without,
//! three runs each.
use crate::cost::{Cost, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, climb};
use crate::ladder::{WORTH, known, times};
use crate::report::Finding;
use crate::rule::Rule;
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct PinningHarmful;

impl Rule for PinningHarmful {
    fn title(&self) -> &'static str {
        "A workload loses by being pinned"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let ladders = evidence.ladders()?;
        let gains = ladders.iter().filter_map(|l| l.unpinned.last().map(|g| (l, g)));
        let none = || {
            Reason::mended_by(
                "no ladder was climbed both pinned and unpinned",
                "cpulens scale --policy one-to-one,unpinned",
            )
        };
        let gains = known(gains).map_err(|why| Missing(why.unwrap_or_else(none)))?;
        for (ladder, gain, found) in gains {
            let ratio = times(found);
            evidence
                .noted(format!("{}: {ratio} as much unpinned on {}", ladder.workload, gain.step));
            if found.distinguishable && found.estimate > 1.0 + WORTH {
                return Ok(Some(Finding {
                    claim: format!("Pinning harms {}: on {} it does {ratio} as much unpinned as with a CPU for each copy.", ladder.workload, gain.step),
                    advice: "Do not bind this workload to single CPUs; bind it to a node, or not at all.".into(),
                    confirm_with: "cpulens scale --policy one-to-one,range,unpinned with more --repeats: the interval stays above 1".into(),
                }));
            }
        }
        Ok(None)
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let ladders = evidence.ladders()?;
        let gains = ladders.iter().filter_map(|l| l.unpinned.last().map(|g| (l, g)));
        let all = known(gains).map_err(|why| why.map_or_else(Missing::figure, Missing))?;
        let worst = all.iter().map(|(.., found)| found).filter(|f| f.distinguishable);
        let worst =
            worst.max_by(|a, b| a.estimate.total_cmp(&b.estimate)).ok_or_else(Missing::figure)?;
        let (low, high) = (1.0 - 1.0 / worst.interval.low, 1.0 - 1.0 / worst.interval.high);
        Cost::between(
            low,
            high,
            Sure::Measured,
            "The interval (95 %) of this workload's loss on the ladder.",
        )
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
