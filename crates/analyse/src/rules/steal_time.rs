//! The hypervisor runs others while this machine wants to run.
//!
//! Steal is time in which a virtual CPU was ready and the host ran something else: the host is overcommitted or the
//! instance has used up its credits. Nothing inside the machine can mend it. Source: proc_stat(5).
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::percent;
use record::{Better, Record, Series, Unit};

/// Below 1 % medians hold and only tails show it.
const STEAL: f64 = 0.01;

/// See the file's header.
#[derive(Debug)]
pub struct StealTime;

impl Rule for StealTime {
    fn title(&self) -> &'static str {
        "The hypervisor takes CPU time away"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let found = evidence.estimate("preflight", "steal", &[])?;
        let steal = found.median;
        Ok((found.ends().0 > STEAL).then(|| Finding {
            claim: format!(
                "The hypervisor takes {} of the CPU time away to run others.",
                percent(steal)
            ),
            advice:
                "Move to an instance with dedicated CPUs or CPU credits left, or to another host."
                    .into(),
            confirm_with: "vmstat 1: the column st stays 0".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let steal = evidence.estimate("preflight", "steal", &[])?;
        Cost::between(
            steal.min,
            steal.max,
            Sure::Measured,
            "The share of time that was taken while it was looked at.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example { about: "12 % stolen", build: |r| steal(r, 0.12), expect: Expect::Fires },
            Example { about: "nothing stolen", build: |r| steal(r, 0.0), expect: Expect::Clear },
            Example { about: "not looked at", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

fn steal(record: &mut Record, share: f64) {
    let mut series = Series::new("steal", Unit::Ratio, Better::Lower);
    series.samples = vec![share; 3];
    measured(record, "preflight", &[], vec![series]);
}
