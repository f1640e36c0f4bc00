//! Sibling threads add nothing to a workload.
//!
//! On one and the same processor a second thread of a core added 2 to 4 % to a loop of divisions and 50 to 90 % to a database,
//! so this is said of a workload and never of a processor. It is told where the whole interval (95 %) of the gain lies below
//! 5 %: such a workload needs no more threads than cores, and nothing is gained by paying for threads. A loss is another
//! rule's (`smt_harmful`). Source: published prime and point-select runs on Zen 1, 1.02 to 1.04 and 1.47 to 1.90.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, climb};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::scaling_run::{harms, times};
use record::Reason;

/// A gain that is surely less than this is next to nothing.
const NOTHING: f64 = 1.05;

/// See the file's header.
#[derive(Debug)]
pub struct SmtUseless;

impl Rule for SmtUseless {
    fn title(&self) -> &'static str {
        "Sibling threads add nothing to a workload"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let gains = evidence.sibling_gains()?;
        let found = gains.iter().find(|(.., found)| found.interval.high < NOTHING && !harms(found));
        Ok(found.map(|(scaling_run, gain, found)| Finding {
            claim: format!(
                "Sibling threads add nothing to {}: {} does {} what {} does.",
                scaling_run.workload,
                gain.step,
                times(found),
                gain.with
            ),
            advice: "Size this workload by cores: as many workers as cores, one thread of each. Other workloads gain by the second thread, so judge each by its own scaling run.".into(),
            confirm_with: "cpulens scale with more --repeats: the interval reaches above 1.05".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, _: &Evidence<'_>) -> Result<Cost, Missing> {
        Err(Missing(Reason::new(
            "a thread that adds nothing takes nothing either: it costs what is paid for CPUs that are counted by threads",
        )))
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "divisions: 2 % more with both threads",
                build: |r| pair(r, 102.0),
                expect: Expect::Fires,
            },
            Example {
                about: "a database: 62 % more",
                build: |r| pair(r, 162.0),
                expect: Expect::Clear,
            },
            Example {
                about: "a loss, which is another matter",
                build: |r| pair(r, 90.0),
                expect: Expect::Clear,
            },
            Example {
                about: "cores of one thread",
                build: |r| climb(r, "one-to-one", &[("1 core", 1, 1, 100.0, 1.0)]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}

fn pair(record: &mut record::Record, both: f64) {
    climb(record, "one-to-one", &[("1 core", 1, 1, 100.0, 1.0), ("SMT pair", 1, 2, both, 2.0)]);
}
