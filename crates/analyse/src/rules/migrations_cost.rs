//! A workload does more when each copy is bound to a CPU than when the scheduler places it.
//!
//! A migration leaves warm caches behind, and a scheduler that spreads load puts copies on one core's threads while others
//! idle. What binding is worth depends on the workload, so this is told of the measured one, where the largest step does less
//! unpinned beyond noise (95 %) and by more than 1 %. Where it is the other way round, `pinning_harmful` says so, and where
//! neither is beyond noise nothing is advised. Source: UnixBench with one-to-one pinning and without; a loop of a kernel module
//! on an idle machine, 5 % slower where it migrates.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, climb};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::scaling_run::{harms, times};

/// See the file's header.
#[derive(Debug)]
pub struct MigrationsCost;

impl Rule for MigrationsCost {
    fn title(&self) -> &'static str {
        "A workload loses by not being pinned"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let gains = evidence.unpinned_gains()?;
        Ok(gains.into_iter().find(|(.., found)| harms(found)).map(|(scaling_run, gain, found)| {
            Finding {
                claim: format!(
                    "On {} {} does {} as much unpinned as with a CPU for each copy.",
                    gain.step,
                    scaling_run.workload,
                    times(found)
                ),
                advice:
                    "Bind its copies: cpulens place says where, cpulens spread -- COMMAND does it."
                        .into(),
                confirm_with:
                    "cpulens spread --prove -- COMMAND: bound and unbound are the same within noise"
                        .into(),
            }
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        Demand::ALL
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let gains = evidence.unpinned_gains()?;
        let (.., found) =
            gains.into_iter().find(|(.., found)| harms(found)).ok_or_else(Missing::figure)?;
        Cost::on_ladder(found.interval.low, found.interval.high)
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "copies that migrate do 7 % less",
                build: |r| both(r, 93.0),
                expect: Expect::Fires,
            },
            Example {
                about: "the scheduler places them as well",
                build: |r| both(r, 100.0),
                expect: Expect::Clear,
            },
            Example {
                about: "the scheduler places them better",
                build: |r| both(r, 109.0),
                expect: Expect::Clear,
            },
            Example {
                about: "unpinned only",
                build: |r| climb(r, "unpinned", &[("all cores", 4, 4, 100.0, 4.0)]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}

fn both(record: &mut record::Record, unpinned: f64) {
    climb(record, "one-to-one", &[("all cores", 4, 4, 100.0, 4.0)]);
    climb(record, "unpinned", &[("all cores", 4, 4, unpinned, 4.0)]);
}
