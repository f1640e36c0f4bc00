//! Transparent huge pages are switched off.
//!
//! Every random access beyond the reach of the TLB then pays for a page walk, and programs that ask for huge pages
//! with `madvise` are refused without notice. `madvise` is a setting that gives them to those who ask and to nobody
//! else. Source: Linux, Documentation/admin-guide/mm/transhuge.rst.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect};
use crate::facts::{THP, selected};
use crate::report::Finding;
use crate::rule::Rule;

/// See the file's header.
#[derive(Debug)]
pub struct ThpNever;

impl Rule for ThpNever {
    fn title(&self) -> &'static str {
        "Transparent huge pages are off"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let off = selected(evidence.text(THP)?) == "never";
        Ok(off.then(|| Finding {
            claim: "Transparent huge pages are switched off, so large working sets pay for page walks.".into(),
            advice: "Give them to programs that ask: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.".into(),
            confirm_with: "cpulens run --only load_latency, before and after".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Latency, Demand::Forks]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let share = evidence.translation().ok_or_else(Missing::translation)?;
        Cost::between(
            0.0,
            share,
            Sure::Measured,
            "From nothing, within reach of the TLB, to what translation adds to a random load from memory on base pages.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "switched off",
                build: |r| r.machine.set(THP, "never", "example"),
                expect: Expect::Fires,
            },
            Example {
                about: "for programs that ask, in the kernel's own words",
                build: |r| r.machine.set(THP, "always [madvise] never", "example"),
                expect: Expect::Clear,
            },
            Example { about: "no /sys", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}
