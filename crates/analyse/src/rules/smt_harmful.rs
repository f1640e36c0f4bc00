//! A workload does less with the sibling threads of its cores than without.
//!
//! Two threads of a core share its units and its caches. Most workloads gain from the second thread, by 2 to 90 % on one
//! and the same processor, since what it fills are the waits of the first; one that leaves no waits, or whose data then
//! no longer fits the caches, loses. The finding is of this workload alone. It fires where a step with siblings does less
//! beyond noise (95 %) and by more than 1 %. Source: published prime and point-select runs on one model of processor, with
//! a yield of 1.02 and of 1.9.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, climb};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::scaling_run::{harms, times};

/// See the file's header.
#[derive(Debug)]
pub struct SmtHarmful;

impl Rule for SmtHarmful {
    fn title(&self) -> &'static str {
        "A workload loses by sibling threads"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let gains = evidence.sibling_gains()?;
        let found = gains.iter().find(|(.., found)| harms(found));
        Ok(found.map(|(scaling_run, gain, found)| Finding {
            claim: format!(
                "Sibling threads harm {}: {} does {} what {} does.",
                scaling_run.workload,
                gain.step,
                times(found),
                gain.with
            ),
            advice: "Give this workload one thread a core (numactl -C, cpuset.cpus, or as many workers as cores). Other workloads may well gain, so SMT is not to be switched off for it.".into(),
            confirm_with: "cpulens scale with more --repeats: the interval stays below 1".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let all = evidence.sibling_gains()?;
        let worst = all.iter().map(|(.., found)| found).filter(|f| harms(f));
        let worst =
            worst.min_by(|a, b| a.estimate.total_cmp(&b.estimate)).ok_or_else(Missing::figure)?;
        Cost::on_ladder(worst.interval.low, worst.interval.high)
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "two threads of a core that do less than one",
                build: |r| {
                    climb(
                        r,
                        "one-to-one",
                        &[("1 core", 1, 1, 100.0, 1.0), ("SMT pair", 1, 2, 90.0, 2.0)],
                    )
                },
                expect: Expect::Fires,
            },
            Example {
                about: "two threads of a core that do a third more",
                build: |r| {
                    climb(
                        r,
                        "one-to-one",
                        &[("1 core", 1, 1, 100.0, 1.0), ("SMT pair", 1, 2, 133.0, 2.0)],
                    )
                },
                expect: Expect::Clear,
            },
            Example {
                about: "cores of one thread",
                build: |r| {
                    climb(
                        r,
                        "one-to-one",
                        &[("1 core", 1, 1, 100.0, 1.0), ("all cores", 2, 2, 199.0, 2.0)],
                    )
                },
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}
